"""Two people played under each other's name: choose them and the rounds, see the effect, exchange their games."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.incidents.queries import (
    ExchangedRound,
    ExchangeEffect,
    SeatNow,
    Whereabouts,
    effect_of_exchange,
    get_whereabouts,
)
from tournament.incidents.seat_views_swap_players import place_words, read_place, write_place
from tournament.incidents.substitutes import ranked_moves
from tournament.incidents.views_incidents import to_incidents
from tournament.models.event import Event
from tournament.pages.forms_similar_names import likes_of
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import UNPROCESSABLE, to_int
from tournament.players.queries import list_players
from tournament.seating.seat_actions import Place, exchange_players
from tournament.text.problems_1 import say


@require_http_methods(["GET", "POST"])
@who_may(Verb.EXCHANGE_PLAYERS)
def exchange(request: DeskRequest, event: Event) -> HttpResponse:
    """Choose two people and rounds, show what would change (`?look`), give each the other's games."""
    if request.method != "POST":
        return _page(request, event, request.GET, [])
    one, other = to_int(request.POST.get("one")), to_int(request.POST.get("other"))
    try:
        exchange_players(
            event=event,
            one=one,
            other=other,
            seen=read_seen(request.POST.get("seen", "")),
            reason=request.POST.get("reason", ""),
            by=request.user,
        )
    except Refused as refused:
        return _page(request, event, request.POST, [say(problem) for problem in refused.problems])
    messages.success(request, _("Each has the other’s games now. Do the same again to put everything back."))
    return to_incidents(event, one)


def _page(request: DeskRequest, event: Event, fields: QueryDict, errors: list[str]) -> HttpResponse:
    rows = [(row.number, row.name) for row in list_players(event)]
    one, other = (get_whereabouts(event, to_int(fields.get(name))) for name in ("one", "other"))
    published = list(event.rounds.filter(published_at__isnull=False).values_list("number", flat=True))
    ticked = [number for number in published if str(number) in fields.getlist("round")]
    likes = likes_of(rows)
    if "look" in fields and not errors:
        errors = _unchosen(one, other, ticked)
    context: dict[str, Any] = {
        "people": [(number, name, likes.get(number, "")) for number, name in rows],
        "one": one,
        "other": other,
        "rounds": [(number, number in ticked) for number in published],
        "reason": fields.get("reason", "")[:300],
        "errors": errors,
    }
    if one and other and one.number != other.number and ticked:
        effect = effect_of_exchange(event, one, other, ticked)
        context |= {
            "effect": {"moves": ranked_moves(effect.moves)},
            "exchanged": [(row.round, _places(row, one.name, other.name)) for row in effect.rounds],
            "staying": _staying(effect, one, other),
            "seen": write_seen(effect.rounds),
        }
    page = desk_context(request, event, "players", **context)
    return render(request, "people/exchange_players.html", page, status=UNPROCESSABLE if errors else 200)


def _unchosen(one: Whereabouts | None, other: Whereabouts | None, ticked: list[int]) -> list[str]:
    if one is None or other is None or one.number == other.number:
        return [_("Choose two different players.")]
    return [] if ticked else [_("Choose at least one round.")]


def _places(row: ExchangedRound, one: str, other: str) -> list[tuple[str, str, int | None, str, int | None]]:
    """Return name, place and result now, place and result then, of both in a round."""
    here = (place_words(_place(row.one)), row.one_result)
    there = (place_words(_place(row.other)), row.other_result)
    return [(one, *here, *there), (other, *there, *here)]


def _staying(effect: ExchangeEffect, one: Whereabouts, other: Whereabouts) -> list[str]:
    """Say how many penalties stay with whom."""
    return [
        ngettext("%(count)d penalty stays with %(name)s", "%(count)d penalties stay with %(name)s", count)
        % {"count": count, "name": who.name}
        for who, count in zip((one, other), effect.staying, strict=True)
        if count
    ]


def _place(seat: SeatNow | None) -> Place | None:
    return seat.place if seat else None


# ---------------------------------------------------------------- what the page has shown, as a form carries it


def write_seen(rows: Iterable[ExchangedRound]) -> str:
    """Write where the two sit, round by round."""
    return ",".join(f"{row.round}={write_place(_place(row.one))}={write_place(_place(row.other))}" for row in rows)


def read_seen(text: str) -> dict[int, tuple[Place | None, Place | None]]:
    """Read what `write_seen` wrote; skip what is unreadable.

    >>> read_seen("1=2:0=,2=1:3=4:1,x")
    {1: ((2, 0), None), 2: ((1, 3), (4, 1))}
    """
    found = {}
    for part in text[:4000].split(","):
        number, *places = part.split("=")
        if len(places) == 2 and number.isascii() and number.isdigit() and len(number) < 6:
            found[int(number)] = (read_place(places[0]), read_place(places[1]))
    return found
