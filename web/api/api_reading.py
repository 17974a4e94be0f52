"""What other programs may read of an event beside its standings: the event, its players, its rounds with their seats.

Everything is what public pages show; it decides nothing and writes nothing. See docs/developer/openapi.json.
"""

import datetime as dt
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET

from scoring.problems import error
from tournament.models import Event
from tournament.selectors.core.public import Seen, seen_by_public
from tournament.selectors.people.players import list_players
from tournament.selectors.rounds.clock import planned_start
from tournament.selectors.rounds.rounds import RoundRow, SeatResult, TableResult, get_round, list_results, list_rounds
from web.gateways import for_public
from web.words.problem_json import problems_json


@require_GET
@for_public
def event(_request: HttpRequest, event: Event) -> HttpResponse:
    """Return an event with its rules in short and its rounds."""
    rules = event.ruleset
    return JsonResponse(
        {
            "event": event.slug,
            "name": event.name,
            "date": event.date.isoformat(),
            "place": event.place,
            "language": event.language,
            "rules": {"key": rules.key, "title": rules.title, "players": rules.players, "minutes": rules.minutes},
            "rounds_planned": event.rounds_planned,
            "rounds": _rounds(event),
        }
    )


@require_GET
@for_public
def players(_request: HttpRequest, event: Event) -> HttpResponse:
    """Return the players by number, under the names that they go by here."""
    rows = [
        {"number": row.number, "name": row.name, "ranked": row.ranked, "withdrawn": row.withdrawn}
        for row in list_players(event)
    ]
    return JsonResponse({"event": event.slug, "players": rows})


@require_GET
@for_public
def rounds(_request: HttpRequest, event: Event) -> HttpResponse:
    """Return the rounds that are drawn, in order."""
    return JsonResponse({"event": event.slug, "rounds": _rounds(event)})


@require_GET
@for_public
def round_(_request: HttpRequest, event: Event, round_number: int) -> HttpResponse:
    """Return a round with who sits where, and with its results where these are public; 404 before its seats are."""
    found = get_round(event, round_number)
    if found is None or found.published_at is None:
        return JsonResponse({"problems": problems_json([error("access.no_such_page")])}, status=404)
    row = next(each for each in _rounds(event) if each["round"] == round_number)
    return JsonResponse({"event": event.slug, **row, "tables": [_table(each) for each in list_results(event, found)]})


def _rounds(event: Event) -> list[dict[str, Any]]:
    seen = seen_by_public(event)
    return [_round(event, row, seen) for row in list_rounds(event)]


def _round(event: Event, row: RoundRow, seen: Seen) -> dict[str, Any]:
    return {
        "round": row.number,
        "state": "held" if row.number in seen.held_rounds else row.state,
        "planned_start": _moment(planned_start(event, row.number)),
        "started_at": _moment(row.started_at),
        "results": seen.shows(row.number),
    }


def _table(table: TableResult) -> dict[str, Any]:
    return {
        "table": table.number,
        "results": table.shown,
        "live": table.live,
        "seats": [_seat(table, seat) for seat in table.seats],
    }


def _seat(table: TableResult, seat: SeatResult) -> dict[str, Any]:
    substitute = seat.substitute
    return {
        "seat": seat.player.seat,
        "number": seat.player.number,
        "name": seat.player.name,
        "substitute": None if substitute is None else {"name": substitute.name, "when": substitute.when},
        "score": seat.score if table.shown else None,
        "place": seat.place if table.shown else None,
        "shared": table.shown and seat.shared,
        "uma": seat.uma if table.shown else None,
        "result": seat.result if table.shown else None,
    }


def _moment(at: dt.datetime | None) -> str | None:
    """Write a moment in UTC, in ISO 8601 to the second."""
    return at.astimezone(dt.UTC).isoformat(timespec="seconds") if at else None
