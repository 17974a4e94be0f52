"""A preview of EMA's ranking: what this event makes of each player's, by a list of past results that is not stored."""

import datetime as dt
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from scoring.mers import PastResult, base_rank, ranking
from tournament.core.rights import Verb
from tournament.ema.files_past_results import read_past_results
from tournament.exports.views_rankings import EmaFile, read_ema_file
from tournament.models.event import Event
from tournament.pages.forms_file_form import FileForm
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import UNPROCESSABLE
from tournament.standings.queries import get_desk_standings
from tournament.tables.round_queries_clock import list_days
from tournament.text.numbers_formatting import p
from tournament.text.problems_1 import say


@require_http_methods(["GET", "POST"])
@who_may(Verb.EXPORT)
def ema_points(request: DeskRequest, event: Event) -> HttpResponse:
    """Ask for a list of past results, and show each player's ranking without and with this event."""
    form = FileForm(request.POST or None, request.FILES or None)
    file = read_ema_file(event, get_desk_standings(event), {})
    context: dict[str, Any] = {"form": form, "weight": p(500 * file.event.halves), "none": not file.players}
    status = 200
    if form.is_bound:
        status = UNPROCESSABLE
        if form.is_valid():
            found = read_past_results(*form.content(), {player.ema_number for player in file.players} - {""})
            context |= {"errors": [say(problem) for problem in found.problems], "read": found.rows}
            if not found.problems:
                status = 200
                context["lines"] = _lines(file, found.by_number, list_days(event)[-1])
    page = desk_context(request, event, "settings", **context)
    return render(request, "files/ema_points.html", page, status=status)


def _lines(file: EmaFile, past: Mapping[str, Sequence[PastResult]], on: dt.date) -> list[dict[str, Any]]:
    """Return a line for each player with an EMA number, in the order of the standings."""
    found = []
    for player in file.players:
        if not player.ema_number:
            continue
        base = base_rank(player.position, max(file.event.listed, player.position))
        before = list(past.get(player.ema_number, ()))
        found.append(
            {
                "place": player.position,
                "name": player.name,
                "number": player.ema_number,
                "past": len(before),
                "before": _shown(ranking(before, on)),
                "base": base,
                "after": _shown(ranking([*before, PastResult(base, file.event.halves, on)], on)),
            }
        )
    return found


def _shown(value: Fraction | None) -> str:
    """Write a ranking with two places, as EMA does; "–" where there is none."""
    return "–" if value is None else f"{Decimal(value.numerator) / value.denominator:.2f}"
