"""Referee calls at the desk and on phones: made at a table, answered, ruled, read by those who sat there."""

import datetime as dt
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.test import Client

from tests.factories import enter, make_event, table_of
from tests.fixtures import module_event
from tests.pages.at_desk import referee, table_url
from tests.pages.html_reader import text, texts
from tournament.calls.models import RefereeCall
from tournament.events.models import Event

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

URL = "/desk/cup/calls/"
NOON = dt.datetime(2026, 9, 12, 12, 0, tzinfo=dt.UTC)


made = module_event(tables=3, rounds=1, slug="cup", time_zone="Europe/London")


def call(client: Client, event: Event, table: int = 1, **fields: Any) -> Any:
    return client.post(table_url(event, table, end="call/"), {"call": str(uuid4()), **fields}, follow=True)


def close(client: Client, number: int, **fields: Any) -> Any:
    return client.post(f"{URL}{number}/close/", fields, follow=True)


def the_call() -> RefereeCall:
    return RefereeCall.objects.get()


@pytest.mark.follows("during/calls.md")
def test_a_call_from_the_table_to_its_ruling(event: Event):
    rita, ben = referee(event, "Rita"), referee(event, "Ben")
    with time_machine.travel(NOON, tick=False) as clock:
        enter(table_of(event), "2r3 340")
        page = call(rita, event)
        assert texts(page, ".messages") == ["Done A referee is called to table 1."]
        assert "Referee called 13:00 Answer" in texts(page, ".note")
        assert "Call a referee" not in texts(page, ".button")
        clock.shift(40)
        page = ben.get(URL)
        assert text(page, "h3") == "Table 1 Round 1 · East 2 · hand 2"
        assert text(page, ".lead") == "1 open"
        assert "waiting since 13:00:00" in texts(page, ".state")
        clock.shift(35)
        page = ben.post(f"{URL}{the_call().pk}/answer/", follow=True)
        assert "Called 13:00, Ben came after 1:15" in texts(page, "span")
        page = close(ben, the_call().pk, question="Furiten?", ruling="It is.", clause="3.2", minutes="3")
    assert texts(page, ".messages") == ["Done The call of table 1 is closed."]
    assert text(page, ".call").endswith("Furiten? It is. 3.2 3 minutes given Edit")
    assert "Call a referee" in texts(rita.get(table_url(event)), ".button")


def test_the_grid_says_where_a_referee_is_wanted(event: Event):
    client = referee(event)
    for number in (2, 3):
        call(client, event, number)
    enter(table_of(event), "1t 230")
    page = client.get("/desk/cup/")
    assert text(page, ".grid-missing") == (
        "Tables 2 and 3 have no hand yet; table 1 still plays; a referee is called to tables 2 and 3."
    )
    assert [tile for tile in texts(page, ".tile") if tile.endswith("referee called")] == texts(page, ".tile")[1:]


def test_pressing_twice_calls_once(event: Event):
    client = referee(event)
    call(client, event)
    call(client, event)
    assert RefereeCall.objects.count() == 1
    assert texts(call(client, event, 2, call="old"), ".messages")[0].startswith("Error")
    assert RefereeCall.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"clause": "3.2"}, "A clause or minutes need a ruling as well."),
        ({"ruling": "Wait", "minutes": "five"}, "'five' is not a number of minutes."),
        ({"ruling": "Wait", "minutes": "-1"}, "'-1' is not a number of minutes."),
        ({"ruling": "Wait", "minutes": "500"}, "500 minutes cannot be given: 0 to 120."),
        ({"ruling": "Wait", "minutes": "5000"}, "5000 minutes cannot be given: 0 to 120."),
        ({"ruling": "Wait", "minutes": "²"}, "'²' is not a number of minutes."),
        ({"ruling": "Wait", "minutes": "50000"}, "'50000' is not a number of minutes."),
    ],
)
def test_what_is_refused_keeps_what_was_typed(event: Event, fields: dict[str, str], words: str):
    client = referee(event)
    call(client, event)
    page = close(client, the_call().pk, **fields, question="What now?")
    assert (page.status_code, the_call().closed_at) == (422, None)
    assert words in text(page, ".problems")
    assert 'value="What now?"' in page.content.decode()
    assert all(f'value="{value}"' in page.content.decode() for value in fields.values())


def test_a_closed_call_is_mended(event: Event):
    client = referee(event)
    call(client, event)
    close(client, the_call().pk, ruling="It is.")
    page = client.get(f"{URL}?edit={the_call().pk}")
    assert 'value="It is."' in page.content.decode()
    close(client, the_call().pk, ruling="It is not.", seen="It is.")
    assert the_call().ruling == "It is not."


def test_a_call_that_needed_no_ruling_is_closed_as_settled(event: Event):
    client = referee(event)
    call(client, event)
    page = close(client, the_call().pk)
    assert "Settled without a ruling" in text(page, ".call")


def test_calls_of_another_event_are_not_there(event: Event):
    call(referee(event), event)
    other = make_event(slug="other")
    client = referee(other)
    assert client.post(f"/desk/other/calls/{the_call().pk}/close/").status_code == 404
    assert client.post(f"/desk/other/calls/{the_call().pk}/answer/").status_code == 404
    assert the_call().answered_at is None


def test_clauses_of_the_events_catalogue_are_offered(event: Event):
    assert '<option value="E25 6.12"' in referee(event).get(URL).content.decode()


# ---------------------------------------------------------------- phones


def test_players_of_the_table_read_the_ruling_without_a_name(client: Client, event: Event):
    desk = referee(event, "Rita")
    call(desk, event, question="")
    assert texts(client.get("/e/cup/players/2/"), ".rulings") == []
    close(desk, the_call().pk, question="Furiten?", ruling="It is.", clause="3.2", minutes="3")
    page = client.get("/e/cup/players/2/")
    assert texts(page, ".rulings") == ["R1 Furiten? It is. 3.2 · 3 minutes given"]
    assert "Rita" not in page.content.decode()
    assert texts(client.get("/e/cup/players/5/"), ".rulings") == []
    client.get("/e/cup/?me=2")
    assert texts(client.get("/e/cup/"), ".rulings") == ["R1 Furiten? It is. 3.2 · 3 minutes given"]


def test_a_call_that_is_settled_shows_on_no_phone(client: Client, event: Event):
    desk = referee(event)
    call(desk, event)
    close(desk, the_call().pk, question="Noise?")
    assert texts(client.get("/e/cup/players/2/"), ".rulings") == []


@pytest.mark.parametrize("size", [1, 3])
def test_the_list_asks_the_same_number_of_questions_whatever_its_length(
    event: Event, django_assert_num_queries: Any, size: int
):
    client = referee(event)
    for number in range(1, size + 1):
        call(client, event, number)
    with django_assert_num_queries(11):
        client.get(URL)
