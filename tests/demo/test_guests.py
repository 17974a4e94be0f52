"""The way into a demo: only where there is one, as a referee of all its events, and so many an hour."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client

from tests.demo import urls  # before a test sets DEMO_UNTIL, from which the desk's own addresses are made
from tests.factories import make_event
from tournament.accounts.models import Account, Membership, Role, Tries
from tournament.calls.models import RefereeCall
from tournament.core.rate_limits import Source
from tournament.demo.limits import ACTS, ACTS_OF_ALL, MAX_BYTES
from tournament.demo.views import GUESTS
from tournament.push.models import ToldPhone
from web.management.commands.desk import Command

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.database]


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


@pytest.mark.postgresql
@in_a_demo
def test_each_page_says_that_it_is_a_demo(client: Client) -> None:
    make_event(slug="cup")
    client.post("/demo/")
    for path in ("/", "/e/cup/", "/e/cup/standings/", "/desk/cup/", "/calculator/", "/rules/"):
        assert "Demo: everything is invented" in client.get(path).text, path


LIMITS = "tournament.demo.limits.GuestLimits"


@pytest.fixture
def limited(settings: Any) -> None:
    settings.DEMO = True
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, LIMITS]


def test_a_demo_has_the_limits_and_no_other_desk(settings: Any) -> None:
    code = "import web.settings as s; print(s.MIDDLEWARE[-1], s.MAIL)"
    for demo, said in (("1", f"{LIMITS} False"), ("", "")):
        variables = {**os.environ, "HANCHAN_DEMO": demo or "0", "HANCHAN_MAIL": ""}
        done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True)
        assert (done.stdout.strip() == said) if demo else (LIMITS not in done.stdout)


@in_a_demo
@pytest.mark.usefixtures("limited")
def test_a_guest_acts_so_often_and_is_told_when_to_go_on(client: Client) -> None:
    make_event(slug="cup")
    client.post("/demo/")
    guest = Source("127.0.0.1", str(Account.objects.get(display_name="Guest 1").pk))
    page = "/desk/cup/rounds/1/tables/1/call/"
    while not ACTS.count(guest):
        pass
    answer = client.post(page, {"client_id": str(uuid4())})
    assert (answer.status_code, int(answer["Retry-After"]) > 0) == (429, True)
    assert "wait" in answer.text
    assert not RefereeCall.objects.exists()
    assert client.get("/desk/cup/").status_code == 200  # who reads is not stopped
    assert client.post("/desk/cup/presence/", {"tab": "a"}).status_code != 429
    other = Client()
    other.post("/demo/")
    assert other.post(page, {"client_id": str(uuid4())}).status_code == 302  # and nobody else is


@in_a_demo
@pytest.mark.usefixtures("limited")
def test_one_address_with_many_guests_shuts_nobody_else_out() -> None:
    make_event(slug="cup")
    while not ACTS_OF_ALL.count(Source("127.0.0.1")):
        pass
    before = list(Tries.objects.filter(scope=ACTS_OF_ALL.scope).values_list("count", flat=True))
    assert Client().post("/demo/").status_code == 429
    after = list(Tries.objects.filter(scope=ACTS_OF_ALL.scope).values_list("count", flat=True))
    assert after == before  # what an address may not do counts for nobody else
    assert Client(REMOTE_ADDR="127.0.0.2").post("/demo/").status_code == 302


@in_a_demo
@pytest.mark.usefixtures("limited")
def test_an_act_has_so_many_bytes(client: Client) -> None:
    make_event(slug="cup")
    client.post("/demo/")
    answer = client.post("/desk/cup/rounds/1/tables/1/call/", {"question": "x" * MAX_BYTES})
    assert (answer.status_code, "at most 32 kB" in answer.text) == (413, True)


@in_a_demo
@pytest.mark.usefixtures("limited")
def test_a_guest_keeps_the_name_and_has_no_password(client: Client) -> None:
    make_event(slug="cup")
    client.post("/demo/")
    for path, fields in (
        ("/account/", {"form": "name", "display_name": "Organiser"}),
        ("/account/", {"form": "password", "new_password1": "a-long-word-7", "new_password2": "a-long-word-7"}),
        ("/account/second-step/", {"act": "begin", "again-new_password1": "a-long-word-7"}),
    ):
        page = client.post(path, fields, follow=True)
        assert "A guest of the demo keeps the name" in page.text, path
    guest = Account.objects.get(username__startswith="guest-")
    assert (guest.display_name, guest.has_usable_password()) == ("Guest 1", False)


@in_a_demo
@pytest.mark.usefixtures("limited")
def test_no_phone_is_noted_and_none_is_offered_it(client: Client, settings: Any) -> None:
    make_event(slug="cup")
    client.get("/e/cup/?me=1", secure=True)
    given = {"endpoint": "https://fcm.googleapis.com/x", "keys": {"p256dh": "x", "auth": "y"}}
    answer = client.post(
        "/e/cup/tell/", given, content_type="application/json", headers={"Sec-Fetch-Site": "same-origin"}
    )
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (409, "phone.demo")
    assert not ToldPhone.objects.exists()
    assert "data-tell" not in client.get("/e/cup/", secure=True).text
    settings.DEMO = False
    cache.clear()
    assert "data-tell" in client.get("/e/cup/", secure=True).text


def test_nothing_of_a_demo_leaves_it(settings: Any) -> None:
    settings.DEMO, settings.HTTPS, settings.MAIL, settings.RELAY = True, True, False, False
    assert [thread.name for thread in Command().threads(str)] == ["backups"]
    settings.DEMO, settings.MAIL = False, True
    assert [thread.name for thread in Command().threads(str)] == ["backups", "letters", "push", "relay", "season-posts"]


@in_a_demo
def test_one_guest_closes_the_demo_for_nobody_else() -> None:
    make_event(slug="cup")
    while GUESTS.count(Source("192.0.2.66")) == 0:
        pass
    for _more in range(3000):
        GUESTS.count(Source("192.0.2.66"))
    assert Client(REMOTE_ADDR="192.0.2.66").post("/demo/").status_code == 429
    assert Client(REMOTE_ADDR="192.0.2.1").post("/demo/").status_code == 302


@in_a_demo
def test_one_address_makes_so_many_guests_an_hour() -> None:
    make_event(slug="cup")
    for _guest in range((GUESTS.network or 0) - 1):
        GUESTS.count(Source("127.0.0.1"))
    assert [Client().post("/demo/").status_code for _guest in range(2)] == [302, 429]
