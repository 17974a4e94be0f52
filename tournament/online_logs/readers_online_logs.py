"""What a log of an online game says, in one form for all formats; `online_games` reads a file and judges it.

A reader of a format takes a log as it is written; what is not of its form raises LogError.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoring.entries import Entry
from scoring.hand import SOURCES
from scoring.state import WINDS
from tournament.core.hash_chain import checksum

MOST_POINTS = 10_000_000
STICK = 1000  # the points of a riichi, in every format
# the mistakes by which a log that is not of its form shows itself, of any kind
WRONG_FORM = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)


class LogError(ValueError):
    """A log is not of its form; `hand` is the hand where it was noticed, from 1, or 0."""

    def __init__(self, hand: int) -> None:
        super().__init__(hand)
        self.hand = hand


@dataclass(frozen=True, slots=True)
class OnlineHand:
    """One hand as a log says it, all by seat, 0 for the first East: where it began, what happened, scores after it.

    `round` 0 is East. A win in `entry` has its value, or only its tiles.
    """

    round: int
    dealer: int
    honba: int
    sticks: int
    before: tuple[int, ...]
    entry: Entry
    after: tuple[int, ...]

    @property
    def place(self) -> tuple[str, int, int, int]:
        """Round wind, number of the deal, honba and riichi sticks at its beginning."""
        return WINDS[self.round % 4], self.dealer + 1, self.honba, self.sticks


@dataclass(frozen=True, slots=True)
class OnlineGame:
    """A game of a log: the names of its players by seat, "" for an unknown one, and its hands."""

    names: tuple[str, ...]
    hands: tuple[OnlineHand, ...]

    @property
    def mark(self) -> str:
        """A checksum over the course of the scores: the same game has the same in every format."""
        return checksum([[*hand.place, *hand.before, *hand.after] for hand in self.hands])


def number(value: Any) -> int:
    """Return a whole number of a log, or of its text. Raises ValueError or TypeError for anything else."""
    found = int(value) if isinstance(value, str) and len(value) < 10 else value
    if type(found) is not int or abs(found) > MOST_POINTS:
        raise ValueError("no whole number")
    return found


def numbers(values: Any) -> tuple[int, ...]:
    """Return the whole numbers of a list, or of a text with commas."""
    parts = values.split(",") if isinstance(values, str) else values
    return tuple(number(each) for each in parts)


def after_hand(before: Sequence[int], riichi: Sequence[int], *deltas: Sequence[int]) -> tuple[int, ...]:
    """Return the scores after a hand: those before it, less the riichi sticks put down in it, and what was paid."""
    scores = [score - STICK * (seat in riichi) for seat, score in enumerate(before)]
    for paid in deltas:
        scores = [score + part for score, part in zip(scores, paid, strict=True)]
    return tuple(scores)


def called_from(caller: int, giver: int, players: int) -> str | None:
    """Return from where a tile was called, in the words of a hand: left, across or right; None for their own tile.

    >>> [called_from(0, giver, 4) for giver in range(4)], called_from(0, 2, 3)
    ([None, 'right', 'across', 'left'], 'left')
    """
    step = (giver - caller) % players
    return SOURCES[-1] if step == 1 else SOURCES[0] if step == players - 1 else SOURCES[1] if step else None
