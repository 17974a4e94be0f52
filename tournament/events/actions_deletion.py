"""Delete an event with all that it has: the one act before which the append-only tables step aside.

Backups and event files keep it; the site's trail says that it was there.
"""

import contextlib
from collections.abc import Iterator

from django.db import connection, models, transaction

from scoring.problems import ProblemType
from tournament.core.acts import Act
from tournament.core.errors import Refused
from tournament.core.heads_1 import note_deleted
from tournament.core.now import now
from tournament.core.transaction import append_audit, require_text
from tournament.events.queries_deletion import count_what_goes
from tournament.models.access import Account
from tournament.models.event import Event
from tournament.models.ledger import AuditRow, LedgerEntry, RecordHead, SheetCheck, SheetRow, TypedSheet
from tournament.models.people import Disqualification, Person, Substitution
from tournament.models.referee import Penalty, RefereeCall
from tournament.models.rounds import Seat, TableTime

RELAY_END_FIRST = ProblemType("relay.end_first", "A relay shows this event: take it down there first.")
EVENT_NAME_NOT_TYPED = ProblemType("event.name_not_typed", "To delete the event, type its name: {name}.")
EVENT_DELETION_REASON_MISSING = ProblemType("event.deletion_reason_missing", "To delete the event needs a reason.")

EVENT_DELETED = Act("event_deleted", "deleted the event {name}: {reason}")

APPEND_ONLY = (LedgerEntry, SheetCheck, SheetRow, TypedSheet, RecordHead, AuditRow)


def delete_event(*, event: Event, name: str, reason: str, by: Account) -> None:
    """Delete an event, with a row in the site's trail that says what went.

    Raises Refused where `name` is not the event's, and without a reason.
    """
    with transaction.atomic():
        current = Event.objects.select_for_update().get(pk=event.pk)
        why = check_deletion(event=current, name=name, reason=reason)
        gone = count_what_goes(current)
        details = {"slug": current.slug, "name": current.name, "reason": why, **gone}
        with triggers_aside():
            delete_rows(current)
        at = now()
        append_audit(None, EVENT_DELETED, details, by=str(by.uid), at=at)
        note_deleted(current.slug, at)


def check_deletion(*, event: Event, name: str, reason: str) -> str:
    """Return the reason as it is kept; raises Refused as `delete_event`, which somebody may ask before a backup."""
    if " ".join(name.split()).casefold() != " ".join(event.name.split()).casefold():
        raise Refused(EVENT_NAME_NOT_TYPED(name=event.name))
    if event.other_address:  # the relay would show it for ever
        raise Refused(RELAY_END_FIRST())
    return require_text(reason, EVENT_DELETION_REASON_MISSING)


def delete_rows(event: Event) -> None:
    """Delete from the leaves up: much of it is protected by what points at it."""
    tables = {"table__round__event": event}
    people = list(event.players.values_list("person", flat=True))
    devices = list(event.devices.values_list("account", flat=True))
    Penalty.objects.filter(event=event).delete()
    for rows in (
        LedgerEntry.objects.filter(**tables),
        SheetCheck.objects.filter(sheet__table__round__event=event),
        SheetRow.objects.filter(**tables),
        TypedSheet.objects.filter(**tables),
        RecordHead.objects.filter(event=event),
        AuditRow.objects.filter(event=event),
    ):
        models.QuerySet.delete(rows)  # their own delete() refuses, as it must elsewhere
    for model in (Substitution, Disqualification, RefereeCall):
        model.objects.filter(event=event).delete()
    TableTime.objects.filter(**tables).delete()
    Seat.objects.filter(round__event=event).delete()
    event.delete()
    Person.objects.filter(pk__in=people, players=None).delete()
    Account.objects.filter(pk__in=devices).delete()


@contextlib.contextmanager
def triggers_aside() -> Iterator[None]:
    """Let rows of the append-only tables be deleted within this transaction; a broken one puts the triggers back."""
    with connection.cursor() as cursor:
        tables = [model._meta.db_table for model in APPEND_ONLY]
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # a table with checks to come cannot be altered
            for table in tables:
                cursor.execute(f'ALTER TABLE "{table}" DISABLE TRIGGER USER')
            yield
            for table in tables:
                cursor.execute(f'ALTER TABLE "{table}" ENABLE TRIGGER USER')
            return
        cursor.execute("SELECT name, sql, tbl_name FROM sqlite_master WHERE type = 'trigger'")
        triggers = [(name, sql) for name, sql, table in cursor.fetchall() if table in tables]
        for name, _sql in triggers:
            cursor.execute(f'DROP TRIGGER "{name}"')
        yield
        for _name, sql in triggers:
            cursor.execute(sql)
