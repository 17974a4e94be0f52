"""Gives every table of every round its number, so that players come to each table as evenly as may be.

Moves whole tables only, so that nothing about who meets whom can change; fixed tables keep their numbers.
"""

from collections.abc import Collection, Sequence
from typing import Final

from tournament.seating import heat
from tournament.seating.chance import Chance
from tournament.seating.effort import Effort
from tournament.seating.field import MOST_ROUNDS
from tournament.seating.lines import Lines, tables_of

PRICES: Final = tuple(visits * visits for visits in range(MOST_ROUNDS + 1))  # of the next visit, by those before it


def number_tables(
    lines: Lines, table_size: int, fixed: Collection[int], steps: int, chance: Chance, effort: Effort
) -> list[list[int]]:
    """Return the rounds with their tables in a new order: the place in a round is the number of the table.

    A visit costs the square of the visits to that table before it: one third visit is as bad as four second ones.
    """
    moving = [table for table in range(len(lines[0]) // table_size) if table not in fixed]
    if len(moving) < 2:
        return [list(line) for line in lines]
    search = _Search(lines, table_size, moving, chance)
    temper = heat.cooling(16, 2, whole=64, slices=12)
    for steps_now, chances in zip(effort.slices(steps), temper, strict=False):
        search.walk(steps_now, chances)
        if search.best_cost <= search.goal:
            break
    return [[player for table in tables for player in table] for tables in search.best]


def _even_cost(rounds: int, tables: int) -> int:
    """Return what the visits of one player cost at least: they are within one of each other."""
    each, more = divmod(rounds, tables)
    return tables * sum(PRICES[:each]) + more * PRICES[each]


class _Search:
    """Rounds of tables, and how often each player comes to each table; only the moving tables count."""

    def __init__(self, lines: Lines, table_size: int, moving: Sequence[int], chance: Chance) -> None:
        self.rounds = [tables_of(line, table_size) for line in lines]
        self.moving = moving
        self.chance = chance
        self.visits = [[0] * (len(lines[0]) // table_size) for _ in lines[0]]
        for tables in self.rounds:
            taken = [tables[table] for table in chance.shuffled(moving)]
            for table, players in zip(moving, taken, strict=True):
                tables[table] = players
        self.cost = sum(self._arrive(table, tables[table]) for tables in self.rounds for table in moving)
        self.goal = len(moving) * table_size * _even_cost(len(lines), len(moving))
        self._keep()

    def walk(self, steps: range, chances: heat.Chances) -> None:
        """Try so many exchanges of two tables' numbers in one round, and keep the best ever seen; stop at the goal."""
        bits, moving = self.chance.bits, self.moving
        for _ in steps:
            drawn, which = divmod(bits(64), len(self.rounds))
            drawn, one = divmod(drawn, len(moving))
            drawn, other = divmod(drawn, len(moving))
            if one == other:
                continue
            tables, one, other = self.rounds[which], moving[one], moving[other]
            change = self._judge(tables[one], one, other) + self._judge(tables[other], other, one)
            if change <= 0 or (change < heat.WORST and drawn % heat.ALWAYS < chances[change]):
                self._exchange(tables, one, other)
                self.cost += change
                if self.cost < self.best_cost:
                    self._keep()
                    if self.cost <= self.goal:
                        return

    def _judge(self, players: Sequence[int], here: int, there: int) -> int:
        visits = self.visits
        return sum([PRICES[visits[player][there]] - PRICES[visits[player][here] - 1] for player in players])

    def _exchange(self, tables: list[Sequence[int]], one: int, other: int) -> None:
        for players, here, there in ((tables[one], one, other), (tables[other], other, one)):
            for player in players:
                self.visits[player][here] -= 1
            self._arrive(there, players)
        tables[one], tables[other] = tables[other], tables[one]

    def _arrive(self, table: int, players: Sequence[int]) -> int:
        cost = 0
        for player in players:
            cost += PRICES[self.visits[player][table]]
            self.visits[player][table] += 1
        return cost

    def _keep(self) -> None:
        self.best = [list(tables) for tables in self.rounds]
        self.best_cost = self.cost
