"""Verbs on presence (which pages of the desk are open; nothing is locked or audited), the rota and the equipment."""

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act, Seals
from tournament.core.errors import DomainError
from tournament.core.now import now
from tournament.core.transaction import check_seen, event_transaction
from tournament.events.models import Event
from tournament.hall.models import DeskPresence
from tournament.tables.models import Seat

ROTA_SET = Act("rota_set", "set the rota of referees: {referees}", Seals.OWN)
EQUIPMENT_SET = Act("equipment_set", "set the list of equipment: {sets} sets, {away} gone home", Seals.OWN)

ROTA_OWN_TABLE = ProblemType(
    "rota.own_table",
    "{name} plays at table {table} in round {round}: give that table to another referee.",
)
ROTA_TABLES_UNREADABLE = ProblemType("rota.tables_unreadable", "'{value}' is no list of tables: write 1-4, 6.")

MAX_TABLE = 999
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


_TABLES = re.compile(r"([0-9]{1,3})(?:\s*[-\N{EN DASH}]\s*([0-9]{1,3}))?")


def read_tables(text: str) -> frozenset[int]:
    """Return the tables that a cell of the rota names; none for a break. Raises DomainError for anything else.

    >>> sorted(read_tables("1-3, 6")), sorted(read_tables(" "))
    ([1, 2, 3, 6], [])
    """
    found: set[int] = set()
    for part in filter(None, (part.strip() for part in text.split(","))):
        match = _TABLES.fullmatch(part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last:
            raise DomainError(ROTA_TABLES_UNREADABLE(value=text[:40]))
        found |= set(range(first, last + 1))
    return frozenset(found)


def list_own_tables(event: Event, rows: list[dict[str, Any]]) -> list[Mapping[str, Any]]:
    """List where a referee of these rows has the table at which they play: name, round, table; one query."""
    players = {row["player"] for row in rows if row["player"]}
    seats = Seat.objects.filter(round__event=event, player__number__in=players)
    at = {seat[:2]: seat[2] for seat in seats.values_list("player__number", "round__number", "table__number")}
    return [
        {"name": row["name"], "round": int(round_), "table": table}
        for row in rows
        for round_, text in row["rounds"].items()
        if (table := at.get((row["player"], int(round_)))) and table in read_tables(text)
    ]


def set_rota(*, event: Event, rows: list[dict[str, Any]], seen: str, by: Account) -> bool:
    """Set which referee has which tables: rows of `name`, `player` (a number or 0) and `rounds` (tables by round).

    `seen` is the list that the caller has seen. Raises DomainError if it is stale, for tables that cannot be read and
    for a referee with the table at which they play.
    """
    with event_transaction(event, ROTA_SET, by=by) as change:
        check_seen(change.event.rota, rows, seen)
        if own := list_own_tables(change.event, rows):
            raise DomainError(*(ROTA_OWN_TABLE(**each) for each in own))
        change.details = {"referees": len(rows)}
        return change.set_event(rota=rows)


def set_equipment(*, event: Event, rows: list[dict[str, Any]], seen: str, by: Account) -> bool:
    """Set who brings what: rows of `who`, `what`, `table` (0: none), `mat`, `sticks`, `returned`; see set_rota."""
    with event_transaction(event, EQUIPMENT_SET, by=by) as change:
        check_seen(change.event.equipment, rows, seen)
        change.details = {"sets": len(rows), "away": sum(row["returned"] for row in rows)}
        return change.set_event(equipment=rows)
