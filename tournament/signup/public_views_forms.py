"""The form of somebody who signs up: a minute on a phone, with what EMA's list knows already filled in."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tournament.models.event import Event
from tournament.models.sign_up import SignUpPage
from tournament.signup.actions_sign_ups import MOST_ANSWER, MOST_LETTERS, NewSignUp
from tournament.signup.queries import find_ema_player

OWN = ("name", "ema_number", "club", "country")
TICKS = ("show_name", "photo", "stream")
MINOR = ("minor", "guardian", "guardian_mail", "guardian_agrees")
FOUND = ("name", "club", "country")  # what EMA's list knows


class MailForm(forms.Form):
    """The address to which the link goes."""

    mail = forms.EmailField(
        label=_("Email"), max_length=MOST_LETTERS["mail"], widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class SignUpForm(forms.Form):
    """All that is asked; `mail` only where no link has proven it, and the organiser's questions as q0, q1…"""

    name = forms.CharField(
        label=_("Name"),
        max_length=MOST_LETTERS["name"],
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    mail = forms.EmailField(
        label=_("Email"), max_length=MOST_LETTERS["mail"], widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    ema_number = forms.RegexField(
        r"^[0-9]{4} ?[0-9]{4}$",
        label=_("EMA number"),
        required=False,
        error_messages={"invalid": _("An EMA number has eight digits.")},
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 9}),
    )
    club = forms.CharField(
        label=_("Club"),
        max_length=MOST_LETTERS["club"],
        required=False,
        widget=forms.TextInput(attrs={"list": "clubs", "autocomplete": "organization"}),
    )
    country = forms.CharField(
        label=_("Country"),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"list": "countries", "autocomplete": "country-name"}),
    )
    show_name = forms.BooleanField(label=_("My name may be shown on the public pages"), required=False)
    photo = forms.BooleanField(label=_("Photographs of me may be taken"), required=False)
    stream = forms.BooleanField(label=_("I may be seen on the stream"), required=False)
    minor = forms.BooleanField(label=_("I am under 18"), required=False)
    guardian = forms.CharField(label=_("Name of a guardian"), max_length=MOST_LETTERS["guardian"], required=False)
    guardian_mail = forms.EmailField(
        label=_("Email of the guardian"), max_length=MOST_LETTERS["guardian_mail"], required=False
    )
    guardian_agrees = forms.BooleanField(
        label=_("I am the guardian, or the guardian has agreed to all of this"), required=False
    )

    def __init__(self, event: Event, page: SignUpPage, *args: Any, proven: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event, self.questions = event, page.questions
        if proven:
            del self.fields["mail"]
        for number, question in enumerate(page.questions):
            self.fields[f"q{number}"] = _field_of(question, _in_words(question["label"], event))

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
            value, label = self.cleaned_data[f"q{number}"], _in_event(question["label"], self.event)
            if question["kind"] == "choice" and value:
                found[label] = _in_event(question["choices"], self.event)[int(value)]
            elif value:
                found[label] = "✓" if question["kind"] == "box" else value
        return found


def looked_up(fields: Mapping[str, str]) -> dict[str, str]:
    """Return what was typed, with what EMA's list knows by the number in the place of what is empty."""
    typed = dict(fields)
    found = find_ema_player(typed.get("ema_number", "").replace(" ", ""))
    if found:
        typed |= {key: getattr(found, key) for key in FOUND if not typed.get(key, "").strip()}
    return typed


def _field_of(question: Mapping[str, Any], label: str) -> forms.Field:
    required = bool(question["required"])
    if question["kind"] == "box":
        return forms.BooleanField(label=label, required=required)
    if question["kind"] == "choice":
        listed = _in_words_all(question["choices"])
        choices = [("", ""), *((str(number), word) for number, word in enumerate(listed))]
        return forms.ChoiceField(label=label, choices=choices, required=required)
    return forms.CharField(label=label, max_length=MOST_ANSWER, required=required)


def _in_words(said: Mapping[str, str], event: Event) -> str:
    code = next((code for code in (get_language() or "", event.language, *said) if code in said), "")
    return said.get(code, "")


def _in_words_all(said: Mapping[str, Sequence[str]]) -> Sequence[str]:
    return said.get(get_language() or "") or next(iter(said.values()))


def _in_event(said: Mapping[str, Any], event: Event) -> Any:
    return said.get(event.language) or next(iter(said.values()))
