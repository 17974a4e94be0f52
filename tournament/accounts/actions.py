"""Actions on accounts, roles, one-time links, sessions and table devices.

Tokens and PINs are stored as hashes only. `tournament.core.rights` decides who may give which role.
"""

import datetime as dt
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from django.core import signing
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from scoring.problems import ProblemType
from tournament.accounts.models import ANY_TABLE, Account, DeskSession, EntryLink, Membership, Role, TableDevice
from tournament.accounts.queries import get_rights, list_tables_served, session_number
from tournament.accounts.session_store import stored_key
from tournament.core.acts import Act, Seals, Shown
from tournament.core.audit import append_audit, lock_audit_trail
from tournament.core.errors import DomainError
from tournament.core.hash_chain import digest_of
from tournament.core.limits import MAX_NAME
from tournament.core.now import now
from tournament.core.rate_limits import Limiter, RateLimitedError, Source
from tournament.core.rights import is_higher_role
from tournament.core.transaction import event_transaction, require_text
from tournament.events.models import Event

LINK_USED = Act("link_used", "signed in with a link as {role}", shown=Shown.DESK)
ACCOUNT_RENAMED = Act("account_renamed", "changed their own name")
PASSWORD_SET = Act("password_set", "set a password")
LINK_CREATED = Act("link_created", "created a link for a new {role}", shown=Shown.DESK)
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

    Raises DomainError without a name, and for a role that is not below that of `by`.
    """
    name = require_text(name, ACCESS_NAME_MISSING, MAX_NAME)
    if not is_higher_role(get_rights(by, event), role):
        raise DomainError(MEMBERS_ROLE_TOO_HIGH())
    with transaction.atomic():
        return _create_link(event, role, name, INVITATION_LIFE, by)


def find_link(token: str) -> EntryLink | None:
    """Return the unused, unexpired link of a token."""
    return EntryLink.objects.filter(token_hash=digest_of(token), used_at=None, expires_at__gt=timezone.now()).first()


def use_link(*, token: str) -> Account:
    """Use a link up and return its account; raises DomainError when the link is unknown, used or expired."""
    with transaction.atomic():
        link = EntryLink.objects.select_for_update().filter(token_hash=digest_of(token)).first()
        now = timezone.now()
        if link is None or link.used_at or link.expires_at <= now:
            raise DomainError(ACCESS_LINK_INVALID())
        if link.event is not None:
            lock_audit_trail(link.event)
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
            lock_audit_trail(event)
            Membership.objects.create(event=event, account=guest, role=Role.REFEREE)
            append_audit(event, LINK_USED, {"role": Role.REFEREE}, by=str(guest.uid), at=timezone.now())
        return guest


def is_guest(account: Account) -> bool:
    """Tell whether an account was made by the way into a demo."""
    return account.username.startswith(GUEST) and not account.has_usable_password()


def rename_account(*, name: str, by: Account) -> None:
    """Change the name that an account is shown by, everywhere; raises DomainError for an empty one."""
    name = require_text(name, ACCESS_OWN_NAME_MISSING, MAX_NAME)
    if name == by.display_name:
        return
    with transaction.atomic():
        by.display_name = name
        by.save(update_fields=["display_name"])
        append_audit(None, ACCOUNT_RENAMED, {}, by=str(by.uid), at=timezone.now())


def set_password(*, password: str, by: Account) -> None:
    """Set an account's password, which the caller has validated; raises DomainError for a table device."""
    if by.device is not None:
        raise DomainError(ACCESS_DEVICE_HAS_NO_PASSWORD())
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
        lock_audit_trail(event)
    EntryLink.objects.create(
        token_hash=digest_of(token), event=event, role=role, name=name, created_at=now, expires_at=now + life
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


# ---------------------------------------------------------------- roles


def change_role(*, event: Event, account: Account, role: Role, by: Account) -> bool:
    """Change a member's role at an event; return whether it is new.

    Raises DomainError where the old or the new role is not below that of `by`, and for a non-member.
    """
    with event_transaction(event, ROLE_CHANGED, by=by) as change:
        member = _member(event, account, by)
        if not is_higher_role(get_rights(by, event), role):
            raise DomainError(MEMBERS_ROLE_TOO_HIGH())
        change.details = {"account": str(account.uid), "former": member.role, "role": str(role)}
        return change.set_columns(member, role=role)


def remove_member(*, event: Event, account: Account, by: Account) -> None:
    """Remove a member from an event; one without any other role is signed out everywhere.

    Rows that they wrote stay in their name. Raises DomainError for a role not below that of `by`, and for a non-member.
    """
    with event_transaction(event, MEMBER_REMOVED, by=by) as change:
        member = _member(event, account, by)
        change.details = {"account": str(account.uid), "role": member.role}
        member.delete()
        if not account.is_superuser and not account.memberships.exists():
            DeskSession.objects.filter(account=account).delete()


def hand_event_on(*, event: Event, account: Account, by: Account) -> None:
    """Make a member the event's owner; the former owner becomes an organiser.

    Raises DomainError for the owner, for a table device and for a non-member.
    """
    with event_transaction(event, EVENT_HANDED_ON, by=by) as change:
        people = event.memberships.exclude(role=Role.TABLE_DEVICE)
        member = people.filter(account=account).first()
        if member is None:
            raise DomainError(MEMBERS_UNKNOWN())
        if member.role == Role.OWNER:
            raise DomainError(MEMBERS_OWNS_ALREADY())
        people.filter(role=Role.OWNER).update(role=Role.ORGANISER)
        change.set_columns(member, role=Role.OWNER)
        change.details = {"account": str(account.uid)}


def _member(event: Event, account: Account, by: Account) -> Membership:
    """Return an account's membership; raises DomainError where `by` may not change it."""
    member: Membership | None = event.memberships.filter(account=account).first()
    if member is None:
        raise DomainError(MEMBERS_UNKNOWN())
    if member.role == Role.OWNER:
        raise DomainError(MEMBERS_OWNER_STAYS())
    if not is_higher_role(get_rights(by, event), Role(member.role)):
        raise DomainError(MEMBERS_ROLE_TOO_HIGH())
    return member


# ---------------------------------------------------------------- sessions


def end_session(*, number: str, by: Account) -> bool:
    """End one of one's own sessions, by its number in the list; return whether it was found."""
    keys = DeskSession.objects.filter(account=by).values_list("session_key", flat=True)
    return _end(by, Q(pk__in=[key for key in keys if session_number(key) == number])) > 0


def end_other_sessions(*, keep: str | None, by: Account) -> int:
    """End all of one's own sessions except the one with the key `keep`; return how many."""
    return _end(by, ~Q(pk=stored_key(keep)))


def end_member_sessions(*, event: Event, account: Account, by: Account) -> int:
    """End all sessions of a member; return how many.

    Raises DomainError, unless the site's organiser asks, for the site's organiser and for a member of another event
    too: access there is not this event's to decide.
    """
    elsewhere = account.memberships.exclude(event=event).exists()
    if not by.is_superuser and account != by and (account.is_superuser or elsewhere):
        raise DomainError(SESSIONS_NOT_OF_THIS_EVENT())
    with event_transaction(event, MEMBER_SIGNED_OUT, by=by) as change:
        count, _ = DeskSession.objects.filter(account=account).delete()
        change.details = {"account": str(account.uid), "sessions": count}
        if not count:
            change.mark_unchanged()
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


# ---------------------------------------------------------------- table devices


DEVICES_MADE = Act("devices_made", "added devices at tables {tables} (0 is any table)", Seals.OWN)
DEVICE_RENEWED = Act(
    "device_renewed", "made a new card and PIN for the device of table {table} (0 is any table)", Seals.OWN
)
DEVICES_REVOKED = Act(
    "devices_revoked", "revoked the access of the devices of tables {tables} (0 is any table)", Seals.OWN
)

DEVICE_CARD_INVALID = ProblemType("device.card_invalid", "This card no longer works. Ask the organiser for a new one.")
DEVICE_PIN_WRONG = ProblemType("device.pin_wrong", "This PIN does not match this card.")
DEVICE_TOO_MANY_TRIES = ProblemType(
    "device.too_many_tries",
    "This PIN was tried too often: it can be tried again in {wait}. A new card and PIN from the organiser work "
    "at once.",
)
DEVICE_EXPIRES_OUT_OF_RANGE = ProblemType(
    "device.expires_out_of_range", "Choose a day from today on, at most {days} days ahead."
)
DEVICE_ENDED = ProblemType("device.ended", "The access of this device is revoked already: add a new one.")

SALT = "hanchan.table-device"
LONGEST = dt.timedelta(days=31)
MAX_AT_ONCE = 400
PIN_DIGITS = 6
PIN_TRIES = Limiter(scope="pin", span=dt.timedelta(minutes=15), proven=5, pair=5, account=15)
# Six digits are guessed in a day from any hash: what guards a stolen database is the key beside it, not a slow hash.
# These are OWASP's least parameters for argon2id: fifty cards take two seconds.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1)


@dataclass(frozen=True, slots=True)
class NewCard:
    """A device and its PIN, which can be read only now."""

    device: TableDevice
    pin: str


def make_devices(
    *, event: Event, tables: Sequence[tuple[int, str]], expires_at: dt.datetime, by: Account
) -> list[NewCard]:
    """Make a device for each table, given as number and name (ANY_TABLE: one for all tables, each time asked).

    Tables with a device are skipped, so that a second click signs nobody out. Raises DomainError for `expires_at` out
    of range.
    """
    moment = now()
    if not moment < expires_at <= moment + LONGEST:
        raise DomainError(DEVICE_EXPIRES_OUT_OF_RANGE(days=LONGEST.days))
    served = list_tables_served(event, at=moment)
    wanted = [(number, name) for number, name in tables if number == ANY_TABLE or number not in served][:MAX_AT_ONCE]
    pins = [_new_pin() for _ in wanted]
    hashes = [_hash_pin(pin) for pin in pins]  # slow: before the event is locked
    made: list[NewCard] = []
    with event_transaction(event, DEVICES_MADE, by=by) as change:
        served = list_tables_served(change.event, at=moment)  # others may have been made meanwhile
        for (number, name), pin, pin_hash in zip(wanted, pins, hashes, strict=True):
            if number not in served:
                made.append(NewCard(_row(change.event, number, name, pin_hash, moment, expires_at), pin))
        change.details = {"tables": [new.device.table for new in made]}
        if not made:
            change.mark_unchanged()
    return made


def renew_device(*, device: TableDevice, by: Account) -> NewCard:
    """Give a device a new card and PIN; the old ones stop working, and their session ends."""
    pin = _new_pin()
    hashed = _hash_pin(pin)
    with event_transaction(device.event, DEVICE_RENEWED, by=by) as change:
        row = TableDevice.objects.select_for_update().get(pk=device.pk)
        if row.has_ended(change.at) or row.player_id:
            raise DomainError(DEVICE_ENDED())
        row.card, row.pin_hash, row.signed_in_at = _new_card(), hashed, None
        row.save(update_fields=["card", "pin_hash", "signed_in_at"])
        DeskSession.objects.filter(account=row.account_id).delete()
        change.details = {"table": row.table}
    return NewCard(row, pin)


def revoke_devices(*, event: Event, devices: Sequence[int] | None = None, by: Account) -> int:
    """Revoke devices by id, None for all of the event; return how many were revoked."""
    with event_transaction(event, DEVICES_REVOKED, by=by) as change:
        rows = TableDevice.objects.select_for_update().filter(event=change.event, revoked_at=None)
        found = list(rows if devices is None else rows.filter(pk__in=devices))
        if not found:
            change.mark_unchanged()
        accounts = [row.account_id for row in found]
        TableDevice.objects.filter(pk__in=[row.pk for row in found]).update(revoked_at=change.at)
        Membership.objects.filter(event=change.event, account__in=accounts, role=Role.TABLE_DEVICE).delete()
        DeskSession.objects.filter(account__in=accounts).delete()
        change.details = {"tables": [row.table for row in found]}
    return len(found)


def sign_device_in(*, token: str, pin: str, network: str = "", known: bool = False) -> TableDevice:
    """Sign a device in by its card and PIN; an earlier session of the card ends.

    `known`: it was signed in there before, and its tries are counted apart from those of strangers, who may have
    photographed the card. Raises DomainError for a wrong card or PIN, RateLimitedError after too many tries.
    """
    device = find_device(token)
    if device is None:
        raise DomainError(DEVICE_CARD_INVALID())
    source = Source(network, f"{device.pk} {device.card}", proven=known)  # a new card begins with no tries
    wait = PIN_TRIES.count(source)
    if wait:
        raise RateLimitedError(DEVICE_TOO_MANY_TRIES, wait=wait)
    if not _fits(device.pin_hash, pin):
        raise DomainError(DEVICE_PIN_WRONG())
    PIN_TRIES.forget(source)
    with transaction.atomic():
        DeskSession.objects.filter(account=device.account_id).delete()
        device.signed_in_at = now()
        device.save(update_fields=["signed_in_at"])
    return device


def card_token(device: TableDevice) -> str:
    """Return the signed text of a device's card."""
    return signing.dumps([device.pk, device.card], salt=SALT)


def find_device(token: str) -> TableDevice | None:
    """Return the device of a card; None for a forged, renewed, revoked or expired one."""
    try:
        number, card = signing.loads(token, salt=SALT, max_age=LONGEST)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    row = TableDevice.objects.select_related("event", "account").filter(pk=number, card=card).first()
    return None if row is None or row.has_ended(now()) else row


def add_device_account(name: str) -> Account:
    """Add the account of a device, which has no password."""
    account = Account(username=f"device-{secrets.token_hex(6)}", display_name=name[:60])
    account.set_unusable_password()
    account.save()
    return account


def _row(
    event: Event, table: int, name: str, pin_hash: str, moment: dt.datetime, expires_at: dt.datetime
) -> TableDevice:
    account = add_device_account(name)
    Membership.objects.create(event=event, account=account, role=Role.TABLE_DEVICE, table_number=table)
    return TableDevice.objects.create(
        event=event,
        account=account,
        table=table,
        card=_new_card(),
        pin_hash=pin_hash,
        made_at=moment,
        expires_at=expires_at,
    )


def _new_card() -> str:
    return secrets.token_urlsafe(12)


def _new_pin() -> str:
    return f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"


def _hash_pin(pin: str) -> str:
    return _HASHER.hash(_keyed(pin))


def _fits(pin_hash: str, pin: str) -> bool:
    try:
        return _HASHER.verify(pin_hash, _keyed(pin))
    except (VerificationError, InvalidHashError):
        return False


def _keyed(pin: str) -> str:
    typed = "".join(pin.split())
    return salted_hmac("hanchan.device-pin", typed, algorithm="sha256").hexdigest()
