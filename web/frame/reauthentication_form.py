"""The form that sets a password. It checks and never writes."""

from typing import Any

from django import forms
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.password_validation import password_validators_help_texts
from django.utils.translation import gettext_lazy as _

from tournament.models import Account


class PasswordForm(SetPasswordForm):
    """A new password, twice; who has one already says the old one first."""

    old_password = forms.CharField(
        label=_("Old password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    field_order = ["old_password", "new_password1", "new_password2"]

    def __init__(self, user: Account, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self.fields["new_password1"].help_text = " ".join(password_validators_help_texts())
        if not user.has_usable_password():
            del self.fields["old_password"]

    def clean_old_password(self) -> str:
        """Refuse a wrong old password."""
        typed: str = self.cleaned_data["old_password"]
        if not self.user.check_password(typed):
            raise forms.ValidationError(_("This is not your old password."))
        return typed
