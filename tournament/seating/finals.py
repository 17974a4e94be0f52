"""Rounds whose tables follow from the ranks: interval (1-6-11-16), snake (1-8-9-16), in order (1-2-3-4), by lot; and
the cut before finals, with scores carried over.

The format sets the tables here. Wishes are looked at only where it leaves a choice; what is missed is reported.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from tournament.seating.chance import Chance
from tournament.seating.errors import SeatingError
from tournament.seating.numbered import Numbering, finish
from tournament.seating.pairing import Pairing, Ranked
from tournament.seating.round_report import DrawnRound

Carry: TypeAlias = Literal["whole", "halved", "cleared"]
Others: TypeAlias = Literal["play_on", "stop"]
Tables: TypeAlias = list[list[int]]

MOST_WEIGHED: Final = 16  # players for whom every partition into tables is weighed


def snake_round(pairing: Pairing, *, seed: int, equal_seeds: bool = False) -> DrawnRound:
    """Return tables of one from each tier: with four tables 1-8-9-16, 2-7-10-15, 3-6-11-14 and 4-5-12-13.

    With `equal_seeds`, the players of a tier (as many as there are tables) change places for the fewest meetings again,
    the snake itself standing where nothing is gained. Raises SeatingError for that with more than 16 players.
    """
    tables, size = pairing.tables, pairing.table_size
    rows = [range(at * tables, (at + 1) * tables) for at in range(size)]
    turned = [list(row)[:: -1 if at % 2 else 1] for at, row in enumerate(rows)]
    snake = [list(table) for table in zip(*turned, strict=True)]
    chance = Chance(seed)
    if equal_seeds:
        snake = _weigh_all(pairing, snake, lambda at: at // tables)
    return finish(pairing, snake, chance, method="snake", numbering="by_rank", searched=equal_seeds)


def ranked_round(pairing: Pairing, *, seed: int) -> DrawnRound:
    """Return tables in order of rank: 1-2-3-4, 5-6-7-8 …"""
    tables = _in_fours(list(range(len(pairing.order))), pairing.table_size)
    return finish(pairing, tables, Chance(seed), method="ranked", numbering="by_rank", searched=False)


def interval_round(pairing: Pairing, *, step: int, seed: int, numbering: Numbering = "by_rank") -> DrawnRound:
    """Return tables of ranks `step` apart: with 5 and tables of four 1-6-11-16, 2-7-12-17 … and from 21 on the same.

    The tables left over at the end, fewer than `step`, are as far apart as they are many. Raises SeatingError if
    the step is not 1 to the number of tables; 1 gives 1-2-3-4, the number of tables spreads everybody evenly.
    """
    if not 1 <= step <= pairing.tables:
        raise SeatingError("seating.interval_unfit", {"step": step, "tables": pairing.tables})
    size, tables = pairing.table_size, list[list[int]]()
    for begun in range(0, pairing.tables, step):
        apart = min(step, pairing.tables - begun)
        first = begun * size
        tables += [[first + at + apart * seat for seat in range(size)] for at in range(apart)]
    return finish(pairing, tables, Chance(seed), method="interval", numbering=numbering, searched=False)


def lot_round(pairing: Pairing, *, seed: int, weighed: bool = False) -> DrawnRound:
    """Return tables by lot; `weighed`: of all partitions one with the fewest meetings again (at most 16 players)."""
    chance = Chance(seed)
    tables = _in_fours(chance.shuffled(range(len(pairing.order))), pairing.table_size)
    if weighed:
        tables = _weigh_all(pairing, tables, _one_tier)
    return finish(pairing, tables, chance, method="lot", numbering="by_rank", searched=weighed)


def _one_tier(_: int) -> int:
    return 0


def _in_fours(order: Sequence[int], size: int) -> Tables:
    return [list(order[at : at + size]) for at in range(0, len(order), size)]


def _weigh_all(pairing: Pairing, tables: Tables, tier_of: Callable[[int], int]) -> Tables:
    """Return the cheapest tables with the same tiers at each; the given ones where nothing is cheaper."""
    if len(pairing.order) > MOST_WEIGHED:
        raise SeatingError("seating.final_too_many", {"players": len(pairing.order), "most": MOST_WEIGHED})
    return _Weighing(pairing.prices(), tables, tier_of).best


class _Weighing:
    """Goes through all partitions, but not on where the cost so far is that of the best already."""

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
        # in the order of the given tables, so that equal ones come out as near to them as may be
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

        A table's first seat is the first one left of the tier, for tables have no order among themselves.
        """
        among = [at for at in rest if self.tier_of(at) == tier]
        if not table:
            return among[:1]
        before = table[-1]
        return [at for at in among if self.tier_of(before) != tier or self.turn[at] > self.turn[before]]


@dataclass(frozen=True, slots=True)
class Carried:
    """A player after the cut with the points that he starts from; `half_lost` if halving an odd total lost half one."""

    player: int
    points: int
    half_lost: bool = False


@dataclass(frozen=True, slots=True)
class Cut:
    """Who goes on and with what, who plays on below, and who stops; each best first.

    `tied_out` are those who share the rank of the last one through and are out all the same: say so, or play it off.
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
        raise SeatingError("seating.cut_unfit", {"top": top, "players": len(order), "most": len(order) - 1})
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
