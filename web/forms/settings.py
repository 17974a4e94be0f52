"""What an organiser may change of the rules by a short form, and whom to invite. Mapped to values, not judged."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from rules.ruleset import Ruleset, rule_fields
from tournament.models import Role

CHANGEABLE = (
    "minutes",
    "extra_hands",
    "start_points",
    "return_points",
    "uma",
    "chombo_points",
    "leftover_deposits",
    "riichi_short",
)
CHOICES = {
    "leftover_deposits": [("first", _("to the first place")), ("lost", _("lost"))],
    "riichi_short": [("allowed", _("allowed")), ("warning", _("allowed with a warning")), ("error", _("refused"))],
}


class RulesForm(forms.Form):
    """The rules that events change most, and why."""

    reason = forms.CharField(
        label=_("Reason"), required=False, max_length=300, help_text=_("needed once play has begun")
    )

    def __init__(self, rules: Ruleset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        says = {field.name: field.metadata["says"] for field in rule_fields()}
        made = {name: _field_for(name, getattr(rules, name), says[name]) for name in CHANGEABLE}
        self.fields = {**made, "reason": self.fields["reason"]}

    def clean_uma(self) -> list[int]:
        """Return the uma by place, in points."""
        words = self.cleaned_data["uma"].replace("−", "-").replace("/", " ").split()
        try:
            return [int(word) for word in words]
        except ValueError:
            raise forms.ValidationError(_("Write the uma as points: 15000 / 0 / -15000")) from None

    def values(self) -> dict[str, Any]:
        """Return the changed rules as plain values."""
        return {name: self.cleaned_data[name] for name in CHANGEABLE}


class InvitationForm(forms.Form):
    """Whom to let in, as what."""

    name = forms.CharField(label=_("Name"), max_length=60)
    role = forms.ChoiceField(label=_("Role"), choices=[(Role.REFEREE, _("referee")), (Role.ORGANISER, _("organiser"))])


def _field_for(name: str, value: Any, says: str) -> forms.Field:
    if name in CHOICES:
        return forms.ChoiceField(label=says, choices=CHOICES[name], initial=value)
    if isinstance(value, tuple):
        return forms.CharField(label=says, initial=" / ".join(str(item) for item in value))
    return forms.IntegerField(label=says, initial=value, min_value=0, max_value=1_000_000)
