"""Standings: placed games and penalties to a ranking, with tie-breaks and cuts. Players are opaque keys."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

Key = TypeVar("Key", bound=Hashable)
Carry: TypeAlias = Literal["whole", "halved", "cleared"]
ByRound: TypeAlias = Mapping[int | None, int]


class PlacedGame(NamedTuple, Generic[Key]):
    """One player's game: round, result in points with uma, place.

    `place` is None if a substitute played: the result counts, but not for tie-breaks.
    """

    player: Key
    round: int
    result: int
    place: int | None


@dataclass(frozen=True, slots=True)
class Standing(Generic[Key]):
    """One line of a ranking. `results` are points by round, None for no game; `penalties` ≥ 0.

    `tie_break` is the criterion that broke the tie of a shared rank, None where one is left with an equal.
    """

    rank: int
    player: Key
    total: int
    games: int
    penalties: int
    results: tuple[int | None, ...]
    shared: bool
    tie_break: str | None


def rank_players(
    players: Sequence[Key],
    games: Iterable[PlacedGame[Key]],
    penalties: Mapping[Key, int],
    *,
    rounds: int,
    tie_breaks: Sequence[str] = (),
    left: Mapping[Key, int] | None = None,
) -> list[Standing[Key]]:
    """Rank players by results less penalties, best first; equal totals share the better rank.

    `rounds` is the length of `results`. `tie_breaks` ("first_places", "best_result") order players with equal totals,
    who still share the rank (decisions: equal totals); others stay in the given order. `left` are points that players
    lost at cuts, taken off the total.

    >>> games = [PlacedGame("a", 1, 15000, 1), PlacedGame("b", 1, -15000, 2)]
    >>> [(s.rank, s.player, s.total) for s in rank_players(["b", "a"], games, {"a": 20000}, rounds=1)]
    [(1, 'a', -5000), (2, 'b', -15000)]
    """
    played = _by_player(players, games)
    behind = left or {}
    totals = {
        player: sum([g.result for g in played[player]]) - penalties.get(player, 0) - behind.get(player, 0)
        for player in players
    }
    keys = {player: tuple(TIE_BREAKS[name](played[player]) for name in tie_breaks) for player in players}
    order = sorted(players, key=lambda player: (totals[player], keys[player]), reverse=True)
    level: dict[int, list[Key]] = {}
    ranks: dict[int, int] = {}
    for rank, player in enumerate(order, start=1):
        level.setdefault(totals[player], []).append(player)
        ranks.setdefault(totals[player], rank)
    return [
        Standing(
            rank=ranks[totals[player]],
            player=player,
            total=totals[player],
            games=len(played[player]),
            penalties=penalties.get(player, 0),
            results=_by_round(played[player], rounds),
            shared=len(level[totals[player]]) > 1,
            tie_break=_tie_break(keys[player], [keys[other] for other in level[totals[player]]], tie_breaks),
        )
        for player in order
    ]


def _by_player(players: Iterable[Key], games: Iterable[PlacedGame[Key]]) -> dict[Key, list[PlacedGame[Key]]]:
    played: dict[Key, list[PlacedGame[Key]]] = {player: [] for player in players}
    for game in games:
        played[game.player].append(game)
    return played


TIE_BREAKS: dict[str, Callable[[Sequence[PlacedGame[Any]]], int]] = {
    "first_places": lambda games: [game.place for game in games].count(1),
    "best_result": lambda games: max([game.result for game in games if game.place], default=-(10**9)),
}


def _by_round(games: Sequence[PlacedGame[Key]], rounds: int) -> tuple[int | None, ...]:
    results: list[int | None] = [None] * rounds
    for game in games:
        if game.round <= rounds:
            results[game.round - 1] = game.result
    return tuple(results)


def _tie_break(own: Sequence[int], level: Sequence[Sequence[int]], names: Sequence[str]) -> str | None:
    """Return the first criterion that parts a player from another with the same total; None where an equal is left."""
    if level.count(own) > 1:
        return None
    parted = [
        next((name for name, mine, theirs in zip(names, own, rival, strict=True) if mine != theirs), None)
        for rival in level
    ]
    return next((name for name in names if name in parted), None)


@dataclass(frozen=True, slots=True)
class CutOff(Generic[Key]):
    """A cut after a round: the players through, and how they carry their points."""

    after_round: int
    through: Collection[Key]
    carry: Carry


@dataclass(frozen=True, slots=True)
class Carried:
    """The points carried through a cut: `points` of the `of` points at `after_round`."""

    after_round: int
    points: int
    of: int


@dataclass(frozen=True, slots=True)
class CutStanding(Generic[Key]):
    """A line of the ranking with its group, 0 for those through every cut, and the points carried."""

    standing: Standing[Key]
    group: int
    carried: tuple[Carried, ...]


def carry_over(points: int, carry: Carry) -> int:
    """Return the carried points; halves are rounded down, negative ones too, so that nobody gains.

    >>> [carry_over(points, "halved") for points in (46800, 15001, -15001)]
    [23400, 7500, -7501]
    """
    return points if carry == "whole" else points // 2 if carry == "halved" else 0


def part_players(players: Sequence[Key], cuts: Sequence[CutOff[Key]]) -> list[list[Key]]:
    """Return the players in groups, those through every cut first, each group in the given order.

    >>> cuts = [CutOff(2, "abc", "whole"), CutOff(3, "a", "whole")]
    >>> part_players("abcd", cuts)
    [['a'], ['b', 'c'], ['d']]
    """
    groups = [list(players)]
    for cut in sorted(cuts, key=lambda each: each.after_round):
        first = groups.pop(0)
        groups.insert(0, [player for player in first if player not in cut.through])
        groups.insert(0, [player for player in first if player in cut.through])
    return groups


def rank_after_cuts(
    players: Sequence[Key],
    games: Iterable[PlacedGame[Key]],
    penalties: Mapping[Key, ByRound],
    cuts: Sequence[CutOff[Key]],
    *,
    rounds: int,
    tie_breaks: Sequence[str] = (),
) -> list[CutStanding[Key]]:
    """Rank players as `rank_players`, group by group; players through a cut carry their points by its rule.

    `penalties` are points ≥ 0 by player and round; those of no round (None) are never halved or cleared by a cut.
    Players not through keep all points.
    """
    played = _by_player(players, games)
    carried = {player: _carry(player, played[player], penalties.get(player, {}), cuts) for player in players}
    taken = {player: sum(penalties.get(player, {}).values()) for player in players}
    ranked: list[CutStanding[Key]] = []
    for at, group in enumerate(part_players(players, cuts)):
        above = len(ranked)
        lines = rank_players(
            group,
            [game for player in group for game in played[player]],
            {player: points for player, points in taken.items() if points},
            rounds=rounds,
            tie_breaks=tie_breaks,
            left={player: sum(each.of - each.points for each in carried[player]) for player in group},
        )
        lines = [replace(line, rank=line.rank + above) for line in lines] if above else lines
        ranked += [CutStanding(line, at, carried[line.player]) for line in lines]
    return ranked


@dataclass(frozen=True, slots=True)
class Step:
    """Where a player stood after a round, in points; `result` is None where he had no game in it."""

    round: int
    result: int | None
    total: int
    rank: int
    shared: bool


def rank_round_by_round(
    players: Sequence[Key],
    games: Iterable[PlacedGame[Key]],
    penalties: Mapping[Key, ByRound],
    cuts: Sequence[CutOff[Key]],
    *,
    rounds: Sequence[int],
    from_first_game: bool = False,
) -> dict[Key, list[Step]]:
    """Return where each player stood after each of these rounds, as `rank_after_cuts` ranks them then; in one pass.

    A player has one game a round at most. Penalties of other rounds do not count. With `from_first_game` who has had
    no game yet comes after all others, whatever their points.
    """
    results = {(game.player, game.round): game.result for game in games}
    points = dict.fromkeys(players, 0)
    groups, left = [list(players)], sorted(cuts, key=lambda each: each.after_round)
    steps: dict[Key, list[Step]] = {player: [] for player in players}
    present = set() if from_first_game else set(players)

    def cut_until(last: int) -> None:
        while left and left[0].after_round <= last:
            cut = left.pop(0)
            groups[:1] = part_players(groups[0], [cut])
            points.update((player, carry_over(points[player], cut.carry)) for player in groups[0])

    for last in rounds:
        cut_until(last - 1)
        for player in players:
            points[player] += results.get((player, last), 0) - penalties.get(player, {}).get(last, 0)
            if (player, last) in results:
                present.add(player)
        cut_until(last)
        above = 0
        for group in groups:
            ranks: dict[tuple[bool, int], int] = {}
            totals = {
                player: (player in present, points[player] - penalties.get(player, {}).get(None, 0)) for player in group
            }
            level = Counter(totals.values())
            for each in sorted(level, reverse=True):
                ranks[each] = above + 1
                above += level[each]
            for player, total in totals.items():
                result = results.get((player, last))
                steps[player].append(Step(last, result, total[1], ranks[total], level[total] > 1))
    return steps


def _carry(
    player: Key, games: Iterable[PlacedGame[Key]], penalties: ByRound, cuts: Sequence[CutOff[Key]]
) -> tuple[Carried, ...]:
    """Return the points carried through each cut that a player passed, in order."""
    points = {game.round: game.result for game in games}
    done, last, running = list[Carried](), 0, 0
    for cut in sorted(cuts, key=lambda each: each.after_round):
        if player not in cut.through:
            break
        since = range(last + 1, cut.after_round + 1)
        running += sum(points.get(number, 0) - penalties.get(number, 0) for number in since)
        done.append(Carried(cut.after_round, carry_over(running, cut.carry), running))
        last, running = cut.after_round, done[-1].points
    return tuple(done)
