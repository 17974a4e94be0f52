"""Makes rounds fit: swaps two players of one round at a time, by what every pair costs in that round.

Knows tables of several sizes, people who rest, meetings of rounds already played, and people who never move. Costs are
whole numbers and kept up to date swap by swap; what they stand for is `fitting`'s business.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, combinations
from typing import Final, TypeAlias

from tournament.seating import heat
from tournament.seating.chance import Chance
from tournament.seating.effort import SLICE, Effort
from tournament.seating.lines import Line, Lines

Prices: TypeAlias = Sequence[Sequence[int]]  # what it costs that two players sit together, by both numbers

UNIT: Final = 4  # what one repeat costs as a rule: other wishes can then weigh more and less
HOT: Final = 34  # of 64: a swap that costs one repeat is taken with chance (34/64)**4 at first
COLD: Final = 20


@dataclass(frozen=True, slots=True)
class Shape:
    """How a round is seated: seats of each table (0 for one that stays empty), then how many rest.

    >>> Shape((4, 3, 4), table_size=4, rests=1).players
    12
    """

    sizes: tuple[int, ...]
    table_size: int
    rests: int = 0

    @property
    def players(self) -> int:
        return sum(self.sizes) + self.rests

    @property
    def is_even(self) -> bool:
        """Whether every table is full and nobody rests."""
        return not self.rests and all(size in {0, self.table_size} for size in self.sizes)

    def tables_of(self, line: Line) -> list[list[int]]:
        """Return the players of each table; those who rest are left out."""
        ends = list(accumulate(self.sizes))
        return [list(line[end - size : end]) for size, end in zip(self.sizes, ends, strict=True)]

    def aside(self, line: Line) -> list[int]:
        """Return those who rest or sit at a table of another size."""
        others = [player for table in self.tables_of(line) if len(table) != self.table_size for player in table]
        return [*others, *self.resting(line)]

    def resting(self, line: Line) -> list[int]:
        return list(line[self.players - self.rests :])


@dataclass(frozen=True, slots=True)
class Costs:
    """What is to be paid for: a repeat, sitting at a table of another size (or resting) once more, two in a round.

    `prices` holds for each round a price of each pair or None. `thrice`: whether a third meeting costs extra. `turn` is
    paid n(n - 1)/2 times by a player who rests or has another table n times. `visit` likewise for n times at one table.
    """

    repeat: int = UNIT
    turn: int = UNIT
    visit: int = 0
    thrice: bool = True
    prices: Sequence[Prices | None] = ()


@dataclass(frozen=True, slots=True)
class Past:
    """What the rounds already played have left: meetings of pairs, turns and table visits of players."""

    met: dict[tuple[int, int], int] = field(default_factory=dict)
    turns: dict[int, int] = field(default_factory=dict)
    visits: dict[tuple[int, int], int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Suit:
    """A task: the rounds to begin with, their shape, the costs, the past, who never moves, the cost that is enough."""

    lines: Lines
    shape: Shape
    costs: Costs
    past: Past = field(default_factory=Past)
    pinned: Collection[int] = ()
    goal: int = 0


def tailor(suit: Suit, steps: int, chance: Chance, effort: Effort) -> list[list[int]]:
    """Return the cheapest rounds found within the steps, stopping at the goal; the given lines are left as they are."""
    search = _Search(suit, chance)
    temper = heat.cooling(HOT, COLD, whole=64, slices=max(1, min(24, steps // SLICE)))
    if search.best_cost > suit.goal:
        for steps_now, chances in zip(effort.slices(steps), temper, strict=False):
            search.walk(steps_now, chances)
            if search.best_cost <= suit.goal:
                break
    return search.best


def cost_of(suit: Suit) -> int:
    """Return what the rounds of a suit cost as they are."""
    return _Search(suit, Chance(0)).cost


class _Search:
    """Rounds as lines with the prices of the next meeting (`more`) and the refund of the last (`less`) of each pair."""

    def __init__(self, suit: Suit, chance: Chance) -> None:
        self.suit, self.chance = suit, chance
        self.lines = [list(line) for line in suit.lines]
        players, shape = suit.shape.players, suit.shape
        ends = list(accumulate(shape.sizes))
        self.begins = [*(end - size for end, size in zip(ends, shape.sizes, strict=True)), 0]
        self.ends = [*ends, 0]  # the last table is that of those who rest: nobody meets there
        self.real = [*(1 for _ in shape.sizes), 0]
        self.special = [*(size != shape.table_size for size in shape.sizes), True]
        self.table_of = [at for at, size in enumerate((*shape.sizes, shape.rests)) for _ in range(size)]
        self.uneven = not shape.is_even
        self.prices = list(suit.costs.prices) or [None] * len(self.lines)
        self.next = self._price_of_next(len(self.lines) + max(suit.past.met.values(), default=0) + 2)
        self.met = [[0] * players for _ in range(players)]
        self.more = [[0] * players for _ in range(players)]
        self.less = [[0] * players for _ in range(players)]
        self.turns = [suit.past.turns.get(player, 0) for player in range(players)]
        self.visits = [[0] * len(self.begins) for _ in range(players if suit.costs.visit else 0)]
        self.cost = self._begin()
        self.best, self.best_cost = [list(line) for line in self.lines], self.cost

    def _price_of_next(self, most: int) -> list[int]:
        """Return the price of a meeting after 0, 1, 2 … others; the entry before the first, at -1, is 0."""
        extra = 1 if self.suit.costs.thrice else 0
        return [self.suit.costs.repeat * (before + (extra if before > 1 else 0)) for before in range(most)] + [0]

    def _begin(self) -> int:
        """Count the past for nothing, then every line at its price."""
        for (one, other), times in self.suit.past.met.items():
            self._meet(one, other, times)
        for (player, table), times in self.suit.past.visits.items() if self.suit.costs.visit else ():
            self.visits[player][table] += times
        return sum(self._seat(line, prices) for line, prices in zip(self.lines, self.prices, strict=True))

    def _seat(self, line: Sequence[int], prices: Prices | None) -> int:
        cost = 0
        for begin, end in zip(self.begins, self.ends, strict=True):
            for one, other in combinations(line[begin:end], 2):
                cost += self.more[one][other] + (prices[one][other] if prices else 0)
                self._meet(one, other, 1)
        for player, table in zip(line, self.table_of, strict=True):
            if self.special[table]:
                cost += self.suit.costs.turn * self.turns[player]
                self.turns[player] += 1
            if self.visits:
                cost += self.suit.costs.visit * self.visits[player][table]
                self.visits[player][table] += 1
        return cost

    def walk(self, steps: range, chances: heat.Chances) -> None:
        """Try so many swaps, and keep the cheapest rounds ever seen; stop at the goal."""
        bits, more, less, lines, pinned = self.chance.bits, self.more, self.less, self.lines, set(self.suit.pinned)
        rounds, width, table_of, begins, ends = len(lines), len(self.table_of), self.table_of, self.begins, self.ends
        real, all_prices, plain = self.real, self.prices, not (self.uneven or self.visits)
        for _ in steps:
            drawn, which = divmod(bits(64), rounds)
            drawn, place = divmod(drawn, width)
            drawn, other_place = divmod(drawn, width)
            left, right = table_of[place], table_of[other_place]
            if left == right:
                continue
            line = lines[which]
            one, two = line[place], line[other_place]
            if one in pinned or two in pinned:
                continue
            more_one, more_two, less_one, less_two = more[one], more[two], less[one], less[two]
            change = -(real[left] + real[right]) * more_one[two]
            mates, others = line[begins[left] : ends[left]], line[begins[right] : ends[right]]
            for mate in mates:
                change += more_two[mate] - less_one[mate]
            for mate in others:
                change += more_one[mate] - less_two[mate]
            if prices := all_prices[which]:
                change += self._wished(prices, one, two, mates, others)
            if not plain:
                change += self._moved(one, two, left, right)
            if change <= 0 or (change < heat.WORST and drawn % heat.ALWAYS < chances[change]):
                self._swap(line, place, other_place)
                self.cost += change
                if self.cost < self.best_cost and self._keep():
                    return

    def _wished(self, prices: Prices, one: int, two: int, mates: Sequence[int], others: Sequence[int]) -> int:
        of_one, of_two = prices[one], prices[two]
        change = 0
        for mate in mates:
            change += of_two[mate] - of_one[mate]
        for mate in others:
            change += of_one[mate] - of_two[mate]
        return change - of_one[two] * (bool(mates) + bool(others))

    def _moved(self, one: int, two: int, left: int, right: int) -> int:
        """Return what turns and table visits cost more when two players change tables."""
        change = 0
        if self.special[left] != self.special[right]:
            leaver, joiner = (one, two) if self.special[left] else (two, one)
            change += self.suit.costs.turn * (self.turns[joiner] - self.turns[leaver] + 1)
        if self.visits:
            of_one, of_two = self.visits[one], self.visits[two]
            change += self.suit.costs.visit * (of_one[right] - of_one[left] + of_two[left] - of_two[right] + 2)
        return change

    def _keep(self) -> bool:
        self.best = [list(line) for line in self.lines]
        self.best_cost = self.cost
        return self.cost <= self.suit.goal

    def _swap(self, line: list[int], place: int, other_place: int) -> None:
        one, two = line[place], line[other_place]
        for leaver, joiner, at, to in ((one, two, place, other_place), (two, one, other_place, place)):
            table, target = self.table_of[at], self.table_of[to]
            for mate in line[self.begins[table] : self.ends[table]]:
                if mate != leaver:
                    self._meet(leaver, mate, -1)
                    self._meet(joiner, mate, 1)
            if self.special[table] != self.special[target]:
                self.turns[leaver] += 1 if self.special[target] else -1
            if self.visits:
                self.visits[leaver][table] -= 1
                self.visits[leaver][target] += 1
        line[place], line[other_place] = two, one

    def _meet(self, one: int, other: int, times: int) -> None:
        now = self.met[one][other] + times
        self.met[one][other] = self.met[other][one] = now
        self.more[one][other] = self.more[other][one] = self.next[now]
        self.less[one][other] = self.less[other][one] = self.next[now - 1]
