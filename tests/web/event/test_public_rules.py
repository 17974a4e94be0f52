"""Rule sets for everybody: every rule with value and clause, two side by side, an event against its own rule set."""

from typing import Any

import pytest
from django.test import Client

from rules.books import book_keys, load, load_book
from rules.ruleset import diff, rule_fields
from tests.factories import enter, fresh, make_event, table_of, writer_of
from tests.web.shown import text, texts
from tournament.models import Event
from tournament.services.core.events import change_rules
from web.words.rules import rule_gloss, rule_name, say_value


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    return make_event(slug="cup", tables=1, rounds=2)


@pytest.fixture
def event(made: Event) -> Event:
    return fresh(made)


def rows_of(page: Any) -> list[str]:
    """Return the rows of the page's rule tables, heads left out."""
    return [row for row in texts(page, "tr") if not row.startswith("Rule ")]


def change(event: Event, reason: str = "", **values: Any) -> None:
    change_rules(event=event, values=values, reason=reason, by=writer_of(event))
    event.refresh_from_db()


# ---------------------------------------------------------------- the books


def test_all_rule_sets_are_listed_with_what_they_are(client: Client):
    cards = texts(client.get("/rules/"), ".rule-book")
    assert len(cards) == len(book_keys())
    assert cards[0] == (
        "EMA 2016 4 players · start 30 · uma +15 / +5 / −5 / −15 · 75 minutes S1: excerpt of EMA Rules for Japanese "
        "Mahjong of the 2016 generation; E16n: EMA news on the 2016 edition; else EMA 2025"
    )


def shown(name: str, key: str) -> str:
    """Return what a row of a book must hold, spaces left out: limits stand in a table of their own."""
    book = load_book(key)
    citation = book.citations[name]
    value = "" if name == "limits" else say_value(name, getattr(book.ruleset, name))
    reading = f" ours {citation.reading}" if citation.reading else ""
    return f"{value} {'ours' if citation.ours else 'book'} {' '.join(citation.text.split())}{reading}".strip()


@pytest.mark.parametrize("key", book_keys())
def test_every_rule_of_a_book_stands_with_value_and_clause(client: Client, key: str):
    rows = rows_of(client.get(f"/rules/{key}/"))
    wanted = [
        (f"{rule_name(field.name)} {rule_gloss(field.name)}".strip(), shown(field.name, key)) for field in rule_fields()
    ]
    assert len(rows) == len(wanted)
    missing = [
        (name, said)
        for name, said in wanted
        if sum(row.lower().startswith(f"{name.lower()} ") and row.endswith(said) for row in rows) != 1
    ]
    assert missing == []


def test_limits_are_a_short_table(client: Client):
    assert text(client.get("/rules/wrc-2025/"), ".rule-limits") == (
        "mangan from 5 han 2,000 haneman from 6 han 3,000 baiman from 8 han 4,000 sanbaiman from 11 han 6,000 "
        "counted yakuman from 13 han 8,000"
    )


def test_yaku_that_are_not_played_are_folded_away(client: Client):
    page = client.get("/rules/tenhou-sanma/")
    assert texts(page, "summary") == ["2 are not played", "2 are not played"]
    assert [fold.partition("Where it stands ")[2].split(" ")[0] for fold in texts(page, ".rule-fold")] == [
        "Sanrenkou", "Daisharin",
    ]  # fmt: skip


KEYS = book_keys()
# each two books once, beginning with the one or the other by turns; in the nightly run beginning with both
PAIRS = [(here, [there for at, there in enumerate(KEYS) if (at >= mine) == ((at + mine) % 2 == 0)])
         for mine, here in enumerate(KEYS)]  # fmt: skip


@pytest.mark.parametrize(
    ("here", "others"), [*PAIRS, *(pytest.param(key, KEYS, marks=pytest.mark.nightly) for key in KEYS)]
)
def test_any_two_books_differ_where_they_differ(client: Client, here: str, others: list[str]):
    for there in others:
        page = client.get(f"/rules/{here}/", {"against": there})
        wanted = [rule_name(each.field).lower() for each in diff(load(here), load(there))]
        heads = [head.lower() for head in texts(page, "th")]
        assert [name for name in wanted if not any(f"{head} ".startswith(f"{name} ") for head in heads)] == []
        said = f"{len(wanted)} rule{'s' * (len(wanted) != 1)} differ{'s' * (len(wanted) == 1)}."
        assert (said if wanted else "They are the same.") in texts(page, "p")


def test_a_difference_shows_both_values_with_their_clauses(client: Client):
    page = client.get("/rules/ema-2025/?against=wrc-2025")
    assert text(page, "h1") == "EMA 2025 and WRC 2025"
    (row,) = [row for row in rows_of(page) if row.startswith("Who gets the deposits left")]
    here, there = (load_book(key).citations["leftover_deposits"].text for key in ("ema-2025", "wrc-2025"))
    assert row == (f"Who gets the deposits left at the end of the game the first place book {here} nobody book {there}")


@pytest.mark.parametrize("address", ["/rules/house/", "/rules/ema-2025/?against=house"])
def test_a_rule_set_that_is_not_there_is_no_page(client: Client, address: str):
    assert client.get(address).status_code == 404


def test_pages_of_books_set_no_cookie_and_hold_no_token(client: Client):
    for address in ("/rules/", "/rules/ema-2025/", "/rules/ema-2025/?against=wrc-2025"):
        answer = client.get(address)
        assert (list(answer.cookies), b"csrfmiddlewaretoken" in answer.content) == ([], False)


# ---------------------------------------------------------------- an event


@pytest.mark.django_db
def test_an_event_that_changed_nothing_says_so(client: Client, event: Event):
    page = client.get("/e/cup/rules/")
    assert "As in EMA 2025: nothing is changed for this event." in texts(page, "p")
    assert [head for head in texts(page, "h2") if head.startswith("Changed")] == []
    assert len(rows_of(page)) == len(list(rule_fields()))


@pytest.mark.django_db
def test_what_is_not_as_in_the_book_stands_first_and_is_marked_in_the_table(client: Client, event: Event):
    change(event, minutes=60, sanrenkou=[2, 2], tanyao=[0, 0])
    page = client.get("/e/cup/rules/")
    assert texts(page, "h2")[0] == "Changed from EMA 2025: 3 rules"
    assert texts(page, ".is-difference")[0].startswith(
        "This event, EMA 2025 Rule This event EMA 2025 Yaku Tanyao no terminal and no honour not played organiser "
        "1 han book E25 4.2 Sanrenkou three triplets in a row in one suit 2 han organiser not played book"
    )
    marked = texts(page, ".has-warning")
    assert marked[0] == "Tanyao no terminal and no honour not played EMA 2025: 1 han organiser book E25 4.2"
    assert [row.partition(" ")[0] for row in marked] == ["Tanyao", "Sanrenkou", "Minutes"]
    assert texts(page, "summary") == ["2 are not played"]  # yakuman; a yaku that was changed is not folded away


@pytest.mark.django_db
def test_a_change_before_play_is_no_change_during_the_event(client: Client, event: Event):
    change(event, reason="our hall", minutes=60)
    assert "our hall" not in client.get("/e/cup/rules/").content.decode()


@pytest.mark.django_db
def test_a_change_during_play_stands_with_date_and_reason(client: Client, event: Event):
    enter(table_of(event), "1t 230")
    event.refresh_from_db()
    etag = client.get("/e/cup/rules/")["ETag"]
    change(event, reason="the hall closes <early>", minutes=60, extra_hands=0)
    answer = client.get("/e/cup/rules/", headers={"If-None-Match": etag})
    assert answer.status_code == 200
    assert texts(answer, "h2")[0] == "Changed during the event"
    row = event.audit.latest("seq")
    (said,) = texts(answer, ".rule-changes")
    assert said.endswith(
        " · the hall closes <early> Minutes from the start to the signal: 60 minutes instead of 75 minutes "
        "Hands that are played after the one in play at the signal: none instead of 1 hand"
    )
    assert row.at.isoformat()[:16] in answer.content.decode()
    assert writer_of(event).display_name not in text(answer, "main").replace("organiser", "")


@pytest.mark.django_db
def test_a_hand_that_is_not_released_changes_no_page(client: Client, event: Event):
    etag = client.get("/e/cup/rules/")["ETag"]
    enter(table_of(event), "1t 230")
    assert client.get("/e/cup/rules/", headers={"If-None-Match": etag}).status_code == 304


@pytest.mark.django_db
def test_every_public_page_leads_to_the_rules(client: Client, event: Event):
    for address, rules in (("/", "/rules/"), ("/e/cup/", "/e/cup/rules/"), ("/e/cup/standings/", "/e/cup/rules/")):
        assert f'href="{rules}"' in client.get(address).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("changes", [1, 3])
def test_the_page_asks_the_same_number_of_questions_whatever_was_changed(
    client: Client, event: Event, django_assert_num_queries, changes: int
):
    enter(table_of(event), "1t 230")
    event.refresh_from_db()
    for number in range(changes):
        change(event, reason="again", minutes=60 + number)
    with django_assert_num_queries(5):
        client.get("/e/cup/rules/")
