"""A question before an act that cannot be taken back in silence: the same form comes again with `sure`."""

from django.http import HttpResponse
from django.shortcuts import render

from tournament.models.event import Event
from tournament.pages.permissions_gateways import DeskRequest
from tournament.pages.permissions_page_context import desk_context


def ask_first(
    request: DeskRequest, event: Event, *, title: str, text: str, submit: str, back: str, tab: str = "desk"
) -> HttpResponse:
    """Ask whether a posted form is meant; the answer posts all its fields again, and `sure` among them."""
    fields = [(name, value) for name in request.POST for value in request.POST.getlist(name)]
    context = {
        "title": title,
        "text": text,
        "submit": submit,
        "back": back,
        "action": request.get_full_path(),
        "fields": [(name, value) for name, value in fields if name not in ("csrfmiddlewaretoken", "sure")],
    }
    return render(request, "frame/ask.html", desk_context(request, event, tab, **context))
