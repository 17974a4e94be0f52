"""Make an event: one short form."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.refusal import Refused
from tournament.services.core.events import create_event
from web.event.event_form import EventForm
from web.gateways import DeskRequest, for_site
from web.words.problems import say


@require_http_methods(["GET", "POST"])
@for_site
def new_event(request: DeskRequest) -> HttpResponse:
    """Show the form, or make the event and go on to its players."""
    form = EventForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            event = create_event(**form.cleaned_data, by=request.user)
            return redirect("desk:players", event.slug)
        except Refused as refused:
            for problem in refused.problems:
                form.add_error(None, say(problem))
    status = 422 if form.is_bound else 200
    context = {"form": form, "title": _("New event"), "who": request.user}
    return render(request, "event/new_event.html", context, status=status)
