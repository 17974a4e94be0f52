"""The page between a correction and its saving: what is changed, what fits no longer, what comes of it.

Shared by corrected hands and exchanged seats; nothing is kept on the server until it is saved.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from scoring.problems import Problem
from tournament.models import Event
from tournament.replay import Plan
from tournament.selectors.tables.tables import LoadedTable
from web.frame.page_context import desk_context
from web.hands.correction_page import names_of, plan_context
from web.hands.hand_page import Draft, understood
from web.words.problems import say

REASON = ("hand.reason_needed", "seats.reason_missing")


@dataclass(slots=True)
class Sending:
    """A plan on its way: what goes with it in the page, what was wrong with it, and what is being typed.

    `action` is where it is sent; `hidden` goes with it; `draft` is a hand that is typed and was refused; `moves` are
    the players who change seats.
    """

    plan: Plan
    action: str
    client_id: str
    reason: str = ""
    hidden: Mapping[str, Any] = field(default_factory=dict)
    problems: Sequence[Problem] = ()
    between: Sequence[str] = ()
    draft: Draft | None = None
    moves: Sequence[Mapping[str, Any]] = ()
    sent: bool = False


def show_plan(
    request: HttpRequest, event: Event, table: LoadedTable, sending: Sending, *, status: int = 200
) -> HttpResponse:
    """Show a plan: the fragment where htmx asks, the same within the whole page where a browser does."""
    shown = plan_context(table, sending.plan)
    names = names_of(table, sending.plan)
    draft = sending.draft or _draft_for(shown["unfit"], sending.plan)
    context = desk_context(
        request,
        event,
        "desk",
        **shown,
        table=table,
        sending=sending,
        draft=draft,
        back=reverse("desk:table", args=[event.slug, table.round, table.number]),
        preview_url=reverse("desk:preview", args=[event.slug, table.round, table.number]),
        plan_errors=[say(problem, names) for problem in sending.problems if problem.code not in REASON],
        reason_wanted=next((say(each) for each in sending.problems if each.code in REASON), ""),
        understood=understood(table, draft) if draft else {},
    )
    part = "#replay" if request.htmx else ""  # type: ignore[attr-defined]
    return render(request, f"hands/table_replay.html{part}", context, status=status)


def _draft_for(unfit: Mapping[str, Any] | None, plan: Plan) -> Draft | None:
    """Return the hand that fits no longer, to be typed anew; None where all fit."""
    if unfit is None:
        return None
    return Draft(line=unfit["line"], hand=unfit["hand"] or None, pending=plan)
