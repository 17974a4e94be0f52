"""What is asked for: how many players, seats at a table and rounds, and who must keep which table.

Checked once, on making; never says how it is met.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from tournament.seating.errors import SeatingError

TABLE_SIZES: Final = (3, 4)
MOST_PLAYERS: Final = 2000
MOST_ROUNDS: Final = 60
NOBODY: Final[Mapping[int, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Field:
    """Players 0..players-1 at tables of `table_size` for `rounds` rounds; `fixed` maps a player to a table for good.

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
        self._check_rounds()
        self._check_fixed()

    @property
    def tables(self) -> int:
        return self.players // self.table_size

    def _check_size(self) -> None:
        players, size = self.players, self.table_size
        if size not in TABLE_SIZES:
            allowed = " or ".join(map(str, TABLE_SIZES))
            raise SeatingError("seating.table_size_unknown", {"table_size": size, "allowed": allowed})
        if players < size:
            raise SeatingError("seating.too_few", {"players": players, "table_size": size})
        if players > MOST_PLAYERS:
            raise SeatingError("seating.too_many", {"players": players, "most": MOST_PLAYERS})
        spare = players % size
        if spare:
            around = {"below": players - spare, "above": players - spare + size}
            told = {"players": players, "table_size": size, "spare": spare, **around}
            raise SeatingError("seating.not_a_multiple", told)

    def _check_rounds(self) -> None:
        if self.rounds < 1:
            raise SeatingError("seating.rounds_too_few", {"rounds": self.rounds})
        if self.rounds > MOST_ROUNDS:
            raise SeatingError("seating.rounds_too_many", {"rounds": self.rounds, "most": MOST_ROUNDS})

    def _check_fixed(self) -> None:
        for player, table in self.fixed.items():
            if not 0 <= player < self.players:
                raise SeatingError("seating.fixed_player_unknown", {"player": player, "last": self.players - 1})
            if not 0 <= table < self.tables:
                told = {"player": player, "table": table, "last": self.tables - 1}
                raise SeatingError("seating.fixed_table_unknown", told)
        for table, wanted in Counter(self.fixed.values()).items():
            if wanted > self.table_size:
                told = {"table": table, "players": wanted, "table_size": self.table_size}
                raise SeatingError("seating.fixed_table_full", told)
