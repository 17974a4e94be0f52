"""A table's ledger rows to the hands that stand: superseded rows replaced, void ones left out.

Pure: it takes rows in order of `seq` and never asks a database.
"""

import functools
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from scoring.entries import Entry, from_json


class Row(Protocol):
    """What a ledger row must have to be resolved."""

    @property
    def seq(self) -> int: ...
    @property
    def payload(self) -> str: ...
    @property
    def supersedes(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Item:
    """One hand as it stands: `seq` is its first row's and names it for good, `last_seq` the row that holds now.

    `entry` is None where the hand is void; `rows` is how often it was written.
    """

    seq: int
    last_seq: int
    entry: Entry | None
    rows: int


def resolve(rows: Iterable[Row]) -> list[Item]:
    """Return one item a hand, in the order in which the hands were first entered."""
    items: dict[int, Item] = {}
    for row in rows:
        root = row.seq if row.supersedes is None else row.supersedes
        written = items[root].rows + 1 if root in items else 1
        items[root] = Item(root, row.seq, read_payload(row.payload), written)
    return list(items.values())


def standing_entries(rows: Iterable[Row]) -> list[Entry]:
    """Return the entries that stand, in order."""
    return [item.entry for item in resolve(rows) if item.entry is not None]


@functools.lru_cache(maxsize=20_000)
def read_payload(payload: str) -> Entry | None:
    """Read a row's payload; None where it says that the hand is void. Entries are values, so equal texts share one."""
    return from_json(json.loads(payload)) if payload else None
