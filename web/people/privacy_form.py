"""How long an event keeps its people, as an organiser chooses it."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.services.core.settings import LEAST_MONTHS, MOST_MONTHS


class MonthsForm(forms.Form):
    """A number of months after the event's last day, or nothing for no end."""

    months = forms.IntegerField(
        label=_("Months after the last day"),
        min_value=LEAST_MONTHS,
        max_value=MOST_MONTHS,
        required=False,
        help_text=_("empty: without an end"),
    )
