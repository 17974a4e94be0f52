"""The frame of every verb: one transaction, the event locked, its version raised, one audit row written.

It decides nothing about the event; the verbs do.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from tournament.compiled_queries import Prepared
from tournament.hash_chain import canonical, genesis, link
from tournament.models import Account, AuditRow, Event
from tournament.services.core.clock import now

SITE_CHAIN = "site"
SITE_LOCK = 0x48616E6368616E  # the number by which PostgreSQL knows the lock of the site's trail


@dataclass(slots=True)
class Change:
    """A change being made: the locked event, who makes it and when, and what the audit row will say."""

    event: Event
    by: str
    at: datetime
    details: dict[str, Any] = field(default_factory=dict)
    changed: bool = True

    def nothing_new(self) -> None:
        """Say that all is as it was: no version, no audit row."""
        self.changed = False


_LOCKED = Prepared(lambda pk: Event.objects.select_for_update().filter(pk=pk))
_LAST = Prepared(lambda event: AuditRow.objects.filter(event=event).order_by("-seq").values_list("seq", "hash")[:1])


@contextlib.contextmanager
def writing(event: Event, verb: str, *, by: Account) -> Iterator[Change]:
    """Open a transaction in which the event is locked; close it with a new version and an audit row."""
    with transaction.atomic():
        locked = _LOCKED.first(event.pk)
        if locked is None:
            raise Event.DoesNotExist
        change = Change(locked, str(by.uid), now())
        yield change
        if change.changed:
            locked.version += 1
            locked.save(update_fields=["version"])
            append_audit(locked, verb, change.details, by=change.by, at=change.at)
            event.version = locked.version


def hold_trail(event: Event | None) -> None:
    """Let nobody else write into a trail until this transaction ends: an event's by its row, the site's by a number.

    SQLite has one writer at a time. Whoever writes rows that point at the event holds its trail before: to ask for the
    event after that is how two acts come to wait for each other.
    """
    if not connection.features.has_select_for_update:
        return
    if event is None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [SITE_LOCK])
    else:
        list(Event.objects.select_for_update().filter(pk=event.pk).values_list("pk"))


def append_audit(event: Event | None, verb: str, details: dict[str, Any], *, by: str, at: datetime) -> AuditRow:
    """Write one row of an event's audit trail, whose event the caller holds, or of the site's where there is none."""
    if event is None:
        hold_trail(None)
    last = _LAST.first(event.pk) if event else _LAST.make(None).first()
    seq, previous = last or (0, genesis(event.slug if event else SITE_CHAIN))
    row = AuditRow(
        event=event,
        seq=seq + 1,
        verb=verb,
        details=canonical(details),
        by=by,
        at=at,
        previous_hash=previous,
    )
    row.hash = link(previous, row.content())
    row.save()
    return row
