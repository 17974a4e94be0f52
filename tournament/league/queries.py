"""A season in teams as its pages show it: a fold over the public results of its events, and who sits down next.

A line-up is sealed until all of its table are in: until then nothing here gives its member to anybody.
"""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, groupby
from typing import Final, NamedTuple
from uuid import NAMESPACE_OID, UUID, uuid5

from scoring.seasons import LeagueTeam, SeasonEvent, TeamRow, TeamRule, team_table
from tournament.core.models import AuditRow
from tournament.core.transaction import row_id
from tournament.events.models import Event, Visibility
from tournament.league.models import LineUp, SeasonTeam
from tournament.open_play.actions import TABLE_SEATED
from tournament.people.queries import current_person
from tournament.players.models import Person
from tournament.seasons.models import Season
from tournament.seasons.models import SeasonEvent as EventRow
from tournament.seasons.queries import SeasonView, get_season_view
from tournament.seasons.results import count_events
from tournament.tables.models import Table

# M-League 2025-26: 20 to 40 games (kinmaweb.jp/?p=252189, 15 September 2025), half of the points is carried
# (mj-news.net/news/mleague/20190930133802, 30 September 2019). R.League 24/25: points are cumulative over its phases
# (sgriichimahjong.com/2024/04/08/r-league-24-25/). Company league: articles 2 and 3 of www.cc-ma.jp/rule/, read on 29
# November 2026; its ten games are what a personal award asks for.
READY_MADE_TEAMS: Final[Mapping[str, TeamRule]] = {
    "m_league": TeamRule("half", least=20, most=40),
    "company": TeamRule("head_start", least=10),
    "r_league": TeamRule(),
}
"""Rules that leagues of teams have published, by the key of their words."""


class LeagueTable(NamedTuple):
    """The line-ups of a table, by seat."""

    line_ups: tuple[LineUp, ...]

    @property
    def is_open(self) -> bool:
        """Whether all line-ups are in, so that everybody sees them."""
        return all(each.member_id for each in self.line_ups)


class SeatRequest(NamedTuple):
    """By which `client_id` the line-ups of a table sit down, and their table of the hall once they have."""

    client_id: UUID
    seated: Table | None


@dataclass(frozen=True, slots=True)
class League:
    """A season in teams: rows best first, teams by number, tables of line-ups; `phase` is the newest.

    `events` are those played, as `after` of the rows has them.
    """

    view: SeasonView
    rule: TeamRule
    phase: int
    rows: list[TeamRow[int]]
    events: list[Event]
    teams: Mapping[int, SeasonTeam]
    tables: list[LeagueTable]


def read_team_rule(season: Season) -> TeamRule | None:
    """Return the rule of a season's teams, None where no teams play."""
    return TeamRule(**season.team_rule) if season.team_rule else None


def hash_team_code(code: str) -> str:
    """Return what is stored of a team's code, which is too long to be guessed."""
    return hashlib.sha256(code.encode()).hexdigest()


def get_league(season: Season) -> League | None:
    """Return a season in teams, None where no teams play; a constant number of queries."""
    rule = read_team_rule(season)
    if rule is None:
        return None
    rows = list(season.events.exclude(event__visibility=Visibility.DRAFT).select_related("event"))
    teams = {team.number: team for team in season.teams.prefetch_related("members__merged_into")}
    counted = {
        number: LeagueTeam(
            sorted({current_person(each).pk for each in team.members.all()}),
            [(phase, points) for phase, points, _reason in team.points],
            team.last_phase,
        )
        for number, team in teams.items()
    }
    phases, events = _read_phases(rows, {pk for team in counted.values() for pk in team.members})
    asked = LineUp.objects.filter(team__season=season, event__in=[row.event_id for row in rows])
    # by the row of the event: its own order is by name, and tables of two of one name would be in pieces
    asked = asked.order_by("event__date", "event_id", "game", "table", "seat")
    asked = asked.select_related("team", "event", "member__merged_into")
    tables = [LeagueTable(tuple(same)) for _at, same in groupby(asked, lambda row: (row.event_id, row.game, row.table))]
    return League(get_season_view(season), rule, len(phases), team_table(phases, counted, rule), events, teams, tables)


def list_seat_requests(tables: Sequence[LeagueTable]) -> dict[LeagueTable, SeatRequest]:
    """Return how the open line-ups of open events sit down: once each, and again only after *Undo*; two queries."""
    ready = [each for each in tables if each.is_open and each.line_ups[0].event.is_open]
    events = {each.line_ups[0].event_id for each in ready}
    found = Table.objects.filter(round__event__in=events).select_related("round")
    seated = {str(table.round.drawn.get("client_id")): table for table in found}
    acts = AuditRow.objects.filter(event__in=events, verb=TABLE_SEATED.name).values_list("details", flat=True)
    undone = {json.loads(details).get("client_id") for details in acts} - {*seated}
    requests = {}
    for table in ready:
        first = table.line_ups[0]
        own = uuid5(NAMESPACE_OID, f"line-ups {first.team.season_id} {first.event.slug} {first.game} {first.table}")
        client_id = next(each for n in count() if str(each := row_id(own, n)) not in undone)
        requests[table] = SeatRequest(client_id, seated.get(str(client_id)))
    return requests


def _read_phases(
    rows: Sequence[EventRow], members: Collection[int]
) -> tuple[list[list[SeasonEvent[int]]], list[Event]]:
    """Return what was played in each phase with the games of these known people, also of who was forgotten since.

    The events follow, phase by phase.
    """
    keys = dict(Person.objects.filter(known__in=members).values_list("pk", "known"))
    phases: list[list[SeasonEvent[int]]] = [[] for _phase in range(max((row.phase for row in rows), default=1))]
    counted = count_events([row.event for row in rows])
    rows = sorted((row for row in rows if counted[row.event_id].games), key=lambda row: row.phase)
    for row in rows:
        played = counted[row.event_id].games
        games = [{keys[pk]: points for pk, points in game.items() if pk in keys} for game in played]
        phases[row.phase - 1].append(SeasonEvent(games, Fraction(row.weight)))
    return phases, [row.event for row in rows]
