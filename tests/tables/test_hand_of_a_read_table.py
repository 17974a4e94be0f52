"""A hand at a table that its caller has read: read again where something has changed since, and only there."""

import dataclasses
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from scoring.shorthand import parse
from tests.factories import codes_of, enter, enter_all, fresh, rows_of, sign, table_of, writer_of
from tests.fixtures import module_event
from tests.penalties.foul_acts import give
from tournament.core.errors import Refused
from tournament.events.models import Event
from tournament.tables.actions import enter_hand
from tournament.tables.history import read_payload
from tournament.tables.queries import get_table

pytestmark = [pytest.mark.once, pytest.mark.django_db]


made = module_event("rakkii-nomi-2026", tables=2, rounds=1)


def read(event: Event, line: str, *, seen: int = 0) -> dict[str, Any]:
    """Read a table, and return what its caller sends then."""
    loaded = get_table(fresh(event), 1, 1)
    assert loaded is not None
    row, by = loaded.alone[0], writer_of(event)
    return {
        "table": row, "loaded": loaded, "entry": parse(line), "client_id": uuid4(), "expected_seq": seen, "by": by
    }  # fmt: skip


def test_it_is_not_read_again(event: Event, django_assert_num_queries) -> None:
    enter_all(table_of(event), "2r3 340/2")
    sent = read(event, "1t 230", seen=1)
    # a savepoint and its end, the event, who sent it before, the row, the version, the trail's last row and a new one
    with django_assert_num_queries(8):
        entered = enter_hand(**sent)
    again = get_table(fresh(event), 1, 1)
    assert entered.table is not None
    assert again is not None
    assert [(*line[:-1], line.at) for line in entered.table.lines] == [(*line[:-1], line.at) for line in again.lines]
    assert dataclasses.replace(entered.table, lines=()) == dataclasses.replace(again, lines=())
    assert [row.hash for row in rows_of(table_of(event))][-1] == entered.row.hash
    assert enter_hand(**sent).repeated


def a_hand(event: Event) -> None:
    enter(table_of(event), "d")


def a_signature(event: Event) -> None:
    enter(table_of(event), "d")
    sign(table_of(event))


@pytest.mark.parametrize(("meanwhile", "code"), [(a_hand, "table.moved_on"), (a_signature, "table.signed")])
def test_what_somebody_did_since_counts(event: Event, meanwhile: Callable[[Event], None], code: str) -> None:
    sent = read(event, "1t 230")
    meanwhile(event)
    with pytest.raises(Refused) as refusal:
        enter_hand(**sent)
    assert codes_of(refusal) == [code]


def test_a_hand_that_became_dead_since_is_dead(event: Event) -> None:
    sent = read(event, "1t 230")
    give(event, foul="empty_riichi")
    entry = read_payload(enter_hand(**sent).row.payload)
    assert entry is not None
    assert entry.dead == (1,)
