"""All-last sheets: the square with a diagonal cross on which a table shows its scores before the last hand.

The sheet has round, table and winds, and no names, as the books want it. A filled sheet has the scores in it, the winds
of its hand, and below the cut, for the referee, what each player needs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from tournament.alllast.messages import NeedOption, SeatCard
from tournament.pdf.measure import POINT, Room, broken, fit, width_of
from tournament.pdf.render import Leaves, portions_of
from tournament.tables.rows import EventHead, RoundRow, TableRow
from tournament.text.numbers import WINDS, points, wind_sign

# Seen from above with the first East at the bottom, play runs anticlockwise.
SIDES = ("bottom", "right", "top", "left")
HALVES = ("upper", "lower")
T = TypeVar("T")
NAME: Final = Room(66, 4.5, 10, bold=True)
BESIDE: Final = 2  # cards
# Below the cut, in millimetres as in paper.css: the room of the cards, a line of needs, and what else a card has.
CARDS_HIGH: Final = {"a4": 127, "letter": 121}
NEED_WIDE, PLACE_HIGH, LINE_EDGE, CARD_EDGE = 86, 4.8, 0.5, 8
NEED_SIZES: Final = (8.5, 8, 7.5, 7, 6.5, 6, 5.5)  # points


@dataclass(frozen=True, slots=True)
class FilledSheet:
    """A table in its last hand; `hand` and `about` are texts."""

    round: int
    table: int
    hand: str
    about: str
    sticks: int
    seats: tuple[SeatCard, ...]


def filled_all_last_leaves(head: EventHead, sheets: Sequence[FilledSheet]) -> Leaves:
    """Give a page a table: the sheet with the scores of the hands entered, and below the cut what each player needs."""
    values = {
        **_table_values(head),
        "filled": True,
        "sheets": [_filled(sheet, page, CARDS_HIGH[head.paper]) for page, sheet in enumerate(sheets, start=1)],
        "last_page": len(sheets),
    }
    return Leaves("all_last", (values,))


def _filled(sheet: FilledSheet, page: int, high: float) -> dict[str, Any]:
    scores = [points(each.score) for each in sheet.seats]
    return {
        "sheet": sheet,
        "page": page,
        "quarters": [
            (side, wind, score)
            for side, seat, score in zip(SIDES, sheet.seats, scores, strict=False)
            for wind in WINDS
            if wind.key == seat.wind
        ],
        "rows": _beside(
            [
                (wind_sign(each.wind), each, score, fit(each.name, NAME))
                for each, score in zip(sheet.seats, scores, strict=True)
            ]
        ),
        "sum": points(sum(each.score for each in sheet.seats)),
        "needs": f"{_needs_size(_beside(sheet.seats), high):g}pt",
    }


def _needs_size(rows: Sequence[Sequence[SeatCard]], high: float) -> float:
    """Return the largest letters in which all cards have their place: a row that has none is not printed at all."""
    fitting = (
        size for size in NEED_SIZES if sum(max(_card_height(card, size) for card in row) for row in rows) <= high
    )
    return next(fitting, NEED_SIZES[-1])


def _card_height(card: SeatCard, size: float) -> float:
    line = size * POINT * 1.2
    name = width_of(card.name, bold=True) * POINT * float(fit(card.name, NAME).removesuffix("pt"))
    goals = (
        sum(
            LINE_EDGE + line * len(broken(_ways_text(ways), NEED_WIDE / (size * POINT), bold=True))
            for ways in goal.lines
        )
        for goal in card.goals
    )
    return CARD_EDGE + NAME.height * (2 if name > NAME.width else 1) + sum(max(PLACE_HIGH, high) for high in goals)


def _ways_text(ways: Sequence[NeedOption]) -> str:
    """Write ways to a place as their line on the sheet has them."""
    return " · ".join(f"{way.name} {way.main} {way.sub} ({way.note})" for way in ways)


def _table_values(head: EventHead) -> dict[str, Any]:
    """Give the template the words of every all-last sheet."""
    seats = head.players_per_table
    return {
        "size": seats,
        "empty_sides": SIDES[seats:],
        "must_be": points(head.start_points * seats),
        "start": points(head.start_points),
    }


def _beside(cards: Sequence[T]) -> list[Sequence[T]]:
    return [cards[at : at + BESIDE] for at in range(0, len(cards), BESIDE)]


def all_last_leaves(head: EventHead, round_row: RoundRow) -> Leaves:
    """Give the all-last sheets of a round, two to a page, to be cut across the middle.

    Where the number of tables is odd, the last half page is a spare without a table's number. Raises ValueError if the
    round has no tables.
    """
    pairs = cut_pairs(round_row.tables)
    if not pairs:
        raise ValueError("a booklet of all-last sheets needs at least one page: the round has no tables")
    values = {
        **_table_values(head),
        "round": round_row.number,
        "halves": HALVES,
        "quarters": list(zip(SIDES, WINDS[: head.players_per_table], strict=False)),
        "deposit": points(head.deposit),
        "last_page": len(pairs),
    }
    sheets = [
        {"halves": list(zip(HALVES, (table.number for table in pair), strict=False)), "page": page}
        for page, pair in enumerate(pairs, start=1)
    ]
    return Leaves("all_last", portions_of(values, sheets), form=True)


def cut_pairs(tables: tuple[TableRow, ...]) -> tuple[tuple[TableRow, ...], ...]:
    """Pair tables so that the printed pile, cut once and the lower half put under the upper, is in table order."""
    half = (len(tables) + 1) // 2
    return tuple(tables[first::half] for first in range(half))
