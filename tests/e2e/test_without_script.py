"""The desk without scripts: every page of it can be read, and points entered; a whole table: test_hand_page.py."""

from typing import TYPE_CHECKING

from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.patience import expect
from tests.e2e.test_hand_page import at_table, ledger, send_line
from tests.factories import enter_all, table_of, writer_of
from tests.fixtures import live_event
from tournament.events.models import Event

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = (
    "", "check-in/", "players/", "players/1/", "seating/", "seating/import/", "penalties/", "calls/", "substitutes/",
    "penalties/give/?round=1&table=1", "rounds/1/clock/", "paper/", "results/", "settings/", "settings/rules/",
    "rounds/1/tables/1/", "rounds/1/tables/1/seats/", "rounds/1/tables/1/substitutes/",
)  # fmt: skip


event = live_event(tables=2, rounds=1)


def test_every_page_of_the_desk_can_be_read(open_tab: OpenTab, event: Event) -> None:
    enter_all(table_of(event), "1t 230")
    page = open_tab(writer_of(event), scripts=False)
    page.goto(f"/desk/{event.slug}/")
    tabs = page.locator(".bar .tabs a").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    assert len(tabs) > 5
    addresses = dict.fromkeys([*tabs, *(f"/desk/{event.slug}/{page_}" for page_ in PAGES)])
    for address in addresses:
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200, address
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert len(page.locator("main").inner_text()) > 40, address


def enter_points(page: "Page", event: Event) -> None:
    """Enter points, and be asked in words which of two readings is meant."""
    send_line(page, "2r3 4500")
    expect(desk.hands(page)).to_have_count(1)
    send_line(page, "3r4 3900")
    expect(desk.understood(page).locator(".note.is-error")).to_have_text(
        "Error 3,900 to Cyan (player 3) is 3 han 30 fu or 2 han 60 fu: choose which, or type han and fu."
    )
    expect(page.locator("[data-choice]").first).to_be_hidden()
    expect(desk.line(page)).to_have_value("3r4 3900")
    send_line(page, "3r4 330")
    expect(desk.hands(page)).to_have_count(2)
    assert ledger(table_of(event)) == ["2r3 270", "3r4 330"]


def enter_points_of_a_tsumo(page: "Page", event: Event) -> None:
    """Enter what the others and the dealer pay."""
    send_line(page, "2t 400-700")
    expect(desk.understood(page).locator(".note.is-error")).to_contain_text("is 2 han 20 fu or 1 han 40 fu")
    expect(desk.line(page)).to_have_value("2t 400-700")
    send_line(page, "2t 2000-4000")
    expect(desk.hands(page)).to_have_count(3)
    assert ledger(table_of(event)) == ["2r3 270", "3r4 330", "2t 5"]


def test_points_are_entered_without_scripts_and_nothing_that_needs_them_is_shown(
    open_tab: OpenTab, event: Event
) -> None:
    page = at_table(open_tab, event, scripts=False)
    enter_points(page, event)
    enter_points_of_a_tsumo(page, event)

    # nothing that needs a script is shown
    expect(page.get_by_role("button", name="Count tiles")).to_be_hidden()
    expect(page.get_by_text("↑ corrects the last hand")).to_be_hidden()
    expect(page.locator(".keys dt", has_text="↑")).to_be_hidden()
    expect(page.locator(".keys dt", has_text="2r3 340").first).to_be_visible()
