"""Rounds as the search writes them: one flat line of players for each, the players of table 0 first, then of table 1 …

Only takes lines apart and counts them; `schedule` holds what a reader is given.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import TypeAlias

Line: TypeAlias = Sequence[int]
Lines: TypeAlias = Sequence[Line]


def tables_of(line: Line, table_size: int) -> list[Sequence[int]]:
    """Return the players of each table, in table order.

    >>> tables_of([4, 0, 2, 5, 1, 3], 3)
    [[4, 0, 2], [5, 1, 3]]
    """
    return [line[at : at + table_size] for at in range(0, len(line), table_size)]


def count_meetings(lines: Lines, table_size: int) -> Counter[tuple[int, int]]:
    """Return how often each two players meet, the lower number first."""
    return Counter(
        pair for line in lines for table in tables_of(line, table_size) for pair in combinations(sorted(table), 2)
    )


def count_repeats(lines: Lines, table_size: int) -> int:
    """Return the sum over pairs of m(m - 1)/2 where m is how often they meet."""
    return sum(comb(times, 2) for times in count_meetings(lines, table_size).values())
