"""The hand page under fingers: focus, read-back, keys, two referees at one table, and all of it without scripts."""

import re
from typing import TYPE_CHECKING

import pytest

from scoring.shorthand import write
from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import enter_all, rows_of, table_of, writer_of
from tests.fixtures import live_event
from tournament.events.models import Event
from tournament.tables.history import read_payload, standing_entries
from tournament.tables.models import Table

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

# Four at each table of "ema-2025": Akelei, Birk, Cyan, Distel at the first; Efeu, Farn, Ginster, Hasel at the second.
TABLES = 2
NO_WHOLE_HAND = "This is not a complete hand yet: it is not kept. ? shows the keys."


event = live_event(tables=TABLES, rounds=1)


def at_table(open_tab: OpenTab, event: Event, number: int = 1, *, scripts: bool = True) -> "Page":
    """Open a table's hand page as the organiser."""
    page = open_tab(writer_of(event), scripts=scripts)
    page.goto(f"/desk/{event.slug}/rounds/1/tables/{number}/")
    expect(desk.line(page)).to_be_focused()  # with the first frame, which may come after all else is loaded
    return page


def at_grid(open_tab: OpenTab, event: Event, *, scripts: bool = True) -> "Page":
    """Open the grid as the organiser."""
    page = open_tab(writer_of(event), scripts=scripts)
    page.goto(f"/desk/{event.slug}/")
    return page


def ledger(table: Table) -> list[str]:
    """Return every row of a table's ledger as it would be typed, "" for void."""
    return [write(entry) if (entry := read_payload(row.payload)) else "" for row in rows_of(table)]


def standing(table: Table) -> list[str]:
    """Return the hands of a table that stand, as they would be typed."""
    return [write(entry) for entry in standing_entries(rows_of(table))]


# ---------------------------------------------------------------- typing


@pytest.mark.follows("during/hands.md")
def test_a_line_is_read_back_mended_cleared_and_sent(open_tab: OpenTab, event: Event) -> None:
    page, table = open_tab(writer_of(event)), table_of(event)
    errors = desk.understood(page).locator(".note.is-error")
    what_is_typed_before_the_scripts_are_there_is_read_back(page, event)
    a_slow_look_at_half_a_line_does_not_hold_up_the_next(page)
    the_line_is_read_back_before_it_is_sent(page)

    # an error is said while typing, and goes when it is mended
    page.keyboard.press("Control+a")
    page.keyboard.type("2r2 340")
    expect(errors).to_have_text("Error Birk (player 2) cannot win by ron from their own discard.")
    desk.line(page).fill("2r3 340")
    expect(errors).to_have_count(0)

    # Escape clears the line and then leaves it
    desk.line(page).fill("2r2 340")
    expect(errors).to_have_count(1)
    page.keyboard.press("Escape")
    expect(desk.line(page)).to_have_value("")
    expect(desk.line(page)).to_be_focused()
    expect(errors).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_label("Table", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(desk.line(page)).to_be_focused()
    assert ledger(table) == []

    # hands are typed one after the other without leaving the line
    for number, shorthand in enumerate(["2r3 340/2", "d13/1", "1t 230"], start=1):
        page.keyboard.type(shorthand)
        page.keyboard.press("Enter")
        expect(desk.hands(page)).to_have_count(number)
        expect(desk.line(page)).to_be_focused()
        expect(desk.line(page)).to_have_value("")
    assert standing(table) == ["2r3 340/2", "d13/1", "1t 230"]

    # what is refused stays in the line
    page.keyboard.type("2r3 3")
    page.keyboard.press("Enter")
    expect(desk.understood(page).locator(".problem")).to_have_text(NO_WHOLE_HAND)
    expect(desk.line(page)).to_have_value("2r3 3")
    expect(desk.line(page)).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.type("40")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(4)
    assert ledger(table)[3:] == ["2r3 340"]

    # a warning: its reason is two tabs away, and the next hand is typed in the line again
    page.keyboard.type("d1/2")
    expect(desk.understood(page).locator(".note.is-warning")).to_have_count(1)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.locator("#reason")).to_be_focused()
    page.keyboard.type("dead hand")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(5)
    assert rows_of(table)[4].reason == "dead hand"
    desk.enter(page, "d")


def what_is_typed_before_the_scripts_are_there_is_read_back(page: "Page", event: Event) -> None:
    held: list[Route] = []
    page.route("**/htmx.min.js", lambda route: held.append(route))  # noqa: PLW0108  playwright wants a function of its own
    with page.expect_request("**/htmx.min.js"):
        page.goto(f"/desk/{event.slug}/rounds/1/tables/1/", wait_until="commit")
    expect(desk.line(page)).to_be_focused()
    page.keyboard.type("3r4 340")
    for route in held:
        route.continue_()
    expect(desk.understood(page).locator(".understood-say")).to_have_text(
        "Cyan (3, West) ron from Distel (4, North): 3 han 40 fu, 5,200"
    )
    page.unroute("**/htmx.min.js")
    assert len(held) == 1
    page.keyboard.press("Control+a")


def a_slow_look_at_half_a_line_does_not_hold_up_the_next(page: "Page") -> None:
    page.route("**/preview/**", lambda _route: None, times=1)  # the first question hangs in the network
    with page.expect_request("**/preview/**"):
        page.keyboard.type("2r3")
    page.keyboard.type("340")
    expect(desk.understood(page).locator(".understood-say")).to_have_text(
        "Birk (2, South) ron from Cyan (3, West): 3 han 40 fu, 5,200"
    )


def the_line_is_read_back_before_it_is_sent(page: "Page") -> None:
    page.keyboard.press("Control+a")
    page.keyboard.type("2r3 340/2")
    said = desk.understood(page)
    expect(said.locator(".understood-say")).to_have_text(
        "Birk (2, South) ron from Cyan (3, West): 3 han 40 fu, 5,200. Riichi: Birk"
    )
    expect(said.locator(".pays .num")).to_have_text(["0", "+5,200", "−5,200", "0"])
    page.keyboard.press("Home")
    page.keyboard.press("Delete")
    page.keyboard.type("1")
    expect(said.locator(".understood-say")).to_contain_text("Akelei (1, East) ron from Cyan (3, West)")
    expect(desk.line(page)).to_be_focused()


# ---------------------------------------------------------------- keys


# ---------------------------------------------------------------- two at one table, and twice the same


def test_a_hand_is_entered_once_whatever_becomes_of_its_answer(open_tab: OpenTab, event: Event) -> None:
    enter_all(table_of(event), "1t 230")
    page = at_table(open_tab, event)
    what_another_referee_entered_meanwhile_is_seen_before_it_is_sent_again(page, event)
    assert ledger(table_of(event)) == ["1t 230", "2r3 340", "4r1 130"]
    enter_twice_enters_one_hand(page, 4)
    desk.enter(page, "1t 230")
    assert ledger(table_of(event))[3:] == ["2r3 340", "1t 230"]

    # its answer was lost
    lost: list[str] = []

    def lose_answer(route: "Route") -> None:
        if route.request.method != "POST" or lost:
            route.continue_()  # it is sent again by itself
            return
        lost.append(route.request.url)
        route.fetch()  # the server has it
        route.abort()  # and the laptop never hears

    page.route("**/tables/1/", lose_answer)
    page.keyboard.type("3r4 340")
    with page.expect_event("requestfailed", lambda request: request.method == "POST"):
        page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(6)
    expect(desk.waiting_here(page)).to_have_count(0)
    assert ledger(table_of(event))[5:] == ["3r4 340"]


def what_another_referee_entered_meanwhile_is_seen_before_it_is_sent_again(page: "Page", event: Event) -> None:
    expect(desk.line(page)).to_be_focused()
    enter_all(table_of(event), "2r3 340")
    page.keyboard.type("4r1 130")
    page.keyboard.press("Enter")
    between = page.locator("main .note.is-warning", has_text="Meanwhile at this table")
    expect(between.locator("li")).to_have_count(1)
    expect(between.locator("li")).to_contain_text("Birk (2, South) ron from Cyan (3, West): 3 han 40 fu, 5,200")
    expect(desk.line(page)).to_have_value("4r1 130")
    expect(desk.hands(page)).to_have_count(2)
    assert standing(table_of(event)) == ["1t 230", "2r3 340"]
    expect(desk.line(page)).to_be_focused()
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(3)


def enter_twice_enters_one_hand(page: "Page", number: int) -> None:
    held: list[Route] = []
    let_go: list[bool] = []

    def hold(route: "Route") -> None:
        if let_go:
            route.continue_()
        else:
            held.append(route)

    page.route("**/tables/1/", hold)
    page.keyboard.type("2r3 340")
    with page.expect_request(lambda request: request.method == "POST"):
        page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # while the first is on its way
    page.keyboard.press("Enter")
    let_go.append(True)
    for route in held:
        route.continue_()
    expect(desk.hands(page)).to_have_count(number)


# ---------------------------------------------------------------- without scripts


def test_a_whole_table_without_scripts(open_tab: OpenTab, event: Event) -> None:
    table = table_of(event)
    page = at_grid(open_tab, event, scripts=False)

    # to the table, by the field at the top
    page.get_by_label("Table", exact=True).fill("1")
    page.get_by_label("Table", exact=True).press("Enter")
    page.wait_for_url("**/rounds/1/tables/1/")

    # nothing that needs a script is shown
    expect(page.get_by_role("button", name="Count tiles")).to_be_hidden()
    expect(page.get_by_text("↑ corrects the last hand")).to_be_hidden()
    expect(page.locator(".keys dt", has_text="2r3 340").first).to_be_visible()

    # by the line; an error keeps what was typed, a warning asks for its reason
    send_line(page, "2r3 337")
    expect(desk.understood(page).locator(".note.is-error")).to_contain_text("37 fu cannot go with 3 han by ron")
    expect(desk.line(page)).to_have_value("2r3 337")
    send_line(page, "2r3 340")
    expect(desk.hands(page)).to_have_count(1)
    send_line(page, "d12/3")
    expect(desk.understood(page).locator(".note.is-warning")).to_have_count(1)
    page.get_by_label("Reason", exact=True).fill("dead hand")
    page.get_by_role("button", name="Enter hand").first.click()
    expect(desk.hands(page)).to_have_count(2)

    send_line(page, "3t 230/3")
    expect(desk.hands(page)).to_have_count(3)
    assert ledger(table) == ["2r3 340", "d12/3", "3t 230/3"]

    # correct an earlier hand: the reason is asked for, and nothing typed is lost meanwhile
    page.get_by_role("row", name=re.compile("Birk .* ron from Cyan")).get_by_role("link", name="Correct").click()
    expect(desk.line(page)).to_have_value("2r3 340")
    send_line(page, "2r3 330")
    expect(desk.line(page)).to_have_value("2r3 330")
    assert len(ledger(table)) == 3
    page.locator("#reason").fill("30 fu on the sheet")
    page.get_by_role("button", name="Replace hand").first.click()
    expect(page.get_by_text("corrected · 30 fu on the sheet")).to_have_count(1)
    assert standing(table) == ["2r3 330", "d12/3", "3t 230/3"]

    # make the last one void: no reason is needed
    page.get_by_role("row", name=re.compile("Cyan .* wins by tsumo")).get_by_role("link", name="Void").click()
    page.get_by_role("button", name="Void hand").click()
    expect(page.locator("table.hands tr.is-void")).to_have_count(1)
    assert standing(table) == ["2r3 330", "d12/3"]

    # sign, and reopen
    desk.sign(page, 1, [31_500, 36_400, 23_600, 28_500], leftover=1000)
    expect(page.get_by_text("This table is signed")).to_be_visible()
    page.get_by_label("Reason to reopen").fill("wrong sheet")
    page.get_by_role("button", name="Reopen table").click()
    expect(page.get_by_text("Table 1 is open again.")).to_be_visible()


def send_line(page: "Page", shorthand: str) -> None:
    """Type into the line and press Enter, as it is without scripts: a whole page comes back."""
    desk.line(page).fill(shorthand)
    with page.expect_navigation():
        desk.line(page).press("Enter")


def test_a_half_typed_line_outlives_a_reload_and_a_sent_one_does_not(open_tab: OpenTab, event: Event) -> None:
    page = at_table(open_tab, event)
    page.locator("#line").press_sequentially("2r3 3")
    page.reload()
    expect(page.locator("#line")).to_have_value("2r3 3")
    page.locator("#line").press_sequentially("40")
    expect(desk.understood(page)).to_contain_text("5,200")
    page.keyboard.press("Enter")
    expect(page.locator("#line")).to_have_value("")
    page.reload()
    expect(page.locator(".hand-what")).to_have_count(1)
    expect(page.locator("#line")).to_have_value("")
