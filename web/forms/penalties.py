"""A penalty as a referee types it: who, how much (points, or P as in 20P), why. Mapped to values, not judged."""

import re
import uuid

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.models import Event

POINTS_OF_P = 1000
_AMOUNT = re.compile(r"(?P<number>\d{1,6})(?P<unit>[pP]?)")


class PenaltyForm(forms.Form):
    """Give a penalty at an event."""

    client_id = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)
    player = forms.ChoiceField(label=_("Player"))
    amount = forms.CharField(label=_("Amount"), max_length=12, help_text=_("20P or 20,000"))
    reason = forms.CharField(label=_("Reason"), max_length=300, help_text=_("players read it"))
    clause = forms.CharField(label=_("Clause"), max_length=60, required=False)
    round = forms.ChoiceField(label=_("Round"), required=False)

    def __init__(self, event: Event, names: list[tuple[int, str]], rounds: list[int], *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        self.fields["player"].choices = [("", "–"), *((str(number), f"{number} {name}") for number, name in names)]
        self.fields["round"].choices = [("", _("none")), *((str(number), str(number)) for number in rounds)]

    def clean_amount(self) -> int:
        """Return the amount in points."""
        match = _AMOUNT.fullmatch(re.sub(r"[\s,.'’]", "", self.cleaned_data["amount"]))
        if not match:
            raise forms.ValidationError(_("Write points as 20,000 or as 20P."))
        return int(match["number"]) * (POINTS_OF_P if match["unit"] else 1)
