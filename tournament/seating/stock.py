"""Schedules that took long to find, kept as the few rounds they grow from, or as the jumps of classes.

Reads stock.txt, which `restock` wrote. Never searches; tests count every entry again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from tournament.seating.classes import jump_lines
from tournament.seating.cyclic import Cycle
from tournament.seating.field import Field
from tournament.seating.lines import tables_of

STOCK: Final = Path(__file__).with_name("stock.txt")
PLAIN: Final = "-"
TABLED: Final = "t"
JUMPS: Final = "j"  # opens a line of jumps


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


@dataclass(frozen=True, slots=True)
class Jumps:
    """How each class of players jumps from table to table: without a repeat, nobody at a table again.

    Found for one number of rounds, so that even the worst-off two who never meet share many opponents. As text: "j",
    seats at a table, players, then for each class its jumps in all rounds.
    """

    table_size: int
    players: int
    of_class: tuple[tuple[int, ...], ...]

    @property
    def rounds(self) -> int:
        return len(self.of_class[0])

    def lines(self) -> list[list[int]]:
        """Return all rounds as lines of players in table order."""
        return jump_lines(self.players // self.table_size, self.of_class)

    def as_text(self) -> str:
        """Return the jumps as a line of the stock file."""
        rows = (" ".join(map(str, jumps)) for jumps in self.of_class)
        return f"{JUMPS} {self.table_size} {self.players} : {' | '.join(rows)}"


def parse_jumps(text: str) -> Jumps:
    """Return the jumps that a line of the stock file holds.

    >>> parse_jumps("j 3 15 : 0 1 | 0 2 | 0 3").lines()[1][:3]
    [4, 8, 12]
    """
    head, body = text.split(":")
    _, size, players = head.split()
    return Jumps(int(size), int(players), tuple(tuple(map(int, row.split())) for row in body.split("|")))


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
    """Return the whole stock of starters."""
    return tuple(parse_entry(line) for line in _stock_lines() if not line.startswith(JUMPS))


@cache
def all_jumps() -> tuple[Jumps, ...]:
    """Return the whole stock of jumps."""
    return tuple(parse_jumps(line) for line in _stock_lines() if line.startswith(JUMPS))


def _stock_lines() -> list[str]:
    lines = STOCK.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def jumps_for(wish: Field) -> Jumps | None:
    """Return the jumps that are kept for these players and just so many rounds."""
    asked = (wish.players, wish.table_size, wish.rounds)
    return next((kept for kept in all_jumps() if (kept.players, kept.table_size, kept.rounds) == asked), None)


def entries_for(players: int, table_size: int) -> Sequence[Entry]:
    """Return what is kept for a number of players: those that spread tables first, the longer before the shorter."""
    fitting = [
        entry for entry in all_entries() if (entry.cycle.players, entry.cycle.table_size) == (players, table_size)
    ]
    return sorted(fitting, key=lambda entry: (not entry.tabled, -entry.rounds))
