"""Empty lists for players, to fill in and import: CSV and workbook."""

import datetime as dt
from collections.abc import Sequence

from tournament.pages.csv_files import csv_file

TEMPLATE_HEADINGS = ("Player number", "Name")

Players = Sequence[tuple[int, str]]


def template_csv(players: Players, rounds: int) -> bytes:
    """Make an empty schedule to fill in, for players given as (number, name)."""
    rows: list[list[str | int | None]] = [[number, player, *[""] * rounds] for number, player in players]
    return csv_file([*TEMPLATE_HEADINGS, *round_headings(rounds)], rows)


def round_headings(rounds: int) -> list[str]:
    """Return the headings of the columns to fill in."""
    return [f"Round {number}" for number in range(1, rounds + 1)]


_NOTE = "Write table and wind below each round, as in 5E. One row a player, one column a round."


def template_xlsx(name: str, players: Sequence[tuple[int, str]], rounds: int, made_at: dt.datetime) -> bytes:
    """Make an empty schedule as a workbook, for players given as (number, name)."""
    from openpyxl import Workbook  # a tenth of the start of the desk

    from tournament.pages.spreadsheets import HEADER_ROW, SheetColumn, add_sheet, save_book

    book = Workbook()
    book.remove(book.worksheets[0])
    columns = [
        SheetColumn(TEMPLATE_HEADINGS[0], "count"),
        SheetColumn(TEMPLATE_HEADINGS[1], "text"),
        *(SheetColumn(heading, "text") for heading in round_headings(rounds)),
    ]
    rows = [[number, player, *[None] * rounds] for number, player in players]
    add_sheet(book, "Seats", (name, _NOTE), columns, rows, frozen_columns=2)
    for row in book.worksheets[0].iter_rows(min_row=HEADER_ROW + 1, min_col=len(TEMPLATE_HEADINGS) + 1):
        for cell in row:
            cell.number_format = "@"  # or a spreadsheet makes a date of 5-1
    return save_book(book, made_at)
