"""Hands that wait on a laptop: offline, refused, in two tabs, under another name, behind a slow answer.

A hand that another one has overtaken waits in test_outbox_overtaken.py; the desk's own process is killed and started
again in test_full_round.py.
"""

from typing import TYPE_CHECKING

import pytest

from scoring.shorthand import write
from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import make_account, rows_of, table_of, writer_of
from tests.fixtures import live_event
from tests.pages.at_desk import session_of
from tournament.accounts.models import Account, DeskSession, Membership, Role
from tournament.events.models import Event
from tournament.tables.history import read_payload

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route


event = live_event(tables=2, rounds=1)


@pytest.fixture
def page(open_tab: OpenTab, event: Event) -> "Page":
    """Open table 1 as the organiser."""
    tab = at_table(open_tab(writer_of(event)), event)
    expect(desk.line(tab)).to_be_focused()
    return tab


def at_table(page: "Page", event: Event, number: int = 1) -> "Page":
    page.goto(f"/desk/{event.slug}/rounds/1/tables/{number}/")
    expect(page.locator("html.has-picker")).to_have_count(1)  # all of the page is there
    return page


def beside(page: "Page", event: Event, number: int = 1) -> "Page":
    """Open another tab of the same browser."""
    tab = page.context.new_page()
    tab.set_default_timeout(30_000)
    return at_table(tab, event, number)


class Ledger:
    """The hands that the desk has of a table, of which each step of a test looks at those that are new."""

    def __init__(self, event: Event, table: int = 1) -> None:
        self.event, self.table, self.seen = event, table, 0

    def new(self) -> list[str]:
        rows = rows_of(table_of(self.event, self.table))[self.seen :]
        self.seen += len(rows)
        return [write(entry) if (entry := read_payload(row.payload)) else "" for row in rows]


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


def test_what_is_typed_and_filled_in_while_an_answer_is_under_way(page: "Page", event: Event) -> None:
    ledger, held = Ledger(event), Held(page)
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
    assert ledger.new() == ["2r3 340", "1t 230"]
    five_hands_typed_without_looking_up_arrive_in_order(page, ledger)
    totals_and_a_hand_being_tapped_survive_the_answer(page)
    assert ledger.new() == ["2r3 340"]

    # without a store the form posts by itself, and the page says so
    page.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined })")
    at_table(page, event, 2)
    expect(page.locator("[data-outbox-none]")).to_be_visible()
    page.keyboard.type("2r3 340")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(1)
    assert Ledger(event, 2).new() == ["2r3 340"]


def five_hands_typed_without_looking_up_arrive_in_order(page: "Page", ledger: Ledger) -> None:
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
    expect(desk.hands(page)).to_have_count(7)
    expect(desk.waiting_here(page)).to_have_count(0)
    assert ledger.new() == typed


def totals_and_a_hand_being_tapped_survive_the_answer(page: "Page") -> None:
    held = Held(page)
    page.keyboard.type("2r3 340")
    page.keyboard.press("Enter")
    desk.tap(page, "1", "Tsumo", "=230", "Note, announced")
    note = page.get_by_label("Note", exact=True)
    note.fill("shown tiles")
    held.let_go()
    expect(desk.hands(page)).to_have_count(8)
    expect(desk.line(page)).to_have_value("1t 230 #shown tiles")
    expect(note).to_have_value("shown tiles")
    expect(note).to_be_focused()


# ---------------------------------------------------------------- no network


@pytest.mark.follows("during/no-network.md")
def test_hands_wait_with_what_the_desk_understood_and_go_out_when_the_network_is_back(
    page: "Page", event: Event
) -> None:
    ledger = Ledger(event)
    page.keyboard.type("2r3 340")
    expect(desk.understood(page)).to_contain_text("Birk (2, South) ron from Cyan (3, West)")
    network(page, there=False)
    page.keyboard.press("Enter")
    expect(item(page, "2r3 340").locator("[data-part=said]")).to_have_text(
        "Birk (2, South) ron from Cyan (3, West): 3 han 40 fu, 5,200"
    )
    desk.keep(page, "1t 230")
    expect(desk.waiting(page)).to_have_text("2 hands wait on this laptop")
    page.keyboard.type("d")
    expect(desk.understood(page)).to_have_text(
        "No network: the hand is checked as soon as the desk is back. Enter keeps it."
    )
    assert ledger.new() == []
    network(page, there=True)
    expect(desk.hands(page)).to_have_count(2)
    expect(desk.waiting(page)).to_be_hidden()
    expect(desk.line(page)).to_have_value("d")
    assert ledger.new() == ["2r3 340", "1t 230"]
    desk.line(page).fill("")
    the_grid_hears_what_waits_where(page, event)

    # an act that cannot wait says that it was lost
    network(page, there=False)
    page.get_by_role("button", name="Call a referee").click()
    expect(page.locator("[data-outbox-lost]")).to_contain_text("The desk does not answer: this was not done.")


def the_grid_hears_what_waits_where(page: "Page", event: Event) -> None:
    grid = page.context.new_page()
    grid.add_init_script(
        "document.addEventListener('outbox-changed', ({ detail }) => "
        "{ document.documentElement.dataset.heard = JSON.stringify(detail) })"
    )
    grid.goto(f"/desk/{event.slug}/")
    network(page, there=False)
    page.bring_to_front()
    desk.line(page).focus()
    desk.keep(page, "2r2 340")
    desk.keep(page, "1t 230")
    heard = '{"tables":[{"event":"%s","round":1,"table":1,"waiting":2,"refused":%d}],"acts":[]}'
    expect(grid.locator("html")).to_have_attribute("data-heard", heard % (event.slug, 0))
    network(page, there=True)
    expect(grid.locator("html")).to_have_attribute("data-heard", heard % (event.slug, 1))
    grid.close()


# ---------------------------------------------------------------- refused


def test_a_refused_hand_is_mended_changed_or_thrown_away(page: "Page", event: Event) -> None:
    ledger = Ledger(event)
    in_the_middle_it_is_mended_in_its_place(page, ledger)
    a_typed_line_is_left_alone_and_it_comes_back_by_change(page, ledger)

    # thrown away only when asked twice
    network(page, there=False)
    desk.keep(page, "2r2 340")
    desk.keep(page, "1t 230")
    page.keyboard.type("x")
    network(page, there=True)
    throw = item(page, "2r2 340").get_by_role("button", name="Discard")
    page.once("dialog", lambda dialog: dialog.dismiss())
    throw.click()
    expect(desk.waiting_here(page)).to_have_count(2)
    say_yes(page)
    throw.click()
    expect(desk.hands(page)).to_have_count(5)  # the one behind it goes out
    expect(desk.waiting_here(page)).to_have_count(0)
    assert ledger.new() == ["1t 230"]
    desk.line(page).fill("")

    # changed from any page
    network(page, there=False)
    desk.keep(page, "2r2 340")
    page.keyboard.type("x")
    network(page, there=True)
    expect(item(page, "2r2 340").locator(".waiting-state")).to_have_text("not accepted")
    page.goto(f"/desk/{event.slug}/")
    expect(desk.waiting(page)).to_have_text("1 hand waits on this laptop")
    page.locator("#outbox summary").click()
    page.locator("#outbox").get_by_role("button", name="Change").click()
    expect(desk.line(page)).to_have_value("2r2 340")
    expect(desk.line(page)).to_be_focused()
    desk.line(page).fill("2r3 340")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(6)
    assert ledger.new() == ["2r3 340"]
    by_cards_it_waits_and_is_changed_in_the_line(page, ledger)


def in_the_middle_it_is_mended_in_its_place(page: "Page", ledger: Ledger) -> None:
    network(page, there=False)
    for shorthand in ("2r3 340", "2r2 340", "1t 230"):
        desk.keep(page, shorthand)
    network(page, there=True)
    expect(desk.line(page)).to_have_value("2r2 340")
    expect(desk.understood(page).locator(".note.is-error")).to_contain_text("cannot win by ron from their own discard")
    expect(desk.waiting_here(page).locator("code")).to_have_text(["1t 230"])
    assert ledger.new() == ["2r3 340"]
    desk.line(page).fill("3r2 340")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(3)
    assert ledger.new() == ["3r2 340", "1t 230"]


def a_typed_line_is_left_alone_and_it_comes_back_by_change(page: "Page", ledger: Ledger) -> None:
    network(page, there=False)
    desk.keep(page, "2r2 340")
    page.keyboard.type("d1")
    network(page, there=True)
    refused = item(page, "2r2 340")
    expect(refused.locator(".waiting-state")).to_have_text("not accepted")
    expect(refused.locator(".waiting-problems")).to_have_text(
        "Birk (player 2) cannot win by ron from their own discard."
    )
    expect(desk.line(page)).to_have_value("d1")
    refused.get_by_role("button", name="Change").click()
    expect(desk.line(page)).to_have_value("2r2 340")
    desk.line(page).fill("2r3 340")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(4)
    expect(desk.line(page)).to_have_value("d1")  # what stood there before
    assert ledger.new() == ["2r3 340"]
    desk.line(page).fill("")


def by_cards_it_waits_and_is_changed_in_the_line(page: "Page", ledger: Ledger) -> None:
    desk.line(page).fill("")
    network(page, there=False)
    desk.tap(page, "2", "3", "=340", "Note, announced")
    page.get_by_label("Announced to the winner").fill("5200+8000")
    desk.tap(page, "Enter hand")
    expect(desk.waiting_here(page)).to_have_count(1)
    expect(desk.line(page)).to_have_value("")
    network(page, there=True)
    expect(desk.understood(page).locator(".note.is-error")).to_contain_text("5200+8000")
    desk.line(page).fill("2r3 340")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(7)
    assert ledger.new() == ["2r3 340"]


# ---------------------------------------------------------------- two tabs, and who sends


def test_two_tabs_send_what_waits_once_and_nobody_under_anothers_name(page: "Page", event: Event) -> None:
    ledger, other = Ledger(event), beside(page, event)
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
    assert ledger.new() == ["2r3 340", "1t 230"]
    other.goto("about:blank")
    page.bring_to_front()
    a_session_that_ended_keeps_everything_and_sends_after_signing_in(page, event)
    assert ledger.new() == ["2r3 340", "1t 230"]

    # hands of another account are not sent unasked, also not by a page that this account has left open
    network(page, there=False)
    desk.keep(page, "2r3 340")
    rita = make_account("Rita")
    Membership.objects.create(event=event, account=rita, role=Role.REFEREE)
    come_in_as(page, rita)
    network(page, there=True)
    expect(page.get_by_text("Sign in again:")).to_be_visible()
    at_table(other, event)
    waits = item(other, "2r3 340")
    expect(waits.locator(".waiting-state")).to_have_text("typed by Organiser; sent under your name only if you agree")
    assert ledger.new() == []
    waits.get_by_role("button", name="Send it anyway").click()
    expect(desk.hands(other)).to_have_count(5)
    assert ledger.new() == ["2r3 340"]
    assert rows_of(table_of(event))[-1].by == str(rita.uid)

    # and go out once, under the name of who typed them, as soon as that account is signed in again
    page.bring_to_front()
    expect(desk.hands(page)).to_have_count(5)
    desk.line(page).focus()
    desk.keep(page, "1t 230")
    expect(page.get_by_text("Sign in again:")).to_be_visible()
    assert ledger.new() == []
    come_in_as(page, writer_of(event))
    at_table(page, event)
    expect(desk.hands(page)).to_have_count(6)
    assert ledger.new() == ["1t 230"]
    assert rows_of(table_of(event))[-1].by == str(writer_of(event).uid)


def a_session_that_ended_keeps_everything_and_sends_after_signing_in(page: "Page", event: Event) -> None:
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
    expect(desk.hands(page)).to_have_count(4)


def test_a_desk_that_answers_while_a_hand_is_on_its_way_is_asked_again_at_once(page: "Page") -> None:
    page.clock.install(time=0)
    page.reload()
    expect(page.locator("html.has-picker")).to_have_count(1)
    expect(desk.line(page)).to_be_focused()
    page.clock.pause_at(3_600)  # no pause between two tries ends by itself
    held: list[Route] = []
    page.route("**/tables/1/", lambda route: held.append(route) if not held else route.continue_())
    with page.expect_request(lambda request: request.method == "POST"):
        page.keyboard.type("2r3 340")
        page.keyboard.press("Enter")
    page.evaluate("document.dispatchEvent(new Event('desk-answers'))")
    held[0].abort()
    expect(desk.hands(page)).to_have_count(1)
