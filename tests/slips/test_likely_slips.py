"""Likely slips at the desk: beside a sheet that does not fit, and for a hand that the table announced otherwise."""

import html
import json
import re

import pytest

from tests.factories import enter_all, make_event, rows_of, table_of
from tests.pages.at_desk import organiser, preview, referee, send, table_url, values
from tests.pages.html_reader import text, texts
from tournament.events.models import Event

pytestmark = [pytest.mark.once, pytest.mark.django_db]

HANDS = ("2r3 340/2", "3r4 340", "4r1 330", "1r2 340")


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    event = make_event(slug="cup", tables=1, rounds=1)
    enter_all(table_of(event), *HANDS)
    return event


def sign(event: Event, *totals: str, seen: int = len(HANDS)):
    fields = {f"total-{seat}": total for seat, total in enumerate(totals)}
    return organiser(event).post(table_url(event, end="sign/"), {**fields, "leftover": "0", "expected_seq": seen})


def links(page) -> list[str]:
    return [
        html.unescape(found)
        for found in re.findall(r'<a class="button" href="([^"]*corrections[^"]*)"', page.content.decode())
    ]


PAPER = ("30000", "30000", "30000", "30000")  # hand 3 with 40 fu: everybody gained and paid 5,200


def test_a_sheet_that_does_not_fit_names_the_slip_and_taking_it_shows_the_change_first(event: Event):
    client = organiser(event)
    page = sign(event, *PAPER)
    assert page.status_code == 422
    assert texts(page, ".slip-what")[0] == "Han or fu of the next row · Hand 3"
    assert "3 han 40 fu" in text(page, ".slips")
    before = rows_of(table_of(event))
    look = client.get(links(page)[0])
    assert look.status_code == 200
    assert "Hand 3" in text(look, ".changes")
    assert values(look, "reason") == ["Han or fu of the next row"]
    assert rows_of(table_of(event)) == before
    fields = {name: html.unescape(values(look, name)[0]) for name in ("plan", "client_id", "expected_seq", "reason")}
    address = table_url(event, end="corrections/")
    for _ in range(2):  # also sent twice
        client.post(address, {**fields, "act": "save"})
    assert len(rows_of(table_of(event))) == len(before) + 1
    scores = texts(client.get(table_url(event)), ".seat-score")
    assert scores == ["30,000"] * 4


def test_totals_with_given_out_deposits_are_compared_before_them(event: Event):
    send(organiser(event), event, "d1/1", expected_seq=len(HANDS))
    page = sign(event, "33000", "29000", "29000", "29000", seen=len(HANDS) + 1)  # the riichi stick went to the first
    assert texts(page, ".slip-what")[0] == "Han or fu of the next row · Hand 3"


def test_a_slip_of_the_typed_hand_goes_into_the_line(event: Event):
    page = preview(referee(event), event, "2r3 330 !2000", expected_seq=len(HANDS))
    assert texts(page, ".slip-what")[0] == "Han or fu of the next row · Hand 5"
    assert 'data-choice="2r3 230 !2000"' in page.content.decode()
    page = preview(referee(event), event, "2r3 330 !3900", expected_seq=len(HANDS))
    assert texts(page, ".slips") == []


@pytest.mark.parametrize("plan", ["{", json.dumps({"changes": [{"hand": 99, "entry": None}], "forgotten": None}), ""])
def test_a_broken_plan_in_an_address_leads_back_to_the_table(event: Event, plan: str):
    answer = organiser(event).get(table_url(event, end="corrections/"), {"plan": plan})
    assert (answer.status_code, answer["Location"]) == (302, table_url(event))
