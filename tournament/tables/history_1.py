"""From a table's ledger rows, in order of `seq`, to its valid hands. Pure."""

import functools
import json
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple, Protocol

from scoring.entries import Entry, from_json


class Row(Protocol):
    """A ledger row."""

    @property
    def seq(self) -> int: ...
    @property
    def payload(self) -> str: ...
    @property
    def supersedes(self) -> int | None: ...


class TimedRow(Row, Protocol):
    """A ledger row that says when it was written."""

    @property
    def at(self) -> datetime: ...


class Item(NamedTuple):
    """One hand as it is now: named by `seq`, that of its first row; `last_seq` is that of its newest row.

    `entry` is None for a void hand; `rows` is the number of its rows.
    """

    seq: int
    last_seq: int
    entry: Entry | None
    rows: int


def resolve(rows: Iterable[Row]) -> list[Item]:
    """Return one item for each hand, in the order of their first entry."""
    items: dict[int, Item] = {}
    for row in rows:
        root = row.seq if row.supersedes is None else row.supersedes
        written = items[root].rows + 1 if root in items else 1
        items[root] = Item(root, row.seq, read_payload(row.payload), written)
    return list(items.values())


def standing_entries(rows: Iterable[Row]) -> list[Entry]:
    """Return the entries of valid hands, in order."""
    return entries_of(resolve(rows))


def entries_of(items: Iterable[Item]) -> list[Entry]:
    """Return the entries of the hands that are not void."""
    return [item.entry for item in items if item.entry is not None]


@functools.lru_cache(maxsize=20_000)
def read_payload(payload: str) -> Entry | None:
    """Parse a row's payload, None for void; cached, since entries are immutable."""
    return from_json(json.loads(payload)) if payload else None
