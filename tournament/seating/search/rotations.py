"""Whole schedules by cyclic development, and the drafts that they offer: stored, by formula, in copies, by a search.

`Cycle` shifts starter rounds: players lie in orbits, and two players meet again exactly if their difference comes twice
in the starters. `DifferenceMatrix` shifts classes: each seat of the tables belongs to one class of players, which moves
on by its own row of the matrix. `find_starters` anneals by differences alone, never on a whole schedule. Those that
took long to find are in stored_schedules.txt.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import gcd
from pathlib import Path
from typing import Final, TypeAlias

from tournament.seating.search.annealing import WORST, SearchBudget, anneal, cooling
from tournament.seating.search.quality import count_shared_opponents, even_repeats
from tournament.seating.search.schedule import Field, Line, Lines, Rng, count_meetings, tables_of

Swap: TypeAlias = tuple[list[int], int, int, int]  # of two places in a line of points; the change in cost

FASTEST: Final = 12  # multipliers beyond this are not tried; every field of k * rounds tables does with 1..k


@dataclass(frozen=True, slots=True)
class Differences:
    """The differences of pairs under the shifts: `of[p][q]` for points p and q, where point players + t is table t.

    The nth pair of a difference (from 0) costs `first[of] + n * more[of]`, in halves of repeats per round of the cycle.
    """

    of: list[list[int]]
    first: list[int]
    more: list[int]


@dataclass(frozen=True, slots=True)
class Cycle:
    """The shifts of one size: `order` rounds from each starter.

    Players 0..orbits*order-1 lie in orbits of length `order`, the others stay. Tables shift likewise, and the last few
    stay.

    >>> Cycle(12, 3, order=5, orbits=2).turn((0, 5, 10, 4, 9, 11), 1)
    [1, 6, 10, 0, 5, 11]
    """

    players: int
    table_size: int
    order: int
    orbits: int

    @property
    def tables(self) -> int:
        return self.players // self.table_size

    def turn(self, line: Line, times: int) -> list[int]:
        """Return the players of a line after so many shifts, each in the same place."""
        return [self._shift(player, times, self.orbits * self.order) for player in line]

    def develop(self, starters: Lines, *, tabled: bool) -> list[list[int]]:
        """Return all rounds of the starters: `order` lines from each; tables shift too if they are `tabled`."""
        return [
            self._renumber(self.turn(line, times), times if tabled else 0)
            for times in range(self.order)
            for line in starters
        ]

    def differences(self) -> Differences:
        """Classify all pairs of points by difference; a pair of two tables or of a point with itself has none."""
        keys = [self._key(point) for point in range(self.players + self.tables)]
        known: dict[tuple[int, ...], int] = {}
        made = Differences([[0] * len(keys) for _ in keys], [], [])
        for one in range(self.players):
            for other in range(one + 1, len(keys)):
                name, first, more = self._difference(keys[one], keys[other])
                if name not in known:
                    known[name] = len(known)
                    made.first.append(first)
                    made.more.append(more)
                made.of[one][other] = made.of[other][one] = known[name]
        return made

    def _shift(self, number: int, times: int, moving: int) -> int:
        if number >= moving:
            return number
        orbit, at = divmod(number, self.order)
        return orbit * self.order + (at + times) % self.order

    def _renumber(self, line: list[int], times: int) -> list[int]:
        """Put at each place the table that the shifts bring there."""
        tables, moving = tables_of(line, self.table_size), self.tables - self.tables % self.order
        sources = sorted(range(self.tables), key=lambda table: self._shift(table, times, moving))
        return [player for source in sources for player in tables[source]]

    def _key(self, point: int) -> tuple[int, int, bool]:
        """Return a point's orbit, its place in it, and whether it moves; table orbits follow those of the players."""
        table = point - self.players
        if table < 0:
            moving = self.orbits * self.order
            return (point // self.order, point % self.order, True) if point < moving else (point, 0, False)
        if table < self.tables - self.tables % self.order:
            return (self.players + table // self.order, table % self.order, True)
        return (point, 0, False)

    def _difference(self, one: tuple[int, int, bool], other: tuple[int, int, bool]) -> tuple[tuple[int, ...], int, int]:
        """Return a difference's name, the cost of its first pair and what each further pair costs more.

        Over a cycle a pair of two moving points stands for `order` pairs, met once each: n of one difference cost
        n(n - 1)/2 each. Half a turn maps a pair onto itself: half as many pairs, met twice each. Two points that stay
        meet in every round; one that stays meets a whole orbit, once each.
        """
        (orbit, at, moves), (other_orbit, other_at, other_moves) = one, other
        if not moves and not other_moves:
            return (orbit, other_orbit), self.order - 1, 2 * self.order
        apart = (other_at - at) % self.order if moves and other_moves else 0
        if orbit == other_orbit:
            apart = min(apart, self.order - apart)
            if 2 * apart == self.order:
                return (orbit, other_orbit, apart), 1, 4
        return (orbit, other_orbit, apart), 0, 2


@dataclass(frozen=True, slots=True)
class DifferenceMatrix:
    """How each class moves: in round r, member x of class c sits at table x + rows[c][r], modulo the T tables.

    Two of one class never meet. Two of different classes meet at most once if the differences of their rows are all
    different, and nobody comes to a table twice if the entries of each row are.

    >>> DifferenceMatrix(2, 6, ((0, 1), (0, 2))).lines()
    [[0, 3, 1, 4, 2, 5], [2, 4, 0, 5, 1, 3]]
    """

    table_size: int
    players: int
    rows: Sequence[Sequence[int]]

    @property
    def rounds(self) -> int:
        return len(self.rows[0])

    def lines(self) -> list[list[int]]:
        """Return all rounds as lines of players in table order."""
        tables = self.players // self.table_size
        return [
            [number * tables + (at - step) % tables for at in range(tables) for number, step in enumerate(column)]
            for column in zip(*self.rows, strict=True)
        ]


def linear_matrix(wish: Field, *, tabled: bool) -> DifferenceMatrix | None:
    """Return a matrix of multiples without a repeat, or None where this formula does not reach.

    With `tabled`, nobody comes to a table twice either. Multipliers d apart do if T / gcd(d, T) >= R, which every field
    of at least k * R tables and many smaller ones allow.

    >>> linear_matrix(Field(9, 3, 3), tabled=False).lines()
    [[0, 3, 6, 1, 4, 7, 2, 5, 8], [0, 5, 7, 1, 3, 8, 2, 4, 6], [0, 4, 8, 1, 5, 6, 2, 3, 7]]
    """
    for multipliers in combinations(range(1 if tabled else 0, min(wish.tables, FASTEST)), wish.table_size):
        apart = [other - one for one, other in combinations((0, *multipliers) if tabled else multipliers, 2)]
        if all(wish.tables // gcd(steps, wish.tables) >= wish.rounds for steps in apart):
            rows = [[pace * turn for turn in range(wish.rounds)] for pace in multipliers]
            return DifferenceMatrix(wish.table_size, wish.players, rows)
    return None


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


STORED: Final = Path(__file__).with_name("stored_schedules.txt")
PLAIN: Final = "-"
TABLED: Final = "t"
MATRIX: Final = "j"  # opens a line that holds a difference matrix


@dataclass(frozen=True, slots=True)
class StoredStarters:
    """Starters, the cycle that shifts them, and the repeats in all the rounds that they make.

    `tabled`: the tables shift as well, and nobody comes to a table twice.
    """

    cycle: Cycle
    tabled: bool
    repeats: int
    starters: tuple[tuple[int, ...], ...]

    @property
    def rounds(self) -> int:
        return self.cycle.order * len(self.starters)

    def serves(self, wish: Field) -> bool:
        """Whether this makes a schedule for these rounds: a perfect one can be cut, another is good only whole."""
        return wish.rounds == self.rounds or (not self.repeats and wish.rounds < self.rounds)

    def lines(self) -> list[list[int]]:
        """Return all rounds as lines of players in table order."""
        return self.cycle.develop(self.starters, tabled=self.tabled)

    def as_text(self) -> str:
        """Return the line of the file."""
        cycle, size = self.cycle, self.cycle.table_size
        head = (size, cycle.players, cycle.order, cycle.orbits, TABLED if self.tabled else PLAIN, self.repeats)
        tables = ([" ".join(map(str, table)) for table in tables_of(line, size)] for line in self.starters)
        return " ".join(map(str, head)) + " : " + " | ".join(", ".join(line) for line in tables)


def matrix_as_text(matrix: DifferenceMatrix) -> str:
    """Return the line of the file that holds a matrix: "j", seats at a table, players, then its rows."""
    rows = (" ".join(map(str, row)) for row in matrix.rows)
    return f"{MATRIX} {matrix.table_size} {matrix.players} : {' | '.join(rows)}"


def parse_matrix(text: str) -> DifferenceMatrix:
    """Return the matrix that a line of the file holds.

    >>> parse_matrix("j 3 15 : 0 1 | 0 2 | 0 3").lines()[1][:3]
    [4, 8, 12]
    """
    head, body = text.split(":")
    _, size, players = head.split()
    return DifferenceMatrix(int(size), int(players), tuple(tuple(map(int, row.split())) for row in body.split("|")))


def parse_starters(text: str) -> StoredStarters:
    """Return the starters that a line of the file holds.

    >>> parse_starters("3 9 4 2 - 0 : 0 4 8, 1 2 7, 3 5 6").rounds
    4
    """
    head, body = text.split(":")
    size, players, order, orbits, tabled, repeats = head.split()
    starters = tuple(tuple(map(int, line.replace(",", " ").split())) for line in body.split("|"))
    cycle = Cycle(int(players), int(size), order=int(order), orbits=int(orbits))
    return StoredStarters(cycle, tabled == TABLED, int(repeats), starters)


@cache
def all_starters() -> tuple[StoredStarters, ...]:
    """Return all stored starters."""
    return tuple(parse_starters(line) for line in _lines() if not line.startswith(MATRIX))


@cache
def all_matrices() -> tuple[DifferenceMatrix, ...]:
    """Return all stored difference matrices."""
    return tuple(parse_matrix(line) for line in _lines() if line.startswith(MATRIX))


def _lines() -> list[str]:
    lines = STORED.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def matrix_for(wish: Field) -> DifferenceMatrix | None:
    """Return the matrix stored for these players and exactly these rounds."""
    asked = (wish.players, wish.table_size, wish.rounds)
    return next((each for each in all_matrices() if (each.players, each.table_size, each.rounds) == asked), None)


def starters_for(players: int, table_size: int) -> Sequence[StoredStarters]:
    """Return what is stored for a number of players: those that spread tables first, the longer before the shorter."""
    fitting = [each for each in all_starters() if (each.cycle.players, each.cycle.table_size) == (players, table_size)]
    return sorted(fitting, key=lambda each: (not each.tabled, -each.rounds))


SYMMETRIES: Final = 4  # how many are tried when starters must be searched for
CHOICES: Final = 12  # of the rounds that a long schedule has to spare
WORTH_IT: Final = 100  # players: with more, most sizes have a stored matrix, and judging a choice takes its time


@dataclass(frozen=True, slots=True)
class Draft:
    """Rounds as lines in table order, how many repeats are known to be in them, and how they were made.

    `tabled`: nobody comes to a table twice, so the tables need no other numbers.
    """

    lines: Lines
    repeats: int
    method: str
    tabled: bool = False


def ready_drafts(wish: Field, rng: Rng) -> Iterator[Draft]:
    """Yield the drafts that need no search, the best kind first."""
    if matrix := matrix_for(wish):
        yield Draft(rng.shuffled(matrix.lines()), 0, "stock", tabled=True)
    if linear := linear_matrix(wish, tabled=True):
        yield Draft(linear.lines(), 0, "formula", tabled=True)
    stored = starters_for(wish.players, wish.table_size)
    for entry in stored:
        if entry.serves(wish):
            yield Draft(choose_rounds(entry.lines(), wish, rng), entry.repeats, "stock", entry.tabled)
    if linear := linear_matrix(wish, tabled=False):
        yield Draft(linear.lines(), 0, "formula")
    for entry in stored:
        # a resolvable design: each two players meet exactly once
        is_design = not entry.repeats and entry.rounds * (wish.table_size - 1) == wish.players - 1
        if is_design and entry.rounds < wish.rounds:
            yield Draft(_copies(entry, wish, rng), _repeats_of_copies(entry, wish), "stock, in copies")
    if wish.tables == 1:
        line = list(range(wish.players))
        yield Draft([line] * wish.rounds, _pairs(wish) * wish.rounds * (wish.rounds - 1) // 2, "one table")


def searched_drafts(wish: Field, rng: Rng, budget: SearchBudget) -> Iterator[Draft]:
    """Yield schedules without a repeat that a search for starters finds within a part of the steps."""
    if wish.tables < wish.table_size or even_repeats(wish.rounds * (wish.table_size - 1), wish.players - 1):
        return
    cycles = list(_cycles(wish))[:SYMMETRIES]
    for cycle in cycles:
        if starters := find_starters(StarterSearch(cycle), budget.steps // (2 * len(cycles)), rng, budget):
            yield Draft(choose_rounds(cycle.develop(starters, tabled=False), wish, rng), 0, "starters")


def longest_start(wish: Field, rng: Rng) -> Lines:
    """Return rounds to anneal from: the longest known ones without a repeat, then random rounds."""
    perfect = [entry for entry in starters_for(wish.players, wish.table_size) if not entry.repeats]
    entry = max(perfect, key=lambda entry: entry.rounds, default=None)
    begun = rng.shuffled(entry.lines())[: wish.rounds] if entry else []
    return [*begun, *(rng.shuffled(range(wish.players)) for _ in range(wish.rounds - len(begun)))]


def choose_rounds(lines: Lines, wish: Field, rng: Rng) -> list[list[int]]:
    """Return as many of the rounds as wished, in random order: of a dozen random choices the one of most merit."""
    chosen = rng.shuffled(lines)[: wish.rounds]
    if wish.rounds == len(lines) or len(lines[0]) > WORTH_IT:
        return [list(line) for line in chosen]
    others = Rng(wish.rounds)  # of their own, so that trying them changes nothing else about a draw
    choices = [chosen, *(others.shuffled(lines)[: wish.rounds] for _ in range(CHOICES - 1))]
    best = max(choices, key=lambda choice: merit(choice, wish.table_size))
    return [list(line) for line in best]


def merit(lines: Lines, table_size: int) -> tuple[int, int]:
    """Return the fewest opponents that two who never meet share, and minus how many pairs share so few.

    >>> merit([[0, 1, 2, 3, 4, 5]], 3), merit([[0, 1, 2, 3, 4, 5], [0, 1, 3, 2, 4, 5]], 3)
    ((0, -9), (2, -4))
    """
    shared = count_shared_opponents(count_meetings(lines, table_size), len(lines[0]))
    least = min(shared, default=len(lines[0]))
    return least, -shared[least]


def _cycles(wish: Field) -> Iterator[Cycle]:
    """Yield the symmetries worth a try: an odd cycle just long enough, and few players who stay."""
    first = wish.rounds | 1
    for order in (first, first + 2):
        for orbits in range(wish.players // order, 0, -1):
            if wish.players - orbits * order <= min(wish.tables, order):
                yield Cycle(wish.players, wish.table_size, order, orbits)


def _copies(entry: StoredStarters, wish: Field, rng: Rng) -> Lines:
    """Return copies of a design under other labels, the last one cut.

    Counts of meetings are then within one of each other, and no schedule has fewer repeats.
    """
    lines: list[list[int]] = []
    while len(lines) < wish.rounds:
        names = rng.shuffled(range(wish.players))
        lines += [[names[player] for player in line] for line in rng.shuffled(entry.lines())]
    return lines[: wish.rounds]


def _repeats_of_copies(entry: StoredStarters, wish: Field) -> int:
    whole, more = divmod(wish.rounds, entry.rounds)
    pairs = _pairs(wish)
    return pairs * (entry.rounds * whole * (whole - 1) // 2 + more * whole)


def _pairs(wish: Field) -> int:
    """Return how many pairs meet in one round."""
    return wish.players * (wish.table_size - 1) // 2
