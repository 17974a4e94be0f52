"""Three corrections of seats: wrong seats of a published round, a change before it begins, games under another's name.

Each shows the effect before anything is saved.
"""

import dataclasses
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput, ProblemType
from tournament.core.errors import FORM_STALE, Refused, Stale
from tournament.core.rights import Verb
from tournament.events.models import Event
from tournament.hands.corrections import PlanForm, redirect_whole, show_plan, take_step
from tournament.hands.plan import read_plan
from tournament.incidents.queries import (
    ExchangedRound,
    ExchangeEffect,
    SeatNow,
    Whereabouts,
    effect_of_exchange,
    get_whereabouts,
)
from tournament.incidents.substitutes import ranked_moves
from tournament.incidents.views import to_incidents
from tournament.pages.forms import likes_of
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import CONFLICT, UNPROCESSABLE, Fields, row_of, to_int, to_uuid
from tournament.pages.tables import entered_since
from tournament.players.queries import list_players
from tournament.seating.forms import OPEN_TO_ALL
from tournament.seating.messages import say_wish
from tournament.seating.queries import get_redraw_field
from tournament.seating.redraw_plan import FieldNow
from tournament.seating.redraw_views import Figure, compare_figures, numbers
from tournament.seating.search.redraw import SwapEffect, try_swap
from tournament.seating.search.schedule import SeatingError
from tournament.seating.seat_actions import SEATS_TWO_TABLES, Place, Sitting, exchange_players, swap_players, swap_seats
from tournament.tables.history import Plan, effects_of, first_unfit
from tournament.tables.queries import LoadedTable, load_tables
from tournament.text.problems import say

SEATS_CHOOSE_TWO = ProblemType("seats.choose_two", "Choose two players, not {chosen}.")
SEATS_CHOOSE_HANDS = ProblemType("seats.choose_hands", "Choose what the hands do.")

HANDS = ("stay", "follow")


@dataclass(frozen=True, slots=True)
class Chosen:
    """One of the two players, at the seat that is recorded now."""

    table: LoadedTable
    seat: int

    @property
    def number(self) -> int:
        """The player's number in the event."""
        return self.table.seats[self.seat].number

    @property
    def name(self) -> str:
        """The name that pages show."""
        return self.table.seats[self.seat].name

    def write(self) -> str:
        """Write table, seat and player as a form carries them."""
        return f"{self.table.number}:{self.seat}:{self.number}"


@dataclass(frozen=True, slots=True)
class Swap:
    """Two players, and whether the hands stay at the seats or follow the players."""

    one: Chosen
    other: Chosen
    hands: str

    @property
    def plan(self) -> Plan:
        """The change of the hands: none where they stay."""
        return Plan(exchanged=(self.one.seat, self.other.seat)) if self.hands == "follow" else Plan()


def read_choice(fields: Fields, table: LoadedTable, tables: Sequence[LoadedTable]) -> Swap:
    """Read the two players and what the hands do; raises InvalidInput unless it is two players of this round."""
    seats = [int(text) for text in fields.getlist("seat") if text.isascii() and text.isdigit() and len(text) < 3]
    chosen = [Chosen(table, seat) for seat in sorted(set(seats)) if seat < len(table.seats)]
    away = fields.get("from", "")
    chosen += [
        Chosen(each, player.seat)
        for each in tables
        for player in each.seats
        if str(player.number) == away and each.id != table.id
    ]
    if len(chosen) != 2:
        raise InvalidInput([SEATS_CHOOSE_TWO(chosen=len(chosen))])
    # without hands, or between two tables, hands can only stay
    only_stay = not table.items or chosen[1].table.id != table.id
    return _swap(chosen[0], chosen[1], fields.get("hands", "") or ("stay" if only_stay else ""))


def read_swap(fields: Fields, tables: Sequence[LoadedTable]) -> tuple[Swap, tuple[int, int]]:
    """Read what the page sends back, with the numbers of the players that it showed; raises InvalidInput."""
    found = [_read_sitting(fields.get(name, ""), tables) for name in ("one", "other")]
    (one, first), (other, second) = found
    return _swap(one, other, fields.get("hands", "")), (first, second)


def _read_sitting(text: str, tables: Sequence[LoadedTable]) -> tuple[Chosen, int]:
    parts = [int(part) for part in text.split(":") if part.isascii() and part.isdigit() and len(part) < 7]
    table = next((each for each in tables if len(parts) == 3 and each.number == parts[0]), None)
    if table is None or parts[1] >= len(table.seats):
        raise InvalidInput([FORM_STALE()])
    return Chosen(table, parts[1]), parts[2]


def _swap(one: Chosen, other: Chosen, hands: str) -> Swap:
    if hands not in HANDS:
        raise InvalidInput([SEATS_CHOOSE_HANDS()])
    if hands == "follow" and one.table.id != other.table.id:
        raise InvalidInput([SEATS_TWO_TABLES()])
    return Swap(one, other, hands)


def moves_of(swap: Swap, plan: Plan) -> list[Mapping[str, Any]]:
    """Return both players with seat and points before and after; None for points if a hand does not fit any more."""
    return [_move(swap, plan, was, to) for was, to in ((swap.one, swap.other), (swap.other, swap.one))]


def _move(swap: Swap, plan: Plan, was: Chosen, to: Chosen) -> Mapping[str, Any]:
    score, then = was.table.state.scores[was.seat], _then(swap, plan, to)
    return {
        "name": was.name,
        "was": place_words((was.table.number, was.seat)),
        "becomes": place_words((to.table.number, to.seat)),
        "score": score,
        "then": then,
        "difference": None if then is None else then - score,
    }


def _then(swap: Swap, plan: Plan, to: Chosen) -> int | None:
    if swap.hands == "stay":
        return to.table.state.scores[to.seat]
    if first_unfit(to.table.items, plan, to.table.rules):
        return None
    after = [effect.after for effect in effects_of(to.table.items, plan, to.table.rules) if effect.after]
    return after[-1][to.seat] if after else to.table.state.scores[to.seat]


@require_http_methods(["GET", "POST"])
@who_may(Verb.CORRECT_HANDS)
def seats(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Choose two players, show the effect (`?look`), exchange their seats."""
    tables = load_tables(event, rounds=[round_number])
    table = next((each for each in tables if each.number == table_number), None)
    if table is None:
        raise Http404("There is no such table.")
    if request.method == "POST":
        return _post(request, event, table, tables)
    if "look" not in request.GET or table.signed:
        return _choose(request, event, table, tables, [])
    try:
        swap = read_choice(request.GET, table, tables)
    except InvalidInput as wrong:
        return _choose(request, event, table, tables, [say(problem) for problem in wrong.problems])
    sending = PlanForm(swap.plan, _address(event, table), str(uuid.uuid4()), hidden=_hidden(swap))
    return _show(request, event, swap, sending, 200)


def _post(request: DeskRequest, event: Event, table: LoadedTable, tables: list[LoadedTable]) -> HttpResponse:
    """Take one step of the replay, or exchange the seats; show a refusal with what was typed."""
    try:
        swap, players = read_swap(request.POST, tables)
        plan = dataclasses.replace(read_plan(request.POST, table), exchanged=swap.plan.exchanged)
    except InvalidInput as wrong:
        said = [say(problem) for problem in wrong.problems]
        return _choose(request, event, table, tables, said)
    reason, client_id = request.POST.get("reason", "")[:500], request.POST.get("client_id", "")
    hidden = {**_hidden(swap), **{name: request.POST.get(name, "")[:20] for name in ("one", "other")}}
    sending = PlanForm(plan, _address(event, table), client_id, reason, hidden=hidden)
    step = take_step(request, swap.one.table, sending)
    if step is not None:
        return _show(request, event, swap, sending, step)
    try:
        _save(request, swap, players, sending)
    except Stale as stale:
        sending.problems, seen = stale.problems, to_int(request.POST.get("expected_seq"))
        sending.meanwhile = entered_since(swap.one.table, seen)
        sending.hidden = _hidden(swap)
        return _show(request, event, swap, sending, CONFLICT)
    except (InvalidInput, Refused) as wrong:
        sending.problems = wrong.problems
        if any(problem.code == "seats.moved_on" for problem in wrong.problems):
            return _choose(request, event, table, tables, [say(problem) for problem in wrong.problems])
        return _show(request, event, swap, sending, UNPROCESSABLE)
    messages.success(request, _("The seats are changed."))
    return redirect_whole(request, _table_address(event, table))


def _save(request: DeskRequest, swap: Swap, players: tuple[int, int], sending: PlanForm) -> None:
    one, other = row_of(swap.one.table), row_of(swap.other.table)
    seen = {
        swap.other.table.number: to_int(request.POST.get("seen_other")),
        swap.one.table.number: to_int(request.POST.get("expected_seq")),  # the same table, where it is one
    }
    swap_seats(
        one=Sitting(one, swap.one.seat, players[0]),
        other=Sitting(other, swap.other.seat, players[1]),
        hands="follow" if swap.hands == "follow" else "stay",
        changes=sending.plan.changes,
        expected=seen,
        client_id=to_uuid(sending.client_id),
        reason=sending.reason,
        by=request.user,
    )


def _show(request: DeskRequest, event: Event, swap: Swap, sending: PlanForm, status: int) -> HttpResponse:
    sending.moves = moves_of(swap, sending.plan)
    return show_plan(request, event, swap.one.table, sending, status=status)


def _choose(
    request: DeskRequest, event: Event, table: LoadedTable, tables: list[LoadedTable], errors: list[str]
) -> HttpResponse:
    if request.htmx:  # type: ignore[attr-defined]
        messages.error(request, " ".join(errors))
        return redirect_whole(request, _address(event, table))
    context = desk_context(
        request,
        event,
        "desk",
        table=table,
        elsewhere=[(each.number, player) for each in tables if each.id != table.id for player in each.seats],
        ticked=request.GET.getlist("seat"),
        away=to_int(request.GET.get("from")),
        hands=request.GET.get("hands", ""),
        has_hands=bool(table.items),
        errors=errors,
        action=_address(event, table),
        back=_table_address(event, table),
    )
    return render(request, "incidents/seats.html", context, status=UNPROCESSABLE if errors else 200)


def _hidden(swap: Swap) -> dict[str, str]:
    """Return the hidden fields beside the plan: who sits where as shown, and what the hands do."""
    both = {"one": swap.one.write(), "other": swap.other.write(), "hands": swap.hands}
    exchanged = f"{swap.one.seat},{swap.other.seat}"
    return both | (
        {"exchanged": exchanged} if swap.hands == "follow" else {"seen_other": str(swap.other.table.last_seq)}
    )


def _address(event: Event, table: LoadedTable) -> str:
    return reverse("desk:seats", args=[event.slug, table.round, table.number])


def _table_address(event: Event, table: LoadedTable) -> str:
    return reverse("desk:table", args=[event.slug, table.round, table.number])


# ---------------------------------------------------------------- seats before a round begins


@require_http_methods(["GET", "POST"])
@who_may(Verb.DRAW_SEATS)
def swap(request: DeskRequest, event: Event) -> HttpResponse:
    """Choose a round and two people (`?round=R&one=A&other=B`), show what it changes, save it."""
    fields = request.POST if request.method == "POST" else request.GET
    field = get_redraw_field(event)
    rounds = [each.number for each in field.rounds if each.stage != "begun"]
    number = next(iter(numbers(fields, "round")), rounds[0] if rounds else 0)
    if (rounds or request.method == "POST") and number not in rounds:
        raise Http404("There is no such round to change.")
    if request.method != "POST":
        return _swap_page(request, event, field, number, fields, [])
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
        return _swap_page(request, event, field, number, fields, [say(problem) for problem in refused.problems])
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


def _swap_page(
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
        places = _places_by_player(field, number)
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
    return render(request, "incidents/swap_players.html", page, status=UNPROCESSABLE if errors else 200)


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


def _places_by_player(field: FieldNow, number: int) -> dict[int, Place]:
    """Return everybody's table and seat in a round, by player number."""
    tables = next(each.tables for each in field.rounds if each.number == number)
    return {who: (at, seat) for at, table in enumerate(tables, start=1) for seat, who in enumerate(table)}


# ---------------------------------------------------------------- games under another's name


@require_http_methods(["GET", "POST"])
@who_may(Verb.EXCHANGE_PLAYERS)
def exchange(request: DeskRequest, event: Event) -> HttpResponse:
    """Choose two people and rounds, show what would change (`?look`), give each the other's games."""
    if request.method != "POST":
        return _exchange_page(request, event, request.GET, [])
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
        return _exchange_page(request, event, request.POST, [say(problem) for problem in refused.problems])
    messages.success(request, _("Each has the other’s games now. Do the same again to put everything back."))
    return to_incidents(event, one)


def _exchange_page(request: DeskRequest, event: Event, fields: QueryDict, errors: list[str]) -> HttpResponse:
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
            "exchanged": [(row.round, _exchange_rows(row, one.name, other.name)) for row in effect.rounds],
            "staying": _staying(effect, one, other),
            "seen": write_seen(effect.rounds),
        }
    page = desk_context(request, event, "players", **context)
    return render(request, "incidents/exchange_players.html", page, status=UNPROCESSABLE if errors else 200)


def _unchosen(one: Whereabouts | None, other: Whereabouts | None, ticked: list[int]) -> list[str]:
    if one is None or other is None or one.number == other.number:
        return [_("Choose two different players.")]
    return [] if ticked else [_("Choose at least one round.")]


def _exchange_rows(row: ExchangedRound, one: str, other: str) -> list[tuple[str, str, int | None, str, int | None]]:
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
