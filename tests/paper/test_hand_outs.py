"""What an event hands out of its rules: pages for everybody, and sheets at the desk before a seat is drawn."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from rules.books import book_keys, load
from rules.consistency import BY_WAIT
from rules.ruleset import yaku_names
from scoring.value_table import cells, limit_lines
from scoring.yaku import EXAMPLES
from tests.factories import make_event, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import referee
from tests.pages.html_reader import texts
from tests.paper.conftest import page_texts
from tournament.events.models import Event
from tournament.pages.files import get_head
from tournament.paper.choices import SHEETS, PrintRequest
from tournament.rulesets.actions import change_rules
from tournament.text.hands import yaku_name
from tournament.text.numbers import points
from tournament.text.rules import is_played
from tournament.text.values import value_sheet, yaku_sheet

pytestmark = [pytest.mark.once, pytest.mark.django_db]
TANYAO = EXAMPLES["tanyao"].shown


made = module_event("sanmatsuri-2026", slug="cup", tables=2, rounds=1)


def change(event: Event, **values: object) -> None:
    change_rules(event=event, values=values, reason="agreed", by=writer_of(event))
    event.refresh_from_db()


# ---------------------------------------------------------------- words


@pytest.mark.parametrize("key", book_keys())
def test_the_sheet_has_the_numbers_of_the_table(key: str):
    rules = load(key)
    sheet, table = value_sheet(rules), cells(rules)
    for block, who in zip(sheet.blocks, ("other", "dealer"), strict=True):
        for (fu, said), row in zip(block.rows, table, strict=True):
            assert fu == row[0].fu
            for words, cell in zip(said, row, strict=True):
                worth = getattr(cell, who)
                tsumo = worth.tsumo.as_json()["tsumo"] if worth.tsumo else []
                assert words.ron == (points(worth.ron.ron) if worth.ron else "–")
                assert words.tsumo == ("/".join(map(points, tsumo)) or "–")
                assert words.limit == (cell.limit or "")
    lines = list(limit_lines(rules))
    assert [(row.other.ron, row.dealer.ron) for row in sheet.limits] == [
        (points(line.other.ron.value), points(line.dealer.ron.value)) for line in lines
    ]


@pytest.mark.parametrize("key", book_keys())
def test_the_list_has_the_yaku_that_are_played_and_no_other(key: str):
    rules = load(key)
    worths = {name: getattr(rules, name) for name in yaku_names("yaku", "yakuman")}
    played = {yaku_name(name) for name, worth in worths.items() if is_played(name, worth) and name not in BY_WAIT}
    if rules.north_value == "everybody":
        played.add("north")
    if rules.players == 3:
        played.discard("sanshoku doujun")
    if rules.nagashi != "none":
        played.add("nagashi mangan")
    sheet = yaku_sheet(rules)
    assert {row.name for group in sheet.groups for row in group.rows} == played
    assert [row.name for row in sheet.dora] == [
        "dora", *(["ura"] if rules.ura_dora else []), *(["red fives"] if rules.red_fives else []),
        *(["kita"] if rules.kita else []),
    ]  # fmt: skip


def test_a_yakuman_by_its_wait_is_listed_where_it_counts_more():
    rules = replace(load("tenhou-yonma"), suuankou_tanki=(2, 0))
    said = {row.name: row.closed for group in yaku_sheet(rules).groups for row in group.rows}
    assert (said["suuankou"], said["suuankou tanki"], said.get("junsei chuuren")) == ("1×", "2×", None)


def test_worth_is_said_closed_and_open():
    rules = replace(load("tenhou-yonma"), suuankou=(2, 0), renhou="yakuman", nagashi_closed=True)
    said = {row.name: (row.closed, row.opened) for group in yaku_sheet(rules).groups for row in group.rows}
    assert said["honitsu"] == ("3", "2")
    assert said["riichi"] == ("1", "–")
    assert (said["suuankou"], said["daisangen"], said["renhou"]) == (("2×", "–"), ("1×", "1×"), ("1×", "–"))
    assert said["nagashi mangan"] == ("mangan", "–")


def test_players_read_the_names_of_their_language():
    names = {}
    for language in ("en", "ja", "de", "fr"):
        with override(language):
            rows = [row for group in yaku_sheet(load("ema-2025")).groups for row in group.rows]
            names[language] = next((row.name, row.sign, row.local) for row in rows if row.tiles == TANYAO)
    assert names == {
        "en": ("tanyao", "断幺九", "All simples"),
        "ja": ("断幺九", "", "タンヤオ"),
        "de": ("Tanyao", "断幺九", "Nur Innensteine"),
        "fr": ("tanyao", "断幺九", "Tout ordinaire"),
    }


# ---------------------------------------------------------------- pages


def test_the_page_of_rules_leads_to_both(client: Client, event: Event):
    page = client.get("/e/cup/rules/").content.decode()
    assert ("/e/cup/rules/values/" in page, "/e/cup/rules/yaku/" in page) == (True, True)


@pytest.mark.states("value_sheet")
def test_players_read_what_three_han_thirty_fu_pay(client: Client, event: Event):
    rows = texts(client.get("/e/cup/rules/values/"), "tr")
    assert "30 1,000 300/500 2,000 500/1,000 3,900 1,000/2,000 mangan" in rows
    assert "30 1,500 500 2,900 1,000 5,800 2,000 mangan" in rows
    assert "1 +200 +100" in rows
    assert "On a tsumo, the share of a missing North: nobody pays it" in texts(client.get("/e/cup/rules/values/"), "li")


def test_a_changed_rule_changes_table_and_list_at_once(client: Client, event: Event):
    client.get("/e/cup/rules/values/")
    change(event, kiriage_mangan=False, honba_ron=1500, ippatsu=[0, 0], north_share="halved")
    rows = texts(client.get("/e/cup/rules/values/"), "tr")
    assert "30 1,000 400/600 2,000 800/1,200 3,900 1,500/2,400 7,700 2,900/4,800" in rows
    assert "1 +1,500 +100" in rows
    assert [row for row in texts(client.get("/e/cup/rules/yaku/"), "tr") if row.startswith("ippatsu ")] == []


def test_the_list_of_yaku_draws_examples(client: Client, event: Event):
    page = client.get("/e/cup/rules/yaku/")
    assert 'aria-label="red dragon"' in page.content.decode()
    assert any(row.startswith("chiitoitsu 七対子 Seven pairs") for row in texts(page, "tr"))


# ---------------------------------------------------------------- paper


@pytest.mark.states("marker_sheet")
@pytest.mark.follows("before/hand-outs.md")
def test_sheets_of_rules_are_printed_before_seats_are_drawn():
    bare = make_event("tenhou-sanma", slug="bare", tables=1, rounds=1, published=False)
    bare.rounds.all().delete()
    desk = referee(bare)
    page = desk.get("/desk/bare/paper/").content.decode()
    for sheet in ("values", "pocket-cards", "yaku", "sticks", "markers", "fouls"):
        assert f"/desk/bare/print/{sheet}.pdf" in page
    assert "/desk/bare/print/seating" not in page
    assert sticks_of(bare)["tables"] == 1
    (text,) = page_texts(desk.get("/desk/bare/print/markers.pdf").content)
    assert ("First dealer" in text, "東 西" in text) == (True, True)  # RK 2.6: who began, and the wind of the round


@pytest.mark.states("stick_sheet")
def test_sticks_are_counted_for_the_tables_that_are_drawn(event: Event):
    said = sticks_of(event)
    assert said["sets"][0]["rows"][:3] == [
        ("10,000", "1", "3", "6"), ("5,000", "2", "6", "12"), ("1,000", "7", "21", "42"),
    ]  # fmt: skip
    assert said["sets"][0]["sums"] == ["20", "60", "120"]
    assert (said["tables"], said["sheets"]) == (2, 1)


def sticks_of(event: Event) -> Mapping[str, Any]:
    """Return what is printed on the sheet of sticks."""
    (values,) = SHEETS["sticks"].make(PrintRequest(event, get_head(event), 1, "", 0)).portions
    return values
