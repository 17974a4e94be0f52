"""Hands that wait on a laptop: offline, refused, overtaken, in two tabs, under another name, behind a slow answer.

The desk's own process is killed and started again in test_outbox_restart.py.
"""

import re
from typing import TYPE_CHECKING, Any

import pytest

from scoring.shorthand import write
from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab, session_of
from tests.e2e.patience import expect
from tests.factories import enter_all, make_account, make_event, rows_of, table_of, writer_of
from tournament.history import read_payload
from tournament.models import Account, DeskSession, Event, Membership, Role

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route


@pytest.fixture
def event(live_server: Any) -> Event:
    return make_event(tables=2, rounds=1)


@pytest.fixture
def page(open_tab: OpenTab, event: Event) -> "Page":
    """Open table 1 as the organiser."""
    tab = open_tab(writer_of(event))
    return at_table(tab, event)


def at_table(page: "Page", event: Event, number: int = 1) -> "Page":
    page.goto(f"/desk/{event.slug}/rounds/1/tables/{number}/")
    expect(page.locator("html.has-picker")).to_have_count(1)  # all of the page is there
    return page


def beside(page: "Page", event: Event, number: int = 1) -> "Page":
    """Open another tab of the same browser."""
    tab = page.context.new_page()
    tab.set_default_timeout(30_000)
    return at_table(tab, event, number)


def ledger(event: Event, table: int = 1) -> list[str]:
    return [write(entry) if (entry := read_payload(row.payload)) else "" for row in rows_of(table_of(event, table))]


def network(page: "Page", *, there: bool) -> None:
    page.context.set_offline(not there)


def item(page: "Page", shorthand: str) -> "Locator":
    """Return the hand as it waits below the line."""
    return desk.waiting_here(page).filter(has=page.get_by_text(shorthand, exact=True))


def come_in_as(page: "Page", account: Account) -> None:
    """Sign somebody in, as another tab of this browser would."""
    root = "/".join(page.url.split("/")[:3])
    page.context.add_cookies([{"name": "sessionid", "value": session_of(account), "url": root}])


def say_yes(page: "Page") -> None:
    page.once("dialog", lambda dialog: dialog.accept())


# ---------------------------------------------------------------- a slow answer


class Held:
    """Holds back hands on their way to the desk until they are let go."""

    def __init__(self, page: "Page", table: int = 1) -> None:
        self.routes: list[Route] = []
        self.open = False
        page.route(f"**/tables/{table}/", self._meet)

    def _meet(self, route: "Route") -> None:
        if self.open or route.request.method != "POST":
            route.continue_()
        else:
            self.routes.append(route)

    def let_go(self) -> None:
        self.open = True
        for route in self.routes:
            route.continue_()


def test_what_is_typed_while_the_answer_is_under_way_stands_there_afterwards(page: "Page", event: Event) -> None:
    held = Held(page)
    page.keyboard.type("2r3 340")
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/tables/1/")):
        page.keyboard.press("Enter")
    expect(desk.line(page)).to_have_value("")
    page.keyboard.type("1t 30")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    held.let_go()
    expect(desk.hands(page)).to_have_count(1)
    expect(desk.line(page)).to_have_value("1t 30")
    expect(desk.line(page)).to_be_focused()
    page.keyboard.type("2")  # where the caret was
    expect(desk.understood(page).locator(".understood-say")).to_contain_text("2 han 30 fu")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(2)
    assert ledger(event) == ["2r3 340", "1t 230"]


def test_five_hands_typed_without_looking_up_arrive_in_order(page: "Page", event: Event) -> None:
    held = Held(page)
    typed = ["2r3 340", "d13", "1t 230", "4r2 240/4", "3t 230"]
    for shorthand in typed:
        page.keyboard.type(shorthand)
        page.keyboard.press("Enter")
    expect(desk.waiting_here(page)).to_have_count(5)
    expect(desk.waiting_here(page).locator(".waiting-state")).to_have_text(
        ["is being sent", *["waits for the hand before it"] * 4]
    )
    held.let_go()
    expect(desk.hands(page)).to_have_count(5)
    expect(desk.waiting_here(page)).to_have_count(0)
    assert ledger(event) == typed


def test_totals_and_a_form_being_filled_survive_the_answer(page: "Page", event: Event) -> None:
    held = Held(page)
    page.keyboard.type("2r3 340")
    page.keyboard.press("Enter")
    page.get_by_text("Enter by form").click()
    page.get_by_role("radio", name="Tsumo", exact=True).check()
    page.get_by_label("Akelei wins", exact=True).check()
    note = page.get_by_label("Note", exact=False).first
    note.fill("shown tiles")
    held.let_go()
    expect(desk.hands(page)).to_have_count(1)
    expect(page.get_by_label("Akelei wins", exact=True)).to_be_checked()
    expect(note).to_have_value("shown tiles")
    expect(note).to_be_focused()


# ---------------------------------------------------------------- no network


def test_hands_wait_with_what_the_desk_understood_and_go_out_when_the_network_is_back(
    page: "Page", event: Event
) -> None:
    page.keyboard.type("2r3 340")
    expect(desk.understood(page)).to_contain_text("Birk (2, South) wins off Cyan (3, West)")
    network(page, there=False)
    page.keyboard.press("Enter")
    expect(item(page, "2r3 340").locator("[data-part=said]")).to_have_text(
        "Birk (2, South) wins off Cyan (3, West): 3 han 40 fu, 5,200"
    )
    desk.keep(page, "1t 230")
    expect(desk.waiting(page)).to_have_text("2 hands wait on this laptop")
    page.keyboard.type("d")
    expect(desk.understood(page)).to_have_text(
        "No network: the hand is checked as soon as the desk is back. Enter keeps it."
    )
    assert ledger(event) == []
    network(page, there=True)
    expect(desk.hands(page)).to_have_count(2)
    expect(desk.waiting(page)).to_be_hidden()
    expect(desk.line(page)).to_have_value("d")
    assert ledger(event) == ["2r3 340", "1t 230"]


def test_the_grid_hears_what_waits_where(page: "Page", event: Event) -> None:
    grid = page.context.new_page()
    grid.add_init_script(
        "document.addEventListener('outbox-changed', ({ detail }) => "
        "{ document.documentElement.dataset.heard = JSON.stringify(detail) })"
    )
    grid.goto(f"/desk/{event.slug}/")
    network(page, there=False)
    page.bring_to_front()
    desk.keep(page, "2r2 340")
    desk.keep(page, "1t 230")
    heard = '{"tables":[{"event":"%s","round":1,"table":1,"waiting":2,"refused":%d}]}'
    expect(grid.locator("html")).to_have_attribute("data-heard", heard % (event.slug, 0))
    network(page, there=True)
    expect(grid.locator("html")).to_have_attribute("data-heard", heard % (event.slug, 1))


def test_an_act_that_cannot_wait_says_that_it_was_lost(page: "Page", event: Event) -> None:
    page.goto(f"/desk/{event.slug}/check-in/")
    page.wait_for_load_state("load")
    network(page, there=False)
    page.get_by_role("checkbox").or_(page.locator("[data-check-list] button")).first.click()
    expect(page.locator("[data-outbox-lost]")).to_contain_text("The desk does not answer: this was not done.")


def test_without_a_store_the_form_posts_by_itself_and_the_page_says_so(open_tab: OpenTab, event: Event) -> None:
    page = open_tab(writer_of(event))
    page.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined })")
    at_table(page, event)
    expect(page.locator("[data-outbox-none]")).to_be_visible()
    page.keyboard.type("2r3 340")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(1)
    assert ledger(event) == ["2r3 340"]


# ---------------------------------------------------------------- refused


def test_a_refused_hand_in_the_middle_is_mended_in_its_place(page: "Page", event: Event) -> None:
    network(page, there=False)
    for shorthand in ("2r3 340", "2r2 340", "1t 230"):
        desk.keep(page, shorthand)
    network(page, there=True)
    expect(desk.line(page)).to_have_value("2r2 340")
    expect(desk.understood(page).locator(".note.is-error")).to_contain_text("cannot win off their own discard")
    expect(desk.waiting_here(page).locator("code")).to_have_text(["1t 230"])
    assert ledger(event) == ["2r3 340"]
    desk.line(page).fill("3r2 340")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(3)
    assert ledger(event) == ["2r3 340", "3r2 340", "1t 230"]


def test_a_refused_hand_leaves_a_typed_line_alone_and_comes_back_by_change(page: "Page", event: Event) -> None:
    network(page, there=False)
    desk.keep(page, "2r2 340")
    page.keyboard.type("d1")
    network(page, there=True)
    refused = item(page, "2r2 340")
    expect(refused.locator(".waiting-state")).to_have_text("not taken")
    expect(refused.locator(".waiting-problems")).to_have_text("Birk (player 2) cannot win off their own discard.")
    expect(desk.line(page)).to_have_value("d1")
    refused.get_by_role("button", name="Change").click()
    expect(desk.line(page)).to_have_value("2r2 340")
    desk.line(page).fill("2r3 340")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(1)
    expect(desk.line(page)).to_have_value("d1")  # what stood there before
    assert ledger(event) == ["2r3 340"]


def test_a_hand_is_thrown_away_only_when_asked_twice(page: "Page", event: Event) -> None:
    network(page, there=False)
    desk.keep(page, "2r2 340")
    desk.keep(page, "1t 230")
    page.keyboard.type("x")
    network(page, there=True)
    throw = item(page, "2r2 340").get_by_role("button", name="Throw away")
    page.once("dialog", lambda dialog: dialog.dismiss())
    throw.click()
    expect(desk.waiting_here(page)).to_have_count(2)
    say_yes(page)
    throw.click()
    expect(desk.hands(page)).to_have_count(1)  # the one behind it goes out
    assert ledger(event) == ["1t 230"]


def test_a_refused_hand_is_changed_from_any_page(page: "Page", event: Event) -> None:
    network(page, there=False)
    desk.keep(page, "2r2 340")
    page.keyboard.type("x")
    network(page, there=True)
    expect(item(page, "2r2 340").locator(".waiting-state")).to_have_text("not taken")
    page.goto(f"/desk/{event.slug}/")
    expect(desk.waiting(page)).to_have_text("1 hand waits on this laptop")
    page.locator("#outbox summary").click()
    page.locator("#outbox").get_by_role("button", name="Change").click()
    expect(desk.line(page)).to_have_value("2r2 340")
    expect(desk.line(page)).to_be_focused()
    desk.line(page).fill("2r3 340")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(1)
    assert ledger(event) == ["2r3 340"]


def test_a_hand_by_form_waits_and_is_changed_in_the_form(page: "Page", event: Event) -> None:
    network(page, there=False)
    page.get_by_text("Enter by form").click()
    page.get_by_role("radio", name="Ron", exact=True).check()
    page.get_by_label("Birk wins", exact=True).check()
    page.get_by_label("Han of Birk", exact=True).select_option("3")
    page.get_by_label("Fu of Birk", exact=True).select_option("40")
    page.locator(".hand-form").get_by_role("button", name="Enter hand").click()
    expect(desk.waiting_here(page)).to_have_count(1)
    expect(page.get_by_label("Birk wins", exact=True)).not_to_be_checked()
    network(page, there=True)
    expect(page.locator(".hand-form .note.is-error")).to_have_text("Error Choose who discarded the winning tile.")
    expect(page.get_by_label("Birk wins", exact=True)).to_be_checked()
    page.get_by_label("Cyan discarded the winning tile", exact=True).check()
    page.locator(".hand-form").get_by_role("button", name="Enter hand").click()
    expect(desk.hands(page)).to_have_count(1)
    assert ledger(event) == ["2r3 340"]


# ---------------------------------------------------------------- the table has moved on


@pytest.fixture
def overtaken(page: "Page", event: Event) -> "Page":
    """Keep a hand at table 1 while another laptop enters one there; the line is in use, so it stands in the list."""
    network(page, there=False)
    desk.keep(page, "2r3 340")
    enter_all(table_of(event), "1t 230")
    page.keyboard.type("x")
    network(page, there=True)
    moved = item(page, "2r3 340")
    expect(moved.locator(".waiting-state")).to_have_text("the table has moved on")
    expect(moved.locator(".waiting-between li")).to_have_text(re.compile("^1\\. Akelei .* by tsumo: 2 han 30 fu"))
    return page


def test_sent_all_the_same(overtaken: "Page", event: Event) -> None:
    item(overtaken, "2r3 340").get_by_role("button", name="Send it all the same").click()
    expect(desk.hands(overtaken)).to_have_count(2)
    assert ledger(event) == ["1t 230", "2r3 340"]


@pytest.mark.parametrize("told_again", [False, True])
def test_changed_after_looking(overtaken: "Page", event: Event, told_again: bool) -> None:
    if told_again:  # by the page, which has seen a new version
        overtaken.evaluate("document.body.dispatchEvent(new CustomEvent('version-changed'))")
        expect(overtaken.locator("[data-watch-note]")).to_be_visible()
    item(overtaken, "2r3 340").get_by_role("button", name="Change").click()
    desk.line(overtaken).fill("2r3 240")
    overtaken.keyboard.press("Enter")
    expect(desk.hands(overtaken)).to_have_count(2)
    expect(overtaken.locator("[data-watch-note]")).to_have_count(0)
    assert ledger(event) == ["1t 230", "2r3 240"]


def test_thrown_away_because_it_is_there_already(overtaken: "Page", event: Event) -> None:
    say_yes(overtaken)
    item(overtaken, "2r3 340").get_by_role("button", name="Throw away").click()
    expect(desk.waiting_here(overtaken)).to_have_count(0)
    assert ledger(event) == ["1t 230"]


# ---------------------------------------------------------------- who sends


def test_a_session_that_ended_keeps_everything_and_sends_after_signing_in(page: "Page", event: Event) -> None:
    DeskSession.objects.all().delete()
    desk.keep(page, "2r3 340")
    desk.keep(page, "1t 230")
    expect(page.get_by_text("Sign in again:")).to_be_visible()
    expect(desk.waiting(page)).to_have_text("2 hands wait on this laptop")
    page.locator("#outbox summary").click()
    page.locator("#outbox").get_by_role("link", name="Sign in").click()
    page.wait_for_url("**/login/?next=*")
    come_in_as(page, writer_of(event))
    at_table(page, event)
    expect(desk.hands(page)).to_have_count(2)
    assert ledger(event) == ["2r3 340", "1t 230"]


def test_hands_of_another_account_are_not_sent_unasked(page: "Page", event: Event) -> None:
    tab = page.context.new_page()
    network(page, there=False)
    desk.keep(page, "2r3 340")
    other = make_account("Rita")
    Membership.objects.create(event=event, account=other, role=Role.REFEREE)
    come_in_as(page, other)
    page.close()
    tab.context.set_offline(False)
    at_table(tab, event)
    waits = item(tab, "2r3 340")
    expect(waits.locator(".waiting-state")).to_have_text("typed by Organiser, and not sent under your name unasked")
    assert ledger(event) == []
    waits.get_by_role("button", name="Send it all the same").click()
    expect(desk.hands(tab)).to_have_count(1)
    expect(tab.locator("table.hands tbody tr")).to_have_count(1)
    assert [row.by for row in rows_of(table_of(event))] == [str(other.uid)]


# ---------------------------------------------------------------- two tabs


def test_two_tabs_send_what_waits_once(page: "Page", event: Event) -> None:
    other = beside(page, event)
    network(page, there=False)
    desk.keep(other, "2r3 340")
    page.bring_to_front()
    expect(desk.waiting_here(page)).to_have_count(1)
    desk.line(page).focus()
    desk.keep(page, "1t 230")
    expect(desk.waiting_here(other)).to_have_count(2)
    network(page, there=True)
    for tab in (page, other):
        expect(desk.hands(tab)).to_have_count(2)
        expect(desk.waiting_here(tab)).to_have_count(0)
    assert ledger(event) == ["2r3 340", "1t 230"]
