"""A hand, or all hands of a table, belong to another table: both before and after, then void here and written there."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.game import fold
from scoring.problems import InvalidInput
from tournament.core.errors import DomainError, StaleTableError
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import CONFLICT, UNPROCESSABLE, load_or_404, table_model, to_int, to_uuid
from tournament.tables.actions import move_hands
from tournament.tables.history import HandChange, Plan, entries_of, plan_steps
from tournament.tables.messages import names_at, short_names_at
from tournament.tables.queries import LoadedTable, load_tables
from tournament.text.problems import problem_text
from tournament.text.readback import read_back


@require_http_methods(["GET", "POST"])
@who_may(Right.CORRECT_HANDS)
def move(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show what moving `hand=SEQ…` (none: all) to table `to=N` changes at both; a POST moves them."""
    table, fields = load_or_404(event, round_number, table_number, request.row), request.POST or request.GET
    tables = [each for each in load_tables(event, rounds=[round_number]) if each.id != table.id]
    to = next((each for each in tables if each.number == to_int(fields.get("to"))), None)
    standing = {item.seq for item in table.items if item.entry is not None}
    hands = sorted(standing & set(map(to_int, fields.getlist("hand"))) or standing)
    errors, status = [], 200
    if request.method == "POST" and to is not None:
        try:
            move_hands(
                table=table_model(table),
                to=table_model(to),
                hands=[to_int(hand) for hand in fields.getlist("hand")],
                client_id=to_uuid(fields.get("client_id", "")),
                seen=(to_int(fields.get("seen")), to_int(fields.get("seen_to"))),
                reason=fields.get("reason", ""),
                by=request.user,
            )
        except (InvalidInput, DomainError) as wrong:
            errors = [problem_text(problem, short_names_at(to)) for problem in wrong.problems]
            status = CONFLICT if isinstance(wrong, StaleTableError) else UNPROCESSABLE
        else:
            messages.success(request, _("The hands are moved to table %(number)d.") % {"number": to.number})
            return redirect("desk:table", event.slug, round_number, to.number)
    address = [event.slug, round_number, table_number]
    context = {
        "table": table,
        "tables": [each.number for each in tables if not each.signed],
        "signed": [each.number for each in (table, *tables) if each.signed],
        "to": to,
        "hands": hands,
        "errors": errors,
        "reason": fields.get("reason", "")[:500],
        "client_id": str(uuid.uuid4()),
        "url": reverse("desk:move_hands", args=address),
        "back": reverse("desk:table", args=address),
        "effects": _effects(table, to, hands) if to and hands else [],
    }
    return render(request, "hands/move.html", desk_context(request, event, "desk", **context), status=status)


def _effects(table: LoadedTable, to: LoadedTable, hands: list[int]) -> list[dict[str, Any]]:
    """Return both tables with each player's score before and after, and at the other one what the hands then say."""
    plan = Plan(tuple(HandChange(hand, None) for hand in hands))
    left = [step.entry for step in plan_steps(table.items, plan) if step.entry is not None]
    moved = [item.entry for item in table.items if item.seq in hands and item.entry is not None]
    here, there = fold(left, table.rules), fold([*entries_of(to.items), *moved], to.rules)
    said = [read_back(hand, short_names_at(to), to.rules).say for hand in there.hands[len(to.game.hands) :]]
    return [
        {"table": each, "said": words, "rows": list(zip(names_at(each), each.state.scores, after, strict=True))}
        for each, after, words in ((table, here.state.scores, []), (to, there.state.scores, said))
    ]
