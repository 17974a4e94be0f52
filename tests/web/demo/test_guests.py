"""The way into a demo: only where there is one, as a referee of all its events, and so many an hour."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from tests.factories import make_event
from tests.web.demo import urls  # before a test sets DEMO_UNTIL, from which the desk's own addresses are made
from tournament.models import Membership, Role
from tournament.services.core.rate_limits import Source
from web.demo import guests

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def in_a_demo(test: Any) -> Any:
    """Run a test at a desk that is a demo, with the address that only a demo has."""
    return pytest.mark.urls(urls.__name__)(pytest.mark.usefixtures("demo")(test))


@pytest.fixture
def demo(settings: Any) -> None:
    settings.DEMO_UNTIL = datetime(2026, 11, 23, 15, 0, tzinfo=UTC)


def test_no_other_desk_lets_guests_in(client: Client) -> None:
    make_event(slug="cup")
    assert (client.get("/demo/").status_code, client.post("/demo/").status_code) == (404, 404)
    assert "demo-note" not in client.get("/e/cup/").text


@in_a_demo
def test_a_guest_is_a_referee_of_each_event_and_no_organiser(client: Client) -> None:
    for slug in ("cup", "hall"):
        make_event(slug=slug)
    assert "Come in as a referee" in client.get("/demo/").text
    client.post("/demo/")
    page = client.get("/demo/").text
    assert "You are Guest 1" in page
    assert '"/desk/cup/"' in page
    roles = Membership.objects.filter(account__display_name="Guest 1").values_list("event__slug", "role")
    assert sorted(roles) == [("cup", Role.REFEREE), ("hall", Role.REFEREE)]
    assert client.get("/desk/cup/").status_code == 200
    assert client.post("/desk/cup/settings/", {"name": "Mine"}).status_code in (403, 404)


@in_a_demo
def test_each_page_says_that_it_is_a_demo(client: Client) -> None:
    make_event(slug="cup")
    client.post("/demo/")
    for path in ("/", "/e/cup/", "/e/cup/standings/", "/desk/cup/", "/calculator/", "/rules/"):
        assert "Demo: everything is invented" in client.get(path).text, path


@in_a_demo
def test_one_guest_closes_the_demo_for_nobody_else() -> None:
    make_event(slug="cup")
    while guests.GUESTS.count(Source("192.0.2.66")) == 0:
        pass
    for _more in range(3000):
        guests.GUESTS.count(Source("192.0.2.66"))
    assert Client(REMOTE_ADDR="192.0.2.66").post("/demo/").status_code == 429
    assert Client(REMOTE_ADDR="192.0.2.1").post("/demo/").status_code == 302


@in_a_demo
def test_one_address_makes_so_many_guests_an_hour() -> None:
    make_event(slug="cup")
    for _guest in range((guests.GUESTS.network or 0) - 1):
        guests.GUESTS.count(Source("127.0.0.1"))
    assert [Client().post("/demo/").status_code for _guest in range(2)] == [302, 429]
