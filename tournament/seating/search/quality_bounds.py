"""Lower bounds, proved by counting: repeats, visits to one table, and three facts that counting does not reach.

A bound holds for every schedule of its size, however drawn. Bounds of tables are codes that a page words.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import comb
from typing import Final

from tournament.seating.search.schedule_1 import NOBODY, Field

# (table size, players, rounds) → repeats that exhaustive searches proved to be needed: 12 in threes over all 15,400
# rounds that there are, and five rounds as the most that 20 players in fours can play without a repeat (OEIS A107431).
PROVED: Final[Mapping[tuple[int, int, int], int]] = {(3, 12, 5): 3, (3, 12, 6): 7, (4, 20, 6): 1}

FEWER_THAN_ROUNDS: Final = "tables.fewer_than_rounds"  # more rounds than tables: everybody comes to one again
SOME_OF_EACH: Final = "tables.some_of_each"  # each table takes players of every table of any other round, its own too
NOTHING: Final = ""


def least_repeats(players: int, table_size: int, rounds: int, fixed: Mapping[int, int] = NOBODY) -> int:
    """Return a number of repeats below which no schedule can go: the largest of the bounds of this module.

    >>> least_repeats(24, 4, 7), least_repeats(24, 4, 8), least_repeats(12, 4, 4)
    (0, 12, 18)
    """
    wish = Field(players, table_size, rounds, fixed)
    return max(_by_players(wish), _by_rounds(wish), _by_search(wish))


def even_repeats(meetings: int, others: int) -> int:
    """Return the least sum of m(m - 1)/2 over `others` counts m that add up to `meetings`: all counts within one.

    m(m - 1)/2 is convex: moving one meeting from a larger count to one at least two smaller lowers the sum.
    """
    if not others:
        return 0
    each, more = divmod(meetings, others)
    return (others - more) * comb(each, 2) + more * comb(each + 1, 2)


def _by_players(wish: Field) -> int:
    """Bound by the meetings of each player; every repeat is counted by its two players.

    A player has R(k - 1) meetings with N - 1 others, at best spread evenly. One with a fixed table meets those fixed to
    the same table in all rounds, those fixed elsewhere never, and has the rest of the meetings with the rest.
    """
    at_table = Counter(wish.fixed.values())
    free = (wish.players - len(wish.fixed)) * even_repeats(wish.rounds * (wish.table_size - 1), wish.players - 1)
    bound = sum(seats * _of_fixed_player(wish, seats) for seats in at_table.values())
    return -(-(free + bound) // 2)


def _of_fixed_player(wish: Field, at_table: int) -> int:
    mates = at_table - 1
    meetings = wish.rounds * (wish.table_size - at_table)
    return mates * comb(wish.rounds, 2) + even_repeats(meetings, wish.players - len(wish.fixed))


def _by_rounds(wish: Field) -> int:
    """Bound by the pairs that two rounds must share if there are fewer tables than seats at one.

    Repeats are the pairs shared, summed over every two rounds. The players of one table come from T old ones; k
    players from T tables share at least what an even spread does, which is 0 only for T >= k.
    """
    shared = wish.tables * even_repeats(wish.table_size, wish.tables)
    return shared * comb(wish.rounds, 2)


def _by_search(wish: Field) -> int:
    """Bound by shorter schedules: each choice of r of the R rounds is a schedule of r rounds.

    Averaged over all choices, W(R) is at least W(r) R(R - 1) / (r(r - 1)), since each two rounds are in as many
    choices.
    """
    return max(_averaged(wish), default=0)


def _averaged(wish: Field) -> Iterator[int]:
    for (size, players, rounds), least in PROVED.items():
        if (size, players) == (wish.table_size, wish.players) and rounds <= wish.rounds:
            yield -(-least * comb(wish.rounds, 2) // comb(rounds, 2))


@dataclass(frozen=True, slots=True)
class TableBounds:
    """The least that `tables_most` and `tables_kept` of a report can be, and the code of what forces them."""

    most: int
    kept: int
    note: str


def table_bounds(wish: Field, repeats: int) -> TableBounds:
    """Return what holds for every schedule of this field with so few repeats.

    A player comes to one of T tables at least R / T times, rounded up. And where two rounds share as few pairs as k
    players from T tables can, each table takes k // T players or more of every table of the other round, also of the
    one with its own number: with as many tables as seats and no repeat just one, who stays, however tables are
    numbered.

    >>> table_bounds(Field(16, 4, 4), repeats=0)
    TableBounds(most=2, kept=12, note='tables.some_of_each')
    >>> table_bounds(Field(40, 4, 12), repeats=0)
    TableBounds(most=2, kept=0, note='tables.fewer_than_rounds')
    """
    tables, rounds = wish.tables, wish.rounds
    most = -(-rounds // tables)
    staying = wish.table_size // tables
    evenly = repeats == tables * even_repeats(wish.table_size, tables) * comb(rounds, 2)
    if rounds > 1 and staying and evenly and not wish.fixed:
        return TableBounds(max(most, 2), tables * staying * (rounds - 1), SOME_OF_EACH)
    return TableBounds(most, 0, FEWER_THAN_ROUNDS if most > 1 else NOTHING)
