"""Reauthentication before an act that destroys or publishes; the submitted form is kept and carried out afterwards.

A password is asked for 15 minutes after the last proof. An account without one, signed in by a one-time link, chooses
a password as its proof after 12 hours. Not for forms with files, which a page cannot keep, nor for acts of a running
round.
"""

import datetime as dt
import functools
from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.password_validation import password_validators_help_texts
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from scoring.problems import ProblemType
from tournament.accounts.actions_access import end_other_sessions, set_password
from tournament.core.rate_limits import Limiter, Source
from tournament.models.access import Account
from tournament.models.event import Event
from tournament.pages.sign_in_rate_limits import QUARTER, TOO_MANY, client_network
from tournament.pages.sign_in_signing_in import prove, proved_at
from tournament.text.problems_1 import say

AGAIN_WRONG_PASSWORD = ProblemType("again.wrong_password", "This is not your password.")
AGAIN_TOO_MANY_TRIES = ProblemType(
    "again.too_many_tries", "The password was tried too often: try again in {wait}. Nothing is lost."
)

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
            raise forms.ValidationError(say(AGAIN_TOO_MANY_TRIES(wait=self.wait)))
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
    return bool(named["round_number"] >= event.rounds_planned)


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
            _set_first(request, account, first.cleaned_data["new_password1"])
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
    answer = render(request, "frame/reauthentication.html", context, status=TOO_MANY if wait else FORBIDDEN)
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
        return say(AGAIN_TOO_MANY_TRIES(wait=wait)), wait
    return ("", 0) if is_right else (say(AGAIN_WRONG_PASSWORD()), 0)


def _set_first(request: HttpRequest, account: Account, password: str) -> None:
    """Set a first password and end the account's other sessions."""
    set_password(password=password, by=account)
    update_session_auth_hash(request, account)
    end_other_sessions(keep=request.session.session_key, by=account)
