"""The hand page: type a hand, see what it means before it is sent, enter it; correct, void, sign and reopen.

It calls one verb a request and shows the refolded table; the same page works with htmx and without scripts.
"""

import contextlib
import dataclasses
import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from scoring.problems import InvalidInput, error
from tournament.history import read_payload
from tournament.models import Event, Table
from tournament.refusal import Refused, Stale
from tournament.replay import Forgotten, Plan, first_unfit
from tournament.rights import Verb
from tournament.selectors.tables.tables import LoadedTable
from tournament.services.tables.hands import Entered, correct_hand, correct_hands, enter_hand, no_longer_fits, void_hand
from tournament.services.tables.sheets import reopen_table, sign_table
from web.frame.hand_rows import between_words
from web.frame.page_context import desk_context, rights_of
from web.frame.tables import CONFLICT, UNPROCESSABLE, load_or_404, row_of, to_int, to_uuid
from web.gateways import DeskRequest, require, who_may
from web.hands.correction_page import effect_context, read_plan_json
from web.hands.hand_fields import read_hand
from web.hands.hand_page import Draft, count_draft, draft_of, judge_draft, page_context, sheet_context, understood
from web.hands.hand_rights import verb_for
from web.hands.hand_sent import refused_json, wants_json, written_json
from web.hands.replay_page import Sending, show_plan
from web.hands.sheet_form import read_sheet
from web.words.problems import say


@require_http_methods(["GET", "POST"])
@who_may(Verb.SEE_TABLE, post=Verb.ENTER_HANDS)
def table(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show a table's hands and take the next one; `?correct=SEQ` and `?void=SEQ` open a hand that is there."""
    loaded = load_or_404(event, round_number, table_number)
    if request.method == "POST":
        return _post(request, event, loaded)
    if not request.rights.may(Verb.CORRECT_HANDS):
        return _page(request, event, loaded, Draft())
    if "void" in request.GET:
        return _ask_void(request, event, loaded)
    draft = draft_of(loaded, to_int(request.GET.get("correct"))) if "correct" in request.GET else None
    if to_int(request.GET.get("before")) in {item.seq for item in loaded.items}:
        draft = Draft(before=to_int(request.GET.get("before")))
    return _page(request, event, loaded, draft or Draft())


@require_GET
@who_may(Verb.SEE_TABLE)
def preview(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Say what a typed hand means and pays, and what is wrong with it, before it is sent."""
    loaded = load_or_404(event, round_number, table_number)
    draft = draft_sent(request.GET)
    with contextlib.suppress(InvalidInput):  # what is wrong with it is said when it is sent
        draft.pending = planned(request.GET, loaded)
    count_draft(loaded, draft, to_int(request.GET.get("expected_seq")))
    draft.problems = draft.problems or judge_draft(loaded, draft)
    return render(request, "hands/table_understood.html", understood(loaded, draft))


@require_POST
@who_may(Verb.ENTER_SHEETS)
def sign(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Sign a table with the totals of its paper sheet."""
    loaded = load_or_404(event, round_number, table_number)
    seen = to_int(request.POST.get("expected_seq"))
    try:
        totals, leftover = read_sheet(request.POST, loaded.rules.players)
        sign_table(table=row_of(loaded), totals=totals, leftover=leftover, expected_seq=seen, by=request.user)
    except (InvalidInput, Refused) as wrong:
        fresh = load_or_404(event, round_number, table_number)
        names = [player.name for player in fresh.seats]
        context = {
            "sheet": sheet_context(fresh, request.POST),
            "sheet_errors": [say(problem, names) for problem in wrong.problems],
            "sheet_between": between_words(fresh, seen) if isinstance(wrong, Stale) else [],
        }
        status = CONFLICT if isinstance(wrong, Stale) else UNPROCESSABLE
        return _page(request, event, fresh, Draft(), status=status, extra=context)
    messages.success(request, _("Table %(number)d is signed.") % {"number": table_number})
    return redirect("desk:table", event.slug, round_number, table_number)


@require_POST
@who_may(Verb.REOPEN_TABLES)
def reopen(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Reopen a signed table, with a reason."""
    loaded = load_or_404(event, round_number, table_number)
    row = row_of(loaded)
    if row.round.released_at:
        require(request, Verb.REOPEN_RELEASED)
    try:
        reopen_table(table=row, reason=request.POST.get("reason", ""), by=request.user)
    except Refused as wrong:
        errors = [say(problem) for problem in wrong.problems]
        return _page(request, event, loaded, Draft(), status=UNPROCESSABLE, extra={"sheet_errors": errors})
    messages.success(request, _("Table %(number)d is open again.") % {"number": table_number})
    return redirect("desk:table", event.slug, round_number, table_number)


def _post(request: DeskRequest, event: Event, loaded: LoadedTable) -> HttpResponse:
    """Carry out what was sent; on a refusal show the page again with what was typed."""
    draft = draft_sent(request.POST)
    count_draft(loaded, draft, to_int(request.POST.get("expected_seq")))
    draft.sent = True
    if request.POST.get("act") == "look":
        draft.problems = draft.problems or judge_draft(loaded, draft)
        return _page(request, event, loaded, draft)
    try:
        _check_role(request, draft)
        entered = _carry_out(request, row_of(loaded), draft)
    except (InvalidInput, Refused) as wrong:
        return _refused(request, event, loaded, draft, wrong)
    fresh = load_or_404(event, loaded.round, loaded.number)
    if entered.repeated and not _is_same(entered, draft):
        return _sent_already(request, event, fresh, draft)
    new_seq = entered.row.supersedes or entered.row.seq
    if wants_json(request):
        page = _fragment(request, event, fresh, Draft(), new_seq=new_seq)
        return written_json(event, fresh, entered, page, several=bool(draft.before))
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect("desk:table", event.slug, loaded.round, loaded.number)
    answer = _page(request, event, fresh, Draft(), new_seq=new_seq)
    answer["HX-Push-Url"] = request.path
    return answer


def _check_role(request: DeskRequest, draft: Draft) -> None:
    """Raise Refused where the hand takes more than the reader's role: what was typed stays, and words say why."""
    if not request.rights.may(verb_for(draft.entry, corrects=bool(draft.hand or draft.before or draft.void))):
        raise Refused(error("access.needs_referee"))


def _refused(
    request: DeskRequest, event: Event, loaded: LoadedTable, draft: Draft, wrong: InvalidInput | Refused
) -> HttpResponse:
    """Say why a hand was not written; where the table has moved on, with what came between."""
    draft.problems, status = wrong.problems, UNPROCESSABLE
    if isinstance(wrong, Stale):
        loaded, status = load_or_404(event, loaded.round, loaded.number), CONFLICT
        draft.between = between_words(loaded, to_int(request.POST.get("expected_seq")))
        if draft.between and draft.entry:
            draft.problems = judge_draft(loaded, draft)
    if any(problem.code == "form.stale" for problem in wrong.problems):
        draft.client_id = str(uuid.uuid4())
    goes_on = bool(draft.plan) and {problem.code for problem in wrong.problems} == {"hand.no_longer_fits"}

    def page() -> HttpResponse:
        if goes_on:
            return _on_to_the_next(request, event, loaded, draft)
        if request.POST.get("act") == "void":
            return _ask_void(request, event, loaded, draft, status=status)
        return _page(request, event, loaded, draft, status=status)

    if wants_json(request):
        return refused_json(loaded, draft, status, _shown(request, page), goes_on=goes_on)
    return page()


def _on_to_the_next(request: DeskRequest, event: Event, loaded: LoadedTable, draft: Draft) -> HttpResponse:
    """Go on to the first later hand that a correction leaves impossible; nothing is written yet."""
    action = reverse("desk:corrections", args=[event.slug, loaded.round, loaded.number])
    sending = Sending(draft.plan or Plan(), action, draft.client_id, draft.reason)
    return show_plan(request, event, loaded, sending, status=UNPROCESSABLE)


def _sent_already(request: DeskRequest, event: Event, fresh: LoadedTable, draft: Draft) -> HttpResponse:
    """Answer a page that was sent before with another hand: nothing was written, and what was typed is kept."""
    draft.problems, draft.client_id = [error("form.sent_already")], str(uuid.uuid4())
    if wants_json(request):
        return refused_json(fresh, draft, CONFLICT, _fragment(request, event, fresh, draft))
    return _page(request, event, fresh, draft, status=CONFLICT)


def _fragment(request: DeskRequest, event: Event, loaded: LoadedTable, draft: Draft, *, new_seq: int = 0) -> str:
    """Return the table's fragment for an answer that carries it; empty where the sender shows another page."""
    return _shown(request, lambda: _page(request, event, loaded, draft, new_seq=new_seq))


def _shown(request: DeskRequest, page: Callable[[], HttpResponse]) -> str:
    return page().content.decode() if request.htmx else ""  # type: ignore[attr-defined]


def _is_same(entered: Entered, draft: Draft) -> bool:
    if draft.before:
        return True
    return read_payload(entered.row.payload) == draft.entry and entered.row.supersedes == draft.hand


def _carry_out(request: DeskRequest, row: Table, draft: Draft) -> Entered:
    common: dict[str, Any] = {
        "table": row,
        "client_id": to_uuid(draft.client_id),
        "expected_seq": to_int(request.POST.get("expected_seq")),
        "reason": draft.reason,
        "by": request.user,
    }
    if request.POST.get("act") == "void" and draft.hand is not None:
        return void_hand(hand=draft.hand, **common)
    if draft.entry is None:
        raise InvalidInput(draft.problems)
    if draft.before:
        forgotten = Forgotten(draft.before, draft.entry)
        done = correct_hands(changes=(), forgotten=forgotten, **common)
        return Entered(done.rows[0], done.repeated)
    if draft.hand is not None:
        return correct_hand(hand=draft.hand, entry=draft.entry, **common)
    return enter_hand(entry=draft.entry, **common)


def draft_sent(fields: Any) -> Draft:
    """Read what was typed; what cannot be read is kept as it is, with the reason why."""
    draft = Draft(
        line=fields.get("line", "")[:300],
        reason=fields.get("reason", "")[:500],
        hand=to_int(fields.get("hand")) or None,
        before=to_int(fields.get("before")),
        void=fields.get("act") == "void",
        client_id=fields.get("client_id", ""),
        form=fields if fields.get("how") == "form" else None,
    )
    if draft.void:
        return draft
    try:
        draft.entry = read_hand(fields)
    except InvalidInput as wrong:
        draft.problems = wrong.problems
    return draft


def planned(fields: Any, loaded: LoadedTable) -> Plan:
    """Read what else is to change, as a page of several corrections sends it along; raises InvalidInput."""
    plan = read_plan_json(fields.get("plan", ""), loaded)
    seats = [int(text) for text in fields.get("exchanged", "").split(",") if text.isascii() and text.isdigit()][:2]
    if len(seats) == 2 and len(set(seats)) == 2 and max(seats) < len(loaded.seats):
        plan = dataclasses.replace(plan, exchanged=(seats[0], seats[1]))
    return plan


def _page(
    request: HttpRequest,
    event: Event,
    loaded: LoadedTable,
    draft: Draft,
    *,
    status: int = 200,
    new_seq: int = 0,
    extra: dict[str, Any] | None = None,
) -> HttpResponse:
    """Show the table: the fragment where htmx asks, the same within the whole page where a browser does."""
    context = desk_context(request, event, "desk", **page_context(event, loaded, draft, new_seq=new_seq))
    if not rights_of(request, event).may(Verb.CORRECT_HANDS):
        context["hands"] = [{**hand, "correct_url": "", "void_url": ""} for hand in context["hands"]]
    template = "hands/table.html#table" if request.htmx else "hands/table.html"  # type: ignore[attr-defined]
    return render(request, template, context | (extra or {}), status=status)


def _ask_void(
    request: DeskRequest, event: Event, loaded: LoadedTable, sent: Draft | None = None, *, status: int = 200
) -> HttpResponse:
    """Ask before a hand is made void; `sent` is what was refused."""
    hand = sent.hand or 0 if sent else to_int(request.GET.get("void"))
    draft = draft_of(loaded, hand)
    if draft is None or loaded.signed or all(item.entry is None for item in loaded.items if item.seq == hand):
        return _page(request, event, loaded, Draft(problems=sent.problems if sent else ()), status=status)
    errors: list[str] = []
    if sent:
        draft.client_id, draft.reason, draft.between = sent.client_id, sent.reason, sent.between
        draft.problems = [problem for problem in sent.problems if problem.code == "hand.reason_needed"]
        errors = [say(problem, [player.name for player in loaded.seats]) for problem in sent.problems]
    context = desk_context(request, event, "desk", **page_context(event, loaded, draft))
    plan = Plan().changing(hand, None)
    unfit = first_unfit(loaded.items, plan, loaded.rules)
    context |= {"void_errors": errors, "effect": effect_context(loaded, plan)}
    context["broken"] = say(no_longer_fits(unfit.step.number, unfit.problems[0])) if unfit else ""
    return render(request, "hands/table_void.html", context, status=status)
