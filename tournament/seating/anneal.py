"""Makes whole schedules better by swapping two players of one round at a time: for what no construction reaches.

Counts of meetings are kept up to date, so that a swap is judged without looking at the rest. Frozen rounds and fixed
seats are never touched. Whole numbers only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from tournament.seating import heat
from tournament.seating.chance import Chance
from tournament.seating.effort import Effort
from tournament.seating.lines import Lines, tables_of

HOT: Final = 5  # of 64 swaps that cost one repeat, those taken at first: few, or a good start would melt away
COLD: Final = 1


@dataclass(frozen=True, slots=True)
class Scope:
    """What may change: rounds from `first_round` on, and only the given places in a line (all if None)."""

    table_size: int
    first_round: int = 0
    places: Sequence[int] | None = None
    goal: int = 0


def anneal(lines: Lines, scope: Scope, steps: int, chance: Chance, effort: Effort) -> list[list[int]]:
    """Return the best rounds found within the steps, stopping at the goal; the given lines are left as they are."""
    search = _Search(lines, scope, chance)
    temper = heat.cooling(HOT, COLD, whole=64, slices=40)
    if not search.places:  # everybody has a fixed table
        return search.best
    for steps_now, chances in zip(effort.slices(steps), temper, strict=False):
        search.walk(steps_now, chances)
        if search.best_repeats <= scope.goal:
            break
    return search.best


class _Search:
    """Rounds as lines of players, `size` for each table, and how often every two have met in all of them."""

    def __init__(self, lines: Lines, scope: Scope, chance: Chance) -> None:
        self.lines = [list(line) for line in lines]
        self.size = scope.table_size
        self.goal = scope.goal
        self.chance = chance
        self.changing = self.lines[scope.first_round :]
        self.places = range(len(lines[0])) if scope.places is None else scope.places
        self.met = [[0] * len(lines[0]) for _ in lines[0]]
        self.repeats = self._count()
        self.best = [list(line) for line in lines]
        self.best_repeats = self.repeats

    def _count(self) -> int:
        repeats = 0
        for line in self.lines:
            for table in tables_of(line, self.size):
                for one, other in combinations(table, 2):
                    repeats += self.met[one][other]
                    self.met[one][other] += 1
                    self.met[other][one] += 1
        return repeats

    def walk(self, steps: range, chances: heat.Chances) -> None:
        """Try so many swaps, and keep the best rounds ever seen; stop at the goal."""
        bits, size, met, places = self.chance.bits, self.size, self.met, self.places
        lines, rounds, width = self.changing, len(self.changing), len(places)
        for _ in steps:
            drawn, which = divmod(bits(64), rounds)
            drawn, place = divmod(drawn, width)
            drawn, other_place = divmod(drawn, width)
            line, place, other_place = lines[which], places[place], places[other_place]
            left, right = place - place % size, other_place - other_place % size
            if left == right:
                continue
            one, two = line[place], line[other_place]
            of_one, of_two = met[one], met[two]
            change = 2 * (size - 1 - of_one[two])
            for mate in line[left : left + size]:
                change += of_two[mate] - of_one[mate]
            for mate in line[right : right + size]:
                change += of_one[mate] - of_two[mate]
            if change <= 0 or (change < heat.WORST and drawn % heat.ALWAYS < chances[change]):
                self._swap(line, place, other_place)
                self.repeats += change
                if self.repeats < self.best_repeats and self._keep():
                    return

    def _keep(self) -> bool:
        self.best = [list(line) for line in self.lines]
        self.best_repeats = self.repeats
        return self.repeats <= self.goal

    def _swap(self, line: list[int], place: int, other_place: int) -> None:
        one, two = line[place], line[other_place]
        line[place], line[other_place] = two, one
        for leaver, joiner, at in ((one, two, place), (two, one, other_place)):
            table = at - at % self.size
            for mate in line[table : table + self.size]:
                if mate != joiner:
                    self._meet(leaver, mate, -1)
                    self._meet(joiner, mate, 1)

    def _meet(self, one: int, other: int, times: int) -> None:
        self.met[one][other] += times
        self.met[other][one] += times
