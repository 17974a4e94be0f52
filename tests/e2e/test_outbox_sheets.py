"""A sheet that waits on the laptop: it is kept and goes on by itself, and one that is refused can be changed."""

from typing import TYPE_CHECKING

import pytest

from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import rows_of, table_of, writer_of
from tests.fixtures import live_event
from tournament.events.models import Event
from tournament.tables.queries import load_tables

if TYPE_CHECKING:
    from playwright.sync_api import Page

PILE = "/desk/cup/rounds/1/totals/"


event = live_event(slug="cup", tables=3, rounds=1)


@pytest.fixture
def page(open_tab: OpenTab, event: Event) -> "Page":
    """Open the sheet of table 1 and take the network away."""
    tab = open_tab(writer_of(event))
    open_without_network(tab, 1)
    return tab


def type_sheet(page: "Page", *numbers: str) -> None:
    for number in numbers:
        page.keyboard.type(number)
        page.keyboard.press("Enter")


def open_without_network(page: "Page", number: int) -> None:
    """Open the sheet of a table and take the network away."""
    page.goto(f"/desk/cup/rounds/1/tables/{number}/totals/")
    page.wait_for_load_state("networkidle")
    expect(page.locator("#count-0")).to_be_focused()
    page.context.set_offline(True)


def test_it_is_kept_and_the_pile_goes_on(page: "Page", event: Event) -> None:
    type_sheet(page, "45.2", "30.0", "28.0", "16.8")
    expect(page.locator("#pile-said")).to_contain_text("table 2")
    expect(page.locator("#pile-table")).to_be_focused()
    page.locator("#outbox summary").click()
    expect(page.locator("#outbox [data-part=line]")).to_have_text("45.2 30.0 28.0 16.8")
    expect(page.locator("#outbox [data-outbox-head]")).to_have_text("Waiting on this laptop: 1")
    expect(page.locator("#outbox [data-part=where]")).to_have_text("Round 1, table 1")
    assert rows_of(table_of(event)) == []
    page.context.set_offline(False)
    expect(desk.all_sent(page)).to_have_count(1)
    assert load_tables(event)[0].final.scores == (45_200, 30_000, 28_000, 16_800)

    # a refused one is changed with what was typed, on its page or from another
    for number, leave in ((2, False), (3, True)):
        open_without_network(page, number)
        a_refused_sheet_is_changed_with_what_was_typed(page, event, number, leave=leave)


def a_refused_sheet_is_changed_with_what_was_typed(page: "Page", event: Event, number: int, *, leave: bool) -> None:
    type_sheet(page, "45.2", "30.0", "28.0", "15.8")
    expect(page.locator("#pile-table")).to_be_focused()
    if leave:
        page.locator("#pile-table").fill("9")  # somebody types on: the sheet waits in the list
    page.context.set_offline(False)
    if leave:
        expect(page.locator("#outbox .waiting-problems")).to_contain_text("hort by 1,000")
        page.goto("/desk/cup/")
        expect(page.locator("#grid .tile-unsent")).to_have_text("1 refused")
        page.locator("#outbox summary").click()
        page.locator("#outbox").get_by_role("button", name="Change").click()
    expect(page.locator("#count-0")).to_be_focused()
    expect(page.locator("#count-3")).to_have_value("15.8")
    expect(page.locator(".gap")).to_contain_text("hort by 1,000")
    assert rows_of(table_of(event, number)) == []
    page.locator("#count-3").fill("16.8")
    page.keyboard.press("Enter")
    expect(desk.all_sent(page)).to_have_count(1)
    expect(page.locator("#pile-table")).to_be_focused()
    assert load_tables(event)[number - 1].final.scores == (45_200, 30_000, 28_000, 16_800)
