"""Data types of the package: request, rounds, the error of a request; and random numbers by a seed.

The same seed gives the same numbers on every machine and Python version.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from random import Random
from types import MappingProxyType
from typing import Final, TypeAlias, TypeVar

from scoring.problems import PROBLEM_TYPES, Problem, ProblemType

SEATING_TABLE_SIZE_UNKNOWN = ProblemType(
    "seating.table_size_unknown", "Tables seat {allowed} players, not {table_size}."
)
SEATING_TOO_FEW = ProblemType("seating.too_few", "{players} players are too few: one table needs {table_size}.")
SEATING_TOO_MANY = ProblemType(
    "seating.too_many", "{players} players are more than this desk draws for (at most {most})."
)
SEATING_NOT_A_MULTIPLE = ProblemType(
    "seating.not_a_multiple",
    "{players} players do not fill tables of {table_size}: {spare} would be left over. Ask for {below} or "
    "{above} players, with substitutes if need be.",
)
SEATING_ROUNDS_TOO_FEW = ProblemType("seating.rounds_too_few", "There must be at least one round, not {rounds}.")
SEATING_ROUNDS_TOO_MANY = ProblemType(
    "seating.rounds_too_many", "{rounds} rounds are more than this desk draws for (at most {most})."
)
SEATING_FIXED_PLAYER_UNKNOWN = ProblemType(
    "seating.fixed_player_unknown", "Player {player} cannot have a fixed table: players are numbered 0 to {last}."
)
SEATING_FIXED_TABLE_UNKNOWN = ProblemType(
    "seating.fixed_table_unknown", "Player {player} cannot be fixed to table {table}: tables are numbered 0 to {last}."
)
SEATING_FIXED_TABLE_FULL = ProblemType(
    "seating.fixed_table_full", "Table {table} seats {table_size}, but {players} players are fixed to it."
)

Table: TypeAlias = tuple[int, ...]  # players in seat order, first East first
Round: TypeAlias = tuple[Table, ...]  # tables in the order of their numbers
Rounds: TypeAlias = tuple[Round, ...]
Seats: TypeAlias = Sequence[Sequence[Sequence[int]]]  # rounds of tables of players in seat order; a table may be empty
Line: TypeAlias = Sequence[int]  # a round in a search: the players of table 0, then those of table 1 …
Lines: TypeAlias = Sequence[Line]

TABLE_SIZES: Final = (3, 4)
MAX_PLAYERS: Final = 2000
MAX_ROUNDS: Final = 60
NOBODY: Final[Mapping[int, int]] = MappingProxyType({})


def tables_of(line: Line, table_size: int) -> list[Sequence[int]]:
    """Return the players of each table, in table order.

    >>> tables_of([4, 0, 2, 5, 1, 3], 3)
    [[4, 0, 2], [5, 1, 3]]
    """
    return [line[at : at + table_size] for at in range(0, len(line), table_size)]


def count_meetings(lines: Lines, table_size: int) -> Counter[tuple[int, int]]:
    """Return how often each two players meet, the lower number first."""
    return Counter(
        pair for line in lines for table in tables_of(line, table_size) for pair in combinations(sorted(table), 2)
    )


def count_repeats(lines: Lines, table_size: int) -> int:
    """Return the sum over pairs of m(m - 1)/2 where m is how often they meet."""
    return sum(comb(times, 2) for times in count_meetings(lines, table_size).values())


@dataclass(frozen=True, slots=True)
class Field:
    """Players 0..players-1 at tables of `table_size` for `rounds` rounds; `fixed` maps a player to a fixed table.

    Raises SeatingError if the numbers do not go together.

    >>> Field(24, 4, 6).tables
    6
    """

    players: int
    table_size: int
    rounds: int
    fixed: Mapping[int, int] = field(default_factory=lambda: NOBODY)

    def __post_init__(self) -> None:
        self._check_size()
        if self.rounds < 1:
            raise SeatingError(SEATING_ROUNDS_TOO_FEW(rounds=self.rounds))
        if self.rounds > MAX_ROUNDS:
            raise SeatingError(SEATING_ROUNDS_TOO_MANY(rounds=self.rounds, most=MAX_ROUNDS))
        for player in self.fixed:
            if not 0 <= player < self.players:
                raise SeatingError(SEATING_FIXED_PLAYER_UNKNOWN(player=player, last=self.players - 1))
        check_fixed(self.fixed, self.tables, self.table_size)

    @property
    def tables(self) -> int:
        return self.players // self.table_size

    def _check_size(self) -> None:
        players, size = self.players, self.table_size
        if size not in TABLE_SIZES:
            allowed = " or ".join(map(str, TABLE_SIZES))
            raise SeatingError(SEATING_TABLE_SIZE_UNKNOWN(table_size=size, allowed=allowed))
        if players < size:
            raise SeatingError(SEATING_TOO_FEW(players=players, table_size=size))
        if players > MAX_PLAYERS:
            raise SeatingError(SEATING_TOO_MANY(players=players, most=MAX_PLAYERS))
        spare = players % size
        if spare:
            below = players - spare
            raise SeatingError(
                SEATING_NOT_A_MULTIPLE(players=players, table_size=size, spare=spare, below=below, above=below + size)
            )


def check_fixed(fixed: Mapping[int, int], tables: int, table_size: int) -> None:
    """Raise SeatingError if a fixed table does not exist, or more players than it seats are fixed to it."""
    for player, table in fixed.items():
        if not 0 <= table < tables:
            raise SeatingError(SEATING_FIXED_TABLE_UNKNOWN(player=player, table=table, last=tables - 1))
    for table, players in Counter(fixed.values()).items():
        if players > table_size:
            raise SeatingError(SEATING_FIXED_TABLE_FULL(table=table, players=players, table_size=table_size))


T = TypeVar("T")


class Rng:
    """A random number generator, fully determined by its seed."""

    __slots__ = ("bits",)

    def __init__(self, seed: int) -> None:
        self.bits = Random(seed).getrandbits  # noqa: S311 a draw is public and repeatable, not a secret

    def below(self, limit: int) -> int:
        """Return one of 0..limit-1, all equally likely."""
        width = limit.bit_length()
        while (drawn := self.bits(width)) >= limit:
            pass
        return drawn

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order, all orders equally likely."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


def shuffle_players(items: Sequence[T], seed: int) -> list[T]:
    """Return the items in the order that a seed draws: this assigns people to the numbers of a schedule.

    >>> shuffle_players("ABCDEF", 7) == shuffle_players("ABCDEF", 7)
    True
    """
    return Rng(seed).shuffled(items)


class SeatingError(ValueError):
    """An invalid request or schedule: its problem, worded in English for commands.

    Rounds count from 1; players and tables have the numbers of the schedule, which start at 0.

    >>> from tournament.seating.search.schedule import SEATING_ROUNDS_TOO_FEW
    >>> str(SeatingError(SEATING_ROUNDS_TOO_FEW(rounds=0)))
    'There must be at least one round, not 0.'
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(PROBLEM_TYPES[problem.code].sentence.format(**problem.params))
        self.problem = problem
