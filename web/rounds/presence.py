"""Where an open desk page is, and who else is at the desk. Referees only; players never see it."""

from django.http import HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from tournament.models import Event
from tournament.rights import Verb
from tournament.selectors.access import list_present
from tournament.selectors.rounds.calls import count_open_calls
from tournament.services.people.presence import leave_desk, tell_where
from web.gateways import DeskRequest, who_may
from web.rounds.presence_page import people_json, where_is


@require_POST
@who_may(Verb.SEE_DESK)
def presence(request: DeskRequest, event: Event) -> HttpResponse:
    """Take where a page is (`tab`, `path`, `typing`), or that it goes (`gone`); answer who else is at the desk.

    The answer carries the number of open calls for the tab of the navigation.
    """
    tab = request.POST.get("tab", "")
    if request.POST.get("gone"):
        leave_desk(event=event, tab=tab, by=request.user)
        return HttpResponse(status=204)
    here = where_is(request.POST.get("path", "")[:200], event.slug, typing=request.POST.get("typing") == "1")
    tell_where(event=event, tab=tab, where=here, by=request.user)
    rows = list_present(event, viewer=request.user, tab=tab, at=timezone.now())
    return JsonResponse({"people": people_json(rows, here), "calls": count_open_calls(event)})
