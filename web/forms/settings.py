"""Whom to invite to an event. Mapped to values, not judged."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.models import Role


class InvitationForm(forms.Form):
    """Whom to let in, as what."""

    name = forms.CharField(label=_("Name"), max_length=60)
    role = forms.ChoiceField(label=_("Role"), choices=[(Role.REFEREE, _("referee")), (Role.ORGANISER, _("organiser"))])
