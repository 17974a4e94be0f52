"""Looks for starter rounds: few rounds which, shifted by a cycle, make a whole schedule with few repeats or none.

Annealing by swaps over kinds of pairs, in whole numbers only. Never looks at a whole schedule.
"""

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
        self.of, self.more = kinds.of, kinds.more
        self.price = list(kinds.first)  # of the next pair of each kind
        self.lines = [self._random_line() for _ in range(quest.starters)]
        self.cost = sum(
            self._join(self._kinds_before(line, place)) for line in self.lines for place in range(len(line))
        )

    def players_in_table_order(self, line: list[int]) -> list[int]:
        tables = [line[at : at + self.width] for at in range(0, len(line), self.width)]
        if self.width > self.size:
            tables.sort(key=lambda table: table[self.size])
        return [player for table in tables for player in table[: self.size]]

    def walk(self, steps: range, chances: heat.Chances) -> bool:
        """Try so many swaps, of two players or two tables of one starter; return whether the goal is reached."""
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
                place, other_place = left * width + seat, right * width + (other_seat if seat < size else seat)
                self._try_swap(self.lines[which], place, other_place, chances, drawn % heat.ALWAYS)
        return self.cost <= self.goal

    def _random_line(self) -> list[int]:
        players = self.chance.shuffled(range(self.cycle.players))
        tables = self.chance.shuffled(range(self.cycle.players, self.cycle.players + self.cycle.tables))
        line: list[int] = []
        for at, table in enumerate(tables):
            line += players[at * self.size : (at + 1) * self.size]
            line += [table] * (self.width - self.size)
        return line

    def _kinds_before(self, line: list[int], place: int) -> list[int]:
        """Return the kinds that a point makes with those before it at its table."""
        return [self.of[line[place]][mate] for mate in line[place - place % self.width : place]]

    def _try_swap(self, line: list[int], place: int, other_place: int, chances: heat.Chances, throw: int) -> None:
        """Swap two points of a line if the throw allows what it costs; all the time goes here."""
        one, two, left, right = line[place], line[other_place], place % self.width, other_place % self.width
        mates = line[place - left : place - left + self.width]
        others = line[other_place - right : other_place - right + self.width]
        del mates[left], others[right]
        of_one, of_two = self.of[one].__getitem__, self.of[two].__getitem__
        gone = [*map(of_one, mates), *map(of_two, others)]
        come = [*map(of_two, mates), *map(of_one, others)]
        change = self._join(come, -self._leave(gone))
        if change < heat.WORST and throw < chances[max(change, 0)]:
            line[place], line[other_place] = two, one
            self.cost += change
        else:
            self._leave(come)
            self._join(gone)

    def _join(self, kinds: list[int], cost: int = 0) -> int:
        price, more = self.price, self.more
        for kind in kinds:
            now = price[kind]
            cost += now
            price[kind] = now + more[kind]
        return cost

    def _leave(self, kinds: list[int]) -> int:
        price, more, gain = self.price, self.more, 0
        for kind in kinds:
            now = price[kind] - more[kind]
            gain += now
            price[kind] = now
        return gain
