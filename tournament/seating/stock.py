"""Schedules that took long to find, kept as the few rounds they grow from.

Reads stock.txt, which `restock` wrote. Never searches; tests count every entry again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from tournament.seating.cyclic import Cycle
from tournament.seating.field import Field
from tournament.seating.lines import tables_of

STOCK: Final = Path(__file__).with_name("stock.txt")
PLAIN: Final = "-"
TABLED: Final = "t"


@dataclass(frozen=True, slots=True)
class Entry:
    """Starters, the cycle that shifts them, and the repeats in all the rounds that they make.

    `tabled`: the tables shift as well, and nobody comes to a table again.
    """

    cycle: Cycle
    tabled: bool
    repeats: int
    starters: tuple[tuple[int, ...], ...]

    @property
    def rounds(self) -> int:
        return self.cycle.order * len(self.starters)

    def serves(self, wish: Field) -> bool:
        """Whether the entry makes a schedule for these rounds: a perfect one can be cut, another is good only whole."""
        return wish.rounds == self.rounds or (not self.repeats and wish.rounds < self.rounds)

    def lines(self) -> list[list[int]]:
        """Return all rounds as lines of players in table order."""
        return self.cycle.develop(self.starters, tabled=self.tabled)

    def as_text(self) -> str:
        """Return the entry as a line of the stock file."""
        cycle, size = self.cycle, self.cycle.table_size
        head = (size, cycle.players, cycle.order, cycle.orbits, TABLED if self.tabled else PLAIN, self.repeats)
        tables = ([" ".join(map(str, table)) for table in tables_of(line, size)] for line in self.starters)
        return " ".join(map(str, head)) + " : " + " | ".join(", ".join(line) for line in tables)


def parse_entry(text: str) -> Entry:
    """Return the entry that a line of the stock file holds.

    >>> parse_entry("3 9 4 2 - 0 : 0 4 8, 1 2 7, 3 5 6").rounds
    4
    """
    head, body = text.split(":")
    size, players, order, orbits, tabled, repeats = head.split()
    starters = tuple(tuple(map(int, line.replace(",", " ").split())) for line in body.split("|"))
    cycle = Cycle(int(players), int(size), order=int(order), orbits=int(orbits))
    return Entry(cycle, tabled == TABLED, int(repeats), starters)


@cache
def all_entries() -> tuple[Entry, ...]:
    """Return the whole stock."""
    lines = STOCK.read_text(encoding="utf-8").splitlines()
    return tuple(parse_entry(line) for line in lines if line and not line.startswith("#"))


def entries_for(players: int, table_size: int) -> Sequence[Entry]:
    """Return what is kept for a number of players: those that spread tables first, the longer before the shorter."""
    fitting = [
        entry for entry in all_entries() if (entry.cycle.players, entry.cycle.table_size) == (players, table_size)
    ]
    return sorted(fitting, key=lambda entry: (not entry.tabled, -entry.rounds))
