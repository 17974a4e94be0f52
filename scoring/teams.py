"""Team standings: the best m of n members count, over the event or in each round. Members are opaque keys."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Team(Generic[Key]):
    """A team's name and members, with substitutes whose results count."""

    name: str
    members: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class TeamStanding(Generic[Key]):
    """One line of the team ranking, in points.

    `counted` are the members who make the total, best first; by round, those who counted in any round. `missing` is by
    how many members the team is short of the best m, at most (0 for a full team).
    """

    rank: int
    team: str
    total: int
    counted: tuple[Key, ...]
    missing: int
    shared: bool


def rank_teams(teams: Sequence[Team[Key]], totals: Mapping[Key, int], *, best: int) -> list[TeamStanding[Key]]:
    """Rank teams by the sum of their `best` members' totals, best first; equal totals share the better rank.

    `totals` are points after penalties; members without a total do not count. A team short of members ranks below
    every full team: otherwise a lone player with plus points would beat teams whose worst counted member is below zero.
    Raises ValueError if `best` < 1, or if a player is in two teams or twice in one.

    >>> teams = [Team("Kan", ("a", "b", "c")), Team("Pon", ("d", "e"))]
    >>> [(s.rank, s.team, s.total) for s in rank_teams(teams, {"a": 9, "b": -4, "c": 2, "d": 6, "e": 5}, best=2)]
    [(1, 'Kan', 11), (1, 'Pon', 11)]
    """
    _check(teams, best)
    return _rank([_count(team, totals, best) for team in teams])


def rank_teams_by_round(
    teams: Sequence[Team[Key]],
    results: Mapping[Key, Sequence[int | None]],
    penalties: Mapping[Key, int],
    *,
    best: int,
) -> list[TeamStanding[Key]]:
    """Rank teams by the sum of the `best` results of each round, less the penalties of all members.

    `results` are points by round, None for no game; rounds that no member of a team has played do not count. Penalties
    count also for members whose results do not: otherwise a team could hide them. Raises ValueError as `rank_teams`.

    >>> teams = [Team("Kan", ("a", "b")), Team("Pon", ("c", "d"))]
    >>> results = {"a": [30, -10], "b": [-5, 20], "c": [10, 10], "d": [5, 5]}
    >>> [(s.team, s.total) for s in rank_teams_by_round(teams, results, {"b": 1}, best=1)]
    [('Kan', 49), ('Pon', 20)]
    """
    _check(teams, best)
    lines = []
    for team in teams:
        rounds = [_count(team, points, best) for points in _by_round(teams, results)]
        counted = tuple(member for member in team.members if any(member in line.counted for line in rounds))
        total = sum(line.total for line in rounds) - sum(penalties.get(member, 0) for member in team.members)
        missing = max((line.missing for line in rounds), default=0)
        lines.append(TeamStanding(0, team.name, total, counted, missing, shared=False))
    return _rank(lines)


def _check(teams: Sequence[Team[Key]], best: int) -> None:
    if best < 1:
        raise ValueError(f"At least one member of a team must count, not {best}.")
    seen: dict[Key, str] = {}
    for team in teams:
        for member in team.members:
            if member in seen:
                raise ValueError(f"Player {member} is in {seen[member]} and in {team.name}.")
            seen[member] = team.name


def _by_round(teams: Sequence[Team[Key]], results: Mapping[Key, Sequence[int | None]]) -> list[dict[Key, int]]:
    """Return the points of each round that any member has played."""
    members = [member for team in teams for member in team.members if member in results]
    length = max((len(results[member]) for member in members), default=0)
    rounds: list[dict[Key, int]] = [{} for _ in range(length)]
    for member in members:
        for number, points in enumerate(results[member]):
            if points is not None:
                rounds[number][member] = points
    return [points for points in rounds if points]


def _count(team: Team[Key], totals: Mapping[Key, int], best: int) -> TeamStanding[Key]:
    # sorted is stable: of equal members the first one counts
    played = sorted((member for member in team.members if member in totals), key=lambda member: -totals[member])
    counted = tuple(played[:best])
    total = sum(totals[member] for member in counted)
    return TeamStanding(0, team.name, total, counted, best - len(counted), shared=False)


def _rank(lines: Sequence[TeamStanding[Key]]) -> list[TeamStanding[Key]]:
    """Return the ranked lines, full teams first; equal ones in the given order."""
    order = sorted(lines, key=lambda line: (line.missing, -line.total))
    keys = [(line.missing, -line.total) for line in order]
    return [
        TeamStanding(keys.index(key) + 1, line.team, line.total, line.counted, line.missing, keys.count(key) > 1)
        for line, key in zip(order, keys, strict=True)
    ]
