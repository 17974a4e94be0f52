"""Judge each wish: how often it is missed, where, the proved minimum, and the reason for that.

Counts the bare rounds, of any shape; shares no code with the searches.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb
from typing import Final

from tournament.seating.search.quality_1 import count_visits, count_winds
from tournament.seating.search.quality_bounds import even_repeats
from tournament.seating.search.schedule_1 import Seats
from tournament.seating.search.wishes_1 import Kind, Wish, Wishes

ANY: Final = -1  # for a round or a table that cannot be named


@dataclass(frozen=True, slots=True)
class Miss:
    """A place where a wish is missed: round (from 1) and table (from 0), or ANY, and the players concerned."""

    round: int
    table: int
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How often a wish is missed, a lower bound of that for any draw, its reason, and places.

    `why` is the code of what forces `least`: group_larger_than_tables, fixed_together, fixed_apart, group_too_large,
    meetings_exceed_players, or "" where nothing is proved. `where` need not list every place; `missed` counts all.
    """

    wish: Wish
    missed: int
    least: int = 0
    why: str = ""
    where: tuple[Miss, ...] = ()

    @property
    def met(self) -> bool:
        return self.missed == 0

    @property
    def is_least(self) -> bool:
        """Whether no draw could do better."""
        return self.missed <= self.least


def judge_wishes(rounds: Seats, wishes: Wishes, table_size: int) -> tuple[Outcome, ...]:
    """Return the outcome of each wish, in the order of the wishes."""
    return tuple(_JUDGES[wish.kind](rounds, wish, wishes, table_size) for wish in wishes.order)


def _judge_apart(rounds: Seats, wish: Wish, wishes: Wishes, _table_size: int) -> Outcome:
    where = [
        Miss(number, at, tuple(sorted(found)))
        for number, tables in _meant(rounds, wish)
        for at, table in enumerate(tables)
        for group in wish.groups
        if len(found := set(group) & set(table)) > 1
    ]
    missed = sum(comb(len(miss.players), 2) for miss in where)
    least, why = _least_apart(rounds, wish, wishes.fixed)
    return Outcome(wish, missed, least, why, tuple(where))


def _least_apart(rounds: Seats, wish: Wish, fixed: Mapping[int, int]) -> tuple[int, str]:
    """Bound by groups with more players than tables, or by pairs fixed to one table."""
    meant = list(_meant(rounds, wish))
    crowded = sum(
        even_repeats(sum(player in group for table in tables for player in table), sum(map(bool, tables)))
        for _, tables in meant
        for group in wish.groups
    )
    bound = sum(one in fixed and fixed[one] == fixed.get(other) for one, other in wish.pairs()) * len(meant)
    if bound > crowded:
        return bound, "fixed_together"
    return crowded, "group_larger_than_tables" if crowded else ""


def _judge_together(rounds: Seats, wish: Wish, wishes: Wishes, table_size: int) -> Outcome:
    where = []
    missed = 0
    for number, tables in _meant(rounds, wish):
        at = {player: table for table, players in enumerate(tables) for player in players}
        for group in wish.groups:
            split = sum(at.get(one) != at.get(other) for one, other in combinations(group, 2))
            missed += split
            if split:
                where.append(Miss(number, ANY, tuple(group)))
    least, why = _least_together(rounds, wish, wishes.fixed, table_size)
    return Outcome(wish, missed, least, why, tuple(where))


def _least_together(rounds: Seats, wish: Wish, fixed: Mapping[int, int], table_size: int) -> tuple[int, str]:
    meant = len(list(_meant(rounds, wish)))
    parted = sum(one in fixed and other in fixed and fixed[one] != fixed[other] for one, other in wish.pairs())
    large = sum(_split_pairs(len(group), table_size) for group in wish.groups)
    if parted > large:
        return parted * meant, "fixed_apart"
    return large * meant, "group_too_large" if large else ""


def _split_pairs(players: int, table_size: int) -> int:
    """Return how many pairs of a group are split if it fills as many tables as it can."""
    whole, more = divmod(players, table_size)
    return comb(players, 2) - whole * comb(table_size, 2) - comb(more, 2)


def _judge_fixed(rounds: Seats, wish: Wish, _wishes: Wishes, _table_size: int) -> Outcome:
    fixed = dict(wish.places)
    where = [
        Miss(number, at, (player,))
        for number, tables in enumerate(rounds, start=1)
        for at, table in enumerate(tables)
        for player in table
        if fixed.get(player, at) != at
    ]
    return Outcome(wish, len(where), where=tuple(where))


def _judge_repeats(rounds: Seats, wish: Wish, wishes: Wishes, _table_size: int) -> Outcome:
    met: dict[frozenset[int], list[tuple[int, int]]] = {}
    for number, tables in enumerate(rounds, start=1):
        for at, table in enumerate(tables):
            for pair in combinations(table, 2):
                met.setdefault(frozenset(pair), []).append((number, at))
    where = [Miss(*seats[-1], tuple(sorted(pair))) for pair, seats in met.items() if len(seats) > 1]
    missed = sum(comb(len(seats), 2) for seats in met.values())
    least = _least_repeats(rounds, wishes)
    why = "meetings_exceed_players" if least else ""
    return Outcome(wish, missed, least, why, tuple(sorted(where, key=lambda miss: (miss.round, miss.players))))


def _least_repeats(rounds: Seats, wishes: Wishes) -> int:
    """Bound by the meetings of each player, spread over all whom no wish for the whole event keeps apart.

    Holds for every draw with as many meetings of each player that meets those wishes.
    """
    meetings = Counter(player for tables in rounds for table in tables for player in table for _ in table[1:])
    away: dict[int, set[int]] = {player: {player} for player in meetings}
    for wish in wishes.of(Kind.APART):
        if len(list(_meant(rounds, wish))) == len(rounds):
            for one, other in wish.pairs():
                away.setdefault(one, set()).add(other)
                away.setdefault(other, set()).add(one)
    bound = sum(
        even_repeats(times, len(meetings) - len(away[player] & meetings.keys())) for player, times in meetings.items()
    )
    return -(-bound // 2)


def _judge_winds(rounds: Seats, wish: Wish, _wishes: Wishes, table_size: int) -> Outcome:
    """Count by how much the winds of each player spread more than the number of games forces."""
    winds = count_winds(rounds)
    where = []
    missed = 0
    for player in sorted({player for player, _ in winds}):
        counts = [winds[player, seat] for seat in range(table_size)]
        over = max(counts) - min(counts) - (1 if sum(counts) % table_size else 0)
        missed += over
        if over:
            where.append(Miss(ANY, ANY, (player,)))
    return Outcome(wish, missed, where=tuple(where))


def _judge_tables(rounds: Seats, wish: Wish, wishes: Wishes, _table_size: int) -> Outcome:
    """Count visits of a player to a table beyond rounds / tables, rounded up; fixed players do not count."""
    visits = count_visits(rounds)
    open_tables = max((sum(map(bool, tables)) for tables in rounds), default=1)
    fair = -(-len(rounds) // open_tables)
    over = {key: times - fair for key, times in sorted(visits.items()) if times > fair and key[0] not in wishes.fixed}
    where = tuple(Miss(ANY, table, (player,)) for player, table in over)
    return Outcome(wish, sum(over.values()), where=where)


def _judge_rooms(rounds: Seats, wish: Wish, wishes: Wishes, _table_size: int) -> Outcome:
    """Count players who, over three rounds or more, change rooms never or every time; fixed ones do not count."""
    rooms = dict(wish.places)
    stays: dict[int, list[int]] = {}
    for tables in rounds:
        for at, table in enumerate(tables):
            for player in table:
                stays.setdefault(player, []).append(rooms.get(at, ANY))
    several = len(set(rooms.values())) > 1
    wrong = [
        player for player, path in sorted(stays.items()) if several and player not in wishes.fixed and _is_stale(path)
    ]
    return Outcome(wish, len(wrong), where=tuple(Miss(ANY, ANY, (player,)) for player in wrong))


def _is_stale(path: Sequence[int]) -> bool:
    changes = sum(before != after for before, after in pairwise(path))
    return len(path) > 2 and changes in {0, len(path) - 1}


def _judge_indirect(rounds: Seats, wish: Wish, _wishes: Wishes, _table_size: int) -> Outcome:
    """Count the pairs who never meet and share fewer opponents than wished."""
    opponents: dict[int, set[int]] = {}
    for table in (table for tables in rounds for table in tables):
        for player in table:
            opponents.setdefault(player, set()).update(table)
    wrong = [
        (one, other)
        for one, other in combinations(sorted(opponents), 2)
        if other not in opponents[one] and len(opponents[one] & opponents[other]) < wish.least
    ]
    return Outcome(wish, len(wrong), where=tuple(Miss(ANY, ANY, pair) for pair in wrong))


def _meant(rounds: Seats, wish: Wish) -> Iterator[tuple[int, Sequence[Sequence[int]]]]:
    """Yield the rounds that a wish applies to, with their numbers."""
    return ((number, tables) for number, tables in enumerate(rounds, start=1) if wish.holds_in(number))


_JUDGES: Final = {
    Kind.FIXED: _judge_fixed,
    Kind.TOGETHER: _judge_together,
    Kind.APART: _judge_apart,
    Kind.SEEDS: _judge_apart,
    Kind.REPEATS: _judge_repeats,
    Kind.WINDS: _judge_winds,
    Kind.TABLES: _judge_tables,
    Kind.ROOMS: _judge_rooms,
    Kind.INDIRECT: _judge_indirect,
}
