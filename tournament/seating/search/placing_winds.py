"""Give every table its seat order, so that each starting wind comes to each player as evenly as the rounds allow.

`seat_by_winds` is exact, for a whole event of full tables. In each block of k rounds (k seats at a table, the last
block may be shorter) take the bipartite graph of players and tables, with an edge where a player sits at a table. No
player has more than k edges, and every table has k. By König's theorem the edges have a proper colouring with k
colours: the winds. So in each block nobody has a wind twice, whole blocks give every wind once, and the counts of a
player differ by 0 if k divides the rounds, else by 1.

`seat_after` is a search, for rounds after a break in the plan, where winds already had must be made up for: the best
order of each table by turns until none improves, then ejection chains.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Final, TypeAlias

from tournament.seating.search.schedule_1 import Round, Rounds, Seats
from tournament.seating.search.schedule_rng import Rng

NOBODY: Final = -1  # at a seat that is still free
SWEEPS: Final = 12
CHAINS: Final = 60
LONGEST: Final = 300  # hand-overs in one chain

Tables: TypeAlias = Sequence[Sequence[int]]  # one round: who sits at each table, in any order


def seat_by_winds(rounds: Sequence[Tables]) -> Rounds:
    """Return the same tables in the same order with their players in seat order, first East first."""
    size = len(rounds[0][0])
    seated: list[Round] = []
    for begun in range(0, len(rounds), size):
        seated.extend(_Block(rounds[begun : begun + size]).seat())
    return tuple(seated)


class _Block:
    """At most k rounds; colours their edges one by one."""

    def __init__(self, rounds: Sequence[Tables]) -> None:
        self.size = len(rounds[0][0])
        self.rounds = rounds
        every_table = [table for tables in rounds for table in tables]
        self.players = [[NOBODY] * self.size for _ in every_table]  # of a table, by wind
        self.tables: dict[int, list[int | None]] = {}  # of a player, by wind
        for player in (player for table in rounds[0] for player in table):
            self.tables[player] = [None] * self.size
        for table, players in enumerate(every_table):
            for player in players:
                self._seat_one(player, table)

    def seat(self) -> Rounds:
        seats = iter(self.players)
        return tuple(tuple(tuple(next(seats)) for _ in tables) for tables in self.rounds)

    def _seat_one(self, player: int, table: int) -> None:
        """Colour one edge: with a wind free at the table, after freeing it at the player if need be."""
        wind = self.players[table].index(NOBODY)
        if self.tables[player][wind] is not None:
            self._exchange(player, wind, self.tables[player].index(None))
        self.players[table][wind] = player
        self.tables[player][wind] = table

    def _exchange(self, player: int, wind: int, other: int) -> None:
        """Free `wind` at a player without `other` by exchanging the two along the alternating path from there.

        The path enters each table by `wind` and leaves it by `other`, so it cannot come to the table that is being
        seated, where `wind` is free; all others on it are full.
        """
        path: list[tuple[int, int, int]] = []  # player, table, the edge's wind before
        walker = player
        while (table := self.tables[walker][wind]) is not None:
            path.append((walker, table, wind))
            walker = self.players[table][other]
            path.append((walker, table, other))
        for who, table, before in path:
            self.tables[who][before] = None
            self.players[table][before] = NOBODY
        for who, table, before in path:
            after = other if before == wind else wind
            self.tables[who][after] = table
            self.players[table][after] = who


def seat_after(rounds: Seats, played: Seats, rng: Rng) -> Rounds:
    """Return the same tables with their players in seat order, winds as even as found over the whole event."""
    order = _Order(rounds, played)
    for _ in range(SWEEPS):
        if not order.sweep():
            break
    order.chain(CHAINS, rng)
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
        """Give each table the best order with all others as they are; return whether any improved."""
        better = False
        for table in self.flat:
            self._count(table, -1)
            best = self._best_order(table)
            if self._cost(best) < self._cost(table):
                table[:] = best
                better = True
            self._count(table, 1)
        return better

    def chain(self, tries: int, rng: Rng) -> None:
        """Run ejection chains: hand a wind that somebody has too often on until it reaches one who has it too seldom.

        Every hand-over leaves one player with a wind too many, who goes on; the most even order seen is kept.
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
            self._hand_on(wrong[rng.below(len(wrong))], tables, rng)
            faults = self._faults(tables)
            if faults < least:
                least, best = faults, [list(table) for table in self.flat]
        for table, kept in zip(self.flat, best, strict=True):
            table[:] = kept

    def _hand_on(self, player: int, tables: Mapping[int, Sequence[list[int]]], rng: Rng) -> None:
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
            last = may[rng.below(len(may))]
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
