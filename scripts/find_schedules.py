"""Find a line for stored_schedules.txt: `python -m scripts.find_schedules 4 24 7 [--tabled] [--repeats W]
[--seed S]`, or a difference matrix where two who never meet share M opponents: `… 4 100 8 --shared M`.

Prints the line, or that the steps ran out. For maintainers: no page or command comes here.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final, TypeAlias

from tournament.seating.search.annealing import WORST, SearchBudget, Shape, anneal, cooling, reduce_repeats, threshold
from tournament.seating.search.rotations import Cycle, DifferenceMatrix, StoredStarters, matrix_as_text
from tournament.seating.search.schedule import Field, Rng, count_repeats, tables_of

TIME_LIMIT: Final = 7 * 86_400.0  # seconds: the steps decide, not the clock
AGAIN: Final = 200  # the cost of one repeated difference: of two rows, or within a row
SLACK: Final = 24  # how much worse a change of a matrix may be at first

Entry: TypeAlias = tuple[list[int], int, int, int]  # of a matrix: row, column, value; the change in cost
Swap: TypeAlias = tuple[list[int], int, int, int]  # of two places in a line of points; the change in cost


@dataclass(frozen=True, slots=True)
class Differences:
    """The differences of pairs under the shifts: `of[p][q]` for points p and q, where point players + t is table t.

    The nth pair of a difference (from 0) costs `first[of] + n * more[of]`, in halves of repeats per round of the cycle.
    """

    of: list[list[int]]
    first: list[int]
    more: list[int]


def classify_pairs(cycle: Cycle) -> Differences:
    """Classify all pairs of points by difference; a pair of two tables or of a point with itself has none."""
    keys = [_key(cycle, point) for point in range(cycle.players + cycle.tables)]
    known: dict[tuple[int, ...], int] = {}
    made = Differences([[0] * len(keys) for _ in keys], [], [])
    for one in range(cycle.players):
        for other in range(one + 1, len(keys)):
            name, first, more = _difference(cycle, keys[one], keys[other])
            if name not in known:
                known[name] = len(known)
                made.first.append(first)
                made.more.append(more)
            made.of[one][other] = made.of[other][one] = known[name]
    return made


def _key(cycle: Cycle, point: int) -> tuple[int, int, bool]:
    """Return a point's orbit, its place in it, and whether it moves; table orbits follow those of the players."""
    table = point - cycle.players
    if table < 0:
        moving = cycle.orbits * cycle.order
        return (point // cycle.order, point % cycle.order, True) if point < moving else (point, 0, False)
    if table < cycle.tables - cycle.tables % cycle.order:
        return (cycle.players + table // cycle.order, table % cycle.order, True)
    return (point, 0, False)


def _difference(
    cycle: Cycle, one: tuple[int, int, bool], other: tuple[int, int, bool]
) -> tuple[tuple[int, ...], int, int]:
    """Return a difference's name, the cost of its first pair and what each further pair costs more.

    Over a cycle a pair of two moving points stands for `order` pairs, met once each: n of one difference cost
    n(n - 1)/2 each. Half a turn maps a pair onto itself: half as many pairs, met twice each. Two points that stay
    meet in every round; one that stays meets a whole orbit, once each.
    """
    (orbit, at, moves), (other_orbit, other_at, other_moves) = one, other
    if not moves and not other_moves:
        return (orbit, other_orbit), cycle.order - 1, 2 * cycle.order
    apart = (other_at - at) % cycle.order if moves and other_moves else 0
    if orbit == other_orbit:
        apart = min(apart, cycle.order - apart)
        if 2 * apart == cycle.order:
            return (orbit, other_orbit, apart), 1, 4
    return (orbit, other_orbit, apart), 0, 2


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
        differences = classify_pairs(wanted.cycle)
        self.of, self.more = differences.of, differences.more
        self.price = list(differences.first)  # of the next pair of each difference
        self.lines = [self._random_line() for _ in range(wanted.starters)]
        self.cost = sum(
            self._join([self.of[line[place]][mate] for mate in line[place - place % self.width : place]])
            for line in self.lines
            for place in range(len(line))
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
