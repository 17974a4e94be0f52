"""Several hands corrected in one act: each hand that no longer fits is asked for, then all are saved at once."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput, Problem, errors_of
from tournament.core.errors import DomainError, StaleTableError
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.hands.draft import Draft, count_draft, judge_draft, preview_context, read_draft
from tournament.hands.plan import names_of, plan_context, read_plan_json
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import CONFLICT, UNPROCESSABLE, load_or_404, table_model, to_int, to_uuid
from tournament.pages.tables import entered_since
from tournament.tables.actions import correct_hands
from tournament.tables.history import Plan
from tournament.tables.queries import LoadedTable
from tournament.text.problems import problem_text

REASON_NEEDED = ("hand.reason_needed", "seats.reason_missing")


@dataclass(slots=True)
class PlanForm:
    """A plan as its page sends it to `action`, with `hidden` fields beside it.

    `draft` is the hand that was typed and refused; `moves` are the players who change seats.
    """

    plan: Plan
    action: str
    client_id: str
    reason: str = ""
    hidden: Mapping[str, Any] = field(default_factory=dict)
    problems: Sequence[Problem] = ()
    meanwhile: Sequence[str] = ()
    draft: Draft | None = None
    moves: Sequence[Mapping[str, Any]] = ()


@require_http_methods(["GET", "POST"])
@who_may(Right.CORRECT_HANDS)
def corrections(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Take one step of a plan, or save it; GET shows the plan of a likely slip (`?plan=…&reason=…`)."""
    table = load_or_404(event, round_number, table_number, request.row)
    back = redirect("desk:table", event.slug, round_number, table_number)
    action = reverse("desk:corrections", args=[event.slug, round_number, table_number])
    fields = request.GET if request.method == "GET" else request.POST
    try:
        plan = read_plan_json(fields.get("plan", ""), table)
    except InvalidInput as wrong:
        messages.error(request, " ".join(problem_text(problem) for problem in wrong.problems))
        return back
    form = PlanForm(plan, action, fields.get("client_id", ""), fields.get("reason", "")[:500])
    if request.method == "GET":
        form.client_id = str(uuid.uuid4())
        return show_plan(request, event, table, form) if plan.hands() and not table.signed else back
    step = take_step(request, table, form)
    if step is not None:
        return show_plan(request, event, table, form, status=step) if form.plan.hands() else back
    return _save(request, event, table, form)


def take_step(request: DeskRequest, table: LoadedTable, form: PlanForm) -> int | None:
    """Change the plan as submitted and return the status of its page; None where it is to be saved."""
    dropped, act = request.POST.get("drop"), request.POST.get("act", "")
    if dropped is not None:
        form.plan = form.plan.without(to_int(dropped))
        return 200
    if act == "save":
        return None
    draft = read_draft(request.POST)
    draft.pending, draft.sent = form.plan, True
    if act == "void" and draft.hand:
        form.plan = form.plan.changing(draft.hand, None)
        return 200
    count_draft(table, draft, table.last_seq)
    own = [each for each in errors_of(judge_draft(table, draft)) if each.code != "hand.no_longer_fits"]
    draft.problems = draft.problems or own
    planned = draft.plan
    if draft.problems or planned is None:
        form.draft = draft
        return UNPROCESSABLE
    form.plan = planned
    return 200


def show_plan(
    request: HttpRequest, event: Event, table: LoadedTable, form: PlanForm, *, status: int = 200
) -> HttpResponse:
    """Show a plan: the fragment for htmx, the whole page otherwise."""
    shown = plan_context(table, form.plan)
    names = names_of(table, form.plan)
    unfit, draft = shown["unfit"], form.draft
    if draft is None and unfit:
        draft = Draft(line=unfit.line, hand=unfit.seq or None, pending=form.plan)
    address = [event.slug, table.round, table.number]
    context = desk_context(
        request,
        event,
        "desk",
        **shown,
        table=table,
        form=form,
        draft=draft,
        back=reverse("desk:table", args=address),
        preview_url=reverse("desk:preview", args=address),
        plan_errors=[problem_text(problem, names) for problem in form.problems if problem.code not in REASON_NEEDED],
        reason_wanted=next((problem_text(each) for each in form.problems if each.code in REASON_NEEDED), ""),
        preview=preview_context(table, draft) if draft else {},
    )
    part = "#plan" if request.htmx else ""  # type: ignore[attr-defined]
    return render(request, f"hands/plan.html{part}", context, status=status)


def _save(request: DeskRequest, event: Event, table: LoadedTable, form: PlanForm) -> HttpResponse:
    seen = to_int(request.POST.get("expected_seq"))
    try:
        correct_hands(
            table=table_model(table),
            changes=form.plan.changes,
            forgotten=form.plan.forgotten,
            client_id=to_uuid(form.client_id),
            expected_seq=seen,
            reason=form.reason,
            by=request.user,
        )
    except (InvalidInput, DomainError) as wrong:
        form.problems, status = wrong.problems, UNPROCESSABLE
        if isinstance(wrong, StaleTableError):
            table, status = load_or_404(event, table.round, table.number), CONFLICT
            form.meanwhile = entered_since(table, seen)
        if any(problem.code == "form.stale" for problem in wrong.problems):
            form.client_id = str(uuid.uuid4())
        return show_plan(request, event, table, form, status=status)
    messages.success(request, _("Saved. All hands are recalculated."))
    return redirect_whole(request, reverse("desk:table", args=[event.slug, table.round, table.number]))


def redirect_whole(request: DeskRequest, address: str) -> HttpResponse:
    """Redirect the whole page, also where htmx asked for a fragment."""
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return redirect(address)
