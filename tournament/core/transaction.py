"""The frame of every verb, and the steps that verbs share.

One transaction, the event locked, its version raised, one audit row written.
"""

import contextlib
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID, uuid5

from django.db import models, transaction

from scoring.problems import ProblemType
from scoring.strict_json import ENTRY_TEXT_TOO_LONG
from tournament.accounts.models import Account
from tournament.core.acts import Act, Seals
from tournament.core.audit import append_audit, client_id_details, has_act
from tournament.core.errors import FORM_STALE, DomainError
from tournament.core.hash_chain import checksum
from tournament.core.heads import add_head
from tournament.core.limits import MAX_REASON
from tournament.core.now import now
from tournament.core.prepared import Prepared
from tournament.core.sealed_rows import KINDS, Found, Sealed, changes, read_sealed_hands, read_sealed_rows, row_digests
from tournament.events.models import Event
from tournament.players.models import Person
from tournament.tables.models import Round, Table

ENTRY_CLIENT_ID_USED = ProblemType("entry.client_id_used", "This number was already used for a hand at another table.")
ROUND_NOT_PUBLISHED = ProblemType("round.not_published", "The seats of round {round} are not published yet.")

RECORD_SEALED = Act("record_sealed", "sealed the event as it was then; earlier acts are not covered one by one")

Row = TypeVar("Row", bound=models.Model)


@dataclass(slots=True)
class EventChange:
    """A change being made: the locked event, who makes it and when, and what the audit row will say."""

    event: Event
    act: Act
    by: str
    at: datetime
    details: dict[str, Any] = field(default_factory=dict)
    changed: bool = True
    settings: dict[str, Any] = field(default_factory=dict)
    client_id: UUID | None = None
    sealed: dict[str, Sealed] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)

    def seal(self, rows: Found) -> None:
        """Seal rows that the act has written, where its `seals` reads no rows, or it writes hands."""
        self.sealed.update(rows)

    def seal_rules(self) -> None:
        """Seal the rules of the event as they are stored now."""
        self.seal(row for row in KINDS["event"](self.event.pk) if row[0] == "rules")

    def seal_existing_rows(self, keys: Iterable[str]) -> None:
        """Seal rows that were changed before the act began: those of a person who plays at several events."""
        self.touched.update(keys)

    def mark_unchanged(self) -> bool:
        """Leave version and audit trail as they are; return False, as an action does that changes nothing."""
        self.changed = False
        return False

    def set_columns(self, row: models.Model, **values: Any) -> bool:
        """Set columns of a row and save them; return False, with nothing new, where all had these values."""
        new = {name: value for name, value in values.items() if getattr(row, name) != value}
        if not new:
            return self.mark_unchanged()
        for name, value in new.items():
            setattr(row, name, value)
        row.save(update_fields=list(new))
        if row is self.event:
            self.settings |= new
        return True

    def set_event(self, **values: Any) -> bool:
        """Set columns of the event, here and on the caller's copy; the audit row says these unless it says more."""
        self.details = self.details or values
        return self.set_columns(self.event, **values)

    def cancel(self, row: Any, reason: str) -> None:
        """Mark a row as cancelled with a reason; it stays."""
        row.cancelled_at, row.cancelled_by, row.cancel_reason = self.at, self.by, reason
        row.save(update_fields=["cancelled_at", "cancelled_by", "cancel_reason"])

    def find_by_client_id(
        self, rows: "models.Manager[Row] | models.QuerySet[Row]", client_id: UUID, **owner: object
    ) -> Row | None:
        """Return the row that an earlier request wrote under this `client_id`, with nothing new, else None.

        Raises DomainError where the row's columns are not those of `owner`.
        """
        row = rows.filter(client_id=client_id).first()
        if row is None:
            return None
        if any(getattr(row, column) != value for column, value in owner.items()):
            raise DomainError(ENTRY_CLIENT_ID_USED())
        self.mark_unchanged()
        return row

    def is_duplicate(self, client_id: UUID | None) -> bool:
        """Tell whether an earlier request did this act under this `client_id`, with nothing new then.

        For acts whose only row is that of the audit trail: they have one under an id also where they change nothing, or
        a repeat after somebody else's act would change something. Without an id no act is a repeat.
        """
        if client_id is None:
            return False
        if has_act(self.event, client_id, self.act):
            self.mark_unchanged()
            return True
        self.client_id = client_id
        return False

    def audit_details(self) -> dict[str, Any] | None:
        """Return what the audit row says, None where there is none."""
        if not self.changed and self.client_id is None:
            return None
        return {**self.details, **client_id_details(self.client_id), **({} if self.changed else {"unchanged": True})}


# Of the event's hundred columns these are read for each hand; the act that needs another reads it under the lock.
_FOR_HANDS = ("version", "record_salt", "rules_frozen_at", "second_person")
_LOCKED = Prepared(lambda pk: Event.objects.select_for_update().filter(pk=pk).only(*_FOR_HANDS))


@contextlib.contextmanager
def event_transaction(event: Event, act: Act, *, by: Account | None) -> Iterator[EventChange]:
    """Open a transaction in which the event is locked; close it with a new version and an audit row.

    Without an account it is the act of somebody by their own link or code; the details say whose.
    """
    with transaction.atomic():
        locked = _LOCKED.first(event.pk)
        if locked is None:
            raise Event.DoesNotExist
        change = EventChange(locked, act, str(by.uid) if by else "", now())
        before = _row_digests(locked) if locked.record_salt and act.seals is Seals.ALL else None
        yield change
        if change.changed:
            locked.version += 1
            Event.objects.filter(pk=locked.pk).update(version=locked.version)
            event.version = locked.version
        if (said := change.audit_details()) is not None:
            state = _changed_digests(change, before) if change.changed else {}
            round_ = change.details["round"] if act.seals is Seals.RELEASE else 0
            signs = _moves_results(change, state)
            state |= head_state(locked, round_) if signs else {}
            append_audit(locked, act, said, by=change.by, at=change.at, state=state)
            if signs:
                add_head(locked, change.at, round_)
    for name, value in change.settings.items():
        setattr(event, name, value)


def _row_digests(event: Event) -> dict[str, str]:
    return row_digests(event.record_salt, read_sealed_rows(event.pk))


def _changed_digests(change: EventChange, before: dict[str, str] | None) -> dict[str, str | None]:
    """Return what an act leaves changed; nothing of an event without seals, which an act must not make good."""
    event = change.event
    if not event.record_salt:
        return {}
    own = row_digests(event.record_salt, change.sealed)
    if before is None:
        return dict(own)
    return {**own, **changes(before, _row_digests(event), change.touched)}


def _moves_results(change: EventChange, state: dict[str, str | None]) -> bool:
    """Tell whether an act releases a round, or changes what a head may have been signed for."""
    seals = change.act.seals
    if seals is Seals.RELEASE:
        return change.changed
    if not state or seals is Seals.OWN:
        return False
    heads = change.event.heads.all()
    if seals is Seals.SHEET:
        heads = heads.filter(event__rounds__number=change.details["round"], event__rounds__released_at__isnull=False)
    return bool(heads.exists())


def head_state(event: Event, round_: int) -> dict[str, str]:
    """Return what an act says of the head that is signed after it, so that a deleted one is missed."""
    return row_digests(event.record_salt, {"head": Sealed(round_)})


def seal_all_rows(event: Event) -> dict[str, str | None]:
    """Give an event its salt and its people theirs, and return the digests of all that moves a standing."""
    event.record_salt = secrets.token_hex(16)
    event.save(update_fields=["record_salt"])
    for person in Person.objects.filter(players__event=event, salt=""):
        person.salt = secrets.token_hex(16)
        person.save(update_fields=["salt"])
    return dict(row_digests(event.record_salt, {**read_sealed_rows(event.pk), **dict(read_sealed_hands(event.pk))}))


def seal_event(event: Event, *, by: str) -> None:
    """Seal an event that nothing has sealed yet, as it is now: one from an older program."""
    with transaction.atomic():
        locked = _LOCKED.first(event.pk)
        if locked is None or locked.record_salt:
            return
        at, state = now(), seal_all_rows(locked)
        signs = locked.rounds.filter(released_at__isnull=False).exists()
        state |= head_state(locked, 0) if signs else {}
        append_audit(locked, RECORD_SEALED, {}, by=by, at=at, state=state)
        if signs:
            add_head(locked, at)


def row_id(client_id: UUID, number: int) -> UUID:
    """Return the `client_id` of a row of an act that writes several: the first row has the act's own."""
    return uuid5(client_id, str(number)) if number else client_id


def table_details(table: Table) -> dict[str, Any]:
    """Return round and table as audit rows name them."""
    return {"round": table.round.number, "table": table.number}


def require_text(text: str, missing: ProblemType, most: int = MAX_REASON) -> str:
    """Return a text stripped and cut to `most`; raises DomainError with `missing` for an empty one."""
    if not text.strip():
        raise DomainError(missing())
    return text.strip()[:most]


def check_length(key: str, text: str, most: int) -> None:
    """Raise DomainError for a text longer than `most`, which the caller must not cut."""
    if len(text.strip()) > most:
        raise DomainError(ENTRY_TEXT_TOO_LONG(key=key, most=most))


def check_seen(stored: list[dict[str, Any]], rows: list[dict[str, Any]], seen: str) -> None:
    """Raise DomainError where a list is not the one that was `seen`, by its mark, nor the one to be stored already."""
    if checksum(stored) not in (seen, checksum(rows)):
        raise DomainError(FORM_STALE())


def check_published(round_: Round) -> None:
    """Raise DomainError for a round whose seats are not public."""
    if round_.published_at is None:
        raise DomainError(ROUND_NOT_PUBLISHED(round=round_.number))
