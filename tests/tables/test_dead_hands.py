"""A dead hand given by the catalogue: the next hand carries it, and only that one."""

import pytest

from tests.factories import (
    codes_of,
    enter,
    enter_all,
    rows_of,
    table_of,
    void,
    writer_of,
)
from tests.fixtures import module_event
from tests.penalties.foul_acts import give
from tournament.core.errors import DomainError
from tournament.events.models import Event
from tournament.penalties.actions import cancel_penalty
from tournament.tables.history import read_payload
from tournament.tables.queries import list_dead_hands, load_tables

pytestmark = [pytest.mark.once, pytest.mark.django_db]


made = module_event("rakkii-nomi-2026", tables=2, rounds=2)


def dead_of(event: Event) -> list[tuple[int, ...]]:
    return [entry.dead for row in rows_of(table_of(event)) if (entry := read_payload(row.payload))]


def test_the_next_hand_carries_a_dead_hand_by_itself_and_only_that_hand(event: Event):
    give(event, foul="empty_riichi")
    enter_all(table_of(event), "1t 230", "1t 230")
    assert dead_of(event) == [(1,), ()]


@pytest.mark.states("dead_tenpai")
def test_a_dead_hand_cannot_win_nor_be_tenpai(event: Event):
    give(event, foul="empty_riichi")
    for line, code in (("2t 230", "dead.wins"), ("d2", "dead.tenpai")):
        with pytest.raises(DomainError) as refusal:
            enter(table_of(event), line)
        assert codes_of(refusal) == [code]


@pytest.mark.states("dead_riichi")
def test_a_riichi_player_with_a_dead_hand_is_noten_without_a_question(event: Event):
    give(event, foul="empty_riichi")
    enter(table_of(event), "d1/2")
    assert dead_of(event) == [(1,)]


def test_dead_hands_of_two_players_are_in_one_hand(event: Event):
    give(event, 4, foul="empty_riichi")
    give(event, 2, foul="empty_riichi")
    enter(table_of(event), "1t 230")
    assert dead_of(event) == [(1, 3)]


def test_a_dead_hand_comes_back_when_its_hand_is_taken_out(event: Event):
    give(event, foul="empty_riichi")
    enter(table_of(event), "1t 230")
    void(table_of(event), 1)
    enter(table_of(event), "3t 230")
    assert dead_of(event) == [(1,), (1,)]


def test_a_cancelled_dead_hand_marks_nothing(event: Event):
    row = give(event, foul="empty_riichi").rows[0]
    cancel_penalty(penalty=row, reason="it was said in time", by=writer_of(event))
    enter(table_of(event), "2t 230")
    assert dead_of(event) == [()]


def test_a_correction_of_points_is_no_hand_and_uses_no_dead_hand_up(event: Event):
    from scoring.entries import Correction

    give(event, foul="empty_riichi")
    enter(table_of(event), Correction(deltas=(1000, -1000, 0, 0), reason="sticks"), reason="sticks")
    enter(table_of(event), "1t 230")
    assert dead_of(event) == [(), (1,)]


def test_a_dead_hand_of_another_table_is_not_ours(event: Event):
    give(event, 6, at=2, foul="empty_riichi")
    enter(table_of(event), "2t 230")
    assert dead_of(event) == [()]


def test_which_hands_were_dead_is_known_of_every_row(event: Event):
    give(event, foul="empty_riichi")
    enter_all(table_of(event), "1t 230", "1t 230")
    give(event, 3, foul="empty_riichi")
    (table,) = load_tables(event, ids=[table_of(event).pk])
    assert [[mark.seat for mark in list_dead_hands(table, seen=seq)] for seq in (0, 1, 2, None)] == [[1], [], [2], [2]]
