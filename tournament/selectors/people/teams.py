"""The ranking of teams, beside that of players and from it: the best members of each team by their totals."""

from collections import defaultdict
from dataclasses import dataclass

from scoring.teams import Team, rank_teams
from tournament.exports.result_rows import TeamMember, TeamRow
from tournament.models import Event
from tournament.selectors.public.standings import Standings


@dataclass(frozen=True, slots=True)
class TeamStandings:
    """The teams of an event after these rounds, best first; `best` is how many members of each count."""

    rounds: tuple[int, ...]
    best: int
    rows: tuple[TeamRow, ...]


def has_teams(event: Event) -> bool:
    """Tell whether a ranked player of an event is in a team; one query."""
    return event.players.filter(ranked=True).exclude(team="").exists()


def rank_event_teams(event: Event, standings: Standings) -> TeamStandings:
    """Rank the teams by these standings, so that whoever may see the one may see the other; one query.

    With no number set, as many members count as the smallest team has: no team is short then.
    """
    members: defaultdict[str, list[int]] = defaultdict(list)
    rows = event.players.filter(ranked=True).exclude(team="").order_by("number")
    for number, team in rows.values_list("number", "team"):
        members[team].append(number)
    best = event.team_best or min(map(len, members.values()), default=0)
    lines = {row.number: row for row in standings.rows}
    totals = {number: row.total for number, row in lines.items() if row.games or row.penalties}
    teams = [Team(name, tuple(numbers)) for name, numbers in members.items()]
    ranked = rank_teams(teams, totals, best=best) if teams else []
    return TeamStandings(
        standings.rounds,
        best,
        tuple(
            TeamRow(
                line.rank,
                line.shared,
                line.team,
                line.total,
                line.missing,
                tuple(
                    TeamMember(number, lines[number].name, lines[number].total, number in line.counted)
                    for number in sorted(
                        members[line.team], key=lambda each: (each not in line.counted, -lines[each].total)
                    )
                ),
            )
            for line in ranked
        ),
    )
