"""Entering, correcting and voiding hands: one row each, judged whole, never twice, never behind somebody's back."""

import json
from uuid import UUID, uuid4

import pytest

from scoring.entries import Draw
from scoring.game import fold
from scoring.shorthand import parse
from tests.factories import (
    codes_of,
    codes_when,
    correct,
    enter,
    enter_all,
    fresh,
    last_seq,
    make_account,
    make_event,
    round_of,
    rows_of,
    sign,
    table_of,
    void,
    writer_of,
)
from tests.fixtures import module_event
from tournament.core.errors import DomainError, StaleTableError
from tournament.core.hash_chain import genesis, link
from tournament.events.models import Event
from tournament.rounds.actions import release_round
from tournament.sheets.actions import reopen_table
from tournament.tables.actions import HandRequest, write_hand
from tournament.tables.history import standing_entries
from tournament.tables.models import LedgerEntry, Table

pytestmark = [pytest.mark.once, pytest.mark.django_db]

NINE_HANDS = (
    "1t 230", "2r3 340/2", "d13/1", "4r1 5", "3t 340/3", "2r4 230", "d", "1r2 130", "4t 425",
)  # fmt: skip


def scores_of(table: Table) -> tuple[int, ...]:
    return fold(standing_entries(rows_of(table)), table.round.event.ruleset).state.scores


made = module_event()


def test_a_hand_is_one_row_one_version_and_one_audit_row(event: Event):
    table, by = table_of(event), make_account("Rita")
    entered = write_hand(HandRequest(table, parse("2r3 340/2"), UUID(int=7)), by=by)

    assert not entered.repeated
    (row,) = rows_of(table)
    assert row == entered.row
    assert (row.seq, row.supersedes, row.client_id, row.reason, row.by) == (1, None, UUID(int=7), "", str(by.uid))
    assert row.payload == '{"kind":"ron","loser":2,"riichi":[1],"winners":[{"fu":40,"han":3,"seat":1}]}'
    audit = event.audit.latest("seq")
    assert (audit.verb, audit.by) == ("hand_entered", str(by.uid))
    assert json.loads(audit.details) == {"round": 1, "table": 1, "seq": 1, "hand": 1}
    version = event.version
    event.refresh_from_db()
    assert event.version == version + 1


def test_the_rules_are_frozen_with_the_first_hand(event: Event):
    assert event.rules_frozen_at is None
    entered = enter(table_of(event), "d")
    event.refresh_from_db()
    assert event.rules_frozen_at == entered.row.at


def test_a_repeated_client_id_changes_nothing_and_returns_the_first_answer(event: Event):
    table = table_of(event)
    first = enter(table, "1t 230", client_id=UUID(int=1))
    event.refresh_from_db()
    version, audits = event.version, event.audit.count()
    # as a laptop sends it again after the network came back
    again = enter(table, "1t 230", client_id=UUID(int=1))

    assert again.repeated
    assert again.row == first.row
    event.refresh_from_db()
    assert (event.version, event.audit.count(), len(rows_of(table))) == (version, audits, 1)


def test_a_client_id_of_another_table_is_refused(event: Event):
    enter(table_of(event, 1), "1t 230", client_id=UUID(int=1))
    assert codes_when(lambda: enter(table_of(event, 2), "1t 230", client_id=UUID(int=1))) == ["entry.client_id_used"]


def test_who_is_behind_is_shown_what_came_between(event: Event):
    table = table_of(event)
    enter_all(table, "1t 230", "2r3 340/2", "d13/1")
    with pytest.raises(StaleTableError) as stale:
        write_hand(HandRequest(table, Draw(), uuid4(), 1), by=writer_of(event))
    assert codes_of(stale) == ["table.moved_on"]
    assert stale.value.problems[0].params == {"expected": 1, "last": 3}
    assert list(stale.value.between) == rows_of(table)[1:]
    assert len(rows_of(table)) == 3


def test_who_is_ahead_of_the_table_is_refused_too(event: Event):
    with pytest.raises(StaleTableError) as stale:
        write_hand(HandRequest(table_of(event), Draw(), uuid4(), 5), by=writer_of(event))
    assert list(stale.value.between) == []


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("2r2 340", ["win.winner_is_discarder"]),
        ("1t 120", ["win.fu_impossible"]),
        ("1r2 3", ["win.fu_missing"]),
        ("2r2 137", ["win.winner_is_discarder", "win.fu_impossible"]),
        ("c", ["chombo.no_offender"]),
        ("5t 230", ["seat.not_at_table"]),
    ],
)
def test_an_impossible_hand_is_refused_with_its_codes_and_nothing_is_written(event: Event, line: str, codes: list[str]):
    table = table_of(event)
    assert codes_when(lambda: enter(table, line)) == codes
    assert rows_of(table) == []
    assert not event.audit.filter(verb="hand_entered").exists()


def test_a_warning_wants_a_reason_and_keeps_it(event: Event):
    table = table_of(event)
    assert codes_when(lambda: enter(table, "d1/2")) == ["draw.riichi_noten", "entry.reason_needed"]
    entered = enter(table, "d1/2", reason=" hand declared dead ")
    assert entered.row.reason == "hand declared dead"


def test_a_hand_that_only_a_later_judge_refuses_does_not_keep_the_next_one_out(event: Event):
    strict = event.rules
    Event.objects.update(rules={**strict, "abortive_draws": ["kyuushu_kyuuhai"]})
    table = table_of(fresh(event))
    enter_all(table, "ak", "1t 230")
    Event.objects.update(rules=strict)
    assert enter(table, "d13").row.seq == 3
    assert codes_when(lambda: correct(table, 2, "d", reason="not won")) == ["hand.no_longer_fits"]


def test_a_reason_does_not_let_an_error_through(event: Event):
    table = table_of(event)
    with pytest.raises(DomainError) as refusal:
        enter(table, "2r2 340", reason="because")
    assert "win.winner_is_discarder" in codes_of(refusal)


def test_an_endless_reason_is_refused(event: Event):
    table = table_of(event)
    assert codes_when(lambda: enter(table, "1t 230", reason="x" * 501)) == ["entry.text_too_long"]


def test_seats_that_are_not_published_take_no_hand():
    assert codes_when(lambda: enter(table_of(make_event(published=False)), "1t 230")) == ["round.not_published"]


def test_a_game_that_is_over_takes_no_hand(event: Event):
    table = table_of(event)
    enter_all(table, *(["d"] * 8))
    assert codes_when(lambda: enter(table, "d")) == ["game.ended"]


def test_a_signed_table_takes_no_hand_no_correction_and_no_void(event: Event):
    table = table_of(event)
    enter_all(table, "1t 230")
    sign(table)
    for attempt in (lambda: enter(table, "d"), lambda: correct(table, 1, "d"), lambda: void(table, 1)):
        with pytest.raises(DomainError) as refusal:
            attempt()
        assert codes_of(refusal) == ["table.signed"]
    reopen_table(table=table, reason="wrong hand", by=writer_of(event))
    correct(table, 1, "d")
    assert scores_of(table) == (30000, 30000, 30000, 30000)


def test_a_correction_is_a_new_row_that_supersedes_the_hand(event: Event):
    table = table_of(event)
    enter_all(table, "1t 230", "2r3 340")
    entered = correct(table, 1, "1t 340", reason="pinfu was no pinfu")
    assert (entered.row.seq, entered.row.supersedes, entered.row.reason) == (3, 1, "pinfu was no pinfu")
    assert [row.payload == entered.row.payload for row in rows_of(table)] == [False, False, True]
    assert event.audit.latest("seq").verb == "hand_corrected"


def test_correcting_hand_3_of_9_refolds_all_later_ones(event: Event):
    """The third hand was no draw but a win by the dealer: dealer, honba and riichi sticks of all later hands move."""
    table = table_of(event)
    enter_all(table, *NINE_HANDS)
    correct(table, 3, "1t 230/1")
    corrected = [parse(line) for line in (*NINE_HANDS[:2], "1t 230/1", *NINE_HANDS[3:])]
    assert scores_of(table) == fold(corrected, table.round.event.ruleset).state.scores
    assert [row.seq for row in rows_of(table)] == list(range(1, 11))


def test_void_then_redo_is_the_identity(event: Event):
    table = table_of(event)
    enter_all(table, *NINE_HANDS)
    before = fold(standing_entries(rows_of(table)), table.round.event.ruleset)
    void(table, 4)
    assert len(standing_entries(rows_of(table))) == 8
    correct(table, 4, NINE_HANDS[3])
    assert fold(standing_entries(rows_of(table)), table.round.event.ruleset) == before


def test_only_the_last_hand_is_changed_without_a_reason(event: Event):
    table = table_of(event)
    enter_all(table, "1t 230", "2r3 340", "d13")
    for attempt in (lambda: correct(table, 2, "d", reason=""), lambda: void(table, 1, reason="  ")):
        with pytest.raises(DomainError) as refusal:
            attempt()
        assert codes_of(refusal) == ["hand.reason_needed"]
    correct(table, 3, "d1", reason="")
    void(table, 3, reason="")
    void(table, 2, reason="")  # which is the last one that stands now
    assert len(standing_entries(rows_of(table))) == 1


def test_a_correction_that_leaves_a_later_hand_impossible_is_refused():
    table = table_of(make_event("sanmatsuri-2026"))
    enter_all(table, *(["d"] * 5))
    with pytest.raises(DomainError) as refusal:
        write_hand(HandRequest(table, Draw(), uuid4(), 5, hand=9, reason="x"), by=writer_of(table.round.event))
    assert codes_of(refusal) == ["hand.unknown"]
    # without the dealer's first win the game is over one hand earlier, and the last hand stands after its end
    event = make_event("sanmatsuri-2026")
    table = table_of(event)
    enter_all(table, "1t 230", *(["d"] * 6))
    with pytest.raises(DomainError) as refusal:
        correct(table, 1, "d")
    assert codes_of(refusal) == ["hand.no_longer_fits"]
    assert refusal.value.problems[0].params == {"hand": 7, "because": "game.ended"}


def test_a_hand_that_is_not_there_cannot_be_changed(event: Event):
    table = table_of(event)
    enter(table, "1t 230")
    for attempt in (lambda: correct(table, 2, "d"), lambda: void(table, 0)):
        with pytest.raises(DomainError) as refusal:
            attempt()
        assert codes_of(refusal) == ["hand.unknown"]


def test_a_correcting_row_is_not_itself_a_hand(event: Event):
    table = table_of(event)
    enter(table, "1t 230")
    correct(table, 1, "1t 340")
    assert codes_when(lambda: correct(table, 2, "d")) == ["hand.unknown"]


def test_a_repeated_void_writes_one_row(event: Event):
    table = table_of(event)
    enter(table, "1t 230")
    for repeated in (False, True):
        voided = write_hand(HandRequest(table, None, UUID(int=5), 1, hand=1, reason="x"), by=writer_of(event))
        assert voided.repeated is repeated
    assert [row.payload == "" for row in rows_of(table)] == [False, True]


def test_rows_are_chained_from_the_name_of_the_table():
    table = table_of(make_event(slug="cup"), 2)
    enter_all(table, "1t 230", "d")
    first, second = rows_of(table)
    assert first.previous_hash == genesis("cup/rounds/1/tables/2")
    assert second.previous_hash == first.hash == link(first.previous_hash, first.content())


def test_two_tables_do_not_see_each_other(event: Event):
    one, two = table_of(event, 1), table_of(event, 2)
    enter(one, "1t 230")
    enter(two, "d")
    assert [last_seq(one), last_seq(two)] == [1, 1]
    assert LedgerEntry.objects.count() == 2


def test_a_released_round_keeps_its_tables_signed():
    event = make_event(rounds=1)
    for number in (1, 2):
        enter(table_of(event, number), "1t 230")
        sign(table_of(event, number))
    release_round(round_=round_of(event), by=writer_of(event))
    assert codes_when(lambda: enter(table_of(event), "d")) == ["table.signed"]
