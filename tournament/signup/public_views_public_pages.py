"""The public side of sign-up: the event's page before it begins, the form, and a personal page for each sign-up.

All who ask for a link get the same answer, signed up or not. Nothing here is kept by a cache.
"""

import uuid
from decimal import Decimal
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from segno.helpers import make_epc_qr

from scoring.problems import InvalidInput
from tournament.accounts.queries import get_rights
from tournament.core.errors import Refused
from tournament.core.rate_limits import TooMany
from tournament.core.rights import Verb
from tournament.models.event import Event
from tournament.models.sign_up import SignUp, SignUpPage, SignUpState
from tournament.pages.permissions_gateways import for_public
from tournament.pages.public_page import answer_one, public_context
from tournament.pages.requests_tables import UNPROCESSABLE, flash_problems, to_uuid
from tournament.pages.sign_in_rate_limits import client_network, count_bad_link, too_many
from tournament.rulesets.public_views_public_rules import house_rules_of
from tournament.rulesets.views_rules import rules_line
from tournament.settings.new_event import card_of
from tournament.signup.actions_players import check_in_by_link, may_check_in
from tournament.signup.actions_sign_ups import (
    LOOKS,
    accept_offer,
    cancel,
    count_sender,
    set_consent,
    settle_event,
    sign_up,
)
from tournament.signup.letter_sender import mail_of
from tournament.signup.letters import ask_for_link
from tournament.signup.messages import say_money, spaced, text_of
from tournament.signup.public_views_forms import MailForm, SignUpForm, looked_up
from tournament.signup.queries import (
    count_places,
    find_by_mail,
    find_by_token,
    get_page,
    is_open,
    kept_until,
    list_coming,
    paid_by,
    suggest_clubs,
    token_of,
    waiting_place,
)
from tournament.signup.settings_page import TEXTS
from tournament.tables.round_queries_clock import list_days, list_round_times
from tournament.text.plain_text import blocks_of
from tournament.text.problems_1 import say

BAIT = "website"  # a field that people do not see and machines fill in


@require_safe
@for_public
def about(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the event's page: what, where, when, rules, fee, programme, prizes, referees, who is coming."""
    page = _page_or_404(request, event)
    settle_event(event)
    context = {
        "page": page,
        "texts": {key: _text(page, event, key) for key in TEXTS if key != "letter"},
        "days": list_days(event),
        "starts": [each for each in list_round_times(event) if each.planned],
        "rules_line": rules_line(event),
        "facts": card_of(event.ruleset).facts,
        "house": house_rules_of(event),
        "map_url": map_url(page),
        "fee": say_money(page.fee, page.currency) if page.fee else "",
        "places": count_places(event, page),
        "open": is_open(page, timezone.now()),
        "coming": list_coming(event) if page.coming_shown else [],
    }
    shown = {**public_context(event, ""), "version_url": "", **context}
    answer = render(request, "signup/about.html", shown)
    answer["Cache-Control"] = "no-store"
    return answer


@require_http_methods(["GET", "POST"])
@for_public
def start(request: HttpRequest, event: Event) -> HttpResponse:
    """Ask for the address to which a link goes; where the desk has no mail server, ask for everything at once."""
    page = _page_or_404(request, event)
    if not is_open(page, timezone.now()):
        return answer_one(request, event, "signup/start.html", {"page": page, "closed": True})
    if not settings.MAIL:
        return _whole_form(request, event, page, mail="")
    form = MailForm(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {"page": page, "form": form, "bait": BAIT}
    if form.is_valid():
        try:
            count_sender(event, client_network(request))
        except TooMany as many:
            return too_many(request, many)
        if not request.POST.get(BAIT):
            language = get_language() or event.language
            ask_for_link(event=event, mail=form.cleaned_data["mail"], language=language, sender=client_network(request))
        context = {"page": page, "sent": form.cleaned_data["mail"]}
    return answer_one(request, event, "signup/start.html", context, status=UNPROCESSABLE if form.errors else 200)


@require_http_methods(["GET", "POST"])
@for_public
def form(request: HttpRequest, event: Event, token: str) -> HttpResponse:
    """Ask the reader of a letter for everything; lead those who are signed up to their page."""
    page, mail = _page_or_404(request, event), mail_of(event, token)
    if not mail:
        return count_bad_link(request) or answer_one(request, event, "signup/start.html", {"page": page, "stale": True})
    if known := find_by_mail(event, mail):
        return redirect("public:my_sign_up", event.slug, token_of(known))
    if not is_open(page, timezone.now()):
        return answer_one(request, event, "signup/start.html", {"page": page, "closed": True})
    return _whole_form(request, event, page, mail=mail)


def _whole_form(request: HttpRequest, event: Event, page: SignUpPage, *, mail: str) -> HttpResponse:
    """Take the form with everything, or show it: empty, with what EMA's list knows, or with what is wrong."""
    asked = request.POST if request.method == "POST" else None
    if asked is not None and "look" in asked:
        try:
            count_sender(event, client_network(request), LOOKS, mail=mail)
        except TooMany as many:
            return too_many(request, many)
        form = SignUpForm(event, page, initial=looked_up(asked.dict()), proven=bool(mail))
    else:
        form = SignUpForm(event, page, asked, proven=bool(mail))
    if form.is_valid():
        try:
            return _take(request, event, form, mail)
        except TooMany as many:
            return too_many(request, many)
        except (Refused, InvalidInput) as refused:
            for problem in refused.problems:
                form.add_error(None, say(problem))
    clubs, countries = suggest_clubs()
    context = {
        "page": page,
        "form": form,
        "mail": mail,
        "bait": BAIT,
        "client_id": (asked.get("client_id") if asked else "") or str(uuid.uuid4()),
        "clubs": clubs,
        "countries": countries,
        "places": count_places(event, page),
        "fee": say_money(page.fee, page.currency) if page.fee else "",
        "kept_until": kept_until(event, page),
    }
    return answer_one(request, event, "signup/form.html", context, status=UNPROCESSABLE if form.errors else 200)


def _take(request: HttpRequest, event: Event, form: SignUpForm, mail: str) -> HttpResponse:
    if request.POST.get(BAIT):
        return redirect("public:sign_up", event.slug)
    count_sender(event, client_network(request), mail=mail)
    row = sign_up(
        event=event, new=form.said(mail), client_id=to_uuid(request.POST.get("client_id", "")), proven=bool(mail)
    )
    return redirect("public:my_sign_up", event.slug, token_of(row))


@require_http_methods(["GET", "POST"])
@for_public
def mine(request: HttpRequest, event: Event, token: str) -> HttpResponse:
    """Show somebody by their own link where they are; accept, cancel, pay, check in, change what may be shown."""
    row = find_by_token(event, token)
    if row is None:
        refused = count_bad_link(request)
        if refused:
            return refused
        raise Http404("There is no such sign-up.")
    if request.method == "POST":
        return _act(request, row, token)
    settle_event(event)
    row.refresh_from_db()
    page = get_page(event)
    return answer_one(request, event, "signup/mine.html", {"page": page, "row": row, **_mine(request, page, row)})


def _act(request: HttpRequest, row: SignUp, token: str) -> HttpResponse:
    """Do what a button of the personal page says; a second time it changes nothing."""
    act = request.POST.get("act", "")
    try:
        if act == "accept":
            accept_offer(sign_up=row)
        elif act == "cancel" and "sure" not in request.POST:
            return redirect(reverse("public:my_sign_up", args=[row.event.slug, token]) + "?cancel")
        elif act == "cancel":
            cancel(sign_up=row)
        elif act == "check_in":
            check_in_by_link(sign_up=row)
        elif act == "consent":
            set_consent(sign_up=row, **{key: request.POST.get(key) == "on" for key in ("show_name", "photo", "stream")})
            messages.success(request, _("Saved."))
    except Refused as refused:
        flash_problems(request, refused)
    return redirect("public:my_sign_up", row.event.slug, token)


def _mine(request: HttpRequest, page: SignUpPage, row: SignUp) -> dict[str, Any]:
    path = reverse("public:my_sign_up", args=[row.event.slug, token_of(row)])
    open_fee = row.due - paid_by(row)
    return {
        "link": request.build_absolute_uri(path),
        "before": waiting_place(row) if row.state == SignUpState.WAITING else 0,
        "asks": "cancel" in request.GET and row.state != SignUpState.CANCELLED,
        "open_fee": say_money(open_fee, page.currency) if open_fee > 0 else "",
        "back": say_money(-open_fee, page.currency) if open_fee < 0 else "",
        "paid": row.due > 0 and open_fee <= 0,
        "iban": spaced(page.iban),
        "reference": spaced(row.reference),
        "code": payment_code(page, row, open_fee),
        "may_check_in": may_check_in(row),
        "kept_until": kept_until(row.event, page),
    }


def payment_code(page: SignUpPage, row: SignUp, amount: int) -> SafeString | None:
    """Return the QR code of a SEPA payment, which banking apps read; None where nothing is open, or not in euros."""
    if not page.iban or page.currency != "EUR" or amount <= 0:
        return None
    code = make_epc_qr(page.payee, page.iban, Decimal(amount) / 100, reference=row.reference)
    return mark_safe(code.svg_inline(omitsize=True))  # noqa: S308 - segno's own


def map_url(page: SignUpPage) -> str:
    """Return the address of the place at OpenStreetMap, by its coordinates or its words; "" for neither."""
    if page.map_place:
        lat, lon = (part.strip() for part in page.map_place.split(","))
        return f"https://www.openstreetmap.org/?mlat={lat}&mlon={lon}#map=17/{lat}/{lon}"
    return f"https://www.openstreetmap.org/search?query={quote(page.address)}" if page.address else ""


def _text(page: SignUpPage, event: Event, key: str) -> dict[str, Any]:
    text, code = text_of(page.texts, key, event.language)
    return {"blocks": blocks_of(text), "language": code}


def _page_or_404(request: HttpRequest, event: Event) -> SignUpPage:
    """Return the page, before it is public only to the event's organisers."""
    page = get_page(event)
    if not page.shown and not get_rights(request.user, event).may(Verb.CHANGE_SETTINGS):
        raise Http404("This event has no such page.")
    return page
