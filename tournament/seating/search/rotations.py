"""Whole schedules without a search, and the drafts that they offer: stored, by formula, in copies.

`Cycle` shifts starter rounds: players lie in orbits, and two players meet again exactly if their difference comes twice
in the starters. `DifferenceMatrix` shifts classes: each seat of the tables belongs to one class of players, which moves
on by its own row of the matrix. stored_schedules.txt holds those that `scripts/find_schedules.py` found.
`longest_rounds` combines them to the longest schedule known in which nobody meets twice.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from math import gcd
from pathlib import Path
from typing import Final

from tournament.seating.search.quality import count_shared_opponents
from tournament.seating.search.schedule import MAX_ROUNDS, Field, Line, Lines, Rng, count_meetings, tables_of

FASTEST: Final = 12  # multipliers beyond this are not tried; every field of k * rounds tables does with 1..k


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


STOCK_ROUNDS: Final = 13  # longer starters come after all other drafts: shorter draws stay what their seed gave
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
    for entry in starters_for(wish.players, wish.table_size):
        if entry.rounds <= STOCK_ROUNDS and entry.serves(wish):
            yield Draft(choose_rounds(entry.lines(), wish, rng), entry.repeats, "stock", entry.tabled)
    if linear := linear_matrix(wish, tabled=False):
        yield Draft(linear.lines(), 0, "formula")
    if wish.tables == 1:
        line = list(range(wish.players))
        yield Draft([line] * wish.rounds, _pairs(wish) * wish.rounds * (wish.rounds - 1) // 2, "one table")
    longest = longest_rounds(wish.players, wish.table_size)
    if wish.rounds <= len(longest):
        yield Draft(choose_rounds(longest, wish, rng), 0, "stock, combined")
    elif len(longest) * (wish.table_size - 1) == wish.players - 1:  # a resolvable design: each two meet exactly once
        copies, more = divmod(wish.rounds, len(longest))
        repeats = _pairs(wish) * (len(longest) * copies * (copies - 1) // 2 + more * copies)
        yield Draft(copy_rounds(longest, wish, rng), repeats, "stock, in copies")


@cache
def longest_rounds(players: int, table_size: int) -> list[list[int]]:
    """Return the longest schedule known in which nobody meets twice, at most `MAX_ROUNDS` rounds. Do not change it.

    Where each table takes one player of each class, no two of one class have met: rounds within the classes follow.

    >>> [len(longest_rounds(players, 4)) for players in (8, 16, 64)]
    [1, 5, 21]
    """
    tables = players // table_size
    within = [] if tables % table_size else longest_rounds(tables, table_size)
    joined = [[label + who for label in range(0, players, tables) for who in line] for line in within]
    linear = (
        linear_matrix(Field(players, table_size, rounds), tabled=False)
        for rounds in range(min(MAX_ROUNDS, tables), 0, -1)
    )
    of_classes = [
        transversal_rounds(tables, table_size) or next((matrix.lines() for matrix in linear if matrix), []),
        *(each.lines() for each in all_matrices() if (each.players, each.table_size) == (players, table_size)),
    ]
    known = [
        *(entry.lines() for entry in starters_for(players, table_size) if not entry.repeats),
        *([*lines, *joined] for lines in of_classes if lines),
        [list(range(players))],
    ]
    return max(known, key=len)[:MAX_ROUNDS]


def transversal_rounds(tables: int, table_size: int) -> list[list[int]]:
    """Return T rounds of T tables (at most `MAX_ROUNDS`) with one player of each class, or none out of reach.

    In round r the classes move on by 0, r, x r and x r + r. Nobody meets twice where 1, x, x - 1 and x + 1 have
    inverses: in the numbers modulo a prime with x = 2, and for a power p**n in the polynomials modulo p and
    x**n = x + 1, which is not 0 for x = 0, 1 or -1. Other T are products of these.

    >>> transversal_rounds(4, 3)[1]
    [0, 5, 11, 1, 4, 10, 2, 7, 9, 3, 6, 8]
    """
    powers: Counter[int] = Counter()
    left = tables
    for prime in range(2, tables + 1):
        while left % prime == 0:
            left //= prime
            powers[prime] += 1
    if any(count == 1 and prime < table_size for prime, count in powers.items()):
        return []
    primes = [prime for prime, count in powers.items() for _ in range(count)]
    members = list(product(*map(range, primes)))

    def add(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
        return tuple((mine + more) % prime for mine, more, prime in zip(one, other, primes, strict=True))

    def multiply(member: Sequence[int]) -> list[int]:
        made: list[int] = []
        for count in powers.values():
            first, *others = member[len(made) : len(made) + count]
            made += [others[-1], first + others[-1], *others[:-1]] if others else [2 * first]
        return made

    place = {member: at for at, member in enumerate(members)}
    lines = []
    for step in members[:MAX_ROUNDS]:
        steps = [[0] * len(primes), step, multiply(step), add(step, multiply(step))][:table_size]
        lines.append(
            [number * tables + place[add(member, by)] for member in members for number, by in enumerate(steps)]
        )
    return lines


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


def copy_rounds(lines: Lines, wish: Field, rng: Rng) -> list[list[int]]:
    """Return copies of a schedule under other labels, the last one cut.

    Counts of meetings in copies of a design are within one of each other, and no schedule has fewer repeats.
    """
    copies: list[list[int]] = []
    while len(copies) < wish.rounds:
        names = rng.shuffled(range(wish.players))
        copies += [[names[player] for player in line] for line in rng.shuffled(lines)]
    return copies[: wish.rounds]


def _pairs(wish: Field) -> int:
    """Return how many pairs meet in one round."""
    return wish.players * (wish.table_size - 1) // 2
