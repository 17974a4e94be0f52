"""A hand by tapping the players' cards, and the line that teaches: ghost, chips, keys, the place of a wrong key."""

import importlib.util
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from bootstrap import REPO
from scoring.shorthand import parse, write
from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.desk_hands import tap
from tests.e2e.timeouts import expect
from tests.factories import make_event, rows_of, table_of, writer_of
from tests.fixtures import live_event
from tournament.events.models import Event
from tournament.rulesets.actions import change_rules
from tournament.tables.history import read_payload

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

TABLET: "ViewportSize" = {"width": 820, "height": 1180}


event = live_event(tables=1, rounds=1)


@pytest.fixture
def page(open_tab: OpenTab, event: Event) -> "Page":
    page = open_tab(writer_of(event), phone=True)
    page.set_viewport_size(TABLET)
    page.goto(f"/desk/{event.slug}/rounds/1/tables/1/")
    return page


@pytest.fixture(scope="module")
def keystrokes() -> ModuleType:
    spec = importlib.util.spec_from_file_location("write_keystrokes_docs", REPO / "scripts/write_keystrokes_docs.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def entered(event: Event) -> list[str]:
    entries = [read_payload(row.payload) for row in rows_of(table_of(event))]
    return [write(entry) for entry in entries if entry]


HANDS = [
    (("2", "3", "=340", "2", "Enter hand"), "2r3 340/2"),
    (("1", "Tsumo", "=m", "Enter hand"), "1t 5"),
    (("Draw", "|1", "3", "Enter hand"), "d13/1"),
    (("2", "3", "4", "=330", "=m", "Enter hand"), "2r3 330+4 5"),
    (("2", "3", "4", "=330", "=m", "All winners had riichi", "Enter hand"), "2r3 330+4 5/24"),
    (("2", "Tsumo", "=y", "Liable", "3", "Enter hand"), "2t y p3"),
    (("Chombo", "2", "Enter hand"), "c2"),
    (("Chombo", "2", "Riichi", "1", "Enter hand"), "c2/1"),
    (("Draw", "Dead hand", "2", "Enter hand"), "d x2"),
]


@pytest.mark.follows("during/hands.md")
def test_hands_are_tapped_together_and_the_line_says_them(keystrokes: ModuleType, page: "Page", event: Event) -> None:
    for at, (taps, line) in enumerate(HANDS, start=1):
        assert tap(page, *taps) == keystrokes.taps(parse(line))
        expect(desk.hands(page)).to_have_count(at)
        assert entered(event)[-1] == line


def test_all_that_a_line_says_can_be_tapped(open_tab: OpenTab) -> None:
    event = make_event("kansai-sanma", tables=1, rounds=1)
    change_rules(
        event=event,
        values={
            "agari_yame": True,
            "tenpai_yame": True,
            "yame_choice": True,
            "nagashi": "draw",
            "abortive_draws": ["kyuushu_kyuuhai"],
            "pao": ["daisangen", "rinshan"],
        },
        reason="",
        by=writer_of(event),
    )
    page = open_tab(writer_of(event), phone=True)
    page.set_viewport_size(TABLET)
    page.goto(f"/desk/{event.slug}/rounds/1/tables/1/")
    line = desk.line(page)
    for taps, typed in [
        (("Nagashi mangan", "2", "Another winner", "3", "|1"), "n23 d1/1"),
        (("Abortive draw", "nine terminals and honours", "1"), "ak/1"),
        (("2", "3", "=m", "Chips", "*2"), "2r3 m c2"),
        (("2", "3", "=m", "2", "3", "Won on the riichi tile"), "2r3 m/23b"),
        (("1", "Tsumo", "=m", "The dealer ends the game"), "1t m e"),
        (("1", "Tsumo", "=m", "Liable", "3"), "1t m p3"),
    ]:
        tap(page, *taps)
        expect(line).to_have_value(typed)
        line.fill("")
    tap(page, "2", "3", "=m", "Note, announced")
    page.get_by_label("Announced to the winner").fill("8,000")
    page.get_by_label("Note", exact=True).fill("loud")
    expect(line).to_have_value("2r3 m !8000 #loud")


@pytest.mark.follows("during/hands.md")
def test_the_tour_is_offered_once_and_done_by_line_and_by_cards(page: "Page", event: Event) -> None:
    page.get_by_role("link", name="Try three hands").first.click()
    expect(page.locator("#tour h1")).to_contain_text("1 of 3")
    page.wait_for_load_state("load")  # each hand of the tour is a page of its own, and cards need its scripts
    desk.line(page).press_sequentially("2r3 340/2")
    page.keyboard.press("Enter")
    expect(page.locator("#tour h1")).to_contain_text("2 of 3")
    page.wait_for_load_state("load")
    tap(page, "1", "Tsumo", "=h", "Enter hand")
    expect(desk.understood(page)).to_contain_text("not the hand of the table")
    desk.line(page).fill("")
    tap(page, "1", "Tsumo", "=m", "Enter hand")
    expect(page.locator("#tour h1")).to_contain_text("3 of 3")
    page.wait_for_load_state("load")
    tap(page, "Draw", "1", "|3", "Enter hand")
    page.get_by_role("link", name="To the table").click()
    expect(page.get_by_text("First time here?")).to_have_count(0)
    assert entered(event) == []


def test_each_target_is_as_large_as_a_finger(page: "Page") -> None:
    tap(page, "2", "3")
    sizes = page.eval_on_selector_all(
        "#cards-pad button:not([hidden]), [data-card]",
        "all => all.map(each => each.getBoundingClientRect()).filter(box => box.width)"
        ".map(box => Math.min(box.width, box.height))",
    )
    assert len(sizes) > 30
    assert min(sizes) >= 44
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_only_values_that_exist_are_there_and_the_dealer_is_paid_as_dealer(page: "Page") -> None:
    grid = page.locator("#cards-pad")
    tap(page, "2", "Ron", "3")
    expect(grid.locator('[data-value="220"]')).to_be_hidden()
    expect(grid.locator('[data-value="340"]')).to_contain_text("5,200")
    tap(page, "Back", "Back", "Back", "1", "Ron", "3")
    expect(grid.locator('[data-value="340"]')).to_contain_text("7,700")
    tap(page, "Back", "Back", "Tsumo")
    expect(grid.locator('[data-value="220"]')).to_be_visible()


def test_the_ghost_is_taken_with_tab_and_never_with_enter(page: "Page", event: Event) -> None:
    line = desk.line(page)
    line.press_sequentially("2r3 3")
    expect(page.locator("[data-under] i")).to_have_text("30")
    page.keyboard.press("Enter")
    expect(line).to_have_value("2r3 3")
    page.keyboard.press("Tab")
    expect(line).to_have_value("2r3 330")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(1)
    assert entered(event) == ["2r3 330"]


def test_chips_type_and_keys_open_beside_the_line(page: "Page") -> None:
    line = desk.line(page)
    line.press_sequentially("2")
    page.locator('[data-step="t"]').click()
    expect(line).to_have_value("2t")
    expect(page.locator("#understood")).to_contain_text("Birk wins by tsumo: now han and fu")
    line.press_sequentially("?")
    expect(line).to_have_value("2t")
    expect(page.get_by_role("heading", name="Keys")).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Keys")).to_be_hidden()
    expect(line).to_have_value("2t")


def test_a_wrong_key_is_marked_where_it_is(page: "Page") -> None:
    line = desk.line(page)
    line.press_sequentially("2r3q40")
    expect(page.locator("[data-under] mark")).to_have_text("q40")
    expect(page.locator("#understood")).to_contain_text("Can't read “q40”: expected han and fu such as 340")


def test_what_can_be_no_hand_does_not_wait_and_a_lost_digit_is_asked_about(page: "Page", event: Event) -> None:
    line = desk.line(page)
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    line.press_sequentially("6")
    page.keyboard.press("Enter")
    expect(line).to_have_value("6")
    expect(page.locator("#understood")).to_contain_text("not a complete hand")
    expect(page.locator("[data-outbox-all]")).to_be_hidden()
    page.context.set_offline(False)
    line.fill("")
    line.press_sequentially("2r3 34")
    expect(page.locator("#understood .choices button")).to_have_text(["13 han 40 fu"])
    page.keyboard.press("Enter")
    page.keyboard.press("1")
    expect(line).to_have_value("2r3 340")
    assert entered(event) == []
