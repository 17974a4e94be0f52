"""Chooses, of the rounds that a long schedule has to spare, those in which people who never meet share most opponents.

Tries a handful of choices and judges each by its worst-off pair. The report counts this again, apart from here.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Final, TypeAlias

from tournament.seating.chance import Chance
from tournament.seating.lines import Lines, count_meetings

CHOICES: Final = 12
WORTH_IT: Final = 100  # players; with more, most sizes have jumps, and judging a choice takes its time

Merit: TypeAlias = tuple[int, int]


def choose_rounds(lines: Lines, rounds: int, table_size: int, chance: Chance) -> list[list[int]]:
    """Return so many of the rounds, in an order by chance; others than chance drew only if they have more merit."""
    chosen = chance.shuffled(lines)[:rounds]
    if rounds == len(lines) or len(lines[0]) > WORTH_IT:
        return [list(line) for line in chosen]
    others = Chance(rounds)  # of their own, so that trying them changes nothing else about a draw
    choices = [chosen, *(others.shuffled(lines)[:rounds] for _ in range(CHOICES - 1))]
    best = max(choices, key=lambda choice: merit(choice, table_size))
    return [list(line) for line in best]


def merit(lines: Lines, table_size: int) -> Merit:
    """Return how many opponents the worst-off two who never meet share, and minus how many pairs share so few.

    >>> merit([[0, 1, 2, 3, 4, 5]], 3), merit([[0, 1, 2, 3, 4, 5], [0, 1, 3, 2, 4, 5]], 3)
    ((0, -9), (2, -4))
    """
    shared = Counter(_shared(lines, table_size))
    least = min(shared, default=len(lines[0]))
    return least, -shared[least]


def _shared(lines: Lines, table_size: int) -> Iterator[int]:
    """Yield for each two who never meet how many opponents they share; opponents are bits of a number, for speed."""
    opponents = [0] * len(lines[0])
    for one, other in count_meetings(lines, table_size):
        opponents[one] |= 1 << other
        opponents[other] |= 1 << one
    for one, other in combinations(range(len(opponents)), 2):
        if not opponents[one] >> other & 1:
            yield (opponents[one] & opponents[other]).bit_count()
