"""Tables for those who wait: who sits, who rests, who meets whom, and what it costs. Players are keys of integers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, permutations
from random import Random
from typing import Final

BUCKET: Final = 15  # minutes: tables that end a few minutes apart have waited the same
EFFORT: Final = 20_000  # swaps that are tried at most, over all starts
STARTS: Final = 12

Meetings = Mapping[tuple[int, int], int]
"""How often two players have met, by the pair with the smaller key first; a pair that is missing never did."""


@dataclass(frozen=True, slots=True)
class WaitingPlayer:
    """Somebody who waits for a table.

    `minutes` of waiting now, `games` tonight, minutes `rested` between games over evenings, games in each first wind.
    """

    key: int
    minutes: int = 0
    games: int = 0
    rested: int = 0
    winds: tuple[int, ...] = ()

    def games_in(self, wind: int) -> int:
        """Return the games that began in a wind, 0 for East."""
        return self.winds[wind] if wind < len(self.winds) else 0


@dataclass(frozen=True, slots=True)
class SuggestedTables:
    """Tables of keys in seat order, first East first, and who rests, the longest waiting first."""

    tables: tuple[tuple[int, ...], ...]
    resting: tuple[int, ...]


def suggest_tables(waiting: Sequence[WaitingPlayer], meetings: Meetings, *, sizes: Sequence[int]) -> SuggestedTables:
    """Fill as many tables as there are players for; the same input gives the same tables.

    `sizes` are the numbers of players at a table, the usual one first: see `part_players`. Who sits: the longest
    waiting, then who has fewest games tonight, then who rested most over evenings. Among them those meet who have met
    least, and each sits in the wind that is the rarest for them.
    """
    order = sort_waiting(waiting)
    tables = part_players(len(order), sizes)
    seated = [player.key for player in order[: sum(tables)]]
    people = {player.key: player for player in waiting}
    groups = _fewest_meetings(seated, meetings, tables)
    return SuggestedTables(
        tuple(turn_winds([people[key] for key in group]) for group in groups),
        tuple(player.key for player in order[sum(tables) :]),
    )


def part_players(players: int, sizes: Sequence[int]) -> list[int]:
    """Return the size of each table: as few players rest as can be, then as few tables as can be have another size.

    >>> part_players(17, (4, 3)), part_players(17, (4,)), part_players(5, (4, 3))
    ([4, 4, 3, 3, 3], [4, 4, 4, 4], [4])
    """
    usual, other = sizes[0], sizes[-1]
    parts = ([usual] * ((players - count * other) // usual) + [other] * count for count in range(players // other + 1))
    return max(parts, key=sum)


def sort_waiting(waiting: Iterable[WaitingPlayer]) -> list[WaitingPlayer]:
    """Return who waits in the order in which they get a seat."""
    return sorted(
        waiting, key=lambda each: (-(each.minutes // BUCKET), each.games, -each.rested, -each.minutes, each.key)
    )


def count_meetings(table: Iterable[int], meetings: Meetings) -> int:
    """Count how often the players of a table have met before, over its pairs."""
    return sum(meetings.get((min(pair), max(pair)), 0) for pair in combinations(table, 2))


def _fewest_meetings(keys: Sequence[int], meetings: Meetings, sizes: Sequence[int]) -> list[list[int]]:
    """Part players into tables that have met least: the best of several starts, each improved swap by swap."""
    best: list[list[int]] = []
    least = -1
    tries = EFFORT
    for start in range(STARTS):
        order = list(keys)
        if start:  # the first start is in order of waiting: it is never worse where nobody has met
            Random(start).shuffle(order)  # noqa: S311  (a search)
        groups = [order[last - size : last] for size, last in zip(sizes, accumulate(sizes), strict=True)]
        tries = _improve(groups, meetings, tries)
        cost = sum(count_meetings(group, meetings) for group in groups)
        if least < 0 or cost < least:
            best, least = groups, cost
        if least == 0 or tries <= 0:
            break
    return best


def _improve(groups: list[list[int]], meetings: Meetings, tries: int) -> int:
    """Swap players of two tables while that lessens meetings; return how many tries are left."""
    met = {frozenset(pair): count for pair, count in meetings.items()}

    def with_others(player: int, group: Sequence[int], without: int) -> int:
        return sum(met.get(frozenset((player, other)), 0) for other in group if other != without)

    moved = True
    while moved and tries > 0:
        moved = False
        for one, other in combinations(groups, 2):
            for left in range(len(one)):
                for right in range(len(other)):
                    tries -= 1
                    a, b = one[left], other[right]
                    before = with_others(a, one, a) + with_others(b, other, b)
                    if with_others(b, one, a) + with_others(a, other, b) < before:
                        one[left], other[right], moved = b, a, True
    return tries


def turn_winds(players: Sequence[WaitingPlayer]) -> tuple[int, ...]:
    """Seat players so that each first wind is a rare one for who gets it."""

    def uneven(order: Sequence[WaitingPlayer]) -> int:
        return sum(2 * player.games_in(wind) + 1 for wind, player in enumerate(order))

    return tuple(player.key for player in min(permutations(players), key=uneven))
