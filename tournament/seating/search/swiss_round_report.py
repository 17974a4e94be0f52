"""Count the figures of one round by standing from the bare seats: repeats, width in ranks, winds, missed wishes.

Shares no code with the search.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, TypeAlias

from scoring.problems import ProblemType
from tournament.seating.search.quality_1 import (
    SEATING_PLAYER_TWICE,
    SEATING_TABLE_WRONG_SIZE,
    SEATING_TABLES_WRONG_NUMBER,
)
from tournament.seating.search.schedule_1 import Round
from tournament.seating.search.schedule_errors import SeatingError
from tournament.seating.search.swiss_pairing import Pairing

SEATING_PLAYER_UNRANKED = ProblemType(
    "seating.player_unranked", "Round {round}, table {table}: player {player} is not in the order of standing."
)
ROUND_APART = ProblemType("round.apart", "Two who are to be kept apart sit at one table.")
ROUND_FIXED_TABLE = ProblemType("round.fixed_table", "Somebody does not sit at the table kept for them.")
ROUND_GROUP = ProblemType("round.group", "Two of one team or club sit at one table.")
ROUND_THRICE = ProblemType("round.thrice", "Two meet for the third time or more.")

Seats: TypeAlias = Sequence[Sequence[int]]


class MetAgain(NamedTuple):
    """Two players of one table who had met before, and how often they meet with this round."""

    players: tuple[int, int]
    times: int


class Missed(NamedTuple):
    """A wish that this round misses: its code, the players, and the reason.

    Codes: `round.apart` and `round.group` (two at one table), `round.fixed_table` (one elsewhere), `round.thrice` (two
    meet for the third time or more). Reasons: `not_asked` where the format sets the tables, `crowded` where more of a
    group play than there are tables, `conflict` where nothing better was found.
    """

    code: str
    players: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class RoundReport:
    """The figures of one round. Ranks are those of the standing that it was drawn from.

    `repeats` is what the round adds to the sum over pairs of m(m - 1)/2, `met_again` who they are, `met_most` the
    largest m at any table. A table's width is its largest less its smallest rank: `rank_width` is their sum,
    `rank_width_most` the largest. `winds_spread` is the largest minus smallest count of one starting wind for one
    player, with the rounds before; `tables_kept` counts players at the table number they had in the round before.
    """

    repeats: int
    met_again: tuple[MetAgain, ...]
    met_most: int
    rank_width: int
    rank_width_most: int
    tables: int
    winds_spread: int
    tables_kept: int
    missed: tuple[Missed, ...]
    method: str = "given"

    @property
    def rank_spread(self) -> float:
        """Return the mean width of a table, in ranks; for display only."""
        return self.rank_width / self.tables


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """Tables in the order of their numbers, players in seat order, first East first; and the report."""

    tables: Round
    report: RoundReport


def count_round(tables: Seats, asked: Pairing, *, method: str = "given", searched: bool = True) -> RoundReport:
    """Return the report of a round after `asked.played`; players are those of `asked.order`.

    `searched`: whether the format takes account of wishes. Raises SeatingError if somebody is missing, sits twice or is
    unknown, or a table has the wrong size.
    """
    rank_of = {each.player: each.rank for each in asked.order}
    _check_seats(tables, rank_of, asked)
    before = Counter(
        tuple(sorted(pair)) for seats in asked.played for table in seats for pair in combinations(table, 2)
    )
    pairs = [(one, other) for table in tables for one, other in combinations(sorted(table), 2)]
    again = [MetAgain(pair, before[pair] + 1) for pair in pairs if before[pair]]
    widths = [max(rank_of[player] for player in table) - min(rank_of[player] for player in table) for table in tables]
    return RoundReport(
        repeats=sum(each.times - 1 for each in again),
        met_again=tuple(sorted(again)),
        met_most=max((each.times for each in again), default=1),
        rank_width=sum(widths),
        rank_width_most=max(widths),
        tables=len(tables),
        winds_spread=_winds_spread(tables, asked),
        tables_kept=_tables_kept(tables, asked),
        missed=tuple(_missed(tables, asked, again, searched=searched)),
        method=method,
    )


def _check_seats(tables: Seats, rank_of: Mapping[int, int], asked: Pairing) -> None:
    number, seen = len(asked.played) + 1, set[int]()
    wanted = len(rank_of) // asked.table_size
    if len(tables) != wanted:
        raise SeatingError(SEATING_TABLES_WRONG_NUMBER(round=number, found=len(tables), tables=wanted))
    for at, table in enumerate(tables):
        if len(table) != asked.table_size:
            raise SeatingError(
                SEATING_TABLE_WRONG_SIZE(round=number, table=at, found=len(table), table_size=asked.table_size)
            )
        for player in table:
            if player not in rank_of:
                raise SeatingError(SEATING_PLAYER_UNRANKED(round=number, table=at, player=player))
            if player in seen:
                raise SeatingError(SEATING_PLAYER_TWICE(round=number, player=player))
            seen.add(player)


def _winds_spread(tables: Seats, asked: Pairing) -> int:
    """Return the worst spread of those who sit now; a seat beyond the table size has no wind of this game."""
    had: dict[int, list[int]] = {player: [0] * asked.table_size for table in tables for player in table}
    for seats in (*asked.played, tables):
        for table in seats:
            for seat, player in enumerate(table):
                if player in had and seat < asked.table_size:
                    had[player][seat] += 1
    return max(max(times) - min(times) for times in had.values())


def _tables_kept(tables: Seats, asked: Pairing) -> int:
    if not asked.played:
        return 0
    stayed = (set(old) & set(new) for old, new in zip(asked.played[-1], tables, strict=False))
    return sum(player not in asked.fixed for players in stayed for player in players)


def _missed(tables: Seats, asked: Pairing, again: Sequence[MetAgain], *, searched: bool) -> Iterator[Missed]:
    reason = "conflict" if searched else "not_asked"
    apart = {frozenset(pair) for pair in asked.apart}
    members = Counter(group for table in tables for player in table for group in asked.groups.get(player, ()))
    for at, table in enumerate(tables):
        for pair in combinations(sorted(table), 2):
            if frozenset(pair) in apart:
                yield Missed(ROUND_APART.code, pair, reason)
            shared = set(asked.groups.get(pair[0], ())) & set(asked.groups.get(pair[1], ()))
            if shared:
                crowded = any(members[group] > len(tables) for group in shared)
                yield Missed(ROUND_GROUP.code, pair, "crowded" if crowded and searched else reason)
        for player in table:
            if asked.fixed.get(player, at) != at:
                yield Missed(ROUND_FIXED_TABLE.code, (player,), reason)
    yield from (Missed(ROUND_THRICE.code, each.players, reason) for each in again if each.times > 2)
