"""Complaints: a kind of call that waits for no referee, is kept with its ruling, and travels with the event."""

import json
from typing import Any
from uuid import uuid4

import pytest

from tests.archive.archive_acts import empty_the_database
from tests.factories import codes_of, codes_when, enter, make_account, make_event, play_round, table_of, void, writer_of
from tournament.archive.actions import import_event
from tournament.archive.queries import get_event_file
from tournament.calls.actions import MAX_COMPLAINT, call_referee, close_call, make_complaint
from tournament.calls.models import RefereeCall
from tournament.calls.queries import count_open_calls, list_calls, list_open_calls, list_rulings
from tournament.core.errors import DomainError
from tournament.core.hash_chain import checksum
from tournament.core.models import AuditRow
from tournament.events.queries import get_load
from tournament.privacy.queries import get_person_data
from tournament.publication.queries import get_public_state
from tournament.tables.models import Table

pytestmark = [pytest.mark.django_db, pytest.mark.whole_run]


@pytest.fixture
def table() -> Table:
    return table_of(make_event(slug="cup", tables=2, rounds=1))


def complain(table: Table, text: str = "The wall was broken twice.", **values: Any) -> RefereeCall:
    return make_complaint(table=table, client_id=uuid4(), text=text, by=writer_of(table.round.event), **values)


def test_a_complaint_names_who_where_and_which_hand(table: Table):
    event = table.round.event
    enter(table, "2r3 340")
    enter(table, "2t 230")
    first = complain(table, player=event.players.get(number=2), hand=2)
    complain(table)
    about, whole = list_calls(event)
    assert (about.complaint, about.complained_by, about.round, about.table, about.hand) == (True, "Birk", 1, 1, 2)
    assert about.state is not None
    assert (about.state.round_wind, about.state.kyoku) == ("E", 2)
    assert (whole.complained_by, whole.hand, whole.state) == ("", None, None)
    void(table, 1)  # the second hand is the first one that stands now, and the complaint goes with it
    assert list_calls(event)[0].hand == 1
    row = AuditRow.objects.filter(verb="complaint_made").earliest("seq")
    assert json.loads(row.details) == {
        "round": 1, "table": 1, "seq": first.seq, "player": 2, "question": "The wall was broken twice.",
    }  # fmt: skip


def test_nobody_waits_for_a_complaint(table: Table):
    event = table.round.event
    complain(table)
    assert (count_open_calls(event), list_open_calls(event, 1), get_load().calls_open) == (0, {}, 0)
    call = call_referee(table=table, client_id=uuid4(), by=writer_of(event))
    assert call.kind == "call"
    assert (count_open_calls(event), set(list_open_calls(event, 1))) == (1, {1})


@pytest.mark.states("complaint_kept")
def test_it_is_ruled_on_after_the_event_and_the_ruling_is_kept(table: Table):
    event, by = table.round.event, make_account("Mila")
    play_round(event, 1, "1t 230")
    mark = get_public_state(event).mark
    made = complain(table, player=event.players.get(number=1))
    close_call(call=made, question=made.question, ruling="It stands.", clause="12.3.1", by=by)
    close_call(call=made, question=made.question, ruling="It does not stand.", seen="It stands.", by=by)
    (row,) = list_calls(event)
    assert (row.ruling, row.clause, row.closed_by, row.closed_at is not None) == (
        "It does not stand.",
        "",
        "Mila",
        True,
    )
    last = AuditRow.objects.filter(verb="complaint_answered").latest("seq")
    assert json.loads(last.details)["before"]["ruling"] == "It stands."
    event.refresh_from_db()
    assert get_public_state(event).mark == mark
    assert list_rulings(event.players.all()) == {}
    kept = get_person_data(event.players.get(number=1))["events"][0]
    assert [(each["question"], each["ruling"]) for each in kept["complaints"]] == [
        ("The wall was broken twice.", "It does not stand.")
    ]
    assert kept["calls_at_their_tables"] == []


def test_a_complaint_that_was_sent_twice_is_one(table: Table):
    sent, by = uuid4(), writer_of(table.round.event)
    first = make_complaint(table=table, client_id=sent, text="x", by=by)
    assert make_complaint(table=table, client_id=sent, text="x", by=by) == first
    call = call_referee(table=table, client_id=uuid4(), by=by)
    with pytest.raises(DomainError) as refusal:
        make_complaint(table=table, client_id=call.client_id, text="x", by=by)
    assert codes_of(refusal) == ["entry.client_id_used"]


def test_what_a_complaint_cannot_be(table: Table):
    stranger = make_event(slug="other").players.get(number=1)
    for code, values in (
        ("complaint.text_missing", {"text": " "}),
        ("entry.text_too_long", {"text": "x" * (MAX_COMPLAINT + 1)}),
        ("complaint.player_unknown", {"player": stranger}),
        ("complaint.hand_unknown", {"hand": 1}),
    ):
        with pytest.raises(DomainError) as refusal:
            complain(table, **values)
        assert codes_of(refusal) == [code]
    made = complain(table)
    rulings: tuple[tuple[str, dict[str, Any]], ...] = (
        ("complaint.ruling_missing", {"question": "x"}),
        ("complaint.text_missing", {"ruling": "x"}),
        ("entry.text_too_long", {"question": "x", "ruling": "x" * (MAX_COMPLAINT + 1)}),
    )
    for code, values in rulings:
        with pytest.raises(DomainError) as refusal:
            close_call(call=made, by=writer_of(table.round.event), **values)
        assert codes_of(refusal) == [code]
    assert codes_when(lambda: complain(table_of(make_event(slug="hidden", published=False)))) == ["round.not_published"]
    assert RefereeCall.objects.count() == 1


def test_calls_and_complaints_travel_and_older_calls_come_in_as_calls(table: Table):
    event = table.round.event
    call_referee(table=table, client_id=uuid4(), by=writer_of(event))
    file = get_event_file(event)
    old = json.loads(file)
    for call in old["content"]["calls"]:
        assert (call.pop("kind"), call.pop("player")) == ("call", None)
    old["checksum"] = checksum(old["content"])
    empty_the_database()
    made = import_event(data=json.dumps(old).encode(), by=make_account("Desk"))
    assert get_event_file(made) == file
    complain(table_of(made), player=made.players.get(number=3))
    file = get_event_file(made)
    empty_the_database()
    again = import_event(data=file.encode(), by=make_account("Desk"))
    assert get_event_file(again) == file
    assert again.calls.get(kind="complaint").player == again.players.get(number=3)
