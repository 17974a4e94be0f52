"""Gives the tables of drawn rounds their numbers with the past and the rooms in view.

Moves whole tables only, between tables of one size; a table where somebody pinned sits keeps its number. Who meets whom
cannot change. `numbering` does it for a whole event from scratch.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Final

from tournament.seating import heat
from tournament.seating.chance import Chance
from tournament.seating.effort import Effort
from tournament.seating.tally import Seats

STALE: Final = 6  # what it costs that a player never or always changes rooms, in visits
TRIES: Final = 400  # numbers for all rounds at once


def number_again(
    rounds: Seats,
    played: Seats,
    pinned: Collection[int],
    rooms: Mapping[int, int],
    steps: int,
    chance: Chance,
    effort: Effort,
) -> list[list[list[int]]]:
    """Return the rounds with their tables under the best numbers found: visits of a player to a table as few, and
    rooms neither kept nor changed all day. `rooms` is the room of each table, and may be empty.
    """
    search = _Search(rounds, played, pinned, rooms, chance)
    if rooms and not played:
        search.try_whole_orders(TRIES)
    temper = heat.cooling(14, 1, whole=64, slices=12)
    for steps_now, chances in zip(effort.slices(steps), temper, strict=False):
        search.walk(steps_now, chances)
    return search.best


class _Search:
    """Rounds of tables; how often each player came to each table; each player's rooms so far and to come."""

    def __init__(
        self, rounds: Seats, played: Seats, pinned: Collection[int], rooms: Mapping[int, int], chance: Chance
    ) -> None:
        self.rounds = [[list(table) for table in tables] for tables in rounds]
        self.played = len(played)
        self.rooms, self.chance = rooms, chance
        self.pinned = set(pinned)
        self.visits: dict[tuple[int, int], int] = {}
        self.path: dict[int, list[int | None]] = {}
        self.cost = 0
        for number, tables in enumerate([*played, *self.rounds]):
            for table, players in enumerate(tables):
                for player in players:
                    self._arrive(player, number, table, len(played) + len(rounds))
        self.cost += sum(map(self._stale, self.path))
        self._keep()

    def _arrive(self, player: int, number: int, table: int, rounds: int) -> None:
        before = self.visits.get((player, table), 0)
        self.cost += before
        self.visits[player, table] = before + 1
        self.path.setdefault(player, [None] * rounds)[number] = self.rooms.get(table, 0)

    def try_whole_orders(self, tries: int) -> None:
        """Try other numbers for all rounds at once, which leaves every count of visits as it is."""
        kept = {at for tables in self.rounds for at, table in enumerate(tables) if self.pinned & set(table)}
        sizes = {at: {len(tables[at]) for tables in self.rounds} for at in range(len(self.rounds[0]))}
        free = [at for at in sizes if at not in kept]
        for _ in range(tries if len(free) > 1 else 0):
            one, other = free[self.chance.below(len(free))], free[self.chance.below(len(free))]
            if sizes[one] == sizes[other] and self.rooms.get(one) != self.rooms.get(other):
                self._try_order(one, other)

    def _try_order(self, one: int, other: int) -> None:
        change = sum(self._exchange(tables, self.played + at, one, other) for at, tables in enumerate(self.rounds))
        self.cost += change
        if change > 0:
            for at, tables in enumerate(self.rounds):
                self.cost += self._exchange(tables, self.played + at, one, other)
        else:
            self._keep()

    def walk(self, steps: range, chances: heat.Chances) -> None:
        """Try so many exchanges of two tables' numbers in one round, and keep the best ever seen."""
        width = len(self.rounds[0])
        for _ in steps:
            drawn, which = divmod(self.chance.bits(64), len(self.rounds))
            drawn, one = divmod(drawn, width)
            drawn, other = divmod(drawn, width)
            tables = self.rounds[which]
            if one == other or len(tables[one]) != len(tables[other]) or not self._may_move(tables, one, other):
                continue
            change = self._exchange(tables, self.played + which, one, other)
            if change > 0 and not (change < heat.WORST and drawn % heat.ALWAYS < chances[change]):
                self._exchange(tables, self.played + which, one, other)
                continue
            self.cost += change
            if self.cost < self.best_cost:
                self._keep()

    def _may_move(self, tables: Sequence[Sequence[int]], one: int, other: int) -> bool:
        return not self.pinned or not (self.pinned.intersection(tables[one]) or self.pinned.intersection(tables[other]))

    def _exchange(self, tables: list[list[int]], number: int, one: int, other: int) -> int:
        """Exchange the numbers of two tables and return what that costs."""
        change = self._move(tables[one], number, one, other) + self._move(tables[other], number, other, one)
        tables[one], tables[other] = tables[other], tables[one]
        return change

    def _move(self, players: Sequence[int], number: int, here: int, there: int) -> int:
        change = 0
        for player in players:
            self.visits[player, here] -= 1
            before = self.visits.get((player, there), 0)
            change += before - self.visits[player, here]
            self.visits[player, there] = before + 1
            if self.rooms.get(here) != self.rooms.get(there):
                change -= self._stale(player)
                self.path[player][number] = self.rooms.get(there, 0)
                change += self._stale(player)
        return change

    def _stale(self, player: int) -> int:
        if not self.rooms or player in self.pinned:
            return 0
        path = [room for room in self.path[player] if room is not None]
        changes = sum(before != after for before, after in pairwise(path))
        return STALE if len(path) > 2 and changes in {0, len(path) - 1} else 0

    def _keep(self) -> None:
        self.best = [[list(table) for table in tables] for tables in self.rounds]
        self.best_cost = self.cost
