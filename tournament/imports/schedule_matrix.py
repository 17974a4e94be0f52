"""Schedules of one row a player and one column a round, with cells such as "5E", → seats as written.

It judges only what cannot be read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.problems import error, warning
from tournament.imports.cells import SheetRow
from tournament.imports.names import printable
from tournament.imports.schedule_cells import is_date, is_nothing, read_place, read_table, read_wind
from tournament.imports.schedule_headings import MatrixHeader
from tournament.imports.schedule_reading import Reading, SeatText, cell_name, cell_of


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of one round: the place or the table, and the wind where it has a column of its own."""

    round: int
    place: int
    wind: int


def read_matrix(rows: Sequence[SheetRow], header: MatrixHeader) -> Reading:
    """Read one row a player."""
    reading = Reading("matrix")
    columns = list(_columns(header))
    for row in rows:
        if row.number <= header.row:
            continue
        who = cell_of(row, header.who)
        if not who:
            unread = warning("schedule.row_left_out", row=row.number)
            stray = error("schedule.nobody", where=cell_name(row, header.who))
            reading.fault(row, stray if any(cell_of(row, one.place) for one in columns) else unread)
            continue
        reading.note(row)
        for one in columns:
            _take_cell(reading, row, header, one)
    return reading


def _columns(header: MatrixHeader) -> Iterator[_Columns]:
    winds = {heading.number: index for index, heading in header.rounds if heading.part == "seat"}
    for index, heading in header.rounds:
        if heading.part != "seat":
            yield _Columns(heading.number, index, winds.get(heading.number, -1))


def _take_cell(reading: Reading, row: SheetRow, header: MatrixHeader, columns: _Columns) -> None:
    text, where = cell_of(row, columns.place), cell_name(row, columns.place)
    if is_nothing(text):
        return
    place = _place(row, columns)
    if place is None:
        reading.fault(
            row,
            error(
                "schedule.cell_date" if is_date(text) else "schedule.place_unknown",
                where=where,
                given=printable(f"{text} {cell_of(row, columns.wind)}".strip()),
            ),
        )
        return
    table, wind = place
    number = cell_of(row, header.number)
    reading.take(
        row, SeatText(row.number, where, columns.round, table, wind, cell_of(row, header.who), number)
    )  # fmt: skip


def _place(row: SheetRow, columns: _Columns) -> tuple[int, str] | None:
    text, beside = cell_of(row, columns.place), cell_of(row, columns.wind)
    if not beside:
        return read_place(text)
    table, wind = read_table(text), read_wind(beside)
    return None if table is None or wind is None else (table, wind)
