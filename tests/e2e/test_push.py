"""A phone, the wall and the desk at the desk's own server: each is told of a change on a stream, and does not poll.
A phone gets its page's new part along with it.

When the desk is killed they ask instead, and after it has come back they hold a stream again.
"""

import datetime as dt
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from tests.e2e.conftest import StartDesk
from tests.e2e.contexts import LAPTOP, PHONE
from tests.e2e.own_desk import OwnDesk
from tests.e2e.timeouts import PATIENCE, expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

pytestmark = pytest.mark.slow
START = """
from tests.factories import round_of, writer_of
from tournament.events.models import Event
from tournament.rounds.actions import start_round
event = Event.objects.get(slug="cup")
start_round(round_=round_of(event), by=writer_of(event))
"""
LONGEST_PAUSE = 80_000  # milliseconds: in static/js/version_stream.js a minute, and a third for chance
NOTE_CHANGE = (
    "() => document.body.addEventListener('version-changed', () => (document.documentElement.dataset.changed = ''))"
)
SPOKEN = """document.addEventListener("server-time", ({ detail }) => {
  if (detail.high === Infinity) document.documentElement.dataset.spoken = "";  // on a stream
})"""
ADDRESSES = ("/e/cup/?me=1", "/e/cup/display/", "/desk/cup/")


@pytest.fixture
def own(start_desk: StartDesk) -> OwnDesk:
    return start_desk()


@pytest.fixture
def asked() -> list["Request"]:
    """Collect what the pages ask."""
    return []


@pytest.fixture
def pages(chromium: "Browser", own: OwnDesk, asked: list["Request"]) -> Iterator[list["Page"]]:
    """Open a phone's page, the wall and the grid, each with its stream."""
    opened = []
    for address in ADDRESSES:
        context = chromium.new_context(**(PHONE if "me=" in address else LAPTOP), base_url=own.url, locale="en-GB")
        context.set_default_timeout(PATIENCE)
        context.add_cookies([{"name": "sessionid", "value": own.session, "url": own.url}])
        page = context.new_page()
        page.clock.install()
        page.add_init_script(SPOKEN)
        page.on("request", lambda request: asked.append(request))  # noqa: PLW0108 - playwright marks what it is given
        with page.expect_request(lambda request: request.resource_type == "eventsource"):
            page.goto(address)
        opened.append(page)
    for page in opened:
        expect(page.locator("html")).to_have_attribute("data-spoken", "")
    asked.clear()  # until the first word of its stream a page may ask
    yield opened
    for page in opened:
        page.context.close()


def polls(asked: list["Request"]) -> list[str]:
    return [each.url for each in asked if "/version/" in each.url and each.resource_type != "eventsource"]


def fetched_parts(asked: list["Request"]) -> list[str]:
    return [each.url for each in asked if "/e/cup/?seen=" in each.url]


def ask_now(page: "Page", outcome: str) -> None:
    """Move the page's clock past its longest pause: it asks, with this outcome."""
    with page.expect_event(outcome, lambda each: "/version/" in each.url):
        page.clock.fast_forward(LONGEST_PAUSE)


def test_pages_are_told_and_come_back_when_the_desk_does(pages: list["Page"], own: OwnDesk, asked: list["Request"]):
    phone = pages[0]
    for page in pages:
        page.evaluate(NOTE_CHANGE)
    own.run("shell", "-c", START)
    for page in pages:
        expect(page.locator("html")).to_have_attribute("data-changed", "")  # the policy forbids to wait for a script
    expect(phone.locator(".round-clock")).to_contain_text("Time left")
    assert (polls(asked), fetched_parts(asked)) == ([], [])
    # it asks when it is told to; a busy machine takes its time until the page hears of this moment
    phone.clock.pause_at(timezone.now() + dt.timedelta(seconds=10))
    with phone.expect_event("requestfailed", lambda request: request.resource_type == "eventsource"):
        own.kill()
    for _ in range(2):  # once may be chance
        expect(phone.locator("[data-as-of]")).to_be_hidden()
        ask_now(phone, "requestfailed")
    expect(phone.locator("[data-as-of]")).to_be_visible()
    own.start()
    with phone.expect_request(lambda request: request.resource_type == "eventsource"):
        ask_now(phone, "response")
    expect(phone.locator("[data-as-of]")).to_be_hidden()
    assert polls(asked)
