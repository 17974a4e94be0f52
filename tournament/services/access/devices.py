"""Verbs on table devices: made with a card and a PIN, given new ones, signed in, revoked.

A card is an address that carries a signed text; whoever photographs it lacks the PIN, which is shown once and kept as a
hash with the desk's own key in it. Neither is ever written into the trail or a log.
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

from scoring.problems import error
from tournament.models import ANY_TABLE, Account, DeskSession, Event, Membership, Role, TableDevice
from tournament.refusal import Refused
from tournament.selectors.access import has_ended, list_tables_served
from tournament.services.core.clock import now
from tournament.services.core.rate_limits import Limit, TooMany, count_try, forget_tries
from tournament.services.core.writing import writing

SALT = "hanchan.table-device"
LONGEST = dt.timedelta(days=31)
MOST_AT_ONCE = 400
PIN_DIGITS = 6
PIN_TRIES = Limit("pin", 5, dt.timedelta(minutes=15))
# Six digits are guessed in a day from any hash, so that a slow one gains nothing: what guards a stolen copy of the
# database is the key beside it. These are the least that OWASP names for argon2id: fifty cards take two seconds.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1)


@dataclass(frozen=True, slots=True)
class NewCard:
    """A device with what was made for it and can be read this once."""

    device: TableDevice
    pin: str


def make_devices(
    *, event: Event, tables: Sequence[tuple[int, str]], expires_at: dt.datetime, by: Account
) -> list[NewCard]:
    """Make a device for each table, given as number and name (ANY_TABLE: one for all of them, as often as it is asked).

    Tables that have a device already are left alone, so that nobody at a table is thrown out by a second click. Raises
    Refused for a time that cannot be.
    """
    moment = now()
    if not moment < expires_at <= moment + LONGEST:
        raise Refused(error("device.expires_out_of_range", days=LONGEST.days))
    served = list_tables_served(event, at=moment)
    wanted = [(number, name) for number, name in tables if number == ANY_TABLE or number not in served][:MOST_AT_ONCE]
    pins = [_new_pin() for _ in wanted]
    hashes = [_hash(pin) for pin in pins]  # before the event is locked: it takes its time
    made: list[NewCard] = []
    with writing(event, "devices_made", by=by) as change:
        served = list_tables_served(change.event, at=moment)  # somebody else may have made some meanwhile
        for (number, name), pin, pin_hash in zip(wanted, pins, hashes, strict=True):
            if number not in served:
                made.append(NewCard(_row(change.event, number, name, pin_hash, moment, expires_at), pin))
        change.details = {"tables": [new.device.table for new in made]}
        if not made:
            change.nothing_new()
    return made


def renew_device(*, device: TableDevice, by: Account) -> NewCard:
    """Give a device a new card and PIN: the older ones let nobody in, and who came in with them is signed out."""
    pin = _new_pin()
    hashed = _hash(pin)
    with writing(device.event, "device_renewed", by=by) as change:
        row = TableDevice.objects.select_for_update().get(pk=device.pk)
        if has_ended(row, at=change.at):
            raise Refused(error("device.ended"))
        row.card, row.pin_hash, row.signed_in_at = _new_card(), hashed, None
        row.save(update_fields=["card", "pin_hash", "signed_in_at"])
        DeskSession.objects.filter(account=row.account_id).delete()
        change.details = {"table": row.table}
    forget_tries(PIN_TRIES, str(row.pk))
    return NewCard(row, pin)


def revoke_devices(*, event: Event, devices: Sequence[int] | None = None, by: Account) -> int:
    """Shut devices out at once, all of an event's where none is named; return how many were let in until now."""
    with writing(event, "devices_revoked", by=by) as change:
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


def sign_device_in(*, token: str, pin: str) -> TableDevice:
    """Let a device in by its card and PIN; whatever was signed in with this card before is not any more.

    Raises Refused for a card or a PIN that is wrong, TooMany where a PIN was tried too often.
    """
    device = find_device(token)
    if device is None:
        raise Refused(error("device.card_invalid"))
    wait = count_try(PIN_TRIES, str(device.pk))
    if wait:
        raise TooMany(error("device.too_many_tries", minutes=-(-wait // 60)), wait)
    if not _fits(device.pin_hash, pin):
        raise Refused(error("device.pin_wrong"))
    forget_tries(PIN_TRIES, str(device.pk))
    with transaction.atomic():
        DeskSession.objects.filter(account=device.account_id).delete()
        device.signed_in_at = now()
        device.save(update_fields=["signed_in_at"])
    return device


def card_token(device: TableDevice) -> str:
    """Return what a device's card carries: signed, and good as long as the device is."""
    return signing.dumps([device.pk, device.card], salt=SALT)


def find_device(token: str) -> TableDevice | None:
    """Return the device of a card; None for one that is forged, renewed, revoked or expired."""
    try:
        number, card = signing.loads(token, salt=SALT, max_age=LONGEST)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    row = TableDevice.objects.select_related("event", "account").filter(pk=number, card=card).first()
    return None if row is None or has_ended(row, at=now()) else row


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
