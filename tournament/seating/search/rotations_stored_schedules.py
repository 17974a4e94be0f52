"""Schedules that took long to find, stored as starters or as difference matrices in stored_schedules.txt.

Never searches: `find_stored` wrote the file, and a test counts every entry again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from tournament.seating.search.rotations_cyclic import Cycle, DifferenceMatrix
from tournament.seating.search.schedule_1 import Field, tables_of

STORED: Final = Path(__file__).with_name("stored_schedules.txt")
PLAIN: Final = "-"
TABLED: Final = "t"
MATRIX: Final = "j"  # opens a line that holds a difference matrix


@dataclass(frozen=True, slots=True)
class StoredStarters:
    """Starters, the cycle that shifts them, and the repeats in all the rounds that they make.

    `tabled`: the tables shift as well, and nobody comes to a table twice.
    """

    cycle: Cycle
    tabled: bool
    repeats: int
    starters: tuple[tuple[int, ...], ...]

    @property
    def rounds(self) -> int:
        return self.cycle.order * len(self.starters)

    def serves(self, wish: Field) -> bool:
        """Whether this makes a schedule for these rounds: a perfect one can be cut, another is good only whole."""
        return wish.rounds == self.rounds or (not self.repeats and wish.rounds < self.rounds)

    def lines(self) -> list[list[int]]:
        """Return all rounds as lines of players in table order."""
        return self.cycle.develop(self.starters, tabled=self.tabled)

    def as_text(self) -> str:
        """Return the line of the file."""
        cycle, size = self.cycle, self.cycle.table_size
        head = (size, cycle.players, cycle.order, cycle.orbits, TABLED if self.tabled else PLAIN, self.repeats)
        tables = ([" ".join(map(str, table)) for table in tables_of(line, size)] for line in self.starters)
        return " ".join(map(str, head)) + " : " + " | ".join(", ".join(line) for line in tables)


def matrix_as_text(matrix: DifferenceMatrix) -> str:
    """Return the line of the file that holds a matrix: "j", seats at a table, players, then its rows."""
    rows = (" ".join(map(str, row)) for row in matrix.rows)
    return f"{MATRIX} {matrix.table_size} {matrix.players} : {' | '.join(rows)}"


def parse_matrix(text: str) -> DifferenceMatrix:
    """Return the matrix that a line of the file holds.

    >>> parse_matrix("j 3 15 : 0 1 | 0 2 | 0 3").lines()[1][:3]
    [4, 8, 12]
    """
    head, body = text.split(":")
    _, size, players = head.split()
    return DifferenceMatrix(int(size), int(players), tuple(tuple(map(int, row.split())) for row in body.split("|")))


def parse_starters(text: str) -> StoredStarters:
    """Return the starters that a line of the file holds.

    >>> parse_starters("3 9 4 2 - 0 : 0 4 8, 1 2 7, 3 5 6").rounds
    4
    """
    head, body = text.split(":")
    size, players, order, orbits, tabled, repeats = head.split()
    starters = tuple(tuple(map(int, line.replace(",", " ").split())) for line in body.split("|"))
    cycle = Cycle(int(players), int(size), order=int(order), orbits=int(orbits))
    return StoredStarters(cycle, tabled == TABLED, int(repeats), starters)


@cache
def all_starters() -> tuple[StoredStarters, ...]:
    """Return all stored starters."""
    return tuple(parse_starters(line) for line in _lines() if not line.startswith(MATRIX))


@cache
def all_matrices() -> tuple[DifferenceMatrix, ...]:
    """Return all stored difference matrices."""
    return tuple(parse_matrix(line) for line in _lines() if line.startswith(MATRIX))


def _lines() -> list[str]:
    lines = STORED.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def matrix_for(wish: Field) -> DifferenceMatrix | None:
    """Return the matrix stored for these players and exactly these rounds."""
    asked = (wish.players, wish.table_size, wish.rounds)
    return next((each for each in all_matrices() if (each.players, each.table_size, each.rounds) == asked), None)


def starters_for(players: int, table_size: int) -> Sequence[StoredStarters]:
    """Return what is stored for a number of players: those that spread tables first, the longer before the shorter."""
    fitting = [each for each in all_starters() if (each.cycle.players, each.cycle.table_size) == (players, table_size)]
    return sorted(fitting, key=lambda each: (not each.tabled, -each.rounds))
