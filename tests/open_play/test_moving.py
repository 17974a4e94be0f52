"""An open event in its file and at a relay: rounds with gaps, tables of the hall, the same standings."""

import pytest

from tests.archive.archive_acts import empty_the_database
from tests.factories import fresh, make_account
from tests.open_play.evening import finish, make_evening, sit_down
from tests.relay.at_relay import at_relay, forget_hall, part_of
from tournament.archive.actions import import_event
from tournament.archive.queries import get_event_file
from tournament.open_play.actions import take_table_back
from tournament.relay.actions import bring_up
from tournament.standings.queries import read_standings
from tournament.tables.models import Table

pytestmark = [pytest.mark.django_db, pytest.mark.whole_run]


@pytest.fixture
def event():
    """Return an evening whose second table was taken back and whose third ended before the first."""
    event = make_evening(16)
    first, second = sit_down(event, 1, 2, 3, 4, at=9), sit_down(event, 5, 6, 7, 8)
    third = sit_down(event, 9, 10, 11, 12)
    take_table_back(table=second, by=make_account())
    finish(third)
    finish(first)
    sit_down(event, 1, 5, 9, 13)
    return fresh(event)


def test_the_file_of_an_open_event_comes_back_byte_for_byte(event):
    file, standings = get_event_file(event), read_standings(event)
    empty_the_database()
    made = import_event(data=file.encode(), by=make_account("Desk"))
    assert made.is_open
    assert get_event_file(made) == file
    assert read_standings(made) == standings
    assert list(made.rounds.values_list("number", "tables__number")) == [(1, 9), (3, 2), (4, 1)]


def test_a_relay_shows_the_tables_and_never_who_waits(event):
    before, standings = part_of(event), [(row.rank, row.total) for row in read_standings(event).rows]
    take_table_back(table=Table.objects.select_related("round__event").get(round__number=4), by=make_account())
    after = part_of(event)
    forget_hall(event)
    there = bring_up(None, "tuesday", 1, {}, before)
    with at_relay() as relay:
        assert "You are not checked in" not in relay.get("/e/tuesday/?me=2", follow=True).content.decode()
    there = bring_up(there, "tuesday", 2, before, after)
    assert there
    assert list(there.rounds.values_list("number", "tables__number")) == [(1, 9), (3, 2)]
    assert [(row.rank, row.total) for row in read_standings(there).rows] == standings
