"""Verbs on presence: which pages of the desk are open. Not through `writing`: nothing is locked or audited."""

import datetime as dt
from dataclasses import dataclass

from django.db import transaction

from tournament.accounts.models import Account
from tournament.core.now import now
from tournament.events.models import Event
from tournament.hall.models import DeskPresence

MIN_INTERVAL = dt.timedelta(seconds=4)  # pages poll every five seconds
EXPIRY = dt.timedelta(hours=1)
MAX_TAB = 32
MAX_PLACE = 20


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page of the desk; round and table are 0 for a page of none. `typing`: a hand is begun."""

    place: str
    round: int = 0
    table: int = 0
    typing: bool = False


def tell_where(*, event: Event, tab: str, where: OpenPage, by: Account) -> None:
    """Record an open page in its row, written again after four seconds or on a change."""
    moment, tab = now(), tab[:MAX_TAB]
    known = DeskPresence.objects.filter(event=event, account=by, tab=tab).first()
    if (
        known
        and OpenPage(known.place, known.round, known.table, known.typing) == where
        and moment - known.seen_at < MIN_INTERVAL
    ):
        return
    row = DeskPresence(
        event=event,
        account=by,
        tab=tab,
        place=where.place[:MAX_PLACE],
        round=where.round,
        table=where.table,
        typing=where.typing,
        seen_at=moment,
    )
    with transaction.atomic():
        if known is None:
            DeskPresence.objects.filter(event=event, seen_at__lt=moment - EXPIRY).delete()
        DeskPresence.objects.bulk_create(
            [row],
            update_conflicts=True,
            unique_fields=["event", "account", "tab"],
            update_fields=["place", "round", "table", "typing", "seen_at"],
        )


def leave_desk(*, event: Event, tab: str, by: Account) -> None:
    """Delete the row of a page that is closed or hidden."""
    DeskPresence.objects.filter(event=event, account=by, tab=tab[:MAX_TAB]).delete()
