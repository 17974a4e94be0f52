"""Verbs on access: one-time links and the accounts that they make, roles at an event, sessions.

Tokens are stored as hashes only. `tournament.core.rights` says who may give which role.
"""

import hashlib
import secrets
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from scoring.problems import ProblemType
from tournament.accounts.queries import get_rights, number_of
from tournament.accounts.session_store import stored_key
from tournament.core.acts import Act, Seals, Shown
from tournament.core.errors import Refused
from tournament.core.limits import MOST_NAME
from tournament.core.rights import outranks
from tournament.core.transaction import append_audit, hold_trail, require_text, writing
from tournament.models.access import Account, DeskSession, EntryLink, Membership, Role
from tournament.models.event import Event

LINK_USED = Act("link_used", "signed in with a link as {role}", shown=Shown.DESK)
ACCOUNT_RENAMED = Act("account_renamed", "changed their own name")
PASSWORD_SET = Act("password_set", "set a password")
LINK_CREATED = Act("link_created", "made a link for a new {role}", shown=Shown.DESK)
ROLE_CHANGED = Act("role_changed", "made {account} {role} instead of {former}", shown=Shown.DESK)
MEMBER_REMOVED = Act("member_removed", "removed the role {role} of {account}", shown=Shown.DESK)
EVENT_HANDED_ON = Act("event_handed_on", "transferred the event to {account}", shown=Shown.DESK)
MEMBER_SIGNED_OUT = Act("member_signed_out", "signed somebody out everywhere ({sessions})", Seals.OWN)
SESSIONS_ENDED = Act("sessions_ended", "signed out elsewhere ({sessions})")

SESSIONS_NOT_OF_THIS_EVENT = ProblemType(
    "sessions.not_of_this_event", "They have a role in another event: only the desk’s administrator can sign them out."
)
MEMBERS_UNKNOWN = ProblemType("members.unknown", "This person has no role at this event.")
MEMBERS_OWNER_STAYS = ProblemType(
    "members.owner_stays", "The owner's role cannot be changed or removed: the owner transfers the event."
)
MEMBERS_ROLE_TOO_HIGH = ProblemType("members.role_too_high", "You can give and remove only roles below your own.")
MEMBERS_OWNS_ALREADY = ProblemType("members.owns_already", "The event is this person's already.")
ACCESS_OWN_NAME_MISSING = ProblemType("access.own_name_missing", "Type your display name.")
ACCESS_NAME_MISSING = ProblemType("access.name_missing", "Say who the invitation is for.")
ACCESS_LINK_INVALID = ProblemType(
    "access.link_invalid", "This link was used already, or it has expired. Ask the organiser for a new one."
)
ACCESS_DEVICE_HAS_NO_PASSWORD = ProblemType(
    "access.device_has_no_password", "A table device has no password: it comes in by its card and PIN."
)

ORGANISER = "organiser"
COMMAND_LINE = "command-line"
GUEST = "guest-"
ORGANISER_LINK_LIFE = timedelta(hours=12)
INVITATION_LIFE = timedelta(days=14)


def get_site_organiser() -> Account:
    """Return the account of the site's organiser, who may do everything; make it on first use."""
    return _account(ORGANISER, "Organiser", superuser=True)


def get_command_line() -> Account:
    """Return the account that commands write as."""
    return _account(COMMAND_LINE, "Command line", superuser=False)


def create_organiser_link(*, by: Account | None = None) -> str:
    """Make a one-time link for the site's organiser and return its token; older unused ones stop working."""
    by = by or get_site_organiser()
    with transaction.atomic():
        EntryLink.objects.filter(event=None, used_at=None).delete()
        return _create_link(None, Role.ORGANISER, "", ORGANISER_LINK_LIFE, by)


def invite(*, event: Event, role: Role, name: str, by: Account) -> str:
    """Make a one-time link to a role at an event and return its token.

    Raises Refused without a name, and for a role that is not below that of `by`.
    """
    name = require_text(name, ACCESS_NAME_MISSING, MOST_NAME)
    if not outranks(get_rights(by, event), role):
        raise Refused(MEMBERS_ROLE_TOO_HIGH())
    with transaction.atomic():
        return _create_link(event, role, name, INVITATION_LIFE, by)


def find_link(token: str) -> EntryLink | None:
    """Return the unused, unexpired link of a token."""
    return EntryLink.objects.filter(token_hash=_hash(token), used_at=None, expires_at__gt=timezone.now()).first()


def use_link(*, token: str) -> Account:
    """Use a link up and return its account; raises Refused when the link is unknown, used or expired."""
    with transaction.atomic():
        link = EntryLink.objects.select_for_update().filter(token_hash=_hash(token)).first()
        now = timezone.now()
        if link is None or link.used_at or link.expires_at <= now:
            raise Refused(ACCESS_LINK_INVALID())
        if link.event is not None:
            hold_trail(link.event)
        link.used_at = now
        link.save(update_fields=["used_at"])
        account = get_site_organiser() if link.event is None else _invited(link, link.event)
        append_audit(link.event, LINK_USED, {"role": link.role}, by=str(account.uid), at=now)
        return account


def admit_guest() -> Account:
    """Make an account that referees every event here, and return it."""
    with transaction.atomic():
        number = Account.objects.filter(username__startswith=GUEST).count() + 1
        guest = Account(username=f"{GUEST}{secrets.token_hex(6)}", display_name=f"Guest {number}")
        guest.set_unusable_password()
        guest.save()
        for event in Event.objects.order_by("id"):
            hold_trail(event)
            Membership.objects.create(event=event, account=guest, role=Role.REFEREE)
            append_audit(event, LINK_USED, {"role": Role.REFEREE}, by=str(guest.uid), at=timezone.now())
        return guest


def is_guest(account: Account) -> bool:
    """Tell whether an account was made by the way into a demo."""
    return account.username.startswith(GUEST) and not account.has_usable_password()


def rename_account(*, name: str, by: Account) -> None:
    """Change the name that an account is shown by, everywhere; raises Refused for an empty one."""
    name = require_text(name, ACCESS_OWN_NAME_MISSING, MOST_NAME)
    if name == by.display_name:
        return
    with transaction.atomic():
        by.display_name = name
        by.save(update_fields=["display_name"])
        append_audit(None, ACCOUNT_RENAMED, {}, by=str(by.uid), at=timezone.now())


def set_password(*, password: str, by: Account) -> None:
    """Set an account's password, which the caller has validated; raises Refused for a table device."""
    if by.device is not None:
        raise Refused(ACCESS_DEVICE_HAS_NO_PASSWORD())
    with transaction.atomic():
        by.set_password(password)
        by.save(update_fields=["password"])
        append_audit(None, PASSWORD_SET, {}, by=str(by.uid), at=timezone.now())


def _invited(link: EntryLink, event: Event) -> Account:
    account = Account(username=f"{link.role}-{secrets.token_hex(6)}", display_name=link.name)
    account.set_unusable_password()
    account.save()
    Membership.objects.create(event=event, account=account, role=link.role)
    return account


def _create_link(event: Event | None, role: Role, name: str, life: timedelta, by: Account) -> str:
    token, now = secrets.token_urlsafe(24), timezone.now()
    if event is not None:
        hold_trail(event)
    EntryLink.objects.create(
        token_hash=_hash(token), event=event, role=role, name=name, created_at=now, expires_at=now + life
    )
    append_audit(event, LINK_CREATED, {"role": role}, by=str(by.uid), at=now)
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


# ---------------------------------------------------------------- roles


def change_role(*, event: Event, account: Account, role: Role, by: Account) -> bool:
    """Change a member's role at an event; return whether it is new.

    Raises Refused where the old or the new role is not below that of `by`, and for a non-member.
    """
    with writing(event, ROLE_CHANGED, by=by) as change:
        member = _member(event, account, by)
        if not outranks(get_rights(by, event), role):
            raise Refused(MEMBERS_ROLE_TOO_HIGH())
        change.details = {"account": str(account.uid), "former": member.role, "role": str(role)}
        return change.set(member, role=role)


def remove_member(*, event: Event, account: Account, by: Account) -> None:
    """Remove a member from an event; one without any other role is signed out everywhere.

    Rows that they wrote stay in their name. Raises Refused for a role not below that of `by`, and for a non-member.
    """
    with writing(event, MEMBER_REMOVED, by=by) as change:
        member = _member(event, account, by)
        change.details = {"account": str(account.uid), "role": member.role}
        member.delete()
        if not account.is_superuser and not account.memberships.exists():
            DeskSession.objects.filter(account=account).delete()


def hand_event_on(*, event: Event, account: Account, by: Account) -> None:
    """Make a member the event's owner; the former owner becomes an organiser.

    Raises Refused for the owner, for a table device and for a non-member.
    """
    with writing(event, EVENT_HANDED_ON, by=by) as change:
        people = event.memberships.exclude(role=Role.TABLE_DEVICE)
        member = people.filter(account=account).first()
        if member is None:
            raise Refused(MEMBERS_UNKNOWN())
        if member.role == Role.OWNER:
            raise Refused(MEMBERS_OWNS_ALREADY())
        people.filter(role=Role.OWNER).update(role=Role.ORGANISER)
        change.set(member, role=Role.OWNER)
        change.details = {"account": str(account.uid)}


def _member(event: Event, account: Account, by: Account) -> Membership:
    """Return an account's membership; raises Refused where `by` may not change it."""
    member: Membership | None = event.memberships.filter(account=account).first()
    if member is None:
        raise Refused(MEMBERS_UNKNOWN())
    if member.role == Role.OWNER:
        raise Refused(MEMBERS_OWNER_STAYS())
    if not outranks(get_rights(by, event), Role(member.role)):
        raise Refused(MEMBERS_ROLE_TOO_HIGH())
    return member


# ---------------------------------------------------------------- sessions


def end_session(*, number: str, by: Account) -> bool:
    """End one of one's own sessions, by its number in the list; return whether it was found."""
    keys = DeskSession.objects.filter(account=by).values_list("session_key", flat=True)
    return _end(by, Q(pk__in=[key for key in keys if number_of(key) == number])) > 0


def end_other_sessions(*, keep: str | None, by: Account) -> int:
    """End all of one's own sessions except the one with the key `keep`; return how many."""
    return _end(by, ~Q(pk=stored_key(keep)))


def end_member_sessions(*, event: Event, account: Account, by: Account) -> int:
    """End all sessions of a member; return how many.

    Raises Refused, unless the site's organiser asks, for the site's organiser and for a member of another event too:
    access there is not this event's to decide.
    """
    elsewhere = account.memberships.exclude(event=event).exists()
    if not by.is_superuser and account != by and (account.is_superuser or elsewhere):
        raise Refused(SESSIONS_NOT_OF_THIS_EVENT())
    with writing(event, MEMBER_SIGNED_OUT, by=by) as change:
        count, _ = DeskSession.objects.filter(account=account).delete()
        change.details = {"account": str(account.uid), "sessions": count}
        if not count:
            change.nothing_new()
    return count


def delete_expired_sessions() -> None:
    """Delete the rows of expired sessions."""
    DeskSession.objects.filter(expire_date__lt=timezone.now()).delete()


def _end(account: Account, which: Q) -> int:
    with transaction.atomic():
        count, _ = DeskSession.objects.filter(which, account=account).delete()
        if count:
            append_audit(None, SESSIONS_ENDED, {"sessions": count}, by=str(account.uid), at=timezone.now())
    return count
