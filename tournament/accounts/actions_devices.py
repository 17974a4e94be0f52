"""Verbs on table devices: made with a card and a PIN, renewed, signed in, revoked.

A card is an address with a signed text. A photo of it lacks the PIN, which is shown once and stored as a keyed hash.
Neither is ever written into the trail or a log.
"""

import datetime as dt
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from django.core import signing
from django.db import transaction
from django.utils.crypto import salted_hmac

from scoring.problems import ProblemType
from tournament.accounts.queries import list_tables_served
from tournament.core.acts import Act, Seals
from tournament.core.errors import Refused
from tournament.core.now import now
from tournament.core.rate_limits import Limiter, Source, TooMany
from tournament.core.transaction import writing
from tournament.models.access import ANY_TABLE, Account, DeskSession, Membership, Role, TableDevice
from tournament.models.event import Event

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
MOST_AT_ONCE = 400
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

    Tables with a device are skipped, so that a second click signs nobody out. Raises Refused for `expires_at` out of
    range.
    """
    moment = now()
    if not moment < expires_at <= moment + LONGEST:
        raise Refused(DEVICE_EXPIRES_OUT_OF_RANGE(days=LONGEST.days))
    served = list_tables_served(event, at=moment)
    wanted = [(number, name) for number, name in tables if number == ANY_TABLE or number not in served][:MOST_AT_ONCE]
    pins = [_new_pin() for _ in wanted]
    hashes = [_hash(pin) for pin in pins]  # slow: before the event is locked
    made: list[NewCard] = []
    with writing(event, DEVICES_MADE, by=by) as change:
        served = list_tables_served(change.event, at=moment)  # others may have been made meanwhile
        for (number, name), pin, pin_hash in zip(wanted, pins, hashes, strict=True):
            if number not in served:
                made.append(NewCard(_row(change.event, number, name, pin_hash, moment, expires_at), pin))
        change.details = {"tables": [new.device.table for new in made]}
        if not made:
            change.nothing_new()
    return made


def renew_device(*, device: TableDevice, by: Account) -> NewCard:
    """Give a device a new card and PIN; the old ones stop working, and their session ends."""
    pin = _new_pin()
    hashed = _hash(pin)
    with writing(device.event, DEVICE_RENEWED, by=by) as change:
        row = TableDevice.objects.select_for_update().get(pk=device.pk)
        if row.has_ended(change.at):
            raise Refused(DEVICE_ENDED())
        row.card, row.pin_hash, row.signed_in_at = _new_card(), hashed, None
        row.save(update_fields=["card", "pin_hash", "signed_in_at"])
        DeskSession.objects.filter(account=row.account_id).delete()
        change.details = {"table": row.table}
    return NewCard(row, pin)


def revoke_devices(*, event: Event, devices: Sequence[int] | None = None, by: Account) -> int:
    """Revoke devices by id, None for all of the event; return how many were revoked."""
    with writing(event, DEVICES_REVOKED, by=by) as change:
        rows = TableDevice.objects.select_for_update().filter(event=change.event, revoked_at=None)
        found = list(rows if devices is None else rows.filter(pk__in=devices))
        if not found:
            change.nothing_new()
        accounts = [row.account_id for row in found]
        TableDevice.objects.filter(pk__in=[row.pk for row in found]).update(revoked_at=change.at)
        Membership.objects.filter(event=change.event, account__in=accounts, role=Role.TABLE_DEVICE).delete()
        DeskSession.objects.filter(account__in=accounts).delete()
        change.details = {"tables": [row.table for row in found]}
    return len(found)


def sign_device_in(*, token: str, pin: str, network: str = "", known: bool = False) -> TableDevice:
    """Sign a device in by its card and PIN; an earlier session of the card ends.

    `known`: it was signed in there before, and its tries are counted apart from those of strangers, who may have
    photographed the card. Raises Refused for a wrong card or PIN, TooMany after too many tries.
    """
    device = find_device(token)
    if device is None:
        raise Refused(DEVICE_CARD_INVALID())
    source = Source(network, f"{device.pk} {device.card}", proven=known)  # a new card begins with no tries
    wait = PIN_TRIES.count(source)
    if wait:
        raise TooMany(DEVICE_TOO_MANY_TRIES, wait=wait)
    if not _fits(device.pin_hash, pin):
        raise Refused(DEVICE_PIN_WRONG())
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


def _row(
    event: Event, table: int, name: str, pin_hash: str, moment: dt.datetime, expires_at: dt.datetime
) -> TableDevice:
    account = Account(username=f"device-{secrets.token_hex(6)}", display_name=name[:60])
    account.set_unusable_password()
    account.save()
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


def _hash(pin: str) -> str:
    return _HASHER.hash(_keyed(pin))


def _fits(pin_hash: str, pin: str) -> bool:
    try:
        return _HASHER.verify(pin_hash, _keyed(pin))
    except (VerificationError, InvalidHashError):
        return False


def _keyed(pin: str) -> str:
    typed = "".join(pin.split())
    return salted_hmac("hanchan.device-pin", typed, algorithm="sha256").hexdigest()
