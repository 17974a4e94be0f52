"""The drill as anybody plays it: questions by book, seed and event, answers in the address, and the sheet."""

import io
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from pypdf import PdfReader

from rules.books import load_book
from rules.foul_books import catalogue
from scoring.drill import Kind
from tests.factories import fresh, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import values
from tests.pages.html_reader import text, texts
from tournament.calculator.views import event_book
from tournament.drill.questions import key_of, make_questions
from tournament.events.models import Event
from tournament.penalties.actions import change_foul_amounts
from tournament.penalties.queries import get_catalogue
from tournament.text.rules import rule_name

pytestmark = [pytest.mark.once, pytest.mark.whole_run]

ASK = {"rules": "ema-2025", "seed": "7", "n": "6", "kind": ["value", "pay", "foul"]}
KEY = key_of(
    make_questions(load_book("ema-2025"), catalogue("ema-2025"), seed=7, count=6, kinds=("value", "pay", "foul"))
)
OTHER = str.maketrans("abcd", "bcda")


made = module_event(slug="cup", tables=1, rounds=1)


def asked(client: Client, url: str = "/drill/", **more: Any) -> Any:
    return client.get(url, ASK | more)


def wrong_of(event: Event, kind: Kind, count: int) -> str:
    """Return a wrong answer to each question of an event's drill."""
    made = make_questions(event_book(event.ruleset), get_catalogue(event), seed=7, count=count, kinds=[kind])
    return key_of(made).translate(OTHER)


# ---------------------------------------------------------------- one question after another


def test_the_first_page_lets_choose_and_leads_to_a_seed(client: Client):
    page = client.get("/drill/")
    assert text(page, "h1") == "Referee’s drill"
    assert values(page, "kind") == ["value", "pay", "foul"]
    answer = client.get("/drill/", {"rules": "wrc-2025", "n": "20", "kind": "pay", "seed": ""})
    assert re.fullmatch(r"/drill/\?rules=wrc-2025&seed=\d+&n=20&kind=pay", answer["Location"])


def test_a_question_offers_four_answers_and_keeps_what_was_answered(client: Client):
    page = asked(client, a=KEY[0])
    assert text(page, ".drill-count") == "Question 2 of 6 · 1 right"
    offered = re.findall(r'name="a" value="(\w+)"', page.content.decode())
    assert offered == [KEY[0] + letter for letter in "abcd"]
    assert (values(page, "rules"), values(page, "kind")) == (["ema-2025"], ["value", "pay", "foul"])


def test_the_answer_comes_with_its_clause_and_how_it_is_counted(client: Client):
    page = asked(client, a=KEY[0], see="1")
    assert text(page, ".drill-verdict") == "Right"
    assert texts(page, "dd")[-1] == "E25 4.1.2"
    assert "How it is counted" in page.content.decode()
    wrong = asked(client, a=KEY[0].translate(OTHER), see="1")
    assert text(wrong, ".drill-verdict") == "Wrong"
    assert re.search(r"your answer .*[?.]$", text(wrong, ".is-wrong"))
    assert text(wrong, ".is-right").endswith("right")


def test_a_foul_is_in_the_words_of_its_book(client: Client):
    page = asked(client, a=KEY[:3], see="1")
    assert text(page, "h2") == "What does the referee rule?"
    assert re.fullmatch(r"E25 .+", text(page, "dd"))


def test_the_end_says_what_was_wrong(client: Client):
    page = asked(client, a=KEY[:4] + KEY[4:].translate(OTHER))
    assert text(page, ".big") == "4 of 6 right"
    assert [heading[0] for heading in texts(page, "h2")] == ["5", "6"]
    assert unescape(page.content.decode()).count("/drill/sheet.pdf?rules=ema-2025&seed=7&n=6&kind=value") == 1
    assert texts(asked(client, a=KEY), "h2") == []


@pytest.mark.parametrize("answers", ["abz", "a" * 61, "<b>"])
def test_answers_that_cannot_be_are_none(client: Client, answers: str):
    assert text(asked(client, a=answers), ".drill-count") == "Question 1 of 6 · 0 right"


def test_what_an_address_gets_wrong_falls_back_to_the_usual_drill(client: Client):
    page = client.get("/drill/", {"rules": "nonsense", "seed": "x", "n": "999", "kind": "nothing"})
    assert text(page, ".drill-count") == "Question 1 of 10 · 0 right"


# ---------------------------------------------------------------- an event


@pytest.mark.django_db
def test_an_event_asks_by_its_own_rules_and_amounts(client: Client, event: Event):
    event.rules = {**event.rules, "honba_ron": 1500}
    event.save()
    assert text(client.get("/e/cup/drill/"), ".lead").startswith("By the rules of Cup: EMA 2025, 1 rule changed. ")
    page = asked(client, "/e/cup/drill/", kind=["pay"], n="20", a=wrong_of(event, "pay", 20))
    assert text(page, ".big") == "0 of 20 right"
    clauses = dict(zip(texts(page, "dt"), texts(page, "dd"), strict=True))
    assert clauses[rule_name("honba_ron")] == "this event’s own value"
    assert clauses[rule_name("honba_tsumo")] == "E25 3.4.4"


@pytest.mark.django_db
def test_an_event_asks_by_its_own_foul_amounts(client: Client, event: Event):
    change_foul_amounts(event=event, values={"late": 500}, reason="", by=writer_of(event))
    page = asked(client, "/e/cup/drill/", kind=["foul"], n="60", a=wrong_of(fresh(event), "foul", 60))
    assert any("500 points a minute" in said for said in texts(page, ".is-right"))


@pytest.mark.django_db
def test_an_unknown_event_has_no_drill(client: Client):
    assert client.get("/e/nothing/drill/").status_code == 404


# ---------------------------------------------------------------- on paper


@pytest.mark.django_db
@pytest.mark.parametrize("url", ["/drill/sheet.pdf", "/e/cup/drill/sheet.pdf"])
def test_the_sheet_has_its_key_on_a_page_of_its_own(client: Client, event: Event, url: str):
    answer = asked(client, url)
    assert answer["Content-Type"] == "application/pdf"
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages]
    assert "Key" in pages[-1]
    assert re.findall(r"^\s*\d+ ([A-D])\b", pages[-1], flags=re.MULTILINE) == list(KEY.upper())
    assert all("E25" not in page for page in pages[:-1])
    assert "E25" in pages[-1]


def test_one_address_prints_so_many_sheets(client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tournament.drill.views.PRINTS", 0)
    answer = asked(client, "/drill/sheet.pdf")
    assert (answer.status_code, answer["Retry-After"]) == (429, "600")
