"""The one simulated annealing loop. Each search of this package is a set of moves that this loop walks.

Whole numbers only: an exponential from a library may differ in its last bit between machines, and so would a draw.
"""

from collections.abc import Iterable, Iterator
from itertools import cycle
from typing import Final, Protocol, TypeAlias, TypeVar

BITS: Final = 16
ALWAYS: Final = 1 << BITS
WORST: Final = 64  # a move that costs this much or more is never accepted

Acceptance: TypeAlias = tuple[int, ...]  # by cost 0..WORST-1: how many of ALWAYS random numbers accept such a move
Slices: TypeAlias = Iterable[tuple[range, Acceptance]]  # steps to take, and the acceptance during them

State_co = TypeVar("State_co", covariant=True)
Move = TypeVar("Move")


class Moves(Protocol[State_co, Move]):
    """A state with its cost, and the moves that change it."""

    cost: int

    def proposals(self) -> Iterator[tuple[int, int, Move]]:
        """Yield random moves without end: change in cost, a random number, the move. Change nothing.

        The number decides on acceptance; it is what the choice of the move left of one draw of random bits. A choice
        that is no legal move has the change WORST. This is a generator because the loop spends its time here: local
        variables and the suspended frame cost a tenth of what a method call a step costs.
        """

    def make(self, move: Move) -> None:
        """Apply the proposed move, and update `cost`."""

    def copy(self) -> State_co:
        """Return a copy of the state."""


def anneal(moves: Moves[State_co, Move], slices: Slices, goal: int) -> tuple[State_co, int]:
    """Return the cheapest state seen and its cost; stop as soon as a cost reaches the goal."""
    best, best_cost = moves.copy(), moves.cost
    if best_cost <= goal:
        return best, best_cost
    proposals, make = moves.proposals(), moves.make
    for steps, acceptance in slices:
        for _, (change, throw, move) in zip(steps, proposals, strict=False):
            if change <= 0 or (change < WORST and throw % ALWAYS < acceptance[change]):
                make(move)
                if moves.cost < best_cost:
                    best, best_cost = moves.copy(), moves.cost
                    if best_cost <= goal:
                        return best, best_cost
    return best, best_cost


def metropolis(part: int, whole: int) -> Acceptance:
    """Return the acceptance at one temperature: a move that costs n more is accepted with chance (part/whole)**n.

    >>> metropolis(1, 4)[:3]
    (65536, 16384, 4096)
    """
    return tuple(ALWAYS * part**cost // whole**cost for cost in range(WORST))


def cooling(hot: int, cold: int, *, slices: int, whole: int = 64) -> Iterator[Acceptance]:
    """Yield without end the acceptance of one slice of steps after another: from hot evenly to cold, then hot again."""
    falling = [hot + (cold - hot) * at // max(slices - 1, 1) for at in range(slices)]
    return cycle([metropolis(part, whole) for part in falling])


def threshold(slack: int) -> Acceptance:
    """Return the acceptance of threshold accepting: every move that costs less than `slack` more.

    >>> threshold(2)[:3]
    (65536, 65536, 0)
    """
    return tuple(ALWAYS if cost < slack else 0 for cost in range(WORST))
