"""Typing at the hand page: points to choose from, line and form in step, the last hand by ArrowUp, names read back."""

import re
from typing import TYPE_CHECKING

import pytest

from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.test_hand_page import at_table, ledger
from tests.e2e.timeouts import expect
from tests.factories import table_of
from tests.fixtures import live_event
from tournament.events.models import Event
from tournament.players.models import Person

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

LONG = "Maximiliane-Theodora Hohenwaldenburg-Ost"  # forty letters
KANJI = "東雲夕凪太郎左衛門尉"


event = live_event(tables=2, rounds=1)


def say(page: "Page", text: str) -> None:
    """Wait for the line's read-back."""
    expect(desk.understood(page).locator(".understood-say")).to_have_text(text)


# ---------------------------------------------------------------- points


def test_points_paid_are_han_and_fu_or_a_choice_of_them(open_tab: OpenTab, event: Event) -> None:
    page = at_table(open_tab, event)
    what_nobody_pays_is_an_error_with_the_nearest(page, event)
    page.keyboard.press("Escape")
    points_that_two_hands_pay_are_the_likelier_and_the_other_is_a_tap_away(page, event)

    # points that one hand pays are that hand
    page.keyboard.type("1r34500")
    say(page, "Akelei (1, North) ron from Cyan (3, South): 2 han 70 fu, 4,500")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(2)
    assert ledger(table_of(event)) == ["2r3 330/2", "1r3 270"]


def what_nobody_pays_is_an_error_with_the_nearest(page: "Page", event: Event) -> None:
    page.keyboard.type("2r35300")
    errors = desk.understood(page).locator(".note.is-error")
    expect(errors).to_have_text("Error No hand of Birk (player 2) pays 5,300. The nearest: 5,200 and 5,800.")
    page.keyboard.press("Enter")
    expect(desk.line(page)).to_have_value("2r35300")
    assert ledger(table_of(event)) == []


def points_that_two_hands_pay_are_the_likelier_and_the_other_is_a_tap_away(page: "Page", event: Event) -> None:
    page.keyboard.type("2r33900/2")
    say(page, "Birk (2, South) ron from Cyan (3, West): 3 han 30 fu, 3,900. Riichi: Birk")
    others = desk.understood(page).locator("[data-choice]")
    expect(others).to_have_text(["2 han 60 fu"])
    others.first.click()
    expect(desk.line(page)).to_have_value("2r3 260/2")
    expect(desk.line(page)).to_be_focused()
    say(page, "Birk (2, South) ron from Cyan (3, West): 2 han 60 fu, 3,900. Riichi: Birk")
    assert ledger(table_of(event)) == []
    page.keyboard.press("Escape")
    page.keyboard.type("2r33900/2")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(1)
    assert ledger(table_of(event)) == ["2r3 330/2"]


# ---------------------------------------------------------------- line and form in step


def test_line_and_cards_are_in_step(open_tab: OpenTab, event: Event) -> None:
    page = at_table(open_tab, event)
    what_is_typed_can_be_tapped_on(page)
    page.reload()
    expect(desk.line(page)).to_be_focused()
    expect(desk.line(page)).to_have_value("2r3 260/13")  # kept when the page is loaded again
    page.keyboard.press("Escape")
    points_on_the_paper_are_chosen_in_the_pad(page, event)


def what_is_typed_can_be_tapped_on(page: "Page") -> None:
    pad = page.locator("#cards-pad")
    page.keyboard.type("2r3 34")
    expect(pad).to_have_attribute("data-stage", "typed")
    page.keyboard.type("0/2")
    expect(pad).to_have_attribute("data-stage", "riichi")
    expect(pad.locator('[data-card="2"]')).to_have_class(re.compile("is-wins is-riichi"))
    desk.tap(page, "2", "1")
    expect(desk.line(page)).to_have_value("2r3 340/1")
    desk.tap(page, "Back", "Back", "Back")
    expect(desk.line(page)).to_have_value("2r3 340")
    desk.tap(page, "Back", "=260", "1", "3")
    expect(desk.line(page)).to_have_value("2r3 260/13")
    say(page, "Birk (2, South) ron from Cyan (3, West): 2 han 60 fu, 3,900. Riichi: Akelei and Cyan")


def points_on_the_paper_are_chosen_in_the_pad(page: "Page", event: Event) -> None:
    pad = page.locator("#cards-pad")
    desk.tap(page, "2", "3")
    page.get_by_label("the discarder pays").fill("3900")
    desk.tap(page, "Use these points")
    expect(desk.line(page)).to_have_value("2r3 =3900")
    pad.get_by_role("button", name="2 han 60 fu").click()
    expect(desk.line(page)).to_have_value("2r3 260")
    expect(pad).to_have_attribute("data-stage", "riichi")
    desk.tap(page, "Enter hand")
    expect(desk.hands(page)).to_have_count(1)
    desk.tap(page, "1", "Tsumo")
    page.get_by_label("the others pay").fill("1300")
    page.keyboard.press("Enter")
    expect(page.get_by_label("the dealer pays")).to_be_focused()
    page.keyboard.type("2600")
    page.keyboard.press("Enter")
    expect(desk.line(page)).to_have_value("1t 1300-2600")
    pad.get_by_role("button", name="3 han 40 fu").click()
    expect(desk.line(page)).to_have_value("1t 340")
    desk.tap(page, "Enter hand")
    expect(desk.hands(page)).to_have_count(2)
    assert ledger(table_of(event)) == ["2r3 260", "1t 340"]


# ---------------------------------------------------------------- the last hand


def test_the_last_hand_is_corrected_by_one_key_more_than_its_own(open_tab: OpenTab, event: Event) -> None:
    page = at_table(open_tab, event)
    arrow_up_leaves_a_line_that_is_not_empty_and_a_table_without_hands(page)
    page.keyboard.press("Escape")
    desk.enter(page, "2r3 340/2")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_text("Correct hand 2")).to_be_visible()
    expect(desk.line(page)).to_be_focused()
    expect(desk.line(page)).to_have_value("2r3 340/2")
    page.keyboard.type("2r4330/2")  # what stands there is selected
    say(page, "Birk (2, East) ron from Distel (4, West): 3 han 30 fu, 5,800. Riichi: Birk")
    page.keyboard.press("Enter")
    expect(page.locator("table.hands").get_by_text("ron from Distel")).to_be_visible()  # the look says it, too
    assert ledger(table_of(event)) == ["d", "2r3 340/2", "2r4 330/2"]


def test_what_was_entered_is_typed_over_where_the_focus_comes_after_the_script(open_tab: OpenTab, event: Event) -> None:
    page = at_table(open_tab, event)
    desk.enter(page, "2r3 340/2")

    def without_autofocus(route: "Route") -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace(" autofocus", ""))

    page.route("**/*correct=*", without_autofocus)
    page.keyboard.press("ArrowUp")
    expect(page.get_by_text("Correct hand 1")).to_be_visible()
    expect(page.locator("html.has-picker")).to_have_count(1)
    desk.line(page).evaluate("line => line.focus()")
    page.keyboard.type("d")
    expect(desk.line(page)).to_have_value("d")


def arrow_up_leaves_a_line_that_is_not_empty_and_a_table_without_hands(page: "Page") -> None:
    page.keyboard.press("ArrowUp")
    page.keyboard.type("d")
    say(page, "Draw, nobody tenpai")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(1)
    page.keyboard.type("2")
    page.keyboard.press("ArrowUp")
    page.keyboard.type("r")
    expect(desk.line(page)).to_have_value("r2")  # the arrow went to the beginning of the line, as it does
    expect(page.get_by_text("What happened", exact=True).first).to_be_visible()


# ---------------------------------------------------------------- read back


def rename(event: Event, names: dict[int, str]) -> None:
    """Give the players at places of the list other names, as if they had come with them."""
    for index, name in names.items():
        Person.objects.filter(players__event=event, players__number=index + 1).update(preferred_name=name)


def test_the_read_back_is_large_and_says_every_wind(open_tab: OpenTab, event: Event) -> None:
    rename(event, {1: LONG, 2: KANJI})
    page = at_table(open_tab, event)
    is_large_and_fits(page, phone=False)
    page.set_viewport_size({"width": 390, "height": 844})
    is_large_and_fits(page, phone=True)


def is_large_and_fits(page: "Page", *, phone: bool) -> None:
    desk.line(page).fill("1r4 340")
    said = desk.understood(page).locator(".understood-say")
    expect(said).to_have_text("Akelei (1, East) ron from Distel (4, North): 3 han 40 fu, 7,700")
    size = float(said.evaluate("element => parseFloat(getComputedStyle(element).fontSize)"))
    lines = said.evaluate("element => element.clientHeight / parseFloat(getComputedStyle(element).lineHeight)")
    assert size >= (20 if phone else 24)
    assert phone or round(lines) == 1
    desk.line(page).fill("2r3 340/2")
    expect(said).to_have_text(f"{LONG} (2, South) ron from {KANJI} (3, West): 3 han 40 fu, 5,200. Riichi: {LONG}")
    assert said.evaluate("element => element.scrollWidth <= element.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# ---------------------------------------------------------------- another language


@pytest.mark.parametrize(("language", "winds"), [("ja", "南西北東"), ("de", "SWNO"), ("fr", "SONE")])
def test_hands_go_on_and_cards_tell_winds_in_the_desks_language(
    open_tab: OpenTab, event: Event, language: str, winds: str
) -> None:
    Event.objects.filter(pk=event.pk).update(language=language)
    page = at_table(open_tab, event)
    shown = page.locator("#cards-seats .cards-card > :last-child")
    for hand in ("2r3 340/2", "d", "d"):  # each needs the row that the answer to the last one told
        desk.enter(page, hand)
    expect(shown).to_have_text(list(winds))
    page.reload()
    expect(shown).to_have_text(list(winds))
