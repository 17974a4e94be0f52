"""The look of an event: its colour and its logo, set by its organisers and shown to everybody."""

import hashlib

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.events.pictures_1 import MOST_BYTES
from tournament.events.pictures_look import remove_logo, set_colour, set_logo
from tournament.models.event import Event
from tournament.pages.files_look import get_logo
from tournament.pages.permissions_gateways import DeskRequest, for_public, who_may
from tournament.pages.requests_tables import flash_problems

STYLES = """:root { --event: %s; }
.head, .is-display { border-top: 4px solid var(--event); }
@media (max-width: 40rem) { .head-name { border-top: 4px solid var(--event); } }
"""


@require_POST
@who_may(Verb.CHANGE_SETTINGS)
def look(request: DeskRequest, event: Event) -> HttpResponse:
    """Set the event's colour and logo; a logo is replaced by a new file, or deleted."""
    wanted = request.POST.get("colour", "")
    file = request.FILES.get("logo")
    try:
        changed = set_colour(event=event, colour=wanted, by=request.user)
        if wanted and changed and event.colour != wanted.strip().lower():
            messages.info(request, _("The colour is darkened, so that white letters can be read on it."))
        if file:
            changed |= set_logo(event=event, data=file.read(MOST_BYTES + 1), by=request.user)
        elif "no_logo" in request.POST:
            changed |= remove_logo(event=event, by=request.user)
    except Refused as refused:
        flash_problems(request, refused)
    else:
        if changed:
            messages.success(request, _("The look is changed."))
        else:
            messages.info(request, _("Nothing was changed."))
    return redirect("desk:settings", event.slug)


@require_safe
@for_public
def logo(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the event's logo."""
    picture = get_logo(event)
    if not picture:
        raise Http404("This event has no logo.")
    return _answer(request, picture, "image/png")


@require_safe
@for_public
def colour(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the event's colour as a stylesheet, because pages hold no styles of their own."""
    if not event.colour:
        raise Http404("This event has no colour.")
    return _answer(request, (STYLES % event.colour).encode(), "text/css; charset=utf-8")


def _answer(request: HttpRequest, content: bytes, kind: str) -> HttpResponse:
    etag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    answer = get_conditional_response(request, etag) or HttpResponse(content, content_type=kind)
    answer["ETag"] = etag
    answer["Cache-Control"] = "no-cache"
    return answer
