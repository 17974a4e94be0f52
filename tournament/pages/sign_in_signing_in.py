"""Begin a session, and tell whose a session is.

The only place that begins one: its callers have checked the password, link or PIN.
"""

import datetime as dt
import re
from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user, login
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject

from tournament.accounts.actions_access import delete_expired_sessions
from tournament.accounts.session_store import BROWSER, MADE
from tournament.models.access import Account

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
HALF = "half"  # session key: whose password was right, while the second step is asked
HALF_LIFE = dt.timedelta(minutes=10)


def sign_in_as(request: HttpRequest, account: Account, *, until: dt.datetime | None = None) -> None:
    """Begin a session under a new key, ending at `until` where it is given."""
    login(request, account, backend=BACKEND)
    request.session.pop(HALF, None)
    request.session.cycle_key()  # Django keeps the key when the same user signs in again
    moment = timezone.now().isoformat()
    values = {MADE: moment, PROVED: moment, BROWSER: browser_of(request.headers.get("User-Agent", ""))}
    request.session.update(values)
    if until:
        request.session.set_expiry(until)
    delete_expired_sessions()


def ask_second_step(request: HttpRequest, account: Account, target: str) -> None:
    """Remember for some minutes that the password was right; nobody is signed in yet."""
    request.session.cycle_key()
    moment = timezone.now().isoformat()
    request.session[HALF] = [account.pk, account.get_session_auth_hash(), moment, target]


def half_signed_in(request: HttpRequest) -> tuple[Account, str] | None:
    """Return whose password was right, and the address asked for; None where nobody's was, or too long ago."""
    kept = request.session.get(HALF)
    if not kept:
        return None
    key, digest, moment, target = kept
    account = Account.objects.filter(pk=key, is_active=True).first()
    if account is None or timezone.now() - dt.datetime.fromisoformat(moment) > HALF_LIFE:
        return None
    # a password that was changed meanwhile takes the first step back
    return (account, target) if constant_time_compare(digest, account.get_session_auth_hash()) else None


class SignedIn(AuthenticationMiddleware):
    """Django's middleware, without its query: the session's row brings its account along."""

    def process_request(self, request: HttpRequest) -> None:
        """Set `request.user`, looked up when it is first needed."""
        super().process_request(request)
        request.user = SimpleLazyObject(lambda: _let_in(request))  # type: ignore[assignment]


def _let_in(request: HttpRequest) -> Any:
    """Return whose session it is, nobody's where a table device's time is over."""
    account = _account_of(request)
    ended = isinstance(account, Account) and account.is_shut_out(timezone.now())
    return AnonymousUser() if ended else account


def _account_of(request: HttpRequest) -> Any:
    """Return whose session it is, as Django's `get_user` does, which is asked wherever anything is not as usual."""
    session: Any = request.session
    said = [session.get(name) for name in (SESSION_KEY, BACKEND_SESSION_KEY, HASH_SESSION_KEY)]
    account = session.account
    if account is None or not account.is_active or said[:2] != [str(account.pk), BACKEND]:
        return get_user(request)
    is_proved = constant_time_compare(said[2] or "", account.get_session_auth_hash())
    return account if is_proved else get_user(request)


def prove(request: HttpRequest) -> None:
    """Record that the user has just reauthenticated."""
    request.session[PROVED] = timezone.now().isoformat()


def proved_at(request: HttpRequest) -> dt.datetime | None:
    """Return when the user last authenticated: by signing in or by reauthentication."""
    text = request.session.get(PROVED) or request.session.get(MADE)
    return dt.datetime.fromisoformat(text) if text else None
