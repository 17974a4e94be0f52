"""How boldly an annealing search takes steps that make things worse: boldly first, hardly at last, then anew.

Whole numbers only: an exponential from a library may differ in its last bit from machine to machine, and so would a
draw.
"""

from collections.abc import Iterator
from itertools import cycle
from typing import Final, TypeAlias

BITS: Final = 16
ALWAYS: Final = 1 << BITS
WORST: Final = 64  # a step that costs so much or more is never taken

Chances: TypeAlias = tuple[int, ...]  # by cost 0..WORST-1: of ALWAYS throws, those that take a step of that cost


def chances(part: int, whole: int) -> Chances:
    """Return the chances of steps by their cost, where each unit of cost is taken with chance part/whole.

    >>> chances(1, 4)[:3]
    (65536, 16384, 4096)
    """
    return tuple(ALWAYS * part**cost // whole**cost for cost in range(WORST))


def cooling(hot: int, cold: int, *, whole: int, slices: int) -> Iterator[Chances]:
    """Yield without end the chances for one slice of steps after another: from hot evenly to cold, then hot again."""
    falling = [hot + (cold - hot) * at // max(slices - 1, 1) for at in range(slices)]
    return cycle([chances(part, whole) for part in falling])
