"""Complaints at the desk: written down on a page of their own, listed and ruled on among the calls, never public."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.factories import enter, make_event, table_of
from tests.pages.at_desk import organiser, referee
from tests.pages.html_reader import text, texts
from tournament.calls.models import RefereeCall
from tournament.events.models import Event

pytestmark = [pytest.mark.once, pytest.mark.django_db]

URL = "/desk/cup/calls/complaint/"
TYPED = {"round": "1", "table": "1", "hand": "1", "player": "2", "text": "The wall was <b>broken</b>."}


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    event = make_event(slug="cup", tables=1, rounds=1)
    enter(table_of(event), "2r3 340")
    return event


def write(client: Client, **fields: Any) -> Any:
    return client.post(URL, {**TYPED, "client_id": str(uuid4()), **fields}, follow=True)


@pytest.mark.states("complaint")
@pytest.mark.follows("during/calls.md")
@pytest.mark.postgresql
def test_a_complaint_from_its_page_to_its_ruling(event: Event):
    client = referee(event)
    page = write(client)
    assert texts(page, ".messages") == ["Done The complaint is written down."]
    assert "Complaints without a ruling" in texts(page, "h2")
    assert text(page, "h3") == "Table 1 Round 1 · East 1 · hand 1 complaint"
    assert "complaint of Birk, written down by Rita" in text(page, ".call")
    made = RefereeCall.objects.get()
    close = f"/desk/cup/calls/{made.pk}/close/"
    page = organiser(event).post(close, {"question": made.question, "ruling": " "})
    assert page.status_code == 422
    assert "A complaint is closed with a ruling: say what was decided." in text(page, ".problems")
    page = organiser(event).post(close, {"question": made.question, "ruling": "It stands."}, follow=True)
    assert texts(page, ".messages") == ["Done The ruling is saved."]
    assert "ruled by Organiser" in text(page, ".call")
    assert text(page, ".call").endswith("The wall was <b>broken</b>. It stands. Edit")
    trail = text(organiser(event).get("/desk/cup/settings/trail/"), ".trail")
    assert "wrote down a complaint about round 1, table 1: The wall was <b>broken</b>." in trail
    assert "ruled on the complaint about round 1, table 1: It stands." in trail
    for address in ("/e/cup/", "/e/cup/players/2/", "/e/cup/rounds/1/", "/e/cup/rules/"):
        shown = client.get(address).content.decode()
        assert ("It stands." in shown, "The wall was" in shown) == (False, False)


def test_a_complaint_calls_nobody_and_is_sent_once(event: Event):
    client, sent = referee(event), str(uuid4())
    for _time in range(2):
        page = write(client, client_id=sent, hand="", player="")
    assert RefereeCall.objects.count() == 1
    assert text(page, ".lead") == "0 open"
    assert text(page, "h3") == "Table 1 Round 1 · the whole game complaint"
    assert "complaint of somebody else" in text(page, ".call")
    assert "referee is called" not in text(client.get("/desk/cup/"), "main")
    assert "Call a referee" in texts(client.get("/desk/cup/rounds/1/tables/1/"), ".button")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"text": " "}, "This field is required."),
        ({"round": "9"}, "There is no such table: write its round and its number."),
        ({"hand": "7"}, "There is no hand 7 at this table: it has 1."),
        ({"player": "99"}, "Select a valid choice. 99 is not one of the available choices."),
        ({"client_id": "old"}, "This page is too old to be sent: load it again."),
    ],
)
def test_what_is_refused_keeps_what_was_typed(event: Event, fields: dict[str, str], words: str):
    page = write(referee(event), **fields)
    assert page.status_code == 422
    assert words in text(page, "main")
    assert "text" in fields or "The wall was &lt;b&gt;broken&lt;/b&gt;." in page.content.decode()
    assert not RefereeCall.objects.exists()


def test_the_form_is_filled_from_its_address(event: Event):
    page = referee(event).get(f"{URL}?round=1&table=1").content.decode()
    assert 'name="round" value="1"' in page
    assert 'name="table" value="1"' in page


def test_the_register_lists_complaints_with_who_decided(event: Event):
    rita, register = referee(event, "Rita"), "/desk/cup/calls/complaints/"
    assert "No complaints" in texts(rita.get(register), "h2")
    write(rita)
    number = RefereeCall.objects.get().pk
    rita.post(f"/desk/cup/calls/{number}/close/", {"question": "The wall.", "ruling": "It stands.", "clause": "3.4"})
    (row,) = texts(rita.get(register), "tbody")
    assert "The wall. It stands. 3.4 Rita" in row
    called = {"call": str(uuid4())}
    rita.post("/desk/cup/rounds/1/tables/1/call/", called)
    assert len(texts(rita.get(register), "tr")) == 2  # a call is no complaint
