"""Browsers in which somebody has signed in before. Their wrong passwords and PINs are counted apart from strangers'.

So nobody who guesses at a name, or has photographed a card, locks the one out whose it is. A signed cookie says whose
browser it is; it lets nobody in.
"""

import hashlib
import ipaddress
from typing import Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from tournament.models import Account
from web.frame.rate_limits import client_address

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


def counted_address(request: HttpRequest) -> str:
    """Return under what Axes counts wrong passwords: the client's address, or one that stands for a known account."""
    number = known_account(request)
    if number is None:
        return client_address(request)
    digest = hashlib.sha256(f"{settings.SECRET_KEY} {number}".encode()).digest()
    return str(ipaddress.IPv6Address(b"\xfd" + digest[:15]))  # fd00::/8 is nobody's on the Internet
