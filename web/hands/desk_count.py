"""Tiles at the desk: the answer to the picker of the hand page, by the event's own rules, and the call slip."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from scoring.problems import errors_of
from tournament.models import Event
from tournament.rights import Verb
from tournament.selectors.draws.seating import count_tables
from tournament.selectors.files.paper import get_head
from tournament.selectors.tables.tables import LoadedTable
from tournament.sheets.call_slip import Slip, call_slip_leaves
from web.frame.page_context import desk_context
from web.frame.printing import print_now
from web.frame.tables import load_or_404
from web.gateways import DeskRequest, who_may
from web.hands.call_slip import seat_names, table_slips
from web.hands.hand_answer import answer_line, event_book
from web.hands.hand_page import Draft, count_draft, judge_draft, read_draft_back, state_before
from web.hands.hands import draft_sent
from web.words.problems import say


@require_GET
@who_may(Verb.SEE_TABLE)
def count(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Answer a hand line with ui/count.html by the event's rules; what is wrong with it is part of the answer."""
    if not 1 <= table_number <= count_tables(event, round_number):
        raise Http404("There is no such table.")
    response = render(request, "ui/count.html", answer_line(request.GET.get("line", ""), event_book(event.ruleset)))
    response["Cache-Control"] = "no-store"
    return response


@require_GET
@who_may(Verb.SEE_TABLE)
def call_slip(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Print the call slip of a table with the hand that `?line=` says, a page for each hand of tiles."""
    loaded = load_or_404(event, round_number, table_number)
    draft = draft_sent(request.GET) if request.GET.get("line", "").strip() else Draft()
    count_draft(loaded, draft, loaded.last_seq)
    wrong = errors_of([*draft.problems, *judge_draft(loaded, draft)])
    if wrong:
        names = [player.name for player in loaded.seats]
        context = {"table": loaded, "line": draft.line, "errors": [say(problem, names) for problem in wrong]}
        return render(request, "hands/table_slip.html", desk_context(request, event, "desk", **context), status=422)
    head = get_head(event)
    return print_now(
        request, event, "call-slip", call_slip_leaves(head, _slips(event, loaded, draft)), head, tab="desk"
    )


def _slips(event: Event, loaded: LoadedTable, draft: Draft) -> list[Slip]:
    state = state_before(loaded, draft.hand)
    back = read_draft_back(loaded, draft, seat_names(state))
    return table_slips(loaded, state, draft.entry, back, event_book(event.ruleset))
