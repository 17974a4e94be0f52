"""What players are handed: the table of values, pocket cards of it, the list of yaku, point sticks and markers.

All amounts and words are handed in; these sheets only lay them out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tournament.pdf.render import Leaves
from tournament.tables.rows import EventHead
from tournament.text.numbers_figures import WINDS, count_text

POCKET_CARDS = 4
MARKER_SETS = {"a4": 7, "letter": 6}
SIZES = ("large", "small")  # of a list that is one page; nearly all are in large letters, and laid out once


@dataclass(frozen=True, slots=True)
class ValueCell:
    """What a hand pays by ron and by tsumo, or the name of its limit."""

    ron: str
    tsumo: str
    limit: str = ""


@dataclass(frozen=True, slots=True)
class ValueBlock:
    """The values of a non-dealer or of the dealer: by fu, a cell for each han from one."""

    title: str
    pays: str
    rows: tuple[tuple[int, tuple[ValueCell, ...]], ...]


@dataclass(frozen=True, slots=True)
class LimitRow:
    """A limit with the han it takes, and what it pays a non-dealer and the dealer."""

    name: str
    han: str
    other: ValueCell
    dealer: ValueCell


@dataclass(frozen=True, slots=True)
class ValueSheet:
    """A table of values in words; `honba` are (number, on ron, on tsumo), `noten` (tenpai, each pays, each gets).

    `fu` are (what gives them, how many).
    """

    hans: tuple[str, ...]
    blocks: tuple[ValueBlock, ...]
    limits: tuple[LimitRow, ...]
    honba: tuple[tuple[int, str, str], ...]
    noten: tuple[tuple[int, str, str], ...]
    fu: tuple[tuple[str, str], ...]
    notes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class YakuRow:
    """A yaku: its name, how Japanese writes it, what players call it, what it is, its worth, and tiles by group."""

    name: str
    sign: str
    local: str
    gloss: str
    closed: str
    opened: str
    tiles: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class YakuGroup:
    """Yaku of the same worth."""

    title: str
    rows: tuple[YakuRow, ...]


@dataclass(frozen=True, slots=True)
class DoraRow:
    """A kind of dora: what it is, with tiles; (indicator, dora) as pairs."""

    name: str
    gloss: str
    tiles: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class YakuSheet:
    """The yaku that are played, by worth; the kinds of dora; and other rules as (rule, value)."""

    groups: tuple[YakuGroup, ...]
    dora: tuple[DoraRow, ...]
    notes: tuple[tuple[str, str], ...]


def values_leaves(sheet: ValueSheet) -> Leaves:
    """Give the table of values on one page."""
    return Leaves("values", tuple({"sheet": sheet, "size": size} for size in SIZES), fit=True)


def pocket_cards_leaves(sheet: ValueSheet) -> Leaves:
    """Give a page of four equal cards to be cut, each with the whole table of values."""
    return Leaves("value_cards", ({"sheet": sheet, "slots": range(1, POCKET_CARDS + 1)},))


def yaku_leaves(sheet: YakuSheet) -> Leaves:
    """Give the list of yaku on one page."""
    return Leaves("yaku", tuple({"sheet": sheet, "size": size} for size in SIZES), fit=True)


def sticks_leaves(head: EventHead, sets: Sequence[dict[int, int]], tables: int) -> Leaves:
    """Give what each table needs beside tiles: point sticks by seat, one table for each of `sets`, and markers.

    Raises ValueError where no sticks add up to the starting points.
    """
    if not sets:
        raise ValueError("no sticks add up to the starting points")
    values = {
        "sets": [_stick_rows(counts, head.players_per_table, tables) for counts in sets],
        "start": count_text(head.start_points),
        "size": head.players_per_table,
        "tables": tables,
        "sheets": -(-tables // MARKER_SETS[head.paper]),
    }
    return Leaves("sticks", (values,))


def markers_leaves(head: EventHead, winds_played: int) -> Leaves:
    """Give a page of markers to be cut, a row for each table: the first dealer's, the round's, and one a wind.

    A marker of the round is folded and shows one of two winds.
    """
    values = {
        "slots": range(1, MARKER_SETS[head.paper] + 1),
        "winds": WINDS[: head.players_per_table],
        "rounds": list(zip(WINDS[::2], WINDS[1::2], strict=True))[: -(-winds_played // 2)],
    }
    return Leaves("markers", (values,))


def _stick_rows(counts: dict[int, int], players: int, tables: int) -> dict[str, Any]:
    rows = [
        (count_text(stick), *(count_text(count * times) for times in (1, players, players * tables)))
        for stick, count in counts.items()
        if count
    ]
    total = sum(counts.values())
    sums = [count_text(total * times) for times in (1, players, players * tables)]
    return {"rows": rows, "sums": sums}
