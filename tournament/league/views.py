"""A season in teams: the public table, the captain's page by the code of a team, and the desk's page."""

import uuid
from collections.abc import Collection
from fractions import Fraction
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_safe

from scoring.problems import InvalidInput, ProblemType
from scoring.seasons import TeamRow, TeamRule, printed
from tournament.core.errors import DomainError
from tournament.core.limits import MAX_REASON, MAX_TEAM
from tournament.events.models import Event, Visibility
from tournament.league.actions import (
    MOST_GAMES,
    ask_line_ups,
    delete_line_ups,
    delete_team,
    hand_in_line_up,
    make_team_code,
    save_team,
    seat_line_ups,
    set_team_rule,
)
from tournament.league.messages import (
    CARRY_WORDS,
    READY_MADE_TEAM_WORDS,
    member_name,
    table_items,
    team_rule_sentences,
)
from tournament.league.models import LineUp, SeasonTeam
from tournament.league.queries import (
    READY_MADE_TEAMS,
    League,
    get_league,
    hash_team_code,
    list_seat_requests,
    read_team_rule,
)
from tournament.pages.addresses import hall_url
from tournament.pages.caches import FOR_ONE, for_one_reader
from tournament.pages.charts import KINDS, Curve, FigureChart, figure_chart
from tournament.pages.csv_files import csv_file
from tournament.pages.files import file_answer
from tournament.pages.forms import ReadField
from tournament.pages.lists import CSV
from tournament.pages.permissions import DeskRequest, for_anyone, for_site
from tournament.pages.requests import UNPROCESSABLE, flash_problems, to_int, to_uuid
from tournament.pages.sign_in import confirm_first, count_bad_link
from tournament.people.queries import current_person, list_humans
from tournament.players.models import Person
from tournament.publication.names import read_for_public
from tournament.seasons.actions import SEASON_CARRIED_UNKNOWN, read_thousands
from tournament.seasons.models import Season
from tournament.seasons.reach_actions import read_reach
from tournament.tables.messages import say_nameless
from tournament.text.names import clean_text
from tournament.text.numbers import NO_VALUE, short_day, short_p, signed_p
from tournament.text.problems import problem_text

TEAM_POINTS_LINE = ProblemType(
    "team.points_line", "Line {line} of the team’s own points is no phase with points and a reason: “1 −20.0 Chombo”."
)
MAX_CODE = 64
POINTS = 40  # of a line: the last events
MOST = 99  # phases, games of an event, tables of a game
MOST_POINTS = 1_000_000
OWN, NO_TEAMS = "own", ""


def _find(slug: str) -> tuple[Season, League | None]:
    season = get_object_or_404(Season, slug=slug)
    with read_for_public(say_nameless):
        return season, get_league(season)


def _find_league(request: HttpRequest, slug: str) -> League:
    """Return a league as everybody may see it; raises Http404, for a draft to all but who runs the desk."""
    season, league = _find(slug)
    draft = season.visibility == Visibility.DRAFT
    if league is None or (draft and not getattr(request.user, "is_superuser", False)):
        raise Http404("There is no such league.")
    return league


def _answer(league: League, response: HttpResponse) -> HttpResponse:
    visibility = league.view.season.visibility
    response["Cache-Control"] = FOR_ONE if visibility == Visibility.DRAFT else "no-cache"
    if visibility != Visibility.PUBLIC:
        response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
@for_anyone
def teams(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table of teams with who played, and the line-ups: those of a table when all of them are in."""
    league = _find_league(request, slug)
    context = {
        "league": league,
        "rule": team_rule_sentences(league.rule),
        "lines": [_line(league, row) for row in league.rows],
        "chart": _chart(league),
        "tables": [table_items(league, table) for table in reversed(league.tables)],
        "csrf_token": "",
    }
    return _answer(league, render(request, "league/teams.html", context))


@require_safe
@for_anyone
def teams_json(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the table of teams as JSON, points exact to nine decimals; 404 until switched on."""
    league = _find_files(request, slug)
    rows = [
        {
            "rank": row.rank,
            "team": league.teams[row.team].name,
            "points": printed(row.figure),
            "carried": printed(row.carried),
            "members": [
                {"name": member_name(league, each.person), "games": each.games, "points": printed(each.points)}
                for each in row.members
            ],
        }
        for row in league.rows
    ]
    found = {"season": league.view.season.name, "phase": league.phase, "teams": rows}
    return _answer(league, JsonResponse(found, json_dumps_params={"ensure_ascii": False}))


@require_safe
@for_anyone
def teams_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the table of teams as csv, a row for each team; 404 until switched on."""
    league = _find_files(request, slug)
    head = [_("Place"), _("Team"), _("Points"), _("Games")]
    rows: list[list[str | float | None]] = [
        [row.rank, league.teams[row.team].name, printed(row.figure), sum(each.games for each in row.members)]
        for row in league.rows
    ]
    return _answer(league, file_answer(csv_file(head, rows), CSV, f"{slug}-teams.csv"))


def _find_files(request: HttpRequest, slug: str) -> League:
    league = _find_league(request, slug)
    if not read_reach(league.view.season.reach).teams:
        raise Http404("This is switched off.")
    return league


def _chart(league: League) -> FigureChart | None:
    """Return the lines of the best teams over the last events that were played; None before the second."""
    events = league.events[-POINTS:]
    if len(events) < 2:
        return None
    curves = []
    for row in league.rows[:KINDS]:
        figures = [None if figure is None else round(figure) for figure in row.after[-POINTS:]]
        texts = [NO_VALUE if figure is None else signed_p(figure) for figure in figures]
        curves.append(Curve(figures, league.teams[row.team].name, texts))
    names = [each.name if each.visibility == Visibility.PUBLIC else _("an unlisted event") for each in events]
    return figure_chart(curves, names, [short_day(each.date) for each in events], short_p, with_zero=True)


def _line(league: League, row: TeamRow[int]) -> dict[str, Any]:
    team = league.teams[row.team]
    members = [
        (
            member_name(league, each.person),
            each.games,
            signed_p(round(each.points)),
            max(league.rule.least - each.first_games, 0),
        )
        for each in row.members
    ]
    return {
        "row": row,
        "team": team,
        "figure": signed_p(round(row.figure)),
        "carried": signed_p(round(row.carried)),
        "games": sum(each.games for each in row.members),
        "points": [(signed_p(points), reason, phase) for phase, points, reason in team.points],
        "members": members,
    }


@require_http_methods(["GET", "POST"])
@for_anyone
def line_ups(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Let who has the code of a team say who sits down; others' line-ups are shown when all of a table are in."""
    season, league = _find(slug)
    team = season.teams.filter(code_hash=hash_team_code(code[:MAX_CODE])).first()
    if league is None or team is None:
        return count_bad_link(request) or render(request, "league/line_ups.html", {"season": season}, status=404)
    problems: list[str] = []
    if request.method == "POST":
        row = get_object_or_404(LineUp, team=team, pk=to_int(request.POST.get("line_up")))
        try:
            hand_in_line_up(line_up=row, member=to_int(request.POST.get("member")) or 0)
            return redirect("season_line_ups", slug, code)
        except DomainError as refused:
            problems = [problem_text(problem) for problem in refused.problems]
    people = {each.pk: current_person(each).pk for each in team.members.select_related("merged_into")}
    names = {human.key: human.name for human in list_humans(keys=people.values())}
    context = {
        "season": season,
        "team": team,
        "members": sorted((names[key], pk) for pk, key in people.items() if key in names),
        "tables": [
            table_items(league, table) | {"mine": each}
            for table in reversed(league.tables)
            for each in table.line_ups
            if each.team_id == team.pk
        ],
        "problems": problems,
    }
    response = render(request, "league/line_ups.html", context, status=UNPROCESSABLE if problems else 200)
    response["Cache-Control"], response["X-Robots-Tag"] = FOR_ONE, "noindex"
    for_one_reader(response)
    return response


# ---------------------------------------------------------------- the desk


def read_team_points(text: str) -> list[tuple[int, int, str]]:
    """Read points of a team, a line each: phase, points, reason. Raises DomainError with the lines that are not so.

    >>> read_team_points("1 -20.0 Chombo"), read_team_points("2 −100 Not there")
    ([(1, -20000, 'Chombo')], [(2, -100000, 'Not there')])
    """
    found, problems = [], []
    for number, line in enumerate(filter(None, map(clean_text, text.splitlines())), start=1):
        phase, figure, reason = (*line.split(maxsplit=2), "", "", "")[:3]
        points = read_thousands(figure) or Fraction()
        fits = 0 < abs(points) <= MOST_POINTS and points.denominator == 1
        if phase.isdecimal() and 1 <= int(phase[:9]) <= MOST and fits and reason:
            found.append((int(phase), int(points), reason[:MAX_REASON]))
        else:
            problems.append(TEAM_POINTS_LINE(line=number))
    if problems:
        raise DomainError(*problems)
    return found


class TeamRuleForm(forms.Form):
    """How teams count: a ready-made rule goes before the fields of an own one."""

    ready = forms.ChoiceField(
        label=gettext_lazy("Rule"),
        required=False,
        choices=[
            (NO_TEAMS, gettext_lazy("No teams")),
            *READY_MADE_TEAM_WORDS.items(),
            (OWN, gettext_lazy("Own rule, as below")),
        ],
    )
    carry = forms.ChoiceField(label=gettext_lazy("Into the next phase"), choices=list(CARRY_WORDS.items()))
    least = forms.IntegerField(
        label=gettext_lazy("Least games per member"), min_value=1, max_value=MOST_GAMES, initial=1
    )
    most = forms.IntegerField(
        label=gettext_lazy("Most games per member"), min_value=1, max_value=MOST_GAMES, required=False
    )


class TeamForm(forms.Form):
    """A team: its members, its own points, and after which phase it plays no more."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=MAX_TEAM)
    members = forms.CharField(
        label=gettext_lazy("Members"),
        required=False,
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("a line each: names of players of the season’s events"),
    )
    points = ReadField(
        read_team_points,
        label=gettext_lazy("Points of the team alone"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("a line each: phase, points in thousands, reason, such as “1 −20.0 Chombo”"),
    )
    last_phase = forms.IntegerField(
        label=gettext_lazy("Plays no more after phase"), required=False, min_value=1, max_value=MOST
    )


class LineUpForm(forms.Form):
    """A table for which teams say who sits down, in the order of the seats."""

    event = forms.ModelChoiceField(Event.objects.none(), label=gettext_lazy("Event"), empty_label=None)
    game = forms.IntegerField(label=gettext_lazy("Game"), min_value=1, max_value=MOST, initial=1)
    table = forms.IntegerField(label=gettext_lazy("Table"), min_value=1, max_value=MOST, initial=1)
    teams = forms.ModelMultipleChoiceField(
        SeasonTeam.objects.none(), label=gettext_lazy("Teams"), widget=forms.CheckboxSelectMultiple
    )


@require_http_methods(["GET", "POST"])
@for_site
def desk_teams(request: DeskRequest, own: str) -> HttpResponse:
    """Choose how teams count, change one, make its captain's link, ask for line-ups; shows none that is sealed."""
    season, league = _find(own)
    act = request.POST.get("act", "")
    chosen = season.teams.filter(number=to_int(request.POST.get("team") or request.GET.get("team")) or 0).first()
    rule = read_team_rule(season)
    ready = next((key for key, each in READY_MADE_TEAMS.items() if each == rule), OWN if rule else NO_TEAMS)

    def sent(key: str) -> Any:
        return request.POST if act == key else None

    pages: dict[str, Any] = {
        "rule": TeamRuleForm(sent("rule"), initial={"ready": ready, **season.team_rule}),
        "team": TeamForm(sent("team"), initial=_stored(chosen) if chosen else {}),
        "line_ups": LineUpForm(sent("line_ups")),
    }
    pages["line_ups"].fields["event"].queryset = Event.objects.filter(seasons__season=season).order_by("-date")
    pages["line_ups"].fields["teams"].queryset = season.teams.all()
    form, link = pages.get(act), ""
    if act.startswith("delete") and (asked := _ask_to_delete(request, season, act, chosen)):
        return asked
    try:
        if form and form.is_valid():
            _save(act, form.cleaned_data, season, chosen, request)
            messages.success(request, _("Saved."))
            return redirect("desk:season_teams", own)
        if request.method == "POST" and form is None:
            link = _press(request, season, act, chosen)
    except (DomainError, InvalidInput) as refused:
        if form is None:
            flash_problems(request, refused)
        else:
            for problem in refused.problems:
                form.add_error(None, problem_text(problem))
    if request.method == "POST" and form is None and not link:
        return redirect("desk:season_teams", own)
    requests = list_seat_requests(league.tables) if league else {}
    context = {
        "season": season,
        "forms": pages,
        "chosen": chosen,
        "link": link,
        "teams": season.teams.all(),
        "tables": [{**table_items(league, each), "request": requests.get(each)} for each in reversed(league.tables)]
        if league
        else [],
        "client_id": uuid.uuid4(),
        "desk_nav": [],
    }
    response = render(request, "league/desk_teams.html", context, status=UNPROCESSABLE if form else 200)
    response["Cache-Control"] = "no-store"
    return response


def _stored(team: SeasonTeam) -> dict[str, Any]:
    humans = list_humans(keys=[current_person(each).pk for each in team.members.all()])
    lines = [f"{phase} {signed_p(points)} {reason}" for phase, points, reason in team.points]
    names = "\n".join(human.name for human in humans)
    return {"name": team.name, "members": names, "points": "\n".join(lines), "last_phase": team.last_phase}


def _save(act: str, sent: dict[str, Any], season: Season, team: SeasonTeam | None, request: DeskRequest) -> None:
    """Do what a form is for; raises DomainError."""
    if act == "rule":
        own = TeamRule(sent["carry"], sent["least"], sent["most"]) if sent["ready"] == OWN else None
        set_team_rule(season=season, rule=own or READY_MADE_TEAMS.get(sent["ready"]), by=request.user)
    elif act == "team":
        members = _read_members(sent.pop("members"), season, team)
        save_team(season=season, number=team.number if team else None, members=members, **sent, by=request.user)
    else:
        ask_line_ups(**sent | {"teams": list(sent["teams"])}, by=request.user)


def _read_members(text: str, season: Season, team: SeasonTeam | None) -> Collection[int]:
    """Return the keys of members by name, a line each, and of the forgotten, who have none and whose games count.

    Raises DomainError with each name of nobody or of several.
    """
    humans = list_humans(list(season.events.values_list("event", flat=True)))
    own = {current_person(each).pk for each in team.members.all()} if team else set[int]()
    humans += list_humans(keys=own)
    forgotten = Person.objects.filter(known__in=own, forgotten_at__isnull=False).values_list("known", flat=True)
    found = {
        name: {human.key for human in humans if name.casefold() in map(str.casefold, human.names)}
        for name in filter(None, map(clean_text, text.splitlines()))
    }
    if problems := [SEASON_CARRIED_UNKNOWN(name=name[:60]) for name, keys in found.items() if len(keys) != 1]:
        raise DomainError(*problems)
    return {*forgotten}.union(*found.values())


def _ask_to_delete(request: DeskRequest, season: Season, act: str, team: SeasonTeam | None) -> HttpResponse | None:
    """Ask before a team or line-ups are deleted; None once that was asked, and where they are gone."""
    if act == "delete" and team:
        title = _("Delete the team %(name)s?") % {"name": team.name}
    elif act == "delete_line_ups" and (row := _line_up(request, season)):
        title = _("Delete the line-ups of game %(game)d, table %(table)d?") % {"game": row.game, "table": row.table}
    else:
        return None
    return confirm_first(request, None, title=title, back=reverse("desk:season_teams", args=[season.slug]), danger=True)


def _line_up(request: DeskRequest, season: Season) -> LineUp | None:
    return LineUp.objects.filter(team__season=season, pk=to_int(request.POST.get("line_up"))).first()


def _press(request: DeskRequest, season: Season, act: str, team: SeasonTeam | None) -> str:
    """Do what a button is for; return the captain's link where that was made. Raises DomainError."""
    if act == "code" and team:
        code = make_team_code(team=team, client_id=to_uuid(request.POST.get("client_id", "")), by=request.user)
        return hall_url(request, reverse("season_line_ups", args=[season.slug, code]))
    if act == "delete" and team:
        delete_team(team=team, by=request.user)
    if row := _line_up(request, season):
        place: dict[str, Any] = {"season": season, "event": row.event, "game": row.game, "table": row.table}
        if act == "delete_line_ups":
            delete_line_ups(**place, by=request.user)
        elif act == "seat":
            table = seat_line_ups(**place, client_id=to_uuid(request.POST.get("client_id", "")), by=request.user)
            said = ngettext("Table %(numbers)s plays.", "Tables %(numbers)s play.", 1)
            messages.success(request, said % {"numbers": table.number})
    return ""
