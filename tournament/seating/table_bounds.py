"""How seldom players can come to one table again, and why not more seldom: proofs by counting, as codes for the page.

Says nothing about who meets whom, but needs to know how few repeats a schedule has: few repeats force stays.
"""

from dataclasses import dataclass
from math import comb
from typing import Final

from tournament.seating.bounds import even_repeats
from tournament.seating.field import Field

FEWER_THAN_ROUNDS: Final = "tables.fewer_than_rounds"  # more rounds than tables: everybody comes to one again
SOME_OF_EACH: Final = "tables.some_of_each"  # each table takes players of every table of any other round, its own too
NOTHING: Final = ""


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
