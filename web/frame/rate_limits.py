"""Limits on what strangers may ask: links that do not work, searches of names. The answer is 429 and how long to wait.

PINs and passwords are counted by their verbs, and signing in by Axes. A hall sits behind one router, so that nothing
here closes a page for an address: a link that works always works, and names can be read without a search.
"""

import datetime as dt
import functools
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import salted_hmac

from scoring.problems import error
from tournament.models import Event
from tournament.services.core.rate_limits import Limit, count_try
from tournament.shared_cache import count_together
from web.words.problems import say

TOO_MANY = 429
BAD_LINKS = Limit("link", 60, dt.timedelta(minutes=10))
# A hall of 500 phones that all look their names up within a minute stays below it; a search costs milliseconds.
SEARCHES, SEARCH_SPAN = 600, 60


def client_address(request: HttpRequest) -> str:
    """Return where a request comes from; behind one's own proxies, what the outermost of them says it is."""
    address = str(request.META.get("REMOTE_ADDR") or "")
    forwarded = request.headers.get("X-Forwarded-For", "")
    said = [part.strip() for part in forwarded.split(",")] if settings.HTTPS and forwarded else []
    while said and address in ("", *settings.PROXIES):
        address = said.pop()
    return address


def nobody(*_who: object) -> str:
    """Return what Axes may say in a log of whom it has seen."""
    return "somebody"


def too_many(request: HttpRequest, sentence: str, wait: int) -> HttpResponse:
    """Say that somebody must wait so many seconds."""
    answer = render(request, "frame/wait.html", {"sentence": sentence}, status=TOO_MANY)
    answer["Retry-After"] = str(wait)
    answer["Cache-Control"] = "no-store"
    return answer


def count_bad_link(request: HttpRequest) -> HttpResponse | None:
    """Count a link that does not work; return the answer where too many came from there."""
    wait = count_try(BAD_LINKS, client_address(request))
    if not wait:
        return None
    return too_many(request, say(error("link.too_many", minutes=-(-wait // 60))), wait)


def gentle_search(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let an address search a page of an event by `?q=` so often a minute; the page itself stays free.

    Counted in the cache, so that reading writes nothing to the database: together where workers share one.
    """

    @functools.wraps(view)
    def inner(request: HttpRequest, event: Event, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.GET.get("q") and _count_search(request, event) > SEARCHES:
            return too_many(request, say(error("search.too_many", seconds=SEARCH_SPAN)), SEARCH_SPAN)
        return view(request, event, *args, **kwargs)

    return inner


def _count_search(request: HttpRequest, event: Event) -> int:
    where = salted_hmac("hanchan.search", f"{event.pk} {client_address(request)}", algorithm="sha256").hexdigest()
    return count_together(f"searches.{where}", seconds=SEARCH_SPAN)
