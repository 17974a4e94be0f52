"""A hand is answered with what it changes on a page that shows the row before it, else with the whole table."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from tests.factories import WHOLE_GAME, enter_all, make_account, round_of, sign, table_of, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import HTMX, client_of, referee, table_url
from tests.pages.html_reader import texts
from tournament.accounts.models import Membership, Role
from tournament.calls.actions import call_referee
from tournament.events.models import Event
from tournament.rounds.actions import start_round
from tournament.sheets.actions import reopen_table

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

PARTS = ("#table-now", "#table-seats", "#table-needs", "#sheet-facts")


made = module_event(slug="cup", tables=2, rounds=1)


@pytest.fixture
def client(event: Event) -> Client:
    return referee(event)


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
    page = send_from_page(client, event, "1t 230", seen=1, stamp=open_page(client, event))["page"]
    assert (kind_of(page), page.count("<tr"), "?correct=" in page) == ("table-step", 1, False)


def a_signature(event: Event) -> None:
    sign(table_of(event))
    reopen_table(table=table_of(event), reason="the last hand is missing", by=writer_of(event))


@pytest.mark.parametrize(
    ("before", "fields"),
    [
        pytest.param(None, {"stamp": ""}, id="a page that says nothing"),
        pytest.param(None, {"stamp": "7.0.0.1.1"}, id="another page"),
        pytest.param(None, {"hand": 1, "reason": "misread"}, id="a correction"),
        pytest.param(None, {"before": 1, "reason": "forgotten"}, id="a forgotten hand"),
        pytest.param(a_signature, {}, id="a reopened sheet"),
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


def test_the_whole_table_comes_for_a_hand_that_is_sent_twice(client: Client, event: Event) -> None:
    number, stamp = str(uuid4()), open_page(client, event)
    twice = [send_from_page(client, event, "2r3 340/2", seen=0, stamp=stamp, client_id=number) for _ in range(2)]
    assert [kind_of(each["page"]) for each in twice] == ["table-step", "table-page"]


def test_each_hand_of_a_game_is_a_small_step(client: Client, event: Event) -> None:
    stamp = open_page(client, event)
    for seen, line in enumerate(WHOLE_GAME):
        page = send_from_page(client, event, line, seen=seen, stamp=stamp)["page"]
        stamp = data_of(page, "stamp")
        assert kind_of(page) == "table-step"
        assert len(json.dumps(page)) < 7_000
    assert shown(page, "#table-line") == shown(client.get(table_url(event)).content.decode(), "#table-line") != []


def test_a_step_tells_how_many_hands_are_left_when_time_is_up(client: Client, event: Event) -> None:
    round_ = round_of(event, 1)
    start_round(round_=round_, by=writer_of(event))
    started, seen, stamp = timezone.now(), 0, open_page(client, event)
    for minutes, left in ((1, ""), (80, "last hand"), (85, "no further hand")):
        with time_machine.travel(started + timedelta(minutes=minutes)):
            page = send_from_page(client, event, "d1", seen=seen, stamp=stamp)["page"]
        stamp, seen = data_of(page, "stamp"), seen + 1
        assert kind_of(page) == "table-step"
        assert [text.startswith(left) for text in shown(page, "#time-state")] == ([True] if left else [])
        needs = ["Last hand: who needs what"] if left == "last hand" else []
        assert shown(page, ".need-link") == needs


@pytest.mark.postgresql
def test_a_call_that_the_page_does_not_show_brings_the_whole_table(client: Client, event: Event) -> None:
    enter_all(table_of(event), "2r3 340/2")
    stamp = open_page(client, event)
    call_referee(table=table_of(event), client_id=uuid4(), by=writer_of(event))
    answer = send_from_page(client, event, "1t 230", seen=1, stamp=stamp)
    assert kind_of(answer["page"]) == "table-page"
