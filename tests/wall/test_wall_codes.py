"""The wall's codes: what they say, and that phones can open the address."""

import re

import pytest
import segno
from django.test import Client

from tests.factories import writer_of
from tests.fixtures import own_event
from tests.pages.html_reader import text, texts
from tournament.events.models import Event
from tournament.wall.actions import set_network

pytestmark = [pytest.mark.once, pytest.mark.django_db]


event = own_event(slug="cup", tables=1, rounds=1)


def codes(client: Client) -> list[str]:
    return re.findall(r'<path[^>]*\bd="([^"]+)"', client.get("/e/cup/display/codes/").content.decode())


def drawn(content: str) -> str:
    path = re.search(r'\bd="([^"]+)"', segno.make(content, error="m", micro=False).svg_inline(omitsize=True))
    return path[1] if path else ""


def test_first_the_network_then_the_page(client: Client, event: Event):
    assert codes(client) == [drawn("http://testserver/e/cup/")]
    assert texts(client.get("/e/cup/display/codes/"), ".show-step") == ["Open this page"]
    set_network(event=event, network='Hall; "2"', password="east:wind13", by=writer_of(event))
    wanted = r"WIFI:T:WPA;S:Hall\; \"2\";P:east\:wind13;;"
    assert codes(client) == [drawn(wanted), drawn("http://testserver/e/cup/")]
    page = client.get("/e/cup/display/codes/")
    assert texts(page, ".show-step") == ["1. First join this network", "2. Then open this page"]
    assert text(page, ".show-network") == 'Hall; "2"'
    assert "east:wind13" in texts(page, "figure")[0]


def test_a_screen_on_the_desk_s_own_machine_names_an_address_that_phones_can_open(client: Client, event: Event):
    page = client.get("/e/cup/display/codes/", headers={"host": "localhost:8000"})
    address = text(page, ".show-address")
    assert re.fullmatch(r"http://[\w.]+:8000/e/cup/", address)
    assert (
        client.get("/e/cup/display/codes/", headers={"host": "192.168.1.7:8000"})
        .content.decode()
        .count("http://192.168.1.7:8000/e/cup/")
    )
