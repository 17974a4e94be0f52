"""What every layout of a schedule is read into: one line a seat, as it was written and where.

It judges nothing; who is meant and whether seats go together is found out later.
"""

from dataclasses import dataclass, field
from typing import Literal

from scoring.problems import InvalidInput, Problem, error
from tournament.imports.cells import SheetRow, column_letter
from tournament.imports.verdicts import join_cells

SEATS_LIMIT = 60_000  # a thousand players in sixty rounds

Layout = Literal["seats", "tables", "matrix", "blocks", "json"]


@dataclass(frozen=True, slots=True)
class SeatText:
    """One seat as written: `where` names its cell; `wind` as `read_wind` gives it, "" where none is written.

    `number` is a player's number that stands beside the name, "" where there is none.
    """

    row: int
    where: str
    round: int
    table: int
    wind: str
    who: str
    number: str = ""


@dataclass(slots=True)
class Reading:
    """A schedule being read: its seats, and what is wrong with single rows; row 0 stands for the whole file."""

    layout: Layout
    seats: list[SeatText] = field(default_factory=list)
    faults: list[tuple[int, Problem]] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)

    def take(self, row: SheetRow | int, seat: SeatText) -> None:
        """Keep a seat; raises InvalidInput where there are more than any event has."""
        if len(self.seats) == SEATS_LIMIT:
            raise InvalidInput([error("schedule.too_many_seats", limit=SEATS_LIMIT)])
        self.seats.append(seat)
        self.note(row)

    def fault(self, row: SheetRow | int, problem: Problem) -> None:
        """Keep what is wrong with a row."""
        self.faults.append((row if isinstance(row, int) else row.number, problem))
        self.note(row)

    def note(self, row: SheetRow | int) -> None:
        """Keep the text of a row, so that its verdict can stand beside it."""
        if isinstance(row, SheetRow):
            self.texts.setdefault(row.number, join_cells(row.cells))


def cell_name(row: SheetRow, index: int) -> str:
    """Name a cell as spreadsheets do.

    >>> cell_name(SheetRow(7, ()), 1)
    'B7'
    """
    return f"{column_letter(index)}{row.number}"


def cell_of(row: SheetRow, index: int) -> str:
    """Return the text of a cell, "" where the row ends before it."""
    return row.cells[index] if 0 <= index < len(row.cells) else ""
