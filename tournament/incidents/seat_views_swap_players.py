"""Two people change places in a round that has not begun: choose them, see the effect, save it.

Once hands are entered, the page of exchanged seats (tournament.incidents.seat_views_seats) does it.
"""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.models.event import Event
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import UNPROCESSABLE
from tournament.seating.forms import OPEN_TO_ALL
from tournament.seating.messages_draw import say_wish
from tournament.seating.queries_redraws import get_field
from tournament.seating.redraw_plan_redraw import FieldNow
from tournament.seating.redraw_views_redraw import Figure, compare_figures, numbers
from tournament.seating.search.redraw import SwapEffect, try_swap
from tournament.seating.search.schedule_errors import SeatingError
from tournament.seating.seat_actions import Place, swap_players
from tournament.text.problems_1 import say


@require_http_methods(["GET", "POST"])
@who_may(Verb.DRAW_SEATS)
def swap(request: DeskRequest, event: Event) -> HttpResponse:
    """Choose a round and two people (`?round=R&one=A&other=B`), show what it changes, save it."""
    fields = request.POST if request.method == "POST" else request.GET
    field = get_field(event)
    rounds = [each.number for each in field.rounds if each.stage != "begun"]
    number = next(iter(numbers(fields, "round")), rounds[0] if rounds else 0)
    if (rounds or request.method == "POST") and number not in rounds:
        raise Http404("There is no such round to change.")
    if request.method != "POST":
        return _page(request, event, field, number, fields, [])
    one, other = _two(fields) or (0, 0)
    try:
        moved = swap_players(
            round_=event.rounds.select_related("event").get(number=number),
            one=one,
            other=other,
            seen={one: read_place(fields.get("seen_one", "")), other: read_place(fields.get("seen_other", ""))},
            reason=fields.get("reason", ""),
            by=request.user,
        )
    except Refused as refused:
        return _page(request, event, field, number, fields, [say(problem) for problem in refused.problems])
    if moved:
        messages.success(request, _("The two have changed places. Swapping them again puts everything back."))
    return redirect("desk:seating", event.slug)


def place_words(place: Place | None) -> str:
    """Say a table and seat, or that there is none."""
    if place is None:
        return _("no seat")
    return _("table %(table)d, seat %(seat)d") % {"table": place[0], "seat": place[1] + 1}


def write_place(place: Place | None) -> str:
    """Write a place as a form carries it; "" for none."""
    return f"{place[0]}:{place[1]}" if place else ""


def read_place(text: str) -> Place | None:
    """Read what `write_place` wrote; None for anything else."""
    parts = [int(part) for part in text.split(":") if part.isascii() and part.isdigit() and len(part) < 6]
    return (parts[0], parts[1]) if len(parts) == 2 else None


def _page(
    request: DeskRequest, event: Event, field: FieldNow, number: int, fields: QueryDict, errors: list[str]
) -> HttpResponse:
    context: dict[str, Any] = {
        "rounds": [(each.number, each.stage == "published") for each in field.rounds if each.stage != "begun"],
        "round_number": number,
        "reason": fields.get("reason", "")[:300],
        "errors": errors,
    }
    two = _two(fields)
    if number:
        places = _places(field, number)
        context["people"] = [
            (guest.number, guest.name, place_words(places.get(guest.number)))
            for guest in field.guests
            if guest.number in places or not guest.withdrawn
        ]
        context["one"], context["other"] = two or (0, 0)
        context["is_published"] = (number, True) in context["rounds"]
        if two and all(who in field.names for who in two):  # an address may name anybody
            context |= _effect(field, number, two, places, errors)
    page = desk_context(request, event, "seating", **context)
    return render(request, "people/swap_players.html", page, status=UNPROCESSABLE if errors else 200)


def _effect(
    field: FieldNow, number: int, two: tuple[int, int], places: dict[int, Place], errors: list[str]
) -> dict[str, Any]:
    """Return what the swap would change; where it is impossible, say so in `errors`."""
    rounds = tuple(each.tables for each in field.rounds)
    at = 1 + [each.number for each in field.rounds].index(number)
    wishes = field.wishes(max((len(tables) for tables in rounds), default=1))
    among = [guest.number for guest in field.guests if not guest.withdrawn]
    try:
        tried = try_swap(rounds, at, *two, table_size=field.table_size, wishes=wishes, among=among)
    except SeatingError:
        errors.append(_("Neither of the two has a seat in round %(number)d.") % {"number": number})
        return {}
    one, other = two
    was = [place_words(places.get(who)) for who in two]
    return {
        "figures": compare_figures([tried.before, tried.after]) + _missed(tried),
        "again": [
            (field.names[who], ", ".join(field.names[mate] for mate in mates))
            for who, mates in zip(two, tried.again, strict=True)
            if mates
        ],
        "moves": [(field.names[one], was[0], was[1]), (field.names[other], was[1], was[0])],
        "seen_one": write_place(places.get(one)),
        "seen_other": write_place(places.get(other)),
    }


def _missed(tried: SwapEffect) -> list[Figure]:
    """Return how often each wish of the organiser is missed before and after."""
    before = {outcome.wish.key: outcome.missed for outcome in tried.outcomes_before}
    return [
        (_("Missed: %(label)s") % {"label": say_wish(outcome.wish.key)}, before[outcome.wish.key], [outcome.missed])
        for outcome in tried.outcomes_after
        if outcome.wish.key not in OPEN_TO_ALL
    ]


def _two(fields: QueryDict) -> tuple[int, int] | None:
    one, other = (next(iter(numbers(fields, name)), 0) for name in ("one", "other"))
    return (one, other) if one and other and one != other else None


def _places(field: FieldNow, number: int) -> dict[int, Place]:
    """Return everybody's table and seat in a round, by player number."""
    tables = next(each.tables for each in field.rounds if each.number == number)
    return {who: (at, seat) for at, table in enumerate(tables, start=1) for seat, who in enumerate(table)}
