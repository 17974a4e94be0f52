"""Sign in and out: one-time links, password, the own account. Verbs: tournament.services.access.access."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from tournament.models import Account
from tournament.refusal import Refused
from tournament.selectors.access import get_device_of, list_roles, list_sessions
from tournament.services.access.access import find_link, rename_account, set_password, use_link
from tournament.services.access.sessions import end_other_sessions
from web.access.access_form import NameForm, SignInForm
from web.frame.rate_limits import count_bad_link
from web.frame.reauthentication import PasswordForm
from web.frame.signing_in import prove, sign_in_as
from web.gateways import DeskRequest, for_account, for_anyone
from web.words.device import say_browser

LOCKED_SECONDS = int(settings.AXES_COOLOFF_TIME.total_seconds())


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_anyone
def enter(request: HttpRequest, token: str) -> HttpResponse:
    """Say whom a one-time link lets in; the button uses it up. Looking does not: programs that preview links look."""
    link = find_link(token)
    if link is None and (full := count_bad_link(request)):
        return full
    if request.method == "POST":
        try:
            account = use_link(token=token)
        except Refused:
            link = None
        else:
            sign_in_as(request, account)
            return redirect(_home(account))
    context = {"link": link, "account": request.user if request.user.is_authenticated else None}
    return render(request, "access/enter.html", context, status=200 if link else 410)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@for_anyone
def sign_in(request: HttpRequest) -> HttpResponse:
    """Sign somebody in by name and password, and take them back to where they were going."""
    target = request.POST.get("next") or request.GET.get("next") or ""
    if request.method != "POST" and request.user.is_authenticated:
        return redirect(_after_sign_in(request, target))
    form = SignInForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        sign_in_as(request, form.get_user())
        return redirect(_after_sign_in(request, target))
    context = {"form": form, "next": target}
    if getattr(request, "axes_locked_out", False):
        request.axes_locked_out = False  # type: ignore[attr-defined]  # said here in words, so its middleware need not
        answer = render(request, "access/locked.html", status=429)
        answer["Retry-After"] = str(LOCKED_SECONDS)
        return answer
    return render(request, "access/sign_in.html", context)


@require_POST
@for_anyone
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session."""
    logout(request)
    return redirect("events")


@never_cache
@sensitive_post_parameters("old_password", "new_password1", "new_password2")
@require_http_methods(["GET", "HEAD", "POST"])
@for_account
def account(request: DeskRequest) -> HttpResponse:
    """Show the own account: name, password, the events that one may enter, where one is signed in."""
    roles = list_roles(request.user)
    if not roles and get_device_of(request.user, at=timezone.now()):
        return redirect("device_home")  # whoever holds it gives it neither a name nor a password
    sent = request.POST.get("form") if request.method == "POST" else None
    name_form = NameForm(request.POST if sent == "name" else None, initial={"display_name": request.user.display_name})
    password_form = PasswordForm(request.user, request.POST if sent == "password" else None)
    done = _save(request, name_form, password_form, sent)
    if done:
        messages.success(request, done)
        return redirect("account")
    context: dict[str, Any] = {
        "account": request.user,
        "name_form": name_form,
        "password_form": password_form,
        "has_password": request.user.has_usable_password(),
        "roles": roles,
        "sessions": [
            {"row": row, "browser": say_browser(row.browser)}
            for row in list_sessions(request.user, here=request.session.session_key)
        ],
    }
    return render(request, "access/account.html", context)


def _save(request: DeskRequest, name_form: NameForm, password_form: PasswordForm, sent: str | None) -> str:
    """Carry out what was sent and return what to say; nothing where nothing was, or where it was wrong."""
    if sent == "name" and name_form.is_valid():
        rename_account(name=name_form.cleaned_data["display_name"], by=request.user)
        return _("You are shown by this name from now on.")
    if sent == "password" and password_form.is_valid():
        set_password(password=password_form.cleaned_data["new_password1"], by=request.user)
        update_session_auth_hash(request, request.user)
        end_other_sessions(keep=request.session.session_key, by=request.user)
        prove(request)
        return _("The password is set.")
    return ""


def _home(account: Account) -> str:
    """Return where somebody begins: the desk of the one event that they may enter, or the list of events."""
    roles = list_roles(account)
    if not roles and get_device_of(account, at=timezone.now()):
        return reverse("device_home")
    return reverse("desk:grid", args=[roles[0].slug]) if len(roles) == 1 else reverse("events")


def _after_sign_in(request: HttpRequest, target: str) -> str:
    """Return the address asked for where it is one of ours, else where this person begins."""
    hosts = {request.get_host()}
    if target and url_has_allowed_host_and_scheme(target, allowed_hosts=hosts, require_https=request.is_secure()):
        return target
    return _home(request.user) if isinstance(request.user, Account) else reverse("events")
