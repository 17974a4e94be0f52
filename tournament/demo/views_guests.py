"""The way into a demo, an address of demos alone: anybody becomes a referee of its events, under a guest's name."""

import datetime as dt

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoring.problems import ProblemType
from tournament.accounts.actions_access import admit_guest
from tournament.core.rate_limits import Limiter, Source, TooMany
from tournament.events.queries_events import list_events
from tournament.pages.permissions_gateways import for_anyone
from tournament.pages.sign_in_rate_limits import client_network, too_many
from tournament.pages.sign_in_signing_in import sign_in_as

DEMO_FULL = ProblemType("demo.full", "Too many guests came in at once: wait {wait}.")

HOUR = dt.timedelta(hours=1)
GUESTS = Limiter(scope="guest", span=HOUR, network=60, everybody=3000)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_anyone
def demo(request: HttpRequest) -> HttpResponse:
    """Say what the demo is; the button makes a guest, who is signed in as a referee of all its events."""
    if request.method != "POST":
        return render(request, "demo/demo.html", {"until": settings.DEMO_UNTIL, "events": list_events()})
    if wait := GUESTS.count(Source(client_network(request))):
        return too_many(request, TooMany(DEMO_FULL, wait=wait))
    sign_in_as(request, admit_guest())
    return redirect("demo")
