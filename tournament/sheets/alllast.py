"""All-last sheets: the square with a diagonal cross on which a table shows its scores before the last hand.

Carries round, table and winds; never a player's name, as the books want it.
"""

from typing import Any

from tournament.sheets.figures import WINDS, count_text
from tournament.sheets.render import render_forms
from tournament.sheets.rows import EventHead, RoundRow, TableRow

# Seen from above with the first East at the bottom, play runs anticlockwise.
SIDES = ("bottom", "right", "top", "left")
HALVES = ("upper", "lower")


def all_last_pdf(head: EventHead, round_row: RoundRow) -> bytes:
    """Make the all-last sheets of a round, two to a page, to be cut across the middle.

    Where the number of tables is odd, the last half page is a spare without a table's number.
    Raises ValueError if the round has no tables, PaperUnavailable if this machine cannot make PDF.
    """
    return render_forms("all_last", all_last_values(head, round_row), head)


def all_last_values(head: EventHead, round_row: RoundRow) -> dict[str, Any]:
    """Give the all-last template what it shows: the form's own words and the numbers of the tables."""
    seats = head.players_per_table
    pairs = cut_pairs(round_row.tables)
    return {
        "round": round_row.number,
        "size": seats,
        "halves": HALVES,
        "quarters": [(side, WINDS[seat]) for seat, side in enumerate(SIDES[:seats])],
        "empty_sides": SIDES[seats:],
        "must_be": count_text(head.start_points * seats),
        "start": count_text(head.start_points),
        "pages": [list(zip(HALVES, (table.number for table in pair), strict=False)) for pair in pairs],
        "last_page": len(pairs),
    }


def cut_pairs(tables: tuple[TableRow, ...]) -> tuple[tuple[TableRow, ...], ...]:
    """Pair tables so that the printed pile, cut once and the lower half put under the upper, is in table order."""
    half = (len(tables) + 1) // 2
    return tuple(tables[first::half] for first in range(half))
