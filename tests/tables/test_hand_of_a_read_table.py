"""A hand at a table that its caller has read: read again where something has changed since, and only there."""

import dataclasses
from collections.abc import Callable
from uuid import uuid4

import pytest

from scoring.shorthand import parse
from tests.factories import codes_when, enter, enter_all, fresh, rows_of, sign, table_of, writer_of
from tests.fixtures import module_event
from tests.penalties.foul_acts import give
from tournament.events.models import Event
from tournament.tables.actions import HandRequest, write_hand
from tournament.tables.history import read_payload
from tournament.tables.queries import get_table

pytestmark = [pytest.mark.once, pytest.mark.django_db]


made = module_event("rakkii-nomi-2026", tables=2, rounds=1)


def read(event: Event, line: str, *, seen: int = 0) -> HandRequest:
    """Read a table, and return what its caller sends then."""
    loaded = get_table(fresh(event), 1, 1)
    assert loaded is not None
    return HandRequest(loaded.alone[0], parse(line), uuid4(), seen, loaded=loaded)


def test_it_is_not_read_again(event: Event, django_assert_num_queries) -> None:
    enter_all(table_of(event), "2r3 340/2")
    sent, by = read(event, "1t 230", seen=1), writer_of(event)
    # a savepoint and its end, the event, who sent it before, the row, the version, the trail's last row and a new one
    with django_assert_num_queries(8):
        entered = write_hand(sent, by=by)
    again = get_table(fresh(event), 1, 1)
    assert entered.table is not None
    assert again is not None
    assert [(*line[:-1], line.at) for line in entered.table.lines] == [(*line[:-1], line.at) for line in again.lines]
    assert dataclasses.replace(entered.table, lines=()) == dataclasses.replace(again, lines=())
    assert (entered.table.items, entered.table.game) == (again.items, again.game)
    assert [row.hash for row in rows_of(table_of(event))][-1] == entered.row.hash
    assert write_hand(sent, by=by).repeated


def a_hand(event: Event) -> None:
    enter(table_of(event), "d")


def a_signature(event: Event) -> None:
    enter(table_of(event), "d")
    sign(table_of(event))


@pytest.mark.parametrize(("meanwhile", "code"), [(a_hand, "table.moved_on"), (a_signature, "table.signed")])
def test_what_somebody_did_since_counts(event: Event, meanwhile: Callable[[Event], None], code: str) -> None:
    sent, by = read(event, "1t 230"), writer_of(event)
    meanwhile(event)
    assert codes_when(lambda: write_hand(sent, by=by)) == [code]


def test_a_hand_that_became_dead_since_is_dead(event: Event) -> None:
    sent, by = read(event, "1t 230"), writer_of(event)
    give(event, foul="empty_riichi")
    entry = read_payload(write_hand(sent, by=by).row.payload)
    assert entry is not None
    assert entry.dead == (1,)
