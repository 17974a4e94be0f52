"""Search for starters: few rounds which, shifted by a cycle, make a whole schedule with few repeats or none.

Anneals by swaps and looks only at the differences within the starters, never at a whole schedule.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tournament.seating.annealing import WORST, anneal, cooling
from tournament.seating.cyclic import Cycle
from tournament.seating.rng import Rng
from tournament.seating.search_budget import SearchBudget

Swap: TypeAlias = tuple[list[int], int, int, int]  # of two places in a line; the change in cost


@dataclass(frozen=True, slots=True)
class StarterSearch:
    """What to look for: so many starters for a cycle, at most `goal` halves of repeats per round of the cycle.

    With `tabled`, coming to a table twice counts like meeting a player twice.
    """

    cycle: Cycle
    starters: int = 1
    tabled: bool = False
    goal: int = 0


def find_starters(wanted: StarterSearch, steps: int, rng: Rng, budget: SearchBudget) -> list[list[int]] | None:
    """Return the players of each starter in table order, or None if the budget ran out before the goal."""
    swaps = _Swaps(wanted, rng)
    lines, cost = anneal(swaps, budget.cooled(steps, cooling(26, 10, slices=24)), wanted.goal)
    return [swaps.players_in_table_order(line) for line in lines] if cost <= wanted.goal else None


class _Swaps:
    """Lines of points, `width` for each table: its players, then (if tabled) the table's own point."""

    def __init__(self, wanted: StarterSearch, rng: Rng) -> None:
        self.cycle = wanted.cycle
        self.rng = rng
        self.size = wanted.cycle.table_size
        self.width = self.size + wanted.tabled
        differences = wanted.cycle.differences()
        self.of, self.more = differences.of, differences.more
        self.price = list(differences.first)  # of the next pair of each difference
        self.lines = [self._random_line() for _ in range(wanted.starters)]
        self.cost = sum(
            self._join(self._differences_before(line, place)) for line in self.lines for place in range(len(line))
        )

    def copy(self) -> list[list[int]]:
        return [list(line) for line in self.lines]

    def players_in_table_order(self, line: list[int]) -> list[int]:
        tables = [line[at : at + self.width] for at in range(0, len(line), self.width)]
        if self.width > self.size:
            tables.sort(key=lambda table: table[self.size])
        return [player for table in tables for player in table[: self.size]]

    def proposals(self) -> Iterator[tuple[int, int, Swap]]:
        """Yield swaps of two players or two tables of one starter."""
        bits, width, size, tables, lines = self.rng.bits, self.width, self.size, self.cycle.tables, self.lines
        while True:
            drawn, which = divmod(bits(64), len(lines))
            drawn, seat = divmod(drawn, width)
            drawn, left = divmod(drawn, tables)
            drawn, right = divmod(drawn, tables)
            drawn, other_seat = divmod(drawn, size)
            line, place = lines[which], left * width + seat
            other_place = right * width + (other_seat if seat < size else seat)
            if left == right:
                yield WORST, 0, (line, place, other_place, 0)
                continue
            gone, come = self._effect(line, place, other_place)
            change = self._join(come, -self._leave(gone))
            self._leave(come)
            self._join(gone)
            yield change, drawn, (line, place, other_place, change)

    def make(self, move: Swap) -> None:
        line, place, other_place, change = move
        gone, come = self._effect(line, place, other_place)
        self._leave(gone)
        self._join(come)
        line[place], line[other_place] = line[other_place], line[place]
        self.cost += change

    def _random_line(self) -> list[int]:
        players = self.rng.shuffled(range(self.cycle.players))
        tables = self.rng.shuffled(range(self.cycle.players, self.cycle.players + self.cycle.tables))
        line: list[int] = []
        for at, table in enumerate(tables):
            line += players[at * self.size : (at + 1) * self.size]
            line += [table] * (self.width - self.size)
        return line

    def _differences_before(self, line: list[int], place: int) -> list[int]:
        """Return the differences of a point to those before it at its table."""
        return [self.of[line[place]][mate] for mate in line[place - place % self.width : place]]

    def _effect(self, line: list[int], place: int, other_place: int) -> tuple[list[int], list[int]]:
        """Return the differences that a swap removes and adds."""
        one, two, left, right = line[place], line[other_place], place % self.width, other_place % self.width
        mates = line[place - left : place - left + self.width]
        others = line[other_place - right : other_place - right + self.width]
        del mates[left], others[right]
        of_one, of_two = self.of[one].__getitem__, self.of[two].__getitem__
        return [*map(of_one, mates), *map(of_two, others)], [*map(of_two, mates), *map(of_one, others)]

    def _join(self, differences: list[int], cost: int = 0) -> int:
        price, more = self.price, self.more
        for each in differences:
            now = price[each]
            cost += now
            price[each] = now + more[each]
        return cost

    def _leave(self, differences: list[int]) -> int:
        price, more, gain = self.price, self.more, 0
        for each in differences:
            now = price[each] - more[each]
            gain += now
            price[each] = now
        return gain
