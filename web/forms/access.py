"""Forms at the door: signing in by either name, the name to be shown, a password. They check and never write."""

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, SetPasswordForm
from django.contrib.auth.password_validation import password_validators_help_texts
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
