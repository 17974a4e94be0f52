"""Large neighbourhood search for one round: take a few tables apart and reassemble their players at the least cost.

The reassembly is exact: a set partitioning problem over all admissible tables, solved by branch and bound on bit masks.
It succeeds where hardly two may still meet and swaps of two players lead nowhere. A count of nodes limits it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

from tournament.seating.search.schedule_rng import Rng

SMALL: Final = 12  # fields up to this size are taken apart whole, with repeats priced instead of excluded
SCATTER: Final = 24  # random ranks added to the distance between tables that are taken apart together


@dataclass(frozen=True, slots=True)
class Scale:
    """The size of a neighbourhood.

    About `groups` possible tables, up to `slack` ranks wider than the widest one taken apart. The search for a
    partition has `nodes`; each branches on the hardest to seat among the first `tried` players.
    """

    groups: int
    slack: int
    nodes: int
    tried: int


FINE: Final = Scale(groups=250, slack=4, nodes=150, tried=3)
MEND: Final = Scale(groups=1200, slack=24, nodes=400, tried=20)  # for the repeats that remain
MENDS: Final = 16  # tries at mending
STIR: Final = 6  # random ranks added to each possible table in the second try at mending, twice in the third …


class Group(NamedTuple):
    """A possible table: its players as bits, and its cost."""

    cost: int
    mask: int


@dataclass(frozen=True, slots=True)
class TableCosts:
    """The cost of a table: the ranks that it spans, and the prices of its pairs."""

    ranks: Sequence[int]
    prices: Sequence[Sequence[int]]

    def spread(self, table: Sequence[int]) -> int:
        return self.ranks[max(table)] - self.ranks[min(table)]

    def priced(self, table: Sequence[int]) -> int:
        return sum(self.prices[one][other] for one, other in combinations(table, 2))

    def of(self, table: Sequence[int]) -> int:
        return self.spread(table) + self.priced(table)


class LargeNeighbourhoodSearch:
    """Tables of positions, sorted, with those that may not be taken apart."""

    def __init__(self, tables: Sequence[Sequence[int]], costs: TableCosts, kept: set[int], rng: Rng) -> None:
        self.tables = [sorted(table) for table in tables]
        self.costs = costs
        self.cost = [costs.of(table) for table in self.tables]
        self.free = [at for at in range(len(tables)) if at not in kept]
        self.rng = rng
        self.size = len(tables[0])
        self.players = len(costs.ranks)
        self.whole = self.players <= SMALL
        self.may_meet = [self._may_meet(at) for at in range(self.players)]
        self.work = 0

    def mend(self) -> None:
        """Remove repeats and other priced pairs, at any width."""
        many = self._how_many_at_once(MEND)
        for tries in range(MENDS):
            bad = [at for at in self.free if self.costs.priced(self.tables[at])]
            if not bad or len(self.free) < 2 or self.whole:
                return
            # the same tables again would give the same result: take more, or stir the order of possible tables
            weighed = self._reassemble(self._pick(bad, many), MEND, stir=STIR * tries)
            if weighed < MEND.groups:
                many = min(many + 1, len(self.free))

    def improve(self, work: int) -> None:
        """Lower the cost of the tables within an amount of work (nodes and possible tables)."""
        many, tries = self._how_many_at_once(FINE), 0
        while self.work < work and len(self.free) > 1 and any(self.cost):
            bad = [at for at in self.free if self.costs.priced(self.tables[at])] if tries % 2 == 0 else []
            self._reassemble(self._pick(bad or self.free, many), FINE)
            tries += 1
            self.work += 20
            if many == len(self.free):
                break

    def _may_meet(self, one: int) -> int:
        row = self.costs.prices[one]
        return sum(1 << at for at in range(self.players) if at != one and (self.whole or not row[at]))

    def _how_many_at_once(self, scale: Scale) -> int:
        """Return how many tables to take apart so that about `scale.groups` tables are possible."""
        if self.whole:
            return len(self.free)
        pairs = comb(self.size, 2)
        meet, every = sum(mask.bit_count() for mask in self.may_meet), self.players * (self.players - 1)
        many = 3
        while comb((many + 1) * self.size, self.size) * meet**pairs <= scale.groups * every**pairs:
            many += 1
            if many >= len(self.free):
                break
        return min(many, len(self.free))

    def _pick(self, around: Sequence[int], many: int) -> list[int]:
        """Return tables near to each other by rank, around one of the given."""
        centre = around[self.rng.below(len(around))]
        middle = self.tables[centre][0] + self.tables[centre][-1]
        scatter = min(self.players, SCATTER) // 2 + 1

        def distance(at: int) -> int:
            return abs(self.tables[at][0] + self.tables[at][-1] - middle) + self.rng.below(scatter)

        far = {at: distance(at) for at in self.free if at != centre}
        return [centre, *sorted(far, key=lambda at: (far[at], at))[: many - 1]]

    def _reassemble(self, picked: Sequence[int], scale: Scale, stir: int = 0) -> int:
        """Reassemble the players of these tables if that is cheaper; return how many tables were possible."""
        seats = sorted(player for at in picked for player in self.tables[at])
        limit = scale.slack + max(self.costs.spread(self.tables[at]) for at in picked)
        groups = self._groups(seats, self.players * max(limit, 1) if self.whole else limit)
        known = {group.mask for group in groups}
        for at in picked:
            mask = sum(1 << player for player in self.tables[at])
            if mask not in known:
                groups.append(Group(self.cost[at], mask))
        groups.sort(key=lambda group: (group.cost + (self.rng.below(stir) if stir else 0), group.mask))
        nodes = scale.nodes * 20 if self.whole else scale.nodes
        cover = _Partition(groups, seats, self.size, sum(self.cost[at] for at in picked), nodes, scale.tried)
        self.work += len(groups) // 2 + cover.nodes * 4
        for at, mask in zip(picked, cover.best, strict=False):
            self.tables[at] = [player for player in seats if mask >> player & 1]
            self.cost[at] = self.costs.of(self.tables[at])
        return len(groups)

    def _groups(self, seats: Sequence[int], limit: int) -> list[Group]:
        """Return every table of these players who may all meet, no wider than the limit."""
        found: list[Group] = []
        everybody = sum(1 << player for player in seats)
        ranks, may_meet, last = self.costs.ranks, self.may_meet, self.size - 1

        def grow(mask: int, others: int, seated: int, first: int) -> None:
            while others:
                bit = others & -others
                others ^= bit
                player = bit.bit_length() - 1
                cost = ranks[player] - first
                if cost > limit:
                    return
                if seated == last:
                    found.append(Group(cost, mask | bit))
                else:
                    grow(mask | bit, others & may_meet[player], seated + 1, first)

        for player in seats:
            grow(1 << player, everybody & may_meet[player] & -(2 << player), 1, ranks[player])
        return [self._priced(group) for group in found] if self.whole else found

    def _priced(self, group: Group) -> Group:
        table = [player for player in range(self.players) if group.mask >> player & 1]
        return Group(group.cost + self.costs.priced(table), group.mask)


class _Partition:
    """Branch and bound for groups that seat everybody once for less than a bound; `best` is empty if none do."""

    def __init__(
        self, groups: list[Group], seats: Sequence[int], size: int, bound: int, most_nodes: int, tried: int
    ) -> None:
        self.of: dict[int, list[Group]] = {1 << player: [] for player in seats}
        for group in groups:
            for bit in self._bits(group.mask):
                self.of[bit].append(group)
        self.size = size
        self.bound = bound
        self.most_nodes = most_nodes
        self.tried = tried
        self.nodes = 0
        self.best: list[int] = []
        # lower bound: each player pays at least an equal part of the cheapest table that seats them
        self.share = {bit: min(group.cost for group in among) for bit, among in self.of.items()}
        self._search(sum(1 << player for player in seats), 0, sum(self.share.values()), [], self.of)

    def _bits(self, mask: int) -> list[int]:
        bits = []
        while mask:
            bits.append(mask & -mask)
            mask &= mask - 1
        return bits

    def _search(
        self, rest: int, cost: int, shares: int, chosen: list[int], fitting: Mapping[int, Sequence[Group]]
    ) -> None:
        if not rest:
            self.bound, self.best = cost, list(chosen)
            return
        self.nodes += 1
        left_over = self._narrow(rest, fitting)
        for group in min(left_over.values(), key=len):
            if self.nodes >= self.most_nodes:
                return
            left = shares - sum(self.share[bit] for bit in self._bits(group.mask))
            if (cost + group.cost) * self.size + left < self.bound * self.size:
                chosen.append(group.mask)
                self._search(rest ^ group.mask, cost + group.cost, left, chosen, {**fitting, **left_over})
                chosen.pop()

    def _narrow(self, rest: int, fitting: Mapping[int, Sequence[Group]]) -> dict[int, list[Group]]:
        """Return the groups that still fit each of the first few of the rest, stopping at one who has none."""
        narrowed: dict[int, list[Group]] = {}
        for bit in self._bits(rest)[: self.tried]:
            narrowed[bit] = [group for group in fitting[bit] if group.mask | rest == rest]
            if not narrowed[bit]:
                break
        return narrowed
