"""Players as an organiser types or uploads them."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.services.people.people import NewPlayer


class PlayerForm(forms.Form):
    """One player, typed."""

    preferred_name = forms.CharField(label=_("Name"), max_length=60)
    club = forms.CharField(label=_("Club"), max_length=80, required=False)
    team = forms.CharField(label=_("Team"), max_length=80, required=False)
    country = forms.RegexField(
        label=_("Country"),
        regex="^[A-Za-z]{3}$",
        required=False,
        help_text=_("three letters, GBR"),
        error_messages={"invalid": _("A country is three letters, as in GBR.")},
    )
    ema_number = forms.RegexField(
        label=_("EMA number"),
        regex="^[0-9]{8}$",
        required=False,
        help_text=_("eight digits"),
        error_messages={"invalid": _("An EMA number has eight digits.")},
    )

    def new_player(self) -> NewPlayer:
        """Return what was typed."""
        return NewPlayer(**{**self.cleaned_data, "country": self.cleaned_data["country"].upper()})


class UploadForm(forms.Form):
    """A list of players as a file."""

    file = forms.FileField(label=_("List of players"), help_text=_("xlsx or csv, one row a player"))
