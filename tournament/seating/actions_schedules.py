"""The verb that takes a schedule made elsewhere: rounds, tables and seats of a file, all or nothing.

The page's preview is not trusted: every seat is checked again, against the present list of players.
"""

from collections.abc import Sequence

from scoring.problems import ProblemType
from tournament.core.errors import Refused
from tournament.core.limits import MOST_FILENAME
from tournament.core.transaction import writing
from tournament.imports.queries import SCHEDULE_TAKEN
from tournament.imports.schedules_schedule import SCHEDULE_REFUSED_BY_JUDGE
from tournament.models.access import Account
from tournament.models.event import Event
from tournament.models.rounds import Seat
from tournament.seating.actions_drafts import clear_draw, refuse_published, seat_rounds
from tournament.seating.queries_seating import list_entrants
from tournament.seating.search.quality_1 import assess
from tournament.seating.search.schedule_1 import Report
from tournament.seating.search.schedule_errors import SeatingError

SCHEDULE_MORE_ROUNDS_THAN_PLANNED = ProblemType(
    "schedule.more_rounds_than_planned", "The schedule has {rounds} rounds; this event has {planned}."
)
SCHEDULE_PLAYERS_CHANGED = ProblemType(
    "schedule.players_changed", "The list of players changed since the preview: choose the file again."
)

PlayerIds = Sequence[Sequence[Sequence[int]]]  # rounds of tables of primary keys, first East first


def take_schedule(*, event: Event, rounds: PlayerIds, digest: str, filename: str, by: Account) -> bool:
    """Seat an event by a schedule from a file, instead of an unpublished draw; return whether anything changed.

    `rounds` name players by primary key, which stays when the list changes; `digest` is the SHA-256 of the file. Raises
    Refused once a round is published, for other players than the list's, and for an invalid schedule.
    """
    with writing(event, SCHEDULE_TAKEN, by=by) as change:
        refuse_published(change.event)
        numbers = [entrant.number for entrant in list_entrants(change.event) if not entrant.left]
        players = {one.pk: one for one in change.event.players.filter(number__in=numbers).order_by("number")}
        report = _judge(change.event, rounds, list(players))
        if change.event.seed is None and _seated(change.event) == [[list(table) for table in row] for row in rounds]:
            change.nothing_new()
            return False
        clear_draw(change.event)
        seat_rounds(change.event, [[[players[key] for key in table] for table in tables] for tables in rounds])
        change.details = {
            "file": filename[:MOST_FILENAME],
            "digest": digest,
            "rounds": len(rounds),
            "players": len(players),
            "repeats": report.repeats,
            "repeats_bound": report.repeats_bound,
            "met_most": report.met_most,
            "winds_spread": report.winds_spread,
            "tables_spread": report.tables_spread,
        }
    event.refresh_from_db()
    return True


def _judge(event: Event, rounds: PlayerIds, keys: Sequence[int]) -> Report:
    """Assess a schedule; raises Refused unless it seats exactly these players once a round."""
    place = {key: index for index, key in enumerate(keys)}
    if {key for tables in rounds for table in tables for key in table} != set(keys):
        raise Refused(SCHEDULE_PLAYERS_CHANGED())
    if len(rounds) > event.rounds_planned:
        planned = event.rounds_planned
        raise Refused(SCHEDULE_MORE_ROUNDS_THAN_PLANNED(rounds=len(rounds), planned=planned))
    seats = [[[place[key] for key in table] for table in tables] for tables in rounds]
    try:
        return assess(seats, len(keys), event.ruleset.players)
    except SeatingError as wrong:
        raise Refused(SCHEDULE_REFUSED_BY_JUDGE(why=str(wrong))) from wrong


def _seated(event: Event) -> list[list[list[int]]]:
    """Return the present seats, as `take_schedule` takes them."""
    found: dict[int, dict[int, list[int]]] = {}
    seats = Seat.objects.filter(round__event=event).order_by("round__number", "table__number", "seat")
    for round_, table, player in seats.values_list("round__number", "table__number", "player_id"):
        found.setdefault(round_, {}).setdefault(table, []).append(player)
    return [list(tables.values()) for tables in found.values()]
