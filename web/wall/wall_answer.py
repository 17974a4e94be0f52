"""How a page of the wall is answered: not modified, its live part alone, or whole, and told apart by its own acts.

A screen in the hall follows more than phones do (announcements, each step of the prize giving), so it has a version of
its own, and 500 phones need not ask again for what only the wall shows.
"""

import hashlib
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers

from tournament.models import Event
from tournament.selectors.core.public import public_state
from tournament.selectors.public.wall import list_announcements, wall_mark
from web.frame.public_page import LIVE, public_context
from web.server.build_id import edition

ASKED_BY = ["HX-Request", "Cookie", "Accept-Language"]


def wall_version(event: Event) -> str:
    """Return what changes when something changes on the wall, and at no other time."""
    announced = ",".join(str(row.pk) for row in list_announcements(event, timezone.now()))
    parts = (edition(), public_state(event).mark, wall_mark(event), announced)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:20]


def show_wall(request: HttpRequest, event: Event, template: str, make: Callable[[], dict[str, Any]]) -> HttpResponse:
    """Answer with a page of the wall, made only where the screen does not have it.

    htmx gets the live part, or 204 where it shows that already. While a round is played the page is always sent anew,
    because its stamp of the server's time must be fresh.
    """
    mark = wall_version(event)
    if request.headers.get("HX-Request"):
        if request.headers.get("X-Seen") == mark:
            response = HttpResponse(status=204)
        else:
            response = render(request, f"{template}#{LIVE}", _context(event, mark, make))
        response["Cache-Control"] = "no-store"  # the page itself stands in the browser's cache under the same address
        patch_vary_headers(response, ASKED_BY)
        return response
    etag = None if "messages" in request.COOKIES or public_state(event).playing else f'"{mark}"'
    known = get_conditional_response(request, etag) if etag else None
    response = known or render(request, template, _context(event, mark, make))
    if etag:
        response["ETag"] = etag
    response["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ASKED_BY)
    return response


def _context(event: Event, mark: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    # no token: nothing is posted from a public page, so it needs no cookie
    return public_context(
        event,
        "",
        version=mark,
        version_url=reverse("public:wall_version", args=[event.slug]),
        seen=mark,
        server_now=str(int(timezone.now().timestamp() * 1000)),
        csrf_token="",
        **make(),
    )
