"""Write csv: players, games and penalties as tournament/imports reads them back, and an empty schedule to fill in.

Headings are English and points whole numbers; a text that a spreadsheet would run gets an apostrophe.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

from tournament.tables.rows import PenaltyRow, ResultRound

TEMPLATE_HEADINGS = ("Player number", "Name")

Players = Sequence[tuple[int, str]]


def template_csv(players: Players, rounds: int) -> bytes:
    """Make an empty schedule to fill in, for players given as (number, name)."""
    rows: list[list[str | int | None]] = [[number, player, *[""] * rounds] for number, player in players]
    return csv_file([*TEMPLATE_HEADINGS, *round_headings(rounds)], rows)


def round_headings(rounds: int) -> list[str]:
    """Return the headings of the columns to fill in."""
    return [f"Round {number}" for number in range(1, rounds + 1)]


FORMULA_SIGNS: Final = (*"=+-@＝＋－＠", "\t", "\r", "\n")  # what a text begins with that a spreadsheet would run
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
    """Make the csv of the penalties that stand, points off without a sign; a substitute's fall on no player."""
    return csv_file(
        PENALTY_HEADINGS,
        (
            (each.name, each.points, each.reason, each.round, each.clause)
            for each in penalties
            if not (each.cancelled or each.plays_for)
        ),
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
