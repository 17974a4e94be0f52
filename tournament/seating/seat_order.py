"""Gives tables their seat order after a break in the plan, where winds already had must be made up for.

Best of all orders for each table by the counts so far, then again and again until none gets better, then by
handing on from table to table what one player has too often. From scratch and with full tables `winds` is exact, and
should be used.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Final

from tournament.seating.chance import Chance
from tournament.seating.schedule import Round, Rounds
from tournament.seating.tally import Seats

SWEEPS: Final = 12
CHASES: Final = 60
LONGEST: Final = 300  # hand-overs in one chase


def seat_after(rounds: Seats, played: Seats, chance: Chance) -> Rounds:
    """Return the same tables with their players in seat order, each wind as even as may be over the whole event."""
    order = _Order(rounds, played)
    for _ in range(SWEEPS):
        if not order.sweep():
            break
    order.chase(CHASES, chance)
    return order.seated()


class _Order:
    """Tables in seat order and how often each player had each wind; what counts is the sum of the squares."""

    def __init__(self, rounds: Seats, played: Seats) -> None:
        self.had = Counter((player, seat) for tables in played for table in tables for seat, player in enumerate(table))
        self.tables = [[list(table) for table in tables] for tables in rounds]
        self.flat = [table for tables in self.tables for table in tables if len(table) > 1]
        self.size = max((len(table) for tables in (*played, *rounds) for table in tables), default=1)
        for table in self.flat:
            table[:] = self._best_order(table)
            self._count(table, 1)

    def sweep(self) -> bool:
        """Give each table the best order with all others as they are; return whether any got better."""
        better = False
        for table in self.flat:
            self._count(table, -1)
            best = self._best_order(table)
            if self._cost(best) < self._cost(table):
                table[:] = best
                better = True
            self._count(table, 1)
        return better

    def chase(self, tries: int, chance: Chance) -> None:
        """Hand a wind that somebody has too often on, table by table, until it comes to one who has it too seldom.

        Every hand-over leaves one player with a wind too many, who goes on; the most even order ever seen is kept.
        """
        tables: dict[int, list[list[int]]] = {}
        for table in self.flat:
            for player in table:
                tables.setdefault(player, []).append(table)
        least, best = self._faults(tables), [list(table) for table in self.flat]
        for _ in range(tries):
            worst, _ = self._faults(tables)
            if worst < 2:
                break
            wrong = [player for player in sorted(tables) if self._spread(player) == worst]
            self._hand_on(wrong[chance.below(len(wrong))], tables, chance)
            faults = self._faults(tables)
            if faults < least:
                least, best = faults, [list(table) for table in self.flat]
        for table, kept in zip(self.flat, best, strict=True):
            table[:] = kept

    def _hand_on(self, player: int, tables: Mapping[int, Sequence[list[int]]], chance: Chance) -> None:
        last: list[int] | None = None
        for _ in range(LONGEST):
            winds = self._too_often(player)
            if not winds:
                return
            most, least = winds
            here = [table for table in tables[player] if len(table) > most and table[most] == player]
            may = [table for table in here if len(table) > least and table is not last]
            if not may:
                return
            last = may[chance.below(len(may))]
            player = last[least]
            self._exchange(last, most, least)

    def _too_often(self, player: int) -> tuple[int, int] | None:
        """Return the winds that a player has most and least often, if they are two or more apart."""
        counts = [self.had[player, seat] for seat in range(self.size)]
        most, least = max(counts), min(counts)
        return (counts.index(most), counts.index(least)) if most - least > 1 else None

    def _exchange(self, table: list[int], one: int, other: int) -> None:
        self._count(table, -1)
        table[one], table[other] = table[other], table[one]
        self._count(table, 1)

    def _spread(self, player: int) -> int:
        counts = [self.had[player, seat] for seat in range(self.size)]
        return max(counts) - min(counts)

    def _faults(self, players: Iterable[int]) -> tuple[int, int]:
        """Return the largest spread of a player, and the sum of the squares of all."""
        worst = max(map(self._spread, players), default=0)
        return worst, sum(times * times for times in self.had.values())

    def seated(self) -> Rounds:
        made: list[Round] = [tuple(tuple(table) for table in tables) for tables in self.tables]
        return tuple(made)

    def _best_order(self, table: Sequence[int]) -> list[int]:
        return list(min(permutations(table), key=self._cost))

    def _cost(self, table: Iterable[int]) -> int:
        had = self.had
        return sum([had[player, seat] for seat, player in enumerate(table)])

    def _count(self, table: Sequence[int], times: int) -> None:
        for seat, player in enumerate(table):
            self.had[player, seat] += times
