"""What the desk's page of a league of teams reads."""

from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.problems import ProblemType
from scoring.seasons import TeamRule
from tournament.core.errors import DomainError
from tournament.core.limits import MAX_REASON, MAX_TEAM
from tournament.league.actions import MOST_GAMES, ask_line_ups, save_team, set_team_rule
from tournament.league.messages import CARRY_WORDS, READY_MADE_TEAM_WORDS
from tournament.league.models import SeasonTeam
from tournament.league.queries import READY_MADE_TEAMS, read_team_rule
from tournament.pages.requests import read_score
from tournament.people.queries import current_person, list_humans
from tournament.seasons.actions import SEASON_CARRIED_UNKNOWN
from tournament.text.names import clean_text
from tournament.text.numbers import signed_p

TEAM_POINTS_LINE = ProblemType(
    "team.points_line", "Line {line} of the team’s own points is no phase with points and a reason: “1 −20.0 Chombo”."
)
OWN, NO_TEAMS = "own", ""
MOST = 99  # phases, games of an event, tables of a game
MOST_POINTS = 1_000_000


class _SeasonForm(forms.Form):
    """A form of a season."""

    def __init__(self, sent: Any, *, season: Any, team: SeasonTeam | None = None) -> None:
        self.season, self.team = season, team
        super().__init__(sent, initial=self.read())
        self.choose()

    def read(self) -> Mapping[str, Any]:
        """Return what is stored."""
        return {}

    def choose(self) -> None:
        """Fill the choices."""


class TeamRuleForm(_SeasonForm):
    """How teams count: a ready-made rule goes before the fields of an own one."""

    ready = forms.ChoiceField(label=gettext_lazy("Rule"), required=False)
    carry = forms.ChoiceField(label=gettext_lazy("Into the next phase"), choices=list(CARRY_WORDS.items()))
    least = forms.IntegerField(
        label=gettext_lazy("Least games per member"), min_value=1, max_value=MOST_GAMES, initial=1
    )
    most = forms.IntegerField(
        label=gettext_lazy("Most games per member"), min_value=1, max_value=MOST_GAMES, required=False
    )

    def read(self) -> Mapping[str, Any]:
        rule = read_team_rule(self.season)
        ready = next((key for key, each in READY_MADE_TEAMS.items() if each == rule), OWN if rule else NO_TEAMS)
        return {"ready": ready, **self.season.team_rule}

    def choose(self) -> None:
        words = {NO_TEAMS: _("No teams"), **READY_MADE_TEAM_WORDS, OWN: _("Own rule, as below")}
        self.fields["ready"].choices = list(words.items())  # type: ignore[attr-defined]

    def save(self, by: Any) -> None:
        """Store the rule."""
        sent = self.cleaned_data
        own = TeamRule(sent["carry"], sent["least"], sent["most"]) if sent["ready"] == OWN else None
        set_team_rule(season=self.season, rule=own or READY_MADE_TEAMS.get(sent["ready"]), by=by)


class TeamForm(_SeasonForm):
    """A team: its members, its own points, and after which phase it plays no more."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=MAX_TEAM)
    members = forms.CharField(
        label=gettext_lazy("Members"),
        required=False,
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("a line each: names of players of the season’s events"),
    )
    points = forms.CharField(
        label=gettext_lazy("Points of the team alone"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("a line each: phase, points in thousands, reason, such as “1 −20.0 Chombo”"),
    )
    last_phase = forms.IntegerField(
        label=gettext_lazy("Plays no more after phase"), required=False, min_value=1, max_value=MOST
    )

    def read(self) -> Mapping[str, Any]:
        if self.team is None:
            return {}
        humans = list_humans(keys=[current_person(each).pk for each in self.team.members.all()])
        lines = [f"{phase} {signed_p(points)} {reason}" for phase, points, reason in self.team.points]
        names = "\n".join(human.name for human in humans)
        return {
            "name": self.team.name,
            "members": names,
            "points": "\n".join(lines),
            "last_phase": self.team.last_phase,
        }

    def save(self, by: Any) -> None:
        """Store the team; raises DomainError for names and lines that cannot be read."""
        sent = self.cleaned_data
        save_team(
            season=self.season,
            number=self.team.number if self.team else None,
            name=sent["name"],
            members=self._members(sent["members"]),
            points=_read_points(sent["points"]),
            last_phase=sent["last_phase"],
            by=by,
        )

    def _members(self, text: str) -> Collection[int]:
        own = [current_person(each).pk for each in self.team.members.all()] if self.team else []
        humans = {human.key: human for human in list_humans(keys=own)}
        humans |= {human.key: human for human in list_humans(list(self.season.events.values_list("event", flat=True)))}
        found = {
            name: [key for key, human in humans.items() if name.casefold() in map(str.casefold, human.names)]
            for name in filter(None, map(clean_text, text.splitlines()))
        }
        if problems := [SEASON_CARRIED_UNKNOWN(name=name[:60]) for name, keys in found.items() if len(keys) != 1]:
            raise DomainError(*problems)
        return {key for keys in found.values() for key in keys}


class LineUpForm(_SeasonForm):
    """A table for which teams say who sits down, in the order of the seats."""

    event = forms.ChoiceField(label=gettext_lazy("Event"))
    game = forms.IntegerField(label=gettext_lazy("Game"), min_value=1, max_value=MOST, initial=1)
    table = forms.IntegerField(label=gettext_lazy("Table"), min_value=1, max_value=MOST, initial=1)
    teams = forms.MultipleChoiceField(label=gettext_lazy("Teams"), widget=forms.CheckboxSelectMultiple)

    def choose(self) -> None:
        rows = reversed(self.season.events.select_related("event"))
        fields: Any = self.fields
        self.events = {str(row.event_id): row.event for row in rows}
        self.teams = {str(team.number): team for team in self.season.teams.all()}
        fields["event"].choices = [(key, event.name) for key, event in self.events.items()]
        fields["teams"].choices = [(key, team.name) for key, team in self.teams.items()]

    def save(self, by: Any) -> None:
        """Ask for the line-ups; raises DomainError."""
        sent = self.cleaned_data
        teams = [self.teams[key] for key in sent["teams"]]
        ask_line_ups(event=self.events[sent["event"]], game=sent["game"], table=sent["table"], teams=teams, by=by)


def _read_points(text: str) -> list[tuple[int, int, str]]:
    """Read points of a team, a line each: phase, points, reason. Raises DomainError with the lines that are not so."""
    found, problems = [], []
    for number, line in enumerate(filter(None, map(clean_text, text.splitlines())), start=1):
        phase, figure, reason = (*line.split(maxsplit=2), "", "", "")[:3]
        points = read_score(figure)
        if phase.isdecimal() and 1 <= int(phase) <= MOST and points and abs(points) <= MOST_POINTS and reason:
            found.append((int(phase), points, reason[:MAX_REASON]))
        else:
            problems.append(TEAM_POINTS_LINE(line=number))
    if problems:
        raise DomainError(*problems)
    return found
