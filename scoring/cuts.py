"""Standings after a cut to the top n: points carried whole, halved or cleared, and those through ranked first.

It knows players by opaque keys; who is through has been decided before, and is given.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, Literal, TypeAlias, TypeVar

from scoring.standings import PlacedGame, Standing, rank_players

Key = TypeVar("Key")
Carry: TypeAlias = Literal["whole", "halved", "cleared"]
ByRound: TypeAlias = Mapping[int | None, int]

NO_POINTS: Final[ByRound] = {}


@dataclass(frozen=True, slots=True)
class CutOff(Generic[Key]):
    """A cut after a round: who is through, and what they carry."""

    after_round: int
    through: Collection[Key]
    carry: Carry


@dataclass(frozen=True, slots=True)
class Carried:
    """What a cut left of a player's points: `points` of `of`, those after `after_round`."""

    after_round: int
    points: int
    of: int


@dataclass(frozen=True, slots=True)
class CutStanding(Generic[Key]):
    """A line of the ranking with the group that it stands in, 0 for those through every cut, and what was carried."""

    standing: Standing[Key]
    group: int
    carried: tuple[Carried, ...]


def carry_over(points: int, carry: Carry) -> int:
    """Return what is left of points; half of an odd number is rounded down, below zero too, so that nobody gains.

    >>> [carry_over(points, "halved") for points in (46800, 15001, -15001)]
    [23400, 7500, -7501]
    """
    return points if carry == "whole" else points // 2 if carry == "halved" else 0


def part_players(players: Sequence[Key], cuts: Sequence[CutOff[Key]]) -> list[list[Key]]:
    """Return the players in groups, those through every cut first, each group in the order given.

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
    """Rank players as `standings.rank_players` does, group after group; those through carry what each cut leaves them.

    `penalties` are points ≥ 0 by player and round, None for those of no round: these are taken off whole, whenever they
    were given, for no round stands before a cut that they could be halved with. Who is not through keeps all points.
    """
    played: dict[Key, list[PlacedGame[Key]]] = {player: [] for player in players}
    for game in games:
        played[game.player].append(game)
    carried = {player: _carry(player, played[player], penalties.get(player, NO_POINTS), cuts) for player in players}
    taken = {player: sum(penalties.get(player, NO_POINTS).values()) for player in players}
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
        ranked += [CutStanding(replace(line, rank=line.rank + above), at, carried[line.player]) for line in lines]
    return ranked


def _carry(
    player: Key, games: Iterable[PlacedGame[Key]], penalties: ByRound, cuts: Sequence[CutOff[Key]]
) -> tuple[Carried, ...]:
    """Return what each cut that a player is through leaves of the points so far, in order."""
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
