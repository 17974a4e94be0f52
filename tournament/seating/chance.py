"""Chance from a seed: the same seed gives the same course on every machine and every version of Python.

Only `getrandbits` of the Mersenne Twister is used, which Python promises to keep; no float, no library's logarithm.
"""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A course of chance, fully set by its seed."""

    __slots__ = ("bits",)

    def __init__(self, seed: int) -> None:
        self.bits = Random(seed).getrandbits  # noqa: S311 a draw is public and repeatable, not a secret

    def below(self, limit: int) -> int:
        """Draw one of 0..limit-1, each as likely as the next."""
        width = limit.bit_length()
        while (drawn := self.bits(width)) >= limit:
            pass
        return drawn

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in an order of which each is as likely as the next."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


def shuffle_players(items: Sequence[T], seed: int) -> list[T]:
    """Return the items in the order that the seed draws; the draw of people onto the numbers of a schedule.

    >>> shuffle_players("ABCDEF", 7) == shuffle_players("ABCDEF", 7)
    True
    """
    return Chance(seed).shuffled(items)
