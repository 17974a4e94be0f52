"""A phone asks to be told of the table of the player that it follows, or to be told nothing more."""

import json
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import get_language
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from scoring.problems import Problem, ProblemType
from tournament.core.errors import DomainError
from tournament.core.rate_limits import Limiter, Source
from tournament.events.models import Event
from tournament.pages.permissions import ACCESS_NO_TOKEN, for_public
from tournament.pages.public_page import follows
from tournament.pages.sign_in import QUARTER, client_network
from tournament.push.actions import PHONE_TOO_MANY, leave_phone, tell_phone
from tournament.push.sender import fits, is_service
from tournament.text.problems import problems_json

PHONE_DEMO = ProblemType("phone.demo", "This is a demo: it sends nothing to phones.")
PHONE_UNUSABLE = ProblemType("phone.unusable", "This browser's push service is not one that the desk knows.")
PHONE_FOLLOWS_NOBODY = ProblemType(
    "phone.follows_nobody", "Choose your name first: then your table can be sent to this phone."
)

ASKED = Limiter(scope="push", span=QUARTER, network=200)  # a hall behind one router
MOST = 600  # characters of an address


@csrf_exempt  # public pages have no token; the browser says where it comes from
@require_POST
@for_public
def tell(request: HttpRequest, event: Event) -> HttpResponse:
    """Note the phone for the player that it follows; with "off" delete what is noted of it."""
    if not _from_here(request):
        return _refused(ACCESS_NO_TOKEN(), HTTPStatus.FORBIDDEN)
    if ASKED.count(Source(client_network(request))):
        return _refused(PHONE_TOO_MANY(), HTTPStatus.TOO_MANY_REQUESTS)
    if settings.DEMO:
        return _refused(PHONE_DEMO(), HTTPStatus.CONFLICT)
    asked, number = _read(request.body), follows(request, event)
    if asked is None:
        return _refused(PHONE_UNUSABLE(), HTTPStatus.UNPROCESSABLE_ENTITY)
    if asked.pop("off"):
        leave_phone(endpoint=asked["endpoint"])
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    if number is None:
        return _refused(PHONE_FOLLOWS_NOBODY(), HTTPStatus.CONFLICT)
    try:
        tell_phone(event=event, number=number, language=get_language() or settings.LANGUAGE_CODE, **asked)
    except DomainError as refused:
        return _refused(refused.problems[0], HTTPStatus.SERVICE_UNAVAILABLE)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def _from_here(request: HttpRequest) -> bool:
    """Tell whether a page of this desk sent it: the browser says so, and no page of another site can say it."""
    site = request.headers.get("Sec-Fetch-Site", "")
    own = f"{request.scheme}://{request.get_host()}"
    return site == "same-origin" if site else request.headers.get("Origin", "") == own


def _read(body: bytes) -> dict[str, Any] | None:
    """Return what a browser gave, None where it is unusable."""
    try:
        given = json.loads(body)
        keys = given.get("keys") or {}
        off = given.get("off") is True
        found = {"endpoint": given["endpoint"], "key": keys.get("p256dh", ""), "secret": keys.get("auth", "")}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    texts = all(isinstance(value, str) and len(value) <= MOST for value in found.values())
    if not texts or not is_service(found["endpoint"]) or not (off or fits(found["key"], found["secret"])):
        return None
    return {**found, "off": off}


def _refused(problem: Problem, status: HTTPStatus) -> HttpResponse:
    return JsonResponse({"problems": problems_json([problem])}, status=status)
