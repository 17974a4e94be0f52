"""A pile of paper sheets: choose a table, type its numbers, go on to the next; a second person types blind.

It calls one verb a request. Nothing of a first entry is shown but to its writer, and to an organiser who decides.
"""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from scoring.problems import InvalidInput, Problem, error
from tournament.models import Event
from tournament.refusal import Refused, Stale
from tournament.rights import Verb
from tournament.selectors.rounds.rounds import get_round
from tournament.selectors.tables.sheets import get_waiting
from tournament.selectors.tables.tables import LoadedTable
from tournament.services.tables.totals import TotalsEntered, decide_totals, enter_totals, set_sheet_numbers
from web.frame.hand_rows import between_words
from web.frame.page_context import desk_context
from web.frame.tables import load_or_404, row_of, to_int, to_uuid
from web.gateways import DeskRequest, who_may
from web.hands.hand_sent import wants_json
from web.totals.totals_form import typed_fields, whole_sheet
from web.totals.totals_page import (
    TotalsDraft,
    counted_context,
    counted_words,
    decide_context,
    empty_draft,
    pile_context,
    said,
    totals_context,
)
from web.words.problems import say

CONFLICT, UNPROCESSABLE = 409, 422


@require_GET
@who_may(Verb.SEE_DESK)
def sheets(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Show which sheets of a round are due; `?table=N` opens one, an empty one the next behind `?after=N`."""
    round_ = get_round(event, round_number)
    if round_ is None:
        raise Http404("There is no such round.")
    page = pile_context(event, round_, after=to_int(request.GET.get("after")), viewer=str(request.user.uid))
    if "table" in request.GET:
        typed = request.GET["table"].strip()
        wanted = to_int(typed) if typed else page["next"]
        if wanted in {row["number"] for row in page["tables"]}:
            return redirect("desk:totals", event.slug, round_number, wanted)
        words = _("There is no table %(number)s in this round.") % {"number": typed[:10]} if typed else ""
        messages.error(request, words or _("No sheet is due."))
    return render(request, "totals/totals_pile.html", desk_context(request, event, "desk", **page))


@require_http_methods(["GET", "POST"])
@who_may(Verb.SEE_DESK, post=Verb.ENTER_SHEETS)
def totals(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show the form for a table's sheet, or what became of it; take what was typed."""
    loaded = load_or_404(event, round_number, table_number)
    if request.method == "GET":
        return _page(request, event, loaded, empty_draft(event, loaded, again="again" in request.GET))
    typed = typed_fields(request.POST, loaded.rules.players, event.sheet_numbers)
    draft = TotalsDraft(typed, client_id=typed.client_id)
    wanted = request.POST.get("switch", "")
    if wanted:
        return _switch(request, event, loaded, wanted)
    draft.sent = True
    try:
        entered = enter_totals(
            table=row_of(loaded),
            sheet=whole_sheet(typed),
            client_id=to_uuid(typed.client_id),
            expected_seq=to_int(request.POST.get("expected_seq")),
            reason=typed.reason,
            again=typed.again,
            by=request.user,
        )
    except (InvalidInput, Refused) as wrong:
        return _refused(request, event, draft, loaded, wrong)
    if entered.repeated and not entered.same:
        draft.client_id = empty_draft(event, loaded).client_id
        return _refused(request, event, draft, loaded, Refused(error("form.sent_already")), status=CONFLICT)
    return _done(request, event, load_or_404(event, round_number, table_number), entered)


@require_GET
@who_may(Verb.SEE_DESK)
def preview(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Say what typed numbers make, and what is wrong with them, before they are sent."""
    loaded = load_or_404(event, round_number, table_number)
    typed = typed_fields(request.GET, loaded.rules.players, event.sheet_numbers)
    return render(request, "totals/totals_said.html", said(loaded, TotalsDraft(typed)))


@require_http_methods(["GET", "POST"])
@who_may(Verb.DECIDE_SHEETS)
def decide(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show two differing entries of a sheet beside each other, and let an organiser say which one counts, and why."""
    loaded = load_or_404(event, round_number, table_number)
    waiting, errors = get_waiting(loaded), []
    back = redirect("desk:totals", event.slug, round_number, table_number)
    if request.method == "POST":
        try:
            decide_totals(
                table=row_of(loaded),
                typed=to_int(request.POST.get("typed")),
                expected_seq=to_int(request.POST.get("expected_seq")),
                client_id=to_uuid(request.POST.get("client_id", "")),
                reason=request.POST.get("reason", ""),
                by=request.user,
            )
        except (InvalidInput, Refused) as wrong:
            errors = [say(problem) for problem in wrong.problems]
        else:
            messages.success(request, counted_words(load_or_404(event, round_number, table_number)))
            return back
    if waiting is None or not waiting.differs:
        for words in errors:
            messages.error(request, words)
        return back
    page = desk_context(request, event, "desk", **decide_context(event, loaded, waiting))
    page |= {"errors": errors, "reason": request.POST.get("reason", "")}
    return render(request, "totals/totals_decide.html", page, status=UNPROCESSABLE if errors else 200)


def _switch(request: DeskRequest, event: Event, loaded: LoadedTable, wanted: str) -> HttpResponse:
    """Change what this event's sheets are written in, and show what was typed read that way; nothing is entered."""
    try:
        set_sheet_numbers(event=event, numbers=wanted, by=request.user)
    except Refused as refused:
        for problem in refused.problems:
            messages.error(request, say(problem))
    fields = request.POST.dict() | {"numbers": event.sheet_numbers}
    typed = typed_fields(fields, loaded.rules.players, event.sheet_numbers)
    return _page(request, event, loaded, TotalsDraft(typed, client_id=typed.client_id or _new_id(event, loaded)))


def _new_id(event: Event, loaded: LoadedTable) -> str:
    return empty_draft(event, loaded).client_id


def _refused(
    request: DeskRequest,
    event: Event,
    draft: TotalsDraft,
    loaded: LoadedTable,
    wrong: InvalidInput | Refused,
    *,
    status: int = UNPROCESSABLE,
) -> HttpResponse:
    """Say why a sheet was not entered, all that was typed kept; where the table has moved on, what came between."""
    draft.problems = list(wrong.problems)
    loaded = load_or_404(event, loaded.round, loaded.number)
    seen = to_int(request.POST.get("expected_seq"))
    if loaded.last_seq != seen or isinstance(wrong, Stale):
        status, draft.between = CONFLICT, between_words(loaded, seen)
    if any(problem.code in ("form.stale", "totals.overtaken") for problem in wrong.problems):
        draft.client_id = _new_id(event, loaded)
    if wants_json(request):
        return _refused_json(loaded, draft, status)
    return _page(request, event, loaded, draft, status=status)


def _refused_json(loaded: LoadedTable, draft: TotalsDraft, status: int) -> JsonResponse:
    answer = {**_json(loaded), "problems": _words(draft.problems, loaded), "between": list(draft.between)}
    return JsonResponse(answer | {"client_id": draft.client_id, "seq": 0}, status=status)


def _words(problems: Any, loaded: LoadedTable) -> list[str]:
    names = [player.name for player in loaded.seats]
    return [say(problem, names) for problem in problems if isinstance(problem, Problem)]


def _json(loaded: LoadedTable) -> dict[str, Any]:
    """Return the form in which static/js/outbox.js reads an answer."""
    last = loaded.last_seq  # a first entry writes no row of the ledger: 0 is a seq like any other
    return {"seq": last, "last_seq": last, "problems": [], "between": [], "page": "", "goes_on": False}


def _done(request: DeskRequest, event: Event, loaded: LoadedTable, entered: TotalsEntered) -> HttpResponse:
    """Say what became of a sheet and go on to the pile; where two differ, stay at the table."""
    if wants_json(request) and "rolling" not in request.POST:
        return JsonResponse(_json(loaded))
    onward = reverse("desk:totals", args=[event.slug, loaded.round, loaded.number])
    if entered.outcome != "differs":  # then the page itself says where
        kept = _("The sheet of table %(number)d is kept until another person has typed it.")
        words = counted_words(loaded) if entered.outcome == "counted" else kept % {"number": loaded.number}
        messages.success(request, words)
        pile = reverse("desk:sheets", args=[event.slug, loaded.round])
        onward = f"{pile}?{urlencode({'after': loaded.number})}"
    return JsonResponse(_json(loaded) | {"next": onward}) if wants_json(request) else redirect(onward)


def _page(
    request: HttpRequest, event: Event, loaded: LoadedTable, draft: TotalsDraft, *, status: int = 200
) -> HttpResponse:
    viewer = str(getattr(request.user, "uid", ""))
    page = desk_context(request, event, "desk", **totals_context(event, loaded, draft, viewer=viewer))
    if page["state"] in ("counted", "reopened"):
        page |= counted_context(loaded)
    return render(request, "totals/totals.html", page, status=status)
