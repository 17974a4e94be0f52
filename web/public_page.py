"""How a public page is answered: not modified, its live part alone, or whole; and whom a phone follows.

A page is told apart by what the public may see of its event, the player that the phone follows, and the language. It
reads no hand and decides nothing about an event.
"""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language

from tournament.models import Event
from tournament.selectors.events import PublicState
from tournament.selectors.public import public_state
from web.page_context import public_context

STARTED = f"{time.time():.0f}"  # another start may be another program, which draws the same facts otherwise
DIGITS = 6  # longer ones are no number of a player
A_YEAR = 365 * 24 * 3600
LIVE = "live"  # the name of each page's fragment that is fetched again


@dataclass(frozen=True, slots=True)
class Me:
    """The player that a phone follows."""

    number: int
    name: str


def show(
    request: HttpRequest,
    event: Event,
    template: str,
    make: Callable[[], dict[str, Any]],
    *,
    tab: str,
    clock: bool = False,
) -> HttpResponse:
    """Answer with a page of an event, made only where the asker does not have it.

    htmx gets the live part, or 204 where it shows that already. `clock` says that the page counts down: while a round
    is played such a page is always sent anew, because its stamp of the server's time must be fresh.
    """
    state = public_state(event)
    mark = _mark(request, event, state)
    if request.headers.get("HX-Request"):
        return _live_part(request, event, template, make, tab, mark)
    response = None
    etag = None if "messages" in request.COOKIES or (clock and state.playing) else f'"{mark}"'
    if etag:
        response = get_conditional_response(request, etag)
    if response is None:
        response = render(request, template, _context(event, tab, mark, make))
    if etag:
        response["ETag"] = etag
    response["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["HX-Request", "Cookie", "Accept-Language"])
    return response


def public_version(event: Event) -> str:
    """Return what changes when something changes on a public page of an event or in the program, and at no other time.

    The event's own version moves with every hand; 500 phones that ask for that one would fetch their page for nothing.
    """
    return hashlib.sha256(f"{STARTED}\n{public_state(event).mark}".encode()).hexdigest()[:20]


def get_me(request: HttpRequest, event: Event) -> Me | None:
    """Return the player that this phone follows; None where it follows nobody, or somebody who is not there now."""
    number, _, digest = request.COOKIES.get(_cookie(event), "").partition("-")
    me = find_player(event, number)
    return me if me and _digest(me.name) == digest else None


def find_player(event: Event, number: str) -> Me | None:
    """Return the player with this number, as it stands in an address or a cookie."""
    if not (number.isascii() and number.isdigit() and len(number) < DIGITS):
        return None
    name = event.players.filter(number=int(number)).values_list("person__preferred_name", flat=True).first()
    return None if name is None else Me(int(number), name)


def follows_somebody(request: HttpRequest, event: Event) -> bool:
    """Tell whether this phone was told to follow a player, who may be gone since."""
    return bool(request.COOKIES.get(_cookie(event)))


def follow(response: HttpResponse, event: Event, me: Me | None) -> HttpResponse:
    """Let the phone follow this player from now on, or nobody.

    The cookie holds the number with a digest of the name: if numbers have moved since, nobody is better than another.
    """
    path = reverse("public:phone", args=[event.slug])
    if me is None:
        response.delete_cookie(_cookie(event), path=path, samesite="Lax")
    else:
        response.set_cookie(
            _cookie(event),
            f"{me.number}-{_digest(me.name)}",
            max_age=A_YEAR,
            path=path,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


def _live_part(
    request: HttpRequest, event: Event, template: str, make: Callable[[], dict[str, Any]], tab: str, mark: str
) -> HttpResponse:
    if request.headers.get("X-Seen") == mark:
        response = HttpResponse(status=204)
    else:
        response = render(request, f"{template}#{LIVE}", _context(event, tab, mark, make))
    response["Cache-Control"] = "no-store"  # the page itself stands in the browser's cache under the same address
    patch_vary_headers(response, ["HX-Request", "Cookie", "Accept-Language"])
    return response


def _context(event: Event, tab: str, mark: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    # no token: nothing is posted from a public page, so it needs no cookie and can be kept
    return public_context(event, tab, version=public_version(event), seen=mark, csrf_token="", **make())


def _mark(request: HttpRequest, event: Event, state: PublicState) -> str:
    parts = (STARTED, state.mark, request.COOKIES.get(_cookie(event), ""), get_language() or "")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:20]


def _cookie(event: Event) -> str:
    return f"me-{event.slug}"


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:8]
