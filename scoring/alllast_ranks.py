"""All-last for the standings: what each player needs in the next hand for a rank, as if the game ended with it.

All other results are given and fixed.
"""

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rules.ruleset import Ruleset
from scoring.alllast import Price, after_wins, draws_of
from scoring.chips import chips_after
from scoring.entries import Draw, Ron, Tsumo
from scoring.game import play
from scoring.placement import When, finish, with_substitutes
from scoring.state import TableState

MAX_GOALS = 5  # best ranks listed per player
Standing = tuple[int, int]  # group after cuts (0 first), total in points
Key = tuple[int, int]  # of a standing in the order of ranks: the group, and the total below 0
NOBODY: Final[Key] = (sys.maxsize, 0)


@dataclass(frozen=True, slots=True)
class Others:
    """The standings without this game: `seats` by seat, None for an unranked player; `rest` all other players.

    `replaced` are the seats of substitutes: the book fixes their result, and they have no goals.
    """

    seats: tuple[Standing | None, ...]
    rest: tuple[Standing, ...]
    replaced: Mapping[int, When] = field(default_factory=dict)


class RankNeed(NamedTuple):
    """The cheapest value from which every dearer one reaches the rank too; `shared`: this very rank is then shared.

    Needs are not monotonic: a dearer hand can lift a rival at the table by a place, and his uma with it. `below`: some
    cheaper value reaches it as well. `alone`: there is no such border; this value reaches it and some dearer one fails.
    """

    price: Price
    shared: bool
    least: bool
    below: bool
    alone: bool


@dataclass(frozen=True, slots=True)
class RankGoal:
    """What a seat needs for a rank or a better one; see alllast.Goal."""

    rank: int
    tsumo: RankNeed | None
    ron: dict[int, RankNeed | None]
    draw: tuple[tuple[int, ...], ...]
    draw_tied: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class SeatRanks:
    """A seat, its rank if the game ended now, its best possible rank, and goals, best first."""

    seat: int
    rank: int
    best: int
    goals: tuple[RankGoal, ...]


def all_last_ranks(
    state: TableState, rules: Ruleset, others: Others, *, riichi: Sequence[int] = ()
) -> tuple[SeatRanks | None, ...]:
    """Return what each seat needs for its best possible ranks, by seat; None for unranked and replaced seats."""
    given, ranking = tuple(riichi), _Ranking(rules, others, state.chips)
    draws = [
        (tenpai, ranking.ranks(finish(play(Draw(tenpai=tenpai, riichi=given), state, rules).after, rules).scores))
        for tenpai in draws_of(state, given)
    ]
    now = ranking.ranks(finish(state, rules).scores)
    return tuple(
        None
        if others.seats[seat] is None or seat in others.replaced
        else _seat_ranks(seat, now[seat][0], state, ranking, given, draws)
        for seat in range(state.players)
    )


@dataclass(frozen=True, slots=True)
class LastTable:
    """A table in its last hand; `seats` and `replaced` as in `Others`."""

    state: TableState
    rules: Ruleset
    seats: tuple[Standing | None, ...]
    replaced: Mapping[int, When] = field(default_factory=dict)


class Chance(NamedTuple):
    """Whether the first place, alone or shared, is possible; `certain` if it is whatever the last hands bring."""

    possible: bool
    certain: bool


def first_place_chances(
    tables: Sequence[LastTable], rest: Sequence[Standing]
) -> tuple[list[tuple[Chance, ...]], list[Chance]]:
    """Return who can still be first when all these games end with their next hand: by table and seat, and of the rest.

    Every way in which the hands can end together is considered, as in `all_last`: one winner a hand, no new riichi.
    """
    ends = [_list_ends(table) for table in tables]
    bests = [[min((key for key in end if key), default=NOBODY) for end in each] for each in ends]
    known = [(group, -total) for group, total in rest]

    def beyond(own: int | None, pick: Callable[[Iterable[Key]], Key]) -> Key:
        """Return the key to reach: the best of the rest, and of the other tables at their weakest or strongest."""
        return min([NOBODY, *known, *(pick(best) for at, best in enumerate(bests) if at != own)])

    by_table = []
    for at, table in enumerate(tables):
        weakest, strongest = beyond(at, max), beyond(at, min)
        by_table.append(
            tuple(
                Chance(
                    any(end[seat] == best and best <= weakest for end, best in zip(ends[at], bests[at], strict=True)),
                    all(end[seat] == best and best <= strongest for end, best in zip(ends[at], bests[at], strict=True)),
                )
                if table.seats[seat] is not None
                else Chance(possible=False, certain=False)
                for seat in range(table.state.players)
            )
        )
    weakest, strongest = beyond(None, max), beyond(None, min)
    return by_table, [Chance(key <= weakest, key <= strongest) for key in known]


def _list_ends(table: LastTable) -> list[tuple[Key | None, ...]]:
    """Return the keys of a table's seats after each way in which its hand can end, each once."""
    state, rules = table.state, table.rules
    ranking = _Ranking(rules, Others(table.seats, (), table.replaced), state.chips)
    drawn = (play(Draw(tenpai=tenpai), state, rules).after for tenpai in draws_of(state, ()))
    found = {ranking.keys(finish(after, rules).scores) for after in drawn}
    for seat in range(state.players):
        for loser in (None, *sorted(state.others(seat))):
            for price, scores in after_wins(seat, loser, state, rules, ()):
                found.add(ranking.keys(scores, _chips_after(price, seat, loser, state, rules)))
    return list(found)


Rank = tuple[int, bool]  # rank, shared


class _Ranking:
    """The standings without one game, to rank its seats by final scores."""

    def __init__(self, rules: Ruleset, others: Others, chips: tuple[int, ...]) -> None:
        self.rules, self.others, self.chips = rules, others, chips
        self.rest = sorted((group, -total) for group, total in others.rest)

    def ranks(self, scores: Sequence[int], chips: tuple[int, ...] | None = None) -> tuple[Rank, ...]:
        """Return each seat's rank if the game ends with these scores; (0, False) for an unranked one.

        `chips` are those after the hand, None for those before it.
        """
        keys = self.keys(scores, chips)
        return tuple((0, False) if key is None else self._rank(key, keys) for key in keys)

    def keys(self, scores: Sequence[int], chips: tuple[int, ...] | None = None) -> tuple[Key | None, ...]:
        """Return the key of each seat's standing after the game, None for an unranked one; `chips` as in `ranks`."""
        final = finish(TableState(tuple(scores), chips=self.chips if chips is None else chips), self.rules)
        counted = with_substitutes(final, self.others.replaced, self.rules)
        return tuple(
            None if own is None else (own[0], -(own[1] + result))
            for own, result in zip(self.others.seats, counted.results, strict=True)
        )

    def _rank(self, key: Key, keys: Sequence[Key | None]) -> Rank:
        above = bisect_left(self.rest, key) + sum(each is not None and each < key for each in keys)
        equal = bisect_right(self.rest, key) - bisect_left(self.rest, key) + keys.count(key)
        return above + 1, equal > 1


def _seat_ranks(
    seat: int,
    now: int,
    state: TableState,
    ranking: _Ranking,
    riichi: tuple[int, ...],
    draws: Sequence[tuple[tuple[int, ...], tuple[Rank, ...]]],
) -> SeatRanks:
    ways: dict[int | None, list[tuple[Price, Rank]]] = {
        loser: [
            (price, ranking.ranks(scores, _chips_after(price, seat, loser, state, ranking.rules))[seat])
            for price, scores in after_wins(seat, loser, state, ranking.rules, riichi)
        ]
        for loser in (None, *sorted(state.others(seat)))
    }
    reached = {rank for ends in ways.values() for _, (rank, _) in ends} | {ranks[seat][0] for _, ranks in draws}
    best = min(reached)
    wanted = [rank for rank in sorted(reached | {now}) if rank <= max(now, best)][:MAX_GOALS]
    goals = (
        RankGoal(
            rank=rank,
            tsumo=_need(ways[None], rank),
            ron={loser: _need(ends, rank) for loser, ends in ways.items() if loser is not None},
            draw=tuple(tenpai for tenpai, ranks in draws if ranks[seat][0] <= rank),
            draw_tied=tuple(tenpai for tenpai, ranks in draws if ranks[seat] == (rank, True)),
        )
        for rank in wanted
    )
    return SeatRanks(seat, now, best, tuple(goals))


def _chips_after(price: Price, seat: int, loser: int | None, state: TableState, rules: Ruleset) -> tuple[int, ...]:
    """Return the chips after a win at this price: those of a yakuman are known, those of other hands are not."""
    if not price.yakuman:
        return state.chips
    winners = (price.win(seat),)
    return chips_after(Tsumo(winners=winners) if loser is None else Ron(loser=loser, winners=winners), state, rules)


def _need(ends: Sequence[tuple[Price, Rank]], wanted: int) -> RankNeed | None:
    doing = [index for index, (_, (rank, _)) in enumerate(ends) if rank <= wanted]
    if not doing:
        return None
    failing = [index for index in range(len(ends)) if index not in doing]
    border = max(failing, default=-1) + 1
    alone = border == len(ends)
    index = doing[0] if alone else border
    price, end = ends[index]
    return RankNeed(price, end == (wanted, True), least=index == 0, below=doing[0] < index, alone=alone)
