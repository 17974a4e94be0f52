"""The input of a round by standing: the order of players, the rounds played, who must not meet.

Turns players into positions in the order (0 = first) and wishes into prices in ranks.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Final, TypeAlias

from scoring.problems import ProblemType
from tournament.seating.search.schedule_1 import NOBODY, Field, check_fixed
from tournament.seating.search.schedule_errors import SeatingError

SEATING_ORDER_TWICE = ProblemType("seating.order_twice", "Player {player} appears twice in the order of standing.")
SEATING_ORDER_FALLS = ProblemType(
    "seating.order_falls", "Player {player} has rank {rank} but comes after rank {before}: the order is best first."
)

Played: TypeAlias = Sequence[Sequence[Sequence[int]]]  # rounds of tables of players in seat order, of any size
Pairs: TypeAlias = Mapping[frozenset[int], int]

NO_GROUPS: Final[Mapping[int, tuple[str, ...]]] = {}


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player, by any number, and the rank; equal ranks are shared."""

    player: int
    rank: int


@dataclass(frozen=True, slots=True)
class Weights:
    """What a meeting costs, in ranks of a table's spread.

    `repeat` is for the second meeting, `thrice` for each further one, `group` for two of one team or club, `apart` for
    a forbidden pair.
    """

    repeat: int = 400
    thrice: int = 40_000
    group: int = 4_000
    apart: int = 4_000_000


@dataclass(frozen=True, slots=True)
class Pairing:
    """Players in order of standing, best first, at tables of `table_size`, after the rounds `played`.

    Players in `played` but not in the order (gone, or substitutes) are ignored. `fixed` maps a player to a fixed table
    (from 0), `apart` are pairs who must not meet, `groups` the teams and clubs of a player. Raises SeatingError if the
    numbers do not go together.
    """

    order: Sequence[Ranked]
    table_size: int
    played: Played = ()
    fixed: Mapping[int, int] = field(default_factory=lambda: NOBODY)
    apart: Collection[frozenset[int]] = ()
    groups: Mapping[int, Collection[str]] = field(default_factory=lambda: NO_GROUPS)
    weights: Weights = field(default_factory=Weights)

    def __post_init__(self) -> None:
        Field(len(self.order), self.table_size, 1)
        self._check_order()
        self._check_fixed()

    @property
    def tables(self) -> int:
        return len(self.order) // self.table_size

    @property
    def players(self) -> list[int]:
        return [each.player for each in self.order]

    @property
    def ranks(self) -> list[int]:
        return [each.rank for each in self.order]

    def meetings(self) -> Pairs:
        """Return how often every two have sat at one table so far."""
        return Counter(frozenset(pair) for tables in self.played for table in tables for pair in combinations(table, 2))

    def prices(self) -> list[list[int]]:
        """Return for every two positions what it costs to seat them together."""
        place = {player: at for at, player in enumerate(self.players)}
        prices = [[0] * len(place) for _ in place]
        dear = Counter({pair: self._price_of_meeting(times) for pair, times in self.meetings().items()})
        dear.update(dict.fromkeys(set(self.apart), self.weights.apart))
        dear.update(dict.fromkeys(self._of_one_group(), self.weights.group))
        for (one, other), price in dear.items():
            if one in place and other in place:
                prices[place[one]][place[other]] = prices[place[other]][place[one]] = price
        return prices

    def pinned(self) -> dict[int, int]:
        """Return the positions that have a fixed table, and which."""
        return {at: self.fixed[each.player] for at, each in enumerate(self.order) if each.player in self.fixed}

    def _of_one_group(self) -> set[frozenset[int]]:
        """Return the pairs of players who are in one group or more together."""
        members: dict[str, list[int]] = {}
        for player in self.players:
            for group in set(self.groups.get(player, ())):
                members.setdefault(group, []).append(player)
        return {frozenset(pair) for each in members.values() for pair in combinations(each, 2)}

    def _price_of_meeting(self, times: int) -> int:
        return 0 if not times else self.weights.repeat if times == 1 else self.weights.thrice * times

    def _check_order(self) -> None:
        twice = [player for player, times in Counter(self.players).items() if times > 1]
        if twice:
            raise SeatingError(SEATING_ORDER_TWICE(player=min(twice)))
        for before, after in pairwise(self.order):
            if after.rank < before.rank:
                raise SeatingError(SEATING_ORDER_FALLS(player=after.player, rank=after.rank, before=before.rank))

    def _check_fixed(self) -> None:
        present = set(self.players)
        check_fixed({who: at for who, at in self.fixed.items() if who in present}, self.tables, self.table_size)


def rank_by_order(players: Sequence[int]) -> list[Ranked]:
    """Return players in order as ranked 1, 2, 3 …, nobody sharing.

    >>> rank_by_order([7, 4])[1]
    Ranked(player=4, rank=2)
    """
    return [Ranked(player, rank) for rank, player in enumerate(players, start=1)]
