"""Schedules by a formula: k classes of T players, T tables, and each class moving on at a pace of its own.

Member x of class c sits in round r at table x + c's pace * r (mod T). Two of one class never meet and two of different
classes, with paces d apart, meet again after s rounds only if d * s is a multiple of T. So there is no repeat in R
rounds if T / gcd(d, T) >= R for every two paces; and nobody comes to a table again if the same holds for each pace and
0. Exact and instant; reaches every field of at least k * R tables and many smaller ones.
"""

from collections.abc import Sequence
from itertools import combinations
from math import gcd
from typing import Final

from tournament.seating.field import Field

FASTEST: Final = 12  # paces beyond this are not tried; every field of k * rounds tables does with 1..k


def class_lines(wish: Field, *, tabled: bool) -> list[list[int]] | None:
    """Return rounds without a repeat as lines in table order, or None where the formula does not reach.

    With `tabled`, nobody comes to a table again either.

    >>> class_lines(Field(9, 3, 3), tabled=False)
    [[0, 3, 6, 1, 4, 7, 2, 5, 8], [0, 5, 7, 1, 3, 8, 2, 4, 6], [0, 4, 8, 1, 5, 6, 2, 3, 7]]
    """
    tables = wish.tables
    paces = _find_paces(wish, tabled=tabled)
    if paces is None:
        return None
    return [
        [number * tables + (at - pace * turn) % tables for at in range(tables) for number, pace in enumerate(paces)]
        for turn in range(wish.rounds)
    ]


def _find_paces(wish: Field, *, tabled: bool) -> Sequence[int] | None:
    for paces in combinations(range(1 if tabled else 0, min(wish.tables, FASTEST)), wish.table_size):
        apart = [other - one for one, other in combinations((0, *paces) if tabled else paces, 2)]
        if all(wish.tables // gcd(steps, wish.tables) >= wish.rounds for steps in apart):
            return paces
    return None
