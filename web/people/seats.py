"""Two players found in each other's seats: choose them, look at what comes of it, change the seats with a reason.

Seats of a published round move by this page alone.
"""

import dataclasses
import uuid

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput
from tournament.models import Event
from tournament.refusal import Refused, Stale
from tournament.rights import Verb
from tournament.selectors.tables.tables import LoadedTable, load_tables
from tournament.services.draws.seats import Sitting, swap_seats
from web.frame.hand_rows import entered_since
from web.frame.page_context import desk_context
from web.frame.tables import CONFLICT, UNPROCESSABLE, row_of, to_int, to_uuid
from web.gateways import DeskRequest, who_may
from web.hands.correction_plan import read_plan
from web.hands.corrections import PlanForm, redirect_whole, show_plan, take_step
from web.people.seats_page import Swap, choice_context, moves_of, read_choice, read_swap
from web.words.problems import say


@require_http_methods(["GET", "POST"])
@who_may(Verb.CORRECT_HANDS)
def seats(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Choose two players, see what comes of it (`?look`), change their seats."""
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
    """Take one step, or change the seats; what is refused is shown again with the reason typed."""
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
        **choice_context(table, tables, request.GET),
        errors=errors,
        action=_address(event, table),
        back=_table_address(event, table),
    )
    return render(request, "people/seats.html", context, status=UNPROCESSABLE if errors else 200)


def _hidden(swap: Swap) -> dict[str, str]:
    """Return what a page sends back beside the plan: who sits where as it was shown, and what the hands do."""
    both = {"one": swap.one.write(), "other": swap.other.write(), "hands": swap.hands}
    exchanged = f"{swap.one.seat},{swap.other.seat}"
    return both | (
        {"exchanged": exchanged} if swap.hands == "follow" else {"seen_other": str(swap.other.table.last_seq)}
    )


def _address(event: Event, table: LoadedTable) -> str:
    return reverse("desk:seats", args=[event.slug, table.round, table.number])


def _table_address(event: Event, table: LoadedTable) -> str:
    return reverse("desk:table", args=[event.slug, table.round, table.number])
