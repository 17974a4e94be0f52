"""Write csv: players, games and penalties as tournament/imports reads them back, and an empty schedule to fill in.

Headings are English and points whole numbers; a text that a spreadsheet would run gets an apostrophe.
"""

import csv
import datetime as dt
import io
from collections.abc import Iterable, Sequence
from typing import Final

from tournament.sheets.rows import PenaltyRow, ResultRound

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


FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r")  # what a text begins with that a spreadsheet would run
RESULT_HEADINGS = ("round", "table", "seat", "player", "points")
PLAYER_HEADINGS = ("name", "legal name", "EMA number", "country", "club", "team")
PENALTY_HEADINGS = ("player", "points", "reason", "round", "clause")


def results_csv(rounds: Sequence[ResultRound]) -> bytes:
    """Make the csv of every game, seats from 0 for the first East."""
    return csv_file(
        RESULT_HEADINGS,
        (
            (of_round.number, table.number, game.seat, game.name, game.points)
            for of_round in rounds
            for table in of_round.tables
            for game in table.games
        ),
    )


def players_csv(players: Iterable[Sequence[str]]) -> bytes:
    """Make the csv of the players, their texts in the order of PLAYER_HEADINGS."""
    return csv_file(PLAYER_HEADINGS, players)


def penalties_csv(penalties: Sequence[PenaltyRow]) -> bytes:
    """Make the csv of the penalties that stand, points off without a sign."""
    return csv_file(
        PENALTY_HEADINGS,
        ((each.name, each.points, each.reason, each.round, each.clause) for each in penalties if not each.cancelled),
    )


def csv_file(headings: Sequence[str], rows: Iterable[Sequence[str | int | None]]) -> bytes:
    """Make a csv, with the mark by which spreadsheets know UTF-8."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(headings)
    for row in rows:
        writer.writerow([plain(cell) if isinstance(cell, str) else cell for cell in row])
    return file.getvalue().encode("utf-8-sig")


def plain(text: str) -> str:
    """Make a text safe in a csv: a spreadsheet would run what begins like a formula.

    >>> plain("=1+1"), plain("Moss")
    ("'=1+1", 'Moss')
    """
    return f"'{text}" if text.startswith(FORMULA_SIGNS) else text
