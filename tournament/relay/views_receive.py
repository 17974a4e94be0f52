"""At the relay: a hall's desk pairs by a code and then sends signed messages. Programs alone ask here, in JSON.

No cookie counts: a message is known by its signature, a desk that pairs by the code.
"""

import json
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from scoring.problems import Problem, ProblemType
from tournament.core.errors import Refused
from tournament.core.rate_limits import Limiter, Source
from tournament.pages.permissions_gateways import for_anyone
from tournament.pages.sign_in_rate_limits import QUARTER, client_network
from tournament.relay import actions_relay as relay
from tournament.relay.actions_relay import RELAY_NOT_UNDERSTOOD
from tournament.text.problems_problem_json import problems_json

RELAY_TOO_MANY = ProblemType("relay.too_many", "Too many codes were tried at this relay: wait a quarter of an hour.")

SIGNATURE = "X-Relay-Signature"
MOST_PAIR = 2000  # bytes
# A code has 40 random bits and lives for half an hour
WRONG_CODES = Limiter(scope="relay-code", span=QUARTER, network=10, everybody=1000)


@csrf_exempt
@require_POST
@for_anyone
def pair(request: HttpRequest) -> HttpResponse:
    """Let the desk with this key send an event, for the code that the relay's operator gave it."""
    source = Source(client_network(request))
    if WRONG_CODES.count(source):
        return _refused(RELAY_TOO_MANY(), HTTPStatus.TOO_MANY_REQUESTS)
    try:
        asked = _pairing(request.body)
        known = relay.pair(**asked)
    except Refused as refused:
        return _refused(refused.problems[0], HTTPStatus.FORBIDDEN)
    WRONG_CODES.forget(source)
    return JsonResponse({"pairing": str(known.pairing), "number": known.number})


def _pairing(body: bytes) -> dict[str, str]:
    try:
        asked: Any = json.loads(body) if len(body) <= MOST_PAIR else {}
        found = {name: asked[name] for name in ("code", "slug", "public_key")}
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Refused(RELAY_NOT_UNDERSTOOD()) from None
    if not all(isinstance(value, str) for value in found.values()):
        raise Refused(RELAY_NOT_UNDERSTOOD())
    return found


@csrf_exempt
@require_POST
@for_anyone
def receive(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a message; the answer is the number of the newest one that counts here."""
    try:
        receipt = relay.receive(slug=slug, body=request.body, signature=request.headers.get(SIGNATURE, ""))
    except Refused as refused:
        return _refused(refused.problems[0], HTTPStatus.FORBIDDEN)
    return JsonResponse({"number": receipt.number, "digest": receipt.digest, "taken": receipt.taken})


def _refused(problem: Problem, status: HTTPStatus) -> HttpResponse:
    return JsonResponse({"problems": problems_json([problem])}, status=status)
