"""The hand page: enter, preview, correct and void hands, sign and reopen the table; works with and without htmx."""

import contextlib
import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from rules.ruleset import Ruleset
from scoring.placement import settle
from scoring.problems import InvalidInput, Problem, ProblemType, printable_excerpt
from tournament.calls.queries import get_open_call
from tournament.core.errors import DomainError, StaleTableError
from tournament.core.rights import Right, right_for_entry
from tournament.events.models import Event
from tournament.hands.corrections import PlanForm, show_plan
from tournament.hands.draft import Draft, count_draft, draft_of_hand, judge_draft, preview_context, read_draft
from tournament.hands.hooks import list_draft_hints, list_sheet_hints
from tournament.hands.page import (
    changes_since,
    lines_context,
    minutes_early,
    page_context,
    sheet_context,
    step_context,
    table_stamp,
)
from tournament.hands.plan import effect_context, read_plan
from tournament.hands.tour import offers_tour, remember_tour
from tournament.pages.permissions import DeskRequest, desk_context, require, rights_context, rights_of, who_may
from tournament.pages.requests import (
    CONFLICT,
    MAX_TYPED,
    UNPROCESSABLE,
    load_or_404,
    read_score,
    read_sticks,
    table_model,
    to_int,
    to_uuid,
    wants_json,
)
from tournament.pages.tables import entered_since, facts_of_table
from tournament.sheets.actions import reopen_table, sign_table
from tournament.sheets.forms import TOTALS_LEFTOVER_UNREADABLE, TOTALS_NOT_A_NUMBER, TOTALS_NUMBER_MISSING
from tournament.tables.actions import (
    EnteredHand,
    HandRequest,
    correct_hands,
    unfit_problem,
    write_hand,
    written_by,
)
from tournament.tables.history import Forgotten, Plan, first_unfit
from tournament.tables.messages import short_names_at
from tournament.tables.models import LedgerEntry
from tournament.tables.queries import LoadedTable
from tournament.tables.round_queries import get_clock_at
from tournament.text.problems import problem_text

ACCESS_NEEDS_SCORER = ProblemType("access.needs_scorer", "This is for a scorer: your role enters hands, not totals.")
ACCESS_NEEDS_REFEREE = ProblemType(
    "access.needs_referee", "This is for a referee: your role enters the next hand and changes none."
)
SHEET_EARLY = ProblemType("sheet.early", "This table has {minutes} left: tick that the game ends here.")


@require_http_methods(["GET", "POST"])
@who_may(Right.SEE_TABLE, post=Right.ENTER_HANDS)
def table(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show a table's hands and enter the next one; `?correct=SEQ` and `?void=SEQ` open an existing hand.

    `?lines` is the part that the page asks for again while somebody is missing.
    """
    loaded = load_or_404(event, round_number, table_number, request.row)
    if request.method == "POST":
        return _post(request, event, loaded)
    if "lines" in request.GET:
        context = {"event": event, **rights_context(request, event)}
        context |= lines_context(event, loaded, get_clock_at(loaded))
        return render(request, "hands/table_lines.html", context)
    if not request.rights.may(Right.CORRECT_HANDS):
        return _page(request, event, loaded, Draft())
    if "void" in request.GET:
        return _ask_void(request, event, loaded)
    draft = draft_of_hand(loaded, to_int(request.GET.get("correct"))) if "correct" in request.GET else None
    if to_int(request.GET.get("before")) in {item.seq for item in loaded.items}:
        draft = Draft(before=to_int(request.GET.get("before")))
    return _page(request, event, loaded, draft or Draft())


@require_GET
@who_may(Right.SEE_TABLE)
def preview(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Say what a typed hand means and pays, and what is wrong with it."""
    loaded = load_or_404(event, round_number, table_number, request.row)
    draft = read_draft(request.GET)
    with contextlib.suppress(InvalidInput):  # reported when it is sent
        draft.pending = read_plan(request.GET, loaded)
    count_draft(loaded, draft, to_int(request.GET.get("expected_seq")))
    draft.problems = draft.problems or judge_draft(loaded, draft)
    context = preview_context(loaded, draft) | {"slips": list_draft_hints(event, loaded, draft)}
    context["may_take"] = request.rights.may(Right.CORRECT_HANDS)
    return HttpResponse(render_to_string("hands/table.html#preview", context))


@require_GET
@who_may(Right.SEE_TABLE)
def changes(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Say what changed since `?since=SEQ&stamp=STAMP`; 204 if nothing did, or the page's own hand `mine` is written."""
    table = load_or_404(event, round_number, table_number, request.row)
    now = table_stamp(table, get_clock_at(table), get_open_call(table))
    seen = request.GET.get("stamp", "")[:100]
    if seen == now or _is_written(table, request.GET.get("mine", "")):
        return HttpResponse(status=204)
    words = changes_since(table, to_int(request.GET.get("since")), seen, now)
    return render(request, "hands/table.html#changes", {"words": words, "stamp": now, "closed": table.signed})


def _is_written(table: LoadedTable, client_id: str) -> bool:
    with contextlib.suppress(InvalidInput):
        return LedgerEntry.objects.filter(table=table.id, client_id=to_uuid(client_id)).exists()
    return False


@require_http_methods(["GET", "POST"])
@who_may(Right.ENTER_SHEETS)
def sign(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Sign a table with the totals of its paper sheet; GET says what typed totals sum to."""
    loaded = load_or_404(event, round_number, table_number, request.row)
    if request.method == "GET":
        return render(request, "hands/sheet_sum.html", sum_context(request.GET, loaded.rules, event.sheet_numbers))
    seen = to_int(request.POST.get("expected_seq"))
    totals: list[int] = []
    leftover = 0
    try:
        totals, leftover = read_sheet(request.POST, loaded.rules, event.sheet_numbers)
        _check_early(request, loaded)
        sign_table(
            table=table_model(loaded),
            totals=totals,
            leftover=leftover,
            expected_seq=seen,
            here="here" in request.POST,
            by=request.user,
        )
    except (InvalidInput, DomainError) as wrong:
        fresh = load_or_404(event, round_number, table_number)
        names = short_names_at(fresh)
        context = {
            "sheet": sheet_context(fresh, request.POST, wrong.problems),
            "sheet_errors": [problem_text(problem, names) for problem in wrong.problems],
            "sheet_meanwhile": entered_since(fresh, seen) if isinstance(wrong, StaleTableError) else [],
            "sheet_slips": list_sheet_hints(event, fresh, totals, leftover),
        }
        status = CONFLICT if isinstance(wrong, StaleTableError) else UNPROCESSABLE
        return _page(request, event, fresh, Draft(), status=status, extra=context)
    messages.success(request, _("Table %(number)d is signed.") % {"number": table_number})
    return redirect("desk:table", event.slug, round_number, table_number)


def _check_early(request: DeskRequest, loaded: LoadedTable) -> None:
    early = minutes_early(loaded, get_clock_at(loaded))
    if early and "early" not in request.POST:
        raise InvalidInput([SHEET_EARLY(minutes=early)])


@require_POST
@who_may(Right.REOPEN_TABLES)
def reopen(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Reopen a signed table, with a reason."""
    loaded = load_or_404(event, round_number, table_number, request.row)
    row = table_model(loaded)
    even_released = request.rights.may(Right.REOPEN_RELEASED)
    if row.round.released_at:
        require(request, Right.REOPEN_RELEASED)
    try:
        reopen_table(table=row, reason=request.POST.get("reason", ""), even_released=even_released, by=request.user)
    except DomainError as wrong:
        errors = [problem_text(problem) for problem in wrong.problems]
        return _page(request, event, loaded, Draft(), status=UNPROCESSABLE, extra={"sheet_errors": errors})
    messages.success(request, _("Table %(number)d is open again.") % {"number": table_number})
    return redirect("desk:table", event.slug, round_number, table_number)


def _post(request: DeskRequest, event: Event, loaded: LoadedTable) -> HttpResponse:
    """Write the submitted hand; on a refusal show the page again with what was typed."""
    draft = read_draft(request.POST)
    count_draft(loaded, draft, to_int(request.POST.get("expected_seq")))
    draft.sent = True
    if request.POST.get("act") == "look":
        draft.problems = draft.problems or judge_draft(loaded, draft)
        return _page(request, event, loaded, draft)
    try:
        _check_role(request, draft)
        entered = _carry_out(request, loaded, draft)
    except (InvalidInput, DomainError) as wrong:
        return _refused(request, event, loaded, draft, wrong)
    fresh = entered.table or load_or_404(event, loaded.round, loaded.number)
    return remember_tour(request, _written(request, event, fresh, draft, entered))


def _written(
    request: DeskRequest, event: Event, fresh: LoadedTable, draft: Draft, entered: EnteredHand
) -> HttpResponse:
    """Answer a hand that is written."""
    new_seq = entered.row.supersedes or entered.row.seq
    if wants_json(request):
        page = _step(request, event, fresh, draft, entered)
        page = page or _shown(request, lambda: _page(request, event, fresh, Draft(), new_seq=new_seq))
        return _written_json(event, fresh, entered, page, several=bool(draft.before), address=request.path)
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect("desk:table", event.slug, fresh.round, fresh.number)
    answer = _page(request, event, fresh, Draft(), new_seq=new_seq)
    answer["HX-Push-Url"] = request.path
    return answer


def _step(request: DeskRequest, event: Event, fresh: LoadedTable, draft: Draft, entered: EnteredHand) -> str:
    """Return what a new hand changes on the page of its sender; empty where the whole fragment must come."""
    seen = request.POST.get("stamp", "")
    is_new = seen and not (draft.hand or draft.before or entered.repeated)
    context = step_context(event, fresh, seen, by=request.user.display_name, address=request.path) if is_new else None
    if context is None:
        return ""
    context |= rights_context(request, event)
    if not request.rights.may(Right.CORRECT_HANDS):
        context["hand"] |= {"correct_url": "", "void_url": ""}
    return render_to_string("hands/table.html#step", context)


def _check_role(request: DeskRequest, draft: Draft) -> None:
    """Raise DomainError, not PermissionDenied, for a hand above the reader's role: the page keeps what was typed."""
    verb = right_for_entry(draft.entry, corrects=bool(draft.hand or draft.before or draft.void))
    if not request.rights.may(verb):
        raise DomainError((ACCESS_NEEDS_SCORER if verb is Right.ENTER_SHEETS else ACCESS_NEEDS_REFEREE)())


def _refused(
    request: DeskRequest, event: Event, loaded: LoadedTable, draft: Draft, wrong: InvalidInput | DomainError
) -> HttpResponse:
    """Say why a hand was not written; at a table that has moved on, with what was entered meanwhile."""
    draft.problems, status = wrong.problems, UNPROCESSABLE
    if isinstance(wrong, StaleTableError):
        loaded, status = load_or_404(event, loaded.round, loaded.number), CONFLICT
    codes = {problem.code for problem in wrong.problems}
    if codes & {"form.stale", "form.sent_already"}:
        draft.client_id = str(uuid.uuid4())
    elif isinstance(wrong, StaleTableError):
        draft.meanwhile = entered_since(loaded, to_int(request.POST.get("expected_seq")))
        if draft.meanwhile and draft.entry:
            draft.problems = judge_draft(loaded, draft)
    goes_on = bool(draft.plan) and codes == {"hand.no_longer_fits"}

    def page() -> HttpResponse:
        if goes_on:  # to the first later hand that the correction leaves impossible; nothing is written yet
            action = reverse("desk:corrections", args=[event.slug, loaded.round, loaded.number])
            form = PlanForm(draft.plan or Plan(), action, draft.client_id, draft.reason)
            return show_plan(request, event, loaded, form, status=UNPROCESSABLE)
        if request.POST.get("act") == "void":
            return _ask_void(request, event, loaded, draft, status=status)
        return _page(request, event, loaded, draft, status=status)

    if wants_json(request):
        return _refused_json(loaded, draft, status, _shown(request, page), goes_on=goes_on)
    return page()


def _written_json(
    event: Event, table: LoadedTable, entered: EnteredHand, page: str, *, several: bool, address: str
) -> JsonResponse:
    """Tell static/hands/outbox.js that a hand is written; `several` where the act may have written more than one row.

    `seq` is the last row of this act, which is what the next hand has seen; rows that others wrote since are only in
    `last_seq`: a hand typed behind this one did not see them.
    """
    seq = written_by(entered.row.client_id, entered.row.table)[-1].seq if several else entered.row.seq
    answer = {"seq": seq, "last_seq": table.last_seq, "problems": [], "between": [], "page": page, "goes_on": False}
    return JsonResponse(answer | {"facts": facts_of_table(event, table, address)})


def _refused_json(table: LoadedTable, draft: Draft, status: int, page: str, *, goes_on: bool = False) -> JsonResponse:
    """Tell static/hands/outbox.js why a hand is not written; `client_id` is the one to send it under again.

    `goes_on` says that `page` is the next step of a correction that leaves later hands impossible.
    """
    names = short_names_at(table)
    answer = {
        "seq": 0,
        "last_seq": table.last_seq,
        "problems": [problem_text(problem, names) for problem in draft.problems],
        "between": list(draft.meanwhile),
        "client_id": draft.client_id,
        "page": page,
        "goes_on": goes_on,
    }
    return JsonResponse(answer, status=status)


def _shown(request: DeskRequest, page: Callable[[], HttpResponse]) -> str:
    """Return a table's fragment for a JSON answer; empty where the sender does not show it."""
    return page().content.decode() if request.htmx else ""  # type: ignore[attr-defined]


def _carry_out(request: DeskRequest, loaded: LoadedTable, draft: Draft) -> EnteredHand:
    row, client_id, seen = table_model(loaded), to_uuid(draft.client_id), to_int(request.POST.get("expected_seq"))
    if draft.entry is None and not (draft.void and draft.hand):
        raise InvalidInput(draft.problems)
    if draft.entry is not None and draft.before:
        done = correct_hands(
            table=row,
            changes=(),
            forgotten=Forgotten(draft.before, draft.entry),
            client_id=client_id,
            expected_seq=seen,
            reason=draft.reason,
            by=request.user,
        )
        return EnteredHand(done.rows[0], done.repeated)
    asked = HandRequest(row, draft.entry, client_id, seen, hand=draft.hand, reason=draft.reason, loaded=loaded)
    return write_hand(asked, by=request.user)


def read_sheet(fields: Any, rules: Ruleset, numbers: str) -> tuple[list[int], int]:
    """Return the typed totals by seat and the points left on the table; raises InvalidInput.

    The `numbers` of the event's sheets are `totals` or `differences`; with a plus sign they are differences anyway.
    """
    typed, start = _typed_totals(fields, rules, numbers)
    read = [read_score(text) for text in typed]
    problems = [_unread(text, seat) for seat, text in enumerate(typed) if read[seat] is None]
    leftover = read_sticks(fields.get("leftover", ""), rules.riichi_deposit)
    if leftover is None:
        problems.append(TOTALS_LEFTOVER_UNREADABLE(value=printable_excerpt(fields["leftover"].strip(), MAX_TYPED)))
    if problems or leftover is None:
        raise InvalidInput(problems)
    return [start + (points or 0) for points in read], leftover


def _typed_totals(fields: Any, rules: Ruleset, numbers: str) -> tuple[list[str], int]:
    """Return the typed texts by seat and what is added to each: the points that a difference starts from, or 0."""
    typed = [fields.get(f"total-{seat}", "")[:MAX_TYPED] for seat in range(rules.players)]
    is_difference = numbers == "differences" or any(text.strip().startswith("+") for text in typed)
    return typed, rules.start_points if is_difference else 0


def sum_context(fields: Any, rules: Ruleset, numbers: str) -> dict[str, Any]:
    """Return what hands/sheet_sum.html says of totals that are being typed: their sum so far, in the end the gap."""
    typed, start = _typed_totals(fields, rules, numbers)
    scores = tuple(start + points for points in map(read_score, typed) if points is not None)
    leftover = read_sticks(fields.get("leftover", ""), rules.riichi_deposit) or 0
    left, full = rules.players - len(scores), rules.start_points * rules.players
    missing = full - sum(scores)
    if not left and rules.leftover_deposits != "lost" and settle(scores, missing, rules) == (scores, missing):
        leftover = missing  # the sticks are in a score already, and the sheet may name them beside
    total = sum(scores) + leftover
    return {"left": left, "total": total, "gap": 0 if left else total - full}


def _unread(text: str, seat: int) -> Problem:
    if not text.strip():
        return TOTALS_NUMBER_MISSING(seat=seat)
    return TOTALS_NOT_A_NUMBER(seat=seat, value=printable_excerpt(text.strip(), MAX_TYPED))


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
    """Show the table: the fragment for htmx, the whole page otherwise."""
    context = desk_context(request, event, "desk", **page_context(event, loaded, draft, new_seq=new_seq))
    context["may_take"] = rights_of(request, event).may(Right.CORRECT_HANDS)
    context["offer_tour"] = bool(context["cards"]) and not draft.hand and offers_tour(request)
    if not context["may_take"]:
        context["hands"] = [{**hand, "correct_url": "", "void_url": ""} for hand in context["hands"]]
    template = "hands/table.html#table" if request.htmx else "hands/table.html"  # type: ignore[attr-defined]
    return render(request, template, context | (extra or {}), status=status)


def _ask_void(
    request: DeskRequest, event: Event, loaded: LoadedTable, sent: Draft | None = None, *, status: int = 200
) -> HttpResponse:
    """Ask before a hand is made void; `sent` is the refused draft."""
    hand = sent.hand or 0 if sent else to_int(request.GET.get("void"))
    draft = draft_of_hand(loaded, hand)
    if draft is None or loaded.signed or all(item.entry is None for item in loaded.items if item.seq == hand):
        return _page(request, event, loaded, Draft(problems=sent.problems if sent else ()), status=status)
    errors: list[str] = []
    if sent:
        draft.client_id, draft.reason, draft.meanwhile = sent.client_id, sent.reason, sent.meanwhile
        draft.problems = [problem for problem in sent.problems if problem.code == "hand.reason_needed"]
        errors = [problem_text(problem, short_names_at(loaded)) for problem in sent.problems]
    context = desk_context(request, event, "desk", **page_context(event, loaded, draft))
    plan = Plan().changing(hand, None)
    unfit = first_unfit(loaded.items, plan, loaded.rules)
    context |= {"void_errors": errors, "effect": effect_context(loaded, plan)}
    context["broken"] = problem_text(unfit_problem(unfit.step.number, unfit.problems[0])) if unfit else ""
    return render(request, "hands/void.html", context, status=status)
