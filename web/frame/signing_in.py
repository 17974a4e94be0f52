"""Begin a session. The only place that does: its callers have checked the password, link or PIN."""

import datetime as dt
import re

from django.contrib.auth import login
from django.http import HttpRequest
from django.utils import timezone

from tournament.models import Account
from tournament.services.access.sessions import forget_expired_sessions
from tournament.session_store import BROWSER, MADE

# the first match counts: most browsers also name others for compatibility
_BROWSERS = (
    ("edge", re.compile(r"Edg(?:e|A|iOS)?/")),
    ("opera", re.compile(r"OPR/|Opera")),
    ("samsung", re.compile(r"SamsungBrowser/")),
    ("firefox", re.compile(r"Firefox/|FxiOS/")),
    ("chrome", re.compile(r"Chrome/|CriOS/|Chromium/")),
    ("safari", re.compile(r"Version/[\d.]+.*Safari/|AppleWebKit/.*Mobile/")),
)
_SYSTEMS = (
    ("android", re.compile(r"Android")),
    ("iphone", re.compile(r"iPhone|iPod")),
    ("ipad", re.compile(r"iPad")),
    ("windows", re.compile(r"Windows")),
    ("chromeos", re.compile(r"CrOS")),
    ("mac", re.compile(r"Macintosh")),
    ("linux", re.compile(r"Linux|X11")),
)
_MOST = 400


def browser_of(user_agent: str) -> str:
    """Return browser and system as a code, "" where neither is known; the text itself, a fingerprint, is not stored.

    >>> browser_of("Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0")
    'firefox android'
    >>> browser_of("curl/8.5")
    ''
    """
    text = user_agent[:_MOST]
    found = (next((code for code, sign in table if sign.search(text)), "") for table in (_BROWSERS, _SYSTEMS))
    return " ".join(code for code in found if code)


BACKEND = "django.contrib.auth.backends.ModelBackend"
PROVED = "proved"  # session key: when the user last authenticated


def sign_in_as(request: HttpRequest, account: Account, *, until: dt.datetime | None = None) -> None:
    """Begin a session under a new key, ending at `until` where it is given."""
    login(request, account, backend=BACKEND)
    request.session.cycle_key()  # Django keeps the key when the same user signs in again
    moment = timezone.now().isoformat()
    values = {MADE: moment, PROVED: moment, BROWSER: browser_of(request.headers.get("User-Agent", ""))}
    request.session.update(values)
    if until:
        request.session.set_expiry(until)
    forget_expired_sessions()


def prove(request: HttpRequest) -> None:
    """Record that the user has just reauthenticated."""
    request.session[PROVED] = timezone.now().isoformat()


def proved_at(request: HttpRequest) -> dt.datetime | None:
    """Return when the user last authenticated: by signing in or by reauthentication."""
    text = request.session.get(PROVED) or request.session.get(MADE)
    return dt.datetime.fromisoformat(text) if text else None
