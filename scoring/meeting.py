"""Two players at one table: what went from one to the other, hand by hand.

It knows two seats of a folded game and the hands in which both were played by those two; who they are it never knows.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.entries import Entry, Ron
from scoring.game import Game
from scoring.story import is_played, winners_of


@dataclass(frozen=True, slots=True)
class Between:
    """What one and the other player had of each other: hands, wins off each other, and points that each was paid."""

    hands: int = 0
    ron_by_one: int = 0
    ron_by_other: int = 0
    to_one: int = 0
    to_other: int = 0


def between(game: Game, one: int, other: int, hands: range) -> Between:
    """Count what passed between two seats in these hands of a game, counters included; deposits go to the table.

    >>> from rules.ruleset import load
    >>> from scoring.game import fold
    >>> from scoring.shorthand import parse
    >>> game = fold([parse("2r1 130"), parse("1t 130")], load("ema-2025"))
    >>> between(game, 0, 1, range(2))
    Between(hands=2, ron_by_one=0, ron_by_other=1, to_one=500, to_other=1000)
    """
    shared = [game.hands[index] for index in hands]
    entries = [hand.entry for hand in shared]
    transfers = [each for hand in shared for each in hand.transfers]
    return Between(
        hands=sum(is_played(entry) for entry in entries),
        ron_by_one=_wins_off(entries, one, other),
        ron_by_other=_wins_off(entries, other, one),
        to_one=sum(each.points for each in transfers if (each.payer, each.receiver) == (other, one)),
        to_other=sum(each.points for each in transfers if (each.payer, each.receiver) == (one, other)),
    )


def add_up(parts: Iterable[Between]) -> Between:
    """Sum what passed at several tables."""
    rows = list(parts)
    return Between(
        hands=sum(row.hands for row in rows),
        ron_by_one=sum(row.ron_by_one for row in rows),
        ron_by_other=sum(row.ron_by_other for row in rows),
        to_one=sum(row.to_one for row in rows),
        to_other=sum(row.to_other for row in rows),
    )


def _wins_off(entries: Iterable[Entry], winner: int, loser: int) -> int:
    return sum(isinstance(entry, Ron) and entry.loser == loser and winner in winners_of(entry) for entry in entries)
