"""Whom to invite to an event as what, and the role that somebody is to have. Mapped to values, not judged."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.models import Role
from web.words.people import role_name


class InvitationForm(forms.Form):
    """Whom to let in, as what: one of the roles that whoever invites may give."""

    name = forms.CharField(label=_("Name"), max_length=60)
    role = forms.ChoiceField(label=_("Role"))

    def __init__(self, roles: Iterable[Role], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].choices = [(role, role_name(role)) for role in roles]  # type: ignore[attr-defined]
        self.fields["role"].initial = Role.REFEREE
