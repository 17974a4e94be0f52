"""Schedules of one row a seat, and of one row a table, → seats as written.

An empty round or table is the one above it (merged cells), which is said. It judges only what cannot be read.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from scoring.problems import error, warning
from tournament.imports.cells import SheetRow
from tournament.imports.columns import Header
from tournament.imports.names import printable
from tournament.imports.schedule_cells import is_date, is_nothing, read_block_heading, read_round, read_table, read_wind
from tournament.imports.schedule_headings import index_of, is_header, who_column, wind_columns
from tournament.imports.schedule_reading import Reading, SeatText, cell_name, cell_of

WIND_LETTERS = "ESWN5"  # the last for who has no seat at any table


@dataclass(slots=True)
class _Above:
    """What the rows above said, for cells that are empty below them."""

    reading: Reading
    values: dict[str, int] = field(default_factory=dict)
    taken: list[str] = field(default_factory=list)

    def number(self, row: SheetRow, header: Header, meaning: str) -> int | None:
        """Return a round or a table, None where it cannot be read, which is then said."""
        index = index_of(header, meaning)
        text = cell_of(row, index)
        if not text and meaning in self.values:
            if index >= 0:
                self.taken.append(cell_name(row, index))
            return self.values[meaning]
        number = read_round(text) if meaning == "round" else read_table(text)
        if number is None:
            where = cell_name(row, max(index, 0))
            missing = error("schedule.number_missing", where=where, column=meaning)
            strange = error("schedule.number_unknown", where=where, column=meaning, given=printable(text))
            self.reading.fault(row, strange if text else missing)
            return None
        if meaning == "round" and self.values.get("round") != number:
            self.values.pop("table", None)
        self.values[meaning] = number
        return number

    def heading(self, row: SheetRow) -> bool:
        """Say whether a row only opens a round, and remember which."""
        filled = [cell for cell in row.cells if cell]
        number = read_block_heading(filled[0]) if len(filled) <= 2 else None
        if number is None:
            return False
        self.values = {"round": number}
        return True

    def tell(self) -> None:
        """Say which empty cells were filled from above."""
        if self.taken:
            more = warning("schedule.taken_from_above", where=self.taken[0], count=len(self.taken))
            self.reading.faults.append((0, more))


def read_seat_rows(rows: Sequence[SheetRow], header: Header) -> Reading:
    """Read one row a seat."""
    reading = Reading("seats")
    above = _Above(reading)
    who, seat, number = who_column(header), index_of(header, "seat"), index_of(header, "number")
    for row in rows:
        if row.number <= header.row or above.heading(row) or is_header(row):
            continue
        round_, table = above.number(row, header, "round"), above.number(row, header, "table")
        wind = _wind(reading, row, seat)
        text = cell_of(row, who)
        if not text:
            reading.fault(row, error("schedule.nobody", where=cell_name(row, who)))
        if round_ is None or table is None or wind is None or not text:
            continue
        beside = cell_of(row, number) if number not in (-1, who) else ""
        reading.take(row, SeatText(row.number, cell_name(row, who), round_, table, wind, text, beside))
    above.tell()
    return reading


def read_table_rows(rows: Sequence[SheetRow], header: Header) -> Reading:
    """Read one row a table."""
    reading = Reading("tables")
    above = _Above(reading)
    for row in rows:
        if row.number > header.row and not above.heading(row) and not is_header(row):
            _take_table_row(reading, above, row, header)
    above.tell()
    return reading


def _take_table_row(reading: Reading, above: _Above, row: SheetRow, header: Header) -> None:
    """Take the seats of one row of a table."""
    seats = [(seat, index) for seat, index in wind_columns(header) if not is_nothing(cell_of(row, index))]
    if not seats and not cell_of(row, index_of(header, "table")):
        reading.fault(row, warning("schedule.row_left_out", row=row.number))
        return
    if not seats:
        reading.fault(row, error("schedule.table_empty", where=cell_name(row, index_of(header, "table"))))
        return
    round_, table = above.number(row, header, "round"), above.number(row, header, "table")
    if round_ is None or table is None:
        return
    for seat, index in seats:
        who = cell_of(row, index)
        reading.take(row, SeatText(row.number, cell_name(row, index), round_, table, WIND_LETTERS[seat], who))


def _wind(reading: Reading, row: SheetRow, index: int) -> str | None:
    """Return the wind of a row, "" where the sheet has none, None where it cannot be read, which is then said."""
    text = cell_of(row, index)
    if index < 0 or not text:
        return ""
    wind = read_wind(text)
    if wind is None:
        reading.fault(
            row,
            error(
                "schedule.cell_date" if is_date(text) else "schedule.wind_unknown",
                where=cell_name(row, index),
                given=printable(text),
            ),
        )
    return wind
