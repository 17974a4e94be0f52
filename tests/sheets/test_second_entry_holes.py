"""Ways round the second entry of a sheet, and what else two people and a clock between them may do wrong."""

import datetime as dt
from uuid import uuid4

import pytest

from scoring.entries import Totals
from scoring.paper_sheet import PaperSheet
from scoring.shorthand import parse
from tests.factories import (
    correct,
    enter,
    make_account,
    make_event,
    refused,
    round_of,
    rows_of,
    table_of,
    void,
    writer_of,
)
from tests.fixtures import module_event
from tests.penalties.foul_acts import give, points
from tournament.accounts.models import Account
from tournament.archive.verify import verify_event
from tournament.calls.actions import call_referee
from tournament.core.errors import StaleTableError
from tournament.core.now import clock_at
from tournament.events.actions import set_second_person
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.players.actions import NewPlayer, add_late_player
from tournament.rounds.actions import give_time, pause_clock, put_clock_back, resume_clock, start_round, stop_clock
from tournament.seating.seat_actions import SeatAssignment, exchange_players, swap_players, swap_seats
from tournament.sheets.actions import TotalsEntered, enter_totals, reopen_table
from tournament.sheets.queries import get_waiting
from tournament.tables.actions import correct_hands
from tournament.tables.history import Forgotten, HandChange, standing_entries
from tournament.tables.models import Table
from tournament.tables.queries import get_table
from tournament.tables.round_queries import get_clock

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

RIGHT = (45_200, 30_000, 28_000, 16_800)
LINE = "*45200,30000,28000,16800,0"


def type_in(table: Table, counts: tuple[int, ...] = RIGHT, *, by: Account, seen: int = 0) -> TotalsEntered:
    sheet = PaperSheet(counts, (0,) * len(counts))
    return enter_totals(table=table, sheet=sheet, client_id=uuid4(), expected_seq=seen, by=by)


@pytest.fixture
def blind() -> Table:
    """Return a table of an event whose sheets are typed twice."""
    event = make_event(slug="cup")
    set_second_person(event=event, second_person="blind", by=writer_of(event))
    return table_of(event)


made = module_event()


# ---------------------------------------------------------------- no way round


def test_one_person_alone_enters_no_totals_as_a_hand(blind: Table):
    with refused("totals.typed_twice"):
        enter(blind, LINE)
    assert rows_of(blind) == []


def test_no_hand_becomes_totals_by_a_correction(blind: Table):
    enter(blind, "2r3 340")
    with refused("totals.typed_twice"):
        correct(blind, 1, LINE)
    for said, forgotten in ((parse(LINE), None), (None, Forgotten(1, parse(LINE)))):
        with refused("totals.typed_twice"):
            correct_hands(
                table=blind,
                changes=[HandChange(1, said)],
                forgotten=forgotten,
                client_id=uuid4(),
                expected_seq=1,
                reason="from paper",
                by=writer_of(blind.round.event),
            )
    assert len(rows_of(blind)) == 1


def test_what_two_agreed_on_is_not_changed_by_one(blind: Table):
    event = blind.round.event
    type_in(blind, by=writer_of(event))
    type_in(blind, by=make_account("Ben"))
    reopen_table(table=blind, reason="a complaint", by=writer_of(event))
    with refused("totals.typed_twice"):
        correct(blind, 1, "*45200,28000,30000,16800,0")
    void(blind, 1)
    with refused("totals.typed_twice"):
        correct(blind, 1, LINE)
    swapped = (45_200, 28_000, 30_000, 16_800)
    assert type_in(blind, swapped, by=writer_of(event), seen=2).outcome == "first"
    assert type_in(blind, swapped, by=make_account("Cleo"), seen=2).outcome == "counted"
    assert verify_event(event).problems == []


def test_where_sheets_are_typed_once_totals_are_a_hand_as_ever(event: Event):
    table = table_of(event)
    enter(table, LINE)
    correct(table, 1, "*45200,28000,30000,16800,0")
    assert [entry.scores for entry in standing_entries(rows_of(table)) if isinstance(entry, Totals)] == [
        (45_200, 28_000, 30_000, 16_800)
    ]


def test_seats_of_agreed_totals_are_still_exchanged(blind: Table):
    event = blind.round.event
    type_in(blind, by=writer_of(event))
    type_in(blind, by=make_account("Ben"))
    reopen_table(table=blind, reason="sat wrong", by=writer_of(event))
    swap_seats(
        one=SeatAssignment(blind, 0, 1),
        other=SeatAssignment(blind, 1, 2),
        hands="follow",
        expected={1: 1},
        client_id=uuid4(),
        reason="sat wrong",
        by=writer_of(event),
    )
    (entry,) = standing_entries(rows_of(blind))
    assert isinstance(entry, Totals)
    assert entry.scores == (30_000, 45_200, 28_000, 16_800)
    with refused("totals.typed_twice"):
        swap_seats(
            one=SeatAssignment(blind, 0, 2),
            other=SeatAssignment(blind, 1, 1),
            hands="follow",
            changes=[HandChange(1, parse(LINE))],
            expected={1: 2},
            client_id=uuid4(),
            reason="sat right",
            by=writer_of(event),
        )


# ---------------------------------------------------------------- a sheet that was overtaken


def test_a_resent_sheet_that_never_counted_is_not_said_to_count(blind: Table):
    event, table, act = blind.round.event, blind, uuid4()
    sheet = PaperSheet(RIGHT, (0,) * 4)
    enter_totals(table=table, sheet=sheet, client_id=act, expected_seq=0, by=writer_of(event))
    enter(table, "2r3 340")
    with pytest.raises(StaleTableError) as stale:
        enter_totals(table=table, sheet=sheet, client_id=act, expected_seq=0, by=writer_of(event))
    assert [row.seq for row in stale.value.between] == [1]


# ---------------------------------------------------------------- two seats at once


def substitute(event: Event, table: int, number: int, name: str, *, round_: int = 1) -> None:
    put_substitute_in(
        table=table_of(event, table, round_=round_),
        player=event.players.get(number=number),
        replacement=Replacement(when="before", reason="ill", name=name),
        client_id=uuid4(),
        by=writer_of(event),
    )


def test_who_plays_for_somebody_gets_no_second_seat(event: Event):
    late = add_late_player(event=event, new=NewPlayer("Zimt"), ranked=False, by=writer_of(event))
    substitute(event, 2, 5, "Zimt")
    with refused("seats.is_substitute"):
        exchange_players(
            event=event,
            one=1,
            other=late.number,
            seen={1: ((1, 0), None)},
            reason="stood under another name",
            by=writer_of(event),
        )
    with refused("seats.is_substitute"):
        swap_players(
            round_=round_of(event),
            one=1,
            other=late.number,
            seen={1: (1, 0), late.number: None},
            reason="ill",
            by=writer_of(event),
        )


# ---------------------------------------------------------------- a chombo, and nothing else entered


def test_a_table_with_nothing_but_a_chombo_is_entered_from_its_sheet(blind: Table):
    event = blind.round.event
    give(event, 2, foul="empty_win_shown")
    before = points(event)
    assert before == {2: 20_000}
    assert type_in(blind, by=writer_of(event), seen=1).outcome == "first"
    loaded = get_table(event, 1, 1)
    assert loaded
    waits = get_waiting(loaded)
    assert waits
    assert [each.sheet.counts for each in waits.typed] == [RIGHT]
    assert type_in(blind, by=make_account("Ben"), seen=1).outcome == "counted"
    loaded = get_table(event, 1, 1)
    assert loaded
    assert (loaded.final.scores, loaded.signed, loaded.totals_seq, points(event)) == (RIGHT, True, 2, before)
    assert verify_event(event).problems == []


def test_a_hand_made_void_is_not_the_entry_that_is_made_void(blind: Table):
    event = blind.round.event
    enter(blind, "2r3 340")
    void(blind, 1)
    type_in(blind, by=writer_of(event), seen=2)
    type_in(blind, by=make_account("Ben"), seen=2)
    loaded = get_table(event, 1, 1)
    assert loaded
    assert loaded.totals_seq == 3


# ---------------------------------------------------------------- one act's number, another's content


def test_the_number_of_an_act_at_another_table_is_refused():
    event, act = make_event(), uuid4()
    first = call_referee(table=table_of(event), client_id=act, by=writer_of(event))
    assert call_referee(table=table_of(event), client_id=act, by=writer_of(event)) == first
    with refused("entry.client_id_used"):
        call_referee(table=table_of(event, 2), client_id=act, by=writer_of(event))
    given = give_time(table=table_of(event), minutes=5, reason="late", client_id=act, by=writer_of(event))
    assert give_time(table=table_of(event), minutes=5, reason="late", client_id=act, by=writer_of(event)) == given
    with refused("entry.client_id_used"):
        give_time(table=table_of(event, 2), minutes=5, reason="late", client_id=act, by=writer_of(event))


# ---------------------------------------------------------------- a clock that stood still


def test_a_clock_stopped_in_a_pause_is_put_back_as_it_was(event: Event):
    start = dt.datetime(2026, 9, 12, 10, tzinfo=dt.UTC)
    with clock_at(start):
        start_round(round_=round_of(event), by=writer_of(event))
    with clock_at(start + dt.timedelta(minutes=5)):
        pause_clock(round_=round_of(event), reason="fire alarm", by=writer_of(event))
    with clock_at(start + dt.timedelta(minutes=10)):
        stop_clock(round_=round_of(event), reason="by mistake", by=writer_of(event))
    with clock_at(start + dt.timedelta(minutes=30)):
        put_clock_back(round_=round_of(event), by=writer_of(event))
        now = get_clock(round_of(event))
    assert (now.paused_at, now.pause_reason) == (start + dt.timedelta(minutes=5), "fire alarm")
    with clock_at(start + dt.timedelta(minutes=40)):
        resume_clock(round_=round_of(event), by=writer_of(event))
    assert get_clock(round_of(event)).ends_at == start + dt.timedelta(minutes=75 + 35)


def test_a_clock_started_anew_after_a_pause_runs_and_can_be_paused(event: Event):
    start = dt.datetime(2026, 9, 12, 10, tzinfo=dt.UTC)
    with clock_at(start):
        start_round(round_=round_of(event), by=writer_of(event))
        pause_clock(round_=round_of(event), reason="too early", by=writer_of(event))
        stop_clock(round_=round_of(event), reason="too early", by=writer_of(event))
    with clock_at(start + dt.timedelta(minutes=10)):
        start_round(round_=round_of(event), by=writer_of(event))
        assert get_clock(round_of(event)).ends_at == start + dt.timedelta(minutes=85)
    with clock_at(start + dt.timedelta(minutes=20)):
        pause_clock(round_=round_of(event), reason="fire alarm", by=writer_of(event))
        assert get_clock(round_of(event)).paused_at == start + dt.timedelta(minutes=20)
