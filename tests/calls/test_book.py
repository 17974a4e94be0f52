"""The event's book at the desk: what a few letters find, what the answer shows, and a call that is closed with it."""

import uuid
from typing import Any

import pytest
from bs4 import BeautifulSoup

from rules.books import book_keys, load
from rules.rulings import FILES, list_rulings, read_rulings
from tests.factories import make_event, table_of, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import HTMX, referee
from tests.pages.html_reader import text
from tournament.calls.actions import MAX_QUESTION, MAX_RULING, call_referee
from tournament.calls.book import find_answers, list_answers
from tournament.calls.models import RefereeCall
from tournament.events.models import Event
from tournament.rulesets.actions import change_rules

pytestmark = [pytest.mark.once, pytest.mark.django_db]

URL = "/desk/cup/calls/book/"
made = module_event("sanmatsuri-2026", slug="cup", tables=2, rounds=1)

# what a head referee asks, the letters that are typed, and the answer: six of kita, four of Rakkii's list
KITA = [
    ("kita after pon", "No.", "ruling.kita_after_pon"),
    ("kita after kan", "Yes.", "ruling.kita_after_kan"),
    ("riichi north hand", "No.", "ruling.kita_riichi_held"),
    ("riichi drawn", "Yes.", "ruling.kita_riichi_drawn"),
    ("kita furit", "No.", "ruling.kita_furiten"),
    ("kita last", "No.", "ruling.kita_last_tile"),
]
LIST = [
    ("swap after", "Dead hand", "foul.swap_call_after_discard"),
    ("noten riichi", "Chombo 20,000", "foul.noten_riichi"),
    ("all last sheet", "8,000 points", "foul.all_last_sheet"),
    ("7b", "2,000 points for each player of the table", "foul.report_sheet"),
]


@pytest.mark.parametrize(("letters", "verdict", "pick"), KITA)
def test_a_few_letters_find_each_ruling_of_kita(event: Event, letters: str, verdict: str, pick: str):
    first = find_answers(event, letters)[0]
    assert (first.verdict, first.pick, first.clause) == (verdict, pick, "S0: North Winds")


def test_a_few_letters_find_the_fouls_of_a_list():
    event = make_event("rakkii-nomi-2026", slug="rakkii", tables=1, rounds=1)
    found = [(letters, *((each := find_answers(event, letters)[0]).sentence, each.pick)) for letters, _a, _p in LIST]
    assert found == LIST


def test_set_up_and_rules_are_found_with_their_clauses(event: Event):
    first = {letters: find_answers(event, letters)[0] for letters in ("dead wall gap", "kiriage")}
    assert first["dead wall gap"].sentence.startswith("The 14 tiles to the right of the gap")
    assert (first["kiriage"].yes, first["kiriage"].clause) == (True, "E25 4.1.2, 4.1.3")


def test_a_ruling_does_not_hold_where_the_event_has_changed_its_rule(event: Event):
    change_rules(event=event, values={"kita_furiten": True}, reason="", by=writer_of(event))
    event.refresh_from_db()
    picks = [each.pick for each in find_answers(event, "kita furiten")]
    assert (picks[0], "ruling.kita_furiten" in picks) == ("rule.kita_furiten", False)


@pytest.mark.parametrize("key", [path.stem for path in sorted(FILES.glob("*.toml"))])
def test_every_ruling_of_a_file_holds_under_its_own_book(key: str):
    assert list_rulings(load(key)) == list(read_rulings(FILES / f"{key}.toml"))


@pytest.mark.parametrize("key", book_keys())
def test_every_answer_fits_into_a_call_and_has_a_name_of_its_own(key: str):
    answers = list(list_answers(make_event(key, slug="each", tables=1, rounds=1)))
    assert [each.pick for each in answers if len(each.question) > MAX_QUESTION or len(each.ruling) > MAX_RULING] == []
    assert [each.pick for each in answers if not each.ruling] == []
    assert len({each.pick for each in answers}) == len(answers)


def open_call(event: Event, question: str = "") -> RefereeCall:
    return call_referee(table=table_of(event), client_id=uuid.uuid4(), question=question, by=writer_of(event))


def sent(page: Any) -> dict[str, str]:
    """Return the hidden fields of the form that closes a call."""
    fields = BeautifulSoup(page.content, "html.parser").select(".book-answer input[type=hidden]")
    return {str(each["name"]): str(each["value"]) for each in fields}


@pytest.mark.follows("during/calls.md")
def test_a_call_is_answered_from_the_book_and_players_read_it(event: Event):
    call, client = open_call(event), referee(event)
    page = client.get(URL, {"call": str(call.pk), "q": "kita pon", "look": "1"})
    assert text(page, "h2") == "May kita be called straight after a pon?"
    assert text(page, ".big") == "No."
    client.post(f"/desk/cup/calls/{call.pk}/close/", sent(page))
    call.refresh_from_db()
    assert (call.question, call.ruling, call.clause) == (
        "May kita be called straight after a pon?",
        "No. After a pon the player discards; kita waits for the next own draw.",
        "S0: North Winds",
    )


def test_what_the_players_asked_stays_the_question_of_the_call(event: Event):
    call = open_call(event, "Kita now?")
    page = referee(event).get(URL, {"call": str(call.pk), "pick": "ruling.kita_after_pon"})
    assert sent(page)["question"] == "Kita now?"


def test_the_answer_can_be_shown_without_a_call(event: Event):
    page = referee(event).get(URL, {"pick": "ruling.kita_rinshan"}, headers={**HTMX, "HX-Target": "foul-found"})
    assert sent(page) == {}
    assert text(page, ".big") == "Yes."


def test_words_that_nothing_matches_are_said_to_be_so(event: Event):
    page = referee(event).get(URL, {"q": "zebra", "look": "1"})
    assert text(page, ".foul-found").startswith("The book has nothing with all these words.")
