"""Messages to a relay: signed, numbered, taken once; and codes for pairing."""

import io
import json
import tracemalloc
from typing import Any

import brotli
import pytest
import time_machine
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from tests.factories import fresh, round_of, writer_of
from tests.pages.test_nothing_leaks import choose, event_of, mark
from tests.relay.at_relay import Sender, at_relay, forget_hall, part_of
from tournament.core.hash_chain import checksum
from tournament.core.signing_key import sign as sign_text
from tournament.events.models import Event
from tournament.relay import wire
from tournament.relay.actions import make_code
from tournament.relay.models import RelayedEvent
from tournament.relay.wire import (
    MAX_STATE,
    BadMessageError,
    State,
    TooLargeError,
    follow,
    pack,
    pack_values,
    statement,
    step,
    unpack_values,
)
from tournament.rounds.actions import release_round
from tournament.tables.models import LedgerEntry, Table
from web.management.commands.desk import Command as Desk
from web.server.front import HALLS_BODY, HALLS_WITHIN, STRANGERS_BODY, STRANGERS_WITHIN, limits_of

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


@pytest.fixture(scope="module")
def states(rows_of_module: None) -> list[State]:
    """Return what is public of an event before, during and after its second round, whose hall is gone then."""
    event = event_of(2)
    found = [part_of(event)]
    choose(event, live_tables="hands", live_others="all")
    mark(event, 2)
    found.append(part_of(event))
    release_round(round_=round_of(event, 2), by=writer_of(event))
    found.append(part_of(event))
    forget_hall(fresh(event))
    return found


def page_of(relay: Client) -> str:
    return relay.get("/api/v1/events/cup/standings").content.decode()


@pytest.mark.postgresql
def test_a_message_that_is_forged_repeated_or_old_does_nothing(states: list[State]):
    before, during, after = states
    with at_relay() as relay:
        sender = Sender(relay, "cup")
        first = sender.message(before)
        sender.send(before)
        second = sender.message(after)
        sender.send(after)
        shown, row = page_of(relay), RelayedEvent.objects.values().get()

        for body in (first, second):  # old, repeated
            assert sender.post(body).json() == {"number": 2, "digest": checksum(after), "taken": False}
        third = sender.message(during)
        refused = [
            sender.post(third, signature="00" * 64),
            sender.post(third, signature=""),
            sender.post(third + b"x", signature=sign_text(statement("cup", sender.pairing, third))[1]),
            sender.post(third, signature=sign_text(statement("another", sender.pairing, third))[1]),
            sender.post(third, signature=sign_text(third.hex())[1]),
            relay.post("/relay/none/", third, content_type="application/octet-stream"),
        ]
        assert [answer.status_code for answer in refused] == [403] * 6
        assert {answer.json()["problems"][0]["code"] for answer in refused} == {"relay.not_paired"}
        # one that comes before its own predecessor, and bytes that are no message, though signed
        late = pack(step(4, during, before))
        assert [sender.post(body).json()["taken"] for body in (late, b"nothing", b"")] == [False] * 3
        assert relay.get("/relay/cup/").status_code == 405
        assert page_of(relay) == shown
        assert RelayedEvent.objects.values().get() == row

        again = Sender(relay, "cup")  # after another pairing nothing of the first counts
        assert sender.post(third).status_code == 403
        assert again.number == 2
        again.send(during)
        assert page_of(relay) != shown


@pytest.mark.postgresql
def test_messages_hold_what_has_changed_alone(states: list[State]):
    before, during, after = states
    with at_relay() as relay:
        sender = Sender(relay, "cup")
        whole = sender.send(before)
        tables, hands = (set(model.objects.values_list("pk", flat=True)) for model in (Table, LedgerEntry))
        assert sender.send(during) < whole * 2 / 3
        assert set(Table.objects.values_list("pk", flat=True)) == tables  # what has not changed stays as it is
        assert set(LedgerEntry.objects.values_list("pk", flat=True)) > hands
        sender.send(after)
        sender.send({})
        assert not Event.objects.exists()
        sender.send(after)
        assert page_of(relay).count('"player"') > 4


def test_a_message_that_makes_no_event_is_refused(states: list[State]):
    with at_relay() as relay:
        sender = Sender(relay, "cup")
        sender.send(states[0])
        shown = page_of(relay)
        for broken in (
            {**states[0], "event": {"name": "Cup"}},
            {**states[0], "event": {**states[0]["event"], "colour": "red;}"}},
            {**states[0], "seats/1": {"1": [98, 99]}},
            {**states[0], "logo": ["nothing"]},
            {**states[0], "photo": ["nothing"]},
        ):
            answer = sender.post(sender.message(broken))
            assert (answer.status_code, answer.json()["problems"][0]["code"]) == (403, "relay.not_understood")
        assert page_of(relay) == shown


@pytest.mark.only_on("postgresql")
def test_a_text_that_is_too_long_for_its_column_is_refused(states: list[State]):
    with at_relay() as relay:
        sender = Sender(relay, "cup")
        answer = sender.post(sender.message({**states[0], "event": {**states[0]["event"], "name": "x" * 5000}}))
        assert (answer.status_code, answer.json()["problems"][0]["code"]) == (403, "relay.not_understood")


def paired(relay: Client, code: str, **others: object) -> tuple[int, str]:
    asked = {"code": code, "slug": "cup", "public_key": "ab" * 32, **others}
    answer = relay.post("/relay/", json.dumps(asked), content_type="application/json")
    return answer.status_code, answer.json()["problems"][0]["code"] if answer.status_code != 200 else ""


def test_a_code_counts_once_and_for_half_an_hour():
    with at_relay() as relay, time_machine.travel("2026-09-12T09:00:00Z", tick=False) as clock:
        code = make_code()
        assert paired(relay, f" {code[:4].lower()} {code[4:]} ") == (200, "")
        pairing = RelayedEvent.objects.get().pairing
        assert paired(relay, code) == (200, "")  # sent twice by the same desk
        assert RelayedEvent.objects.get().pairing == pairing
        for other in ({"public_key": "cd" * 32}, {"slug": "other"}):
            assert paired(relay, code, **other) == (403, "relay.code_unknown")
        old, newer = make_code(), make_code()
        assert paired(relay, old) == (403, "relay.code_unknown")
        clock.shift(31 * 60)
        assert paired(relay, newer) == (403, "relay.code_unknown")
        assert paired(relay, code) == (403, "relay.code_unknown")
        for slug in (["cup"], "c" * 61, "c/p", ""):
            assert paired(relay, make_code(), slug=slug) == (403, "relay.not_understood")
        assert relay.post("/relay/", "[" * 2000, content_type="application/json").status_code == 403


def test_codes_cannot_be_guessed():
    with at_relay() as relay, time_machine.travel("2026-09-12T09:00:00Z", tick=False):
        code = make_code()
        answers = [paired(relay, "AAAAAAAA")[0] for _ in range(11)]
        assert answers == [403] * 10 + [429]
        assert paired(relay, code)[0] == 429


def test_the_operator_makes_a_code_and_removes_an_event(states: list[State]):
    told = io.StringIO()
    call_command("relay_code", stdout=told)
    with at_relay() as relay:
        assert paired(relay, told.getvalue().strip(), slug="other") == (200, "")
        sender = Sender(relay, "cup")
        sender.send(states[0])
        call_command("relay_forget", "cup")
        assert not Event.objects.exists()
        assert sender.post(sender.message(states[1])).status_code == 403
        with pytest.raises(CommandError, match="This relay has no event"):
            call_command("relay_forget", "cup")


def test_an_event_whose_time_is_over_is_deleted_with_what_was_sent(states: list[State]):
    with at_relay() as relay:
        Sender(relay, "cup").send({**states[0], "event": {**states[0]["event"], "keep_months": 3}})
        for day, kept in (("2026-12-12", True), ("2026-12-13", False)):
            with time_machine.travel(f"{day}T12:00:00Z", tick=False):
                call_command("forget_expired", stdout=io.StringIO())
            assert (Event.objects.exists(), RelayedEvent.objects.exists()) == (kept, kept)


def test_no_name_of_an_event_is_an_address_of_the_relay_itself(states: list[State]):
    with at_relay() as relay:
        Sender(relay, "pair").send(states[0])
        assert relay.get("/e/pair/").status_code == 200


def test_a_hall_that_ends_is_not_listened_to_any_more(states: list[State]):
    with at_relay() as relay:
        sender = Sender(relay, "cup")
        sender.send(states[0])
        sender.send({"end": True})
        assert relay.get("/e/cup/").status_code == 404
        assert sender.post(sender.message(states[0])).status_code == 403


def test_a_relay_takes_long_messages_and_a_desk_does_not():
    assert limits_of("/relay/cup/", signed_in=False) == (STRANGERS_BODY, STRANGERS_WITHIN)
    with at_relay():
        assert limits_of("/relay/cup/", signed_in=False) == (HALLS_BODY, HALLS_WITHIN)
        assert limits_of("/e/cup/", signed_in=False) == (STRANGERS_BODY, STRANGERS_WITHIN)
        assert "relay_code prints one" in Desk().say_token("http://localhost/", "")
        assert Desk().say_token("http://localhost/", "ABCD").endswith(" ABCD")


def test_an_event_of_the_relay_itself_is_not_overwritten(event: Event):
    with at_relay() as relay:
        assert paired(relay, make_code(), slug=event.slug) == (403, "relay.slug_taken")


@pytest.fixture
def event() -> Event:
    return event_of(2)


def test_one_guest_who_guesses_codes_keeps_no_hall_from_pairing():
    with at_relay() as relay:
        answers = [paired(relay, "AAAAAAAA")[0] for _ in range(60)]
        assert (answers.count(403), answers.count(429)) == (10, 50)
        relay.defaults["REMOTE_ADDR"] = "192.0.2.9"
        assert paired(relay, make_code()) == (200, "")


def test_a_message_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(states: list[State]):
    size = 10 * MAX_STATE
    text = b'[1,"","",{"x":"' + b"a" * size + b'"},[]]'
    body = bytes(brotli.compress(text, quality=5, lgwin=24))
    assert len(body) < 2000
    with at_relay() as relay:
        sender = Sender(relay, "cup")
        tracemalloc.start()
        try:
            answer = sender.post(body)
            _now, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert (answer.status_code, answer.json()["problems"][0]["code"]) == (403, "relay.too_large")
        assert peak < 5 * MAX_STATE
        sender.send(states[0])  # what fits is taken as before


def test_a_message_of_millions_of_small_lists_is_refused_before_they_are_made():
    body = bytes(brotli.compress(b'[1,"","",{"x":[' + b"[]," * 3_400_000 + b"1]},[]]", quality=5))
    with pytest.raises(TooLargeError):
        wire.unpack(body)


@pytest.mark.parametrize("cut", [0, 1, -1])
def test_packed_values_that_are_cut_short_or_go_on_are_no_message(cut: int):
    packed = pack_values({"a": [1]})
    broken = packed[:cut] if cut else packed + b"more"
    with pytest.raises((BadMessageError, brotli.error)):
        unpack_values(broken)


def test_a_state_that_grows_message_by_message_is_refused_before_it_is_too_large(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(wire, "MAX_STATE", 1000)
    before = {"a": "x" * 500}
    with pytest.raises(TooLargeError):
        follow(step(2, before, {**before, "b": "y" * 500}), before)


DEEP: Any = json.loads("[" * 300 + "]" * 300)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rules", {"start_points": 10**4000}),
        ("rules", {"players": 7}),
        ("timetable", ["soon"]),
        ("timetable", ["2026-09-12"]),
        ("timetable", ["9999-12-31T23:59:00+00:00"]),
        ("timetable", {}),
        ("timetable", [1]),
        ("house_rules", {"en-gb": "x", "y": DEEP}),
        ("contact", ["Rita"]),
        ("foul_amounts", {"late": []}),
        ("kept_amounts", [{}]),
        ("clock_signals", ["x"]),
        ("shown_through", "x"),
        ("hall", "javascript:alert(1)//"),
        ("hall", "https://a.example/\"onclick='x'"),
        ("hall", {"a": 1}),
    ],
)
def test_a_relay_takes_nothing_that_its_pages_cannot_show(states: list[State], key: str, value: Any):
    good = states[2]
    changed = {**good[key], **value} if key == "rules" else value
    evil = {**good, key: changed} if key in ("rules", "hall") else {**good, "event": {**good["event"], key: changed}}
    with at_relay() as relay:
        sender = Sender(relay, "cup")
        sender.send(good)
        answer = sender.post(sender.message(evil))
        assert (answer.status_code, answer.json()["problems"][0]["code"]) == (403, "relay.unusable")
        fresh_one = Sender(relay, "another")  # and neither as an event's first message
        assert fresh_one.post(fresh_one.message(evil)).status_code == 403
        assert [relay.get(f"/e/cup/{page}").status_code for page in ("", "standings/", "rules/")] == [200] * 3
        assert RelayedEvent.objects.get(slug="another").event is None


def test_a_hall_reaches_no_row_of_another_hall(states: list[State]):
    with at_relay() as relay:
        victim, thief = Sender(relay, "cup"), Sender(relay, "thief")
        victim.send(states[2])
        thief.send(states[2])
        shown, event = page_of(relay), Event.objects.get(slug="cup")
        row = {
            "player": 1,
            "round": 1,
            "at": None,
            "substitution": None,
            "charged": False,
            "given_at": "2026-01-01T00:00:00+00:00",
        }
        row |= {"seq": None, "kind": "points", "foul": "", "case": "", "points": 30000, "minutes": 0}
        row |= {"reason": "x", "amount_reason": "", "clause": "", "event_id": event.pk}
        facts = {**states[2]["event"], "id": event.pk, "pk": event.pk, "slug": "cup"}
        said = {"position": 1, "title": "x", "text": "x", "second_title": "", "second_text": "", "at_once": True}
        said |= {"shown_from": "2026-01-01T00:00:00+00:00", "shown_until": None, "event_id": event.pk}
        for change in ({"event": facts}, {"penalties": [row]}, {"announcements": [said]}):
            thief.post(thief.message({**states[2], **change}))
            assert (page_of(relay), Event.objects.get(slug="cup").pk) == (shown, event.pk)
            assert (event.penalties.count(), event.announcements.count()) == (len(states[2]["penalties"]), 0)
