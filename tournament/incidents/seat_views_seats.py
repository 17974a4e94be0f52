"""Two players of a published round sat in each other's seats: choose them, see the effect, exchange with a reason."""

import dataclasses
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput, ProblemType
from tournament.core.errors import FORM_STALE, Refused, Stale
from tournament.core.rights import Verb
from tournament.hands.corrections import PlanForm, redirect_whole, show_plan, take_step
from tournament.hands.plan import read_plan
from tournament.incidents.seat_views_swap_players import place_words
from tournament.models.event import Event
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import CONFLICT, UNPROCESSABLE, Fields, row_of, to_int, to_uuid
from tournament.pages.tables_hand_rows import entered_since
from tournament.seating.seat_actions import SEATS_TWO_TABLES, Sitting, swap_seats
from tournament.tables.history_replay import Plan, effects_of, first_unfit
from tournament.tables.queries_tables import LoadedTable, load_tables
from tournament.text.problems_1 import say

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
    return render(request, "people/seats.html", context, status=UNPROCESSABLE if errors else 200)


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
