"""Who is at the desk of an event just now, beside the page that asks."""

import datetime as dt
from dataclasses import dataclass

from tournament.models import Account, DeskPresence, Event

GONE = dt.timedelta(seconds=20)  # three questions of a page that is looked at


@dataclass(frozen=True, slots=True)
class PresentRow:
    """Somebody at a page of the desk; `own` is the asking account in another of its tabs or laptops."""

    name: str
    own: bool
    place: str
    round: int
    table: int
    typing: bool


def list_present(event: Event, *, viewer: Account, tab: str, at: dt.datetime) -> list[PresentRow]:
    """List who else was seen at the desk in the last twenty seconds, those who type first; one query."""
    found = DeskPresence.objects.filter(event=event, seen_at__gte=at - GONE).exclude(account=viewer, tab=tab)
    rows = found.select_related("account").order_by("-typing", "account__display_name", "pk")
    return [
        PresentRow(row.account.display_name, row.account == viewer, row.place, row.round, row.table, row.typing)
        for row in rows
    ]
