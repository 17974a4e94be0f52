"""Verbs on access: one-time links, and the accounts that they make. Tokens are kept as hashes only."""

import hashlib
import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from scoring.problems import error
from tournament.models import Account, EntryLink, Event, Membership, Role
from tournament.refusal import Refused
from tournament.rights import outranks
from tournament.selectors.access import get_rights
from tournament.services.core.writing import append_audit, hold_trail

ORGANISER = "organiser"
COMMAND_LINE = "command-line"
ORGANISER_LINK_LIFE = timedelta(hours=12)
INVITATION_LIFE = timedelta(days=14)


def get_site_organiser() -> Account:
    """Return the account of whoever runs this desk; it is made on first use and may do everything."""
    return _account(ORGANISER, "Organiser", superuser=True)


def get_command_line() -> Account:
    """Return the account in whose name commands write."""
    return _account(COMMAND_LINE, "Command line", superuser=False)


def create_organiser_link(*, by: Account | None = None) -> str:
    """Make a one-time link for the desk's organiser and return its token; older unused ones stop working."""
    by = by or get_site_organiser()
    with transaction.atomic():
        EntryLink.objects.filter(event=None, used_at=None).delete()
        return _create_link(None, Role.ORGANISER, "", ORGANISER_LINK_LIFE, by)


def invite(*, event: Event, role: Role, name: str, by: Account) -> str:
    """Make a one-time link that lets somebody in with a role at an event; return its token.

    Raises Refused without a name, and for a role that is not below one's own.
    """
    if not name.strip():
        raise Refused(error("access.name_missing"))
    if not outranks(get_rights(by, event), role):
        raise Refused(error("members.role_too_high"))
    with transaction.atomic():
        return _create_link(event, role, name.strip()[:60], INVITATION_LIFE, by)


def find_link(token: str) -> EntryLink | None:
    """Return the unused, unexpired link of a token."""
    return EntryLink.objects.filter(token_hash=_hash(token), used_at=None, expires_at__gt=timezone.now()).first()


def use_link(*, token: str) -> Account:
    """Use a link up and return the account that it lets in; raises Refused when it is unknown, used or expired."""
    with transaction.atomic():
        link = EntryLink.objects.select_for_update().filter(token_hash=_hash(token)).first()
        now = timezone.now()
        if link is None or link.used_at or link.expires_at <= now:
            raise Refused(error("access.link_invalid"))
        if link.event is not None:
            hold_trail(link.event)
        link.used_at = now
        link.save(update_fields=["used_at"])
        account = get_site_organiser() if link.event is None else _invited(link, link.event)
        append_audit(link.event, "link_used", {"role": link.role}, by=str(account.uid), at=now)
        return account


def rename_account(*, name: str, by: Account) -> None:
    """Change the name by which somebody is shown, everywhere; raises Refused for an empty one."""
    if not name.strip():
        raise Refused(error("access.own_name_missing"))
    if name.strip()[:60] == by.display_name:
        return
    with transaction.atomic():
        by.display_name = name.strip()[:60]
        by.save(update_fields=["display_name"])
        append_audit(None, "account_renamed", {}, by=str(by.uid), at=timezone.now())


def set_password(*, password: str, by: Account) -> None:
    """Give somebody a password, which the caller has found good enough; the old one stops working."""
    with transaction.atomic():
        by.set_password(password)
        by.save(update_fields=["password"])
        append_audit(None, "password_set", {}, by=str(by.uid), at=timezone.now())


def _invited(link: EntryLink, event: Event) -> Account:
    account = Account.objects.create(username=f"{link.role}-{secrets.token_hex(6)}", display_name=link.name)
    account.set_unusable_password()
    account.save(update_fields=["password"])
    Membership.objects.create(event=event, account=account, role=link.role)
    return account


def _create_link(event: Event | None, role: Role, name: str, life: timedelta, by: Account) -> str:
    token, now = secrets.token_urlsafe(24), timezone.now()
    if event is not None:
        hold_trail(event)
    EntryLink.objects.create(
        token_hash=_hash(token), event=event, role=role, name=name, created_at=now, expires_at=now + life
    )
    append_audit(event, "link_created", {"role": role}, by=str(by.uid), at=now)
    return token


def _account(username: str, display_name: str, *, superuser: bool) -> Account:
    account, made = Account.objects.get_or_create(
        username=username, defaults={"display_name": display_name, "is_superuser": superuser}
    )
    if made:
        account.set_unusable_password()
        account.save(update_fields=["password"])
    return account


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
