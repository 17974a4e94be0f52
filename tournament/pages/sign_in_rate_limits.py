"""Rate limits by address on broken links, name searches and new pictures, answered with 429 and Retry-After.

A hall shares one address, so no page is closed for it: a valid link always works, and names can be read without a
search. PINs, codes and passwords are limited where they are checked. An IPv6 address counts by its network.
"""

import datetime as dt
import functools
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import salted_hmac

from scoring.problems import ProblemType
from tournament.core.rate_limits import Limiter, Source, TooMany
from tournament.core.shared_cache import count_shared
from tournament.models.event import Event
from tournament.pages.addresses import network_of
from tournament.text.problems_1 import say

SEARCH_TOO_MANY = ProblemType(
    "search.too_many", "Too many searches come from here: wait {wait}. The list of all names stays open."
)
LINK_TOO_MANY = ProblemType("link.too_many", "Too many links that do not work came from here: wait {wait}.")

TOO_MANY = 429
QUARTER = dt.timedelta(minutes=15)
BAD_LINKS = Limiter(scope="link", span=dt.timedelta(minutes=10), network=60)
# 500 phones of a hall that all search within a minute stay below it; a search costs milliseconds
SPAN = 60
SEARCHES = 600
PICTURES = 120  # new ones; some 50 ms each


def client_address(request: HttpRequest) -> str:
    """Return the client's address; behind trusted proxies, the one that the outermost of them forwards."""
    address = str(request.META.get("REMOTE_ADDR") or "")
    forwarded = request.headers.get("X-Forwarded-For", "")
    forwards = [part.strip() for part in forwarded.split(",")] if settings.HTTPS and forwarded else []
    while forwards and address in ("", *settings.PROXIES):
        address = forwards.pop()
    return address


def client_network(request: HttpRequest) -> str:
    """Return the network that the client is counted by."""
    return network_of(client_address(request))


def too_many(request: HttpRequest, many: TooMany) -> HttpResponse:
    """Answer 429: the reader must wait."""
    answer = render(request, "frame/wait.html", {"sentence": say(many.problems[0])}, status=TOO_MANY)
    answer["Retry-After"] = str(many.wait)
    answer["Cache-Control"] = "no-store"
    return answer


def count_bad_link(request: HttpRequest) -> HttpResponse | None:
    """Count a broken link; return the 429 answer where its network sent too many, else None."""
    wait = BAD_LINKS.count(Source(client_network(request)))
    if not wait:
        return None
    return too_many(request, TooMany(LINK_TOO_MANY, wait=wait))


def gentle_search(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Limit the `?q=` searches of an address on a page of an event; counted in the cache, not in the database."""

    @functools.wraps(view)
    def inner(request: HttpRequest, event: Event, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.GET.get("q") and _count(request, event, "search") > SEARCHES:
            return too_many(request, TooMany(SEARCH_TOO_MANY, wait=SPAN))
        return view(request, event, *args, **kwargs)

    return inner


class CopyRequest(HttpRequest):
    """A request that the desk makes itself, for a copy of its public pages: no limit counts it."""


def may_draw(request: HttpRequest, event: Event) -> bool:
    """Count a new picture of an event for an address; return whether it may still be drawn this minute."""
    return isinstance(request, CopyRequest) or _count(request, event, "picture") <= PICTURES


def _count(request: HttpRequest, event: Event, what: str) -> int:
    where = salted_hmac(f"hanchan.{what}", f"{event.pk} {client_network(request)}", algorithm="sha256").hexdigest()
    return count_shared(f"{what}.{where}", seconds=SPAN)
