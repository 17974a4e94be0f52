"""The field's benchmark of seatings: tables of four and three, sizes from 9 to 1,000 players, 4 to 12 rounds.

Of each row the fewest repeats that anybody is known to have reached: 0 where nothing else is said.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

FIRST: Final = 4  # rounds of the first number of each list
PLAYERS: Final[Mapping[int, tuple[int, ...]]] = {
    4: (12, 16, 20, 24, 28, 32, 36, 40, 48, 60, 64, 80, 100, 120, 160, 200, 400, 1000),
    3: (9, 12, 15, 18, 21, 24, 27, 30, 36, 45, 60, 90, 120),
}
LAST: Final[Mapping[int, int]] = {4: 12, 3: 10}
REPEATS: Final[Mapping[tuple[int, int], tuple[int, ...]]] = {
    (4, 12): (18, 30, 45, 63, 90, 126, 162, 198, 252),
    (4, 16): (0, 0, 24, 48, 72, 96, 120, 168, 216),
    (4, 20): (0, 0, 6, 20, 50, 80, 110, 140, 171),
    (4, 24): (0, 0, 0, 0, 18, 48, 84, 120, 156),
    (4, 28): (0, 0, 0, 0, 0, 0, 42, 84, 126),
    (4, 32): (0, 0, 0, 0, 0, 0, 0, 32, 80),
    (4, 36): (0, 0, 0, 0, 0, 0, 0, 0, 27),
    (3, 9): (0, 9, 18, 27, 36, 54, 72),
    (3, 12): (0, 3, 7, 18, 30, 42, 54),
    (3, 15): (0, 0, 0, 0, 15, 30, 45),
    (3, 18): (0, 0, 0, 0, 0, 9, 27),
}


class Row(NamedTuple):
    """A size of field, and the fewest repeats known for it."""

    table_size: int
    players: int
    rounds: int
    best: int


def every_row() -> Iterator[Row]:
    """Yield all rows, fours first, then by players and rounds."""
    for size, fields in PLAYERS.items():
        for players in fields:
            known = REPEATS.get((size, players), (0,) * (LAST[size] - FIRST + 1))
            for rounds, best in enumerate(known, start=FIRST):
                yield Row(size, players, rounds, best)
