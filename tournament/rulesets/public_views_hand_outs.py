"""What an event hands out of its rules, as public pages: the table of values and the list of yaku."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.models.event import Event
from tournament.pages.permissions_gateways import for_public
from tournament.pages.public_page import show
from tournament.text.values import value_sheet, yaku_sheet


@require_safe
@for_public
def values(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the table of values of an event's own rules."""
    return show(request, event, "event/values.html", lambda: {"sheet": value_sheet(event.ruleset)}, tab="")


@require_safe
@for_public
def yaku(request: HttpRequest, event: Event) -> HttpResponse:
    """List the yaku that an event plays, with what they are worth."""
    return show(request, event, "event/yaku.html", lambda: {"sheet": yaku_sheet(event.ruleset)}, tab="")
