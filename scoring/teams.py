"""Team standings from the results of players: the best m of n members count, over the event or in each round.

It knows teams by name and members by opaque keys; a substitute who scores for a team is simply one of its members.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Team(Generic[Key]):
    """A team's name and the keys of its members, substitutes among them where their results are to count."""

    name: str
    members: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class TeamStanding(Generic[Key]):
    """One line of the team ranking, in points.

    `counted` are the members whose totals make the team's, best first; where the best of each round count, those who
    counted in any. `missing` is how many short of the best m the team is at least once (0 for a full one).
    """

    rank: int
    team: str
    total: int
    counted: tuple[Key, ...]
    missing: int
    shared: bool


def rank_teams(teams: Sequence[Team[Key]], totals: Mapping[Key, int], *, best: int) -> list[TeamStanding[Key]]:
    """Rank teams by the sum of their best members' totals, best first; equal ones share the better rank.

    `totals` are points after penalties; a member who is not in it (played nothing) does not count. A team with fewer
    than `best` members counts those it has, and `missing` says how many are short: such a team stands below every full
    one, or a lone player with plus points would beat teams whose worst counted member is below zero. Raises ValueError
    if `best` is not positive or a player is in two teams or twice in one.

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
    """Rank teams by the best results of each round, added up, less the penalties of all their members.

    `results` are points by round, None where a player has no game; a round that nobody of any team has played counts
    for nobody. Penalties count even of a member whose results do not: otherwise a team could hide them. `missing` is
    the largest number short in any round. Raises ValueError as `rank_teams`.

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
    """Return the points of each round that anybody of a team has played."""
    members = [member for team in teams for member in team.members if member in results]
    length = max((len(results[member]) for member in members), default=0)
    rounds: list[dict[Key, int]] = [{} for _ in range(length)]
    for member in members:
        for number, points in enumerate(results[member]):
            if points is not None:
                rounds[number][member] = points
    return [points for points in rounds if points]


def _count(team: Team[Key], totals: Mapping[Key, int], best: int) -> TeamStanding[Key]:
    # sorted is stable: of equal members the one named first counts, and the total is the same
    played = sorted((member for member in team.members if member in totals), key=lambda member: -totals[member])
    counted = tuple(played[:best])
    total = sum(totals[member] for member in counted)
    return TeamStanding(0, team.name, total, counted, best - len(counted), shared=False)


def _rank(lines: Sequence[TeamStanding[Key]]) -> list[TeamStanding[Key]]:
    """Return the lines in order, full teams first; those that are equal keep the order in which they were given."""
    order = sorted(lines, key=lambda line: (line.missing, -line.total))
    keys = [(line.missing, -line.total) for line in order]
    return [
        TeamStanding(keys.index(key) + 1, line.team, line.total, line.counted, line.missing, keys.count(key) > 1)
        for line, key in zip(order, keys, strict=True)
    ]
