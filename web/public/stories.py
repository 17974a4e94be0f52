"""Public pages of what the ledger tells: the records of an event, and two players who met. They change nothing."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.models import Event
from tournament.selectors.public.standings import get_standings
from tournament.selectors.public.stories import get_meeting, get_records
from tournament.selectors.tables.sheets import list_reopened
from web.frame.public_page import show
from web.gateways import for_public
from web.public.public_rows import how_fresh
from web.public.story_page import meeting_context, record_items


@require_safe
@for_public
def records(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the records of the released rounds, each with the hand that holds it."""

    def make() -> dict[str, Any]:
        fresh = how_fresh(event, get_standings(event), list_reopened(event))
        return {"fresh": fresh, **record_items(event, get_records(event))}

    return show(request, event, "public/records.html", make, tab="standings")


@require_safe
@for_public
def against(request: HttpRequest, event: Event, number: int, other: int) -> HttpResponse:
    """Show what two players had of each other at the tables that they shared."""

    def make() -> dict[str, Any]:
        meeting = get_meeting(event, number, other)
        if meeting is None:
            raise Http404("There are no such two players.")
        return meeting_context(event, number, other, meeting)

    return show(request, event, "public/against.html", make, tab="")
