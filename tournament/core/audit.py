"""The audit trail: its rows are appended in order, each with the hash of the one before it."""

import secrets
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from tournament.core.acts import Act
from tournament.core.hash_chain import canonical, genesis, link
from tournament.core.models import AuditRow
from tournament.core.prepared import Prepared
from tournament.events.models import Event

SITE_CHAIN = "site"
SITE_LOCK = 0x48616E6368616E  # the number by which PostgreSQL knows the lock of the site's trail


def has_act(event: Event, client_id: UUID, *acts: Act) -> bool:
    """Tell whether the audit trail holds one of these acts under this `client_id`."""
    rows = AuditRow.objects.filter(event=event, verb__in=[act.name for act in acts])
    return rows.filter(details__contains=canonical(client_id_details(client_id))[1:-1]).exists()


def client_id_details(client_id: UUID | None) -> dict[str, str]:
    """Return what an audit row says so that a repeat of its act is known."""
    return {"client_id": str(client_id)} if client_id else {}


_LAST = Prepared(lambda event: AuditRow.objects.filter(event=event).order_by("-seq").values_list("seq", "hash")[:1])


def lock_audit_trail(event: Event | None) -> None:
    """Lock a trail until this transaction ends: an event's by its row, the site's (None) by a number.

    SQLite has one writer at a time. Lock before writing rows that point at the event: locking after that is a deadlock
    of two acts.
    """
    if not connection.features.has_select_for_update:
        return
    if event is None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [SITE_LOCK])
    else:
        list(Event.objects.select_for_update().filter(pk=event.pk).values_list("pk"))


def append_audit(
    event: Event | None,
    act: Act,
    details: dict[str, Any],
    *,
    by: str,
    at: datetime,
    state: dict[str, str | None] | None = None,
) -> AuditRow:
    """Write one row of the audit trail of an event that the caller has locked, or of the site (None)."""
    if event is None:
        lock_audit_trail(None)
    last = _LAST.first(event.pk) if event else _LAST.make(None).first()
    seq, previous = last or (0, genesis(event.slug if event else SITE_CHAIN))
    row = AuditRow(
        event=event,
        seq=seq + 1,
        verb=act.name,
        details=canonical(details),
        by=by,
        at=at,
        state=canonical(state) if state else "",
        salt=secrets.token_hex(16) if event else "",
        previous_hash=previous,
    )
    row.hash = link(previous, row.content())
    row.save()
    return row
