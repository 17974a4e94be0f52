"""The settings of an event's page before it begins: what it says, places, fee, questions, and who may see it."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.models.event import Event
from tournament.models.sign_up import EmaPlayer, SignUpPage
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import UNPROCESSABLE
from tournament.signup.actions_fees import MOST_AMOUNT_TEXT
from tournament.signup.messages import FIELD_WORDS, TEXT_WORDS
from tournament.signup.queries import get_page, kept_until
from tournament.signup.settings_page import (
    CURRENCIES,
    MOST_DAYS,
    MOST_HOURS,
    MOST_PLACES,
    MOST_TEXT,
    TEXTS,
    Terms,
    read_questions,
    set_sign_up_page,
    write_questions,
)
from tournament.signup.views_fee_pages import decimal_of, read_money
from tournament.text.problems_1 import say

PLAIN = (
    "shown", "open", "places", "closes_at", "offer_hours", "currency", "payee", "pay_days", "keep_days", "coming_shown",
    "self_check_in", "address", "map_place", "site",
)  # fmt: skip
OF_SIGN_UP = ("open", "places", "closes_at", "offer_hours", "coming_shown", "self_check_in", "keep_days")
OF_FEE = ("fee", "currency", "payee", "iban", "pay_days")
OF_PLACE = ("address", "map_place")


class PageForm(forms.Form):
    """All of the page: its terms, `text_KEY_CODE` for each text and language, `questions_CODE`."""

    shown = forms.BooleanField(label=_("The page is public"), required=False)
    open = forms.BooleanField(label=_("Sign-up is open"), required=False)
    places = forms.IntegerField(label=_(FIELD_WORDS["places"]), min_value=0, max_value=MOST_PLACES)
    closes_at = forms.DateTimeField(
        label=_("Closes on"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
    )
    offer_hours = forms.IntegerField(label=_(FIELD_WORDS["offer_hours"]), min_value=1, max_value=MOST_HOURS)
    coming_shown = forms.BooleanField(
        label=_("The page names who is coming"), required=False, help_text=_("Only those who agreed to it.")
    )
    self_check_in = forms.BooleanField(
        label=_("Players check in by their own link"), required=False, help_text=_("On the days of the event.")
    )
    keep_days = forms.IntegerField(
        label=_(FIELD_WORDS["keep_days"]),
        min_value=1,
        max_value=MOST_DAYS,
        help_text=_("Then the desk deletes sign-ups, letters and payments. Everybody who signs up is told the day."),
    )
    fee = forms.CharField(label=_("Fee"), max_length=MOST_AMOUNT_TEXT, required=False)
    currency = forms.ChoiceField(
        label=_("Currency"),
        choices=[(code, code) for code in CURRENCIES],
        widget=forms.Select(attrs={"translate": "no"}),
    )
    payee = forms.CharField(label=_("Account holder"), max_length=70, required=False)
    iban = forms.CharField(
        label="IBAN", max_length=42, required=False, help_text=_("Fees in euros get a code for banking apps.")
    )
    pay_days = forms.IntegerField(label=_(FIELD_WORDS["pay_days"]), min_value=0, max_value=MOST_DAYS)
    address = forms.CharField(label=_("Street and town"), max_length=200, required=False)
    map_place = forms.CharField(
        label=_("Place on the map"),
        max_length=40,
        required=False,
        help_text=_("Latitude and longitude, such as 52.52, 13.405. Without them the map is searched for the address."),
    )
    site = forms.CharField(
        label=_("Address of this desk in letters"),
        max_length=100,
        required=False,
        help_text=_("What people at home reach, such as https://club.example.org."),
    )

    def __init__(self, event: Event, page: SignUpPage, site: str, data: Any = None) -> None:
        initial = {name: getattr(page, name) for name in (*PLAIN, "iban")}
        initial |= {"fee": decimal_of(page.fee) if page.fee else "", "site": page.site or site}
        super().__init__(data, initial=initial)
        self.event = event
        self.codes = sorted(
            dict(settings.LANGUAGES), key=lambda code: (code != event.language, code != event.second_language)
        )
        for code in self.codes:
            for key in TEXTS:
                self.fields[f"text_{key}_{code}"] = _text_field(code, MOST_TEXT, page.texts.get(key, {}).get(code, ""))
            self.fields[f"questions_{code}"] = _text_field(code, MOST_TEXT, write_questions(page.questions, code))

    def fields_of_sign_up(self) -> list[forms.BoundField]:
        """Return the terms of sign-up."""
        return [self[name] for name in OF_SIGN_UP]

    def fields_of_fee(self) -> list[forms.BoundField]:
        """Return the fee and the account."""
        return [self[name] for name in OF_FEE]

    def fields_of_place(self) -> list[forms.BoundField]:
        """Return where it is."""
        return [self[name] for name in OF_PLACE]

    def texts(self) -> list[dict[str, Any]]:
        """Return the texts, each with its field in the event's language and those in others."""
        words: Mapping[str, str] = TEXT_WORDS
        names = [(key, gettext(words[key]), f"text_{key}") for key in TEXTS]
        return [_group(self, key, label, stem) for key, label, stem in names]

    def questions(self) -> dict[str, Any]:
        """Return the fields of the organiser's questions."""
        return _group(self, "questions", gettext("Questions"), "questions")

    def terms(self) -> Terms:
        """Return what was typed; raises Refused for a fee or a question that cannot be read."""
        data = self.cleaned_data
        return Terms(
            **{name: data[name] for name in PLAIN} | {"site": data["site"].rstrip("/")},
            fee=read_money(data["fee"]) if data["fee"].strip() else 0,
            iban="".join(data["iban"].split()).upper(),
            texts={key: {code: data[f"text_{key}_{code}"] for code in self.codes} for key in TEXTS},
            questions=read_questions({code: data[f"questions_{code}"] for code in self.codes}),
        )


def _group(form: PageForm, key: str, label: str, stem: str) -> dict[str, Any]:
    fields = [form[f"{stem}_{code}"] for code in form.codes]
    filled = sum(bool(field.value()) for field in fields[1:])
    return {"key": key, "label": label, "first": fields[0], "others": fields[1:], "filled": filled}


def _text_field(code: str, most: int, initial: str) -> forms.CharField:
    return forms.CharField(
        label=dict(settings.LANGUAGES)[code],
        max_length=most,
        required=False,
        initial=initial,
        widget=forms.Textarea(attrs={"rows": 3, "lang": code}),
    )


@require_http_methods(["GET", "POST"])
@who_may(Verb.CHANGE_SETTINGS)
def page_settings(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the form, or save what differs; what is refused stays in its field."""
    page, site = get_page(event), request.build_absolute_uri("/").rstrip("/")
    form = PageForm(event, page, site, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            changed = set_sign_up_page(event=event, terms=form.terms(), by=request.user)
        except Refused as refused:
            for problem in refused.problems:
                form.add_error(None, say(problem))
        else:
            said = gettext("Saved.") if changed else gettext("Nothing was changed.")
            messages.success(request, said)
            return redirect("desk:sign_up_page", event.slug)
    context = {
        "form": form,
        "page": page,
        "kept_until": kept_until(event, page),
        "ema_players": EmaPlayer.objects.count(),
    }
    shown = desk_context(request, event, "settings", **context)
    return render(request, "signup/page_settings.html", shown, status=UNPROCESSABLE if form.is_bound else 200)
