"""The drill in a browser: by keys, by a thumb without scripts, and the riichi tile by one key at a table."""

from typing import TYPE_CHECKING

import pytest

from rules.books import load_book
from rules.foul_books import catalogue
from scoring.drill import KINDS
from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.test_hand_page import at_table, ledger
from tests.e2e.timeouts import expect
from tests.factories import table_of
from tests.fixtures import live_event
from tournament.drill.questions import key_of, make_questions
from tournament.events.models import Event

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

KEY = key_of(make_questions(load_book("ema-2025"), catalogue("ema-2025"), seed=7, count=3, kinds=KINDS))
OTHER = str.maketrans("abcd", "bcda")


event = live_event(slug="cup", tables=1, rounds=1)


@pytest.mark.follows("before/drill.md")
def test_a_drill_is_answered_by_keys_alone(open_tab: OpenTab) -> None:
    page = open_tab()
    page.goto("/drill/?rules=ema-2025&seed=7&n=3&kind=value&kind=pay&kind=foul")
    for number, letter in enumerate((KEY[0], KEY[1].translate(OTHER), KEY[2]), start=1):
        expect(page.locator(".drill-count")).to_contain_text(f"Question {number} of 3")
        page.wait_for_load_state("load")  # each question is a page of its own, and keys need its script
        page.keyboard.press(str("abcd".index(letter) + 1))
        expect(page.locator(".drill-verdict")).to_have_text("Wrong" if number == 2 else "Right")
        expect(page.locator("[data-next]")).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.locator(".big")).to_have_text("2 of 3 right")
    expect(page.locator(".panel h2")).to_have_count(1)


def offer(page: "Page") -> "Locator":
    return desk.understood(page).get_by_role("button", name="Won on the riichi tile of Cyan")


def test_the_riichi_tile_is_one_key_and_enter_alone_stores_as_before(open_tab: OpenTab, event: Event) -> None:
    table = table_of(event)
    page = at_table(open_tab, event)
    page.keyboard.type("2r3 340/23")
    expect(offer(page)).to_be_visible()
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(1)
    assert ledger(table) == ["2r3 340/23"]

    page.keyboard.type("2r3 340/23")
    expect(offer(page)).to_be_visible()
    page.keyboard.press("b")
    expect(offer(page)).to_have_count(0)
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(2)

    page.keyboard.type("1r3 340/3")
    desk.understood(page).get_by_role("button", name="Won on the riichi tile").click()
    expect(desk.line(page)).to_have_value("1r3 340")
    expect(desk.line(page)).to_be_focused()
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(3)
    assert ledger(table)[1:] == ["2r3 340/2", "1r3 340"]
