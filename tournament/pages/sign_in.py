"""Sessions: sign somebody in, ask for a proof or a confirmation before an act, and limit attempts by address.

A password is asked for 15 minutes after the last proof. An account without one, signed in by a one-time link, chooses
a password as its proof after 12 hours. The submitted form is stored and carried out afterwards. Not for forms with
files, which a page cannot store, nor for acts of a running round. Wrong passwords and PINs of browsers in which
somebody has signed in before are counted apart from those of strangers.
"""

import datetime as dt
import functools
import re
from collections.abc import Callable
from typing import Any, Final

from django import forms
from django.conf import settings
from django.contrib.auth import (
    BACKEND_SESSION_KEY,
    HASH_SESSION_KEY,
    SESSION_KEY,
    get_user,
    login,
    update_session_auth_hash,
)
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.password_validation import password_validators_help_texts
from django.core import signing
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from scoring.problems import ProblemType
from tournament.accounts.actions import delete_expired_sessions, end_other_sessions, set_password
from tournament.accounts.models import Account
from tournament.accounts.session_store import BROWSER, MADE
from tournament.core.rate_limits import Limiter, RateLimitedError, Source
from tournament.core.shared_cache import count_shared
from tournament.events.models import Event
from tournament.pages.addresses import network_of
from tournament.pages.permissions import DeskRequest, desk_context
from tournament.text.problems import problem_text

AGAIN_WRONG_PASSWORD = ProblemType("again.wrong_password", "This is not your password.")
AGAIN_TOO_MANY_TRIES = ProblemType(
    "again.too_many_tries", "The password was tried too often: try again in {wait}. Nothing is lost."
)
QUARTER = dt.timedelta(minutes=15)

# Of who is signed in: pages that ask for the password again, or for the old one
PASSWORD_TRIES = Limiter(scope="password", span=QUARTER, pair=10, account=20)


class PasswordForm(SetPasswordForm):
    """A new password, twice, and the old one where there is one."""

    wait = 0  # seconds, after too many wrong old passwords

    old_password = forms.CharField(
        label=_("Old password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    field_order = ["old_password", "new_password1", "new_password2"]

    def __init__(self, user: Account, *args: Any, network: str, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self.network = network
        self.fields["new_password1"].help_text = " ".join(password_validators_help_texts())
        if not user.has_usable_password():
            del self.fields["old_password"]

    def clean_old_password(self) -> str:
        """Refuse a wrong old password."""
        typed: str = self.cleaned_data["old_password"]
        is_right, self.wait = try_password(self.user, typed, self.network)
        if self.wait:
            raise forms.ValidationError(problem_text(AGAIN_TOO_MANY_TRIES(wait=self.wait)))
        if not is_right:
            raise forms.ValidationError(_("This is not your old password."))
        return typed


def try_password(account: Account, password: str, network: str) -> tuple[bool, int]:
    """Return whether a password is right, and the seconds to wait where too many were tried."""
    source = Source(network, str(account.pk))
    wait = PASSWORD_TRIES.count(source)
    if wait or not account.check_password(password):
        return False, wait
    PASSWORD_TRIES.forget(source)
    return True, 0


AFTER_PASSWORD = dt.timedelta(minutes=15)
AFTER_LINK = dt.timedelta(hours=12)
PREFIX = "again-"  # of the fields of the question itself
FORBIDDEN = 403

View = Callable[..., HttpResponse]
When = Callable[[HttpRequest, Event, dict[str, Any]], bool]


def reauthenticate(when: When | None = None) -> Callable[[View], View]:
    """Require a fresh proof for a POST, always or where `when` says so of an event; goes below who_may, for_account."""

    def decorate(view: View) -> View:
        @never_cache
        @sensitive_post_parameters()
        @functools.wraps(view)
        def inner(request: HttpRequest, *of_event: Event, **kwargs: Any) -> HttpResponse:
            if request.method != "POST" or (when is not None and not when(request, of_event[0], kwargs)):
                return view(request, *of_event, **kwargs)
            return _ask(request, *of_event) or view(request, *of_event, **kwargs)

        inner.reauthenticates = True  # type: ignore[attr-defined]  # tests hold it against the table of rights
        return inner

    return decorate


def rules_frozen(_request: HttpRequest, event: Event, _named: dict[str, Any]) -> bool:
    """Tell whether play has begun; before that rules change freely."""
    return event.rules_frozen_at is not None


def last_round(_request: HttpRequest, event: Event, named: dict[str, Any]) -> bool:
    """Tell whether a release makes the final standings; earlier releases are routine."""
    return event.ends_with(named["round_number"])


def prizes_open(request: HttpRequest, _event: Event, _named: dict[str, Any]) -> bool:
    """Tell whether the prize giving begins or the results become public; between the two nobody is held up."""
    return request.POST.get("act") in ("begin", "results")


def is_proved(request: HttpRequest) -> bool:
    """Tell whether the last proof is fresh enough."""
    proof, account = proved_at(request), request.user
    life = AFTER_PASSWORD if isinstance(account, Account) and account.has_usable_password() else AFTER_LINK
    return proof is not None and timezone.now() - proof < life


def _ask(request: HttpRequest, event: Event | None = None) -> HttpResponse | None:
    """Return the page that asks for a proof; None where a fresh or a submitted one is valid."""
    account = request.user
    if not isinstance(account, Account):
        return None  # never happens below who_may
    fields = request.POST.copy()
    sent = {name: fields.pop(name) for name in [*fields] if name.startswith(PREFIX)}
    if not sent and is_proved(request):
        return None
    unset = not account.has_usable_password()
    network, submitted = client_network(request), request.POST if sent else None
    first = PasswordForm(account, submitted, network=network, prefix=PREFIX[:-1]) if unset else None
    problem, wait, is_valid = "", 0, False
    if sent and first:
        is_valid = first.is_valid()
        if is_valid:
            password = first.cleaned_data["new_password1"]
            set_password(password=password, by=account)
            update_session_auth_hash(request, account)
            end_other_sessions(keep=request.session.session_key, by=account)
    elif sent:
        problem, wait = _judge(account, sent.get(f"{PREFIX}password", [""])[0], network)
        is_valid = not problem
    if is_valid:
        prove(request)
        request.POST = fields  # type: ignore[assignment]  # as it was first sent
        return None
    back = reverse("desk:grid", args=[event.slug]) if event else reverse("account")
    context = {"back": back, "account": account, "first": first, "problem": problem}
    return _page(request, context, fields, wait)


def _page(request: HttpRequest, context: dict[str, Any], fields: QueryDict, wait: int) -> HttpResponse:
    """Show the question, with the submitted form in hidden fields."""
    hidden = [(name, value) for name, values in fields.lists() for value in values if name != "csrfmiddlewaretoken"]
    context |= {"hidden": hidden}
    answer = render(request, "pages/reauthentication.html", context, status=TOO_MANY if wait else FORBIDDEN)
    if wait:
        answer["Retry-After"] = str(wait)
    if "HX-Request" in request.headers:  # else htmx swaps it into a part of the page, or drops it
        answer.status_code = 200
        answer["HX-Retarget"], answer["HX-Reswap"] = "body", "innerHTML"
    return answer


def _judge(account: Account, password: str, network: str) -> tuple[str, int]:
    """Return why a password is refused, "" if it is right, and the seconds to wait after too many tries."""
    is_right, wait = try_password(account, password, network)
    if wait:
        return problem_text(AGAIN_TOO_MANY_TRIES(wait=wait)), wait
    return ("", 0) if is_right else (problem_text(AGAIN_WRONG_PASSWORD()), 0)


def confirm_first(
    request: DeskRequest,
    event: Event | None,
    *,
    title: str,
    text: str = "",
    submit: str = "",
    back: str,
    tab: str = "desk",
    danger: bool = False,
) -> HttpResponse | None:
    """Ask whether a posted form is meant; None once it is: the answer posts all its fields again, with `sure`.

    Without an event the page is one of the site. Without other words it asks before something is deleted for good.
    """
    if "sure" in request.POST:
        return None
    fields = [(name, value) for name in request.POST for value in request.POST.getlist(name)]
    context = {
        "title": title,
        "text": text or _("This cannot be undone."),
        "submit": submit or _("Delete"),
        "danger": danger,
        "back": back,
        "action": request.get_full_path(),
        "fields": [(name, value) for name, value in fields if name != "csrfmiddlewaretoken"],
    }
    page = desk_context(request, event, tab, **context) if event else {"desk_nav": [], **context}
    return render(request, "pages/ask.html", page)


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


SEARCH_TOO_MANY = ProblemType(
    "search.too_many", "Too many searches come from here: wait {wait}. The list of all names stays open."
)
LINK_TOO_MANY = ProblemType("link.too_many", "Too many links that do not work came from here: wait {wait}.")

TOO_MANY = 429
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


def too_many(request: HttpRequest, many: RateLimitedError) -> HttpResponse:
    """Answer 429: the reader must wait."""
    answer = render(request, "pages/wait.html", {"sentence": problem_text(many.problems[0])}, status=TOO_MANY)
    answer["Retry-After"] = str(many.wait)
    answer["Cache-Control"] = "no-store"
    return answer


def count_bad_link(request: HttpRequest) -> HttpResponse | None:
    """Count a broken link; return the 429 answer where its network sent too many, else None."""
    wait = BAD_LINKS.count(Source(client_network(request)))
    if not wait:
        return None
    return too_many(request, RateLimitedError(LINK_TOO_MANY, wait=wait))


def rate_limited_search(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Limit the `?q=` searches of an address on a page of an event; counted in the cache, not in the database."""

    @functools.wraps(view)
    def inner(request: HttpRequest, event: Event, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.GET.get("q") and _count(request, event, "search") > SEARCHES:
            return too_many(request, RateLimitedError(SEARCH_TOO_MANY, wait=SPAN))
        return view(request, event, *args, **kwargs)

    return inner


class CopyRequest(HttpRequest):
    """A request that the desk makes itself, for a copy of its public pages: no limit counts it."""


def may_draw(request: HttpRequest, event: Event | None) -> bool:
    """Count a new picture for an address; return whether it may still be drawn this minute.

    Pictures are counted by event; None is that of people over events.
    """
    return isinstance(request, CopyRequest) or _count(request, event, "picture") <= PICTURES


def _count(request: HttpRequest, event: Event | None, what: str) -> int:
    of = event.pk if event else 0
    where = salted_hmac(f"hanchan.{what}", f"{of} {client_network(request)}", algorithm="sha256").hexdigest()
    return count_shared(f"{what}.{where}", seconds=SPAN)
