"""Ways round the second entry of a sheet, and what else two people and a clock between them may do wrong."""

from uuid import uuid4

import pytest

from scoring.entries import Totals
from scoring.sheet_gap import PaperSheet
from scoring.shorthand import parse
from tests.factories import (
    correct,
    enter,
    make_account,
    make_event,
    round_of,
    rows_of,
    table_of,
    void,
    writer_of,
)
from tournament.history import standing_entries
from tournament.models import Account, Event, Table
from tournament.refusal import Refused
from tournament.replay import Forgotten, HandChange
from tournament.selectors.verify import verify_event
from tournament.services.corrections import correct_hands
from tournament.services.events import set_second_person
from tournament.services.people import NewPlayer, add_late_player
from tournament.services.seats import Sitting, exchange_players, swap_players, swap_seats
from tournament.services.sheets import reopen_table
from tournament.services.substitutions import Replacement, put_substitute_in
from tournament.services.totals import enter_totals

pytestmark = pytest.mark.django_db

RIGHT = (45_200, 30_000, 28_000, 16_800)
LINE = "*45200,30000,28000,16800,0"


def type_in(table: Table, counts: tuple[int, ...] = RIGHT, *, by: Account, seen: int = 0, leftover: int = 0):
    return enter_totals(
        table=table,
        sheet=PaperSheet(counts, (0,) * len(counts), leftover),
        client_id=uuid4(),
        expected_seq=seen,
        by=by,
    )


def codes(refusal: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.code for problem in refusal.value.problems]


@pytest.fixture
def blind() -> Table:
    """Return a table of an event whose sheets are typed twice."""
    event = make_event(slug="cup")
    set_second_person(event=event, second_person="blind", by=writer_of(event))
    return table_of(event)


# ---------------------------------------------------------------- no way round


def test_one_person_alone_enters_no_totals_as_a_hand(blind: Table):
    with pytest.raises(Refused) as refusal:
        enter(blind, LINE)
    assert codes(refusal) == ["totals.typed_twice"]
    assert rows_of(blind) == []


def test_no_hand_becomes_totals_by_a_correction(blind: Table):
    enter(blind, "2r3 340")
    with pytest.raises(Refused) as refusal:
        correct(blind, 1, LINE)
    assert codes(refusal) == ["totals.typed_twice"]
    with pytest.raises(Refused) as refusal:
        correct_hands(
            table=blind,
            changes=[HandChange(1, parse(LINE))],
            client_id=uuid4(),
            expected_seq=1,
            reason="from paper",
            by=writer_of(blind.round.event),
        )
    assert codes(refusal) == ["totals.typed_twice"]
    with pytest.raises(Refused) as refusal:
        correct_hands(
            table=blind,
            changes=[HandChange(1, None)],
            forgotten=Forgotten(1, parse(LINE)),
            client_id=uuid4(),
            expected_seq=1,
            reason="from paper",
            by=writer_of(blind.round.event),
        )
    assert codes(refusal) == ["totals.typed_twice"]
    assert len(rows_of(blind)) == 1


def test_what_two_agreed_on_is_not_changed_by_one(blind: Table):
    event = blind.round.event
    type_in(blind, by=writer_of(event))
    type_in(blind, by=make_account("Ben"))
    reopen_table(table=blind, reason="a complaint", by=writer_of(event))
    with pytest.raises(Refused) as refusal:
        correct(blind, 1, "*45200,28000,30000,16800,0")
    assert codes(refusal) == ["totals.typed_twice"]
    void(blind, 1)
    with pytest.raises(Refused) as refusal:
        correct(blind, 1, LINE)
    assert codes(refusal) == ["totals.typed_twice"]
    swapped = (45_200, 28_000, 30_000, 16_800)
    assert type_in(blind, swapped, by=writer_of(event), seen=2).outcome == "first"
    assert type_in(blind, swapped, by=make_account("Cleo"), seen=2).outcome == "counted"
    assert verify_event(event).problems == []


def test_where_sheets_are_typed_once_totals_are_a_hand_as_ever():
    table = table_of(make_event())
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
        one=Sitting(blind, 0, 1),
        other=Sitting(blind, 1, 2),
        hands="follow",
        expected={1: 1},
        client_id=uuid4(),
        reason="sat wrong",
        by=writer_of(event),
    )
    (entry,) = standing_entries(rows_of(blind))
    assert isinstance(entry, Totals)
    assert entry.scores == (30_000, 45_200, 28_000, 16_800)


# ---------------------------------------------------------------- what a table had before its sheet


def chombo(table: Table, number: int) -> None:
    give(table, number, "C")


@pytest.mark.parametrize("rules", ["ema-2025", "wrc-2025"])
def test_a_resent_sheet_that_never_counted_is_not_said_to_count(rules: str):
    event = make_event(rules)
    set_second_person(event=event, second_person="blind", by=writer_of(event))
    table, act = table_of(event), uuid4()
    sheet = PaperSheet(RIGHT, (0,) * 4)
    enter_totals(table=table, sheet=sheet, client_id=act, expected_seq=0, by=writer_of(event))
    enter(table, "2r3 340")
    with pytest.raises(Refused) as refusal:
        enter_totals(table=table, sheet=sheet, client_id=act, expected_seq=0, by=writer_of(event))
    assert codes(refusal) == ["totals.after_hands"]


# ---------------------------------------------------------------- two seats at once


def substitute(event: Event, table: int, number: int, name: str, *, round_: int = 1) -> None:
    put_substitute_in(
        table=table_of(event, table, round_=round_),
        player=event.players.get(number=number),
        replacement=Replacement(when="before", reason="ill", name=name),
        client_id=uuid4(),
        by=writer_of(event),
    )


def test_who_plays_for_somebody_gets_no_second_seat():
    event = make_event()
    late = add_late_player(event=event, new=NewPlayer("Zimt"), ranked=False, by=writer_of(event))
    substitute(event, 2, 5, "Zimt")
    with pytest.raises(Refused) as refusal:
        exchange_players(
            event=event,
            one=1,
            other=late.number,
            seen={1: ((1, 0), None)},
            reason="stood under another name",
            by=writer_of(event),
        )
    assert codes(refusal) == ["seats.substituted"]
    with pytest.raises(Refused) as refusal:
        swap_players(
            round_=round_of(event),
            one=1,
            other=late.number,
            seen={1: (1, 0), late.number: None},
            reason="ill",
            by=writer_of(event),
        )
    assert codes(refusal) == ["seats.substituted"]
