"""Cyclic development: whole schedules from little, by shifting numbers modulo the length of a cycle.

Two kinds. `Cycle` shifts starter rounds: players lie in orbits, and two players meet again exactly if their difference
comes twice in the starters. `DifferenceMatrix` shifts classes: each seat of the tables belongs to one class of players,
which moves on by its own row of the matrix.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import gcd
from typing import Final

from tournament.seating.field import Field
from tournament.seating.schedule import Line, Lines, tables_of

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
