"""Asking who somebody is once more before they destroy or publish; what they sent is kept, and carried out afterwards.

With a password it is asked a quarter of an hour after the last proof. Who came by a one-time link and has none is not
asked on the day they came; later they choose a password, which is the proof. Nobody is ever sent away to find a link.
Never on a form with files, which a page cannot keep, and never on what is done in the hurry of a round.
"""

import datetime as dt
import functools
from collections.abc import Callable
from typing import Any

from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from scoring.problems import error
from tournament.models import Account, Event
from tournament.services.access.access import end_other_sessions, set_password
from tournament.services.core.rate_limits import Limit, count_try, reset_tries
from web.frame.rate_limits import TOO_MANY
from web.frame.reauthentication_form import PasswordForm
from web.frame.signing_in import prove, proved_at
from web.words.problems import say

AFTER_PASSWORD = dt.timedelta(minutes=15)
AFTER_LINK = dt.timedelta(hours=12)
PASSWORD_TRIES = Limit("password", 10, dt.timedelta(minutes=15))
OURS = "again-"  # what the names of our own fields begin with
FORBIDDEN = 403

View = Callable[..., HttpResponse]
When = Callable[[HttpRequest, Event, dict[str, Any]], bool]


def asks_again(when: When | None = None) -> Callable[[View], View]:
    """Ask for a proof before what is sent to a view of an event, always or `when` that says so; below the gateway."""

    def decorate(view: View) -> View:
        @never_cache
        @sensitive_post_parameters()
        @functools.wraps(view)
        def inner(request: HttpRequest, event: Event, **kwargs: Any) -> HttpResponse:
            if request.method != "POST" or (when and not when(request, event, kwargs)):
                return view(request, event, **kwargs)
            asked = _ask(request, event)
            return asked or view(request, event, **kwargs)

        inner.asks_again = True  # type: ignore[attr-defined]
        return inner

    return decorate


def rules_frozen(_request: HttpRequest, event: Event, _named: dict[str, Any]) -> bool:
    """Say whether play has begun: before that rules are changed freely."""
    return event.rules_frozen_at is not None


def last_round(_request: HttpRequest, event: Event, named: dict[str, Any]) -> bool:
    """Say whether a release makes the final standings: those of a round before are routine."""
    return bool(named["round_number"] >= event.rounds_planned)


def prizes_open(request: HttpRequest, _event: Event, _named: dict[str, Any]) -> bool:
    """Say whether the prize giving begins or the results become public: between the two nobody is held up."""
    return request.POST.get("act") in ("begin", "results")


def is_proved(request: HttpRequest) -> bool:
    """Say whether the last proof is fresh enough."""
    proof, account = proved_at(request), request.user
    life = AFTER_PASSWORD if isinstance(account, Account) and account.has_usable_password() else AFTER_LINK
    return proof is not None and timezone.now() - proof < life


def _ask(request: HttpRequest, event: Event) -> HttpResponse | None:
    """Judge the proof that was sent and return None where it does, else the page that asks for one."""
    account = request.user
    if not isinstance(account, Account):
        return None  # the gateway lets nobody in who is nobody
    fields = request.POST.copy()
    sent = {name: fields.pop(name) for name in [*fields] if name.startswith(OURS)}
    if not sent and is_proved(request):
        return None
    unset = not account.has_usable_password()
    first = PasswordForm(account, request.POST if sent else None, prefix=OURS[:-1]) if unset else None
    problem, wait = "", 0
    if sent and first:
        if first.is_valid():
            _set_first(request, account, first.cleaned_data["new_password1"])
            _go_on(request, fields)
            return None
    elif sent:
        problem, wait = _judge(account, sent.get(f"{OURS}password", [""])[0])
        if not problem:
            _go_on(request, fields)
            return None
    return _page(request, {"event": event, "account": account, "first": first, "problem": problem}, fields, wait)


def _page(request: HttpRequest, context: dict[str, Any], fields: QueryDict, wait: int) -> HttpResponse:
    """Show the question with all that was sent before in hidden fields."""
    kept = [(name, value) for name, values in fields.lists() for value in values if name != "csrfmiddlewaretoken"]
    answer = render(
        request, "frame/reauthentication.html", context | {"kept": kept}, status=TOO_MANY if wait else FORBIDDEN
    )
    if wait:
        answer["Retry-After"] = str(wait)
    if "HX-Request" in request.headers:  # htmx would put it into a part of the page, or nowhere
        answer.status_code = 200
        answer["HX-Retarget"], answer["HX-Reswap"] = "body", "innerHTML"
    return answer


def _judge(account: Account, password: str) -> tuple[str, int]:
    """Return what is wrong with a password in words, "" for nothing, and how long to wait where it is too many."""
    wait = count_try(PASSWORD_TRIES, str(account.pk))
    if wait:
        return say(error("again.too_many_tries", minutes=-(-wait // 60))), wait
    if not account.check_password(password):
        return say(error("again.wrong_password")), 0
    reset_tries(PASSWORD_TRIES, str(account.pk))
    return "", 0


def _set_first(request: HttpRequest, account: Account, password: str) -> None:
    """Set a first password; whoever else is signed in as this account is not any more."""
    set_password(password=password, by=account)
    update_session_auth_hash(request, account)
    end_other_sessions(keep=request.session.session_key, by=account)


def _go_on(request: HttpRequest, fields: QueryDict) -> None:
    """Write the proof down, and leave the request as it was first sent."""
    prove(request)
    request.POST = fields  # type: ignore[assignment]
