"""Find a line for stored_schedules.txt: `python -m scripts.find_schedules 4 24 7 [--tabled] [--repeats W]
[--seed S]`, or a difference matrix where two who never meet share M opponents: `… 4 100 8 --shared M`.

Prints the line, or that the steps ran out. For maintainers: no page or command comes here.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import Final, TypeAlias

from tournament.seating.search.annealing import SearchBudget, Shape, anneal, reduce_repeats, threshold
from tournament.seating.search.rotations import (
    Cycle,
    DifferenceMatrix,
    StarterSearch,
    StoredStarters,
    find_starters,
    matrix_as_text,
)
from tournament.seating.search.schedule import Field, Rng, count_repeats, tables_of

TIME_LIMIT: Final = 7 * 86_400.0  # seconds: the steps decide, not the clock
AGAIN: Final = 200  # the cost of one repeated difference: of two rows, or within a row
SLACK: Final = 24  # how much worse a change of a matrix may be at first

Entry: TypeAlias = tuple[list[int], int, int, int]  # of a matrix: row, column, value; the change in cost


def searches(players: int, table_size: int, rounds: int, *, tabled: bool, repeats: int) -> Iterator[StarterSearch]:
    """Yield the symmetries worth a try: full cycles first, then cycles that divide the rounds, many orbits first."""
    tables = players // table_size
    orders = [rounds, rounds + 1] if not repeats else [rounds]
    orders += [order for order in range(rounds // 2, 1, -1) if rounds % order == 0]
    for order in orders:
        starters = max(1, rounds // order)
        for orbits in range(players // order, 0, -1):
            if players - orbits * order <= (tables if repeats or starters > 1 else min(tables, order + 2)):
                cycle = Cycle(players, table_size, order=order, orbits=orbits)
                yield StarterSearch(cycle, starters, tabled, goal=2 * repeats // order)


def find_whole(
    players: int, table_size: int, rounds: int, *, repeats: int, steps: int, seed: int
) -> StoredStarters | None:
    """Return a schedule without symmetry, annealed from random rounds, or None."""
    rng = Rng(seed)
    lines = [rng.shuffled(range(players)) for _ in range(rounds)]
    shape = Shape((table_size,) * (players // table_size), table_size)
    best = reduce_repeats(lines, shape, steps, rng, SearchBudget(TIME_LIMIT), goal=repeats)
    if count_repeats(best, table_size) > repeats:
        return None
    return _stored(Cycle(players, table_size, order=1, orbits=players), best, tabled=False)


def _stored(cycle: Cycle, starters: list[list[int]], *, tabled: bool) -> StoredStarters:
    whole = cycle.develop(starters, tabled=tabled)
    size = cycle.table_size
    tidy = [[player for table in tables_of(line, size) for player in sorted(table)] for line in starters]
    return StoredStarters(cycle, tabled, count_repeats(whole, size), tuple(map(tuple, tidy)))


def search(asked: argparse.Namespace) -> StoredStarters | None:
    """Try every symmetry with a seed, then the next seed; at last schedules without one."""
    size = (asked.players, asked.table_size, asked.rounds)
    for seed in range(asked.seed, asked.seed + asked.tries):
        for wanted in searches(*size, tabled=asked.tabled, repeats=asked.repeats):
            if starters := find_starters(wanted, asked.steps, Rng(seed), SearchBudget(TIME_LIMIT)):
                return _stored(wanted.cycle, starters, tabled=wanted.tabled)
        if not asked.tabled and (entry := find_whole(*size, repeats=asked.repeats, steps=asked.steps, seed=seed)):
            return entry
    return None


def find_matrix(wish: Field, shared: int, steps: int, rng: Rng, budget: SearchBudget) -> DifferenceMatrix | None:
    """Return the best difference matrix found by threshold accepting, or None if none is without repeats.

    Two who never meet should share `shared` opponents. By symmetry one member of each class stands for all.
    """
    slices = ((each, threshold(1 + SLACK * (steps - end) // steps)) for each, end in _ends(budget.slices(steps)))
    best, cost = anneal(_Entries(wish, shared, rng), slices, goal=0)
    return DifferenceMatrix(wish.table_size, wish.players, tuple(map(tuple, best))) if cost < AGAIN else None


def _ends(slices: Iterator[range]) -> Iterator[tuple[range, int]]:
    """Yield each slice with the number of steps at its end."""
    end = 0
    for steps in slices:
        end += len(steps)
        yield steps, end


class _Entries:
    """The rows of a difference matrix, and what they cost."""

    def __init__(self, wish: Field, shared: int, rng: Rng) -> None:
        self.tables, self.shared, self.rng = wish.tables, shared, rng
        self.rows = [[rng.below(wish.tables) for _ in range(wish.rounds)] for _ in range(wish.table_size)]
        self.cost = self._count()

    def copy(self) -> list[list[int]]:
        return [list(row) for row in self.rows]

    def proposals(self) -> Iterator[tuple[int, int, Entry]]:
        """Yield other values for one entry; the throw 0 leaves it to the threshold."""
        below = self.rng.below
        while True:
            row = self.rows[below(len(self.rows))]
            at = below(len(row))
            before, row[at] = row[at], below(self.tables)
            change, value = self._count() - self.cost, row[at]
            row[at] = before
            yield change, 0, (row, at, value, change)

    def make(self, move: Entry) -> None:
        row, at, value, change = move
        row[at] = value
        self.cost += change

    def _count(self) -> int:
        """Return the cost: repeated differences, and by how much strangers share too few opponents, squared."""
        tables, rows = self.tables, self.rows
        steps = {
            (one, other): [(mine - theirs) % tables for mine, theirs in zip(rows[one], rows[other], strict=True)]
            for one, other in product(range(len(rows)), repeat=2)
        }
        rounds = len(rows[0])
        again = sum(rounds - len(set(row)) for row in rows)
        again += sum(rounds - len(set(steps[pair])) for pair in combinations(range(len(rows)), 2))
        return AGAIN * again + sum(self._too_few(steps, one, other) for one, other in steps if one <= other)

    def _too_few(self, steps: dict[tuple[int, int], list[int]], one: int, other: int) -> int:
        ways: Counter[int] = Counter()
        for via in range(len(self.rows)):
            if via not in {one, other}:
                ways.update((there + on) % self.tables for there in steps[one, via] for on in steps[via, other])
        met = {0} if one == other else set(steps[one, other])
        short = (self.shared - ways[apart] for apart in range(self.tables) if apart not in met)
        return sum(missing * missing for missing in short if missing > 0)


def find_line(asked: argparse.Namespace) -> str | None:
    """Return the line found for what was asked, or None."""
    if not asked.shared:
        entry = search(asked)
        return entry.as_text() if entry else None
    wish = Field(asked.players, asked.table_size, asked.rounds)
    matrix = find_matrix(wish, asked.shared, asked.steps, Rng(asked.seed), SearchBudget(TIME_LIMIT))
    return matrix_as_text(matrix) if matrix else None


def main() -> None:
    """Read the arguments, search, print one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table_size", type=int)
    parser.add_argument("players", type=int)
    parser.add_argument("rounds", type=int)
    parser.add_argument("--tabled", action="store_true", help="nobody comes to a table twice")
    parser.add_argument("--repeats", type=int, default=0, help="how many repeats are good enough")
    parser.add_argument("--shared", type=int, default=0, help="opponents that two who never meet should share")
    parser.add_argument("--steps", type=int, default=500_000, help="steps for each symmetry and seed")
    parser.add_argument("--tries", type=int, default=20, help="how many seeds")
    parser.add_argument("--seed", type=int, default=1)
    line = find_line(parser.parse_args())
    sys.stdout.write(f"{line or '# not found: more steps, or more tries'}\n")


if __name__ == "__main__":
    main()
