"""Looks for jumps of classes: nobody meets twice or comes to a table twice, and strangers share many opponents.

By symmetry it is enough to look at one member of each class. Threshold accepting, in whole numbers. Work for a workshop
(restock.py): what is in the stock was found by a compiled copy of this.
"""

from collections import Counter
from itertools import combinations, product
from typing import Final

from tournament.seating.chance import Chance
from tournament.seating.effort import Effort
from tournament.seating.field import Field
from tournament.seating.stock import Jumps

AGAIN: Final = 200  # the cost of one difference that comes again: of a pair of classes, or of a class and the tables
SLACK: Final = 24  # how much worse a step may be at first


def find_jumps(wish: Field, shared: int, steps: int, chance: Chance, effort: Effort) -> Jumps | None:
    """Return the best jumps found, or None if none do without repeats; `shared` opponents are wished for strangers."""
    search = _Search(wish, shared, chance)
    left = steps
    for steps_now in effort.slices(steps):
        left -= len(steps_now)
        if search.walk(steps_now, 1 + SLACK * left // steps):
            break
    if search.best_cost >= AGAIN:
        return None
    return Jumps(wish.table_size, wish.players, tuple(map(tuple, search.best)))


class _Search:
    """The jumps of each class by round, and what they cost."""

    def __init__(self, wish: Field, shared: int, chance: Chance) -> None:
        self.tables, self.shared, self.chance = wish.tables, shared, chance
        self.jumps = [[chance.below(wish.tables) for _ in range(wish.rounds)] for _ in range(wish.table_size)]
        self.cost = self._count()
        self._keep()

    def walk(self, steps: range, slack: int) -> bool:
        """Try so many other jumps of one class in one round, each taken if it costs less than `slack` more.

        Returns whether nothing is left to wish for.
        """
        for _ in steps:
            jumps = self.jumps[self.chance.below(len(self.jumps))]
            at = self.chance.below(len(jumps))
            before, jumps[at] = jumps[at], self.chance.below(self.tables)
            cost = self._count()
            if cost >= self.cost + slack:
                jumps[at] = before
                continue
            self.cost = cost
            if cost < self.best_cost:
                self._keep()
                if not cost:
                    return True
        return False

    def _count(self) -> int:
        """Return the cost: differences that come again, and by how much strangers share too few opponents, squared."""
        tables, jumps = self.tables, self.jumps
        steps = {
            (one, other): [(mine - theirs) % tables for mine, theirs in zip(jumps[one], jumps[other], strict=True)]
            for one, other in product(range(len(jumps)), repeat=2)
        }
        rounds = len(jumps[0])
        again = sum(rounds - len(set(of_class)) for of_class in jumps)
        again += sum(rounds - len(set(steps[pair])) for pair in combinations(range(len(jumps)), 2))
        return AGAIN * again + sum(self._too_few(steps, one, other) for one, other in steps if one <= other)

    def _too_few(self, steps: dict[tuple[int, int], list[int]], one: int, other: int) -> int:
        ways: Counter[int] = Counter()
        for via in range(len(self.jumps)):
            if via not in {one, other}:
                ways.update((there + on) % self.tables for there in steps[one, via] for on in steps[via, other])
        met = {0} if one == other else set(steps[one, other])
        short = (self.shared - ways[apart] for apart in range(self.tables) if apart not in met)
        return sum(missing * missing for missing in short if missing > 0)

    def _keep(self) -> None:
        self.best = [list(of_class) for of_class in self.jumps]
        self.best_cost = self.cost
