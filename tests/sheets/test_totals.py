"""Tables entered from paper alone: one act, once each; and two who type blind until they agree or somebody decides."""

import contextlib
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import OperationalError, connection

from scoring.entries import Totals
from scoring.paper_sheet import PaperSheet
from tests.factories import (
    codes_of,
    enter,
    make_account,
    make_event,
    refused,
    round_of,
    rows_of,
    sign,
    table_of,
    writer_of,
)
from tournament.accounts.models import Account
from tournament.archive.verify import verify_event
from tournament.core.errors import DomainError, StaleTableError
from tournament.core.models import AuditRow
from tournament.events.actions import set_second_person, set_sheet_numbers
from tournament.events.models import Event
from tournament.rounds.actions import release_round
from tournament.seating.seat_actions import SeatAssignment, swap_seats
from tournament.sheets.actions import TotalsEntered, confirm_sheet, decide_totals, enter_totals, reopen_table
from tournament.sheets.models import SheetCheck, SheetRow, TypedSheet
from tournament.sheets.queries import Pile, WaitingSheet, get_typed_for, get_waiting, list_waiting
from tournament.tables.actions import HandRequest, write_hand
from tournament.tables.history import standing_entries
from tournament.tables.models import LedgerEntry, Table
from tournament.tables.queries import get_table

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

RIGHT = (45_200, 30_000, 28_000, 16_800)
SWAPPED = (45_200, 28_000, 30_000, 16_800)


def paper(*counts: int, loans: tuple[int, ...] = (), leftover: int = 0) -> PaperSheet:
    return PaperSheet(counts, loans or (0,) * len(counts), leftover)


def type_in(
    table: Table,
    sheet: PaperSheet | tuple[int, ...] = RIGHT,
    *,
    by: Account | None = None,
    client_id: UUID | None = None,
    seen: int = 0,
    reason: str = "",
    again: bool = False,
) -> TotalsEntered:
    return enter_totals(
        table=table,
        sheet=sheet if isinstance(sheet, PaperSheet) else paper(*sheet),
        client_id=client_id or uuid4(),
        expected_seq=seen,
        reason=reason,
        again=again,
        by=by or writer_of(table.round.event),
    )


def counts() -> tuple[int, int, int, int]:
    """Count the rows that entering may write."""
    models = (TypedSheet, LedgerEntry, SheetRow, AuditRow)
    return tuple(model._default_manager.count() for model in models)  # type: ignore[return-value]


def waiting(table: Table) -> WaitingSheet | None:
    loaded = get_table(table.round.event, table.round.number, table.number)
    assert loaded
    return get_waiting(loaded)


@pytest.fixture
def table() -> Table:
    """Return a table of an event whose sheets are typed once."""
    return table_of(make_event(slug="cup"))


@pytest.fixture
def blind() -> Table:
    """Return a table of an event whose sheets are typed twice."""
    event = make_event(slug="cup")
    set_second_person(event=event, second_person="blind", by=writer_of(event))
    return table_of(event)


# ---------------------------------------------------------------- typed once


@pytest.mark.parametrize(("key", "scores"), [("ema-2025", RIGHT), ("sanmatsuri-2026", (41_000, 30_100, 18_900))])
def test_a_sheet_is_entered_and_signed_in_one_act(key: str, scores: tuple[int, ...]):
    table = table_of(make_event(key))
    assert type_in(table, scores) == TotalsEntered("counted")
    (row,), (signed,) = rows_of(table), table.sheets.all()
    assert standing_entries([row]) == [Totals(scores=scores)]
    assert (signed.signed, tuple(signed.totals), signed.ledger_hash) == (True, scores, row.hash)
    assert list(AuditRow.objects.order_by("-seq").values_list("verb", flat=True)[:3]) == [
        "table_signed",
        "hand_entered",
        "sheet_typed",
    ]
    assert verify_event(table.round.event).problems == []


def test_what_stood_on_the_paper_is_kept(table: Table):
    type_in(table, paper(60_000, 50_000, 30_000, 9_000, loans=(0, 0, 0, 30_000), leftover=1_000))
    loaded = get_table(table.round.event, 1, 1)
    assert loaded
    assert loaded.final.scores == (61_000, 50_000, 30_000, -21_000)
    kept = get_typed_for(loaded)
    assert kept
    assert (kept.sheet.loans, kept.sheet.leftover) == ((0, 0, 0, 30_000), 1_000)


def test_the_same_act_twice_is_one(table: Table):
    act = uuid4()
    type_in(table, client_id=act)
    before = counts()
    assert type_in(table, client_id=act) == TotalsEntered("counted", repeated=True)
    assert type_in(table, SWAPPED, client_id=act) == TotalsEntered("counted", repeated=True, same=False)
    assert counts() == before
    with refused("entry.client_id_used"):
        type_in(table_of(table.round.event, 2), client_id=act)


def test_a_wrong_sum_writes_nothing(table: Table):
    before = counts()
    with refused("sheet_gap.short", "sheet_gap.deposit"):
        type_in(table, (45_200, 30_000, 28_000, 15_800))
    assert counts() == before


def test_a_score_far_off_wants_a_reason(table: Table):
    far = (131_000, 2_000, -4_300, -8_700)
    with refused("sheet_gap.far", "entry.reason_needed"):
        type_in(table, far)
    type_in(table, far, reason="two yakuman, seen by Rita")
    assert rows_of(table)[0].reason == "two yakuman, seen by Rita"


def test_who_is_behind_is_told_what_came_between(table: Table):
    enter(table, "1t 230")
    with pytest.raises(StaleTableError) as stale:
        type_in(table)
    assert [row.seq for row in stale.value.between] == [1]
    with refused("totals.after_hands"):
        type_in(table, seen=1)
    sign(table)
    with refused("table.signed"):
        type_in(table, seen=1)


def test_seats_that_are_not_published_take_no_sheet():
    table = table_of(make_event(published=False))
    with refused("round.not_published"):
        type_in(table)


def test_a_reopened_and_voided_table_is_typed_anew(table: Table):
    by = writer_of(table.round.event)
    type_in(table, SWAPPED)
    reopen_table(table=table, reason="two names crossed", by=by)
    write_hand(HandRequest(table, None, uuid4(), 1, hand=1, reason="two names crossed"), by=by)
    assert type_in(table, seen=2) == TotalsEntered("counted")
    assert standing_entries(rows_of(table)) == [Totals(scores=RIGHT)]
    assert verify_event(table.round.event).problems == []


def test_another_person_confirms_what_was_typed_once(table: Table):
    event = table.round.event
    set_second_person(event=event, second_person="other_person", by=writer_of(event))
    assert type_in(table).outcome == "counted"
    assert waiting(table) is None
    confirm_sheet(table=table, sheet=1, by=make_account("Rita"))
    assert SheetCheck.objects.get().confirmed


def test_what_sheets_are_written_in_is_remembered(table: Table):
    event, by = table.round.event, writer_of(table.round.event)
    assert [set_sheet_numbers(event=event, numbers="differences", by=by) for _ in range(2)] == [True, False]
    event.refresh_from_db()
    assert event.sheet_numbers == "differences"
    with refused("totals.numbers_unknown"):
        set_sheet_numbers(event=event, numbers="both", by=by)


# ---------------------------------------------------------------- typed twice


def test_a_first_entry_counts_nothing(blind: Table):
    assert type_in(blind) == TotalsEntered("first")
    assert (rows_of(blind), blind.sheets.count()) == ([], 0)
    found = waiting(blind)
    assert found
    assert ([typed.by for typed in found.typed], found.differs) == ([str(writer_of(blind.round.event).uid)], ())


def test_two_who_agree_count_sign_and_confirm(blind: Table):
    first, second = writer_of(blind.round.event), make_account("Rita")
    type_in(blind, by=first)
    differences = PaperSheet((15_200, 0, -2_000, -13_200), (0,) * 4, 0, "differences")
    assert type_in(blind, differences, by=second) == TotalsEntered("counted")
    (sheet,), (check,) = blind.sheets.all(), SheetCheck.objects.all()
    assert (tuple(sheet.totals), sheet.by, check.by, check.confirmed) == (
        RIGHT,
        str(first.uid),
        str(second.uid),
        True,
    )
    assert waiting(blind) is None
    other = table_of(blind.round.event, 2)
    type_in(other, by=second)
    type_in(other, by=first)
    release_round(round_=round_of(blind.round.event), by=first)
    assert verify_event(blind.round.event).problems == []


def test_the_same_person_is_no_second(blind: Table):
    type_in(blind, SWAPPED)
    before = counts()
    with pytest.raises(DomainError) as refusal:
        type_in(blind)
    assert (codes_of(refusal), counts()) == (["totals.same_person"], before)
    assert type_in(blind, again=True) == TotalsEntered("first")
    assert type_in(blind, by=make_account("Rita")) == TotalsEntered("counted")


def test_two_who_differ_are_told_the_seats_alone(blind: Table):
    first, second = writer_of(blind.round.event), make_account("Rita")
    type_in(blind, by=first)
    assert type_in(blind, SWAPPED, by=second) == TotalsEntered("differs", (1, 2))
    assert (rows_of(blind), blind.sheets.count()) == ([], 0)
    row = AuditRow.objects.order_by("-seq")[0]
    assert (row.verb, "45200" in row.details, "28000" in row.details) == ("sheet_typed", False, False)
    assert type_in(blind, paper(45_200, 30_000, 28_000, 15_800, leftover=1_000), by=second, again=True) == (
        TotalsEntered("differs", (-1, 3))
    )
    assert type_in(blind, by=second, again=True) == TotalsEntered("counted")


def test_the_first_may_be_the_one_who_misread(blind: Table):
    first, second = writer_of(blind.round.event), make_account("Rita")
    type_in(blind, SWAPPED, by=first)
    type_in(blind, by=second)
    assert type_in(blind, by=first, again=True) == TotalsEntered("counted")
    assert (blind.sheets.get().by, SheetCheck.objects.get().by) == (str(second.uid), str(first.uid))
    assert TypedSheet.objects.count() == 3


def test_a_third_who_agrees_with_either_settles_it(blind: Table):
    type_in(blind, SWAPPED)
    type_in(blind, by=make_account("Rita"))
    assert type_in(blind, by=make_account("Sven")) == TotalsEntered("counted")
    assert tuple(blind.sheets.get().totals) == RIGHT


def test_a_first_entry_that_is_sent_again_is_the_same(blind: Table):
    act = uuid4()
    type_in(blind, client_id=act)
    before = counts()
    assert type_in(blind, client_id=act) == TotalsEntered("first", repeated=True)
    type_in(blind, SWAPPED, by=make_account("Rita"))
    assert type_in(blind, client_id=act) == TotalsEntered("differs", (1, 2), repeated=True)
    assert before[1:3] == counts()[1:3]


def test_an_organiser_decides_with_a_reason(blind: Table):
    organiser, one, other = writer_of(blind.round.event), make_account("Rita"), make_account("Sven")
    type_in(blind, by=one)
    type_in(blind, SWAPPED, by=other)
    act: dict[str, Any] = {"table": blind, "expected_seq": 0, "client_id": uuid4(), "by": organiser}
    for typed, reason, code in ((1, " ", "totals.decide_reason"), (9, "x", "totals.nothing_to_decide")):
        with refused(code):
            decide_totals(typed=typed, reason=reason, **act)
    for _ in range(2):
        decide_totals(typed=1, reason="Sven read the wrong line", **act)
    assert (tuple(blind.sheets.get().totals), rows_of(blind)[0].reason) == (RIGHT, "Sven read the wrong line")
    assert SheetCheck.objects.get().by == str(organiser.uid)
    assert verify_event(blind.round.event).problems == []


def test_an_own_entry_that_is_decided_for_is_confirmed_by_another(blind: Table):
    organiser, other = writer_of(blind.round.event), make_account("Rita")
    type_in(blind, by=organiser)
    type_in(blind, SWAPPED, by=other)
    decide_totals(table=blind, typed=1, expected_seq=0, client_id=uuid4(), reason="recounted", by=organiser)
    assert (blind.sheets.get().by, SheetCheck.objects.count()) == (str(organiser.uid), 0)
    confirm_sheet(table=blind, sheet=1, by=other)


@pytest.mark.postgresql
def test_nothing_is_decided_where_one_person_has_typed(blind: Table):
    type_in(blind)
    with refused("totals.nothing_to_decide"):
        decide_totals(
            table=blind, typed=1, expected_seq=0, client_id=uuid4(), reason="x", by=writer_of(blind.round.event)
        )


def test_a_hand_that_is_entered_ends_the_waiting(blind: Table):
    type_in(blind)
    enter(blind, "1t 230")
    assert waiting(blind) is None
    sign(blind)
    confirm_sheet(table=blind, sheet=1, by=make_account("Rita"))


def test_who_sits_elsewhere_by_now_is_typed_anew(blind: Table):
    event, by = blind.round.event, writer_of(blind.round.event)
    type_in(blind)
    one, other = (
        SeatAssignment(blind, seat.seat, seat.player.number)
        for seat in blind.seats.select_related("player").order_by("seat")[:2]
    )
    swap_seats(one=one, other=other, hands="stay", expected={1: 0}, client_id=uuid4(), reason="sat wrongly", by=by)
    assert waiting(blind) is None
    assert type_in(blind) == TotalsEntered("first")
    assert TypedSheet.objects.count() == 2
    assert event.types_twice


def test_the_grid_reads_what_waits_in_two_queries(blind: Table, django_assert_num_queries: object):
    event: Event = blind.round.event
    type_in(blind)
    type_in(table_of(event, 2), by=make_account("Rita"))
    seats = {
        number: tuple(table_of(event, number).seats.order_by("seat").values_list("player__number", flat=True))
        for number in (1, 2)
    }
    with django_assert_num_queries(2):  # type: ignore[operator]
        found = list_waiting(event, 1, seats)
    assert sorted(found) == [1, 2]
    event.second_person = "other_person"
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert list_waiting(event, 1, seats) == {}


@pytest.mark.parametrize(
    ("due", "after", "found"), [((1, 3), 1, 3), ((1, 3), 3, 1), ((3,), 3, 3), ((2, 5), 0, 2), ((), 1, None)]
)
def test_the_next_sheet_lies_behind_the_last_or_is_the_first(due: tuple[int, ...], after: int, found: int | None):
    assert Pile((), {}, due).next(after) == found


# ---------------------------------------------------------------- one act


@contextlib.contextmanager
def broken_at(table: str) -> Iterator[None]:
    """Let the database fail at the first row that is to be written into a table."""

    def write(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith(f'INSERT INTO "{table}"'):
            raise OperationalError("disk full")
        return execute(sql, *rest)

    with connection.execute_wrapper(write), pytest.raises(OperationalError):
        yield


def test_a_sheet_that_cannot_be_signed_is_not_entered_either(table: Table):
    before = counts()
    with broken_at("tournament_sheetrow"):
        type_in(table)
    assert counts() == before


def test_a_decision_that_cannot_be_signed_is_not_taken(blind: Table):
    type_in(blind)
    type_in(blind, SWAPPED, by=make_account("Rita"))
    before = counts()
    with broken_at("tournament_sheetrow"):
        decide_totals(
            table=blind, typed=1, expected_seq=0, client_id=uuid4(), reason="looked", by=writer_of(blind.round.event)
        )
    assert counts() == before
