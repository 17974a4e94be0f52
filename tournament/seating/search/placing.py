"""Give every table its seat order and its number, so that winds and tables come to each player as evenly as possible.

`seat_by_winds` is exact, for a whole event of full tables. In each block of k rounds (k seats at a table, the last
block may be shorter) take the bipartite graph of players and tables, with an edge where a player sits at a table. No
player has more than k edges, and every table has k. By König's theorem the edges have a proper colouring with k
colours: the winds. So in each block nobody has a wind twice, whole blocks give every wind once, and the counts of a
player differ by 0 if k divides the rounds, else by 1.

`seat_after` is a search, for rounds after a break in the plan, where winds already had must be made up for: the best
order of each table by turns until none improves, then ejection chains.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations
from typing import Final, TypeAlias

from tournament.seating.search.annealing import WORST, SearchBudget, anneal, cooling
from tournament.seating.search.schedule import Lines, Rng, Round, Rounds, Seats, tables_of

NOBODY: Final = -1  # at a seat that is still free
SWEEPS: Final = 12
CHAINS: Final = 60
LONGEST: Final = 300  # hand-overs in one chain

Tables: TypeAlias = Sequence[Sequence[int]]  # one round: who sits at each table, in any order


def seat_by_winds(rounds: Sequence[Tables]) -> Rounds:
    """Return the same tables in the same order with their players in seat order, first East first."""
    size = len(rounds[0][0])
    seated: list[Round] = []
    for begun in range(0, len(rounds), size):
        seated.extend(_Block(rounds[begun : begun + size]).seat())
    return tuple(seated)


class _Block:
    """At most k rounds; colours their edges one by one."""

    def __init__(self, rounds: Sequence[Tables]) -> None:
        self.size = len(rounds[0][0])
        self.rounds = rounds
        every_table = [table for tables in rounds for table in tables]
        self.players = [[NOBODY] * self.size for _ in every_table]  # of a table, by wind
        self.tables: dict[int, list[int | None]] = {}  # of a player, by wind
        for player in (player for table in rounds[0] for player in table):
            self.tables[player] = [None] * self.size
        for table, players in enumerate(every_table):
            for player in players:
                # colour one edge: with a wind free at the table, after freeing it at the player if need be
                wind = self.players[table].index(NOBODY)
                if self.tables[player][wind] is not None:
                    self._exchange(player, wind, self.tables[player].index(None))
                self.players[table][wind] = player
                self.tables[player][wind] = table

    def seat(self) -> Rounds:
        seats = iter(self.players)
        return tuple(tuple(tuple(next(seats)) for _ in tables) for tables in self.rounds)

    def _exchange(self, player: int, wind: int, other: int) -> None:
        """Free `wind` at a player without `other` by exchanging the two along the alternating path from there.

        The path enters each table by `wind` and leaves it by `other`, so it cannot come to the table that is being
        seated, where `wind` is free; all others on it are full.
        """
        path: list[tuple[int, int, int]] = []  # player, table, the edge's wind before
        walker = player
        while (table := self.tables[walker][wind]) is not None:
            path.append((walker, table, wind))
            walker = self.players[table][other]
            path.append((walker, table, other))
        for who, table, before in path:
            self.tables[who][before] = None
            self.players[table][before] = NOBODY
        for who, table, before in path:
            after = other if before == wind else wind
            self.tables[who][after] = table
            self.players[table][after] = who


def seat_after(rounds: Seats, played: Seats, rng: Rng) -> Rounds:
    """Return the same tables with their players in seat order, winds as even as found over the whole event."""
    order = _Order(rounds, played)
    for _ in range(SWEEPS):
        if not order.sweep():
            break
    order.chain(CHAINS, rng)
    return order.seated()


class _Order:
    """Tables in seat order and how often each player had each wind; what counts is the sum of the squares."""

    def __init__(self, rounds: Seats, played: Seats) -> None:
        self.had = Counter((player, seat) for tables in played for table in tables for seat, player in enumerate(table))
        self.tables = [[list(table) for table in tables] for tables in rounds]
        self.flat = [table for tables in self.tables for table in tables if len(table) > 1]
        self.size = max((len(table) for tables in (*played, *rounds) for table in tables), default=1)
        for table in self.flat:
            table[:] = self._best_order(table)
            self._count(table, 1)

    def sweep(self) -> bool:
        """Give each table the best order with all others as they are; return whether any improved."""
        better = False
        for table in self.flat:
            self._count(table, -1)
            best = self._best_order(table)
            if self._cost(best) < self._cost(table):
                table[:] = best
                better = True
            self._count(table, 1)
        return better

    def chain(self, tries: int, rng: Rng) -> None:
        """Run ejection chains: hand a wind that somebody has too often on until it reaches one who has it too seldom.

        Every hand-over leaves one player with a wind too many, who goes on; the most even order seen is kept.
        """
        tables: dict[int, list[list[int]]] = {}
        for table in self.flat:
            for player in table:
                tables.setdefault(player, []).append(table)
        least, best = self._faults(tables), [list(table) for table in self.flat]
        for _ in range(tries):
            worst, _ = self._faults(tables)
            if worst < 2:
                break
            wrong = [player for player in sorted(tables) if self._spread(player) == worst]
            self._hand_on(wrong[rng.below(len(wrong))], tables, rng)
            faults = self._faults(tables)
            if faults < least:
                least, best = faults, [list(table) for table in self.flat]
        for table, kept in zip(self.flat, best, strict=True):
            table[:] = kept

    def _hand_on(self, player: int, tables: Mapping[int, Sequence[list[int]]], rng: Rng) -> None:
        last: list[int] | None = None
        for _ in range(LONGEST):
            winds = self._too_often(player)
            if not winds:
                return
            most, least = winds
            here = [table for table in tables[player] if len(table) > most and table[most] == player]
            may = [table for table in here if len(table) > least and table is not last]
            if not may:
                return
            last = may[rng.below(len(may))]
            player = last[least]
            self._exchange(last, most, least)

    def _too_often(self, player: int) -> tuple[int, int] | None:
        """Return the winds that a player has most and least often, if they are two or more apart."""
        counts = [self.had[player, seat] for seat in range(self.size)]
        most, least = max(counts), min(counts)
        return (counts.index(most), counts.index(least)) if most - least > 1 else None

    def _exchange(self, table: list[int], one: int, other: int) -> None:
        self._count(table, -1)
        table[one], table[other] = table[other], table[one]
        self._count(table, 1)

    def _spread(self, player: int) -> int:
        counts = [self.had[player, seat] for seat in range(self.size)]
        return max(counts) - min(counts)

    def _faults(self, players: Iterable[int]) -> tuple[int, int]:
        """Return the largest spread of a player, and the sum of the squares of all."""
        worst = max(map(self._spread, players), default=0)
        return worst, sum(times * times for times in self.had.values())

    def seated(self) -> Rounds:
        made: list[Round] = [tuple(tuple(table) for table in tables) for tables in self.tables]
        return tuple(made)

    def _best_order(self, table: Sequence[int]) -> list[int]:
        return list(min(permutations(table), key=self._cost))

    def _cost(self, table: Iterable[int]) -> int:
        had = self.had
        return sum([had[player, seat] for seat, player in enumerate(table)])

    def _count(self, table: Sequence[int], times: int) -> None:
        for seat, player in enumerate(table):
            self.had[player, seat] += times


# The price of the next visit to a table is a power of the visits before it.
SQUARE: Final = 2  # a third visit is as bad as four second ones
LINEAR: Final = 1  # n visits cost n(n - 1)/2
STALE: Final = 6  # what it costs that a player never or always changes rooms, in visits
TRIES: Final = 400  # swaps of two table numbers in all rounds at once

Exchange: TypeAlias = tuple[int, int, int, int]  # round, table, other table, change in cost


def number_tables(
    lines: Lines, table_size: int, fixed: Collection[int], steps: int, rng: Rng, budget: SearchBudget
) -> list[list[int]]:
    """Return the rounds with their tables renumbered from scratch; the fixed tables keep their numbers."""
    moving = [table for table in range(len(lines[0]) // table_size) if table not in fixed]
    if len(moving) < 2:
        return [list(line) for line in lines]
    rounds = [list(tables_of(line, table_size)) for line in lines]
    for tables in rounds:
        taken = [tables[table] for table in rng.shuffled(moving)]
        for table, players in zip(moving, taken, strict=True):
            tables[table] = players
    search = _Exchanges(rounds, (), (), {}, SQUARE, rng, moving)
    visits = Counter(player for tables in rounds for table in moving for player in tables[table])
    goal = sum(times * _even_cost(each, len(moving)) for each, times in Counter(visits.values()).items())
    best, _ = anneal(search, budget.cooled(steps, cooling(16, 2, slices=12)), goal)
    return [[player for table in tables for player in table] for tables in best]


def renumber_tables(
    rounds: Seats,
    played: Seats,
    pinned: Collection[int],
    rooms: Mapping[int, int],
    steps: int,
    rng: Rng,
    budget: SearchBudget,
) -> list[list[list[int]]]:
    """Return the rounds with few visits of a player to one table, the rounds played included, and rooms well mixed.

    A table where somebody pinned sits keeps its number. `rooms` is the room of each table, and may be empty.
    """
    search = _Exchanges(rounds, played, pinned, rooms, LINEAR, rng, range(len(rounds[0])))
    if rooms and not played:
        search.exchange_in_all_rounds(TRIES)
    best, _ = anneal(search, budget.cooled(steps, cooling(14, 1, slices=12)), goal=-1)
    return best


def _even_cost(visits: int, tables: int) -> int:
    """Return the least that the visits of one player cost: the counts of the tables are within one of each other."""
    each, more = divmod(visits, tables)
    return tables * sum(before**SQUARE for before in range(each)) + more * each**SQUARE


class _Exchanges:
    """Rounds of tables, the visits of each player to each table, and each player's rooms by round."""

    def __init__(
        self,
        rounds: Seats,
        played: Seats,
        pinned: Collection[int],
        rooms: Mapping[int, int],
        power: int,
        rng: Rng,
        moving: Sequence[int],
    ) -> None:
        self.rounds = [[list(table) for table in tables] for tables in rounds]
        self.played = len(played)
        self.pinned, self.rooms, self.rng, self.moving = set(pinned), rooms, rng, moving
        every_round = [*played, *self.rounds]
        self.prices = [visits**power for visits in range(len(every_round) + 1)]
        people = 1 + max((player for tables in every_round for table in tables for player in table), default=0)
        self.visits = [[0] * max(map(len, every_round)) for _ in range(people)]
        self.path: list[list[int | None]] = [[None] * len(every_round) for _ in range(people)]
        self.cost, counted = 0, set(moving)
        for number, tables in enumerate(every_round):
            for table, players in enumerate(tables):
                for player in players:
                    self.path[player][number] = rooms.get(table, 0)
                self.cost += self._arrive(players, table) if table in counted else 0
        self.cost += sum(map(self._stale, range(people)))
        self.plain = not rooms and not pinned and len({len(table) for tables in rounds for table in tables}) == 1

    def copy(self) -> list[list[list[int]]]:
        return [list(tables) for tables in self.rounds]

    def exchange_in_all_rounds(self, tries: int) -> None:
        """Exchange two tables in all rounds where that costs nothing: every count of visits stays as it is."""
        kept = {at for tables in self.rounds for at, table in enumerate(tables) if self.pinned & set(table)}
        sizes = {at: {len(tables[at]) for tables in self.rounds} for at in range(len(self.rounds[0]))}
        free = [at for at in sizes if at not in kept]
        for _ in range(tries if len(free) > 1 else 0):
            one, other = free[self.rng.below(len(free))], free[self.rng.below(len(free))]
            if sizes[one] == sizes[other] and self.rooms.get(one) != self.rooms.get(other):
                before = self.cost
                self._exchange_everywhere(one, other)
                if self.cost > before:
                    self._exchange_everywhere(one, other)

    def _exchange_everywhere(self, one: int, other: int) -> None:
        for which in range(len(self.rounds)):
            self.make((which, one, other, self._change(which, one, other)))

    def proposals(self) -> Iterator[tuple[int, int, Exchange]]:
        """Yield exchanges of the numbers of two tables in one round."""
        bits, moving, width, rounds, plain = self.rng.bits, self.moving, len(self.moving), self.rounds, self.plain
        visits_change = self._visits_change
        while True:
            drawn, which = divmod(bits(64), len(rounds))
            drawn, one = divmod(drawn, width)
            drawn, other = divmod(drawn, width)
            one, other = moving[one], moving[other]
            if one == other:
                change = WORST
            elif plain:
                tables = rounds[which]
                change = visits_change(tables[one], one, other) + visits_change(tables[other], other, one)
            else:
                change = self._change(which, one, other)
            yield change, drawn, (which, one, other, change)

    def _change(self, which: int, one: int, other: int) -> int:
        """Return what an exchange costs; WORST where one of the tables may not move."""
        here, there = self.rounds[which][one], self.rounds[which][other]
        if len(here) != len(there) or (self.pinned and self.pinned.intersection([*here, *there])):
            return WORST
        change = self._visits_change(here, one, other) + self._visits_change(there, other, one)
        if self.rooms and self.rooms.get(one) != self.rooms.get(other):
            number = self.played + which
            change += self._rooms_change(here, number, other) + self._rooms_change(there, number, one)
        return change

    def _visits_change(self, players: Sequence[int], here: int, there: int) -> int:
        visits, prices = self.visits, self.prices
        return sum([prices[visits[player][there]] - prices[visits[player][here] - 1] for player in players])

    def _rooms_change(self, players: Sequence[int], number: int, there: int) -> int:
        change = 0
        for player in players:
            path = self.path[player]
            before = path[number]
            change -= self._stale(player)
            path[number] = self.rooms.get(there, 0)
            change += self._stale(player)
            path[number] = before
        return change

    def _stale(self, player: int) -> int:
        if not self.rooms or player in self.pinned:
            return 0
        path = [room for room in self.path[player] if room is not None]
        changes = sum(before != after for before, after in pairwise(path))
        return STALE if len(path) > 2 and changes in {0, len(path) - 1} else 0

    def make(self, move: Exchange) -> None:
        which, one, other, change = move
        tables = self.rounds[which]
        for players, here, there in ((tables[one], one, other), (tables[other], other, one)):
            for player in players:
                self.visits[player][here] -= 1
            for player in players if self.rooms else ():
                self.path[player][self.played + which] = self.rooms.get(there, 0)
            self._arrive(players, there)
        tables[one], tables[other] = tables[other], tables[one]
        self.cost += change

    def _arrive(self, players: Sequence[int], table: int) -> int:
        cost = 0
        for player in players:
            cost += self.prices[self.visits[player][table]]
            self.visits[player][table] += 1
        return cost
