"""Verbs of the relay: codes and pairing, what a hall's desk sends, and at the hall's desk to begin and to stop.

The relay's rows of an event are made of the newest state alone: what a message no longer has is deleted here, too.
"""

import contextlib
import datetime as dt
import hashlib
import secrets
import uuid
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, transaction

from scoring.problems import ProblemType
from tournament.core.acts import Act
from tournament.core.errors import Refused
from tournament.core.now import now
from tournament.core.signing_key import is_signed
from tournament.core.transaction import writing
from tournament.events.actions_deletion import delete_rows, triggers_aside
from tournament.models.access import Account
from tournament.models.event import Event
from tournament.models.relay import Relay, RelayCode, RelayedEvent
from tournament.relay.actions_relay_rows import bring_up, check_state, deletes
from tournament.relay.wire import (
    BadMessageError,
    Message,
    State,
    TooLargeError,
    digest_of,
    follow,
    pack_values,
    statement,
    unpack,
    unpack_values,
)

RELAY_CODE_UNKNOWN = ProblemType(
    "relay.code_unknown", "The relay does not know this code: it works once, within half an hour. Ask for a new one."
)
RELAY_SLUG_TAKEN = ProblemType("relay.slug_taken", "The relay has an event “{slug}” of its own.")
RELAY_NOT_PAIRED = ProblemType("relay.not_paired", "The relay no longer knows this desk: pair again with a new code.")
RELAY_NOT_UNDERSTOOD = ProblemType(
    "relay.not_understood", "The relay cannot read what this desk sends: update the program at both."
)
RELAY_TOO_LARGE = ProblemType("relay.too_large", "This event is larger than a relay takes.")
RELAY_NOT_HERE = ProblemType("relay.not_here", "This relay has no event “{slug}”.")

RELAY_BEGUN = Act("relay_begun", "began to send the public pages to the relay {address}")
RELAY_ENDED = Act("relay_ended", "stopped sending to the relay {address}")

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that is taken for another
CODE_LENGTH = 8
CODE_LASTS = dt.timedelta(minutes=30)
# what values of other kinds than a desk sends raise where rows are made of them
BROKEN = (
    LookupError, TypeError, ValueError, AttributeError, ArithmeticError, ValidationError, IntegrityError, DataError
)  # fmt: skip


# ---------------------------------------------------------------- at the hall's desk


def begin_relay(*, event: Event, address: str, pairing: uuid.UUID, show_hall: bool, by: Account) -> Relay:
    """Note that the relay at this address shows the event from now on."""
    with writing(event, RELAY_BEGUN, by=by) as change:
        known = Relay.objects.filter(event=change.event, pairing=pairing, show_hall=show_hall).first()
        if known is not None and change.event.other_address == address:
            change.nothing_new()
            return known
        change.set_event(other_address=address)
        change.details, change.changed = {"address": address}, True
        facts = {"pairing": pairing, "show_hall": show_hall}
        facts |= {"paired_at": change.at, "paired_by": change.by}
        relay, _made = Relay.objects.update_or_create(event=change.event, defaults=facts)
    return relay


def end_relay(*, event: Event, taken_down: bool, by: Account) -> bool:
    """Send nothing more; `taken_down` says that the relay shows the event no longer. False where nothing was sent."""
    with writing(event, RELAY_ENDED, by=by) as change:
        relay = Relay.objects.filter(event=change.event).first()
        if relay is None:
            change.nothing_new()
            return False
        change.details = {"address": change.event.other_address, "taken_down": taken_down}
        change.set_event(other_address="")
        relay.delete()
    return True


# ---------------------------------------------------------------- at the relay: pairing


def make_code() -> str:
    """Return a new code for one hall's desk; older ones that nobody used go."""
    code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
    with transaction.atomic():
        RelayCode.objects.filter(used_at=None).delete()
        RelayCode.objects.create(digest=_digest(code), expires_at=now() + CODE_LASTS)
    return code


def pair(*, code: str, slug: str, public_key: str) -> RelayedEvent:
    """Let the desk with this key send the event of this slug, in the place of who sent it before.

    The same request sent twice pairs once. Raises Refused for a code that is not known, used by another desk or too
    old, for an unusable slug, and for the slug of another event of this desk.
    """
    with transaction.atomic():
        at, of_code = now(), RelayCode.objects.filter(digest=_digest(code), expires_at__gt=now())
        known = RelayedEvent.objects.filter(slug=slug, public_key=public_key, paired_at__in=of_code.values("used_at"))
        if again := known.first():
            return again
        if Event.objects.filter(slug=slug, relayed=None).exists():
            raise Refused(RELAY_SLUG_TAKEN(slug=slug))
        facts = {"public_key": public_key, "pairing": uuid.uuid4(), "paired_at": at}
        _check(RelayedEvent(slug=slug, **facts))
        if not of_code.filter(used_at=None).update(used_at=at):
            raise Refused(RELAY_CODE_UNKNOWN())
        paired, _made = RelayedEvent.objects.update_or_create(slug=slug, defaults=facts)
    return paired


def _check(asked: RelayedEvent) -> None:
    try:
        asked.clean_fields(exclude={"event", "received_at"})
    except ValidationError:
        raise Refused(RELAY_NOT_UNDERSTOOD()) from None


def forget(slug: str) -> None:
    """Delete an event that was sent, with its pairing; raises Refused where there is none."""
    with transaction.atomic():
        known = RelayedEvent.objects.filter(slug=slug).first()
        if known is None:
            raise Refused(RELAY_NOT_HERE(slug=slug))
        if known.event is not None:
            with triggers_aside():
                delete_rows(known.event)
        known.delete()


def _digest(code: str) -> str:
    typed = "".join(letter for letter in code.upper() if letter in LETTERS)
    return hashlib.sha256(typed.encode()).hexdigest()


# ---------------------------------------------------------------- at the relay: messages


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the relay has after a message: its number, the digest of the state, and whether it took this one."""

    number: int
    digest: str
    taken: bool


def receive(*, slug: str, body: bytes, signature: str) -> Receipt:
    """Take a message of a hall's desk. One that was taken before, is older or follows another state does nothing.

    Raises Refused for one that the paired desk did not sign, and for one that makes no event here.
    """
    known = RelayedEvent.objects.filter(slug=slug).first()
    if known is None or not is_signed(statement(slug, str(known.pairing), body), known.public_key, signature):
        raise Refused(RELAY_NOT_PAIRED())
    before: State = unpack_values(bytes(known.state)) if known.state else {}
    read = _read(body, known, before)  # unpacked and checked before anything is locked
    if read is None:
        return Receipt(known.number, digest_of(before), taken=False)
    message, after = read
    with transaction.atomic():
        same = RelayedEvent.objects.select_for_update().filter(pk=known.pk, pairing=known.pairing, number=known.number)
        locked = same.first()
        if locked is not None:
            _take(locked, message, before, after)
    if locked is None:  # another message came meanwhile
        return receive(slug=slug, body=body, signature=signature)
    return Receipt(locked.number, message.digest, taken=True)


def _read(body: bytes, known: RelayedEvent, before: State) -> tuple[Message, State] | None:
    """Return a message with the state that it makes; None for an old one and one that does not follow.

    Raises Refused for one that is too large, and for a state that cannot be shown.
    """
    try:
        message = unpack(body)
        if message.number <= known.number:
            return None
        after = follow(message, before)
        check_state(after)
    except TooLargeError:
        raise Refused(RELAY_TOO_LARGE()) from None
    except BadMessageError:
        return None
    except RecursionError:
        raise Refused(RELAY_NOT_UNDERSTOOD()) from None
    return message, after


def _take(known: RelayedEvent, message: Message, before: State, after: State) -> None:
    try:
        with triggers_aside() if deletes(before, after) else contextlib.nullcontext():
            known.event = bring_up(known.event, known.slug, message.number, before, after)
    except BROKEN as wrong:
        raise Refused(RELAY_NOT_UNDERSTOOD()) from wrong
    known.number, known.received_at = message.number, now()
    known.state = pack_values(after)
    if after.get("end"):
        known.pairing = uuid.uuid4()  # nothing more is taken from this desk
    known.save()
