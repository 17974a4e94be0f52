"""Going on at any table while the desk does not answer: by its number, by its tile, from any page of the desk."""

import re
from typing import TYPE_CHECKING, Any

import pytest

from scoring.shorthand import write
from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import enter, make_event, rows_of, sign, table_of, writer_of
from tournament.events.models import Event
from tournament.tables.history import read_payload

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

TABLES = "/desk/cup/rounds/1/tables"


@pytest.fixture
def event(live_server: Any) -> Event:
    """Return six tables; the second, fourth and sixth have one hand, and the sixth is signed."""
    event = make_event(slug="cup", tables=6, rounds=1)
    for number in (2, 4, 6):
        enter(table_of(event, number), "1t 230")
    sign(table_of(event, 6))
    return event


@pytest.fixture
def page(open_tab: OpenTab, event: Event) -> "Page":
    """Open the grid as the organiser, and take the network away once it knows the tables."""
    tab = open_tab(writer_of(event))
    tab.goto("/desk/cup/")
    tab.wait_for_load_state("networkidle")
    tab.context.set_offline(True)
    return tab


def ledger(event: Event, table: int) -> list[str]:
    return [write(entry) if (entry := read_payload(row.payload)) else "" for row in rows_of(table_of(event, table))]


def panel(page: "Page") -> "Locator":
    return page.locator("#away")


def here(page: "Page") -> "Locator":
    """Return the hands that wait as the panel lists them."""
    return panel(page).locator("[data-outbox-here] > li")


def go_to(page: "Page", number: int) -> None:
    """Type a table's number and Enter, and see what the laptop knows of it."""
    page.keyboard.type(str(number))
    page.keyboard.press("Enter")
    expect(panel(page).get_by_role("heading")).to_have_text(f"Table {number} · Round 1")
    expect(panel(page).locator("#away-text")).to_be_focused()


def keep(page: "Page", *lines: str) -> None:
    """Type hands into the panel where the keyboard already is."""
    for line in lines:
        before = here(page).count()
        page.keyboard.type(line)
        page.keyboard.press("Enter")
        expect(here(page)).to_have_count(before + 1)
        expect(panel(page).locator("#away-text")).to_have_value("")


@pytest.mark.follows("during/no-network.md")
def test_hands_of_several_tables_by_keyboard_alone(page: "Page", event: Event) -> None:
    go_to(page, 2)
    expect(panel(page).locator("[data-away-hand]")).to_have_text("East 1")
    expect(panel(page).locator("[data-away-honba-and-sticks]")).to_have_text("1 honba")
    expect(panel(page).locator("[data-away-as-of]")).to_have_text(re.compile(r"^as of \d\d:\d\d$"))
    expect(panel(page).locator(".seat-key")).to_have_text(["1", "2", "3", "4"])
    expect(panel(page).locator(".wind-letter")).to_have_text(["E", "S", "W", "N"])
    keep(page, "2r3 340", "d13")
    page.keyboard.press("Escape")
    expect(panel(page)).to_be_hidden()
    go_to(page, 3)
    expect(here(page)).to_have_count(0)
    keep(page, "3t 230")
    page.keyboard.press("Escape")
    go_to(page, 2)
    expect(here(page).locator("code")).to_have_text(["2r3 340", "d13"])
    keep(page, "4r1 340/4")
    expect(desk.waiting(page)).to_have_text("4 hands wait on this laptop")
    page.context.set_offline(False)
    expect(desk.waiting(page)).to_be_hidden()
    assert ledger(event, 2) == ["1t 230", "2r3 340", "d13", "4r1 340/4"]
    assert ledger(event, 3) == ["3t 230"]
    expect(panel(page).locator("[data-away-back]")).to_contain_text("The desk answers again.")
    expect(panel(page).locator("[data-away-hand]")).to_have_text("East 4")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{TABLES}/2/")
    expect(desk.hands(page)).to_have_count(4)
    go_from_a_table_to_another_and_back(page)
    assert [ledger(event, table)[seen:] for table, seen in ((1, 0), (2, 4), (3, 1))] == [
        ["2r3 340", "d13"],
        [],
        ["1t 230"],
    ]


def go_from_a_table_to_another_and_back(page: "Page") -> None:
    """Keep hands of tables 1 and 3 without the network, beginning on the page of table 1."""
    page.goto(f"{TABLES}/1/")
    expect(page.locator("html.has-picker")).to_have_count(1)
    page.context.set_offline(True)
    desk.keep(page, "2r3 340")
    page.keyboard.press("Escape")
    go_to(page, 3)
    keep(page, "1t 230")
    page.keyboard.press("Escape")
    expect(panel(page)).to_be_hidden()
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    expect(desk.line(page)).to_be_focused()
    desk.keep(page, "d13")
    page.get_by_role("link", name="Table 2").click()
    expect(panel(page).get_by_role("heading")).to_have_text("Table 2 · Round 1")
    page.context.set_offline(False)
    expect(desk.all_sent(page)).to_have_count(1)  # a page that has just opened says nothing at first
    page.goto(f"{TABLES}/1/")  # table 2 may have opened by itself meanwhile, and sent the rest
    expect(desk.hands(page)).to_have_count(2)


def test_a_table_is_opened_signed_overtaken_or_refused_while_the_network_comes_and_goes(
    page: "Page", event: Event
) -> None:
    a_signed_table_takes_no_hand(page)
    page.keyboard.press("Escape")
    what_somebody_else_entered_meanwhile_is_asked_and_not_overwritten(page, event)
    page.keyboard.press("Escape")
    page.context.set_offline(True)
    a_refused_hand_is_changed_in_the_panel(page, event)
    page.keyboard.press("Escape")
    page.context.set_offline(True)
    a_line_under_way_keeps_what_its_typist_had_seen(page, event)


def a_signed_table_takes_no_hand(page: "Page") -> None:
    page.locator("[data-table='6']").click()
    expect(panel(page).locator("[data-away-hand]")).to_have_text("Signed")
    expect(panel(page).locator("#away-text")).to_be_hidden()


def what_somebody_else_entered_meanwhile_is_asked_and_not_overwritten(page: "Page", event: Event) -> None:
    go_to(page, 2)
    keep(page, "2r3 340")
    enter(table_of(event, 2), "d12")
    page.context.set_offline(False)
    moved = here(page).filter(has=page.get_by_text("2r3 340", exact=True))
    expect(moved.locator(".waiting-state")).to_have_text("the table has moved on")
    expect(moved.locator(".waiting-between li")).to_have_text(re.compile("^2\\. Draw"))
    assert ledger(event, 2) == ["1t 230", "d12"]
    moved.get_by_role("button", name="Send it anyway").click()
    expect(here(page)).to_have_count(0)
    assert ledger(event, 2) == ["1t 230", "d12", "2r3 340"]


def a_refused_hand_is_changed_in_the_panel(page: "Page", event: Event) -> None:
    go_to(page, 1)
    keep(page, "2r2 340", "1t 230")
    page.context.set_offline(False)
    expect(here(page).first.locator(".waiting-state")).to_have_text("not accepted")
    page.context.set_offline(True)
    here(page).first.get_by_role("button", name="Change").click()
    expect(panel(page).locator("#away-text")).to_have_value("2r2 340")
    panel(page).locator("#away-text").fill("2r3 340")
    page.keyboard.press("Enter")
    expect(here(page).locator("code")).to_have_text(["2r3 340", "1t 230"])
    page.context.set_offline(False)
    expect(here(page)).to_have_count(0)
    assert ledger(event, 1) == ["2r3 340", "1t 230"]


def a_line_under_way_keeps_what_its_typist_had_seen(page: "Page", event: Event) -> None:
    go_to(page, 4)
    page.keyboard.type("2r3 34")
    enter(table_of(event, 4), "d12")
    page.context.set_offline(False)
    expect(panel(page).locator("[data-away-back]")).to_be_visible()
    page.evaluate("document.body.dispatchEvent(new CustomEvent('version-changed'))")
    expect(panel(page).locator("[data-away-hand]")).to_have_text("East 1")
    expect(panel(page).locator("[data-away-honba-and-sticks]")).to_have_text("2 honba")
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    expect(here(page).locator(".waiting-state")).to_have_text("the table has moved on")
    assert ledger(event, 4) == ["1t 230", "d12"]


def test_other_links_say_that_they_cannot_be_opened_and_a_tile_opens_its_table(page: "Page", event: Event) -> None:
    expect(page.locator("[data-outbox-lost]")).to_be_hidden()
    page.get_by_role("link", name="Calls").click()
    expect(page.locator("[data-outbox-lost]")).to_contain_text("No network: this page cannot be opened now.")
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    expect(page.locator("[data-outbox-lost]")).to_contain_text("this laptop does not know table 9 yet")
    a_click_on_a_tile_and_the_next_hand_after_the_network_is_back(page, event)
    a_desk_that_was_only_slow_opens_the_page_after_all(page)


def a_desk_that_was_only_slow_opens_the_page_after_all(page: "Page") -> None:
    held: list[Route] = []
    # before the page is opened: one that is open already may send a question past a route that was set just now
    page.route("**/version", lambda route: held.append(route))  # noqa: PLW0108  playwright wants a function of its own
    page.get_by_role("link", name="Calls").click()
    page.wait_for_url("**/calls/")
    with page.expect_request(lambda request: request.url.endswith("/version") and request.resource_type == "fetch"):
        page.keyboard.type("1")
        page.keyboard.press("Enter")
    expect(panel(page).locator("#away-text")).to_be_focused()
    for route in held:
        route.continue_()
    page.wait_for_url(f"**{TABLES}/1/")


def a_click_on_a_tile_and_the_next_hand_after_the_network_is_back(page: "Page", event: Event) -> None:
    page.locator("[data-table='1']").click()
    expect(panel(page).locator("#away-text")).to_be_focused()
    keep(page, "2r3 340")
    page.context.set_offline(False)
    expect(page.locator("[data-outbox-lost]")).to_be_hidden()
    expect(here(page)).to_have_count(0)
    expect(panel(page).locator("[data-away-hand]")).to_have_text("East 2")
    page.keyboard.type("1t 230")
    page.keyboard.press("Enter")
    expect(panel(page).locator("[data-away-hand]")).to_have_text("East 3")
    assert ledger(event, 1) == ["2r3 340", "1t 230"]
    panel(page).get_by_role("link", name="Open the table's page").click()
    page.wait_for_url(f"**{TABLES}/1/")
