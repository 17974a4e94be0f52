"""Results for others: the federation's workbook with its check, the ranking site's csv, plain results, a site's copy.

What is held or not released is in none of them unless the desk asks for it; a club's site never has it.
"""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from scoring.mers import base_rank, day_results, weight_in_halves
from tournament.core.limits import MOST_TITLE
from tournament.core.rights import Verb
from tournament.ema.files_ema import EmaEvent, EmaPlayer, ema_workbook, ranking_csv
from tournament.ema.files_ema_check import check_ema
from tournament.exports.files_csv_files import penalties_csv, players_csv, results_csv
from tournament.exports.files_tournament_engine import engine_file
from tournament.exports.views_files import standings_for_files
from tournament.incidents.queries import count_listed
from tournament.models.event import Event
from tournament.pages.files_file_answers import XLSX, file_answer
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.paper import queries as rows
from tournament.paper.queries import guess_host, list_ema_players, list_player_lines
from tournament.publication.messages import say_held_at_desk
from tournament.publication.queries import seen_by_public
from tournament.publish.site_copy_1 import copy_languages, write_site
from tournament.standings.queries import Standings
from tournament.tables.round_queries_clock import list_days
from tournament.text.names_countries import find_country
from tournament.text.numbers_formatting import ordinal_place, p
from tournament.text.problems_1 import say

MOST_DAYS: Final = 31


@dataclass(frozen=True, slots=True)
class EmaFile:
    """What goes into the files: the event, its players, and whether an entry was needed (`qualified`)."""

    event: EmaEvent
    players: tuple[EmaPlayer, ...]
    qualified: bool
    left_out: tuple[str, ...]
    disqualified: tuple[str, ...]


def read_ema_file(event: Event, standings: Standings, asked: Mapping[str, str]) -> EmaFile:
    """Return what goes into the files, as asked for in the address; what was not asked for is guessed."""
    players = tuple(list_ema_players(event, standings))
    countries = [player.country for player in players if player.country]
    days = _days(asked.get("days"), event)
    qualified, listed = "qualified" in asked, count_listed(event)
    head = EmaEvent(
        name=event.name,
        place=" ".join(asked.get("place", event.place)[:MOST_TITLE].split()),
        country=_country(asked.get("country"), countries),
        day=list_days(event)[0],
        days=days,
        halves=weight_in_halves(days=days, players=listed, countries=len(set(countries)), qualified=qualified),
        listed=listed,
        rounds=len(standings.rounds),
        planned=max(event.rounds_planned, len(standings.rounds)),
        rules=event.ruleset.key,
        table_size=event.ruleset.players,
    )
    return EmaFile(head, players, qualified, *_left_out(standings))


def _left_out(standings: Standings) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return who played without a place, and who is disqualified."""
    rows = standings.unranked
    out = tuple(row.name for row in rows if row.disqualified)
    return tuple(row.name for row in rows if not row.disqualified), out


def ema_context(file: EmaFile) -> dict[str, Any]:
    """Return what desk/results_ema.html shows."""
    event, players = file.event, file.players
    found = check_ema(event, players, left_out=file.left_out, disqualified=file.disqualified)
    shared = [player.position for player in players]
    return {
        "file": file,
        "weight": p(500 * event.halves),
        "countries": len({player.country for player in players if player.country}),
        "errors": [say(problem) for problem in found if problem.severity == "error"],
        "warnings": [say(problem) for problem in found if problem.severity == "warning"],
        "lines": [_line(player, event, tied=shared.count(player.position) > 1) for player in players],
    }


def _line(player: EmaPlayer, event: EmaEvent, *, tied: bool) -> dict[str, Any]:
    base = base_rank(player.position, max(event.listed, player.position))
    days = len(day_results(base, event.days))
    return {
        "place": ordinal_place(player.position, tied),
        "name": player.name,
        "number": player.ema_number,
        "country": player.country,
        "total": player.score,
        "base": base if player.ema_number else None,
        "days": _("%(days)d × %(base)d") % {"days": days, "base": base} if player.ema_number else "",
    }


def _country(asked: str | None, countries: list[str]) -> str:
    if asked is None:
        return guess_host(countries)
    return find_country(asked) or asked.strip()[:40]


def _days(asked: str | None, event: Event) -> int:
    """Return how many days; 0 for what is no number, which the check then says."""
    if asked is None:
        days = list_days(event)
        return min((days[-1] - days[0]).days + 1, MOST_DAYS)
    text = asked.strip()
    return min(int(text), MOST_DAYS) if text.isascii() and text.isdigit() and len(text) < 5 else 0


CSV = "text/csv; charset=utf-8"
ENGINE_TABLE: Final = 4
MINUTE: Final = len("2026-09-12T10:00")


@require_GET
@who_may(Verb.EXPORT)
def rankings(request: DeskRequest, event: Event) -> HttpResponse:
    """Show what the federation would stumble over, and what the places are worth; and give the files."""
    file = read_ema_file(event, standings_for_files(request, event), request.GET)
    address = request.GET.copy()
    address.update({} if "days" in address else {"days": str(file.event.days), "country": file.event.country})
    context = {
        **ema_context(file),
        "asked": f"?{address.urlencode()}",
        "with_held": "held" in request.GET,
        "held": say_held_at_desk(seen_by_public(event)),
        "languages": len(settings.LANGUAGES),
    }
    return render(request, "files/results_rankings.html", desk_context(request, event, "results", **context))


@require_GET
@who_may(Verb.EXPORT)
def ema_xlsx(request: DeskRequest, event: Event) -> HttpResponse:
    """Give the federation's workbook, filled as the address says."""
    file = read_ema_file(event, standings_for_files(request, event), request.GET)
    made = ema_workbook(file.event, file.players, timezone.localtime())
    return file_answer(made, XLSX, rows.print_name(event, "ema", timezone.localtime(), "xlsx"))


@require_GET
@who_may(Verb.EXPORT)
def rankings_csv(request: DeskRequest, event: Event) -> HttpResponse:
    """Give the lines of the newer ranking site."""
    file = read_ema_file(event, standings_for_files(request, event), request.GET)
    return file_answer(ranking_csv(file.players), CSV, rows.print_name(event, "ranking", timezone.localtime(), "csv"))


@require_GET
@who_may(Verb.EXPORT)
def plain_csv(request: DeskRequest, event: Event) -> HttpResponse:
    """Give every game as `manage.py import_results` reads it."""
    rounds = rows.list_round_results(event, standings_for_files(request, event).rounds)
    return file_answer(results_csv(rounds), CSV, rows.print_name(event, "results", timezone.localtime(), "csv"))


@require_GET
@who_may(Verb.EXPORT)
def engine_json(request: DeskRequest, event: Event) -> HttpResponse:
    """Give players and games as the Mahjong Tournament Engine opens them, which knows tables of four alone."""
    if event.ruleset.players != ENGINE_TABLE:
        raise Http404("Tables of four alone.")
    rounds = rows.list_round_results(event, standings_for_files(request, event).rounds)
    players = dict(event.players.order_by("number").values_list("person__preferred_name", "ranked"))
    starts = [start[:MINUTE] for start in event.timetable] + [""] * event.rounds_planned
    made = engine_file(event.name, event.ruleset, starts[: event.rounds_planned], players, rounds)
    name = rows.print_name(event, "tournament-engine", timezone.localtime(), "json")
    return file_answer(made, "application/json", name)


@require_GET
@who_may(Verb.EXPORT)
def plain_players(_request: DeskRequest, event: Event) -> HttpResponse:
    """Give the list of players as the desk reads it."""
    made = players_csv(list_player_lines(event))
    return file_answer(made, CSV, rows.print_name(event, "players", timezone.localtime(), "csv"))


@require_GET
@who_may(Verb.EXPORT)
def plain_penalties(request: DeskRequest, event: Event) -> HttpResponse:
    """Give the penalties that stand as the desk reads them, of the rounds that the results have."""
    made = penalties_csv(rows.list_penalty_rows(event, standings_for_files(request, event).rounds))
    return file_answer(made, CSV, rows.print_name(event, "penalties", timezone.localtime(), "csv"))


@require_GET
@who_may(Verb.EXPORT)
def site_zip(request: DeskRequest, event: Event) -> HttpResponse:
    """Give the public pages as files: in the event's language, with `?languages=all` in every one."""
    file = io.BytesIO()
    write_site(event, copy_languages(event, every=request.GET.get("languages") == "all"), file)
    return file_answer(file.getvalue(), "application/zip", rows.print_name(event, "site", timezone.localtime(), "zip"))
