"""What guests of a demo may write: so many acts of so many bytes, and nothing of their own account."""

import datetime as dt
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from scoring.problems import Problem, ProblemType
from tournament.accounts.actions import is_guest
from tournament.accounts.models import Account
from tournament.core.rate_limits import Limiter, RateLimitedError, Source
from tournament.pages.sign_in import client_network, too_many
from tournament.text.problems import problem_text

DEMO_TOO_MANY_ACTS = ProblemType(
    "demo.too_many_acts", "Too many entries came from here in this demo: wait {wait}. What is saved stays."
)
DEMO_TOO_LARGE = ProblemType("demo.too_large", "This demo takes at most {most} kB at once.")
DEMO_OWN_ACCOUNT = ProblemType(
    "demo.own_account", "A guest of the demo keeps the name and the sign-in that the demo gave."
)

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
MAX_BYTES: Final = 32 * 1024  # of one act: the largest form of the sample events has some 10 kB
MINUTE, HOUR = dt.timedelta(minutes=1), dt.timedelta(hours=1)
ACTS = Limiter(scope="guest-acts", span=5 * MINUTE, pair=100)
ACTS_OF_ALL = Limiter(scope="guest-acts-all", span=HOUR, network=1500, everybody=20_000)  # some 3 kB of disk each
SAYS_WHERE: Final = "/presence/"  # each open page says every five seconds where it is
WHERE = Limiter(scope="guest-where", span=MINUTE, pair=120)
OWN_ACCOUNT: Final = "/account/"


class GuestLimits:
    """The middleware of a demo."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Pass on what is within the limits."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer a request, or refuse in words."""
        if request.method in SAFE:
            return self.get_response(request)
        return _refuse(request) or self.get_response(request)


def _refuse(request: HttpRequest) -> HttpResponse | None:
    """Return why an act is refused, None where it may be done; narrow limits are counted first."""
    if _size(request) > MAX_BYTES:
        return _in_words(DEMO_TOO_LARGE(most=MAX_BYTES // 1024), HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    source = Source(client_network(request), str(request.user.pk) if request.user.is_authenticated else "")
    for limiter in (WHERE,) if request.path.endswith(SAYS_WHERE) else (ACTS, ACTS_OF_ALL):
        if wait := limiter.count(source):
            return too_many(request, RateLimitedError(DEMO_TOO_MANY_ACTS, wait=wait))
    if request.path.startswith(OWN_ACCOUNT) and isinstance(request.user, Account) and is_guest(request.user):
        messages.error(request, problem_text(DEMO_OWN_ACCOUNT()))
        return redirect("account")
    return None


def _size(request: HttpRequest) -> int:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length) if str(length).isdigit() else MAX_BYTES + 1


def _in_words(problem: Problem, status: HTTPStatus) -> HttpResponse:
    return HttpResponse(f"{problem_text(problem)}\n", status=status, content_type="text/plain; charset=utf-8")
