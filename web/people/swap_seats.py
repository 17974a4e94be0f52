"""Two people change places in a round that nobody has begun: choose them, see the effect at once, keep it.

Where hands are written already, the table's own page of exchanged seats is the place.
"""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.draws.redraw import FieldNow
from tournament.models import Event
from tournament.refusal import Refused
from tournament.rights import Verb
from tournament.seating.errors import SeatingError
from tournament.seating.redraw import try_swap
from tournament.seating.schedule import Rounds
from tournament.selectors.draws.redraws import get_field
from tournament.services.draws.seats import Place, swap_players
from web.frame.page_context import desk_context
from web.frame.tables import UNPROCESSABLE
from web.gateways import DeskRequest, who_may
from web.seating.after_start_page import swap_context
from web.seating.redraw import numbers
from web.words.problems import say


@require_http_methods(["GET", "POST"])
@who_may(Verb.DRAW_SEATS)
def swap(request: DeskRequest, event: Event) -> HttpResponse:
    """Choose a round and two people (`?round=R&one=A&other=B`), look at what it changes, keep it."""
    fields = request.POST if request.method == "POST" else request.GET
    field = get_field(event)
    rounds = [each for each in field.rounds if each.stage != "begun"]
    number = next(iter(numbers(fields, "round")), rounds[0].number if rounds else 0)
    if (rounds or request.method == "POST") and number not in {each.number for each in rounds}:
        raise Http404("There is no such round to change.")
    if request.method != "POST":
        return _page(request, event, field, number, fields, [])
    one, other = _two(fields) or (0, 0)
    try:
        moved = swap_players(
            round_=event.rounds.select_related("event").get(number=number),
            one=one,
            other=other,
            seen={one: _read(fields.get("seen_one", "")), other: _read(fields.get("seen_other", ""))},
            reason=fields.get("reason", ""),
            by=request.user,
        )
    except Refused as refused:
        return _page(request, event, field, number, fields, [say(problem) for problem in refused.problems])
    if moved:
        messages.success(request, _("The two have changed places. Swapping them again puts everything back."))
    return redirect("desk:seating", event.slug)


def _page(
    request: DeskRequest, event: Event, field: FieldNow, number: int, fields: QueryDict, errors: list[str]
) -> HttpResponse:
    context: dict[str, Any] = {
        "rounds": [
            {"number": each.number, "published": each.stage == "published", "on": each.number == number}
            for each in field.rounds
            if each.stage != "begun"
        ],
        "round_number": number,
        "reason": fields.get("reason", "")[:300],
        "errors": errors,
    }
    if number:
        context |= _choice(field, number, fields)
    two = _two(fields)
    if number and two and all(who in field.names for who in two):  # an address may name anybody
        context |= _effect(field, number, two, errors)
    page = desk_context(request, event, "seating", **context)
    return render(request, "people/swap.html", page, status=UNPROCESSABLE if errors else 200)


def _choice(field: FieldNow, number: int, fields: QueryDict) -> dict[str, Any]:
    places = _places(field, number)
    people = [
        {"number": guest.number, "name": guest.name, "place": _say(places.get(guest.number))}
        for guest in field.guests
        if guest.number in places or not guest.withdrawn
    ]
    chosen = _two(fields) or (0, 0)
    stage = next(each.stage for each in field.rounds if each.number == number)
    return {"people": people, "one": chosen[0], "other": chosen[1], "is_published": stage == "published"}


def _effect(field: FieldNow, number: int, two: tuple[int, int], errors: list[str]) -> dict[str, Any]:
    """Return what the swap would change; a swap that cannot be goes to `errors`."""
    rounds: Rounds = tuple(each.tables for each in field.rounds)
    at = 1 + [each.number for each in field.rounds].index(number)
    wishes = field.wishes(max((len(tables) for tables in rounds), default=1))
    among = [guest.number for guest in field.guests if not guest.withdrawn]
    try:
        tried = try_swap(rounds, at, *two, table_size=field.table_size, wishes=wishes, among=among)
    except SeatingError:
        errors.append(_("Neither of the two has a seat in round %(number)d.") % {"number": number})
        return {}
    places = _places(field, number)
    return {
        "effect": swap_context(tried, field.names, two),
        "moves": [
            {"name": field.names[who], "was": _say(places.get(who)), "becomes": _say(places.get(to))}
            for who, to in (two, two[::-1])
        ],
        "seen_one": _write(places.get(two[0])),
        "seen_other": _write(places.get(two[1])),
    }


def _two(fields: QueryDict) -> tuple[int, int] | None:
    one, other = (next(iter(numbers(fields, name)), 0) for name in ("one", "other"))
    return (one, other) if one and other and one != other else None


def _places(field: FieldNow, number: int) -> dict[int, Place]:
    """Return the table and the seat of everybody in a round, by player number."""
    tables = next(each.tables for each in field.rounds if each.number == number)
    return {who: (at, seat) for at, table in enumerate(tables, start=1) for seat, who in enumerate(table)}


def _say(place: Place | None) -> str:
    if place is None:
        return _("no seat")
    return _("table %(table)d, seat %(seat)d") % {"table": place[0], "seat": place[1] + 1}


def _write(place: Place | None) -> str:
    return f"{place[0]}:{place[1]}" if place else ""


def _read(text: str) -> Place | None:
    parts = [int(part) for part in text.split(":") if part.isascii() and part.isdigit() and len(part) < 6]
    return (parts[0], parts[1]) if len(parts) == 2 else None
