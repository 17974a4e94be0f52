"""Leagues of teams in words: the rule, members, what a captain may see."""

from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.seasons import HEAD_STARTS, TeamRule
from tournament.events.models import Visibility
from tournament.league.queries import League, LeagueTable
from tournament.people.queries import current_person
from tournament.seasons.messages import line_name
from tournament.text.languages import Words, join_commas
from tournament.text.numbers import signed_p

READY_MADE_TEAM_WORDS: Final[Words] = {
    "m_league": gettext_lazy("M-League: half of the points is carried, 20 to 40 games per member"),
    "company": gettext_lazy("Company league: the final begins with 120, 70, 30 and 0"),
    "r_league": gettext_lazy("R.League: the points of all phases"),
}
CARRY_WORDS: Final[Words] = {
    "all": gettext_lazy("all points"),
    "half": gettext_lazy("half of the points, to a tenth"),
    "head_start": gettext_lazy("a head start by rank: 120, 70, 30, 0"),
}


def team_rule_sentences(rule: TeamRule) -> list[str]:
    """Put the rule of a league of teams into sentences."""
    said = [_("A team has the points of its members’ games and its own, such as penalties.")]
    if rule.carry == "half":
        said.append(_("Half of the points is carried into the next phase, to a tenth; half a tenth is rounded up."))
    elif rule.carry == "head_start":
        starts = join_commas(map(signed_p, HEAD_STARTS))
        said.append(_("The next phase begins with a head start by rank: %(points)s.") % {"points": starts})
    if rule.least > 1:
        least = ngettext("A member plays at least %(n)d game.", "A member plays at least %(n)d games.", rule.least)
        said.append(least % {"n": rule.least})
    if rule.most:
        most = ngettext("A member plays at most %(n)d game.", "A member plays at most %(n)d games.", rule.most)
        said.append(most % {"n": rule.most})
    if rule.least > 1 or rule.most:
        said.append(_("Games of later phases do not count for that."))
    return said


def member_name(league: League, person: int) -> str:
    """Return the name of a member as the season shows it, or what stands for it."""
    line = next((line for line in league.view.lines if line.row.person == person), None)
    return line_name(line) if line else league.view.names.get(person) or _("not shown by name")


def table_items(league: League, table: LeagueTable) -> dict[str, Any]:
    """Return the line-ups of a table as everybody may see them: each team with its member, "" while it is sealed."""
    first = table.line_ups[0]
    seats = []
    for each in table.line_ups:
        shown = member_name(league, current_person(each.member).pk) if each.member and table.is_open else ""
        seats.append((each.team, shown, each.member_id is not None))
    public = first.event.visibility == Visibility.PUBLIC
    event = first.event.name if public else _("an unlisted event")
    return {"event": event, "first": first, "is_open": table.is_open, "seats": seats}
