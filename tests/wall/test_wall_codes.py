"""The wall's codes: what they say, and that phones can open the address."""

import re

import pytest
import segno
from django.test import Client

from tests.factories import fresh, make_account, writer_of
from tests.fixtures import own_event
from tests.pages.at_desk import client_of
from tests.pages.html_reader import text, texts
from tournament.events.models import Event
from tournament.player_entry.actions import end_club_code, make_club_code
from tournament.wall.actions import set_network

pytestmark = [pytest.mark.once, pytest.mark.django_db]


event = own_event(slug="cup", tables=1, rounds=1)


CODES = "/e/cup/display/codes/"


@pytest.fixture
def hall() -> Client:
    return Client(headers={"host": "192.168.1.7:8000"})


def codes(client: Client) -> list[str]:
    return re.findall(r'<path[^>]*\bd="([^"]+)"', client.get(CODES).content.decode())


def drawn(content: str) -> str:
    path = re.search(r'\bd="([^"]+)"', segno.make(content, error="m", micro=False).svg_inline(omitsize=True))
    return path[1] if path else ""


def test_first_the_network_then_the_page(hall: Client, event: Event):
    before = hall.get(CODES)
    assert codes(hall) == [drawn("http://192.168.1.7:8000/e/cup/")]
    assert texts(before, ".show-step") == ["Open this page"]
    set_network(event=event, network='Hall; "2"', password="east:wind13", by=writer_of(event))
    wanted = r"WIFI:T:WPA;S:Hall\; \"2\";P:east\:wind13;;"
    assert codes(hall) == [drawn(wanted), drawn("http://192.168.1.7:8000/e/cup/")]
    page = hall.get(CODES, headers={"if-none-match": before["ETag"]})
    assert "ETag" not in page
    assert texts(page, ".show-step") == ["1. First join this network", "2. Then open this page"]
    assert text(page, ".show-network") == 'Hall; "2"'
    assert "east:wind13" in texts(page, "figure")[0]


def test_a_screen_on_the_desk_s_own_machine_names_an_address_that_phones_can_open(client: Client, event: Event):
    page = client.get(CODES, headers={"host": "localhost:8000"})
    address = text(page, ".show-address")
    assert re.fullmatch(r"http://[\w.]+:8000/e/cup/", address)
    assert (
        client.get(CODES, headers={"host": "192.168.1.7:8000"}).content.decode().count("http://192.168.1.7:8000/e/cup/")
    )


@pytest.mark.follows("during/players-phones.md")
def test_the_code_of_players_who_type_is_on_the_screen_of_the_hall_while_it_is_on(hall: Client, event: Event):
    before = hall.get(CODES)
    make_club_code(event=event, seen="", by=writer_of(event))
    code = fresh(event).club_code
    shown = hall.get(CODES, headers={"if-none-match": before["ETag"]})
    assert texts(shown, ".show-step") == ["Open this page", "Type your results"]
    assert code[:5] + "-" + code[5:] in texts(shown, "figure")[1]
    assert drawn(f"http://192.168.1.7:8000/e/cup/play/{code}/") in shown.content.decode()
    assert "ETag" not in shown
    end_club_code(event=event, by=writer_of(event))
    assert texts(hall.get(CODES), ".show-step") == ["Open this page"]


@pytest.mark.parametrize(
    ("host", "address", "shown"),
    [
        ("localhost:8000", "127.0.0.1", True),
        ("[::1]:8000", "::1", True),
        ("10.0.0.4", "10.0.0.9", True),
        ("testserver", "10.0.0.9", False),
        ("192.168.1.7:8000", "203.0.113.9", False),
        ("testserver", "203.0.113.9", False),
    ],
)
def test_nobody_outside_of_the_hall_reads_the_codes_but_the_desk(event: Event, host: str, address: str, shown: bool):
    make_club_code(event=event, seen="", by=writer_of(event))
    set_network(event=event, network="Hall", password="eastwind13", by=writer_of(event))
    readers = ((Client(), shown), (client_of(make_account()), shown), (client_of(writer_of(event)), True))
    for path in (CODES, "/e/cup/display/"):
        for client, sees in readers:
            page = client.get(path, headers={"host": host}, REMOTE_ADDR=address).content.decode()
            assert (fresh(event).club_code in page, "eastwind13" in page, "2. Then open" in page) == (sees, sees, sees)
