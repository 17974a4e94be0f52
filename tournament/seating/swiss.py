"""Swiss and progressive rounds: players of nearby ranks at a table, with as few meeting again as may be.

A greedy round first, swaps after it, and at last a few tables at a time anew, exactly. The same standing and seed give
the same round on every machine: steps decide, never the clock.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from tournament.seating.chance import Chance
from tournament.seating.errors import SeatingError
from tournament.seating.numbered import Numbering, finish
from tournament.seating.pairing import Pairing
from tournament.seating.regroup import Costs, Regrouper
from tournament.seating.round_report import DrawnRound
from tournament.seating.swapping import Tables, swap

STEPS: Final = 400  # swaps for each player of a round, as far as
MOST_STEPS: Final = 16_000
WORK: Final = 400  # nodes and weighed tables for each player, as far as
MOST_WORK: Final = 16_000
BLOCK: Final = 1_000_000  # ranks between two blocks: less than a forbidden pair, more than any repeats


def swiss_round(pairing: Pairing, *, seed: int, numbering: Numbering = "by_rank") -> DrawnRound:
    """Return a round of tables of nearby ranks; what it costs is in its report.

    The cost is the ranks that each table spans plus the weights of those who meet again or should be apart.
    """
    chance = Chance(seed)
    tables = _search(pairing, _shuffle_equal(pairing.ranks, chance), pairing.ranks, chance)
    return finish(pairing, tables, chance, method="swiss", numbering=numbering)


def progressive_round(pairing: Pairing, *, blocks: int, seed: int, numbering: Numbering = "by_rank") -> DrawnRound:
    """Return a round for which the standing is cut into blocks of whole tables, each shuffled, with few repeats.

    Blocks differ by one table at most, the larger ones first. Raises SeatingError if there are more than tables.
    """
    if not 1 <= blocks <= pairing.tables:
        raise SeatingError("seating.blocks_unfit", {"blocks": blocks, "tables": pairing.tables})
    chance = Chance(seed)
    each, larger = divmod(pairing.tables, blocks)
    sizes = [(each + (at < larger)) * pairing.table_size for at in range(blocks)]
    ranks = [at * BLOCK for at, size in enumerate(sizes) for _ in range(size)]
    tables = _search(pairing, _shuffle_equal(ranks, chance), ranks, chance)
    return finish(pairing, tables, chance, method="progressive", numbering=numbering)


def _shuffle_equal(ranks: Sequence[int], chance: Chance) -> list[int]:
    """Return the positions in order, those of equal rank shuffled."""
    shuffled = chance.shuffled(range(len(ranks)))
    return sorted(shuffled, key=lambda at: ranks[at])


def _search(pairing: Pairing, order: Sequence[int], ranks: Sequence[int], chance: Chance) -> list[list[int]]:
    """Return the cheapest tables of positions found; searched as places in `order`, so that near is near."""
    prices = pairing.prices()
    costs = Costs([ranks[at] for at in order], [[prices[one][other] for other in order] for one in order])
    pinned = {order.index(at): table for at, table in pairing.pinned().items()}
    start = min(_starts(costs, pinned, pairing), key=lambda tables: sum(map(costs.of, tables)))
    swapped = swap(start, costs, pinned, min(MOST_STEPS, STEPS * len(order)), chance)
    kept = {at for at, table in enumerate(swapped) if any(place in pinned for place in table)}
    regrouper = Regrouper(swapped, costs, kept, chance)
    regrouper.mend()
    regrouper.improve(min(MOST_WORK, WORK * len(order)))
    regrouper.mend()
    return [[order[place] for place in table] for table in regrouper.tables]


def _starts(costs: Costs, pinned: Mapping[int, int], pairing: Pairing) -> list[Tables]:
    """Return the greedy round and the one that looks at nothing but the order."""
    blind = Costs(costs.ranks, [[0] * len(costs.ranks)] * len(costs.ranks))
    return [seat_greedily(each, pinned, pairing.table_size) for each in (costs, blind)]


def seat_greedily(costs: Costs, pinned: Mapping[int, int], size: int) -> list[list[int]]:
    """Return tables filled one by one from the top, each next seat with the cheapest, then the nearest.

    Tables that are somebody's for good come first, so that the last of them still finds mates.
    """
    rest = [place for place in range(len(costs.ranks)) if place not in pinned]
    leads = {table: sorted(place for place in pinned if pinned[place] == table) for table in pinned.values()}
    tables = [_fill(lead, rest, costs, size) for lead in sorted(leads.values())]
    while rest:
        tables.append(_fill([rest.pop(0)], rest, costs, size))
    return tables


def _fill(table: list[int], rest: list[int], costs: Costs, size: int) -> list[int]:
    lead = table[0]
    price = [sum(of_place) for of_place in zip(*(costs.prices[mate] for mate in table), strict=True)]
    while len(table) < size:
        place = min(rest, key=lambda place: (price[place], abs(place - lead)))
        rest.remove(place)
        table.append(place)
        price = [before + more for before, more in zip(price, costs.prices[place], strict=True)]
    return table
