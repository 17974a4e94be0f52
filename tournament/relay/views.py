"""The relay's settings at the hall's desk, and at the relay the addresses for programs: pairing and signed messages."""

import datetime as dt
import json
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from scoring.problems import Problem, ProblemType
from tournament.core.errors import DomainError
from tournament.core.rate_limits import Limiter, Source
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.permissions import DeskRequest, desk_context, for_anyone, who_may
from tournament.pages.requests import flash_refusal
from tournament.pages.sign_in import QUARTER, client_network, reauthenticate
from tournament.relay import actions as relay_actions
from tournament.relay.actions import RELAY_NOT_PAIRED, RELAY_NOT_UNDERSTOOD, begin_relay, end_relay
from tournament.relay.queries import get_relay
from tournament.relay.sender import RelayError, Status, ask_pairing, get_status, keep_status, take_down
from tournament.relay.wire import MAX_ADDRESS, is_address
from tournament.text.problems import problem_text, problems_json

RELAY_ADDRESS_UNUSABLE = ProblemType(
    "relay.address_unusable", "Write the address of the relay in full, such as https://live.example.org/."
)
RELAY_NOT_TAKEN_DOWN = ProblemType(
    "relay.not_taken_down",
    "The relay could not be reached and still shows what it had. Its operator can take the event down there.",
)

MAX_CODE = 40
NEAR = frozenset({"localhost", "127.0.0.1", "::1"})
BEHIND = dt.timedelta(seconds=30)  # until then a cut is no news


@require_http_methods(["GET", "POST"])
@who_may(Right.PUBLISH)
@reauthenticate()
def relay(request: DeskRequest, event: Event) -> HttpResponse:
    """Show how it goes, or the form; pair with the relay at an address by the code that it gave."""
    typed = {"address": request.POST.get("address", ""), "code": request.POST.get("code", "")}
    if request.method == "POST":
        with flash_refusal(request):
            begin_at(request, event, read_address(typed["address"]), typed["code"][:MAX_CODE])
            messages.success(request, _("Paired. The public pages are on their way."))
            return redirect("desk:relay", event.slug)
    row = get_relay(event)
    context = {
        "row": row,
        **typed,
        **(_state(event) if row else {}),
        "ask": row is None or "again" in request.GET,
        "most_address": MAX_ADDRESS,
        "most_code": MAX_CODE,
    }
    return render(request, "relay/hall.html", desk_context(request, event, "settings", **context))


def begin_at(request: DeskRequest, event: Event, address: str, code: str) -> None:
    """Pair and begin; raises DomainError."""
    try:
        pairing = ask_pairing(address, code, event.slug)
    except RelayError as wrong:
        raise DomainError(Problem(wrong.why, {"slug": event.slug})) from wrong
    keep_status(event.pk, Status())
    shown = request.POST.get("show_hall") == "on"
    begin_relay(event=event, address=address, pairing=pairing, show_hall=shown, by=request.user)


def read_address(typed: str) -> str:
    """Return the address of a relay with a slash at its end; raises DomainError for one that a message must not go to.

    >>> read_address("live.example.org"), read_address("https://example.org/live")
    ('https://live.example.org/', 'https://example.org/live/')
    """
    text = typed.strip()
    text = text if "://" in text else f"https://{text}"
    if not is_address(text):
        raise DomainError(RELAY_ADDRESS_UNUSABLE())
    parts = urlsplit(text)
    if parts.scheme == "http" and parts.hostname not in NEAR:
        raise DomainError(RELAY_ADDRESS_UNUSABLE())
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/"


def _state(event: Event) -> dict[str, Any]:
    """Return how it goes, for people: fine, on its way, or behind since when and why."""
    status = get_status(event.pk)
    sent = dt.datetime.fromisoformat(status.sent_at) if status.sent_at else None
    since = dt.datetime.fromisoformat(status.since) if status.since else None
    behind = since and timezone.now() - since > BEHIND
    failing = status.failing if behind or status.failing == RELAY_NOT_PAIRED.code else ""
    return {
        "status": status,
        "sent_at": sent,
        "since": since,
        "failing": problem_text(Problem(failing, {})) if failing else "",
        "there": f"{event.other_address.rstrip('/')}{reverse('public:phone', args=[event.slug])}",
    }


@require_POST
@who_may(Right.PUBLISH)
def end(request: DeskRequest, event: Event) -> HttpResponse:
    """Send nothing more; take the event down at the relay unless its last state is to stay there."""
    row, address, down = get_relay(event), event.other_address, "keep" not in request.POST
    if not end_relay(event=event, taken_down=down, by=request.user) or row is None:
        messages.info(request, _("Nothing was changed."))
        return redirect("desk:relay", event.slug)
    try:
        if down:
            take_down(address, row.pairing, event.slug)
        messages.success(request, _("Nothing more is sent to the relay."))
    except RelayError:
        messages.warning(request, problem_text(RELAY_NOT_TAKEN_DOWN()))
    return redirect("desk:relay", event.slug)


RELAY_TOO_MANY = ProblemType("relay.too_many", "Too many codes were tried at this relay: wait a quarter of an hour.")

SIGNATURE = "X-Relay-Signature"
MAX_PAIR = 2000  # bytes
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
        known = relay_actions.pair(**asked)
    except DomainError as refused:
        return _refused(refused.problems[0], HTTPStatus.FORBIDDEN)
    WRONG_CODES.forget(source)
    return JsonResponse({"pairing": str(known.pairing), "number": known.number})


def _pairing(body: bytes) -> dict[str, str]:
    try:
        asked: Any = json.loads(body) if len(body) <= MAX_PAIR else {}
        found = {name: asked[name] for name in ("code", "slug", "public_key")}
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DomainError(RELAY_NOT_UNDERSTOOD()) from None
    if not all(isinstance(value, str) for value in found.values()):
        raise DomainError(RELAY_NOT_UNDERSTOOD())
    return found


@csrf_exempt
@require_POST
@for_anyone
def receive(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a message; the answer is the number of the newest one that counts here."""
    try:
        receipt = relay_actions.receive(slug=slug, body=request.body, signature=request.headers.get(SIGNATURE, ""))
    except DomainError as refused:
        return _refused(refused.problems[0], HTTPStatus.FORBIDDEN)
    return JsonResponse({"number": receipt.number, "digest": receipt.digest, "taken": receipt.taken})


def _refused(problem: Problem, status: HTTPStatus) -> HttpResponse:
    return JsonResponse({"problems": problems_json([problem])}, status=status)
