"""Draws people onto the numbers of a schedule so that wishes about pairs come true, without moving a single seat.

Swaps two names at a time: meetings, winds and tables stay exactly as good as they were. Whole numbers only.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

from tournament.seating import heat
from tournament.seating.chance import Chance
from tournament.seating.effort import Effort
from tournament.seating.lines import Lines, tables_of
from tournament.seating.wishes import Kind, Wish

Costs: TypeAlias = Mapping[int, Mapping[int, int]]  # what it costs two related people to bear two numbers

HOT: Final = 40  # of 64: names that cost one missed pair more are taken so often at first
COLD: Final = 4


@dataclass(frozen=True, slots=True)
class Names:
    """Rounds under new names, and the weight of what they still miss."""

    lines: list[list[int]]
    cost: int


def name_players(
    lines: Lines,
    table_size: int,
    weights: Mapping[Wish, int],
    fixed: Collection[int],
    steps: int,
    chance: Chance,
    effort: Effort,
) -> Names:
    """Return the rounds with the names that miss least of the wishes, by weight; the fixed players keep theirs."""
    search = _Search(lines, table_size, weights, fixed, chance)
    temper = heat.cooling(HOT, COLD, whole=64, slices=8)
    if search.movers and search.best_cost:
        for steps_now, chances in zip(effort.slices(steps), temper, strict=False):
            search.walk(steps_now, chances)
            if not search.best_cost:
                break
    names = {number: player for player, number in enumerate(search.best)}
    return Names([[names[number] for number in line] for line in lines], search.best_cost)


class _Search:
    """Which number each player bears, and for each player the others that matter with the costs of their numbers."""

    def __init__(
        self, lines: Lines, table_size: int, weights: Mapping[Wish, int], fixed: Collection[int], chance: Chance
    ) -> None:
        self.chance = chance
        self.number = list(range(len(lines[0])))
        self.free = [player for player in self.number if player not in fixed]
        self.related: list[list[tuple[int, Costs]]] = [[] for _ in self.number]
        owed = 0
        for wish, weight in weights.items():
            costs, due = _costs_of(lines, table_size, wish, weight)
            for one, other in wish.pairs():
                self.related[one].append((other, costs))
                self.related[other].append((one, costs))
                owed += due
        self.movers = [player for player in self.free if self.related[player]]
        self.cost = owed + sum(map(self._cost, self.number)) // 2
        self.best, self.best_cost = list(self.number), self.cost

    def walk(self, steps: range, chances: heat.Chances) -> None:
        """Try so many exchanges of two names; stop when nothing is missed."""
        bits, movers, free, number = self.chance.bits, self.movers, self.free, self.number
        for _ in steps:
            drawn, at = divmod(bits(64), len(movers))
            drawn, to = divmod(drawn, len(free))
            one, two = movers[at], free[to]
            if one == two:
                continue
            before = self._cost(one) + self._cost(two)
            number[one], number[two] = number[two], number[one]
            change = self._cost(one) + self._cost(two) - before
            if change > 0 and not (change < heat.WORST and drawn % heat.ALWAYS < chances[change]):
                number[one], number[two] = number[two], number[one]
                continue
            self.cost += change
            if self.cost < self.best_cost:
                self.best, self.best_cost = list(number), self.cost
                if not self.cost:
                    return

    def _cost(self, player: int) -> int:
        at, number = self.number[player], self.number
        cost = 0
        for other, costs in self.related[player]:
            if row := costs.get(at):
                cost += row.get(number[other], 0)
        return cost


def _costs_of(lines: Lines, table_size: int, wish: Wish, weight: int) -> tuple[Costs, int]:
    """Return what every two numbers cost a pair of the wish, and what each pair owes before any number is given.

    Two who want to sit together owe all their rounds, and are refunded each round in which their numbers meet.
    """
    price = -weight if wish.kind == Kind.TOGETHER else weight
    costs: dict[int, dict[int, int]] = {}
    meant = [line for number, line in enumerate(lines, start=1) if wish.holds_in(number)]
    for table in (table for line in meant for table in tables_of(line, table_size)):
        for one, other in combinations(table, 2):
            _add(costs, one, other, price)
            _add(costs, other, one, price)
    return costs, weight * len(meant) if wish.kind == Kind.TOGETHER else 0


def _add(costs: dict[int, dict[int, int]], one: int, other: int, price: int) -> None:
    row = costs.setdefault(one, {})
    row[other] = row.get(other, 0) + price
