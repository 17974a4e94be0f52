"""A hand that waited on a laptop while another laptop entered one at its table: it is sent, changed or thrown away."""

import re
from typing import TYPE_CHECKING

import pytest

from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.test_outbox import Ledger, at_table, item, network, say_yes
from tests.e2e.timeouts import expect
from tests.factories import enter_all, table_of, writer_of
from tests.fixtures import live_event
from tournament.events.models import Event

if TYPE_CHECKING:
    from playwright.sync_api import Page


event = live_event(tables=1, rounds=1)


@pytest.fixture
def page(open_tab: OpenTab, event: Event) -> "Page":
    """Open the table as the organiser."""
    return at_table(open_tab(writer_of(event)), event)


def overtake(page: "Page", event: Event, hand: int) -> None:
    """Keep a hand while another laptop enters the table's next one; the line is in use, so it stands in the list."""
    expect(desk.waiting_here(page)).to_have_count(0)  # the one before has left the list
    network(page, there=False)
    desk.keep(page, "2r3 340")
    enter_all(table_of(event), "1t 230")
    page.keyboard.type("x")
    network(page, there=True)
    moved = item(page, "2r3 340")
    expect(moved.locator(".waiting-state")).to_have_text("the table has moved on")
    expect(moved.locator(".waiting-between li")).to_have_text(re.compile(f"^{hand}\\. Akelei .* by tsumo: 2 han 30 fu"))


def test_an_overtaken_hand_is_sent_changed_or_thrown_away(page: "Page", event: Event) -> None:
    ledger = Ledger(event)
    overtake(page, event, 1)
    item(page, "2r3 340").get_by_role("button", name="Send it anyway").click()
    expect(desk.hands(page)).to_have_count(2)
    assert ledger.new() == ["1t 230", "2r3 340"]
    desk.line(page).fill("")

    # changed after looking; the second time the page is told again, and has seen a new version
    for hand in (3, 5):
        overtake(page, event, hand)
        if hand == 5:
            page.evaluate("document.body.dispatchEvent(new CustomEvent('version-changed'))")
            expect(page.locator("[data-watch-note]")).to_be_visible()
        item(page, "2r3 340").get_by_role("button", name="Change").click()
        desk.line(page).fill("2r3 240")
        page.keyboard.press("Enter")
        expect(desk.hands(page)).to_have_count(hand + 1)
        expect(page.locator("[data-watch-note]")).to_have_count(0)
        assert ledger.new() == ["1t 230", "2r3 240"]
        desk.line(page).fill("")

    # thrown away because it is there already
    overtake(page, event, 7)
    say_yes(page)
    item(page, "2r3 340").get_by_role("button", name="Discard").click()
    expect(desk.waiting_here(page)).to_have_count(0)
    assert ledger.new() == ["1t 230"]
