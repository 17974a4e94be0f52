"""Tiles at the desk without a browser: the count by the event's rules, hands in lists, and the call slip."""

import io
import json
import re
import sys
from html import unescape
from typing import Any

import pytest
from pypdf import PdfReader

from scoring.entries import Ron, Win
from tests.factories import enter, enter_all, make_event, sign, table_of, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import HTMX, organiser, referee, send, table_url
from tests.pages.html_reader import text, texts
from tournament.calculator.views import event_book
from tournament.events.models import Event
from tournament.pdf.render import install_hint
from tournament.rounds.actions import release_round

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

OPEN = "34p678m66s2p 345m 777z d1m"
CLOSED = "345678m34777p66s2p"


made = module_event(slug="cup", tables=1, rounds=1)


def count(event: Event, line: str, end: str = "count/") -> Any:
    return referee(event).get(table_url(event, end=end), {"line": line}, headers=HTMX)


# ---------------------------------------------------------------- the answer to the picker


def test_a_hand_line_is_counted_by_the_books_clauses(event: Event):
    answer = count(event, f"{OPEN} wES h1")
    assert text(answer, ".count-value") == "1 han 30 fu 1,000 ron"
    assert text(answer, ".count-clause") == "E25 4.2"
    assert answer["Cache-Control"] == "no-store"


def test_the_events_own_rules_count_and_a_changed_value_has_no_clause(event: Event):
    event.rules = {**event.rules, "chun": [2, 2]}
    event.save()
    answer = count(event, f"{OPEN} wES")
    assert text(answer, ".count-value") == "2 han 30 fu 2,000 ron"
    assert text(answer, ".count-clause") == ""
    assert texts(answer, ".small")[-1] == "Counted by EMA 2025, 1 rule changed."


def test_an_event_whose_book_is_gone_counts_without_clauses(event: Event):
    event.rules = {**event.rules, "key": "house", "title": "House rules"}
    book = event_book(event.ruleset)
    assert (book.ruleset.title, dict(book.citations)) == ("House rules", {})


def test_what_is_wrong_is_the_answer(event: Event):
    assert texts(count(event, "11m"), ".note") == ["Error 2 of 14 tiles (a meld counts as three, a kan too)."]


@pytest.mark.parametrize(("table", "end"), [(9, "count/"), (9, "call-slip.pdf"), (1, "nothing/")])
def test_a_table_that_is_none_is_not_found(event: Event, table: int, end: str):
    assert referee(event).get(table_url(event, table, end=end)).status_code == 404


# ---------------------------------------------------------------- what the page tells the picker


def told(page: Any) -> dict[str, str]:
    """Return what the form of the line carries for the picker."""
    (form,) = re.findall(r'<form class="line"[^>]*>', page.content.decode())
    return {name: unescape(value) for name, value in re.findall(r'data-([a-z]+)="([^"]*)"', form)}


def test_the_line_carries_winds_counters_and_names_of_the_hand_to_be_played(event: Event):
    enter_all(table_of(event), "1t 230", "2r3 340", "2t 230")
    page = referee(event).get(table_url(event))
    assert told(page) == {
        "round": "E",
        "winds": "NESW",
        "honba": "1",
        "names": json.dumps(["Akelei", "Birk", "Cyan", "Distel"]),
    }
    assert told(referee(event, "Rob").get(table_url(event), {"correct": 2})) | {"names": ""} == {
        "round": "E",
        "winds": "ESWN",
        "honba": "1",
        "names": "",
    }


def test_the_picker_stands_outside_of_what_is_swapped_and_asks_this_table(event: Event):
    client = referee(event)
    page = client.get(table_url(event)).content.decode()
    assert page.index("</form>") < page.index("count-dialog")
    assert f'data-answer="{table_url(event, end="count/")}"' in page
    assert "count-dialog" not in client.get(table_url(event), headers=HTMX).content.decode()


def test_a_signed_table_has_no_picker(event: Event):
    enter(table_of(event), "2r3 340")
    sign(table_of(event))
    assert "count-dialog" not in referee(event).get(table_url(event)).content.decode()


# ---------------------------------------------------------------- hands in lists


def test_a_counted_hand_is_listed_with_its_tiles_and_yaku(event: Event):
    client = referee(event)
    send(client, event, f"2r3 [{CLOSED} d1m u5p i]/2")
    page = client.get(table_url(event))
    assert texts(page, ".hand-yaku") == ["riichi 1 ippatsu 1 tanyao 1"]
    drawn = page.content.decode().partition('class="hand-faces"')[2].partition("</details>")[0]
    assert len(re.findall("<svg", drawn)) == 14 + 1 + 1


@pytest.mark.usefixtures("others_aside")
def test_two_winners_are_told_apart_and_yakuman_have_no_han():
    event = make_event("rakkii-nomi-2026", slug="cup", tables=1, rounds=1)
    client = referee(event)
    send(client, event, f"2r3 [{OPEN}]+4 [19m19p19s12345677z]")
    page = client.get(table_url(event))
    assert [each.replace(" East 1", "") for each in texts(page, "summary") if "Tiles" in each] == [
        "Tiles · Birk",
        "Tiles · Distel",
    ]
    assert texts(page, ".hand-yaku") == ["chun 1", "kokushi musou"]


def test_yaku_without_tiles_are_named(event: Event):
    win = Win(seat=1, han=2, fu=30, yaku=("haku", "seat_wind"))
    enter(table_of(event), Ron(loser=2, winners=(win,)))
    page = referee(event).get(table_url(event))
    assert texts(page, ".hand-tiles") == []
    assert text(page, ".hand-what").endswith("2 han 30 fu, 2,000 haku, seat wind")


def test_a_hand_that_the_rules_no_longer_bear_keeps_tiles_and_names(event: Event):
    client = referee(event)
    send(client, event, f"2r3 [{OPEN}]")
    event.refresh_from_db()
    event.rules = {**event.rules, "chun": [0, 0]}
    event.save()
    page = client.get(table_url(event))
    assert texts(page, ".hand-yaku") == ["chun"]


def test_a_released_hand_shows_its_tiles_to_everybody(event: Event):
    send(referee(event), event, f"2r3 [{OPEN}]")
    sign(table_of(event))
    release_round(round_=table_of(event).round, by=writer_of(event))
    page = referee(event, "Rob").get("/e/cup/rounds/1/tables/1/")
    assert texts(page, ".hand-yaku") == ["chun 1"]


# ---------------------------------------------------------------- the call slip


def slip(event: Event, **query: Any) -> list[str]:
    """Return the text of each page of a call slip."""
    answer = organiser(event).get(table_url(event, end="call-slip.pdf"), query)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    pages = PdfReader(io.BytesIO(answer.content)).pages
    return [" ".join(page.extract_text().split()) for page in pages]


@pytest.mark.follows("count-a-hand.md")
def test_a_slip_has_the_hand_its_value_and_who_pays(event: Event):
    enter_all(table_of(event), "1t 230")
    (page,) = slip(event, line=f"2r3 [{CLOSED} d1m]/2")
    for said in (
        "Round 1 Table 1 Hand East 1",
        "1 東 East Akelei 0",
        "2 南 South Birk ron, riichi +2,900",
        "3 西 West Cyan discards −2,900",
        "2 han 40 fu · 2,600 ron",
        "3 West → 2 South 2,600 (hand)",
        "3 West → 2 South 300 (honba)",
        "table → 2 South 1,000 (riichi stick)",
        "fu, rounded up to ten 34 → 40",
        "Read as 345m 678m 234p 777p 66s, open-ended wait. Counted by EMA 2025.",
    ):
        assert said in page


def test_a_slip_without_a_hand_names_the_players_of_the_next_one(event: Event):
    enter_all(table_of(event), "1t 230", "2r3 340")
    (page,) = slip(event)
    assert "Hand East 2 1 北 North Akelei 2 東 East Birk 3 南 South Cyan 4 西 West Distel Question" in page


def test_a_slip_without_tiles_has_the_value(event: Event):
    (page,) = slip(event, line="2r3 340")
    assert "3 han 40 fu, 5,200 3 West → 2 South 5,200 (hand) Question" in page


def test_a_slip_of_a_correction_stands_before_its_hand(event: Event):
    enter_all(table_of(event), "1t 230", "2r3 340")
    (page,) = slip(event, line=f"1t [{CLOSED}]", hand=1)
    assert "2 han 30 fu · 1,000 each dealer, tsumo" in page


@pytest.mark.usefixtures("others_aside")
def test_two_winners_have_a_page_each():
    event = make_event("rakkii-nomi-2026", slug="cup", tables=1, rounds=1)
    pages = slip(event, line=f"2r3 [{OPEN}]+4 [19m19p19s12345677z]")
    assert ["1 han 30 fu · 1,000" in page for page in pages] == [True, False]
    assert ["yakuman · 32,000" in page for page in pages] == [False, True]


def test_a_line_that_is_no_hand_says_so_and_keeps_it(event: Event):
    answer = organiser(event).get(table_url(event, end="call-slip.pdf"), {"line": "2r3 [11m]"})
    assert (answer.status_code, text(answer, "h1")) == (422, "No call slip yet Table 1")
    assert texts(answer, ".note") == ["Error 2 of 14 tiles (a meld counts as three, a kan too)."]
    assert text(answer, "code") == "2r3 [11m]"


@pytest.mark.usefixtures("without_weasyprint")
def test_where_no_pdf_can_be_made_the_page_says_so(event: Event):
    answer = organiser(event).get(table_url(event, end="call-slip.pdf"))
    assert (answer.status_code, texts(answer, ".note")) == (503, [f"Error {install_hint(sys.platform)}"])


def test_the_empty_slip_is_on_the_paper_page(event: Event):
    page = referee(event).get("/desk/cup/paper/").content.decode()
    assert 'href="/desk/cup/print/call-slip.pdf"' in page
