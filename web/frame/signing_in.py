"""Signing somebody in: the one place where a session begins, however they proved who they are.

It judges no password, link or PIN; who calls it has.
"""

import datetime as dt

from django.contrib.auth import login
from django.http import HttpRequest
from django.utils import timezone

from tournament.models import Account
from tournament.services.access.access import delete_expired_sessions
from tournament.session_store import BROWSER, MADE
from web.frame.browsers import browser_of

BACKEND = "django.contrib.auth.backends.ModelBackend"
PROVED = "proved"  # when they last proved who they are


def sign_in_as(request: HttpRequest, account: Account, *, until: dt.datetime | None = None) -> None:
    """Begin a session under a new key, until a moment where one is given."""
    login(request, account, backend=BACKEND)
    request.session.cycle_key()  # Django keeps the key of somebody who signs in twice
    moment = timezone.now().isoformat()
    values = {MADE: moment, PROVED: moment, BROWSER: browser_of(request.headers.get("User-Agent", ""))}
    request.session.update(values)
    if until:
        request.session.set_expiry(until)
    delete_expired_sessions()


def prove(request: HttpRequest) -> None:
    """Write down that somebody has just proved once more who they are."""
    request.session[PROVED] = timezone.now().isoformat()


def proved_at(request: HttpRequest) -> dt.datetime | None:
    """Return when somebody last proved who they are: by coming in, or when they were asked again."""
    text = request.session.get(PROVED) or request.session.get(MADE)
    return dt.datetime.fromisoformat(text) if text else None
