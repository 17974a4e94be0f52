"""Wishes of the organiser, in order: the first matters most.

Frozen data. `outcome` counts how often each is missed; `relabelling` and `local_search` search by them. Rounds count
from 1; players and tables have the numbers of the schedule, from 0.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from types import MappingProxyType
from typing import Final, Self

from scoring.problems import ProblemType
from tournament.seating.search.schedule_errors import SeatingError

SEATING_WISH_TWICE = ProblemType("seating.wish_twice", "Two wishes are both called {key}.")
SEATING_WISH_PLAYER_UNKNOWN = ProblemType("seating.wish_player_unknown", "Wish {key}: there is no player {player}.")
SEATING_WISH_ROUND_UNKNOWN = ProblemType(
    "seating.wish_round_unknown", "Wish {key}: there is no round {round}, only 1 to {last}."
)
SEATING_WISH_TABLE_UNKNOWN = ProblemType("seating.wish_table_unknown", "Wish {key}: there is no table {table}.")


class Kind(StrEnum):
    """The kinds of wishes."""

    FIXED = "fixed"  # players who keep one table in every round: always met, wherever in the order
    TOGETHER = "together"  # groups who sit at one table in the given rounds
    APART = "apart"  # groups of whom no two sit at one table in the given rounds
    SEEDS = "seeds"  # the same for players of about one strength
    REPEATS = "repeats"  # as few repeats as possible, third meetings least of all
    WINDS = "winds"  # each starting wind equally often
    TABLES = "tables"  # nobody comes to one table more often than necessary
    ROOMS = "rooms"  # nobody stays in one room all day, and nobody changes rooms every time
    INDIRECT = "indirect"  # two who never meet have opponents in common


PAIRS: Final = (Kind.TOGETHER, Kind.APART, Kind.SEEDS)  # the kinds that speak of two players in a round


@dataclass(frozen=True, slots=True)
class Wish:
    """One wish: its kind, its key in reports, and the parameters of the kind.

    `groups`: players of TOGETHER, APART and SEEDS. `rounds`: where it applies, all if empty. `places`: (player, table)
    for FIXED, (table, room) for ROOMS. `least`: shared opponents for INDIRECT.
    """

    kind: Kind
    key: str
    groups: tuple[tuple[int, ...], ...] = ()
    rounds: tuple[int, ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    least: int = 1

    def holds_in(self, number: int) -> bool:
        """Whether the wish applies to a round, counted from 1."""
        return not self.rounds or number in self.rounds

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield every two players of one group, the lower number first, each pair once."""
        yield from sorted({pair for group in self.groups for pair in combinations(sorted(set(group)), 2)})


REPEATS: Final = Wish(Kind.REPEATS, "repeats")
WINDS: Final = Wish(Kind.WINDS, "winds")
TABLES: Final = Wish(Kind.TABLES, "tables")


def keep_apart(key: str, groups: Iterable[Sequence[int]], rounds: Iterable[int] = ()) -> Wish:
    """Wish that no two of a group (club, country, family, two names) sit at one table in these rounds."""
    return Wish(Kind.APART, key, _groups(groups), tuple(sorted(set(rounds))))


def bring_together(key: str, groups: Iterable[Sequence[int]], rounds: Iterable[int]) -> Wish:
    """Wish that each group sits at one table in these rounds."""
    return Wish(Kind.TOGETHER, key, _groups(groups), tuple(sorted(set(rounds))))


def spread_seeds(ranked: Sequence[int], tables: int, *, tiers: int = 1, rounds: Iterable[int] = (1,)) -> Wish:
    """Wish that the strongest are spread: of the top T (T tables) one at each table, likewise of the next T, and so on.

    `ranked`: the rated players from the strongest down.

    >>> spread_seeds([7, 3, 0, 5, 1], tables=2, tiers=2).groups
    ((7, 3), (0, 5))
    """
    groups = [ranked[at : at + tables] for at in range(0, min(len(ranked), tiers * tables), tables)]
    return Wish(Kind.SEEDS, "seeds", _groups(groups), tuple(sorted(set(rounds))))


def keep_tables(fixed: Mapping[int, int]) -> Wish:
    """Wish that players keep a table in every round."""
    return Wish(Kind.FIXED, "fixed", places=tuple(sorted(fixed.items())))


def mix_rooms(rooms: Mapping[int, int]) -> Wish:
    """Wish that nobody stays in one room throughout and nobody changes rooms every time; `rooms`: room by table."""
    return Wish(Kind.ROOMS, "rooms", places=tuple(sorted(rooms.items())))


def share_opponents(least: int = 1) -> Wish:
    """Wish that two who never meet have at least this many opponents in common."""
    return Wish(Kind.INDIRECT, "indirect", least=least)


def _groups(groups: Iterable[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(group) for group in groups if len(set(group)) > 1)


@dataclass(frozen=True, slots=True)
class Wishes:
    """Wishes in the organiser's order, the most important first. Raises SeatingError if two share a key."""

    order: tuple[Wish, ...] = (REPEATS, WINDS, TABLES)

    def __post_init__(self) -> None:
        keys = [wish.key for wish in self.order]
        for key in keys:
            if keys.count(key) > 1:
                raise SeatingError(SEATING_WISH_TWICE(key=key))

    @property
    def fixed(self) -> dict[int, int]:
        """The table of each player who keeps one."""
        return {player: table for wish in self.of(Kind.FIXED) for player, table in wish.places}

    @property
    def rooms(self) -> dict[int, int]:
        """The room of each table."""
        return {table: room for wish in self.of(Kind.ROOMS) for table, room in wish.places}

    def of(self, *kinds: Kind) -> list[Wish]:
        """Return the wishes of these kinds, in order."""
        return [wish for wish in self.order if wish.kind in kinds]

    def rank(self, kind: Kind) -> int:
        """Return the place of the first wish of a kind in the order, or the number of wishes if there is none."""
        return next((at for at, wish in enumerate(self.order) if wish.kind == kind), len(self.order))

    def ordered(self, keys: Sequence[str]) -> Self:
        """Return the same wishes in the order of these keys; the others follow in their old order.

        >>> [wish.key for wish in Wishes().ordered(["tables"]).order]
        ['tables', 'repeats', 'winds']
        """
        places = {key: at for at, key in enumerate(keys)}
        return type(self)(tuple(sorted(self.order, key=lambda wish: places.get(wish.key, len(keys)))))

    def check(self, players: int, tables: int, rounds: int) -> None:
        """Raise SeatingError if a wish names a player, table or round that does not exist."""
        for wish in self.order:
            for player in (player for group in wish.groups for player in group):
                if not 0 <= player < players:
                    raise SeatingError(SEATING_WISH_PLAYER_UNKNOWN(key=wish.key, player=player))
            for number in wish.rounds:
                if not 1 <= number <= rounds:
                    raise SeatingError(SEATING_WISH_ROUND_UNKNOWN(key=wish.key, round=number, last=rounds))
            for table, _ in wish.places if wish.kind == Kind.ROOMS else ():
                if not 0 <= table < tables:
                    raise SeatingError(SEATING_WISH_TABLE_UNKNOWN(key=wish.key, table=table))


# The order of kinds by the name of a preset, as a page offers them.
PRESETS: Final[Mapping[str, tuple[Kind, ...]]] = MappingProxyType(
    {
        "meetings": (
            *(Kind.FIXED, Kind.TOGETHER, Kind.REPEATS, Kind.WINDS, Kind.APART),
            *(Kind.SEEDS, Kind.TABLES, Kind.ROOMS, Kind.INDIRECT),
        ),
        "apart": (
            *(Kind.FIXED, Kind.TOGETHER, Kind.APART, Kind.SEEDS, Kind.REPEATS),
            *(Kind.WINDS, Kind.TABLES, Kind.ROOMS, Kind.INDIRECT),
        ),
        "tables": (
            *(Kind.FIXED, Kind.TOGETHER, Kind.TABLES, Kind.ROOMS, Kind.REPEATS),
            *(Kind.WINDS, Kind.APART, Kind.SEEDS, Kind.INDIRECT),
        ),
    }
)


def preset(name: str, wishes: Iterable[Wish] = ()) -> Wishes:
    """Return the wishes in the order of a preset, with the repeats, winds and tables of every draw.

    >>> [wish.key for wish in preset("apart", [keep_apart("clubs", [(0, 1)])]).order]
    ['clubs', 'repeats', 'winds', 'tables']
    """
    order = PRESETS[name]
    given = list(wishes)
    kinds = {wish.kind for wish in given}
    given += [wish for wish in (REPEATS, WINDS, TABLES) if wish.kind not in kinds]
    return Wishes(tuple(sorted(given, key=lambda wish: order.index(wish.kind))))
