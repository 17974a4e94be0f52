"""Tables are the same however many are asked for at once, and each reader has them with the names in the own words."""

import contextlib

import pytest
from django.db import transaction

from tests.factories import enter, make_event, table_of
from tournament.events.models import Event
from tournament.publication.names import read_for_public
from tournament.tables import table_queries
from tournament.tables.queries import LoadedTable, get_table, load_tables

pytestmark = pytest.mark.django_db

ROUNDS = 7


class Abandoned(Exception):  # noqa: N818 - an act that is given up
    """A transaction that writes nothing."""


@pytest.fixture
def event() -> Event:
    event = make_event(tables=2, rounds=ROUNDS)
    enter(table_of(event, 2, round_=3), "1t 230")
    return event


def first_name(tables: list[LoadedTable]) -> str:
    return next(player.name for table in tables for player in table.seats if player.number == 1)


@pytest.mark.parametrize("ready", [table_queries.MAX_READY, 2])
def test_many_at_once_are_what_a_few_are(event: Event, ready: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(table_queries, "MAX_READY", ready)
    everything = load_tables(event)
    assert [(table.round, table.number) for table in everything] == [
        (round_, number) for round_ in range(1, ROUNDS + 1) for number in (1, 2)
    ]
    assert [table for round_ in range(1, ROUNDS + 1) for table in load_tables(event, rounds=[round_])] == everything
    assert load_tables(event, rounds=[7, 3, 3]) == [*everything[4:6], *everything[12:]]
    assert get_table(event, 3, 2) == everything[5]
    assert [len(table.lines) for table in everything[4:6]] == [0, 1]
    assert load_tables(event, rounds=[]) == load_tables(event, rounds=[8]) == []


@pytest.mark.parametrize("rounds", [[1], list(range(1, ROUNDS + 1))])
def test_a_name_that_is_not_shown_is_said_in_the_words_of_each_reader(event: Event, rounds: list[int]):
    event.players.filter(number=1).update(shown_by_name=False)
    for words in ("No. {number}", "Nr. {number}", "No. {number}"):
        with read_for_public(lambda words=words: words):  # type: ignore[misc]
            assert first_name(load_tables(event, rounds=rounds)) == words.format(number=1)
        assert first_name(load_tables(event, rounds=rounds)) == "Akelei"


def test_a_ledger_is_read_once_after_each_hand(event: Event, django_assert_num_queries):
    for hands in (1, 2):
        with django_assert_num_queries(3):
            table = get_table(event, 3, 2)
        with django_assert_num_queries(2):
            assert get_table(event, 3, 2) == table
        assert table is not None
        assert len(table.lines) == hands
        with contextlib.suppress(Abandoned), transaction.atomic():
            enter(table_of(event, 2, round_=3), "2t 230")
            assert get_table(event, 3, 2) != table
            raise Abandoned
        assert get_table(event, 3, 2) == table
        enter(table_of(event, 2, round_=3), "1t 230")
