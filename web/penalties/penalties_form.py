"""A penalty as a referee types it: who, how much (points, or P as in 20P), why. Mapped to values, not judged."""

import uuid
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from scoring.problems import error
from tournament.models import Event, Penalty
from web.frame.tables import read_amount
from web.words.problems import say


class PenaltyForm(forms.Form):
    """Give a penalty at an event."""

    client_id = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)
    player = forms.ChoiceField(label=_("Player"))
    amount = forms.CharField(label=_("Amount"), max_length=12, help_text=_("20P or 20,000"))
    reason = forms.CharField(label=_("Reason"), max_length=300, help_text=_("players read it"))
    clause = forms.CharField(label=_("Clause"), max_length=60, required=False)
    round = forms.ChoiceField(label=_("Round"), required=False)

    def __init__(
        self, event: Event, names: list[tuple[int, str]], rounds: list[int], *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        players = [(str(number), f"{number} {name}") for number, name in names]
        self.fields["player"] = forms.ChoiceField(label=_("Player"), choices=[("", "–"), *players])
        numbers = [(str(number), str(number)) for number in rounds]
        self.fields["round"] = forms.ChoiceField(label=_("Round"), choices=[("", _("none")), *numbers], required=False)

    def clean_amount(self) -> int:
        """Return the amount in points."""
        amount = read_amount(self.cleaned_data["amount"])
        if amount is None:
            raise forms.ValidationError(_("Write points as 20,000 or as 20P."))
        return amount

    def clean(self) -> dict[str, Any]:
        """Say of a page without its number that it is too old: the number's own error would be hidden with it."""
        if "client_id" in self.errors:
            self.send_anew("form.stale")
        return self.cleaned_data

    def says(self, penalty: Penalty) -> bool:
        """Whether a penalty is what was typed here: a page that is sent twice may have been changed in between."""
        given = self.cleaned_data
        mine = (int(given["player"]), given["amount"], given["reason"].strip())
        return mine == (penalty.player.number, penalty.points, penalty.reason)

    def send_anew(self, why: str = "form.sent_already") -> None:
        """Say that nothing was given, and let what was typed be sent as something new."""
        data = QueryDict(mutable=True)
        data.update({key: self.data[key] for key in self.data} | {"client_id": str(uuid.uuid4())})
        self.data = data
        self.add_error(None, say(error(why)))
