"""Rounds by standing: Swiss, progressive, interval, snake, in order of rank, by lot; and the cut before finals.

Each format takes a Pairing and a seed and returns a DrawnRound whose report was counted again. Interval, snake, ranked
and lot set the tables by format and ignore wishes; the report says what they miss.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final, Literal, TypeAlias

from scoring.problems import ProblemType
from tournament.seating.search.schedule import Rng, SeatingError, Table
from tournament.seating.search.swiss import DrawnRound, Pairing, Ranked, count_round, search_round

SEATING_BLOCKS_UNFIT = ProblemType(
    "seating.blocks_unfit", "{tables} tables cannot be cut into {blocks} blocks: ask for 1 to {tables}."
)
SEATING_INTERVAL_UNFIT = ProblemType(
    "seating.interval_unfit", "An interval of {step} ranks does not fit {tables} tables: ask for 1 to {tables}."
)
SEATING_CUT_UNFIT = ProblemType(
    "seating.cut_unfit", "A cut to {top} of {players} players leaves nobody or everybody: ask for 1 to {most}."
)
SEATING_FINAL_TOO_MANY = ProblemType(
    "seating.final_too_many", "{players} players are too many to compare every final: at most {most}."
)

Carry: TypeAlias = Literal["whole", "halved", "cleared"]
Others: TypeAlias = Literal["play_on", "stop"]
Numbering: TypeAlias = Literal["by_rank", "spread"]
Counts: TypeAlias = Mapping[tuple[int, int], int]
Tables: TypeAlias = list[list[int]]

BLOCK: Final = 1_000_000  # ranks between two blocks: less than a forbidden pair, more than any repeats
MOST_WEIGHED: Final = 16  # players for whom every partition into tables is weighed


def swiss_round(pairing: Pairing, *, seed: int, numbering: Numbering = "by_rank") -> DrawnRound:
    """Return a round of tables of nearby ranks; what it costs is in its report.

    The cost is the ranks that each table spans plus the weights of those who meet again or should be apart.
    """
    rng = Rng(seed)
    return finish(pairing, search_round(pairing, pairing.ranks, rng), rng, method="swiss", numbering=numbering)


def progressive_round(pairing: Pairing, *, blocks: int, seed: int, numbering: Numbering = "by_rank") -> DrawnRound:
    """Return a round for which the standing is cut into blocks of whole tables, each shuffled, with few repeats.

    Blocks differ by one table at most, the larger ones first. Raises SeatingError if there are more than tables.
    """
    if not 1 <= blocks <= pairing.tables:
        raise SeatingError(SEATING_BLOCKS_UNFIT(blocks=blocks, tables=pairing.tables))
    rng = Rng(seed)
    each, larger = divmod(pairing.tables, blocks)
    sizes = [(each + (at < larger)) * pairing.table_size for at in range(blocks)]
    ranks = [at * BLOCK for at, size in enumerate(sizes) for _ in range(size)]
    return finish(pairing, search_round(pairing, ranks, rng), rng, method="progressive", numbering=numbering)


def snake_round(pairing: Pairing, *, seed: int, equal_seeds: bool = False) -> DrawnRound:
    """Return tables of one from each tier: with four tables 1-8-9-16, 2-7-10-15, 3-6-11-14 and 4-5-12-13.

    With `equal_seeds`, the players of a tier (as many as there are tables) change places for the fewest repeats, if
    that saves any. Raises SeatingError for that with more than 16 players.
    """
    tables, size = pairing.tables, pairing.table_size
    rows = [range(at * tables, (at + 1) * tables) for at in range(size)]
    turned = [list(row)[:: -1 if at % 2 else 1] for at, row in enumerate(rows)]
    snake = [list(table) for table in zip(*turned, strict=True)]
    rng = Rng(seed)
    if equal_seeds:
        snake = _weigh_all(pairing, snake, lambda at: at // tables)
    return finish(pairing, snake, rng, method="snake", numbering="by_rank", searched=equal_seeds)


def ranked_round(pairing: Pairing, *, seed: int) -> DrawnRound:
    """Return tables in order of rank: 1-2-3-4, 5-6-7-8 …"""
    tables = _in_fours(list(range(len(pairing.order))), pairing.table_size)
    return finish(pairing, tables, Rng(seed), method="ranked", numbering="by_rank", searched=False)


def interval_round(pairing: Pairing, *, step: int, seed: int, numbering: Numbering = "by_rank") -> DrawnRound:
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
    return finish(pairing, tables, Rng(seed), method="interval", numbering=numbering, searched=False)


def lot_round(pairing: Pairing, *, seed: int, weighed: bool = False) -> DrawnRound:
    """Return tables by lot; `weighed`: of all partitions one with the fewest repeats (at most 16 players)."""
    rng = Rng(seed)
    tables = _in_fours(rng.shuffled(range(len(pairing.order))), pairing.table_size)
    if weighed:
        tables = _weigh_all(pairing, tables, _one_tier)
    return finish(pairing, tables, rng, method="lot", numbering="by_rank", searched=weighed)


def finish(
    pairing: Pairing,
    tables: Sequence[Sequence[int]],
    rng: Rng,
    *,
    method: str,
    numbering: Numbering,
    searched: bool = True,
) -> DrawnRound:
    """Return tables of positions as a round of players with table numbers, winds and its report.

    `searched` is False for formats that set the tables by rank alone and ignore wishes.
    """
    players = pairing.players
    seated = [[players[at] for at in table] for table in sorted(map(sorted, tables))]
    if numbering == "spread":
        seated = _spread(seated, pairing, rng)
    winds = count_winds(pairing)
    drawn = tuple(_seat(table, winds, rng) for table in _keep_fixed(seated, pairing))
    return DrawnRound(drawn, count_round(drawn, pairing, method=method, searched=searched))


def count_winds(pairing: Pairing) -> Counter[tuple[int, int]]:
    """Return how often each player has had each seat; seats beyond the table size count as no wind."""
    return Counter(
        (player, seat)
        for tables in pairing.played
        for table in tables
        for seat, player in enumerate(table[: pairing.table_size])
    )


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
    visits = _count_visits(pairing)
    order = rng.shuffled(tables)
    cost = [[_visited(table, number, visits) for number in range(len(order))] for table in order]
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


def _count_visits(pairing: Pairing) -> Counter[tuple[int, int]]:
    """Return the visits of each player to each number; the last round counts twice, against staying."""
    visits = Counter(
        (player, number) for tables in pairing.played for number, table in enumerate(tables) for player in table
    )
    for tables in pairing.played[-1:]:
        visits.update((player, number) for number, table in enumerate(tables) for player in table)
    return visits


def _visited(table: Sequence[int], number: int, visits: Counts) -> int:
    return sum(visits.get((player, number), 0) ** 2 for player in table)


def _one_tier(_: int) -> int:
    return 0


def _in_fours(order: Sequence[int], size: int) -> Tables:
    return [list(order[at : at + size]) for at in range(0, len(order), size)]


def _weigh_all(pairing: Pairing, tables: Tables, tier_of: Callable[[int], int]) -> Tables:
    """Return the cheapest tables with the same tiers at each, the given ones unless others are cheaper."""
    if len(pairing.order) > MOST_WEIGHED:
        raise SeatingError(SEATING_FINAL_TOO_MANY(players=len(pairing.order), most=MOST_WEIGHED))
    return _Weighing(pairing.prices(), tables, tier_of).best


class _Weighing:
    """Branch and bound over all partitions of the players into tables."""

    def __init__(self, prices: list[list[int]], tables: Tables, tier_of: Callable[[int], int]) -> None:
        self.prices = prices
        self.tiers = [[tier_of(at) for at in table] for table in tables]
        self.tier_of = tier_of
        self.best = tables
        self.cost = sum(
            prices[one][other] for table in tables for place, one in enumerate(table) for other in table[:place]
        )
        pairs = len(tables[0]) * (len(tables[0]) - 1) // 2
        self.least = pairs * min(price for one, row in enumerate(prices) for price in row[:one])
        self.turn = {at: turn for turn, at in enumerate(at for table in tables for at in table)}
        # in the order of the given tables, so that among equal ones the nearest to them is found first
        self._fill([], [], [at for table in tables for at in table], 0)

    def _fill(self, done: Tables, table: list[int], rest: list[int], cost: int) -> None:
        to_come = (len(rest) // len(self.tiers[0])) * self.least
        if cost + to_come >= self.cost:
            return
        if len(table) == len(self.tiers[0]):
            done, table = [*done, table], []
        if not rest:
            self.best, self.cost = done, cost
            return
        for at in self._next(rest, self.tiers[len(done)][len(table)], table):
            price = sum(self.prices[at][mate] for mate in table)
            self._fill(done, [*table, at], [other for other in rest if other != at], cost + price)

    def _next(self, rest: list[int], tier: int, table: list[int]) -> list[int]:
        """Return who may take the next seat: those of its tier, each set of people in one order only.

        A table's first seat goes to the first one left of the tier, as tables have no order among themselves.
        """
        among = [at for at in rest if self.tier_of(at) == tier]
        if not table:
            return among[:1]
        before = table[-1]
        return [at for at in among if self.tier_of(before) != tier or self.turn[at] > self.turn[before]]


@dataclass(frozen=True, slots=True)
class Carried:
    """A player after the cut and the points to start from; `half_lost` if halving an odd total lost half a point."""

    player: int
    points: int
    half_lost: bool = False


@dataclass(frozen=True, slots=True)
class Cut:
    """Who goes on and with what, who plays on below, and who stops; each best first.

    `tied_out` are those who share the rank of the last one through but are out.
    """

    through: tuple[Carried, ...]
    below: tuple[Carried, ...]
    stopped: tuple[int, ...]
    tied_out: tuple[int, ...]


def cut(
    order: Sequence[Ranked], points: Mapping[int, int], *, top: int, carry: Carry = "whole", others: Others = "stop"
) -> Cut:
    """Cut the standing to the first `top`, who carry their points whole, halved or cleared.

    Half of an odd total is rounded down, below zero too (-15,001 becomes -7,501): nobody gains by it and no two change
    places. Those below who play on keep their points whole. Raises SeatingError unless 1 <= top < players.

    >>> cut([Ranked(4, 1), Ranked(2, 2)], {4: 15001, 2: -15001}, top=1, carry="halved").through
    (Carried(player=4, points=7500, half_lost=True),)
    """
    if not 1 <= top < len(order):
        raise SeatingError(SEATING_CUT_UNFIT(top=top, players=len(order), most=len(order) - 1))
    last = order[top - 1].rank
    rest = [each.player for each in order[top:]]
    return Cut(
        through=tuple(_carry(each.player, points[each.player], carry) for each in order[:top]),
        below=tuple(Carried(player, points[player]) for player in rest) if others == "play_on" else (),
        stopped=tuple(rest) if others == "stop" else (),
        tied_out=tuple(each.player for each in order[top:] if each.rank == last),
    )


def _carry(player: int, points: int, carry: Carry) -> Carried:
    if carry == "halved":
        return Carried(player, points // 2, half_lost=points % 2 == 1)
    return Carried(player, points if carry == "whole" else 0)
