"""Random numbers from a seed: the same seed gives the same sequence on every machine and Python version.

Uses only `getrandbits` of the Mersenne Twister, which Python promises to keep; no floats.
"""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Rng:
    """A random number generator, fully determined by its seed."""

    __slots__ = ("bits",)

    def __init__(self, seed: int) -> None:
        self.bits = Random(seed).getrandbits  # noqa: S311 a draw is public and repeatable, not a secret

    def below(self, limit: int) -> int:
        """Return one of 0..limit-1, all equally likely."""
        width = limit.bit_length()
        while (drawn := self.bits(width)) >= limit:
            pass
        return drawn

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order, all orders equally likely."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


def shuffle_players(items: Sequence[T], seed: int) -> list[T]:
    """Return the items in the order that a seed draws: this assigns people to the numbers of a schedule.

    >>> shuffle_players("ABCDEF", 7) == shuffle_players("ABCDEF", 7)
    True
    """
    return Rng(seed).shuffled(items)
