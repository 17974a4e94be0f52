"""A hand is answered with what it changes on a page that shows the row before it, else with the whole table."""

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.factories import enter_all, make_account, sign, table_of, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import HTMX, client_of, referee, table_url
from tests.pages.html_reader import texts
from tournament.accounts.models import Membership, Role
from tournament.calls.actions import call_referee
from tournament.events.models import Event
from tournament.hands.tour import COOKIE
from tournament.sheets.actions import reopen_table

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

PARTS = ("#table-now", "#table-seats", "#cards-seats", "#sheet-facts")
TO_SOUTH_3 = ("3r4 340", "4r1 340", "1r2 340", "2r3 340", "3r4 340")  # after East 1


made = module_event(slug="cup", tables=2, rounds=1)


@pytest.fixture
def client(event: Event) -> Client:
    found = referee(event)
    found.cookies[COOKIE] = "1"
    return found


def data_of(html: str, name: str) -> str:
    found = re.search(rf'data-{name}="([^"]*)"', html)
    assert found, name
    return found[1]


def open_page(client: Client, event: Event) -> str:
    """Open the table as a browser does, and return the stamp of the page."""
    return data_of(client.get(table_url(event)).content.decode(), "stamp")


def send_from_page(client: Client, event: Event, line: str, *, seen: int, stamp: str, **fields: Any) -> Any:
    """Send a hand as static/hands/outbox.js does from the page of its table."""
    data = {"client_id": str(uuid4()), "expected_seq": seen, "line": line, "stamp": stamp, **fields}
    return client.post(table_url(event), data, headers={"Accept": "application/json", **HTMX}).json()


def kind_of(page: str) -> str:
    """Return the id of the outermost element of an answer's page."""
    return page.lstrip().partition('id="')[2].partition('"')[0]


def shown(html: str, part: str) -> list[str]:
    return texts(SimpleNamespace(content=html.encode()), part)


def test_a_step_says_what_the_whole_page_would(client: Client, event: Event) -> None:
    enter_all(table_of(event), "2r3 340/2")
    stamp = open_page(client, event)
    page = send_from_page(client, event, "1t 230", seen=1, stamp=stamp)["page"]
    whole = client.get(table_url(event)).content.decode()
    assert (kind_of(page), data_of(page, "before")) == ("table-step", stamp)
    assert [shown(page, part) for part in PARTS] == [shown(whole, part) for part in PARTS]
    assert shown(page, "tr") == [line for line in shown(whole, "tr") if "tsumo" in line]
    names = ("seq", "stamp", "round", "winds", "honba")
    assert [data_of(page, name) for name in names] == [data_of(whole, name) for name in names[:2]] + [
        data_of(whole.partition('id="hand-line"')[2], name) for name in names[2:]
    ]
    assert len(page) < 8_000 < len(whole)


def test_the_next_step_follows_on_the_step_before(client: Client, event: Event) -> None:
    enter_all(table_of(event), "2r3 340/2")
    stamp = open_page(client, event)
    for seen, line in enumerate(("1t 230", "d13", "3r4 340"), start=1):
        page = send_from_page(client, event, line, seen=seen, stamp=stamp)["page"]
        assert kind_of(page) == "table-step"
        stamp = data_of(page, "stamp")
    assert stamp == open_page(client, event)


def test_who_may_not_correct_gets_a_row_without_links(event: Event) -> None:
    enter_all(table_of(event), "2r3 340/2")
    scribe = make_account("Scribe")
    Membership.objects.create(event=event, account=scribe, role=Role.SCORER)
    client = client_of(scribe)
    client.cookies[COOKIE] = "1"
    page = send_from_page(client, event, "1t 230", seen=1, stamp=open_page(client, event))["page"]
    assert (kind_of(page), page.count("<tr"), "?correct=" in page) == ("table-step", 1, False)


def a_signature(event: Event) -> None:
    sign(table_of(event))
    reopen_table(table=table_of(event), reason="the last hand is missing", by=writer_of(event))


def to_the_last(event: Event) -> None:
    enter_all(table_of(event), *TO_SOUTH_3)


@pytest.mark.parametrize(
    ("before", "fields"),
    [
        pytest.param(None, {"stamp": ""}, id="a page that says nothing"),
        pytest.param(None, {"stamp": "7.0.0.1.1"}, id="another page"),
        pytest.param(None, {"hand": 1, "reason": "misread"}, id="a correction"),
        pytest.param(None, {"before": 1, "reason": "forgotten"}, id="a forgotten hand"),
        pytest.param(a_signature, {}, id="a reopened sheet"),
        pytest.param(to_the_last, {}, id="the last hand is next"),
    ],
)
def test_the_whole_table_comes_where_more_may_change(
    client: Client, event: Event, before: Callable[[Event], None] | None, fields: dict[str, Any]
) -> None:
    enter_all(table_of(event), "2r3 340/2")
    if before:
        before(event)
    page = client.get(table_url(event)).content.decode()
    sent = {"stamp": data_of(page, "stamp"), **fields}
    answer = send_from_page(client, event, "4r1 340", seen=int(data_of(page, "seq")), **sent)
    assert kind_of(answer["page"]) == "table-page"


def test_the_whole_table_comes_after_the_first_hand_and_for_one_sent_twice(client: Client, event: Event) -> None:
    number = str(uuid4())
    first = send_from_page(client, event, "2r3 340/2", seen=0, stamp=open_page(client, event))
    stamp = open_page(client, event)
    twice = [send_from_page(client, event, "1t 230", seen=1, stamp=stamp, client_id=number) for _ in range(2)]
    assert [kind_of(each["page"]) for each in (first, *twice)] == ["table-page", "table-step", "table-page"]


@pytest.mark.postgresql
def test_a_call_that_the_page_does_not_show_brings_the_whole_table(client: Client, event: Event) -> None:
    enter_all(table_of(event), "2r3 340/2")
    stamp = open_page(client, event)
    call_referee(table=table_of(event), client_id=uuid4(), by=writer_of(event))
    answer = send_from_page(client, event, "1t 230", seen=1, stamp=stamp)
    assert kind_of(answer["page"]) == "table-page"


def test_a_browser_that_has_not_seen_the_tour_gets_the_whole_table(event: Event) -> None:
    enter_all(table_of(event), "2r3 340/2")
    newcomer = referee(event)
    answer = send_from_page(newcomer, event, "1t 230", seen=1, stamp=open_page(newcomer, event))
    assert kind_of(answer["page"]) == "table-page"
