"""Every game of an event as csv: round, table, seat, player, points; what tournament/imports/results.py reads back."""

import csv
import io
from collections.abc import Sequence

from tournament.exports.ema import plain
from tournament.exports.workbook import RoundResultRow

HEADINGS = ("round", "table", "seat", "player", "points")


def results_csv(rounds: Sequence[RoundResultRow]) -> bytes:
    """Make the csv, seats from 0 for the first East, with the mark by which spreadsheets know UTF-8."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(HEADINGS)
    for of_round in rounds:
        for table in of_round.tables:
            for game in table.games:
                writer.writerow([of_round.number, table.number, game.seat, plain(game.name), game.points])
    return file.getvalue().encode("utf-8-sig")
