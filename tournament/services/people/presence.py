"""Verbs on presence: an open page of the desk says where it is, and that it goes. They write nothing of the event.

Not through `writing`: the event is not locked, its version stays and nothing is audited, for nothing has happened.
"""

import datetime as dt
from dataclasses import dataclass

from django.db import transaction

from tournament.models import Account, DeskPresence, Event
from tournament.services.core.clock import now

AGAIN = dt.timedelta(seconds=4)  # pages ask every five seconds: what has not changed is not written more often
FORGOTTEN = dt.timedelta(hours=1)
MOST_TAB = 32
MOST_PLACE = 20


@dataclass(frozen=True, slots=True)
class Where:
    """Where a page of the desk is; round and table are 0 where it belongs to none. `typing`: a hand is begun."""

    place: str
    round: int = 0
    table: int = 0
    typing: bool = False


def tell_where(*, event: Event, tab: str, where: Where, by: Account) -> None:
    """Say where an open page is; one row for each, written anew at most every four seconds unless something changed."""
    moment, tab = now(), tab[:MOST_TAB]
    known = DeskPresence.objects.filter(event=event, account=by, tab=tab).first()
    if known and _where(known) == where and moment - known.seen_at < AGAIN:
        return
    row = DeskPresence(
        event=event,
        account=by,
        tab=tab,
        place=where.place[:MOST_PLACE],
        round=where.round,
        table=where.table,
        typing=where.typing,
        seen_at=moment,
    )
    with transaction.atomic():
        if known is None:  # a page that opens sweeps the old ones away
            DeskPresence.objects.filter(event=event, seen_at__lt=moment - FORGOTTEN).delete()
        DeskPresence.objects.bulk_create(
            [row],
            update_conflicts=True,
            unique_fields=["event", "account", "tab"],
            update_fields=["place", "round", "table", "typing", "seen_at"],
        )


def leave_desk(*, event: Event, tab: str, by: Account) -> None:
    """Say that a page is closed or hidden: others see it go at once."""
    DeskPresence.objects.filter(event=event, account=by, tab=tab[:MOST_TAB]).delete()


def _where(row: DeskPresence) -> Where:
    return Where(row.place, row.round, row.table, row.typing)
