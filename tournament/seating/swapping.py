"""Makes one round by standing better by swapping players of nearby ranks between tables: quick, for fields of any size.

Starts from tables that are narrow already, so it never grows hot. Whole numbers only; pinned positions never move.
"""

from collections.abc import Collection, Sequence
from typing import Final

from tournament.seating import heat
from tournament.seating.chance import Chance
from tournament.seating.regroup import Costs

HOT: Final = 58  # of 64 swaps that cost one rank, those taken at first
COLD: Final = 24
SLICES: Final = 20
SOFT: Final = (14, 30)  # ranks that a repeat costs in searching, at first and at last: a wall would stop all swaps
REACH: Final = 12  # positions between two who swap, at most

Tables = Sequence[Sequence[int]]


def swap(tables: Tables, costs: Costs, pinned: Collection[int], steps: int, chance: Chance) -> list[list[int]]:
    """Return the cheapest tables of positions seen in so many steps; the given ones if nothing is cheaper."""
    search = _Search(tables, costs, pinned, chance)
    temper = heat.cooling(HOT, COLD, whole=64, slices=SLICES)
    for at, chances in zip(range(SLICES), temper, strict=False):
        if search.best_cost == 0:
            break
        soft = SOFT[0] + (SOFT[1] - SOFT[0]) * at // (SLICES - 1)
        search.walk(steps // SLICES, chances, soft)
    return search.best


class _Search:
    def __init__(self, tables: Tables, costs: Costs, pinned: Collection[int], chance: Chance) -> None:
        self.tables = [list(table) for table in tables]
        self.ranks, self.prices = costs.ranks, costs.prices
        self.chance = chance
        self.pinned = [at in pinned for at in range(len(self.ranks))]
        self.table_of = [0] * len(self.ranks)
        for at, table in enumerate(tables):
            for player in table:
                self.table_of[player] = at
        self.cost = sum(costs.of(table) for table in tables)
        self.best_cost = self.cost
        self.best = [list(table) for table in tables]
        self.cheap = min((price for row in self.prices for price in row if price), default=1)

    def walk(self, steps: int, chances: heat.Chances, soft: int) -> None:
        """Try so many swaps; a repeat counts `soft` ranks for taking a swap, and its whole price for the best."""
        bits, players, ranks, prices = self.chance.bits, len(self.ranks), self.ranks, self.prices
        tables, table_of, pinned, cheap = self.tables, self.table_of, self.pinned, self.cheap
        soft = min(soft, cheap)
        reach = min(REACH, players - 1)
        for _ in range(steps):
            drawn, one = divmod(bits(48), players)
            drawn, apart = divmod(drawn, reach)
            two = one + apart + 1
            if two >= players or table_of[one] == table_of[two] or pinned[one] or pinned[two]:
                continue
            left, right = tables[table_of[one]], tables[table_of[two]]
            of_one, of_two = prices[one], prices[two]
            mates = [mate for mate in left if mate != one]
            others = [mate for mate in right if mate != two]
            price = 0
            for mate in mates:
                price += of_two[mate] - of_one[mate]
            for mate in others:
                price += of_one[mate] - of_two[mate]
            mates.append(two)
            others.append(one)
            wider = ranks[max(mates)] - ranks[min(mates)] + ranks[max(others)] - ranks[min(others)]
            wider -= ranks[max(left)] - ranks[min(left)] + ranks[max(right)] - ranks[min(right)]
            change = wider + price * soft // cheap
            if change <= 0 or (change < heat.WORST and drawn % heat.ALWAYS < chances[change]):
                tables[table_of[one]], tables[table_of[two]] = mates, others
                table_of[one], table_of[two] = table_of[two], table_of[one]
                self.cost += wider + price
                if self.cost < self.best_cost:
                    self.best_cost = self.cost
                    self.best = [list(table) for table in tables]
