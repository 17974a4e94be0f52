"""Search one round by standing: players of nearby ranks at a table, with as few meeting again as possible.

A greedy round first, then annealing by swaps of players of nearby ranks, then large neighbourhood search, which is
exact for a few tables at a time. Steps decide, never the clock, so one standing and seed give one round everywhere.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from tournament.seating.search.annealing_1 import WORST, Acceptance, anneal, cooling
from tournament.seating.search.schedule_rng import Rng
from tournament.seating.search.swiss_large_neighbourhood import LargeNeighbourhoodSearch, TableCosts
from tournament.seating.search.swiss_pairing import Pairing

STEPS: Final = 400  # swaps for each player of a round, up to
MOST_STEPS: Final = 16_000
WORK: Final = 400  # nodes and weighed tables for each player, up to
MOST_WORK: Final = 16_000
COOLING: Final = (58, 24)  # of 64 swaps that cost one rank, those accepted: the start is good, so it never gets hot
SLICES: Final = 20
SOFT: Final = (14, 30)  # ranks that a repeat costs in annealing, at first and at last: a wall would stop all swaps
REACH: Final = 12  # positions between two who swap, at most

Tables: TypeAlias = Sequence[Sequence[int]]
Swap: TypeAlias = tuple[int, int, list[int], list[int], int]  # two players, their new tables, the change in cost


def search_round(pairing: Pairing, ranks: Sequence[int], rng: Rng) -> list[list[int]]:
    """Return the cheapest tables of positions found: the ranks that each spans, plus the prices of its pairs."""
    order = sorted(rng.shuffled(range(len(ranks))), key=lambda at: ranks[at])  # those of equal rank shuffled
    prices = pairing.prices()
    costs = TableCosts([ranks[at] for at in order], [[prices[one][other] for other in order] for one in order])
    pinned = {order.index(at): table for at, table in pairing.pinned().items()}
    start = min(_starts(costs, pinned, pairing), key=lambda tables: sum(map(costs.of, tables)))
    swapped = swap_players(start, costs, pinned, min(MOST_STEPS, STEPS * len(order)), rng)
    kept = {at for at, table in enumerate(swapped) if any(place in pinned for place in table)}
    search = LargeNeighbourhoodSearch(swapped, costs, kept, rng)
    search.mend()
    search.improve(min(MOST_WORK, WORK * len(order)))
    search.mend()
    return [[order[place] for place in table] for table in search.tables]


def _starts(costs: TableCosts, pinned: Mapping[int, int], pairing: Pairing) -> list[Tables]:
    """Return the greedy round and the one that looks at nothing but the order."""
    blind = TableCosts(costs.ranks, [[0] * len(costs.ranks)] * len(costs.ranks))
    return [seat_greedily(each, pinned, pairing.table_size) for each in (costs, blind)]


def seat_greedily(costs: TableCosts, pinned: Mapping[int, int], size: int) -> list[list[int]]:
    """Return tables filled one by one from the top, each next seat with the cheapest, then the nearest.

    Tables that are somebody's for good come first, so that the last of them still finds mates.
    """
    rest = [place for place in range(len(costs.ranks)) if place not in pinned]
    leads = {table: sorted(place for place in pinned if pinned[place] == table) for table in pinned.values()}
    tables = [_fill(lead, rest, costs, size) for lead in sorted(leads.values())]
    while rest:
        tables.append(_fill([rest.pop(0)], rest, costs, size))
    return tables


def _fill(table: list[int], rest: list[int], costs: TableCosts, size: int) -> list[int]:
    lead = table[0]
    price = [sum(of_place) for of_place in zip(*(costs.prices[mate] for mate in table), strict=True)]
    while len(table) < size:
        place = min(rest, key=lambda place: (price[place], abs(place - lead)))
        rest.remove(place)
        table.append(place)
        price = [before + more for before, more in zip(price, costs.prices[place], strict=True)]
    return table


def swap_players(tables: Tables, costs: TableCosts, pinned: Collection[int], steps: int, rng: Rng) -> list[list[int]]:
    """Return the cheapest tables of positions seen in so many steps; the given ones if nothing is cheaper."""
    swaps = _Swaps(tables, costs, pinned, rng)
    return anneal(swaps, swaps.hardening(steps), goal=0)[0]


class _Swaps:
    """Tables of positions and their cost. A proposal counts a repeat as `soft` ranks, the cost at its whole price."""

    def __init__(self, tables: Tables, costs: TableCosts, pinned: Collection[int], rng: Rng) -> None:
        self.tables = [list(table) for table in tables]
        self.ranks, self.prices = costs.ranks, costs.prices
        self.rng = rng
        self.pinned = [at in pinned for at in range(len(self.ranks))]
        self.table_of = [0] * len(self.ranks)
        for at, table in enumerate(tables):
            for player in table:
                self.table_of[player] = at
        self.cost = sum(costs.of(table) for table in tables)
        self.cheap = min((price for row in self.prices for price in row if price), default=1)
        self.soft = 0

    def copy(self) -> list[list[int]]:
        return [list(table) for table in self.tables]

    def hardening(self, steps: int) -> Iterator[tuple[range, Acceptance]]:
        """Yield the slices of the annealing; a repeat costs more in each."""
        for at, acceptance in zip(range(SLICES), cooling(*COOLING, slices=SLICES), strict=False):
            self.soft = min(SOFT[0] + (SOFT[1] - SOFT[0]) * at // (SLICES - 1), self.cheap)
            yield range(steps // SLICES), acceptance

    def proposals(self) -> Iterator[tuple[int, int, Swap]]:
        """Yield swaps of two players of nearby ranks."""
        bits, players, ranks, prices = self.rng.bits, len(self.ranks), self.ranks, self.prices
        tables, table_of, pinned, cheap = self.tables, self.table_of, self.pinned, self.cheap
        reach = min(REACH, players - 1)
        no_swap: tuple[int, int, Swap] = (WORST, 0, (0, 0, [], [], 0))
        while True:
            drawn, one = divmod(bits(48), players)
            drawn, apart = divmod(drawn, reach)
            two = one + apart + 1
            if two >= players or table_of[one] == table_of[two] or pinned[one] or pinned[two]:
                yield no_swap
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
            yield wider + price * self.soft // cheap, drawn, (one, two, mates, others, wider + price)

    def make(self, move: Swap) -> None:
        one, two, mates, others, change = move
        table_of, tables = self.table_of, self.tables
        tables[table_of[one]], tables[table_of[two]] = mates, others
        table_of[one], table_of[two] = table_of[two], table_of[one]
        self.cost += change
