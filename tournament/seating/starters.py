"""Looks for starter rounds: few rounds which, shifted by a cycle, make a whole schedule with few repeats or none.

Annealing by swaps over kinds of pairs, in whole numbers only. Never looks at a whole schedule.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.seating import heat
from tournament.seating.chance import Chance
from tournament.seating.cyclic import Cycle
from tournament.seating.effort import Effort


@dataclass(frozen=True, slots=True)
class Quest:
    """What to look for: so many starters for a cycle, at most `goal` halves of repeats per round of the cycle.

    With `tabled`, meeting a table again counts like meeting a player again.
    """

    cycle: Cycle
    starters: int = 1
    tabled: bool = False
    goal: int = 0


def find_starters(quest: Quest, steps: int, chance: Chance, effort: Effort) -> list[list[int]] | None:
    """Return the players of each starter in table order, or None if the steps or the clock ran out before the goal."""
    search = _Search(quest, chance)
    temper = heat.cooling(26, 10, whole=64, slices=24)
    for steps_now, chances in zip(effort.slices(steps), temper, strict=False):
        if search.walk(steps_now, chances):
            return [search.players_in_table_order(line) for line in search.lines]
    return None


class _Search:
    """Lines of points, `width` for each table: its players, then (if tabled) the table's own point."""

    def __init__(self, quest: Quest, chance: Chance) -> None:
        self.cycle = quest.cycle
        self.goal = quest.goal
        self.chance = chance
        self.size = quest.cycle.table_size
        self.width = self.size + quest.tabled
        kinds = quest.cycle.kinds()
        self.of, self.first, self.more = kinds.of, kinds.first, kinds.more
        self.count = [0] * len(kinds.first)
        self.lines = [self._random_line() for _ in range(quest.starters)]
        self.cost = sum(self._join(point, before) for line in self.lines for point, before in self._pairs(line))

    def players_in_table_order(self, line: list[int]) -> list[int]:
        tables = [line[at : at + self.width] for at in range(0, len(line), self.width)]
        if self.width > self.size:
            tables.sort(key=lambda table: table[self.size])
        return [player for table in tables for player in table[: self.size]]

    def walk(self, steps: range, chances: heat.Chances) -> bool:
        """Try so many swaps, each of two players or of two tables of one starter; return whether the goal is reached."""
        bits, width, size, tables = self.chance.bits, self.width, self.size, self.cycle.tables
        for _ in steps:
            if self.cost <= self.goal:
                return True
            drawn, which = divmod(bits(64), len(self.lines))
            drawn, seat = divmod(drawn, width)
            drawn, left = divmod(drawn, tables)
            drawn, right = divmod(drawn, tables)
            drawn, other_seat = divmod(drawn, size)
            if left != right:
                line = self.lines[which]
                places = left * width + seat, right * width + (other_seat if seat < size else seat)
                change = self._swap(line, *places)
                if change >= heat.WORST or drawn % heat.ALWAYS >= chances[max(change, 0)]:
                    change += self._swap(line, *places)
                self.cost += change
        return self.cost <= self.goal

    def _random_line(self) -> list[int]:
        players = self.chance.shuffled(range(self.cycle.players))
        tables = self.chance.shuffled(range(self.cycle.players, self.cycle.players + self.cycle.tables))
        line: list[int] = []
        for at, table in enumerate(tables):
            line += players[at * self.size : (at + 1) * self.size]
            line += [table] * (self.width - self.size)
        return line

    def _pairs(self, line: list[int]) -> list[tuple[int, list[int]]]:
        """Return each point with those that come before it at its table."""
        return [(point, line[at - at % self.width : at]) for at, point in enumerate(line)]

    def _join(self, one: int, others: Sequence[int]) -> int:
        cost = 0
        for other in others:
            kind = self.of[one][other]
            cost += self.first[kind] + self.more[kind] * self.count[kind]
            self.count[kind] += 1
        return cost

    def _swap(self, line: list[int], place: int, other_place: int) -> int:
        """Swap two points of a line and return what it costs; the one loop that takes all the time."""
        count, first, more, width = self.count, self.first, self.more, self.width
        one, two = line[place], line[other_place]
        of_one, of_two = self.of[one], self.of[two]
        left, right = place - place % width, other_place - other_place % width
        mates = line[left:place] + line[place + 1 : left + width]
        others = line[right:other_place] + line[other_place + 1 : right + width]
        change = 0
        for kind in [of_one[mate] for mate in mates] + [of_two[mate] for mate in others]:
            now = count[kind] = count[kind] - 1
            change -= first[kind] + more[kind] * now
        for kind in [of_two[mate] for mate in mates] + [of_one[mate] for mate in others]:
            now = count[kind]
            change += first[kind] + more[kind] * now
            count[kind] = now + 1
        line[place], line[other_place] = two, one
        return change
