"""The public side of sign-up: the event's page before it begins, the form, and a personal page for each sign-up.

All who ask for a link get the same answer, signed up or not. Nothing here is stored by a cache.
"""

import uuid
from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from urllib.parse import quote

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from segno.helpers import make_epc_qr

from scoring.problems import InvalidInput
from tournament.accounts.queries import get_rights
from tournament.core.errors import DomainError
from tournament.core.rate_limits import RateLimitedError
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.permissions import for_public
from tournament.pages.public_page import answer_one, public_context
from tournament.pages.requests import UNPROCESSABLE, flash_refusal, to_uuid
from tournament.pages.sign_in import client_network, count_bad_link, too_many
from tournament.people.actions import set_own_page
from tournament.people.queries import get_own_page
from tournament.rulesets.event_views import house_rules_of
from tournament.rulesets.messages import card_of, say_second_rules
from tournament.rulesets.views import rules_line
from tournament.signup.actions import (
    LOOKS,
    MAX_ANSWER,
    MAX_LETTERS,
    NewSignUp,
    accept_offer,
    cancel,
    check_in_by_link,
    count_sender,
    may_check_in,
    set_consent,
    settle_event,
    sign_up,
)
from tournament.signup.letter_sender import mail_of
from tournament.signup.letters import ask_for_link
from tournament.signup.messages import spaced, text_of
from tournament.signup.models import SignUp, SignUpPage, SignUpState
from tournament.signup.queries import (
    count_places,
    find_by_mail,
    find_by_token,
    find_ema_player,
    get_page,
    is_open,
    kept_until,
    list_coming,
    paid_by,
    sign_up_token,
    suggest_clubs,
    waiting_place,
)
from tournament.signup.settings import TEXTS
from tournament.standings.prizes import list_prizes
from tournament.tables.round_queries import list_days, list_round_times
from tournament.text.money import say_money
from tournament.text.plain_text import blocks_of
from tournament.text.problems import problem_text

BAIT = "website"  # a field that people do not see and machines fill in


@require_safe
@for_public
def about(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the event's page: what, where, when, rules, fee, programme, prizes, referees, who is coming."""
    return show_page(request, event, _page_or_404(request, event))


def show_page(request: HttpRequest, event: Event, page: SignUpPage, tab: str = "") -> HttpResponse:
    """Answer with the page of an event; no cache keeps it, since a place can be taken at any moment."""
    settle_event(event)
    context = {
        "page": page,
        "texts": {key: _text(page, event, key) for key in TEXTS if key != "letter"},
        "days": list_days(event),
        "starts": [each for each in list_round_times(event) if each.planned],
        "rules_line": " · ".join(filter(None, (rules_line(event), say_second_rules(event)))),
        "facts": card_of(event.ruleset).facts,
        "house": house_rules_of(event),
        "map_url": map_url(page),
        "fee": say_money(page.fee, page.currency) if page.fee else "",
        "prizes": list_prizes(event, page.currency),
        "places": count_places(event, page),
        "open": is_open(page, timezone.now()),
        "coming": list_coming(event) if page.coming_shown else [],
        "names_listed": bool(tab) and event.players.exists(),
    }
    shown = {**public_context(event, tab), "version_url": "", **context}
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
        except RateLimitedError as many:
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
        return redirect("public:my_sign_up", event.slug, sign_up_token(known))
    if not is_open(page, timezone.now()):
        return answer_one(request, event, "signup/start.html", {"page": page, "closed": True})
    return _whole_form(request, event, page, mail=mail)


def _whole_form(request: HttpRequest, event: Event, page: SignUpPage, *, mail: str) -> HttpResponse:
    """Take the form with everything, or show it: empty, with what EMA's list knows, or with what is wrong."""
    asked = request.POST if request.method == "POST" else None
    if asked is not None and "look" in asked:
        try:
            count_sender(event, client_network(request), LOOKS, mail=mail)
        except RateLimitedError as many:
            return too_many(request, many)
        form = SignUpForm(event, page, initial=looked_up(asked.dict()), proven=bool(mail))
    else:
        form = SignUpForm(event, page, asked, proven=bool(mail))
    if form.is_valid():
        try:
            return _take(request, event, form, mail)
        except RateLimitedError as many:
            return too_many(request, many)
        except (DomainError, InvalidInput) as refused:
            for problem in refused.problems:
                form.add_error(None, problem_text(problem))
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


class SignUpForm(forms.Form):
    """All that is asked; `mail` only where no link has proven it, and the organiser's questions as q0, q1…"""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=MAX_LETTERS["name"],
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    mail = forms.EmailField(
        label=gettext_lazy("Email"),
        max_length=MAX_LETTERS["mail"],
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    ema_number = forms.RegexField(
        r"^[0-9]{4} ?[0-9]{4}$",
        label=gettext_lazy("EMA number"),
        required=False,
        error_messages={"invalid": gettext_lazy("An EMA number has eight digits.")},
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 9}),
    )
    club = forms.CharField(
        label=gettext_lazy("Club"),
        max_length=MAX_LETTERS["club"],
        required=False,
        widget=forms.TextInput(attrs={"list": "clubs", "autocomplete": "organization"}),
    )
    country = forms.CharField(
        label=gettext_lazy("Country"),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"list": "countries", "autocomplete": "country-name"}),
    )
    show_name = forms.BooleanField(label=gettext_lazy("My name may be shown on the public pages"), required=False)
    photo = forms.BooleanField(label=gettext_lazy("Photographs of me may be taken"), required=False)
    stream = forms.BooleanField(label=gettext_lazy("I may be seen on the stream"), required=False)
    minor = forms.BooleanField(label=gettext_lazy("I am under 18"), required=False)
    guardian = forms.CharField(
        label=gettext_lazy("Name of a guardian"), max_length=MAX_LETTERS["guardian"], required=False
    )
    guardian_mail = forms.EmailField(
        label=gettext_lazy("Email of the guardian"), max_length=MAX_LETTERS["guardian_mail"], required=False
    )
    guardian_agrees = forms.BooleanField(
        label=gettext_lazy("I am the guardian, or the guardian has agreed to all of this"), required=False
    )

    def __init__(self, event: Event, page: SignUpPage, *args: Any, proven: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event, self.questions = event, page.questions
        if proven:
            del self.fields["mail"]
        for number, question in enumerate(page.questions):
            self.fields[f"q{number}"] = _field_of(question, get_language() or "", event.language)

    def tick_fields(self) -> list[forms.BoundField]:
        """Return what somebody may agree to, each apart."""
        return [self[name] for name in TICKS]

    def minor_fields(self) -> list[forms.BoundField]:
        """Return what is asked of somebody under 18."""
        return [self[name] for name in MINOR]

    def question_fields(self) -> list[forms.BoundField]:
        """Return the organiser's questions."""
        return [self[f"q{number}"] for number in range(len(self.questions))]

    def for_minor(self) -> bool:
        """Tell whether anything is said of a guardian."""
        return any(self[name].value() for name in MINOR)

    def said(self, mail: str) -> NewSignUp:
        """Return what was said; somebody who names a guardian is under 18."""
        data = self.cleaned_data
        plain = {name: data[name] for name in (*OWN, *TICKS, *MINOR)}
        plain["minor"] = bool(data["minor"] or data["guardian"] or data["guardian_mail"])
        language = get_language() or self.event.language
        return NewSignUp(mail=mail or data["mail"], language=language, answers=self._answers(), **plain)

    def _answers(self) -> dict[str, str]:
        """Return the answers by question, both in the event's language, so that the organiser reads one."""
        found = {}
        for number, question in enumerate(self.questions):
            value, label = self.cleaned_data[f"q{number}"], _in_words(question["label"], self.event.language)
            if question["kind"] == "choice" and value:
                found[label] = _in_words(question["choices"], self.event.language)[int(value)]
            elif value:
                found[label] = "✓" if question["kind"] == "box" else value
        return found


def _take(request: HttpRequest, event: Event, form: SignUpForm, mail: str) -> HttpResponse:
    if request.POST.get(BAIT):
        return redirect("public:sign_up", event.slug)
    count_sender(event, client_network(request), mail=mail)
    row = sign_up(
        event=event, new=form.said(mail), client_id=to_uuid(request.POST.get("client_id", "")), proven=bool(mail)
    )
    return redirect("public:my_sign_up", event.slug, sign_up_token(row))


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
    with flash_refusal(request):
        if act == "accept":
            accept_offer(sign_up=row)
        elif act == "cancel" and "sure" not in request.POST:
            return redirect(reverse("public:my_sign_up", args=[row.event.slug, token]) + "?cancel")
        elif act == "cancel":
            cancel(sign_up=row)
        elif act == "check_in":
            check_in_by_link(sign_up=row)
        elif act in ("open_page", "close_page") and row.player:
            set_own_page(person=row.player.person, agreed=act == "open_page")
        elif act == "consent":
            set_consent(sign_up=row, **{key: request.POST.get(key) == "on" for key in ("show_name", "photo", "stream")})
            messages.success(request, _("Saved."))
    return redirect("public:my_sign_up", row.event.slug, token)


def _mine(request: HttpRequest, page: SignUpPage, row: SignUp) -> dict[str, Any]:
    path = reverse("public:my_sign_up", args=[row.event.slug, sign_up_token(row)])
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
        "own_page": get_own_page(row.player.person) if row.player else None,
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
    if not page.shown and not get_rights(request.user, event).may(Right.CHANGE_SETTINGS):
        raise Http404("This event has no such page.")
    return page


OWN = ("name", "ema_number", "club", "country")
TICKS = ("show_name", "photo", "stream")
MINOR = ("minor", "guardian", "guardian_mail", "guardian_agrees")
FOUND = ("name", "club", "country")  # what EMA's list knows


class MailForm(forms.Form):
    """The address to which the link goes."""

    mail = forms.EmailField(
        label=gettext_lazy("Email"),
        max_length=MAX_LETTERS["mail"],
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


def looked_up(fields: Mapping[str, str]) -> dict[str, str]:
    """Return what was typed, with what EMA's list knows by the number in the place of what is empty."""
    typed = dict(fields)
    found = find_ema_player(typed.get("ema_number", "").replace(" ", ""))
    if found:
        typed |= {key: getattr(found, key) for key in FOUND if not typed.get(key, "").strip()}
    return typed


def _field_of(question: Mapping[str, Any], *languages: str) -> forms.Field:
    required, label = bool(question["required"]), _in_words(question["label"], *languages)
    if question["kind"] == "box":
        return forms.BooleanField(label=label, required=required)
    if question["kind"] == "choice":
        words = enumerate(_in_words(question["choices"], *languages))
        choices = [("", ""), *((str(number), word) for number, word in words)]
        return forms.ChoiceField(label=label, choices=choices, required=required)
    return forms.CharField(label=label, max_length=MAX_ANSWER, required=required)


def _in_words(said: Mapping[str, Any], *languages: str) -> Any:
    """Return a text, or a list of them, in the first of these languages that has any, else in another."""
    return next((said[code] for code in languages if said.get(code)), next(iter(said.values()), ""))
