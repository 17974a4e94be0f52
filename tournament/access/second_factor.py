"""Two-step sign-in: switched on and off on a page of the account, and asked for after the password."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from tournament.access.views import after_sign_in
from tournament.accounts.models import Account
from tournament.accounts.second_factor import (
    address_of,
    find_second_factor,
    new_key,
    renew_recovery_codes,
    switch_off,
    switch_on,
    use_code,
)
from tournament.core.errors import DomainError
from tournament.core.rate_limits import RateLimitedError, Source
from tournament.pages.files import qr_code
from tournament.pages.permissions import DeskRequest, for_account, for_anyone
from tournament.pages.requests import UNPROCESSABLE
from tournament.pages.sign_in import (
    client_network,
    half_signed_in,
    reauthenticate,
    remember,
    sign_in_as,
    source_of,
    too_many,
)
from tournament.text.problems import problem_text

KEY = "second_factor_key"  # session key: of the app, until its first code is typed
MAX_CODE = 40


class CodeForm(forms.Form):
    """The code that the app shows."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=MAX_CODE,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_account
@reauthenticate()
def second_factor(request: DeskRequest) -> HttpResponse:
    """Show whether it is on; begin, switch on, switch off, or make new recovery codes."""
    act = request.POST.get("act")
    if act == "begin" and not find_second_factor(request.user):
        request.session[KEY] = request.session.get(KEY) or new_key()
    if act == "on":
        form = CodeForm(request.POST)
        if not form.is_valid():
            return _page(request, form, status=UNPROCESSABLE)
        try:
            codes = switch_on(key=request.session.get(KEY, ""), code=form.cleaned_data["code"], by=request.user)
        except DomainError as refused:
            form.add_error("code", problem_text(refused.problems[0]))
            return _page(request, form, status=UNPROCESSABLE)
        request.session.pop(KEY, None)
        return _page(request, codes=codes)
    if act in ("off", "codes") and find_second_factor(request.user):
        form = CodeForm(request.POST)
        if not form.is_valid():
            return _page(request, form, status=UNPROCESSABLE)
        asked: dict[str, Any] = {"by": request.user, "code": form.cleaned_data["code"]}
        asked["source"] = Source(client_network(request), str(request.user.pk))
        try:
            if act == "codes":
                return _page(request, codes=renew_recovery_codes(**asked))
            if switch_off(**asked):
                messages.success(request, _("Two-step sign-in is off."))
        except RateLimitedError as refused:
            return too_many(request, refused)
        except DomainError as refused:
            form.add_error("code", problem_text(refused.problems[0]))
            return _page(request, form, status=UNPROCESSABLE)
        return redirect("second_factor")
    return redirect("second_factor") if request.method == "POST" else _page(request)


def _page(
    request: DeskRequest, form: CodeForm | None = None, *, codes: list[str] | None = None, status: int = 200
) -> HttpResponse:
    factor = find_second_factor(request.user)
    key = "" if factor else request.session.get(KEY, "")
    context = {
        "factor": factor,
        "left": len(factor.recovery) if factor else 0,
        "has_password": request.user.has_usable_password(),
        "codes": codes,
        "form": form or CodeForm(),
        "key": " ".join(key[at : at + 4] for at in range(0, len(key), 4)),
        "svg": qr_code(address_of(request.user, key)) if key else "",
    }
    return render(request, "access/second_factor.html", context, status=status)


@never_cache
@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
@for_anyone
def code(request: HttpRequest) -> HttpResponse:
    """Ask for the second step after a right password, then go on to the page that was asked for."""
    half = half_signed_in(request)
    if half is None:
        return redirect(after_sign_in(request, "") if request.user.is_authenticated else "sign_in")
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        answer = _let_in(request, half[0], half[1], form)
        if answer:
            return answer
    status = UNPROCESSABLE if form.is_bound else 200
    return render(request, "access/sign_in_code.html", {"form": form, "account": half[0]}, status=status)


def _let_in(request: HttpRequest, account: Account, target: str, form: CodeForm) -> HttpResponse | None:
    try:
        use_code(account=account, code=form.cleaned_data["code"], source=source_of(request, account.pk))
    except RateLimitedError as refused:
        return too_many(request, refused)
    except DomainError as refused:
        form.add_error("code", problem_text(refused.problems[0]))
        return None
    sign_in_as(request, account)
    return remember(redirect(after_sign_in(request, target)), account)
