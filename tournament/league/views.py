"""A season in teams: the public table, the captain's page by the code of a team, and the desk's page."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.seasons import TeamRow
from tournament.core.errors import DomainError
from tournament.events.models import Visibility
from tournament.league.actions import delete_line_ups, delete_team, hand_in_line_up, make_team_code
from tournament.league.forms import LineUpForm, TeamForm, TeamRuleForm
from tournament.league.messages import member_name, table_items, team_rule_sentences
from tournament.league.models import LineUp, SeasonTeam
from tournament.league.queries import League, get_league, hash_team_code
from tournament.pages.addresses import hall_url
from tournament.pages.caches import FOR_ONE, for_one_reader
from tournament.pages.permissions import DeskRequest, for_anyone, for_site
from tournament.pages.requests import UNPROCESSABLE, flash_problems, to_int, to_uuid
from tournament.pages.sign_in import count_bad_link
from tournament.people.queries import current_person, list_humans
from tournament.publication.names import read_for_public
from tournament.seasons.models import Season
from tournament.tables.messages import say_nameless
from tournament.text.numbers import signed_p
from tournament.text.problems import problem_text

MAX_CODE = 64
FORMS = {"rule": TeamRuleForm, "team": TeamForm, "line_ups": LineUpForm}


def _find(slug: str) -> tuple[Season, League | None]:
    season = get_object_or_404(Season, slug=slug)
    with read_for_public(say_nameless):
        return season, get_league(season)


@require_safe
@for_anyone
def teams(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table of teams with who played, and the line-ups: those of a table when all of them are in."""
    season, league = _find(slug)
    draft = season.visibility == Visibility.DRAFT
    if league is None or (draft and not getattr(request.user, "is_superuser", False)):
        raise Http404("There is no such league.")
    context = {
        "league": league,
        "rule": team_rule_sentences(league.rule),
        "lines": [_line(league, row) for row in league.rows],
        "tables": [table_items(league, table) for table in reversed(league.tables)],
        "csrf_token": "",
    }
    response = render(request, "league/teams.html", context)
    response["Cache-Control"] = FOR_ONE if draft else "no-cache"
    if season.visibility != Visibility.PUBLIC:
        response["X-Robots-Tag"] = "noindex"
    return response


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
        "members": sorted((names.get(key, "–"), pk) for pk, key in people.items()),
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


@require_http_methods(["GET", "POST"])
@for_site
def desk_teams(request: DeskRequest, own: str) -> HttpResponse:
    """Choose how teams count, change one, make its captain's link, ask for line-ups; shows none that is sealed."""
    season, league = _find(own)
    act = request.POST.get("act", "")
    chosen = season.teams.filter(number=to_int(request.POST.get("team") or request.GET.get("team")) or 0).first()
    link = ""
    if request.method == "POST" and act not in FORMS:
        try:
            link = _press(request, season, act, chosen)
        except DomainError as refused:
            flash_problems(request, refused)
        if not link:
            return redirect("desk:season_teams", own)
    forms = {key: kind(request.POST if key == act else None, season=season, team=chosen) for key, kind in FORMS.items()}
    if act in FORMS and forms[act].is_valid():
        try:
            forms[act].save(request.user)
            messages.success(request, _("Saved."))
            return redirect("desk:season_teams", own)
        except DomainError as refused:
            for problem in refused.problems:
                forms[act].add_error(None, problem_text(problem))
    context = {
        "season": season,
        "forms": forms,
        "chosen": chosen,
        "link": link,
        "teams": season.teams.all(),
        "tables": [table_items(league, table) for table in reversed(league.tables)] if league else [],
        "client_id": uuid.uuid4(),
        "desk_nav": [],
    }
    response = render(request, "league/desk_teams.html", context, status=UNPROCESSABLE if act in FORMS else 200)
    response["Cache-Control"] = "no-store"
    return response


def _press(request: DeskRequest, season: Season, act: str, team: SeasonTeam | None) -> str:
    """Do what a button is for; return the captain's link where that was made. Raises DomainError."""
    if act == "code" and team:
        code = make_team_code(team=team, client_id=to_uuid(request.POST.get("client_id", "")), by=request.user)
        return hall_url(request, reverse("season_line_ups", args=[season.slug, code]))
    if act == "delete" and team:
        delete_team(team=team, by=request.user)
    row = LineUp.objects.filter(team__season=season, pk=to_int(request.POST.get("line_up"))).first()
    if act == "delete_line_ups" and row:
        delete_line_ups(season=season, event=row.event, game=row.game, table=row.table, by=request.user)
    return ""
