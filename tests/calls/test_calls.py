"""Referee calls: called once, answered once, closed with a ruling or without one, mended with a trail."""

import datetime as dt
import json
from typing import Any
from uuid import uuid4

import pytest
import time_machine

from tests.factories import codes_when, enter, make_account, make_event, table_of, writer_of
from tests.pages.at_desk import organiser
from tournament.calls.actions import answer_call, call_referee, close_call
from tournament.calls.models import RefereeCall
from tournament.calls.queries import list_calls, list_open_calls, list_rulings
from tournament.core.models import AuditRow
from tournament.publication.queries import get_public_state
from tournament.tables.models import Table
from tournament.text.acts import act_text

pytestmark = [pytest.mark.once, pytest.mark.django_db]

NOON = dt.datetime(2026, 9, 12, 12, 0, tzinfo=dt.UTC)


@pytest.fixture
def table() -> Table:
    return table_of(make_event(tables=2, rounds=1))


def call_at(table: Table, **values: Any) -> RefereeCall:
    return call_referee(table=table, client_id=uuid4(), by=writer_of(table.round.event), **values)


def test_a_table_has_one_open_call(table: Table):
    first = call_at(table, question=" Dead hand? ")
    assert call_at(table) == first
    assert (first.question, first.seq) == ("Dead hand?", 1)
    close_call(call=first, by=writer_of(table.round.event))
    assert call_at(table) != first
    assert RefereeCall.objects.count() == 2


def test_a_call_that_was_sent_twice_is_one_even_when_it_is_closed(table: Table):
    by, sent = writer_of(table.round.event), uuid4()
    first = call_referee(table=table, client_id=sent, by=by)
    close_call(call=first, by=by)
    assert call_referee(table=table, client_id=sent, by=by) == first


def test_a_call_that_met_an_open_one_calls_nobody_when_it_is_sent_again(table: Table):
    by, sent = writer_of(table.round.event), uuid4()
    first = call_at(table)
    assert call_referee(table=table, client_id=sent, by=by) == first  # its answer is lost
    close_call(call=first, by=by)
    assert call_referee(table=table, client_id=sent, by=by) == first
    assert RefereeCall.objects.count() == 1


def test_nobody_calls_before_seats_are_published():
    table = table_of(make_event(published=False))
    assert codes_when(lambda: call_at(table)) == ["round.not_published"]


def test_the_call_belongs_to_the_hand_that_was_played_then(table: Table):
    event = table.round.event
    enter(table, "2r3 340")
    enter(table, "2t 230")
    call_at(table)
    enter(table, "1r3 340")
    (row,) = list_calls(event)
    assert (row.hand, row.state.round_wind, row.state.kyoku, row.state.honba) == (3, "E", 2, 1)
    assert row.people == ("Akelei", "Birk", "Cyan", "Distel")


def test_the_first_who_comes_is_the_one_who_answered(table: Table):
    event, rita, ben = table.round.event, make_account("Rita"), make_account("Ben")
    with time_machine.travel(NOON, tick=False) as clock:
        call = call_at(table)
        clock.shift(75)
        answer_call(call=call, by=rita)
        clock.shift(10)
        answer_call(call=call, by=ben)
        close_call(call=call, ruling="Play on.", by=ben)
    (row,) = list_calls(event)
    assert (row.answered_by, row.waited, row.closed_by, row.ruling) == ("Rita", 75, "Ben", "Play on.")


@pytest.mark.postgresql
def test_closing_answers_as_well_and_may_need_no_ruling(table: Table):
    call = call_at(table)
    close_call(call=call, by=writer_of(table.round.event))
    call.refresh_from_db()
    assert call.answered_at == call.closed_at is not None
    assert not list_rulings([table.seats.get(seat=0).player])


def test_a_ruling_is_mended_with_a_trail(table: Table):
    event, by = table.round.event, writer_of(table.round.event)
    call = call_at(table, question="Furiten?")
    close_call(call=call, question="Furiten?", ruling="It is.", clause="3.2", minutes=3, by=by)
    event.refresh_from_db()
    version = event.version
    close_call(call=call, question="Furiten?", ruling="It is.", clause="3.2", minutes=3, by=by)
    event.refresh_from_db()
    assert event.version == version
    said: dict[str, Any] = {"question": "Furiten?", "ruling": "It is not.", "clause": "3.2", "minutes": 3}
    assert codes_when(lambda: close_call(call=call, **said, by=by)) == ["call.ruled_meanwhile"]  # not seen: not lost
    close_call(call=call, **said, seen="It is.", by=by)
    details = json.loads(AuditRow.objects.filter(event=event).latest("seq").details)
    assert details == {
        "round": 1, "table": 1, "seq": 1, "question": "Furiten?", "ruling": "It is not.", "clause": "3.2", "minutes": 3,
        "before": {"question": "Furiten?", "ruling": "It is.", "clause": "3.2", "minutes": 3}, "overruled": "It is.",
    }  # fmt: skip
    assert act_text("call_closed", details).endswith("(It is not.); the ruling before: It is.")


def test_a_ruling_that_somebody_else_wrote_meanwhile_is_shown_before_it_is_replaced(table: Table):
    event = table.round.event
    call, client = call_at(table), organiser(event)
    close_call(call=call, ruling="It stands.", by=writer_of(event))
    address, sent = f"/desk/{event.slug}/calls/{call.pk}/close/", {"ruling": "Chombo.", "seen": ""}
    refused = client.post(address, sent)
    page = refused.content.decode()
    assert refused.status_code == 422
    assert all(
        words in page for words in ("meanwhile: “It stands.”", 'value="Chombo."', 'name="seen" value="It stands."')
    )
    assert client.post(address, sent | {"seen": "It stands."}).status_code == 302
    assert RefereeCall.objects.get().ruling == "Chombo."


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ({"clause": "3.2"}, ["call.ruling_missing"]),
        ({"minutes": 2}, ["call.ruling_missing"]),
        ({"ruling": "Wait.", "minutes": 121}, ["call.minutes_out_of_range"]),
        ({"ruling": "Wait.", "minutes": -1}, ["call.minutes_out_of_range"]),
        ({"ruling": "x" * 501}, ["entry.text_too_long"]),
        ({"ruling": "x", "clause": "x" * 61}, ["entry.text_too_long"]),
        ({"question": "x" * 301}, ["entry.text_too_long"]),
    ],
)
def test_what_cannot_be_written_down_is_refused(table: Table, values: dict[str, Any], codes: list[str]):
    call = call_at(table)
    assert codes_when(lambda: close_call(call=call, by=writer_of(table.round.event), **values)) == codes
    assert RefereeCall.objects.get().closed_at is None


def test_a_question_that_is_too_long_is_no_call(table: Table):
    assert codes_when(lambda: call_at(table, question="x" * 301)) == ["entry.text_too_long"]
    assert not RefereeCall.objects.exists()


def test_open_calls_come_first_the_longest_waiting_on_top_then_the_newest_closed():
    event = make_event(tables=4, rounds=1)
    with time_machine.travel(NOON, tick=False) as clock:
        for number in (3, 1, 4, 2):
            call_at(table_of(event, number))
            clock.shift(5)
        for number in (3, 4):
            close_call(call=RefereeCall.objects.get(table__number=number), by=writer_of(event))
    assert [row.table for row in list_calls(event)] == [1, 2, 4, 3]
    assert {number: each.answered for number, each in list_open_calls(event, 1).items()} == {1: False, 2: False}
    assert list_open_calls(event, 2) == {}


def test_the_ruling_is_for_those_who_sat_there(table: Table):
    event = table.round.event
    call = call_at(table)
    close_call(call=call, question="Furiten?", ruling="It is.", clause="3.2", minutes=2, by=writer_of(event))
    ((ruling,),) = list_rulings([table.seats.get(seat=2).player]).values()
    assert (ruling.round, ruling.table, ruling.question, ruling.ruling, ruling.clause, ruling.minutes) == (
        1, 1, "Furiten?", "It is.", "3.2", 2,
    )  # fmt: skip
    assert not list_rulings([table_of(event, 2).seats.get(seat=0).player])


def test_phones_ask_again_when_there_is_something_to_read(table: Table):
    event, by = table.round.event, writer_of(table.round.event)
    before = get_public_state(event).mark
    call = call_at(table)
    answer_call(call=call, by=by)
    assert get_public_state(event).mark == before
    close_call(call=call, ruling="Play on.", by=by)
    assert get_public_state(event).mark != before
