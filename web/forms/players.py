"""Players as an organiser types or uploads them, and a preview carried from look to yes, kept nowhere on the server."""

from dataclasses import asdict
from typing import Any

from django import forms
from django.core import signing
from django.utils.translation import gettext_lazy as _

from tournament.imports.players import PlayerPreview
from tournament.services.people import NewPlayer

SALT = "players-import"
PREVIEW_LIFE = 3600  # seconds


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


def pack(preview: PlayerPreview, slug: str) -> str:
    """Sign the players of a sound preview for one event, so that what is confirmed is what was shown."""
    rows = [
        asdict(
            NewPlayer(draft.preferred_name, draft.legal_name, draft.ema_number, draft.country, draft.club, draft.team)
        )
        for draft in preview.drafts
    ]
    return signing.dumps({"rows": rows, "event": slug}, salt=SALT, compress=True)


def unpack(text: str, slug: str) -> list[NewPlayer] | None:
    """Return the players of a signed preview; None where it is older than an hour, changed, or of another event."""
    try:
        packed: dict[str, Any] = signing.loads(text, salt=SALT, max_age=PREVIEW_LIFE)
    except signing.BadSignature:
        return None
    return [NewPlayer(**row) for row in packed["rows"]] if packed.get("event") == slug else None
