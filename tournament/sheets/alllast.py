"""All-last sheets: the square with a diagonal cross on which a table shows its scores before the last hand.

Carries round, table and winds; never a player's name, as the books want it. A filled sheet has the scores in it, and
below the cut, for the referee, what each player needs: there the names are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final, TypeVar

from tournament.sheets.figures import WINDS, count_text, name_size, set_width
from tournament.sheets.render import Leaves, portions_of
from tournament.sheets.rows import EventHead, RoundRow, TableRow

# Seen from above with the first East at the bottom, play runs anticlockwise.
SIDES = ("bottom", "right", "top", "left")
HALVES = ("upper", "lower")
T = TypeVar("T")
CARDS_HEIGHT: Final = 116.0  # millimetres that the cards have below the cut on the lower of the two papers
CARD_HEAD: Final = 11.0
NAME_COLUMNS: Final = 40  # of a name within one line
NAME_LINE: Final = 4.0
BESIDE: Final = 2  # cards


@dataclass(frozen=True, slots=True)
class NeedPlace:
    """A place and the ways to it: (way, hand, what it costs or is, note) each. `state` as in web.rounds.needs_page."""

    place: str
    ways: tuple[tuple[str, str, str, str], ...]
    state: str


@dataclass(frozen=True, slots=True)
class NeedSeat:
    """A player on a filled sheet, in seat order: points now, place, whether the last deal is theirs, what they need."""

    name: str
    score: int
    place: str
    deals: bool
    needs: tuple[NeedPlace, ...]


@dataclass(frozen=True, slots=True)
class _Lines:
    """How large the lines of a card are set: the stylesheet's class, the height of a line, columns of way and hand."""

    name: str
    height: float
    way: int
    hand: int


SIZES: Final = (_Lines("", 3.2, 22, 34), _Lines("dense", 2.8, 26, 40), _Lines("densest", 2.3, 31, 47))
ROW_GAP: Final = 0.4


@dataclass(frozen=True, slots=True)
class FilledSheet:
    """A table in its last hand; `hand` and `about` are texts."""

    round: int
    table: int
    hand: str
    about: str
    sticks: int
    seats: tuple[NeedSeat, ...]


def filled_all_last_leaves(head: EventHead, sheets: Sequence[FilledSheet]) -> Leaves:
    """Give a page a table: the sheet with the scores of the hands entered, and below the cut what each player needs."""
    return Leaves("all_last_filled", (filled_values(head, sheets),))


def filled_values(head: EventHead, sheets: Sequence[FilledSheet]) -> dict[str, Any]:
    """Give the template of filled sheets what it shows."""
    seats = head.players_per_table
    return {
        "size": seats,
        "empty_sides": SIDES[seats:],
        "must_be": count_text(head.start_points * seats),
        "start": count_text(head.start_points),
        "sheets": [
            {
                "sheet": sheet,
                "page": page,
                "quarters": [
                    (side, WINDS[seat], count_text(each.score))
                    for (seat, each), side in zip(enumerate(sheet.seats), SIDES, strict=False)
                ],
                "rows": _beside(
                    [
                        (WINDS[seat], each, count_text(each.score), name_size(each.name))
                        for seat, each in enumerate(sheet.seats)
                    ]
                ),
                "lines": cards_size(sheet.seats),
                "sum": count_text(sum(each.score for each in sheet.seats)),
            }
            for page, sheet in enumerate(sheets, start=1)
        ],
        "last_page": len(sheets),
    }


def cards_size(seats: Sequence[NeedSeat]) -> str:
    """Pick the stylesheet's class for what the players need: the largest letters in which every line has its place.

    >>> cards_size([NeedSeat("Ito", 0, "1", False, (NeedPlace("1", (), "any"),))])
    ''
    """
    fitting = (size.name for size in SIZES if _cards_height(seats, size) <= CARDS_HEIGHT)
    return next(fitting, SIZES[-1].name)


def _cards_height(seats: Sequence[NeedSeat], size: _Lines) -> float:
    heights = [
        CARD_HEAD + NAME_LINE * (set_width(seat.name) > NAME_COLUMNS) + sum(_height(need, size) for need in seat.needs)
        for seat in seats
    ]
    return sum(max(row) for row in _beside(heights))


def _beside(cards: Sequence[T]) -> list[Sequence[T]]:
    return [cards[at : at + BESIDE] for at in range(0, len(cards), BESIDE)]


def _height(need: NeedPlace, size: _Lines) -> float:
    if need.state:
        return size.height + ROW_GAP
    return sum(
        ROW_GAP + size.height * max(ceil(set_width(way) / size.way), ceil(set_width(" ".join(hand)) / size.hand))
        for way, *hand in need.ways
    )


def all_last_leaves(head: EventHead, round_row: RoundRow) -> Leaves:
    """Give the all-last sheets of a round, two to a page, to be cut across the middle.

    Where the number of tables is odd, the last half page is a spare without a table's number. Raises ValueError if the
    round has no tables.
    """
    values = all_last_values(head, round_row)
    if not values["sheets"]:
        raise ValueError("a booklet of all-last sheets needs at least one page: the round has no tables")
    return Leaves("all_last", portions_of(values, values["sheets"]), form=True)


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
        "deposit": count_text(head.deposit),
        "sheets": [
            {"halves": list(zip(HALVES, (table.number for table in pair), strict=False)), "page": page}
            for page, pair in enumerate(pairs, start=1)
        ],
        "last_page": len(pairs),
        "form": True,
    }


def cut_pairs(tables: tuple[TableRow, ...]) -> tuple[tuple[TableRow, ...], ...]:
    """Pair tables so that the printed pile, cut once and the lower half put under the upper, is in table order."""
    half = (len(tables) + 1) // 2
    return tuple(tables[first::half] for first in range(half))
