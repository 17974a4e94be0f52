"""What random winning hands are made of: for each kind of hand the groups to choose from, rare yaku far too often.

Groups are (shape, lowest kind). No tile is drawn here.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from tools.oracles.tiles136 import EAST, KINDS, NORTH

Group = tuple[Literal["run", "same"], int]

NUMBERS = tuple(range(EAST))
HONOURS = tuple(range(EAST, KINDS))
WINDS = tuple(range(EAST, NORTH + 1))
DRAGONS = tuple(range(NORTH + 1, KINDS))
ENDS = tuple(kind for kind in NUMBERS if kind % 9 in (0, 8))
SIMPLES = tuple(kind for kind in NUMBERS if kind % 9 not in (0, 8))
STARTS = tuple(kind for kind in NUMBERS if kind % 9 <= 6)
END_STARTS = tuple(kind for kind in NUMBERS if kind % 9 in (0, 6))
SIMPLE_STARTS = tuple(kind for kind in NUMBERS if 1 <= kind % 9 <= 5)
GREEN = (19, 20, 21, 23, 25, 32)


@dataclass(frozen=True, slots=True)
class Pool:
    """Kinds that groups and pair of a hand may start with; `run_share` is how many groups are sequences."""

    runs: tuple[int, ...]
    sames: tuple[int, ...]
    pairs: tuple[int, ...]
    run_share: float = 0.6

    def for_players(self, players: int) -> "Pool":
        """Leave out what three players do not have."""
        if players == 4:
            return self
        runs = tuple(start for start in self.runs if start >= 9)
        return Pool(runs, _in_set(self.sames), _in_set(self.pairs), self.run_share)


def _in_set(kinds: Iterable[int]) -> tuple[int, ...]:
    return tuple(kind for kind in kinds if not 0 < kind < 8)


def _all(kinds: Iterable[int] = range(KINDS), run_share: float = 0.7) -> Pool:
    return Pool(STARTS, tuple(kinds), tuple(kinds), run_share)


def _of(kinds: Iterable[int], runs: tuple[int, ...] = (), run_share: float = 0.0) -> Pool:
    return Pool(runs, tuple(kinds), tuple(kinds), run_share)


def _suit(suit: int, extra: Iterable[int] = ()) -> Pool:
    kinds = range(9 * suit, 9 * suit + 9)
    return Pool(tuple(kinds[:7]), (*kinds, *extra), (*kinds, *extra), 0.7)


@dataclass(frozen=True, slots=True)
class Recipe:
    """A kind of hand: fixed groups first, the rest from a pool.

    `called` says how often a group of an open hand is called, `open_share` how often a hand is open at all.
    """

    name: str
    weight: int
    pools: tuple[Pool, ...] = (_all(),)
    fixed: Callable[[Random, int], list[Group]] = field(default=lambda _chance, _players: [])
    open_share: float = 0.5
    quads: float = 0.08


def _suit_of(chance: Random, players: int) -> int:
    return chance.randrange(4 - players, 3)


def _start(chance: Random, players: int) -> int:
    return 9 * _suit_of(chance, players) + chance.randrange(7)


def _three_suits(chance: Random, _players: int) -> list[Group]:
    number = chance.randrange(7)
    return [("run", 9 * suit + number) for suit in range(3)]


def _three_triplets(chance: Random, players: int) -> list[Group]:
    number = chance.randrange(9) if players == 4 else chance.choice((0, 8))
    return [("same", 9 * suit + number) for suit in range(3)]


def _straight(chance: Random, players: int) -> list[Group]:
    suit = _suit_of(chance, players)
    return [("run", 9 * suit + step) for step in (0, 3, 6)]


def _twins(chance: Random, players: int) -> list[Group]:
    return [("run", _start(chance, players))] * 2


def _two_twins(chance: Random, players: int) -> list[Group]:
    return [*_twins(chance, players), *_twins(chance, players)]


def _close_twins(chance: Random, players: int) -> list[Group]:
    """Two times two sequences whose tiles may also be read as seven pairs or as triplets."""
    start = 9 * _suit_of(chance, players) + chance.randrange(5)
    low: Group = ("run", start)
    high: Group = ("run", start + chance.randrange(3))
    return [low, low, high, high]


def _stairs(chance: Random, players: int) -> list[Group]:
    return [("run", _start(chance, players))] * 3


def _dragons(chance: Random, _players: int) -> list[Group]:
    return [("same", kind) for kind in chance.sample(DRAGONS, chance.choice((2, 2, 3)))]


def _winds(chance: Random, _players: int) -> list[Group]:
    return [("same", kind) for kind in chance.sample(WINDS, chance.choice((3, 3, 4)))]


RECIPES = (
    Recipe("any", 10),
    Recipe("all runs", 10, (Pool(STARTS, (), tuple(range(KINDS)), 1.0),), open_share=0.3),
    Recipe("bare", 6, (Pool(STARTS, (*NUMBERS, *WINDS), tuple(range(KINDS)), 0.6),), open_share=0.95),
    Recipe("simples", 6, (Pool(SIMPLE_STARTS, SIMPLES, SIMPLES, 0.7),)),
    Recipe("outer", 5, (Pool(END_STARTS, (*ENDS, *HONOURS), (*ENDS, *HONOURS), 0.6),)),
    Recipe("ends", 3, (Pool(END_STARTS, ENDS, ENDS, 0.7),)),
    Recipe("suit and honours", 6, tuple(_suit(suit, HONOURS) for suit in range(3))),
    Recipe("one suit", 9, tuple(_suit(suit) for suit in range(3)), open_share=0.25),
    Recipe("triplets", 6, (_of(range(KINDS)),)),
    Recipe("ends and honours", 3, (_of((*ENDS, *HONOURS)),)),
    Recipe("only ends", 1, (_of(ENDS),)),
    Recipe("only honours", 2, (_of(HONOURS),)),
    Recipe("green", 3, (_of(GREEN, (19,), 0.5),)),
    Recipe("dragons", 4, (Pool(STARTS, (*NUMBERS, *DRAGONS), DRAGONS), Pool(STARTS, NUMBERS, (*DRAGONS, 9))), _dragons),
    Recipe("winds", 4, (Pool(STARTS, (*NUMBERS, *WINDS), WINDS, 0.4), Pool(STARTS, NUMBERS, (*WINDS, 9), 0.4)), _winds),
    Recipe("three suits", 5, fixed=_three_suits),
    Recipe("three triplets", 3, fixed=_three_triplets),
    Recipe("straight", 5, fixed=_straight),
    Recipe("twins", 4, fixed=_twins, open_share=0.2),
    Recipe("two twins", 3, fixed=_two_twins, open_share=0.1),
    Recipe("close twins", 3, fixed=_close_twins, open_share=0.1),
    Recipe("stairs", 5, fixed=_stairs, open_share=0.3),
    Recipe("quads", 4, (_all(run_share=0.15),), open_share=0.7, quads=0.9),
)
