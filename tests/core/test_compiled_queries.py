"""A prepared query answers as the query itself does, each time for its own values, on each connection by itself."""

import gc
import threading
import weakref
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.db.models import Count, QuerySet
from django.test.utils import CaptureQueriesContext

from tests.factories import enter, make_event, play_round, rows_of, table_of
from tournament.core.prepared import Prepared
from tournament.core.transaction import event_transaction
from tournament.events.models import Event
from tournament.tables.actions import HAND_ENTERED
from tournament.tables.models import LedgerEntry, Round, Table

pytestmark = [pytest.mark.django_db, pytest.mark.whole_run]


@pytest.fixture(scope="module")
def by_number() -> Prepared[Any]:
    return Prepared(lambda event, number: Table.objects.filter(round__event=event, number=number).order_by("round"))


@pytest.fixture
def event() -> Event:
    event = make_event(slug="cup", tables=2, rounds=2)
    play_round(event, 1, "2r3 340/2", "d13")
    return event


def test_each_value_gets_its_own_rows_in_one_query(event: Event, by_number: Prepared[Any], django_assert_num_queries):
    for number in (1, 2, 3, 1):
        wanted = list(Table.objects.filter(round__event=event, number=number).order_by("round"))
        with django_assert_num_queries(1):
            assert by_number(event.pk, number) == wanted
    assert [row.number for row in by_number(event.pk, 2)] == [2, 2]
    assert by_number(event.pk + 1, 1) == []


def test_the_same_value_twice_in_a_query_is_put_in_twice(event: Event):
    def ask(number: int) -> QuerySet[Table, Any]:
        return Table.objects.filter(number=number, round__number=number).values_list("number", "round__number")

    asked = Prepared(ask)
    assert [asked(1), asked(2), asked(3)] == [[(1, 1)], [(2, 2)], []]


def test_rows_come_whole_with_what_belongs_to_them(event: Event, django_assert_num_queries):
    asked = Prepared(lambda pk: Table.objects.select_related("round__event").filter(pk=pk))
    for table in (table_of(event, 1), table_of(event, 2)):
        with django_assert_num_queries(1):
            [row] = asked(table.pk)
            found = (row, row.round.event.slug, row.round.event.rules["key"])
        assert found == (table, "cup", event.rules["key"])


def test_values_and_counts_and_moments_are_what_the_query_gives(event: Event):
    def ask(slug: str) -> QuerySet[Round, Any]:
        rounds = Round.objects.filter(event__slug=slug).annotate(count=Count("tables")).order_by("number")
        return rounds.values_list("number", "count", "released_at")

    asked = Prepared(ask)
    assert (asked("cup"), asked("cap")) == (list(ask("cup")), [])
    assert [(number, count, at is not None) for number, count, at in asked("cup")] == [(1, 2, True), (2, 2, False)]
    numbers = Prepared(lambda pk: Round.objects.filter(event=pk).values_list("number"))
    assert (numbers(event.pk), numbers.first(event.pk), numbers.first(0)) == ([(1,), (2,)], (1,), None)


def test_a_uuid_is_found_on_every_database(event: Event):
    row = rows_of(table_of(event))[0]
    asked = Prepared(lambda client_id: LedgerEntry.objects.filter(client_id=client_id))
    assert (asked(UUID(str(row.client_id))), asked(uuid4())) == ([row], [])


def test_what_was_written_since_is_read(event: Event):
    asked = Prepared(lambda table: LedgerEntry.objects.filter(table=table).order_by("seq").values_list("seq"))
    table = table_of(event, 1, round_=2)
    before = asked(table.pk)
    enter(table, "d13")
    assert (before, asked(table.pk)) == ([], [(1,)])


def test_a_connection_that_is_gone_takes_its_queries_with_it(by_number: Prepared[Any]):
    gone = list[Any]()

    def ask() -> None:
        by_number(0, 0)
        gone.append(weakref.ref(connection._connections["default"]))  # type: ignore[attr-defined]
        connection.close()

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    gc.collect()
    assert gone[0]() is None


def test_a_hand_reads_few_columns_of_the_locked_event_and_an_act_those_that_it_needs(event: Event):
    with CaptureQueriesContext(connection) as asked:
        enter(table_of(event, 1, round_=2), "1t 230")
    read = [query["sql"] for query in asked if '"record_salt"' in query["sql"] and query["sql"].startswith("SELECT")]
    assert any('"prizes"' not in sql for sql in read)
    with event_transaction(event, HAND_ENTERED, by=None) as change:
        assert (change.event.rules, change.event.name) == (event.rules, event.name)
    assert Event.objects.get(pk=event.pk).version == change.event.version == event.version
