"""Open evenings for tests: players who are here, tables that sit down and sign, all by the verbs of the desk."""

from collections.abc import Sequence
from uuid import UUID, uuid4

from scoring.entries import Totals
from tests.factories import DAY, fresh, make_account, name_of, writer_of
from tournament.events.actions import create_event, set_play
from tournament.events.models import Event, Play
from tournament.open_play.actions import seat_table
from tournament.people.actions import link_people
from tournament.players.actions import NewPlayer, add_players, check_in
from tournament.players.models import Player
from tournament.seasons.actions import CountedEvent, SeasonFacts, create_season, set_season_events
from tournament.seasons.models import Season
from tournament.seasons.queries import READY_MADE
from tournament.sheets.actions import sign_table
from tournament.tables.actions import HandRequest, write_hand
from tournament.tables.models import Table

SCORES = (40_000, 33_000, 27_000, 20_000)


def make_evening(players: int = 9, *, here: int | None = None, slug: str = "tuesday") -> Event:
    """Make an open event with players, of whom the first `here` are checked in, all unless told otherwise."""
    by = make_account("Organiser")
    event = create_event(name=slug.title(), date=DAY, rules_key="ema-2025", rounds=1, slug=slug, by=by)
    set_play(event=event, play=Play.OPEN, by=by)
    added = add_players(event=event, players=[NewPlayer(name_of(index)) for index in range(players)], by=by)
    for player in added[:here]:
        check_in(player=player, here=True, by=by)
    return fresh(event)


def count_together(*events: Event) -> Season:
    """Make a season of events, whose players of the same number are the same people."""
    by = make_account("Site", superuser=True)
    first, *others = [{each.number: each.person_id for each in event.players.all()} for event in events]
    for number, person in first.items() if others else ():
        link_people(people=[person, *(other[number] for other in others)], by=by)
    season = create_season(facts=SeasonFacts("Tuesdays", READY_MADE["sum"]), by=by)
    set_season_events(season=season, events=[CountedEvent(event.pk) for event in events], by=by)
    return season


def players_of(event: Event, *numbers: int) -> list[Player]:
    """Return players by number, in that order."""
    found = {player.number: player for player in event.players.select_related("person")}
    return [found[number] for number in numbers]


def sit_down(event: Event, *numbers: int, at: int | None = None, client_id: UUID | None = None) -> Table:
    """Seat four players of an open event."""
    seats = players_of(event, *numbers)
    table = seat_table(event=event, seats=seats, hall_table=at, client_id=client_id or uuid4(), by=writer_of(event))
    return Table.objects.select_related("round__event").get(pk=table.pk)


def finish(table: Table, scores: Sequence[int] = SCORES) -> None:
    """Enter final scores for a table and sign it."""
    by = writer_of(table.round.event)
    row = write_hand(HandRequest(table, Totals(scores=tuple(scores)), uuid4()), by=by).row
    sign_table(table=table, totals=scores, leftover=0, expected_seq=row.seq, here=True, by=by)
