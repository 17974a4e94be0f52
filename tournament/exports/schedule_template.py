"""Write an empty schedule to fill in elsewhere, as xlsx or csv: a row a player of the event, a column a round.

tournament/imports/schedule.py reads it back, filled in as in 5E.
"""

import datetime as dt
from collections.abc import Sequence

from tournament.exports.csv_files import csv_file

_LEADING = ("Player number", "Name")
_NOTE = "Write table and wind below each round, as in 5E. One row a player, one column a round."

Players = Sequence[tuple[int, str]]


def template_xlsx(name: str, players: Players, rounds: int, made_at: dt.datetime) -> bytes:
    """Make the workbook of an event of this name for players given as (number, name)."""
    # loaded when one is made, not with the desk: a tenth of its start
    from openpyxl import Workbook

    from tournament.exports.cells import HEADER_ROW, SheetColumn, add_sheet, save_book

    book = Workbook()
    book.remove(book.worksheets[0])
    columns = [
        SheetColumn(_LEADING[0], "count"),
        SheetColumn(_LEADING[1], "text"),
        *(SheetColumn(heading, "text") for heading in _headings(rounds)),
    ]
    rows = [[number, player, *[None] * rounds] for number, player in players]
    add_sheet(book, "Seats", (name, _NOTE), columns, rows, frozen_columns=2)
    for row in book.worksheets[0].iter_rows(min_row=HEADER_ROW + 1, min_col=len(_LEADING) + 1):
        for cell in row:
            cell.number_format = "@"  # or a spreadsheet makes a date of 5-1
    return save_book(book, made_at)


def template_csv(players: Players, rounds: int) -> bytes:
    """Make the csv."""
    rows: list[list[str | int | None]] = [[number, player, *[""] * rounds] for number, player in players]
    return csv_file([*_LEADING, *_headings(rounds)], rows)


def _headings(rounds: int) -> list[str]:
    return [f"Round {number}" for number in range(1, rounds + 1)]
