"""Whose hand is dead in the hand being played: read from the register and the ledger, and put into an entry.

Nothing is kept for it but the register's row: a dead hand is that of the first hand which stands at or after its `seq`.
"""

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from scoring.entries import Correction, Entry, Totals
from tournament.compiled_queries import Prepared
from tournament.history import Row, resolve
from tournament.models import PenaltyKind, Seat
from tournament.selectors.core.shown_names import name_of, names_mark
from tournament.selectors.tables.tables import LoadedTable


@dataclass(frozen=True, slots=True)
class DeadHand:
    """A player whose hand is dead now, with the row of the register that says so."""

    penalty: int
    seat: int
    name: str
    reason: str


def list_dead_hands(table: LoadedTable, *, seen: int | None = None) -> list[DeadHand]:
    """List whose hands are dead in the next hand of a table, by seat; one query.

    `seen`: as it was when that `seq` was the table's newest row; now if None.
    """
    return dead_hands(table.id, table.lines, table.last_seq if seen is None else seen)


def dead_hands(table: int, rows: Iterable[Row], seen: int) -> list[DeadHand]:
    """List the same for a table by id, its ledger rows, and the last `seq` that counts."""
    found = list(_marks(table, seen + 1) if names_mark() else _MARKS(table, seen + 1))
    played = _last_hand(rows, seen) if found else 0
    return [DeadHand(*mark[:4]) for mark in found if (mark[4] or 0) > played]


def _marks(table: int, most: int) -> QuerySet[Seat, Any]:
    marks = Seat.objects.filter(
        table=table,
        player__penalties__table=table,
        player__penalties__kind=PenaltyKind.DEAD_HAND,
        player__penalties__cancelled_at=None,
        player__penalties__seq__lte=most,
    ).order_by("seat", "player__penalties__seq")
    return marks.values_list(
        "player__penalties",
        "seat",
        name_of("player__"),
        "player__penalties__reason",
        "player__penalties__seq",
    )


_MARKS = Prepared(_marks)


def with_dead(entry: Entry, dead: Sequence[DeadHand]) -> Entry:
    """Return the entry with these hands dead in it; what is no hand stays as it is."""
    seats = {mark.seat for mark in dead} - set(entry.dead)
    if not seats or not _is_hand(entry):
        return entry
    return dataclasses.replace(entry, dead=tuple(sorted({*entry.dead, *seats})))


def _is_hand(entry: Entry) -> bool:
    return not isinstance(entry, Correction | Totals)


def _last_hand(rows: Iterable[Row], seen: int) -> int:
    """Return the `seq` of the newest hand that stands among the rows up to `seen`, 0 for none."""
    items = resolve(row for row in rows if row.seq <= seen)
    return max((item.seq for item in items if item.entry is not None and _is_hand(item.entry)), default=0)
