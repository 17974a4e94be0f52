"""Every reader asks the database the same number of questions for one table as for three."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import enter, fresh, make_event, play_round, round_of, table_of, writer_of
from tournament.archive.queries import get_event_file
from tournament.calls.actions import call_referee
from tournament.calls.queries import count_open_calls, list_calls, list_open_calls
from tournament.events.models import Event
from tournament.events.queries import list_events
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.incidents.queries import count_listed, list_substitutions
from tournament.penalties.actions import give_penalty
from tournament.penalties.queries import list_penalties
from tournament.players.queries import list_players
from tournament.public.queries import get_story
from tournament.publication.names import list_names
from tournament.rounds.actions import give_time
from tournament.standings.queries import get_standings, read_standings
from tournament.tables.queries import get_table, list_hands, load_tables
from tournament.tables.round_queries import get_clock, list_clocks, list_results, list_rounds, list_tiles, list_times

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

READERS: dict[str, tuple[Callable[[Event], Any], int]] = {
    "list_events": (lambda event: list_events(), 1),
    "list_players": (list_players, 1),
    "list_names": (list_names, 1),
    "list_calls": (list_calls, 8),
    "list_open_calls": (lambda event: list_open_calls(event, 1), 1),
    "count_open_calls": (count_open_calls, 1),
    "get_clock": (lambda event: get_clock(round_of(event)), 4),  # one for the round itself
    "list_clocks": (lambda event: list_clocks(event, list(event.rounds.all())), 4),
    "list_times": (lambda event: list_times(round_of(event, 2)), 3),
    "list_rounds": (list_rounds, 2),
    "list_tiles": (lambda event: list_tiles(event, 1), 5),
    "list_results": (lambda event: list_results(event, round_of(event)), 10),  # one for the round itself
    "load_tables": (load_tables, 5),
    "get_table": (lambda event: get_table(event, 1, 1), 5),
    "list_penalties": (lambda event: list_penalties(event, load_tables(event)), 7),
    "list_substitutions": (list_substitutions, 7),
    "count_listed": (count_listed, 4),
    "read_standings": (read_standings, 9),
    "get_event_file": (get_event_file, 26),
}


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> dict[int, Event]:
    """Make an event of one table and one of three."""
    return {tables: event_of(tables) for tables in (1, 3)}


@pytest.fixture(params=[1, 3], ids=["one table", "three tables"])
def event(request: pytest.FixtureRequest, made: dict[int, Event]) -> Event:
    return fresh(made[request.param])


def event_of(tables: int) -> Event:
    """Make an event of two rounds, the first released, with a chombo, penalties and a substitute at every table."""
    event = make_event(tables=tables, rounds=2)
    play_round(event, 1, "1t 230", "c2", "2r3 340/2")
    for player in event.players.all():
        give_penalty(player=player, points=1000, reason="late", client_id=UUID(int=player.pk), by=writer_of(event))
    for table in round_of(event).tables.all():
        seat = table.seats.select_related("player__event").get(seat=0)
        put_substitute_in(
            table=table_of(event, table.number),
            player=seat.player,
            replacement=Replacement(when="before", reason="late"),
            client_id=UUID(int=1000 + seat.player.pk),
            by=writer_of(event),
        )
        second = table_of(event, table.number, round_=2)
        give_time(table=second, minutes=5, reason="late", client_id=UUID(int=table.pk), by=writer_of(event))
        call_referee(table=table_of(event, table.number), client_id=UUID(int=table.pk), by=writer_of(event))
    event.refresh_from_db()
    return event


def count(read: Callable[[], Any]) -> list[str]:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        read()
    return [query["sql"] for query in queries.captured_queries]


@pytest.mark.postgresql
def test_the_number_of_queries_is_the_same_whatever_the_size(event: Event):
    found = {}
    for name, (read, _wanted) in READERS.items():
        cache.clear()
        found[name] = count(partial(read, fresh(event)))  # which has looked nothing up yet
    wrong = [name for name, (_read, wanted) in READERS.items() if len(found[name]) != wanted]
    assert {name: (len(found[name]), found[name]) for name in wrong} == {}


@pytest.mark.once
def test_standings_of_two_rounds_ask_no_more_for_the_ranks_before(event: Event):
    play_round(event, 2, "1t 230")
    cache.clear()
    assert len(count(lambda: read_standings(event))) == 9


@pytest.mark.once
def test_a_players_story_is_a_fixed_number_of_queries(event: Event):
    cache.clear()
    assert len(count(lambda: get_story(event, 1))) == 21


@pytest.mark.once
def test_the_hands_of_a_table_are_one_query_more(event: Event):
    table = get_table(event, 1, 1)
    assert table is not None
    assert len(count(lambda: list_hands(table))) == 1


@pytest.mark.once
def test_standings_are_worked_out_once_a_version(event: Event):
    get_standings(event)
    assert count(lambda: get_standings(event)) == []
    enter(table_of(event, 1, round_=2), "1t 230")
    event.refresh_from_db()
    assert count(lambda: get_standings(event)) != []
