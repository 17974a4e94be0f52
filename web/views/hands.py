"""The hand page: type a hand, see what it means before it is sent, enter it; correct, void, sign and reopen.

It calls one verb a request and shows the refolded table; the same page works with htmx and without scripts.
"""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from scoring.problems import InvalidInput, error
from tournament.models import Event, Table
from tournament.refusal import Refused, Stale
from tournament.selectors.tables import LoadedTable, get_table
from tournament.services.hands import Entered, correct_hand, enter_hand, void_hand
from tournament.services.sheets import reopen_table, sign_table
from web.forms.hand import read_hand
from web.forms.sheet import read_sheet
from web.gateways import DeskRequest, for_referee
from web.hand_page import Draft, between_words, draft_of, judge_draft, page_context, understood
from web.page_context import desk_context
from web.wording import say


@require_http_methods(["GET", "POST"])
@for_referee
def table(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show a table's hands and take the next one; `?correct=SEQ` and `?void=SEQ` open a hand that is there."""
    loaded = _load(event, round_number, table_number)
    if request.method == "POST":
        return _post(request, event, loaded)
    if "void" in request.GET:
        return _confirm_void(request, event, loaded)
    draft = draft_of(loaded, _int(request.GET.get("correct"))) if "correct" in request.GET else Draft()
    return _page(request, event, loaded, draft or Draft())


@require_GET
@for_referee
def preview(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Say what a typed hand means and pays, and what is wrong with it, before it is sent."""
    loaded = _load(event, round_number, table_number)
    draft = _draft(request.GET)
    draft.problems = draft.problems or judge_draft(loaded, draft)
    return render(request, "ui/understood.html", understood(loaded, draft))


@require_POST
@for_referee
def sign(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Sign a table with the totals of its paper sheet."""
    loaded = _load(event, round_number, table_number)
    row = _row(loaded)
    try:
        totals, leftover = read_sheet(request.POST, loaded.rules.players)
        sign_table(
            table=row, totals=totals, leftover=leftover, expected_seq=_int(request.POST.get("expected_seq")), by=request.user
        )
    except (InvalidInput, Refused) as wrong:
        names = [player.name for player in loaded.seats]
        context = {"sheet_errors": [say(problem, names) for problem in wrong.problems], "sheet_typed": request.POST}
        return _page(request, event, _load(event, round_number, table_number), Draft(), status=422, **context)
    messages.success(request, _("Table %(number)d is signed.") % {"number": table_number})
    return redirect("desk:table", event.slug, round_number, table_number)


@require_POST
@for_referee
def reopen(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Reopen a signed table, with a reason."""
    loaded = _load(event, round_number, table_number)
    try:
        reopen_table(table=_row(loaded), reason=request.POST.get("reason", ""), by=request.user)
    except Refused as wrong:
        errors = [say(problem) for problem in wrong.problems]
        return _page(request, event, loaded, Draft(), status=422, sheet_errors=errors)
    messages.success(request, _("Table %(number)d is open again.") % {"number": table_number})
    return redirect("desk:table", event.slug, round_number, table_number)


def _post(request: DeskRequest, event: Event, loaded: LoadedTable) -> HttpResponse:
    """Carry out what was sent; on a refusal show the page again with what was typed."""
    draft = _draft(request.POST)
    try:
        entered = _carry_out(request, _row(loaded), draft)
    except Stale as stale:
        fresh = _load(event, loaded.round, loaded.number)
        draft.problems, draft.between = stale.problems, between_words(fresh, _int(request.POST.get("expected_seq")))
        return _page(request, event, fresh, draft, status=409)
    except (InvalidInput, Refused) as wrong:
        draft.problems = wrong.problems
        return _page(request, event, loaded, draft, status=422)
    fresh = _load(event, loaded.round, loaded.number)
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect("desk:table", event.slug, loaded.round, loaded.number)
    answer = _page(request, event, fresh, Draft(), new_seq=entered.row.supersedes or entered.row.seq)
    answer["HX-Push-Url"] = request.path
    return answer


def _carry_out(request: DeskRequest, row: Table, draft: Draft) -> Entered:
    common: dict[str, Any] = {
        "table": row,
        "client_id": _uuid(draft.client_id),
        "expected_seq": _int(request.POST.get("expected_seq")),
        "reason": draft.reason,
        "by": request.user,
    }
    if request.POST.get("act") == "void" and draft.hand is not None:
        return void_hand(hand=draft.hand, **common)
    if draft.entry is None:
        raise InvalidInput(draft.problems)
    if draft.hand is not None:
        return correct_hand(hand=draft.hand, entry=draft.entry, **common)
    return enter_hand(entry=draft.entry, **common)


def _draft(fields: Any) -> Draft:
    """Read what was typed; what cannot be read is kept as it is, with the reason why."""
    draft = Draft(
        line=fields.get("line", "")[:300],
        reason=fields.get("reason", "")[:500],
        hand=_int(fields.get("hand")) or None,
        client_id=fields.get("client_id", ""),
        form=fields if fields.get("how") == "form" else None,
    )
    if fields.get("act") == "void":
        return draft
    try:
        draft.entry = read_hand(fields)
    except InvalidInput as wrong:
        draft.problems = wrong.problems
    return draft


def _page(
    request: HttpRequest, event: Event, loaded: LoadedTable, draft: Draft, *, status: int = 200, new_seq: int = 0, **extra: Any
) -> HttpResponse:
    context = desk_context(request, event, "desk", **page_context(event, loaded, draft, new_seq=new_seq), **extra)
    template = "desk/table.html#table" if request.htmx else "desk/table.html"  # type: ignore[attr-defined]
    return render(request, template, context, status=status)


def _confirm_void(request: HttpRequest, event: Event, loaded: LoadedTable) -> HttpResponse:
    draft = draft_of(loaded, _int(request.GET.get("void")))
    if draft is None:
        return _page(request, event, loaded, Draft())
    return render(
        request, "desk/table_void.html", desk_context(request, event, "desk", **page_context(event, loaded, draft))
    )


def _load(event: Event, round_number: int, table_number: int) -> LoadedTable:
    loaded = get_table(event, round_number, table_number)
    if loaded is None:
        raise Http404("There is no such table.")
    return loaded


def _row(loaded: LoadedTable) -> Table:
    return Table.objects.select_related("round__event").get(pk=loaded.id)


def _int(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= 9 else 0


def _uuid(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError as wrong:
        raise InvalidInput([error("form.stale")]) from wrong
