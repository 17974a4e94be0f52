"""Schedules by a formula: k classes of T players, T tables, and each class jumping on in a way of its own.

Member x of class c sits in round r at table x + c's jump in round r (mod T). Two of one class never meet; two of other
classes meet once at most if the jumps of the two differ by something new in each round; and nobody comes to a table
again if each class's jumps are all different. Jumps at an even pace are a formula: with paces d apart, T / gcd(d, T) >=
R is enough, which every field of at least k * R tables and many smaller ones allow. Uneven jumps are in the stock.
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
    return jump_lines(tables, [[pace * turn for turn in range(wish.rounds)] for pace in paces])


def jump_lines(tables: int, jumps: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the rounds, as lines in table order, that the jumps of each class in each round make.

    >>> jump_lines(3, [[0, 1], [0, 2]])
    [[0, 3, 1, 4, 2, 5], [2, 4, 0, 5, 1, 3]]
    """
    return [
        [number * tables + (at - jump) % tables for at in range(tables) for number, jump in enumerate(of_round)]
        for of_round in zip(*jumps, strict=True)
    ]


def _find_paces(wish: Field, *, tabled: bool) -> Sequence[int] | None:
    for paces in combinations(range(1 if tabled else 0, min(wish.tables, FASTEST)), wish.table_size):
        apart = [other - one for one, other in combinations((0, *paces) if tabled else paces, 2)]
        if all(wish.tables // gcd(steps, wish.tables) >= wish.rounds for steps in apart):
            return paces
    return None
