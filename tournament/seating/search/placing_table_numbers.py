"""Assign numbers to the tables of every round, so that each player comes to each table as evenly as possible.

Moves whole tables only, between tables of one size, so who meets whom cannot change. Optionally takes account of the
rounds before and of rooms.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from tournament.seating.search.annealing_1 import WORST, anneal, cooling
from tournament.seating.search.annealing_search_budget import SearchBudget
from tournament.seating.search.schedule_1 import Lines, Seats, tables_of
from tournament.seating.search.schedule_rng import Rng

# The price of the next visit to a table is a power of the visits before it.
SQUARE: Final = 2  # a third visit is as bad as four second ones
LINEAR: Final = 1  # n visits cost n(n - 1)/2
STALE: Final = 6  # what it costs that a player never or always changes rooms, in visits
TRIES: Final = 400  # swaps of two table numbers in all rounds at once

Exchange: TypeAlias = tuple[int, int, int, int]  # round, table, other table, change in cost


def number_tables(
    lines: Lines, table_size: int, fixed: Collection[int], steps: int, rng: Rng, budget: SearchBudget
) -> list[list[int]]:
    """Return the rounds with their tables renumbered from scratch; the fixed tables keep their numbers."""
    moving = [table for table in range(len(lines[0]) // table_size) if table not in fixed]
    if len(moving) < 2:
        return [list(line) for line in lines]
    rounds = [list(tables_of(line, table_size)) for line in lines]
    for tables in rounds:
        taken = [tables[table] for table in rng.shuffled(moving)]
        for table, players in zip(moving, taken, strict=True):
            tables[table] = players
    search = _Exchanges(rounds, (), (), {}, SQUARE, rng, moving)
    visits = Counter(player for tables in rounds for table in moving for player in tables[table])
    goal = sum(times * _even_cost(each, len(moving)) for each, times in Counter(visits.values()).items())
    best, _ = anneal(search, budget.cooled(steps, cooling(16, 2, slices=12)), goal)
    return [[player for table in tables for player in table] for tables in best]


def renumber_tables(
    rounds: Seats,
    played: Seats,
    pinned: Collection[int],
    rooms: Mapping[int, int],
    steps: int,
    rng: Rng,
    budget: SearchBudget,
) -> list[list[list[int]]]:
    """Return the rounds with few visits of a player to one table, the rounds played included, and rooms well mixed.

    A table where somebody pinned sits keeps its number. `rooms` is the room of each table, and may be empty.
    """
    search = _Exchanges(rounds, played, pinned, rooms, LINEAR, rng, range(len(rounds[0])))
    if rooms and not played:
        search.exchange_in_all_rounds(TRIES)
    best, _ = anneal(search, budget.cooled(steps, cooling(14, 1, slices=12)), goal=-1)
    return best


def _even_cost(visits: int, tables: int) -> int:
    """Return the least that the visits of one player cost: the counts of the tables are within one of each other."""
    each, more = divmod(visits, tables)
    return tables * sum(before**SQUARE for before in range(each)) + more * each**SQUARE


class _Exchanges:
    """Rounds of tables, the visits of each player to each table, and each player's rooms by round."""

    def __init__(
        self,
        rounds: Seats,
        played: Seats,
        pinned: Collection[int],
        rooms: Mapping[int, int],
        power: int,
        rng: Rng,
        moving: Sequence[int],
    ) -> None:
        self.rounds = [[list(table) for table in tables] for tables in rounds]
        self.played = len(played)
        self.pinned, self.rooms, self.rng, self.moving = set(pinned), rooms, rng, moving
        every_round = [*played, *self.rounds]
        self.prices = [visits**power for visits in range(len(every_round) + 1)]
        people = 1 + max((player for tables in every_round for table in tables for player in table), default=0)
        self.visits = [[0] * max(map(len, every_round)) for _ in range(people)]
        self.path: list[list[int | None]] = [[None] * len(every_round) for _ in range(people)]
        self.cost, counted = 0, set(moving)
        for number, tables in enumerate(every_round):
            for table, players in enumerate(tables):
                for player in players:
                    self.path[player][number] = rooms.get(table, 0)
                self.cost += self._arrive(players, table) if table in counted else 0
        self.cost += sum(map(self._stale, range(people)))
        self.plain = not rooms and not pinned and len({len(table) for tables in rounds for table in tables}) == 1

    def copy(self) -> list[list[list[int]]]:
        return [list(tables) for tables in self.rounds]

    def exchange_in_all_rounds(self, tries: int) -> None:
        """Exchange two tables in all rounds where that costs nothing: every count of visits stays as it is."""
        kept = {at for tables in self.rounds for at, table in enumerate(tables) if self.pinned & set(table)}
        sizes = {at: {len(tables[at]) for tables in self.rounds} for at in range(len(self.rounds[0]))}
        free = [at for at in sizes if at not in kept]
        for _ in range(tries if len(free) > 1 else 0):
            one, other = free[self.rng.below(len(free))], free[self.rng.below(len(free))]
            if sizes[one] == sizes[other] and self.rooms.get(one) != self.rooms.get(other):
                before = self.cost
                self._exchange_everywhere(one, other)
                if self.cost > before:
                    self._exchange_everywhere(one, other)

    def _exchange_everywhere(self, one: int, other: int) -> None:
        for which in range(len(self.rounds)):
            self.make((which, one, other, self._change(which, one, other)))

    def proposals(self) -> Iterator[tuple[int, int, Exchange]]:
        """Yield exchanges of the numbers of two tables in one round."""
        bits, moving, width, rounds, plain = self.rng.bits, self.moving, len(self.moving), self.rounds, self.plain
        visits_change = self._visits_change
        while True:
            drawn, which = divmod(bits(64), len(rounds))
            drawn, one = divmod(drawn, width)
            drawn, other = divmod(drawn, width)
            one, other = moving[one], moving[other]
            if one == other:
                change = WORST
            elif plain:
                tables = rounds[which]
                change = visits_change(tables[one], one, other) + visits_change(tables[other], other, one)
            else:
                change = self._change(which, one, other)
            yield change, drawn, (which, one, other, change)

    def _change(self, which: int, one: int, other: int) -> int:
        """Return what an exchange costs; WORST where one of the tables may not move."""
        here, there = self.rounds[which][one], self.rounds[which][other]
        if len(here) != len(there) or (self.pinned and self.pinned.intersection([*here, *there])):
            return WORST
        change = self._visits_change(here, one, other) + self._visits_change(there, other, one)
        if self.rooms and self.rooms.get(one) != self.rooms.get(other):
            number = self.played + which
            change += self._rooms_change(here, number, other) + self._rooms_change(there, number, one)
        return change

    def _visits_change(self, players: Sequence[int], here: int, there: int) -> int:
        visits, prices = self.visits, self.prices
        return sum([prices[visits[player][there]] - prices[visits[player][here] - 1] for player in players])

    def _rooms_change(self, players: Sequence[int], number: int, there: int) -> int:
        change = 0
        for player in players:
            path = self.path[player]
            before = path[number]
            change -= self._stale(player)
            path[number] = self.rooms.get(there, 0)
            change += self._stale(player)
            path[number] = before
        return change

    def _stale(self, player: int) -> int:
        if not self.rooms or player in self.pinned:
            return 0
        path = [room for room in self.path[player] if room is not None]
        changes = sum(before != after for before, after in pairwise(path))
        return STALE if len(path) > 2 and changes in {0, len(path) - 1} else 0

    def make(self, move: Exchange) -> None:
        which, one, other, change = move
        tables = self.rounds[which]
        for players, here, there in ((tables[one], one, other), (tables[other], other, one)):
            for player in players:
                self.visits[player][here] -= 1
            for player in players if self.rooms else ():
                self.path[player][self.played + which] = self.rooms.get(there, 0)
            self._arrive(players, there)
        tables[one], tables[other] = tables[other], tables[one]
        self.cost += change

    def _arrive(self, players: Sequence[int], table: int) -> int:
        cost = 0
        for player in players:
            cost += self.prices[self.visits[player][table]]
            self.visits[player][table] += 1
        return cost
