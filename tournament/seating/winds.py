"""Gives every table its seat order, so that each starting wind comes to each player as evenly as the rounds allow.

Exact, never a search. In each block of k rounds (k seats at a table, the last block may be shorter) draw an edge from a
player to each table that the player sits at. No player has more than k edges, and every table has k. By König's theorem
such a two-sided graph can be coloured with k colours so that no colour meets itself at a player or a table. The colours
are the winds: in each block nobody has a wind twice, so whole blocks give every wind once and the last block adds one
at most: the counts of a player differ by 0 if k divides the rounds, else by 1.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

from tournament.seating.schedule import Round, Rounds

NOBODY: Final = -1  # who sits where nobody sits yet

Tables: TypeAlias = Sequence[Sequence[int]]  # one round: who sits at each table, in any order


def seat_by_winds(rounds: Sequence[Tables]) -> Rounds:
    """Return the same tables in the same order with their players in seat order, first East first."""
    size = len(rounds[0][0])
    seated: list[Round] = []
    for begun in range(0, len(rounds), size):
        seated.extend(_Block(rounds[begun : begun + size]).seat())
    return tuple(seated)


class _Block:
    """At most k rounds whose edges are coloured one by one."""

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
                self._seat_one(player, table)

    def seat(self) -> Rounds:
        seats = iter(self.players)
        return tuple(tuple(tuple(next(seats)) for _ in tables) for tables in self.rounds)

    def _seat_one(self, player: int, table: int) -> None:
        """Colour one edge: with a wind free at the table, after freeing it at the player if need be."""
        wind = self.players[table].index(NOBODY)
        if self.tables[player][wind] is not None:
            self._exchange(player, wind, self.tables[player].index(None))
        self.players[table][wind] = player
        self.tables[player][wind] = table

    def _exchange(self, player: int, wind: int, other: int) -> None:
        """Free `wind` at a player who has not `other`, by exchanging the two along the path that starts there.

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
