"""A page made before the last hand was written, and a hint that was true without network: both mend themselves."""

from typing import TYPE_CHECKING, Any, Literal

import pytest

from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import enter, table_of, writer_of
from tests.fixtures import live_event
from tournament.events.models import Event

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

STORES_ANSWER = """indexedDB.databases().then((all) => Promise.all(all.map(({ name }) => new Promise((done) => {
  const asked = indexedDB.open(name);
  asked.onsuccess = () => done(asked.result.close());
}))))"""
NOTHING_WAITS = """document.addEventListener("outbox-changed", ({ detail }) => {
  if (!detail.tables.length) console.info("nothing waits");
})"""
MOVED = "document.body.dispatchEvent(new CustomEvent('version-changed'))"


event = live_event(slug="cup", tables=1, rounds=1)


@pytest.fixture
def page(open_tab: OpenTab, event: Event) -> "Page":
    """Open table 1 as the organiser."""
    tab = open_tab(writer_of(event))
    tab.goto("/desk/cup/rounds/1/tables/1/")
    expect(tab.locator("html.has-picker")).to_have_count(1)
    expect(desk.line(tab)).to_be_focused()
    return tab


def test_what_was_lost_is_asked_again_without_another_version_or_another_key(page: "Page", event: Event) -> None:
    the_line_is_read_back_as_soon_as_the_desk_answers(page)
    for hands, lost in enumerate(("**/between/**", "**/tables/1/"), start=1):
        aborted = lose_the_first(page, lost)
        enter(table_of(event), "1t 230")
        page.evaluate(MOVED)
        expect(desk.hands(page)).to_have_count(hands)
        assert len(aborted) == 1
        page.unroute(lost)
    nobody_is_told_of_a_hand_of_their_own_whose_answer_was_lost(page, hands=3)


def lose_the_first(page: "Page", question: str) -> list[str]:
    """Lose the first question of a kind on its way; return the addresses of what was lost."""
    aborted: list[str] = []

    def meet(route: "Route") -> None:
        if aborted:
            route.continue_()
        else:
            aborted.append(route.request.url)
            route.abort()

    page.route(question, meet)
    return aborted


def the_line_is_read_back_as_soon_as_the_desk_answers(page: "Page") -> None:
    page.context.set_offline(True)
    page.keyboard.type("2r3 340")
    expect(desk.understood(page)).to_contain_text("No network")
    page.context.set_offline(False)
    expect(desk.understood(page)).to_contain_text("Birk (2, South) ron from Cyan (3, West)")
    desk.line(page).fill("")


def nobody_is_told_of_a_hand_of_their_own_whose_answer_was_lost(page: "Page", *, hands: int) -> None:
    lost: list[str] = []

    def meet(route: "Route") -> None:
        if route.request.method == "POST" and not lost:
            route.fetch()
            lost.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    page.route("**/tables/1/", meet)
    page.keyboard.type("2r3 340")
    page.keyboard.press("Enter")
    page.keyboard.type("1t 2")
    page.evaluate(MOVED)
    expect(desk.hands(page)).to_have_count(hands)
    expect(page.locator("[data-watch-note]")).to_have_count(0)
    expect(desk.line(page)).to_have_value("1t 2")
    assert len(lost) == 1


def leave_while_answered(page: "Page", *, until: Literal["commit", "load"] = "load") -> None:
    """Send a hand and load the page again, which is made before that hand is written and shown after it is answered.

    The page that is left reads the answer before it goes, and so does not leave the hand to the next one.
    """
    posts: list[Route] = []
    pages: list[Any] = []

    def meet(route: "Route") -> None:
        if route.request.method == "POST" and not pages:
            posts.append(route)
        elif route.request.resource_type == "document" and not pages:
            pages.append((route, route.fetch()))
            posts[0].continue_()  # the hand is written, and answered to the page that is being left
        else:
            route.continue_()

    page.route("**/tables/1/", meet)
    page.route("**/version", lambda route: route.abort())  # nobody tells of a new version
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/tables/1/")):
        page.keyboard.type("2r3 340")
        page.keyboard.press("Enter")
    page.evaluate(NOTHING_WAITS)
    with page.expect_console_message(lambda message: message.text == "nothing waits"):
        page.evaluate("location.assign(location.href)")
    route, made_before = pages[0]
    with page.expect_navigation(wait_until=until):
        route.fulfill(response=made_before)


def test_a_page_made_before_the_last_hand_was_written_catches_up_and_is_no_conflict_with_it(page: "Page") -> None:
    leave_while_answered(page)
    expect(desk.hands(page)).to_have_count(1)
    page.unroute_all()

    # where it does not catch up, a hand typed on it is no conflict with the one before it
    expect(page.locator("html.has-picker")).to_have_count(1)
    page.route("**/between/**", lambda route: route.abort())
    leave_while_answered(page)
    expect(page.locator("html.has-picker")).to_have_count(1)
    expect(desk.hands(page)).to_have_count(1)
    page.keyboard.type("1t 230")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(3)
    expect(desk.waiting(page)).to_be_hidden()


def test_a_page_whose_scripts_come_late_catches_up(page: "Page") -> None:
    held: list[Route] = []
    page.route("**/table_watch.js", lambda route: held.append(route))  # noqa: PLW0108  playwright wants a function of its own
    leave_while_answered(page, until="commit")
    expect(page.locator("#outbox")).to_have_attribute("data-waiting", "0")
    page.evaluate(STORES_ANSWER)  # what the page knows of the table has been read by now
    assert held
    for route in held:
        route.continue_()
    expect(desk.hands(page)).to_have_count(1)
