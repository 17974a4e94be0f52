"""Rule sets for everybody: every rule with value and clause, two side by side, an event against its own rule set."""

from typing import Any

import pytest
from django.test import Client

from rules.books import book_keys, load, load_book
from rules.ruleset import diff, rule_fields
from tests.factories import enter, make_event, table_of, writer_of
from tests.fixtures import module_event
from tests.pages.html_reader import text, texts
from tournament.core.errors import DomainError
from tournament.core.time_zones import zone_of
from tournament.events.actions import set_compared_with, set_contact, set_house_rules
from tournament.events.models import Event
from tournament.penalties.actions import change_foul_amounts
from tournament.rulesets.actions import change_rules
from tournament.text.rules import rule_gloss, rule_name, say_value

pytestmark = [pytest.mark.once, pytest.mark.whole_run]


made = module_event(slug="cup", tables=1, rounds=2)


def rows_of(page: Any) -> list[str]:
    """Return the rows of the page's rule tables, heads left out."""
    return [row for row in texts(page, "tr") if not row.startswith("Rule ") and row != "not played"]


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


def test_sections_and_sources_are_folded_and_yaku_that_are_not_played_come_last(client: Client):
    page = client.get("/rules/tenhou-sanma/")
    folds = texts(page, ".rule-fold")
    assert texts(page, "summary")[-2:] == ["Setting up a table", "Where each rule comes from"]
    assert len(folds) == len(texts(page, "summary"))
    not_played = [fold.partition(" not played ")[2].split(" ")[0] for fold in folds if " not played " in fold]
    assert not_played == ["Sanrenkou", "Daisharin"]


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
    (row,) = [row for row in rows_of(page) if row.startswith("Who gets the sticks left")]
    here, there = (load_book(key).citations["leftover_deposits"].text for key in ("ema-2025", "wrc-2025"))
    assert row == (f"Who gets the sticks left at the end of the game the first place book {here} nobody book {there}")


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
    rows = texts(page, "tr")
    assert rows.count("not played") == 1  # yakuman; a yaku that was changed is among those that are played
    assert any(row.startswith("Sanrenkou") for row in rows[: rows.index("not played")])


@pytest.mark.django_db
def test_a_change_before_play_is_announced_where_it_has_a_reason(client: Client, event: Event):
    change(event, reason="", minutes=70)
    assert "Changes of the rules" not in texts(client.get("/e/cup/rules/"), "h2")
    event.refresh_from_db()
    change(event, reason="our hall", minutes=60)
    (said,) = texts(client.get("/e/cup/rules/"), ".rule-changes")
    assert said.endswith(" · our hall Minutes from the start to the signal: 60 minutes instead of 70 minutes")


@pytest.mark.django_db
def test_a_change_during_play_stands_with_date_and_reason(client: Client, event: Event):
    enter(table_of(event), "1t 230")
    event.refresh_from_db()
    etag = client.get("/e/cup/rules/")["ETag"]
    change(event, reason="the hall closes <early>", minutes=60, extra_hands=0)
    answer = client.get("/e/cup/rules/", headers={"If-None-Match": etag})
    assert answer.status_code == 200
    assert texts(answer, "h2")[0] == "Changes of the rules"
    row = event.audit.latest("seq")
    (said,) = texts(answer, ".rule-changes")
    assert said.endswith(
        " · the hall closes <early> Minutes from the start to the signal: 60 minutes instead of 75 minutes "
        "Hands that are played after the one in play at the signal: none instead of 1 hand"
    )
    assert row.at.astimezone(zone_of(event)).isoformat()[:16] in answer.content.decode()
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
    with django_assert_num_queries(7):  # one reads the rounds, once for all pages of a public state
        client.get("/e/cup/rules/")
    with django_assert_num_queries(1):
        client.get("/e/cup/rules/")


# ---------------------------------------------------------------- what is different here


MODIFIED = {
    "Red fives in the set": ("5 of characters, 5 of circles, 5 of bamboos", "RK 2.1"),
    "Who gets the sticks left at the end of the game": ("the first place", "RK 2.2"),
    "Who wins when several call ron": ("all of them", "RK 2.3"),
    "Thirteen orphans may rob a closed kan": ("yes", "RK 2.4"),
    "What a nagashi mangan counts as": ("a win by tsumo", "RK 3.1"),
}


@pytest.mark.states("modifies")
@pytest.mark.django_db
def test_a_book_that_modifies_another_is_shown_against_it_with_every_change_and_foul(client: Client):
    make_event("rakkii-nomi-2026", slug="rakkii", tables=1, rounds=1)
    page = client.get("/e/rakkii/rules/")
    assert "As in Rakkii Nomi Spring 2026: nothing is changed for this event." in texts(page, "p")
    assert texts(page, "h2")[0] == "Different from WRC 2025: 6 rules, 19 fouls"
    rows = rows_of(page)
    for name, (value, clause) in MODIFIED.items():  # the list of RK 1
        assert [row for row in rows if row.startswith(f"{name} {value} book {clause}")], name
    assert (
        "Too many or too few tiles in a hand dead hand RK 4, WRC 2025 12.3.1 (2) chombo 30,000 WRC 2025 12.3.1 (2)"
    ) in rows
    assert "Fouls: Melds" in texts(page, ".rule-section")


@pytest.mark.states("public_rules")
@pytest.mark.django_db
def test_fouls_that_a_list_adds_are_told_and_others_are_counted(client: Client, event: Event):
    make_event("sanmatsuri-2026", slug="sanma", tables=1, rounds=1)
    page = client.get("/e/sanma/rules/")
    assert texts(page, "h2")[0] == "Different from EMA 2025: 12 rules, 5 fouls"
    assert "Kita with no tile left to draw the referee decides S0: North Winds not named" in rows_of(page)
    set_compared_with(event=event, key="wrc-2025", by=writer_of(event))
    said = texts(client.get("/e/cup/rules/"), "p")
    assert "11 fouls are not listed in WRC 2025." in said
    assert "47 fouls of WRC 2025 are not listed here." in said


@pytest.mark.django_db
def test_a_changed_amount_of_a_foul_is_a_difference_and_a_chombo_of_the_event_one_rule(client: Client, event: Event):
    change_foul_amounts(event=event, values={"all_last_sheet": 4000}, reason="", by=writer_of(event))
    change(event, chombo_points=30_000)
    page = client.get("/e/cup/rules/")
    assert texts(page, "h2")[0] == "Changed from EMA 2025: 1 rule, 1 foul"
    (row,) = [row for row in rows_of(page) if "4,000 points" in row]
    assert row.endswith(" 4,000 points E25 6.10 8,000 points E25 6.10")


@pytest.mark.django_db
def test_the_organiser_picks_a_book_and_every_phone_gets_the_new_page(client: Client, event: Event):
    etag = client.get("/e/cup/rules/")["ETag"]
    assert set_compared_with(event=event, key="ema-2016", by=writer_of(event))
    page = client.get("/e/cup/rules/", headers={"If-None-Match": etag})
    wanted = len(diff(load("ema-2025"), load("ema-2016")))
    assert texts(page, "h2")[0].startswith(f"Different from EMA 2016: {wanted} rules")
    with pytest.raises(DomainError):
        set_compared_with(event=event, key="house", by=writer_of(event))
    assert not set_compared_with(event=event, key="ema-2016", by=writer_of(event))


# ---------------------------------------------------------------- house rules, contact, setting up a table


@pytest.mark.states("house_rules")
@pytest.mark.django_db
def test_house_rules_are_read_in_the_readers_language_or_the_events_and_never_as_markup(client: Client, event: Event):
    house = {"en-gb": "Be on time.\n\n- <b>No</b> phones\n- no food\n\n1. build\n2. play", "ja": "携帯電話は禁止"}
    set_house_rules(event=event, texts={**house, "de": " "}, by=writer_of(event))
    page = client.get("/e/cup/rules/")
    assert text(page, ".house-rules") == "Be on time. <b>No</b> phones no food build play"
    assert "<li>&lt;b&gt;No&lt;/b&gt; phones</li>" in page.content.decode()
    for wanted, code, said in (("ja", "ja", "携帯電話は禁止"), ("fr", "en-gb", "Be on time.")):
        page = client.get("/e/cup/rules/", headers={"Accept-Language": wanted})
        assert text(page, ".house-rules").startswith(said)
        assert f'class="house-rules" lang="{code}"' in page.content.decode()
    set_house_rules(event=event, texts={}, by=writer_of(event))
    assert texts(client.get("/e/cup/rules/"), ".house-rules") == []


@pytest.mark.states("contact")
@pytest.mark.django_db
def test_the_contact_is_on_the_page_and_one_step_from_every_other(client: Client, event: Event):
    assert "#contact" not in client.get("/e/cup/standings/").content.decode()
    contact = {"name": "Office", "mail": "office@example.org", "other": "Discord <office>"}
    set_contact(event=event, contact=contact, by=writer_of(event))
    page = client.get("/e/cup/rules/")
    assert text(page, ".contact") == "Contact Office office@example.org Discord <office>"
    assert 'href="mailto:office@example.org"' in page.content.decode()
    assert 'href="/e/cup/rules/#contact"' in client.get("/e/cup/standings/").content.decode()


@pytest.mark.states("setup_page")
@pytest.mark.django_db
def test_a_page_says_how_its_tables_are_set_up(client: Client):
    make_event("sanmatsuri-2026", slug="sanma", tables=1, rounds=1)
    for page in (client.get("/e/sanma/rules/"), client.get("/rules/sanmatsuri-2026/")):
        said = text(page, ".procedure")
        assert "Each player builds a wall of 18 stacks, two tiles high: 108 tiles in total. book S0: Tile Wall" in said
        assert "The upper tile of stack 5 from the gap is turned" in said
        assert "8 tiles from the gap on, the upper one of a stack first, are drawn after a kan or a North." in said
        assert page.content.decode().count('<text x="') == 8  # the replacement tiles of the picture
    assert "ours as in the edition of 2015 (O15 4.5)" in text(client.get("/rules/wrc-2025/"), ".procedure")
