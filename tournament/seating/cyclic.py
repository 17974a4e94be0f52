"""Rounds made from few: every player's number is shifted inside its orbit, round by round, and so is every table's.

Players 0..orbits*order-1 lie in orbits of length `order`; the others stay. Tables shift alike, and the last few stay. A
repeat in the whole schedule is then a repeat of a *kind of pair* in the starter rounds, so a search need only look at
those.
"""

from dataclasses import dataclass

from tournament.seating.lines import Line, Lines, tables_of


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kinds of pairs under the shifts: `of[p][q]` for points p and q, where point players + t is table t.

    The nth pair of a kind (from 0) costs `first[kind] + n * more[kind]`, in halves of repeats per round of the cycle.
    """

    of: list[list[int]]
    first: list[int]
    more: list[int]


@dataclass(frozen=True, slots=True)
class Cycle:
    """The shifts of one size: `order` rounds from each starter.

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

    def kinds(self) -> Kinds:
        """Sort all pairs of points into kinds; two tables make no pair that counts, nor does a point with itself."""
        keys = [self._key(point) for point in range(self.players + self.tables)]
        known: dict[tuple[int, ...], int] = {}
        made = Kinds([[0] * len(keys) for _ in keys], [], [])
        for one in range(self.players):
            for other in range(one + 1, len(keys)):
                name, first, more = self._kind(keys[one], keys[other])
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
        """Put the table that stood at each place where the shifts take it."""
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

    def _kind(self, one: tuple[int, int, bool], other: tuple[int, int, bool]) -> tuple[tuple[int, ...], int, int]:
        """Return a kind's name, the cost of its first pair and what each further pair costs more.

        Over a cycle a pair of two moving points stands for `order` pairs, met once each: n of one kind cost n(n - 1)/2
        each. Half a turn maps a pair onto itself: half as many pairs, met twice each. Two points that stay meet in
        every round; one that stays meets a whole orbit, once each.
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
