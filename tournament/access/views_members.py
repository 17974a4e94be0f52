"""The members of an event: their roles, invitations, signing out, and transfer to a new owner."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access.devices_1 import qr_svg
from tournament.access.views_access import say_ended
from tournament.accounts.actions_access import change_role, end_member_sessions, hand_event_on, invite, remove_member
from tournament.accounts.queries import list_members
from tournament.core.errors import Refused
from tournament.core.rights import LADDER, Rights, Verb, outranks
from tournament.models.access import Account, Role
from tournament.models.event import Event
from tournament.pages.lists import ListColumn, ListTable, acts_column, name_column
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import UNPROCESSABLE, flash_problems
from tournament.pages.sign_in_reauthentication import reauthenticate
from tournament.tables.messages import ROLES, rights_table, role_name
from tournament.text.names_name_search import alphabetical
from tournament.text.problems_1 import say


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
        sort=lambda row: (-LADDER.index(Role(row.role)), alphabetical(row.name)),
        cell="access/members.html#role",
    )
    acts = acts_column("access/members.html#acts")

    class Meta(ListTable.Meta):
        attrs: ClassVar = {"class": "is-stack members-table"}
        order_by = "role"


@require_http_methods(["GET", "POST"])
@who_may(Verb.MANAGE_MEMBERS)
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
@who_may(Verb.MANAGE_MEMBERS)
def member(request: DeskRequest, event: Event, account_id: int) -> HttpResponse:
    """Change a member's role, or remove it."""
    account, act = _account_or_404(event, account_id), request.POST.get("act")
    wanted = request.POST.get("role", "")
    try:
        if act == "remove":
            remove_member(event=event, account=account, by=request.user)
            messages.success(request, _("%(name)s no longer has access.") % {"name": account.display_name})
        elif wanted in LADDER:
            changed = change_role(event=event, account=account, role=Role(wanted), by=request.user)
            said = {"name": account.display_name, "role": role_name(wanted)}
            words = _("%(name)s is %(role)s from now on.") if changed else _("%(name)s is %(role)s already.")
            messages.success(request, words % said)
        else:
            raise Http404("There is no such act.")
    except Refused as refused:
        flash_problems(request, refused)
    return redirect("desk:members", event.slug)


@require_http_methods(["GET", "POST"])
@who_may(Verb.HAND_ON)
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
    except Refused as refused:
        flash_problems(request, refused)
        return redirect("desk:members", event.slug)
    return redirect("desk:grid", event.slug)


@require_POST
@who_may(Verb.MANAGE_MEMBERS)
def end_member(request: DeskRequest, event: Event, account_id: int) -> HttpResponse:
    """Sign a member of a lower role out everywhere; the role stays."""
    membership = event.memberships.select_related("account").filter(account=account_id).first()
    if membership is None:
        raise Http404("There is nobody like this.")
    if not outranks(request.rights, Role(membership.role)):
        raise PermissionDenied
    try:
        say_ended(request, end_member_sessions(event=event, account=membership.account, by=request.user))
    except Refused as refused:
        flash_problems(request, refused)
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
    return [role for role in reversed(LADDER) if outranks(rights, role)]


def _account_or_404(event: Event, account_id: int) -> Account:
    found = (
        event.memberships.select_related("account").exclude(role=Role.TABLE_DEVICE).filter(account=account_id).first()
    )
    if found is None:
        raise Http404("There is nobody like this.")
    return found.account


def _invite(request: DeskRequest, event: Event, form: InvitationForm) -> dict[str, Any] | None:
    """Create an invitation; return its link and QR code, which are shown only once."""
    name, role = form.cleaned_data["name"], Role(form.cleaned_data["role"])
    try:
        token = invite(event=event, role=role, name=name, by=request.user)
    except Refused as refused:
        for problem in refused.problems:
            form.add_error(None, say(problem))
        return None
    url = request.build_absolute_uri(reverse("enter", args=[token]))
    return {"url": url, "name": name, "role": role, "svg": qr_svg(url)}
