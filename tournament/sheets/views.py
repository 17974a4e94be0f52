"""Paper sheets of a round: type one in, enter it blindly a second time, decide where both differ, confirm a signed one.

A first entry is shown to its writer only, and to an organiser who decides.
"""

import uuid
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from scoring.problems import InvalidInput
from tournament.accounts.queries import account_names
from tournament.core.errors import FORM_SENT_ALREADY, DomainError, StaleTableError
from tournament.core.rights import Right
from tournament.events.actions import set_sheet_numbers
from tournament.events.models import Event
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import (
    CONFLICT,
    UNPROCESSABLE,
    flash_problems,
    load_or_404,
    table_model,
    to_int,
    to_uuid,
    wants_json,
)
from tournament.pages.tables import entered_since
from tournament.players.queries import get_presence
from tournament.sheets.actions import TotalsEntered, confirm_sheet, decide_totals, enter_totals, reject_sheet
from tournament.sheets.forms import (
    TotalsDraft,
    counted_context,
    counted_words,
    decide_context,
    empty_draft,
    preview_context,
    totals_context,
    typed_fields,
    whole_sheet,
)
from tournament.sheets.queries import WaitingSheet, get_waiting, load_pile
from tournament.tables.messages import names_at, short_names_at
from tournament.tables.queries import LoadedTable
from tournament.tables.round_queries import get_round, list_tiles
from tournament.text.problems import problem_text


@require_http_methods(["GET", "POST"])
@who_may(Right.SEE_DESK, post=Right.ENTER_SHEETS)
def totals(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show the form of a table's sheet, or the sheet once it is typed; enter what was typed."""
    loaded = load_or_404(event, round_number, table_number, request.row)
    if request.method == "GET":
        return _page(request, event, loaded, empty_draft(event, loaded, again="again" in request.GET))
    typed = typed_fields(request.POST, loaded.rules.players, event.sheet_numbers)
    draft = TotalsDraft(typed, client_id=typed.client_id)
    wanted = request.POST.get("switch", "")
    if wanted:
        try:
            set_sheet_numbers(event=event, numbers=wanted, by=request.user)
        except DomainError as refused:
            flash_problems(request, refused)
        fields = request.POST.dict() | {"numbers": event.sheet_numbers}
        typed = typed_fields(fields, loaded.rules.players, event.sheet_numbers)
        return _page(request, event, loaded, TotalsDraft(typed, client_id=typed.client_id or str(uuid.uuid4())))
    draft.sent = True
    try:
        entered = enter_totals(
            table=table_model(loaded),
            sheet=whole_sheet(typed, loaded.rules.riichi_deposit),
            client_id=to_uuid(typed.client_id),
            expected_seq=to_int(request.POST.get("expected_seq")),
            reason=typed.reason,
            again=typed.again,
            here="here" in request.POST,
            by=request.user,
        )
    except (InvalidInput, DomainError) as wrong:
        return _refused(request, event, draft, loaded, wrong)
    if entered.repeated and not entered.same:
        draft.client_id = str(uuid.uuid4())
        return _refused(request, event, draft, loaded, DomainError(FORM_SENT_ALREADY()), status=CONFLICT)
    return _done(request, event, load_or_404(event, round_number, table_number), entered)


@require_GET
@who_may(Right.SEE_DESK)
def preview(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Say what typed numbers amount to and what is wrong with them."""
    loaded = load_or_404(event, round_number, table_number, request.row)
    typed = typed_fields(request.GET, loaded.rules.players, event.sheet_numbers)
    return render(request, "sheets/totals.html#preview", preview_context(loaded, TotalsDraft(typed)))


@require_http_methods(["GET", "POST"])
@who_may(Right.DECIDE_SHEETS)
def decide(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show two differing entries of a sheet; an organiser chooses the one that counts, with a reason."""
    loaded = load_or_404(event, round_number, table_number, request.row)
    waiting, errors = get_waiting(loaded), []
    back = redirect("desk:totals", event.slug, round_number, table_number)
    if request.method == "POST":
        try:
            decide_totals(
                table=table_model(loaded),
                typed=to_int(request.POST.get("typed")),
                expected_seq=to_int(request.POST.get("expected_seq")),
                client_id=to_uuid(request.POST.get("client_id", "")),
                reason=request.POST.get("reason", ""),
                by=request.user,
            )
        except (InvalidInput, DomainError) as wrong:
            errors = [problem_text(problem) for problem in wrong.problems]
        else:
            messages.success(request, counted_words(load_or_404(event, round_number, table_number)))
            return back
    if waiting is None or not waiting.differs:
        for words in errors:
            messages.error(request, words)
        return back
    page = desk_context(request, event, "desk", **decide_context(loaded, waiting))
    page |= {"errors": errors, "reason": request.POST.get("reason", "")}
    return render(request, "sheets/totals_decide.html", page, status=UNPROCESSABLE if errors else 200)


def _refused(
    request: DeskRequest,
    event: Event,
    draft: TotalsDraft,
    loaded: LoadedTable,
    wrong: InvalidInput | DomainError,
    *,
    status: int = UNPROCESSABLE,
) -> HttpResponse:
    """Say why a sheet was not entered and keep what was typed; at a table that has moved on, with what changed."""
    draft.problems = list(wrong.problems)
    loaded = load_or_404(event, loaded.round, loaded.number)
    seen = to_int(request.POST.get("expected_seq"))
    if loaded.last_seq != seen or isinstance(wrong, StaleTableError):
        status, draft.meanwhile = CONFLICT, entered_since(loaded, seen)
    if any(problem.code in ("form.stale", "totals.overtaken") for problem in wrong.problems):
        draft.client_id = str(uuid.uuid4())
    if wants_json(request):
        names = short_names_at(loaded)
        problems = [problem_text(problem, names) for problem in draft.problems]
        answer = {"problems": problems, "between": list(draft.meanwhile), "client_id": draft.client_id, "seq": 0}
        return JsonResponse(_json(loaded) | answer, status=status)
    return _page(request, event, loaded, draft, status=status)


def _json(loaded: LoadedTable) -> dict[str, Any]:
    """Return an answer as static/hands/outbox.js reads it."""
    last = loaded.last_seq  # 0 is valid: a first entry writes no row of the ledger
    return {"seq": last, "last_seq": last, "problems": [], "between": [], "page": "", "goes_on": False}


def _done(request: DeskRequest, event: Event, loaded: LoadedTable, entered: TotalsEntered) -> HttpResponse:
    """Confirm an entry and go on to the pile; where two entries differ, stay at the table.

    As JSON: `said` what was entered, or `stay` the address of the table.
    """
    onward = reverse("desk:totals", args=[event.slug, loaded.round, loaded.number])
    if entered.outcome != "differs":  # else the page itself says where
        kept = _("The sheet of table %(number)d is kept until another person has typed it.")
        words = counted_words(loaded) if entered.outcome == "counted" else kept % {"number": loaded.number}
        if wants_json(request):
            return JsonResponse(_json(loaded) | {"said": words})
        messages.success(request, words)
        pile = reverse("desk:sheets", args=[event.slug, loaded.round])
        onward = f"{pile}?{urlencode({'after': loaded.number})}"
    return JsonResponse(_json(loaded) | {"stay": onward}) if wants_json(request) else redirect(onward)


def _page(
    request: HttpRequest, event: Event, loaded: LoadedTable, draft: TotalsDraft, *, status: int = 200
) -> HttpResponse:
    viewer = str(getattr(request.user, "uid", ""))
    page = desk_context(request, event, "desk", **totals_context(event, loaded, draft, viewer=viewer))
    if page["state"] in ("counted", "reopened"):
        page |= counted_context(loaded)
    return render(request, "sheets/totals.html", page, status=status)


class PileRow(NamedTuple):
    """A table in the pile; `state` names its icon, `words` say it; `due`: the viewer may type its sheet.

    `missing` are the names of who has a seat there and is not here.
    """

    number: int
    names: str
    state: str
    words: str
    due: bool
    missing: Sequence[str] = ()


@require_GET
@who_may(Right.SEE_DESK)
def sheets(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Show which sheets of a round are due; `?table=N` opens one, an empty N the next one behind `?after=N`."""
    round_ = get_round(event, round_number)
    if round_ is None:
        raise Http404("There is no such round.")
    viewer, after = str(request.user.uid), to_int(request.GET.get("after"))
    pile = load_pile(event, round_number, viewer)
    if "table" in request.GET:
        typed = request.GET["table"].strip()
        wanted = to_int(typed) if typed else pile.next(after)
        if wanted in {table.number for table in pile.tables}:
            return redirect("desk:totals", event.slug, round_number, wanted)
        words = _("There is no table %(number)s in this round.") % {"number": typed[:10]} if typed else ""
        messages.error(request, words or _("No sheet is due."))
    rows, presence = [], get_presence(event)
    for table in pile.tables:
        state, words = _pile_state(event, table, pile.waiting.get(table.number), viewer)
        missing = [] if table.signed else [each.name for each in presence.missing_at(table)]
        rows.append(PileRow(table.number, " · ".join(names_at(table)), state, words, table.number in pile.due, missing))
    complete = all(table.signed and (table.confirmed or not event.confirms) for table in pile.tables)
    context = {
        "round": round_,
        "tables": rows,
        "due": len(pile.due),
        "in": sum(table.signed for table in pile.tables),
        "all": len(rows),
        "next": pile.next(after),
        "complete": complete and not round_.released_at,
        "after": after,
        "jump_url": reverse("desk:sheets", args=[event.slug, round_number]),
    }
    return render(request, "sheets/totals_pile.html", desk_context(request, event, "desk", **context))


@require_http_methods(["GET", "POST"])
@who_may(Right.ENTER_SHEETS)
def confirm(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show a signed sheet to another person than its signer, who confirms it or rejects it with a reason."""
    loaded = load_or_404(event, round_number, table_number, request.row)
    if request.method == "GET":
        return render(request, "sheets/confirm.html", _confirm_context(request, event, loaded))
    row, sheet = table_model(loaded), to_int(request.POST.get("sheet"))
    try:
        if request.POST.get("act") == "reject":
            reject_sheet(table=row, sheet=sheet, reason=request.POST.get("reason", ""), by=request.user)
            said = _("The sheet of table %(number)d is sent back: the table is open again.")
        else:
            confirm_sheet(table=row, sheet=sheet, by=request.user)
            said = _("The sheet of table %(number)d is confirmed.")
    except DomainError as refused:
        fresh = load_or_404(event, round_number, table_number)
        page = _confirm_context(request, event, fresh, errors=[problem_text(problem) for problem in refused.problems])
        return render(request, "sheets/confirm.html", page, status=UNPROCESSABLE)
    messages.success(request, said % {"number": table_number})
    return redirect(_next_to_confirm(request, event, round_number))


def _pile_state(event: Event, table: LoadedTable, waiting: WaitingSheet | None, viewer: str) -> tuple[str, str]:
    if table.signed:
        words = _("confirmed") if table.confirmed else _("to confirm")
        return ("signed", words if event.confirms else _("signed"))
    if table.played:
        return ("playing", _("has hands"))
    if waiting and waiting.differs:
        return ("trouble", _("two entries differ"))
    if waiting and waiting.of(viewer):
        return ("sheet", _("waits for another person"))
    return ("sheet", _("second entry is due")) if waiting else ("waiting", _("sheet due"))


def _next_to_confirm(request: DeskRequest, event: Event, round_: int) -> str:
    """Return the address of the next sheet that this person may confirm, else of the desk."""
    for tile in list_tiles(event, round_):
        if tile.stage == "signed" and not tile.confirmed and tile.signed_by != str(request.user.uid):
            return reverse("desk:confirm", args=[event.slug, round_, tile.number])
    return f"{reverse('desk:grid', args=[event.slug])}?round={round_}"


def _confirm_context(
    request: DeskRequest, event: Event, table: LoadedTable, *, errors: Sequence[str] = ()
) -> dict[str, Any]:
    sheet = table.sheet if table.signed else None
    signed_by = sheet.by if sheet else ""
    checked_by = table.check.by if table.confirmed and table.check else ""
    names, own = account_names([signed_by, checked_by]), signed_by == str(request.user.uid)
    context = {
        "table": table,
        "sheet": sheet,
        "rows": table.seat_games if sheet else (),
        "sum": sum(table.final.scores) if sheet else 0,
        "leftover": sheet.leftover if sheet else 0,
        "wanted": table.rules.start_points * table.rules.players,
        "signed_by": names.get(signed_by, "") if signed_by else _("the players, on their phones"),
        "checked_by": names.get(checked_by, ""),
        "may": bool(sheet) and event.confirms and not table.confirmed and not own,
        "own": own,
        "asked": event.confirms,
        "errors": errors,
        "back": f"{reverse('desk:grid', args=[event.slug])}?round={table.round}",
    }
    return desk_context(request, event, "desk", **context)
