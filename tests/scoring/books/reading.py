"""How a book's table test is written: hands and ends of games as rows of text, all numbers worked by hand.

It reads the rows and computes nothing of the game: a cell is a number, or a sum as a person would write it.
"""

import re
from dataclasses import dataclass
from typing import Any

WINDS = "ESWN"


@dataclass(frozen=True, slots=True)
class BookTable:
    """What a book says, row by row.

    `hands`: topic | clause | table before | hand as it is typed | each seat's change | table after.
    A table is `E1.2 s1`: round and hand, counters, deposits (none: 0), and scores in brackets where they matter.
    `refused`: clause | table | hand | code. `ends`: shape | clause | scores | deposits | scores after | points that
    nobody got | places | uma | results. `by_time` is a game that ends with the signal, and its results.
    """

    key: str
    start: int
    returns: int
    uma: tuple[int, ...]
    chombo: int
    time: tuple[int, int]  # minutes, and hands after the one in play
    hands: str
    ends: str
    by_time: tuple[tuple[str, ...], tuple[int, ...], int]  # hands, results, points that nobody got
    refused: str = ""


def rows_of(text: str) -> list[list[str]]:
    """Return the cells of each row."""
    return [[cell.strip() for cell in row.split("|")] for row in text.strip().splitlines() if row.strip()]


def number(cell: str) -> int:
    """Return a number or a sum.

    >>> number("-1000+3900+300")
    3200
    """
    parts = re.findall(r"[+-]?\d+", cell)
    assert "".join(parts) == cell, cell
    return sum(map(int, parts))


def numbers(cell: str) -> tuple[int, ...]:
    """Return the numbers of a cell, one a seat.

    >>> numbers("0 3900+1000 -3900")
    (0, 4900, -3900)
    """
    return tuple(number(part) for part in cell.split())


def table(cell: str) -> dict[str, Any]:
    """Return what a cell says of a table.

    >>> table("S3.1 s2")
    {'round': 1, 'dealer': 2, 'honba': 1, 'sticks': 2}
    """
    found = re.fullmatch(r"([ESWN])([1-4])\.(\d+)(?: s(\d+))?(?: \((.+)\))?", cell)
    assert found, cell
    wind, hand, honba, sticks, scores = found.groups()
    out: dict[str, Any] = {"round": WINDS.index(wind), "dealer": int(hand) - 1, "honba": int(honba)}
    out["sticks"] = int(sticks or 0)
    return out | ({"scores": numbers(scores)} if scores else {})
