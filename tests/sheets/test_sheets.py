"""Signing a table: the paper against the hands, and the likely cause where they part."""

from collections.abc import Sequence

import pytest
from django.utils import timezone

from tests.factories import (
    codes_of,
    correct,
    enter,
    enter_all,
    last_seq,
    make_event,
    refused,
    rows_of,
    sign,
    table_of,
    writer_of,
)
from tournament.core.errors import DomainError, StaleTableError
from tournament.sheets.actions import reopen_table, sign_table
from tournament.tables.models import Round, Table
from tournament.tables.queries import get_table

pytestmark = [pytest.mark.once, pytest.mark.django_db]

# 1 wins 3,900 off 3; then a draw with one riichi stick left on the table, 1 and 2 tenpai
HANDS = ("1r3 230", "2r3 340", "d12/1")


@pytest.fixture
def table() -> Table:
    table = table_of(make_event("wrc-2025"))
    enter_all(table, *HANDS)
    return table


def sign_with(table: Table, totals: Sequence[int], leftover: int, expected_seq: int | None = None) -> None:
    seq = last_seq(table) if expected_seq is None else expected_seq
    by = writer_of(table.round.event)
    sign_table(table=table, totals=totals, leftover=leftover, expected_seq=seq, by=by)


def test_a_sheet_that_agrees_is_signed_and_ends_the_game(table: Table):
    sign_with(table, [33400, 37000, 20100, 28500], 1000)
    (sheet,) = table.sheets.all()
    assert (sheet.seq, sheet.signed, sheet.totals, sheet.leftover) == (1, True, [33400, 37000, 20100, 28500], 1000)
    assert sheet.ledger_hash == rows_of(table)[-1].hash
    loaded = get_table(table.round.event, 1, 1)
    assert loaded is not None
    assert (loaded.stage, loaded.final.leftover) == ("signed", 1000)


@pytest.mark.once
@pytest.mark.parametrize(
    ("totals", "leftover", "codes"),
    [
        ([33400, 37000, 20100, 28500], 0, ["sheet.leftover_differs"]),
        ([34400, 37000, 20100, 28500], 1000, ["sheet.sum", "sheet.total_differs"]),
        ([37000, 33400, 20100, 28500], 1000, ["sheet.total_differs", "sheet.total_differs", "sheet.totals_swapped"]),
        # as it stood before the draw: the last line is missing on the paper
        ([32900, 36500, 20600, 30000], 1000, None),
        ([33400, 37000, 20100], 1000, ["points.not_for_each_seat"]),
    ],
)
def test_a_sheet_that_does_not_agree_is_refused_with_the_gap(
    table: Table, totals: list[int], leftover: int, codes: list[str] | None
):
    with pytest.raises(DomainError) as refusal:
        sign_with(table, totals, leftover)
    if codes is not None:
        assert codes_of(refusal) == codes
    assert not table.sheets.exists()


def test_a_sheet_from_before_the_last_hand_names_that_hand(table: Table):
    by_then = get_table(table.round.event, 1, 1)
    assert by_then is not None
    with pytest.raises(DomainError) as refusal:
        sign_with(table, by_then.game.hands[2].before.scores, 1000)
    last = refusal.value.problems[-1]
    assert (last.code, last.params) == ("sheet.agrees_before_hand", {"hand": 2})


def test_signing_twice_with_the_same_totals_is_signing_once(table: Table):
    sign(table)
    event = table.round.event
    event.refresh_from_db()
    version = event.version
    sign(table)
    event.refresh_from_db()
    assert (table.sheets.count(), event.version) == (1, version)


def test_other_totals_on_a_signed_table_are_refused(table: Table):
    sign(table)
    with refused("table.signed"):
        sign_with(table, [30000] * 4, 0)


def test_who_has_not_seen_the_last_hand_cannot_sign(table: Table):
    with pytest.raises(StaleTableError) as stale:
        sign_with(table, [33400, 37000, 20100, 28500], 1000, expected_seq=2)
    assert [row.seq for row in stale.value.between] == [3]


def test_an_empty_table_cannot_be_signed(table: Table):
    empty = table_of(table.round.event, 2)
    with refused("sheet.no_hands"):
        sign_with(empty, [30000] * 4, 0)


def test_reopening_wants_a_reason_and_leaves_a_trail(table: Table):
    by = writer_of(table.round.event)
    sign(table)
    with refused("table.reopen_reason"):
        reopen_table(table=table, reason="  ", by=by)
    reopen_table(table=table, reason="hand 2 was misread", by=by)
    correct(table, 2, "2r3 330")
    sign(table)
    rows = [(sheet.seq, sheet.signed, sheet.reason) for sheet in table.sheets.all()]
    assert rows == [(1, True, ""), (2, False, "hand 2 was misread"), (3, True, "")]


def test_a_table_released_after_the_page_asked_is_not_reopened(table: Table):
    by = writer_of(table.round.event)
    sign(table)
    Round.objects.filter(pk=table.round_id).update(released_at=timezone.now())
    with refused("access.needs_head_referee"):
        reopen_table(table=table, reason="misread", even_released=False, by=by)


def test_an_open_table_is_not_reopened(table: Table):
    event = table.round.event
    event.refresh_from_db()
    version = event.version
    reopen_table(table=table, reason="", by=writer_of(event))
    event.refresh_from_db()
    assert (table.sheets.count(), event.version) == (0, version)


def test_a_table_is_signed_also_where_time_ended_it_before_its_last_hand(table: Table):
    loaded = get_table(table.round.event, 1, 1)
    assert loaded is not None
    assert not loaded.state.ended
    sign(table)
    with refused("table.signed"):
        enter(table, "d")
