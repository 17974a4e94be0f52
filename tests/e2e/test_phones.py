"""Phones in a hall: all show a release within one interval, one without network shows the last state and its time.

Nothing moves under a finger, and nothing shifts while a page is loaded. That the first load is small stands in
test_full_round.py, which has a desk as organisers start it.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.conftest import OpenTab
from tests.e2e.contexts import PHONE
from tests.e2e.timeouts import expect
from tests.factories import make_event, play_round, round_of, writer_of
from tournament.events.actions import set_visibility
from tournament.events.models import Event, Visibility
from tournament.rounds.actions import start_round

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

PLAYERS = 4
FEW, MANY = 1, 5  # phones that follow each of them
INTERVAL = 0.5  # seconds, three tenths more or less: see static/js/version_stream.js
WITHIN = 6_000  # milliseconds for twenty pages in one browser; alone each takes one interval and a request

AS_OF = re.compile(r"No network\. As of (.+, )?\d\d:\d\d$")  # with the day where midnight has passed
WAITING = "navigator.serviceWorker.ready.then((found) => found.waiting !== null)"
NO_CACHES = "caches.keys().then((names) => names.length === 0)"
CACHED = "caches.match('/e/cup/standings/', { ignoreVary: true }).then(Boolean)"

# How far anything moved that nobody touched, since the page began to load.
SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture(autouse=True)
def _quick(settings: Any) -> None:
    settings.PHONE_POLL_SECONDS = INTERVAL


@pytest.fixture
def event(live_server: Any) -> Event:
    """Return an event of five tables, the first of two rounds in play."""
    event = make_event(slug="cup", tables=5, rounds=2)
    start_round(round_=round_of(event), by=writer_of(event))
    return event


@pytest.fixture
def hall(chromium: "Browser", live_server: Any, event: Event, phones_each: int) -> Iterator[list["Page"]]:
    """Open the page of each player on so many phones, and on one more in a context of its own, the last."""
    contexts: list[BrowserContext] = []
    pages = []
    for number, phones in [*((5 * player + 1, phones_each) for player in range(PLAYERS)), (2, 1)]:
        context = chromium.new_context(**PHONE, base_url=live_server.url, locale="en-GB", service_workers="block")
        contexts.append(context)
        context.add_init_script(SHIFTS)
        for _ in range(phones):
            pages.append(context.new_page())
            pages[-1].goto(f"/e/cup/?me={number}", wait_until="commit")
    yield pages
    for context in contexts:
        context.close()


def wait_for_promise(page: "Page", expression: str) -> None:
    """Wait until the promise of this expression is true: wait_for_function takes any promise for true at once."""
    page.evaluate(f"async () => {{ while (!(await {expression})) await new Promise((next) => setTimeout(next, 50)); }}")


@pytest.mark.follows("during/players-see.md")
@pytest.mark.parametrize("phones_each", [FEW, pytest.param(MANY, marks=pytest.mark.nightly)])
def test_all_phones_show_a_release_and_one_without_network_its_time(hall: list["Page"], event: Event, phones_each: int):
    *others, away = hall
    for index, page in enumerate(others):
        table = 5 * (index // phones_each) // 4 + 1
        expect(page.locator(".compass-mid")).to_have_text(re.compile(rf"Table\s+{table}$"))
        expect(page.locator(".my-place")).to_have_count(0)
    expect(away.locator(".is-bottom")).to_contain_text("Birk")
    away.wait_for_load_state("load")  # its scripts are there
    away.context.set_offline(True)
    told = away.locator("[data-as-of]")
    expect(told).to_have_text(AS_OF)
    play_round(event, 1, "2r3 340/2")
    for page in others:
        expect(page.locator("h1")).to_have_text("Round 2", timeout=WITHIN)
        expect(page.locator(".my-place")).to_contain_text("After round 1 of 2")
        assert page.evaluate("window.shifted") == 0
    assert away.locator("h1").inner_text() == "Round 1"
    expect(told).to_be_visible()
    away.context.set_offline(False)
    expect(away.locator("h1")).to_have_text("Round 2", timeout=WITHIN)
    expect(told).to_be_hidden()
    assert away.evaluate("window.shifted") == 0


def test_a_page_opens_without_a_network_where_the_browser_keeps_it(open_tab: OpenTab, event: Event):
    page = open_tab(phone=True)
    page.goto("/e/cup/?me=3")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null", polling=50)
    assert page.evaluate("navigator.serviceWorker.ready.then((found) => new URL(found.scope).pathname)") == "/e/cup/"
    page.goto("/e/cup/standings/")
    page.goto("/e/cup/")
    play_round(event, 1, "2r3 340/2")
    expect(page.locator("h1")).to_have_text("Round 2")  # it learned that after it was kept
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("h1")).to_have_text("Round 2")
    expect(page.locator(".is-bottom")).to_contain_text("Cyan")
    expect(page.locator("[data-as-of]")).to_have_text(AS_OF)
    page.get_by_role("link", name="Standings", exact=True).click()
    expect(page.locator("h1")).to_have_text("Standings")
    assert page.evaluate("caches.keys().then((names) => names.length)") == 1
    kept = page.evaluate(
        "caches.keys().then((names) => caches.open(names[0])).then((one) => one.keys())"
        ".then((all) => all.map(({ url }) => new URL(url).pathname))"
    )
    assert sorted(path for path in kept if not path.startswith("/static/")) == ["/e/cup/", "/e/cup/standings/"]
    # a page that was never opened: the desk's own words, and the way to those that are kept
    page.goto("/e/cup/recap/")
    expect(page.locator("h1")).to_have_text("No network")
    page.get_by_role("link", name="Standings").click()
    expect(page.locator("h1")).to_have_text("Standings")
    page.goto("/e/cup/")
    page.context.set_offline(False)
    page.reload()
    expect(page.locator("[data-as-of]")).to_be_hidden()
    set_visibility(event=event, visibility=Visibility.DRAFT, by=writer_of(event))
    page.reload()
    wait_for_promise(page, NO_CACHES)  # nothing of it opens any more


def test_a_newer_worker_waits_until_its_pages_are_closed(open_tab: OpenTab, event: Event, settings: Any):
    # with skipWaiting Chromium now and then loses the answer to a page that is opened while the newer one takes over
    page = open_tab(phone=True)
    page.goto("/e/cup/")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null", polling=50)
    assert page.evaluate(f"{WAITING}") is False
    settings.LANGUAGES = settings.LANGUAGES[:2]  # as a program with other translations
    page.evaluate("navigator.serviceWorker.ready.then((found) => found.update())")
    wait_for_promise(page, WAITING)
    page.goto("/e/cup/standings/")
    assert page.evaluate(f"{WAITING}") is True


def test_a_reader_who_changes_the_language_gets_no_other_worker_and_reads_its_words(open_tab: OpenTab, event: Event):
    page = open_tab(phone=True)
    page.goto("/e/cup/")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null", polling=50)
    page.context.add_cookies([{"name": "django_language", "value": "de", "url": page.url}])
    page.goto("/e/cup/standings/")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.evaluate("navigator.serviceWorker.ready.then((found) => found.update())")
    assert page.evaluate("navigator.serviceWorker.ready.then((found) => found.installing || found.waiting)") is None
    wait_for_promise(page, CACHED)
    page.context.set_offline(True)
    page.goto("/e/cup/recap/")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("h1")).to_have_text("Kein Netz")
    page.locator("a[href='/e/cup/standings/']").click()
    expect(page.locator("[data-as-of]")).to_be_visible()


def test_a_phone_says_that_a_result_is_unchanged_once_it_has_compared(open_tab: OpenTab, event: Event):
    play_round(event, 1, "2r3 340/2")
    page = open_tab(phone=True)
    page.goto("/e/cup/standings/")
    way = page.locator(".record a")
    expect(way).to_have_text("Check this result", use_inner_text=True)
    for address in ("/e/cup/standings/", "/e/cup/"):
        page.goto(address)
        expect(way).to_have_text("Result unchanged", use_inner_text=True)
    key = page.evaluate("Object.keys(localStorage).find((each) => each.startsWith('record '))")
    other = '{"size": 3, "root": "00", "words": "never seen", "at": 1}'
    page.evaluate("([key, value]) => localStorage.setItem(key, value)", [key, other])
    page.reload()
    expect(page.locator(".record .note")).to_contain_text("never seen")
    expect(way).to_have_text("Check this result", use_inner_text=True)


def test_nothing_changes_under_a_finger_and_without_scripts_a_phone_follows(open_tab: OpenTab, event: Event):
    page = open_tab(phone=True)
    wire = page.context.new_cdp_session(page)

    # without scripts a phone chooses and follows
    wire.send("Emulation.setScriptExecutionDisabled", {"value": True})
    page.goto("/e/cup/")
    page.get_by_label("Find a name").fill("iri")
    page.get_by_role("button", name="Find").click()
    page.get_by_role("link", name="Iris").click()
    expect(page.locator(".is-bottom")).to_contain_text("Iris")
    play_round(event, 1, "2r3 340/2")
    page.reload()
    expect(page.locator(".my-place")).to_be_visible()
    page.get_by_role("link", name="Round 1: all hands of table 3").click()
    expect(page.locator("h1")).to_contain_text("Table 3")
    wire.send("Emulation.setScriptExecutionDisabled", {"value": False})

    # nothing changes under a finger, and what is read stays in its place
    page.goto("/e/cup/?me=2")
    heading = page.get_by_role("heading", name="Standings")
    heading.scroll_into_view_if_needed()
    page.evaluate("window.scrollBy(0, 300)")
    page.evaluate("window.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))")
    answers = page.expect_response(lambda answer: "hx-request" in answer.request.headers)
    with answers:
        start_round(round_=round_of(event, 2), by=writer_of(event))
    settled = page.expect_response("**/version/")  # the part is there, and another interval has gone by
    with settled:
        pass
    expect(page.locator(".round-clock")).to_contain_text("Not started yet")
    before = heading.evaluate("(node) => node.getBoundingClientRect().top")
    page.evaluate("window.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))")
    expect(page.locator(".round-clock")).to_contain_text("Time left")
    assert abs(heading.evaluate("(node) => node.getBoundingClientRect().top") - before) < 1
