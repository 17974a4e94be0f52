"""Several hands corrected in one act: one after the other as they fit no longer, then all of them saved at once."""

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput, errors_of
from tournament.models import Event
from tournament.refusal import Refused, Stale
from tournament.rights import Verb
from tournament.selectors.tables.tables import LoadedTable
from tournament.services.tables.hands import correct_hands
from web.frame.hand_rows import between_words
from web.frame.tables import CONFLICT, UNPROCESSABLE, load_or_404, row_of, to_int, to_uuid
from web.gateways import DeskRequest, who_may
from web.hands.correction_page import read_plan_json
from web.hands.hand_page import count_draft, judge_draft
from web.hands.hands import draft_sent
from web.hands.replay_page import Sending, show_plan
from web.words.problems import say


@require_http_methods(["GET", "POST"])
@who_may(Verb.CORRECT_HANDS)
def corrections(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Take one step of a plan, or save it; nothing is here to be opened by its address."""
    table = load_or_404(event, round_number, table_number)
    back = redirect("desk:table", event.slug, round_number, table_number)
    if request.method == "GET":
        return back
    action = reverse("desk:corrections", args=[event.slug, round_number, table_number])
    try:
        plan = read_plan_json(request.POST.get("plan", ""), table)
    except InvalidInput as wrong:
        messages.error(request, _say(wrong))
        return back
    reason, client_id = request.POST.get("reason", "")[:500], request.POST.get("client_id", "")
    sending = Sending(plan, action, client_id, reason, sent=True)
    step = take_step(request, table, sending)
    if step is not None:
        return show_plan(request, event, table, sending, status=step) if sending.plan.hands() else back
    return _save(request, event, table, sending)


def take_step(request: DeskRequest, table: LoadedTable, sending: Sending) -> int | None:
    """Change the plan by what was sent, and return the status of the page that shows it; None if it is to be saved."""
    dropped, act = request.POST.get("drop"), request.POST.get("act", "")
    if dropped is not None:
        sending.plan = sending.plan.without(to_int(dropped))
        return 200
    if act == "save":
        return None
    draft = draft_sent(request.POST)
    draft.pending, draft.sent = sending.plan, True
    if act == "void" and draft.hand:
        sending.plan = sending.plan.changing(draft.hand, None)
        return 200
    count_draft(table, draft, table.last_seq)
    own = [each for each in errors_of(judge_draft(table, draft)) if each.code != "hand.no_longer_fits"]
    draft.problems = draft.problems or own
    planned = draft.plan
    if draft.problems or planned is None:
        sending.draft = draft
        return UNPROCESSABLE
    sending.plan = planned
    return 200


def _save(request: DeskRequest, event: Event, table: LoadedTable, sending: Sending) -> HttpResponse:
    seen = to_int(request.POST.get("expected_seq"))
    try:
        correct_hands(
            table=row_of(table),
            changes=sending.plan.changes,
            forgotten=sending.plan.forgotten,
            client_id=to_uuid(sending.client_id),
            expected_seq=seen,
            reason=sending.reason,
            by=request.user,
        )
    except (InvalidInput, Refused) as wrong:
        sending.problems, status = wrong.problems, UNPROCESSABLE
        if isinstance(wrong, Stale):
            table, status = load_or_404(event, table.round, table.number), CONFLICT
            sending.between = between_words(table, seen)
        if any(problem.code == "form.stale" for problem in wrong.problems):
            sending.client_id = str(uuid.uuid4())
        return show_plan(request, event, table, sending, status=status)
    messages.success(request, _("Saved: all hands are worked out anew."))
    return redirect_whole(request, reverse("desk:table", args=[event.slug, table.round, table.number]))


def redirect_whole(request: DeskRequest, address: str) -> HttpResponse:
    """Send the browser to a page, also from a fragment."""
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return redirect(address)


def _say(wrong: InvalidInput) -> str:
    return " ".join(say(problem) for problem in wrong.problems)
