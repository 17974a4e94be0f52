"""Hands that belong to another table: void here, written there, in one act, judged by both tables."""

from uuid import UUID, uuid4

import pytest

from tests.factories import codes_when, enter_all, last_seq, rows_of, sign, table_of, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import organiser, table_url
from tests.penalties.foul_acts import give
from tournament.archive.verify import verify_event
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.tables.actions import Corrected, move_hands
from tournament.tables.queries import get_table

pytestmark = [pytest.mark.once, pytest.mark.django_db]

made = module_event("rakkii-nomi-2026", tables=2, rounds=2)


def scores(event: Event, table: int) -> tuple[int, ...]:
    found = get_table(event, 1, table)
    assert found
    return found.state.scores


def move(
    event: Event, *hands: int, client_id: UUID | None = None, reason: str = "wrong table", to: tuple[int, int] = (2, 1)
) -> Corrected:
    table, other = table_of(event), table_of(event, to[0], round_=to[1])
    return move_hands(
        table=table,
        to=other,
        hands=hands,
        client_id=client_id or uuid4(),
        seen=(last_seq(table), last_seq(other)),
        reason=reason,
        by=writer_of(event),
    )


def test_a_hand_is_void_here_and_stands_there_once(event: Event):
    enter_all(table_of(event), "1r2 230", "2r3 340")
    enter_all(table_of(event, 2), "4t 230")
    act, before = uuid4(), scores(event, 2)
    assert not move(event, 2, client_id=act).repeated
    assert move(event, 2, client_id=act).repeated
    here, there = rows_of(table_of(event)), rows_of(table_of(event, 2))
    assert [(row.supersedes, bool(row.payload)) for row in here] == [(None, True), (None, True), (2, False)]
    assert [(row.supersedes, row.payload) for row in there] == [(None, there[0].payload), (None, here[1].payload)]
    assert scores(event, 1) == (32900, 27100, 30000, 30000)
    assert scores(event, 2) != before
    row = AuditRow.objects.get(event=event, verb="hands_moved")
    assert all(f'"{name}":' in row.details for name in ("to", "hands", "before", "after", "to_before", "to_after"))
    found = get_table(event, 1, 2)
    assert found
    assert not found.warned
    assert verify_event(event).problems == []


def test_a_whole_game_is_moved_to_a_table_without_hands(event: Event):
    enter_all(table_of(event), "1r2 230", "2r3 340", "3t 330")
    was = scores(event, 1)
    move(event, 1, 2, 3)
    assert (scores(event, 1), scores(event, 2)) == ((30000,) * 4, was)


def test_what_a_table_cannot_take_is_refused_and_changes_nothing(event: Event):
    enter_all(table_of(event), "1r2 230", "2r3 340")
    assert codes_when(lambda: move(event, 2, reason=" ")) == ["hand.reason_needed"]
    assert codes_when(lambda: move(event, 7)) == ["hand.unknown"]
    assert codes_when(lambda: move(event)) == ["hand.unknown"]
    assert codes_when(lambda: move(event, 2, to=(1, 1))) == ["hand.move_table"]
    assert codes_when(lambda: move(event, 2, to=(1, 2))) == ["hand.move_table"]
    enter_all(table_of(event, 2), "1r2 230")
    sign(table_of(event, 2))
    assert codes_when(lambda: move(event, 2)) == ["table.signed"]
    assert (len(rows_of(table_of(event))), len(rows_of(table_of(event, 2)))) == (2, 1)


def test_a_hand_gets_the_dead_hands_of_the_table_where_it_belongs(event: Event):
    give(event, 2, foul="empty_riichi")
    give(event, 7, at=2, foul="empty_riichi")
    enter_all(table_of(event), "1r4 230")
    move(event, 1)
    found = get_table(event, 1, 2)
    assert found
    assert [item.entry.dead for item in found.items if item.entry] == [(2,)]


def test_the_page_shows_both_tables_before_it_moves(event: Event):
    enter_all(table_of(event), "1r2 230")
    client, address = organiser(event), table_url(event, end="move/")
    page = client.get(address, {"hand": 1, "to": 2}).content.decode()
    assert all(words in page for words in ("32,900", "27,100", "Move to table 2"))
    sent = {"hand": 1, "to": 2, "client_id": str(uuid4()), "seen": 1, "seen_to": 0, "reason": "wrong table"}
    assert client.post(address, {**sent, "seen": 0}).status_code == 409
    assert client.post(address, sent)["Location"] == table_url(event, 2)
    assert scores(event, 2) == (32900, 27100, 30000, 30000)
