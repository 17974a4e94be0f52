"""The sender at the hall's desk, over a line that loses messages, loses answers and repeats: the relay catches up."""

import json
import uuid
from typing import Any

import pytest
import time_machine
from django.test import Client

from tests.factories import enter, fresh, make_event, round_of, sign, table_of, writer_of
from tests.fixtures import own_event
from tests.pages.at_desk import organiser
from tests.relay.at_relay import Sender as Hall
from tests.relay.at_relay import at_relay, part_of
from tournament.core.models import AuditRow
from tournament.core.threads import list_failures
from tournament.events.actions import copy_event, set_visibility
from tournament.events.models import Event
from tournament.relay.actions import begin_relay
from tournament.relay.models import Relay, RelayedEvent
from tournament.relay.sender import Connection, Link, RelayError, Sender, get_status
from tournament.relay.views import read_address
from tournament.rounds.actions import publish_rounds, release_round, start_round

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

THERE = "there"  # the event's name at the relay, which shares the database with the hall


class Line(Connection):
    """A connection to a relay in this process; `falls` says what happens to the next messages."""

    def __init__(self, relay: Client) -> None:
        super().__init__("https://live.example.org/")
        self.relay, self.falls, self.bytes, self.old = relay, list[str](), 0, list[tuple[bytes, Any]]()

    def post(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, Any]:
        """Carry a message, or not."""
        what = self.falls.pop(0) if self.falls else ""
        if what == "message":
            raise RelayError("relay.away")
        with at_relay():
            for late_body, late_headers in self.old if what == "late" else ():
                self._carry(path, late_body, late_headers)
            if what == "twice":
                self._carry(path, body, headers)
            answer = self._carry(path, body, headers)
        self.old.append((body, headers))
        self.bytes += len(body)
        if what == "answer":
            raise RelayError("relay.away")
        return answer

    def _carry(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, Any]:
        signed = {"X-Relay-Signature": headers["X-Relay-Signature"]}
        answer = self.relay.post(f"/{path}", body, content_type="application/octet-stream", headers=signed)
        return answer.status_code, json.loads(answer.content)


event = own_event(slug="cup", tables=2, rounds=3, published=False)


@pytest.fixture
def line(event: Event) -> Line:
    """Pair the event with a relay that knows it by another name."""
    with at_relay() as relay:
        hall = Hall(relay, THERE)
    pairing = uuid.UUID(hall.pairing)
    by = writer_of(event)
    begin_relay(event=event, address="https://live.example.org/", pairing=pairing, show_hall=True, by=by)
    return Line(relay)


def sender_on(line: Line, event: Event) -> Sender:
    sender = Sender(lambda: "http://192.168.1.5:8000/")
    sender.links[event.pk] = Link(THERE, event.relay.pairing, line)
    return sender


def look(sender: Sender, event: Event) -> Link:
    """Let it look when its time has come."""
    link = sender.links[event.pk]
    link.next_try = 0.0
    sender.look()
    return link


def at_there(line: Line) -> dict[str, Any]:
    with at_relay():
        return dict(line.relay.get(f"/api/v1/events/{THERE}/standings").json())


def seats_there(line: Line, number: int) -> int:
    with at_relay():
        return line.relay.get(f"/e/{THERE}/rounds/{number}/").status_code


def play(event: Event, number: int) -> None:
    start_round(round_=round_of(event, number), by=writer_of(event))
    for each in (1, 2):
        enter(table_of(event, each, round_=number), "2r3 340/2")
        sign(table_of(event, each, round_=number))


@pytest.mark.postgresql
def test_whatever_the_line_does_the_relay_has_the_last_state(line: Line, event: Event):
    sender = sender_on(line, event)
    look(sender, event)
    assert seats_there(line, 1) == 404
    publish_rounds(event=event, numbers=[1], by=writer_of(event))
    line.falls = ["message", "answer", "answer", "twice", "late"]
    failed = 0
    for number in (1, 2, 3):
        if number > 1:
            publish_rounds(event=event, numbers=[number], by=writer_of(event))
        play(fresh(event), number)
        release_round(round_=round_of(event, number), by=writer_of(event))
        failed += bool(look(sender, event).status.failing)
    assert failed == 3
    for _ in range(3):
        link = look(sender, event)
    assert link.status.failing == ""
    assert get_status(event.pk) == link.status
    assert link.state == part_of(fresh(event), "http://192.168.1.5:8000/")
    there, here = at_there(line), Client().get("/api/v1/events/cup/standings").json()
    assert {**there, "event": "cup"} == here
    assert RelayedEvent.objects.get().number == link.number
    sent = line.bytes
    look(sender, event)
    assert line.bytes == sent  # nothing has changed


def test_what_is_taken_back_during_a_cut_never_comes(line: Line, event: Event):
    sender = sender_on(line, event)
    look(sender, event)
    line.falls = ["message"] * 2
    publish_rounds(event=event, numbers=[1], by=writer_of(event))
    look(sender, event)
    assert sender.links[event.pk].failures == 1
    set_visibility(event=event, visibility="draft", by=writer_of(event))
    look(sender, event)
    look(sender, event)
    assert Event.objects.filter(slug=THERE).count() == 0
    assert seats_there(line, 1) == 404
    set_visibility(event=event, visibility="public", by=writer_of(event))
    look(sender, event)
    assert seats_there(line, 1) == 200


def test_it_waits_longer_and_longer_and_says_since_when(line: Line, event: Event):
    sender = sender_on(line, event)
    line.falls = ["message"] * 9
    with time_machine.travel("2026-09-12T09:00:00Z", tick=False) as clock:
        waits = []
        for _ in range(9):
            link = look(sender, event)
            clock.shift(60)
            waits.append(link.failures)
        assert waits == list(range(1, 10))
        assert link.status.since.startswith("2026-09-12T09:00:00")
        assert link.status.failing == "relay.away"
        with time_machine.travel("2026-09-12T09:10:00Z", tick=False):
            page = organiser(event).get("/desk/cup/settings/relay/").content.decode()
        assert "The relay cannot be reached." in page
        assert look(sender, event).status.failing == ""


def test_an_event_that_cannot_be_read_holds_up_no_other(line: Line, event: Event):
    other = make_event(slug="other", tables=1, rounds=1)
    begin_relay(event=other, address="http://127.0.0.1:9/", pairing=uuid.uuid4(), show_hall=True, by=writer_of(other))
    Event.objects.filter(pk=other.pk).update(hold="no such word")
    sender = sender_on(line, event)
    publish_rounds(event=event, numbers=[1], by=writer_of(event))
    assert look(sender, event).status.failing == ""
    assert sender.links[other.pk].status.failing == "relay.broken"
    assert seats_there(line, 1) == 200
    assert "relay" in {each.name for each in list_failures()}  # what failed in tests before stays listed


def test_another_desk_that_paired_later_is_the_one_that_counts(line: Line, event: Event):
    sender = sender_on(line, event)
    look(sender, event)
    with at_relay():
        Hall(line.relay, THERE)
    publish_rounds(event=event, numbers=[1], by=writer_of(event))
    assert look(sender, event).status.failing == "relay.not_paired"
    page = organiser(event).get("/desk/cup/settings/relay/").content.decode()
    assert "The relay no longer knows this desk" in page


@pytest.mark.follows("during/relay.md")
def test_pages_link_to_each_other_and_codes_lead_to_the_relay(line: Line, event: Event):
    sender = sender_on(line, event)
    publish_rounds(event=event, numbers=[1], by=writer_of(event))
    look(sender, event)
    assert "https://live.example.org/e/cup/" in Client().get("/e/cup/rounds/").content.decode()
    assert "https://live.example.org/<wbr>e/<wbr>cup/" in Client().get("/e/cup/display/codes/").content.decode()
    with at_relay():
        there = line.relay.get(f"/e/{THERE}/rounds/").content.decode()
        assert f'href="http://192.168.1.5:8000/e/{THERE}/"' in there
        assert "In the hall: its own desk" in there
        codes = line.relay.get(f"/e/{THERE}/display/codes/").content.decode()
        assert f"http://testserver/<wbr>e/<wbr>{THERE}/" in codes
    assert "192.168.1.5" not in Client().get("/e/cup/rounds/").content.decode()


# ---------------------------------------------------------------- the settings page


def test_an_address_must_be_one_that_a_message_may_go_to(event: Event):
    assert read_address(" live.example.org ") == "https://live.example.org/"
    assert read_address("http://localhost:8001") == "http://localhost:8001/"
    page = organiser(event)
    for typed in (
        "http://example.org",
        "ftp://example.org/",
        "https://u@example.org/",
        "https://a/?b",
        "",
        "https://a:x/",
    ):
        answer = page.post("/desk/cup/settings/relay/", {"address": typed, "code": "ABCD"})
        assert answer.status_code == 200
        assert "Write the address of the relay in full" in answer.content.decode()
    assert not Relay.objects.exists()


def test_a_relay_that_is_away_is_said_and_nothing_is_begun(event: Event):
    answer = organiser(event).post("/desk/cup/settings/relay/", {"address": "http://127.0.0.1:9/", "code": "ABCD"})
    assert "The relay cannot be reached." in answer.content.decode()
    assert 'value="http://127.0.0.1:9/"' in answer.content.decode()
    assert not Relay.objects.exists()


@pytest.mark.follows("during/relay.md")
def test_ending_is_on_the_trail_and_twice_is_once(line: Line, event: Event):
    page = organiser(event)
    for _ in range(2):
        assert page.post("/desk/cup/settings/relay/end/", {"keep": "1"}).status_code == 302
    verbs = list(AuditRow.objects.filter(event=event).order_by("seq").values_list("verb", flat=True))
    assert verbs[-2:] == ["relay_begun", "relay_ended"]
    assert fresh(event).other_address == ""
    assert not Relay.objects.exists()


def test_a_copy_of_an_event_has_no_relay(line: Line, event: Event):
    facts = {"name": "Next", "date": event.date, "place": "", "rounds": 2, "visibility": "public", "roles": True}
    assert copy_event(event=fresh(event), **facts, by=writer_of(event)).other_address == ""  # type: ignore[arg-type]


def test_an_event_is_not_deleted_while_a_relay_shows_it(line: Line, event: Event):
    answer = organiser(event).post("/desk/cup/settings/delete/", {"word": "Cup", "reason": "over"})
    assert "take it down there first" in answer.content.decode()
    assert Event.objects.filter(slug="cup").exists()
