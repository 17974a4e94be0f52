"""Rounds by standing: Swiss, progressive, interval, snake, in order of rank, by lot.

Each format takes a Pairing and a seed and returns the tables. Interval, snake, ranked and lot set the tables by format
and ignore wishes; `swiss.count_round` says what they miss.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Final, Literal, TypeAlias

from scoring.problems import ProblemType
from tournament.seating.search.quality import count_visits, count_winds
from tournament.seating.search.schedule import Rng, Round, SeatingError, Table, tables_of
from tournament.seating.search.swiss import Pairing, search_round

SEATING_BLOCKS_UNFIT = ProblemType(
    "seating.blocks_unfit", "{tables} tables cannot be cut into {blocks} blocks: ask for 1 to {tables}."
)
SEATING_INTERVAL_UNFIT = ProblemType(
    "seating.interval_unfit", "An interval of {step} ranks does not fit {tables} tables: ask for 1 to {tables}."
)

Numbering: TypeAlias = Literal["by_rank", "spread"]
Counts: TypeAlias = Mapping[tuple[int, int], int]

BLOCK: Final = 1_000_000  # ranks between two blocks: less than a forbidden pair, more than any repeats


def swiss_round(pairing: Pairing, *, seed: int, numbering: Numbering = "by_rank") -> Round:
    """Return a round of tables of nearby ranks.

    The cost is the ranks that each table spans plus the weights of those who meet again or should be apart.
    """
    rng = Rng(seed)
    return finish(pairing, search_round(pairing, pairing.ranks, rng), rng, numbering)


def progressive_round(pairing: Pairing, *, blocks: int, seed: int, numbering: Numbering = "by_rank") -> Round:
    """Return a round for which the standing is cut into blocks of whole tables, each shuffled, with few repeats.

    Blocks differ by one table at most, the larger ones first. Raises SeatingError if there are more than tables.
    """
    if not 1 <= blocks <= pairing.tables:
        raise SeatingError(SEATING_BLOCKS_UNFIT(blocks=blocks, tables=pairing.tables))
    rng = Rng(seed)
    each, larger = divmod(pairing.tables, blocks)
    sizes = [(each + (at < larger)) * pairing.table_size for at in range(blocks)]
    ranks = [at * BLOCK for at, size in enumerate(sizes) for _ in range(size)]
    return finish(pairing, search_round(pairing, ranks, rng), rng, numbering)


def snake_round(pairing: Pairing, *, seed: int) -> Round:
    """Return tables of one from each tier: with four tables 1-8-9-16, 2-7-10-15, 3-6-11-14 and 4-5-12-13."""
    tables, size = pairing.tables, pairing.table_size
    rows = [range(at * tables, (at + 1) * tables) for at in range(size)]
    turned = [list(row)[:: -1 if at % 2 else 1] for at, row in enumerate(rows)]
    return finish(pairing, list(zip(*turned, strict=True)), Rng(seed))


def ranked_round(pairing: Pairing, *, seed: int) -> Round:
    """Return tables in order of rank: 1-2-3-4, 5-6-7-8 …"""
    return finish(pairing, tables_of(range(len(pairing.order)), pairing.table_size), Rng(seed))


def interval_round(pairing: Pairing, *, step: int, seed: int, numbering: Numbering = "by_rank") -> Round:
    """Return tables of ranks `step` apart: with 5 and tables of four 1-6-11-16, 2-7-12-17 … and from 21 on the same.

    The tables left over at the end, fewer than `step`, are as far apart as they are many. Raises SeatingError if
    the step is not 1 to the number of tables; 1 gives 1-2-3-4, the number of tables spreads everybody evenly.
    """
    if not 1 <= step <= pairing.tables:
        raise SeatingError(SEATING_INTERVAL_UNFIT(step=step, tables=pairing.tables))
    size, tables = pairing.table_size, list[list[int]]()
    for begun in range(0, pairing.tables, step):
        apart = min(step, pairing.tables - begun)
        first = begun * size
        tables += [[first + at + apart * seat for seat in range(size)] for at in range(apart)]
    return finish(pairing, tables, Rng(seed), numbering)


def lot_round(pairing: Pairing, *, seed: int) -> Round:
    """Return tables by lot."""
    rng = Rng(seed)
    return finish(pairing, tables_of(rng.shuffled(range(len(pairing.order))), pairing.table_size), rng)


def finish(pairing: Pairing, tables: Sequence[Sequence[int]], rng: Rng, numbering: Numbering = "by_rank") -> Round:
    """Return tables of positions as a round of players with table numbers and winds."""
    players = pairing.players
    seated = [[players[at] for at in table] for table in sorted(map(sorted, tables))]
    if numbering == "spread":
        seated = _spread(seated, pairing, rng)
    winds = count_winds(pairing.played)
    return tuple(_seat(table, winds, rng) for table in _keep_fixed(seated, pairing))


def _seat(table: Sequence[int], winds: Counts, rng: Rng) -> Table:
    """Return the players in the seat order that evens their winds best; equal ones by lot."""
    fewest = {player: min(winds.get((player, seat), 0) for seat in range(len(table))) for player in table}

    def cost(order: Iterable[int]) -> int:
        # the order with the smaller worst excess wins: no table has eight seats to outweigh it
        return sum(8 ** (winds.get((player, seat), 0) - fewest[player]) for seat, player in enumerate(order))

    orders = rng.shuffled(list(permutations(table)))
    return tuple(min(orders, key=cost))


def _keep_fixed(tables: Sequence[Sequence[int]], pairing: Pairing) -> list[Sequence[int]]:
    """Return the tables with those of players with a fixed table at its number, the others in their order.

    Where two at one table are fixed to different ones, the better placed decides.
    """
    held: dict[int, Sequence[int]] = {}
    others: list[Sequence[int]] = []
    for table in tables:
        wanted = [pairing.fixed[player] for player in table if player in pairing.fixed]
        free = [number for number in wanted if number not in held]
        if free:
            held[free[0]] = table
        else:
            others.append(table)
    rest = iter(others)
    return [held[number] if number in held else next(rest) for number in range(len(tables))]


def _spread(tables: list[list[int]], pairing: Pairing, rng: Rng) -> list[list[int]]:
    """Return the tables in an order that brings players to numbers they have had least: a descent by exchanges."""
    # the last round counts twice, against staying
    visits = count_visits(pairing.played) + count_visits(pairing.played[-1:])
    order = rng.shuffled(tables)
    cost = [[sum(visits[who, at] ** 2 for who in table) for at in range(len(order))] for table in order]
    moved = True
    while moved:
        moved = False
        for one in range(len(order)):
            for two in range(one):
                if cost[one][two] + cost[two][one] < cost[one][one] + cost[two][two]:
                    order[one], order[two] = order[two], order[one]
                    cost[one], cost[two] = cost[two], cost[one]
                    moved = True
    return order
