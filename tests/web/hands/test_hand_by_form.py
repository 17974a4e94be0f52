"""The hand form without a browser: it enters what the line enters, and keeps what was ticked when it is refused."""

import re
from typing import Any

import pytest

from tests.factories import enter, fresh, make_event, rows_of, table_of
from tests.web.at_desk import organiser, preview, referee, send, table_url, ticked, values
from tests.web.shown import text, texts
from tournament.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    return make_event(slug="cup", tables=2, rounds=1)


@pytest.fixture
def event(made: Event) -> Event:
    return fresh(made)


# ---------------------------------------------------------------- by form


FORM: dict[str, Any] = {"how": "form"}


def test_the_form_offers_what_the_rules_know(event: Event):
    page = organiser(event).get(table_url(event))
    assert texts(page, ".hand-kind") == ["What happened Ron Tsumo Draw Chombo"]
    tenhou = make_event("tenhou-yonma", tables=1, rounds=1)
    page = organiser(tenhou).get(table_url(tenhou))
    assert texts(page, ".hand-kind") == ["What happened Ron Tsumo Draw Nagashi mangan Abortive draw Chombo"]


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"kind": "ron", "loser": "2", "winner": "1", "han-1": "3", "fu-1": "40", "riichi": "1"}, "2r3 340/2"),
        (
            {"kind": "ron", "loser": "2", "winner": ["0", "1"], "han-0": "5", "han-1": "3", "fu-1": "40"},
            "1r3 5+2 340",
        ),
        ({"kind": "tsumo", "winner": "0", "han-0": "y1", "pao-0": "2"}, "1t y p3"),
        ({"kind": "draw", "tenpai": ["0", "2"], "riichi": "2", "note": " slow  table "}, "d13/3 #slow table"),
        ({"kind": "draw"}, "d"),
        ({"kind": "nagashi", "winner": "3", "tenpai": ["0", "3"], "riichi": ["0", "3"]}, "n4 d14/14"),
        ({"kind": "chombo", "offenders": ["1", "3"]}, "c24"),
    ],
)
def test_the_form_enters_what_the_line_enters(fields: dict[str, Any], line: str):
    event = make_event("rakkii-nomi-2026", tables=2, rounds=1)
    assert send(referee(event), event, **FORM, **fields, reason="as seen").status_code == 302
    enter(table_of(event, 2), line, reason="as seen")
    assert rows_of(table_of(event))[0].payload == rows_of(table_of(event, 2))[0].payload


def test_what_the_kind_does_not_need_is_not_read(event: Event):
    fields: dict[str, Any] = {
        "kind": "draw",
        "tenpai": "0",
        "winner": "1",
        "han-1": "3",
        "loser": "2",
        "offenders": "3",
    }
    send(referee(event), event, **FORM, **fields)
    assert rows_of(table_of(event))[0].payload == '{"kind":"draw","tenpai":[0]}'


def test_a_refused_form_keeps_what_was_ticked(event: Event):
    fields: dict[str, Any] = {
        "kind": "ron",
        "loser": "2",
        "winner": ["1", "3"],
        "han-1": "3",
        "fu-1": "25",
        "pao-1": "0",
        "note": "loud",
    }
    answer = send(referee(event), event, **FORM, **fields)
    assert answer.status_code == 422
    assert text(answer, ".note") == "Error Distel (player 4) wins: choose the han."
    assert ticked(answer) == {
        "kind": ["ron"], "loser": ["2"], "winner": ["1", "3"], "han-1": ["3"], "fu-1": ["25"], "pao-1": ["0"],
    }  # fmt: skip
    assert values(answer, "note") == ["loud"]
    assert '<details class="by-form" open>' in answer.content.decode()


def test_the_form_asks_for_the_reason_of_a_warning(event: Event):
    client = referee(event)
    answer = send(client, event, **FORM, kind="draw", tenpai="0", riichi="1")
    assert text(answer, ".reason-wanted") == "A warning needs a reason: say why the entry is right all the same."
    assert re.search(r'id="form-reason"[^>]* required autofocus data-keep-focus', answer.content.decode())
    assert send(client, event, **FORM, kind="draw", tenpai="0", riichi="1", reason="dead").status_code == 302


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "Choose what happened: ron, tsumo, draw…"),
        ({"kind": "pon"}, "Choose what happened: ron, tsumo, draw…"),
        ({"kind": "ron"}, "Choose who discarded the winning tile."),
        ({"kind": "ron", "loser": "1"}, "There is no winner."),
        ({"kind": "tsumo"}, "A tsumo has one winner, not 0."),
        ({"kind": "chombo"}, "A chombo needs an offender."),
    ],
)
def test_a_form_half_filled_is_a_hint_while_filling_and_an_error_when_sent(
    event: Event, fields: dict[str, Any], said: str
):
    client = referee(event)
    early = preview(client, event, **FORM, **fields)
    assert (text(early, ".is-hint"), texts(early, ".note")) == (said, [])
    assert texts(send(client, event, **FORM, **fields), ".note") == [f"Error {said}"]


@pytest.mark.parametrize("value", ["x", "-1", "99999999", "１"])
def test_a_form_that_no_browser_sends_is_refused_in_words(event: Event, value: str):
    answer = send(referee(event), event, **FORM, kind="draw", tenpai=value)
    assert texts(answer, ".note") == [f"Error '{value}' is not a whole number."]
