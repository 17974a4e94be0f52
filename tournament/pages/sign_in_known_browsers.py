"""Browsers in which somebody has signed in before. Their wrong passwords and PINs are counted apart from strangers'.

So nobody who guesses at a name, or has photographed a card, locks the one out whose it is. A signed cookie says whose
browser it is; it lets nobody in.
"""

from typing import Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from tournament.core.rate_limits import Source
from tournament.models.access import Account
from tournament.pages.sign_in_rate_limits import client_network

COOKIE: Final = "browser"
SALT: Final = "hanchan.known-browser"
LASTS: Final = 365 * 24 * 3600  # seconds


def known_account(request: HttpRequest) -> int | None:
    """Return the number of the account that signed in last in this browser, None for a stranger's."""
    try:
        number = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=LASTS)
    except signing.BadSignature:
        return None
    return number if isinstance(number, int) else None


def remember(answer: HttpResponse, account: Account) -> HttpResponse:
    """Let this browser be known as the account's, which has just signed in there."""
    answer.set_cookie(
        COOKIE,
        signing.dumps(account.pk, salt=SALT),
        max_age=LASTS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return answer


def source_of(request: HttpRequest, account: int | None, name: str = "") -> Source:
    """Return where a try for an account comes from; `name` is what was typed where there is no such account.

    A browser that is known as this account's is proven: nobody else's tries count there.
    """
    if account is not None and known_account(request) == account:
        return Source(account=str(account), proven=True)
    return Source(client_network(request), name.casefold() if account is None else str(account))
