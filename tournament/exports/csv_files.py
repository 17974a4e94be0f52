"""Write csv: an event's players, every game, its penalties, as tournament/imports reads them back.

Headings are English and points whole numbers; a text that a spreadsheet would run gets an apostrophe.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from tournament.exports.result_rows import RoundResultRow
from tournament.sheets.rows import PenaltySheetRow

FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r")  # what a text begins with that a spreadsheet would run
RESULT_HEADINGS = ("round", "table", "seat", "player", "points")
PLAYER_HEADINGS = ("name", "legal name", "EMA number", "country", "club", "team")
PENALTY_HEADINGS = ("player", "points", "reason", "round", "clause")


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """All that an event knows of a player, "" for what it does not."""

    name: str
    legal_name: str
    ema_number: str
    country: str
    club: str
    team: str


def results_csv(rounds: Sequence[RoundResultRow]) -> bytes:
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


def players_csv(players: Sequence[PlayerLine]) -> bytes:
    """Make the csv of the players."""
    return csv_file(
        PLAYER_HEADINGS,
        ((each.name, each.legal_name, each.ema_number, each.country, each.club, each.team) for each in players),
    )


def penalties_csv(penalties: Sequence[PenaltySheetRow]) -> bytes:
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
