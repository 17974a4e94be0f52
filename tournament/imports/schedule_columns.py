"""The columns of a schedule that has a row a seat or a row a table: what they were taken for, and what somebody chose.

Other layouts have no columns to choose: a round each, or blocks. It reads nothing below the headings.
"""

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial

from tournament.imports.cells import SheetRow
from tournament.imports.columns import Column, Header, all_columns
from tournament.imports.listing import Chosen, choose
from tournament.imports.schedule_headings import WIND_COLUMNS, has_winds, nearest_header, who_column
from tournament.imports.schedule_reading import Layout, Reading
from tournament.imports.schedule_rows import read_seat_rows, read_table_rows

MEANINGS = ("round", "table", "seat", "player", "number", *WIND_COLUMNS)

Read = Callable[[Sequence[SheetRow]], Reading]


def columns_of(rows: Sequence[SheetRow], layout: Layout | None) -> tuple[Column, ...]:
    """Return the columns to choose from; none where the layout has no such columns."""
    return _header(rows).columns if layout in (None, "seats", "tables") else ()


def choose_reader(rows: Sequence[SheetRow], chosen: Chosen) -> tuple[Read | None, tuple[Column, ...]]:
    """Return (how to read rows whose columns are as `chosen`, those columns); None where these are not enough."""
    header = choose(_header(rows), chosen)
    seen = header.meanings
    if not seen >= {"round", "table"}:
        return None, header.columns
    if has_winds(seen):
        return partial(read_table_rows, header=header), header.columns
    return (partial(read_seat_rows, header=header) if seen & {"player", "number"} else None), header.columns


def _header(rows: Sequence[SheetRow]) -> Header:
    """Return the likeliest headings, a bare number of a line taken for the player's where nothing else is."""
    header = all_columns(nearest_header(rows), rows)
    if "line" not in header.meanings or who_column(header) != _index_of_line(header):
        return header
    return dataclasses.replace(header, columns=tuple(_as_number(column) for column in header.columns))


def _index_of_line(header: Header) -> int:
    return next(column.index for column in header.columns if column.used and column.meaning == "line")


def _as_number(column: Column) -> Column:
    return dataclasses.replace(column, meaning="number") if column.used and column.meaning == "line" else column
