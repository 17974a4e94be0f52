"""Schedules in blocks, "Round 1" above its tables, one below or beside the other, → seats as written.

A block may have headings of its own, those of the block before, or none: then the first of too many columns is the
table's. It judges only what cannot be read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.problems import error, warning
from tournament.imports.cells import SheetRow
from tournament.imports.columns import Header
from tournament.imports.names import printable
from tournament.imports.schedule_cells import fold_cell, is_nothing, read_block_heading, read_table
from tournament.imports.schedule_headings import find_wind_header, index_of, wind_columns
from tournament.imports.schedule_reading import Reading, SeatText, cell_name, cell_of
from tournament.imports.schedule_rows import WIND_LETTERS


@dataclass(frozen=True, slots=True)
class _Block:
    """One round's part of a sheet: its rows, and its columns from `first` to before `end`."""

    round: int
    first: int
    end: int
    rows: tuple[SheetRow, ...]


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where a block has its table (-1: nowhere, tables are counted) and its seats, counted from its first column."""

    table: int
    seats: tuple[tuple[int, int], ...]


def find_blocks(rows: Sequence[SheetRow]) -> list[_Block]:
    """Find the blocks of a sheet: none where no line opens a round."""
    opened = [(at, list(_headings(row))) for at, row in enumerate(rows)]
    starts = [(at, headings) for at, headings in opened if headings]
    blocks: list[_Block] = []
    width = max((len(row.cells) for row in rows), default=0)
    ends = [*(at for at, _ in starts), len(rows)][1:]
    for (at, headings), until in zip(starts, ends[: len(starts)], strict=True):
        edges = [*(index for index, _ in headings[1:]), width + 1]
        for (index, number), end in zip(headings, edges, strict=True):
            first = 0 if len(headings) == 1 else index
            blocks.append(_Block(number, first, end, tuple(rows[at + 1 : until])))
    return [block for block in blocks if any(any(row.cells[block.first : block.end]) for row in block.rows)]


def read_blocks(blocks: Sequence[_Block], table_size: int, header: Header | None = None) -> Reading:
    """Read the blocks; `header` are headings above all of them, which blocks with their own do without.

    Without any headings `table_size` tells a column of tables from a seat.
    """
    reading = Reading("blocks")
    columns = _header_columns(header) if header else _bare_columns(blocks, table_size)
    for block in blocks:
        beside = block.first > 0
        counted = 0
        for row in block.rows:
            part = SheetRow(row.number, row.cells[block.first : block.end])
            own = find_wind_header(part)
            if own is not None:
                columns = _header_columns(own)
                counted = 0
            elif any(part.cells):
                counted += 1
                _take_row(reading, row, block, columns, counted, beside=beside)
    return reading


def _headings(row: SheetRow) -> Iterator[tuple[int, int]]:
    """Yield (column, round) of a row that opens rounds; nothing where it holds much else."""
    found = [
        (index, number) for index, cell in enumerate(row.cells) if (number := read_block_heading(cell)) is not None
    ]
    others = sum(bool(cell) for cell in row.cells) - len(found)
    if others <= len(found):
        yield from found


def _header_columns(header: Header) -> _Columns:
    return _Columns(index_of(header, "table"), tuple(wind_columns(header)))


def _bare_columns(blocks: Sequence[_Block], table_size: int) -> _Columns:
    """Say which columns hold what where nothing is written above them."""
    width, named = 0, False
    for block in blocks:
        for row in block.rows:
            part = row.cells[block.first : block.end]
            width = max(width, max((index + 1 for index, cell in enumerate(part) if cell), default=0))
            named = named or bool(part and read_table(part[0]) is not None and not fold_cell(part[0])[:1].isdigit())
    first = int(named or width > table_size)
    return _Columns(first - 1, tuple((seat, seat + first) for seat in range(max(width - first, table_size))))


def _take_row(reading: Reading, row: SheetRow, block: _Block, columns: _Columns, counted: int, *, beside: bool) -> None:
    seats = [
        (seat, block.first + index)
        for seat, index in columns.seats
        if block.first + index < block.end and not is_nothing(cell_of(row, block.first + index))
    ]
    if not seats:
        reading.fault(row, warning("schedule.row_left_out", row=row.number))
        return
    table = counted
    if columns.table >= 0 or (beside and read_table(cell_of(row, 0)) is not None):
        # rounds side by side may share the column of tables at the left
        index = block.first + columns.table if columns.table >= 0 else 0
        read = read_table(cell_of(row, index))
        if read is None:
            given = printable(cell_of(row, index))
            reading.fault(
                row, error("schedule.number_unknown", where=cell_name(row, index), column="table", given=given)
            )
            return
        table = read
    for seat, index in seats:
        wind = WIND_LETTERS[min(seat, 4)]
        who = cell_of(row, index)
        reading.take(row, SeatText(row.number, cell_name(row, index), block.round, table, wind, who))
