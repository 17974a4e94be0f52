"""Sign in by link or password, the reader's own account, sessions and language, and the members of an event.

What a role may do is decided in tournament.core.rights, never here.
"""

from collections.abc import Iterable
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import check_for_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.access.devices import qr_svg
from tournament.accounts.actions import (
    change_role,
    end_member_sessions,
    end_other_sessions,
    end_session,
    find_link,
    hand_event_on,
    invite,
    remove_member,
    rename_account,
    set_password,
    use_link,
)
from tournament.accounts.messages import ROLES, browser_text, rights_table, role_name
from tournament.accounts.models import Account, Role
from tournament.accounts.queries import get_device_of, list_members, list_roles, list_sessions
from tournament.accounts.second_factor import find_second_factor
from tournament.core.errors import DomainError
from tournament.core.rate_limits import Limiter
from tournament.core.rights import ROLES_BY_RANK, Right, Rights, is_higher_role
from tournament.core.version import full_version
from tournament.events.models import Event
from tournament.pages.lists import ListColumn, ListTable, acts_column, name_column
from tournament.pages.permissions import DeskRequest, desk_context, for_account, for_anyone, who_may
from tournament.pages.public_page import A_YEAR
from tournament.pages.requests import UNPROCESSABLE, flash_problems, flash_refusal
from tournament.pages.sign_in import (
    QUARTER,
    TOO_MANY,
    PasswordForm,
    ask_second_step,
    client_network,
    count_bad_link,
    prove,
    reauthenticate,
    remember,
    sign_in_as,
    source_of,
)
from tournament.text.languages import known_language
from tournament.text.names import alphabetical
from tournament.text.problems import problem_text

SIGN_INS = Limiter(scope="sign-in", span=QUARTER, proven=10, pair=10, network=100, account=60, everybody=500)


class SignInForm(AuthenticationForm):
    """Sign in with the sign-in name, or with the shown name if only one account has it."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": gettext_lazy(
            "This name and password do not match. If two people have the same display name, use the sign-in "
            "name from your account page."
        ),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Name")
        self.fields["username"].widget.attrs |= {"autocapitalize": "none", "autocomplete": "username"}

    wait = 0  # seconds, after too many tries

    def clean(self) -> dict[str, Any]:
        """Check name and password, unless there were too many tries."""
        name = self.cleaned_data.get("username", "")
        account = Account.objects.filter(username=name).values_list("pk", flat=True).first()
        source = source_of(self.request or HttpRequest(), account, name)
        self.wait = SIGN_INS.count(source)
        if self.wait:
            raise self.get_invalid_login_error()
        cleaned: dict[str, Any] = super().clean()
        SIGN_INS.forget(source)
        return cleaned

    def clean_username(self) -> str:
        """Return the sign-in name for a shown name; one that is ambiguous or unknown stays as typed."""
        typed = str(self.cleaned_data["username"]).strip()
        if Account.objects.filter(username=typed).exists():
            return typed
        same = Account.objects.filter(display_name__iexact=typed, is_active=True)
        able = [account.username for account in same if account.has_usable_password()]
        return able[0] if len(able) == 1 else typed

    def confirm_login_allowed(self, user: Account) -> None:
        """Refuse a table device, which comes in by its card alone."""
        super().confirm_login_allowed(user)
        if user.device is not None:
            raise self.get_invalid_login_error()


class NameForm(forms.Form):
    """The name by which the account is shown."""

    display_name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=60,
        help_text=gettext_lazy("It is shown beside the hands that you enter and the penalties that you give."),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_anyone
def enter(request: HttpRequest, token: str) -> HttpResponse:
    """Show whom a one-time link lets in; only the button uses it up, since link previews send GET too."""
    link = find_link(token)
    if link is None and (full := count_bad_link(request)):
        return full
    if request.method == "POST":
        try:
            account = use_link(token=token)
        except DomainError:
            link = None
        else:
            sign_in_as(request, account)
            return remember(redirect(_home(account)), account)
    context = {"link": link, "account": request.user if request.user.is_authenticated else None}
    return render(request, "access/enter.html", context, status=200 if link else 410)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@for_anyone
def sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in by name and password, then go on to the page that was asked for."""
    target = request.POST.get("next") or request.GET.get("next") or ""
    if request.method != "POST" and request.user.is_authenticated:
        return redirect(after_sign_in(request, target))
    form = SignInForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        account = form.get_user()
        if find_second_factor(account):
            ask_second_step(request, account, target)
            return redirect("sign_in_code")
        sign_in_as(request, account)
        return remember(redirect(after_sign_in(request, target)), account)
    context = {"form": form, "next": target}
    if form.wait:
        answer = render(request, "access/sign_in.html", {"locked": True}, status=TOO_MANY)
        answer["Retry-After"] = str(form.wait)
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
    """Show the own account: name, password, roles at events, sessions."""
    roles = list_roles(request.user)
    sent = request.POST.get("form") if request.method == "POST" else None
    name_form = NameForm(request.POST if sent == "name" else None, initial={"display_name": request.user.display_name})
    password_form = PasswordForm(
        request.user, request.POST if sent == "password" else None, network=client_network(request)
    )
    done = _save(request, name_form, password_form, sent)
    if done:
        messages.success(request, done)
        return redirect("account")
    context: dict[str, Any] = {
        "account": request.user,
        "name_form": name_form,
        "password_form": password_form,
        "has_password": request.user.has_usable_password(),
        "second_factor": find_second_factor(request.user),
        "roles": roles,
        "version": full_version(),
        "sessions": [
            (row, browser_text(row.browser)) for row in list_sessions(request.user, here=request.session.session_key)
        ],
    }
    answer = render(request, "access/account.html", context)
    if password_form.wait:
        answer.status_code, answer["Retry-After"] = TOO_MANY, str(password_form.wait)
    return answer


@require_POST
@for_account
def end_sessions(request: DeskRequest) -> HttpResponse:
    """Sign out the browser that `number` names, or with `others` all but this one."""
    if "others" in request.POST:
        say_ended(request, end_other_sessions(keep=request.session.session_key, by=request.user))
    else:
        say_ended(request, int(end_session(number=request.POST.get("number", ""), by=request.user)))
    return redirect("account")


def say_ended(request: DeskRequest, count: int) -> None:
    """Show how many browsers were signed out."""
    if count:
        words = ngettext("%(count)d browser is signed out.", "%(count)d browsers are signed out.", count)
        messages.success(request, words % {"count": count})
    else:
        messages.info(request, _("Nobody was signed in there."))


def _save(request: DeskRequest, name_form: NameForm, password_form: PasswordForm, sent: str | None) -> str:
    """Save the form that was sent; return the message, "" if nothing valid was sent."""
    if sent == "name" and name_form.is_valid():
        rename_account(name=name_form.cleaned_data["display_name"], by=request.user)
        return _("Your display name is changed.")
    if sent == "password" and password_form.is_valid():
        set_password(password=password_form.cleaned_data["new_password1"], by=request.user)
        update_session_auth_hash(request, request.user)
        end_other_sessions(keep=request.session.session_key, by=request.user)
        prove(request)
        return _("The password is set.")
    return ""


def _home(account: Account) -> str:
    """Return where an account begins: a device's page, the desk of its only event, or the list of events."""
    roles = list_roles(account)
    if not roles and get_device_of(account, at=timezone.now()):
        return reverse("device_home")
    return reverse("desk:grid", args=[roles[0].slug]) if len(roles) == 1 else reverse("events")


def after_sign_in(request: HttpRequest, target: str) -> str:
    """Return the address asked for if it is on this site, else where the account begins."""
    hosts = {request.get_host()}
    # `redirect` takes a word without a slash for the name of a view
    if target.startswith("/") and url_has_allowed_host_and_scheme(
        target, allowed_hosts=hosts, require_https=request.is_secure()
    ):
        return target
    return _home(request.user) if isinstance(request.user, Account) else reverse("events")


class InvitationForm(forms.Form):
    """Whom to invite, and to which of the roles that the reader may give."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=60)
    role = forms.ChoiceField(label=gettext_lazy("Role"))

    def __init__(self, roles: Iterable[Role], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].choices = [(role, role_name(role)) for role in roles]  # type: ignore[attr-defined]
        self.fields["role"].initial = Role.REFEREE


class MembersTable(ListTable):
    """Who has which role."""

    title = gettext_lazy("Roles")
    name = name_column("access/members.html#name")
    role = ListColumn(
        gettext_lazy("Role"),
        value=lambda row: role_name(row.role),
        sort=lambda row: (-ROLES_BY_RANK.index(Role(row.role)), alphabetical(row.name)),
        cell="access/members.html#role",
    )
    acts = acts_column("access/members.html#acts")

    class Meta(ListTable.Meta):
        attrs: ClassVar = {"class": "is-stack members-table"}
        order_by = "role"


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_MEMBERS)
def members(request: DeskRequest, event: Event) -> HttpResponse:
    """Show who has which role; invite somebody."""
    posted = request.method == "POST"
    table = MembersTable(list_members(event), request)
    if not posted and (file := table.file(event.name)):
        return file
    form = InvitationForm(_roles_of(request.rights), request.POST if posted else None)
    link = _invite(request, event, form) if posted and form.is_valid() else None
    return _page(request, event, table, form, link, status=UNPROCESSABLE if posted and not link else 200)


@require_POST
@who_may(Right.MANAGE_MEMBERS)
def member(request: DeskRequest, event: Event, account_id: int) -> HttpResponse:
    """Change a member's role, or remove it."""
    account, act = _account_or_404(event, account_id), request.POST.get("act")
    wanted = request.POST.get("role", "")
    with flash_refusal(request):
        if act == "remove":
            remove_member(event=event, account=account, by=request.user)
            messages.success(request, _("%(name)s no longer has access.") % {"name": account.display_name})
        elif wanted in ROLES_BY_RANK:
            changed = change_role(event=event, account=account, role=Role(wanted), by=request.user)
            said = {"name": account.display_name, "role": role_name(wanted)}
            words = _("%(name)s is %(role)s from now on.") if changed else _("%(name)s is %(role)s already.")
            messages.success(request, words % said)
        else:
            raise Http404("There is no such act.")
    return redirect("desk:members", event.slug)


@require_http_methods(["GET", "POST"])
@who_may(Right.HAND_ON)
@reauthenticate()
def hand_on(request: DeskRequest, event: Event, account_id: int) -> HttpResponse:
    """Ask, then make another member the owner."""
    account = _account_or_404(event, account_id)
    if request.method == "GET":
        context = {"name": account.display_name, "account_id": account.pk}
        return render(request, "access/hand_on.html", desk_context(request, event, "settings", **context))
    try:
        hand_event_on(event=event, account=account, by=request.user)
        messages.success(request, _("%(name)s now owns the event.") % {"name": account.display_name})
    except DomainError as refused:
        flash_problems(request, refused)
        return redirect("desk:members", event.slug)
    return redirect("desk:grid", event.slug)


@require_POST
@who_may(Right.MANAGE_MEMBERS)
def end_member(request: DeskRequest, event: Event, account_id: int) -> HttpResponse:
    """Sign a member of a lower role out everywhere; the role stays."""
    membership = get_object_or_404(event.memberships.select_related("account"), account=account_id)
    if not is_higher_role(request.rights, Role(membership.role)):
        raise PermissionDenied
    with flash_refusal(request):
        say_ended(request, end_member_sessions(event=event, account=membership.account, by=request.user))
    return redirect("desk:members", event.slug)


def _page(
    request: DeskRequest,
    event: Event,
    table: MembersTable,
    form: InvitationForm,
    link: dict[str, Any] | None,
    *,
    status: int,
) -> HttpResponse:
    roles = _roles_of(request.rights)
    context = {
        "form": form,
        "link": link,
        "table": table,
        "roles": roles,
        "explained": list(ROLES),
        "verbs": [(words, list(may.values())) for words, may in rights_table()],
    }
    return render(request, "access/members.html", desk_context(request, event, "settings", **context), status=status)


def _roles_of(rights: Rights) -> list[Role]:
    """List the roles that a reader may give, the highest first."""
    return [role for role in reversed(ROLES_BY_RANK) if is_higher_role(rights, role)]


def _account_or_404(event: Event, account_id: int) -> Account:
    people = event.memberships.select_related("account").exclude(role=Role.TABLE_DEVICE)
    return get_object_or_404(people, account=account_id).account


def _invite(request: DeskRequest, event: Event, form: InvitationForm) -> dict[str, Any] | None:
    """Create an invitation; return its link and QR code, which are shown only once."""
    name, role = form.cleaned_data["name"], Role(form.cleaned_data["role"])
    try:
        token = invite(event=event, role=role, name=name, by=request.user)
    except DomainError as refused:
        for problem in refused.problems:
            form.add_error(None, problem_text(problem))
        return None
    url = request.build_absolute_uri(reverse("enter", args=[token]))
    return {"url": url, "name": name, "role": role, "svg": qr_svg(url)}


@require_safe
@for_anyone
def choose(request: HttpRequest, code: str) -> HttpResponse:
    """Store the language `code` in a cookie and go back to `?next=`; an unknown code changes nothing.

    By GET: public pages carry no CSRF token, and the choice affects only this reader.
    """
    there = request.GET.get("next", "")
    safe = url_has_allowed_host_and_scheme(there, allowed_hosts=None) and there.startswith("/")
    response = HttpResponseRedirect(there if safe else "/")
    if known_language(code) and check_for_language(code):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            code,
            max_age=A_YEAR,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    response["Cache-Control"] = "no-store"
    return response
