"""Limits on strangers: links that do not work, and searches; never a page that a hall needs."""

from typing import Any

import pytest
from django.test import Client, RequestFactory

from tests.factories import make_account, make_event, writer_of
from tests.pages.html_reader import texts
from tournament.accounts.actions import invite, set_password
from tournament.accounts.models import Role, Tries
from tournament.pages.sign_in import SEARCHES, client_address

pytestmark = [pytest.mark.django_db, pytest.mark.whole_run]


def test_bad_links_are_told_to_wait_and_a_good_one_works_all_the_same():
    event = make_event(slug="cup")
    token = invite(event=event, role=Role.REFEREE, name="Rita", by=writer_of(event))
    answers = [Client().get(f"/enter/bad{number}/").status_code for number in range(61)]
    assert answers == [410] * 60 + [429]
    page = Client().get("/device/bad/")
    assert (page.status_code, texts(page, "h1")) == (429, ["Too many attempts"])
    assert 590 <= int(page["Retry-After"]) <= 600
    assert Client().get("/enter/bad/", REMOTE_ADDR="10.1.1.1").status_code == 410
    assert Client().post(f"/enter/{token}/")["Location"] == "/desk/cup/"
    assert [row for row in Tries.objects.all() if "127.0.0.1" in row.key] == []


def test_a_hall_may_search_and_a_flood_waits_while_the_list_stays_open():
    make_event(slug="cup"), make_event(slug="other")
    client = Client()
    answers = [client.get("/e/cup/?pick&q=a").status_code for _ in range(3)]
    assert answers == [200, 200, 200]
    flood(SEARCHES - 3)
    page = client.get("/e/cup/?pick&q=a")
    assert (page.status_code, page["Retry-After"]) == (429, "60")
    assert texts(page, "p") == ["Too many searches come from here: wait 1 minute. The list of all names stays open."]
    assert client.get("/e/cup/?pick").status_code == 200
    assert client.get("/e/other/?pick&q=a").status_code == 200
    assert client.get("/e/cup/?pick&q=a", REMOTE_ADDR="10.1.1.1").status_code == 200


def flood(count: int) -> None:
    """Count so many more searches of the event as the page does, without drawing it each time."""
    from tournament.events.models import Event
    from tournament.pages.sign_in import rate_limited_search

    event = Event.objects.get(slug="cup")
    request: Any = RequestFactory().get("/e/cup/", {"q": "a"})
    counted = rate_limited_search(lambda _request, _event: None)  # type: ignore[arg-type, return-value]
    for _ in range(count):
        counted(request, event)


def test_a_closed_name_says_when_to_come_back():
    account = make_account("Rita")
    set_password(password="seven winds blow", by=account)
    for _ in range(11):
        page = Client().post("/login/", {"username": account.username, "password": "wrong"})
    assert (page.status_code, page["Retry-After"]) == (429, "900")


@pytest.mark.parametrize(
    ("https", "address", "forwarded", "found"),
    [
        (False, "192.168.1.7", "", "192.168.1.7"),
        (False, "127.0.0.1", "6.6.6.6", "127.0.0.1"),
        (True, "127.0.0.1", "6.6.6.6, 203.0.113.9", "203.0.113.9"),
        (True, "", "203.0.113.9", "203.0.113.9"),
        (True, "203.0.113.9", "6.6.6.6", "203.0.113.9"),
    ],
)
def test_an_address_is_believed_only_from_the_own_proxy(
    settings, https: bool, address: str, forwarded: str, found: str
):
    settings.HTTPS = https
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    assert client_address(RequestFactory().get("/", REMOTE_ADDR=address, headers=headers)) == found


@pytest.mark.parametrize(
    ("forwarded", "found"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("6.6.6.6, 203.0.113.7", "203.0.113.7"),  # what a reader writes in front is not believed
        ("203.0.113.7, 127.0.0.1", "203.0.113.7"),  # one own proxy behind another
        ("", "10.0.0.5"),
    ],
)
def test_a_proxy_on_another_machine_is_believed_once_it_is_named(settings, forwarded: str, found: str):
    headers = {"x-forwarded-for": forwarded} if forwarded else {}
    asked = RequestFactory().get("/", REMOTE_ADDR="10.0.0.5", headers=headers)
    settings.HTTPS = True
    assert client_address(asked) == "10.0.0.5"
    settings.PROXIES = (*settings.PROXIES, "10.0.0.5")
    assert client_address(asked) == found
