"""Table devices: which tables get one and until when, and the PIN at the door. Mapped to values, not judged."""

import datetime as dt
import re
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

MOST_TABLES = 400
_SPAN = re.compile(r"(\d{1,4})(?:\s*[-\N{EN DASH}]\s*(\d{1,4}))?", re.ASCII)


class DevicesForm(forms.Form):
    """Tables as "1-12, 15", a device for any of them, and the last day on which they work."""

    tables = forms.CharField(
        label=_("Tables"),
        max_length=200,
        required=False,
        help_text=_("One device each, as 1-12, 15. A table that has one already is left alone."),
        widget=forms.TextInput(attrs={"inputmode": "text", "autocomplete": "off"}),
    )
    name = forms.CharField(
        label=_("One more for any table, called"),
        max_length=40,
        required=False,
        help_text=_("A laptop that goes round, say. It may enter hands at every table of the round that is played."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    last_day = forms.DateField(
        label=_("Works until the end of"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": _("Write the day as 2026-09-12.")},
    )

    def clean_tables(self) -> list[int]:
        """Return the numbers; refuses what is none."""
        numbers: set[int] = set()
        for part in filter(None, (part.strip() for part in self.cleaned_data["tables"].split(","))):
            match = _SPAN.fullmatch(part)
            first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
            if not 0 < first <= last:
                raise forms.ValidationError(_("Write the tables as numbers: 1-12, 15."))
            numbers.update(range(first, min(last, first + MOST_TABLES) + 1))
        if len(numbers) > MOST_TABLES:
            raise forms.ValidationError(_("These are too many tables for one act."))
        return sorted(numbers)

    def clean(self) -> dict[str, Any]:
        """Refuse a form that asks for nothing."""
        found = super().clean() or self.cleaned_data
        if not self.errors and not found.get("tables") and not found.get("name"):
            raise forms.ValidationError(_("Say which tables get a device."))
        return found

    @property
    def expires_at(self) -> dt.datetime:
        """The end of the last day, as the desk's clock has it."""
        day: dt.date = self.cleaned_data["last_day"] + dt.timedelta(days=1)
        return timezone.make_aware(dt.datetime.combine(day, dt.time()))


class PinForm(forms.Form):
    """The PIN of a card."""

    pin = forms.CharField(
        label=_("PIN"),
        max_length=12,
        widget=forms.TextInput(
            attrs={"inputmode": "numeric", "autocomplete": "off", "autofocus": True, "class": "is-pin"},
        ),
    )


def numbers_words(numbers: list[int]) -> str:
    """Write numbers as they can be typed.

    >>> numbers_words([1, 2, 3, 5, 7, 8])
    '1-3, 5, 7-8'
    """
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][-1] == number - 1:
            spans[-1][1:] = [number]
        else:
            spans.append([number])
    return ", ".join("-".join(map(str, span)) for span in spans)
