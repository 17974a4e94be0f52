"""Rate limits by address on broken links, name searches and new pictures, answered with 429 and Retry-After.

A hall shares one address, so no page is closed for it: a valid link always works, and names can be read without a
search. PINs and passwords are limited by their services, signing in by Axes and, across addresses, here.
"""

import datetime as dt
import functools
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import salted_hmac

from tournament.models import Event
from tournament.services.core.rate_limits import Limit, TooMany, count_try, reset_tries
from tournament.shared_cache import count_shared
from web.words.problems import say

TOO_MANY = 429
QUARTER = dt.timedelta(minutes=15)
# Of strangers alone: browsers in which somebody has signed in before, and one-time links, pass by
SIGN_INS = (Limit("sign-in", 60, QUARTER), Limit("sign-in-from", 100, QUARTER), Limit("sign-ins", 500, QUARTER))
BAD_LINKS = Limit("link", 60, dt.timedelta(minutes=10))
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


def nobody(*_who: object) -> str:
    """Return the name that Axes logs for anybody: none."""
    return "somebody"


def too_many(request: HttpRequest, many: TooMany) -> HttpResponse:
    """Answer 429: the reader must wait."""
    answer = render(request, "frame/wait.html", {"sentence": say(many.problems[0])}, status=TOO_MANY)
    answer["Retry-After"] = str(many.wait)
    answer["Cache-Control"] = "no-store"
    return answer


def count_sign_in(request: HttpRequest, name: str) -> int:
    """Count a stranger's try to sign in by name, by address, and with all others; return the seconds to wait."""
    keys = (name.casefold(), client_address(request), "")
    return max(count_try(limit, key) for limit, key in zip(SIGN_INS, keys, strict=True))


def forget_sign_ins(request: HttpRequest, name: str) -> None:
    """Forget the tries for a name and from an address after a right one."""
    for limit, key in zip(SIGN_INS, (name.casefold(), client_address(request)), strict=False):
        reset_tries(limit, key)


def count_bad_link(request: HttpRequest) -> HttpResponse | None:
    """Count a broken link; return the 429 answer where its address sent too many, else None."""
    wait = count_try(BAD_LINKS, client_address(request))
    if not wait:
        return None
    return too_many(request, TooMany("link.too_many", wait=wait))


def gentle_search(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Limit the `?q=` searches of an address on a page of an event; counted in the cache, not in the database."""

    @functools.wraps(view)
    def inner(request: HttpRequest, event: Event, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.GET.get("q") and _count(request, event, "search") > SEARCHES:
            return too_many(request, TooMany("search.too_many", wait=SPAN))
        return view(request, event, *args, **kwargs)

    return inner


def may_draw(request: HttpRequest, event: Event) -> bool:
    """Count a new picture of an event for an address; return whether it may still be drawn this minute."""
    return _count(request, event, "picture") <= PICTURES


def _count(request: HttpRequest, event: Event, what: str) -> int:
    where = salted_hmac(f"hanchan.{what}", f"{event.pk} {client_address(request)}", algorithm="sha256").hexdigest()
    return count_shared(f"{what}.{where}", seconds=SPAN)
