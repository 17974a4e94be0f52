"""What came between: a table's page asks whether it is still what the table is. It writes nothing."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tournament.models import Event
from tournament.rights import Verb
from web.frame.tables import load_or_404, to_int
from web.gateways import DeskRequest, who_may
from web.hands.between_page import changed_words, is_written, stamp_of
from web.rounds.calls import call_bar
from web.rounds.clock import time_bar


@require_GET
@who_may(Verb.SEE_TABLE)
def between(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Say what came between; 204 where `?since=SEQ&stamp=STAMP` is still so, or the hand `mine` stands already."""
    table = load_or_404(event, round_number, table_number)
    now = stamp_of(table, {**call_bar(event, table), **time_bar(event, table)})
    seen = request.GET.get("stamp", "")[:100]
    if seen == now or is_written(table, request.GET.get("mine", "")):
        return HttpResponse(status=204)
    words = changed_words(table, to_int(request.GET.get("since")), seen, now)
    return render(request, "hands/table_watch.html", {"words": words, "stamp": now, "closed": table.signed})
