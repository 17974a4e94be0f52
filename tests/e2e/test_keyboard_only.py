"""A round by the keyboard alone: in by link, tables by number, hands, corrections, sheets, release. Nothing is clicked.

Keys are pressed as a person presses them; where a person looks for something with Tab, so does the test.
"""

from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.test_hand_page import at_table, standing
from tests.e2e.timeouts import expect
from tests.factories import enter_all, round_of, table_of, writer_of
from tests.fixtures import live_event
from tournament.accounts.actions import invite
from tournament.accounts.models import Role
from tournament.events.models import Event

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

MAX_STOPS = 80

# What shows where the keyboard is: an outline, or a border that is there only with the focus
FOCUS_SHOWS = """() => {
    const style = getComputedStyle(document.activeElement);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== "none";
}"""
WHERE = "() => document.activeElement.outerHTML.slice(0, 120)"


event = live_event(tables=2, rounds=1)


class Keyboard:
    """A page under a keyboard; it counts the keys."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.pressed = 0

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed += 1

    def type(self, text: str) -> None:
        """Type a text, a key a letter."""
        self.page.keyboard.type(text)
        self.pressed += len(text)

    def tab_to(self, wanted: "Locator") -> None:
        """Go on with Tab until something has the focus."""
        expect(wanted).to_be_visible()
        for _stop in range(MAX_STOPS):
            if wanted.evaluate("element => element === document.activeElement"):
                return
            self.press("Tab")
        raise AssertionError(f"{MAX_STOPS} times Tab, and never there")

    def hand(self, line: str) -> int:
        """Type a hand and send it, and return how many keys it took."""
        before, listed = self.pressed, desk.hands(self.page).count()
        expect(desk.line(self.page)).to_be_focused()
        self.type(line)
        self.press("Enter")
        expect(desk.hands(self.page)).to_have_count(listed + 1)
        return self.pressed - before

    def open_table(self, number: int) -> None:
        """Type a table's number where the focus is in no field, and Enter."""
        self.type(str(number))
        self.press("Enter")
        self.page.wait_for_url(f"**/tables/{number}/")


@pytest.mark.follows("during/round.md")
@pytest.mark.slow
def test_a_round_from_the_link_to_its_release(open_tab: OpenTab, event: Event) -> None:
    token = invite(event=event, role=Role.ORGANISER, name="Ana", by=writer_of(event))
    page = open_tab()
    keys = Keyboard(page)

    # in
    page.goto(f"/enter/{token}/")
    keys.tab_to(page.get_by_role("button", name="Sign in"))
    keys.press("Enter")
    page.wait_for_url("**/desk/**")
    page.goto(f"/desk/{event.slug}/")
    page.wait_for_load_state("load")

    # hands: a ron of nine keys, a draw of six, the last one corrected by one more than its own
    keys.open_table(1)
    assert keys.hand("2r3340/2") == 9
    assert keys.hand("d13/1") == 6
    assert keys.hand("1t230") == 6
    before = keys.pressed
    held: list[Route] = []  # a typist can be quicker than the scripts of the page
    page.route("**/hand_line.js", lambda route: held.append(route))  # noqa: PLW0108  playwright wants a function of its own
    with page.expect_request("**/hand_line.js"):
        keys.press("ArrowUp")
    expect(page.get_by_text("Correct hand 3")).to_be_visible()
    expect(desk.line(page)).to_be_focused()
    keys.type("1t330")
    for route in held:
        route.continue_()
    expect(desk.line(page)).to_have_value("1t330")
    page.unroute("**/hand_line.js")
    page.wait_for_load_state("load")
    keys.press("Enter")
    expect(page.get_by_text("corrected", exact=False).first).to_be_visible()
    assert keys.pressed - before == len("1t330") + 2
    assert standing(table_of(event)) == ["2r3 340/2", "d13/1", "1t 330"]

    # its sheet, and the next table
    sheet(keys, [("total-0", "35800"), ("total-1", "32600"), ("total-2", "24200"), ("total-3", "27400")], 1)
    keys.press("Escape")
    next_table(keys, 2)
    assert keys.hand("3r45") == 5
    sheet(keys, [("total-0", "30000"), ("total-1", "30000"), ("total-2", "38000"), ("total-3", "22000")], 2)

    # and release
    keys.tab_to(page.get_by_role("link", name="Desk", exact=True))
    keys.press("Enter")
    page.wait_for_url(f"**/desk/{event.slug}/")
    keys.tab_to(page.get_by_role("link", name="Release round 1"))
    keys.press("Enter")
    keys.tab_to(page.get_by_role("button", name="Release", exact=True))
    keys.press("Enter")
    expect(page.get_by_text("Round 1 is released: players see it now.")).to_be_visible()
    assert round_of(event).released_at is not None


def sheet(keys: Keyboard, fields: list[tuple[str, str]], number: int) -> None:
    """Type a sheet, field by field, and sign with Enter."""
    for field, total in fields:
        keys.tab_to(keys.page.locator(f"#{field}"))
        keys.type(total)
    keys.press("Enter")
    expect(keys.page.get_by_text(f"Table {number} is signed.")).to_be_visible()


def next_table(keys: Keyboard, number: int) -> None:
    """Open a table from a page without a line, where no field has the focus."""
    keys.page.wait_for_load_state("load")
    keys.open_table(number)


# ---------------------------------------------------------------- where the keyboard is


def test_tab_goes_the_way_of_the_eye_and_shows_where_it_is(open_tab: OpenTab, event: Event) -> None:
    page = open_tab(writer_of(event))
    page.goto(f"/desk/{event.slug}/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('#main').contains(document.activeElement)")

    # at a table
    enter_all(table_of(event), "1t 230", "2r3 340/2")
    page.goto(f"/desk/{event.slug}/rounds/1/tables/1/")
    the_order_of_the_keyboard_is_that_of_the_eye(page)
    desk.line(page).focus()
    every_stop_of_the_hand_page_shows_where_the_keyboard_is(page)


def the_order_of_the_keyboard_is_that_of_the_eye(page: "Page") -> None:
    wanted: list[Any] = [
        page.get_by_role("button", name="Enter hand"),
        page.get_by_role("button", name="Draw", exact=True),
        page.get_by_role("link", name="Correct East 1", exact=True).first,
        page.get_by_role("link", name="Void East 1", exact=True).first,
        page.locator("#total-0"),
        page.get_by_role("button", name="Sign table"),
    ]
    keys, counts = Keyboard(page), []
    expect(desk.line(page)).to_be_focused()
    for each in wanted:
        keys.tab_to(each)
        counts.append(keys.pressed)
    assert counts == sorted(counts)
    assert counts[-1] < 20  # nothing was gone round for


def every_stop_of_the_hand_page_shows_where_the_keyboard_is(page: "Page") -> None:
    page.keyboard.press("Shift+Tab")
    hidden, stops = [], set()
    for _stop in range(MAX_STOPS):
        page.keyboard.press("Tab")
        where = page.evaluate(WHERE)
        if where.startswith("<body"):
            break
        stops.add(where)
        if not page.evaluate(FOCUS_SHOWS):
            hidden.append(where)
    assert hidden == []
    assert len(stops) > 15


def test_the_dialog_is_left_by_the_keyboard(open_tab: OpenTab, event: Event) -> None:
    page = at_table(open_tab, event)
    expect(page.get_by_role("button", name="Count tiles")).to_be_visible()
    keys = Keyboard(page)
    keys.type("2r3")
    for stops in (0, 1, 2, 5, 12):
        the_count_dialog_lets_the_keyboard_go(page, stops)
    keys.press("Escape")
    expect(desk.line(page)).to_have_value("")


def the_count_dialog_lets_the_keyboard_go(page: "Page", stops: int) -> None:
    keys = Keyboard(page)
    keys.press("ArrowDown")
    dialog = page.locator("#count-dialog")
    expect(dialog).to_be_visible()
    keys.press(*["Tab"] * stops)
    keys.press("Escape")
    expect(dialog).to_be_hidden()
    expect(desk.line(page)).to_be_focused()
    expect(desk.line(page)).to_have_value("2r3")
