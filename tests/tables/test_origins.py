"""Where the hand in a place comes from: an inserted hand is no correction, and a moved one has its own reason."""

from uuid import uuid4

import pytest

from scoring.shorthand import parse
from tests.factories import correct, enter, enter_all, last_seq, sign, table_of, void, writer_of
from tests.fixtures import module_event
from tests.penalties.foul_acts import give
from tournament.events.models import Event
from tournament.hands.plan import effect_context
from tournament.pages.tables import hand_items
from tournament.paper.queries import log_rounds
from tournament.penalties.actions import cancel_penalty
from tournament.penalties.foul_views import penalty_bar
from tournament.sheets.actions import reopen_table
from tournament.tables.actions import correct_hands
from tournament.tables.history import Forgotten, HandChange, Plan
from tournament.tables.queries import LoadedTable, get_table, list_dead_hands, list_hands

pytestmark = [pytest.mark.once, pytest.mark.django_db]

made = module_event("rakkii-nomi-2026", tables=2, rounds=2)


def loaded(event: Event) -> LoadedTable:
    found = get_table(event, 1, 1)
    assert found
    return found


def marks(event: Event) -> list[tuple[str, bool]]:
    """Return note and warning of the hands, in order of play."""
    table = loaded(event)
    items = hand_items("/", table, list_hands(table), 0)
    return [(item["note"], item["warned"]) for item in reversed(items)]


def insert(event: Event, before: int, line: str, *changes: tuple[int, str]) -> None:
    table = table_of(event)
    correct_hands(
        table=table,
        changes=[HandChange(hand, parse(text)) for hand, text in changes],
        forgotten=Forgotten(before, parse(line)),
        client_id=uuid4(),
        expected_seq=last_seq(table),
        reason="forgotten",
        by=writer_of(event),
    )


@pytest.mark.parametrize("before", [1, 2, 4])
def test_an_inserted_hand_says_so_and_the_others_stay_as_they_were(event: Event, before: int):
    enter_all(table_of(event), "1t 230", "1r3 340", "1r2 m")
    enter(table_of(event), "n2", reason="the hand was closed")
    correct(table_of(event), 2, "1r4 340", reason="misheard")
    own = [("", False), ("corrected · misheard", False), ("", False), ("the hand was closed", True)]
    assert marks(event) == own
    insert(event, before, "1t 330")
    assert marks(event) == [*own[: before - 1], ("inserted · forgotten", False), *own[before - 1 :]]


def test_an_inserted_hand_that_is_corrected_is_corrected(event: Event):
    enter_all(table_of(event), "1t 230", "1r3 340")
    insert(event, 1, "1t 330")
    correct(table_of(event), 1, "1t 340", reason="fu")
    assert marks(event) == [("corrected · fu", False), ("", False), ("", False)]


def test_one_act_may_insert_and_correct(event: Event):
    enter_all(table_of(event), "1t 230", "1r3 340", "1r2 m")
    insert(event, 3, "1t 330", (1, "1t 240"))
    assert marks(event) == [("corrected · forgotten", False), ("", False), ("inserted · forgotten", False), ("", False)]


def test_two_equal_hands_before_an_inserted_one_do_not_confuse_it(event: Event):
    enter_all(table_of(event), "1t 230", "1t 230", "1r2 m")
    insert(event, 2, "1t 230")
    assert [warned for _note, warned in marks(event)] == [False] * 4


# ---------------------------------------------------------------- what a void hand leaves


def test_void_shows_what_becomes_of_every_score(event: Event):
    enter_all(table_of(event), "1t 230", "1r3 340")
    table = loaded(event)
    before, after = table.game.hands[0].after.scores, table.game.hands[1].after.scores
    (row,) = effect_context(table, Plan().changing(2, None))["rows"]
    assert row.scores == list(zip(after, before, strict=True))
    first, second = effect_context(table, Plan().changing(1, None))["rows"]
    assert [new for _was, new in first.scores] == [30000] * 4
    assert [new for _was, new in second.scores] == [37700, 30000, 22300, 30000]
    void(table_of(event), 2)
    assert loaded(event).state.scores == before


# ---------------------------------------------------------------- penalties of a table


def test_a_dead_hand_ends_with_its_game(event: Event):
    enter_all(table_of(event), "1r2 230")
    give(event, 3, foul="empty_riichi")
    assert [each.seat for each in list_dead_hands(loaded(event))] == [2]
    sign(table_of(event))
    assert list_dead_hands(loaded(event)) == []
    reopen_table(table=table_of(event), reason="one more hand", by=writer_of(event))
    assert [each.seat for each in list_dead_hands(loaded(event))] == [2]


def test_a_table_says_what_its_players_were_given(event: Event):
    assert penalty_bar(event, loaded(event))["given_here"] == []
    give(event, 1, foul="early_discard_before_south")
    row = give(event, 3, foul="empty_riichi").rows[0]
    give(event, 6, at=2, foul="empty_riichi")
    given = penalty_bar(event, loaded(event))["given_here"]
    assert [(who, what) for who, what, _reason, _clause in given] == [("Akelei", "Warning"), ("Cyan", "Dead hand")]
    assert all(reason and clause for _who, _what, reason, clause in given)
    cancel_penalty(penalty=row, reason="was riichi", by=writer_of(event))
    assert [who for who, *_rest in penalty_bar(event, loaded(event))["given_here"]] == ["Akelei"]


def test_each_entry_of_the_event_log_begins_with_a_capital(event: Event):
    enter_all(table_of(event), "1t 230", "1r3 340", "1r2 m")
    correct(table_of(event), 2, "1r4 340", reason="misheard")
    void(table_of(event), 3, reason="of another table")
    first, second, third = log_rounds(event, 1)[0].tables[0].hands
    assert (second.notes[-1], third.notes) == ("Corrected · misheard", ("Of another table",))
    assert all(note[0].isupper() for note in first.notes)
