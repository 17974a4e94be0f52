"""Forms at the door: signing in by either name, the name to be shown, a password. They check and never write."""

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.utils.translation import gettext_lazy as _

from tournament.models import Account


class SignInForm(AuthenticationForm):
    """Sign in with the sign-in name, or with the name that is shown where only one person has it."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": _(
            "This name and password do not go together. Where two people are shown by the same name, use the sign-in "
            "name from your account page."
        ),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Name")
        self.fields["username"].widget.attrs |= {"autocapitalize": "none", "autocomplete": "username"}

    def clean_username(self) -> str:
        """Return the sign-in name that a shown name stands for; what is ambiguous or unknown stays as it is typed."""
        typed = str(self.cleaned_data["username"]).strip()
        if Account.objects.filter(username=typed).exists():
            return typed
        same = Account.objects.filter(display_name__iexact=typed, is_active=True)
        able = [account.username for account in same if account.has_usable_password()]
        return able[0] if len(able) == 1 else typed


class NameForm(forms.Form):
    """The name by which somebody is shown."""

    display_name = forms.CharField(
        label=_("Name"),
        max_length=60,
        help_text=_("It stands beside the hands that you enter and the penalties that you give."),
    )
