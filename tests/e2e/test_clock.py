"""The clock in the browser: one second on devices that are wrong, through reload and no network; and at the desk."""

import datetime as dt
import itertools
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.db.models import F
from django.utils import timezone

from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import enter, round_of, table_of, writer_of
from tests.fixtures import live_event
from tournament.core.now import clock_at
from tournament.events.models import Event
from tournament.rounds.actions import pause_clock, start_round
from tournament.tables.models import Round
from tournament.tables.round_queries import get_clock

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

HOUR = 3_600_000
# what of the clock leaves the screen
BEYOND = """[...document.querySelectorAll(".is-over, .wall p, .is-shown p")]
  .filter((node) => node.checkVisibility())
  .filter((node) => node.getBoundingClientRect().right > innerWidth + 1 || node.getBoundingClientRect().left < -1)
  .map((node) => node.textContent)"""
NEAR = 400  # milliseconds; on a quiet machine it is 40 after loading and 2 after two polls
# a device whose clock is wrong, and by how much the page's idea of the server's time is
WRONG = """(() => {
  const real = Date.now.bind(Date), origin = performance.timeOrigin, wrong = %d;
  Date.now = () => real() + wrong;
  Object.defineProperty(performance, "timeOrigin", { get: () => origin + wrong });
  document.addEventListener("clock-tick", ({ detail }) => {
    const here = document.documentElement.dataset;
    here.off = detail.now - real();
    here.ticks = Number(here.ticks || 0) + 1;
  });
})()"""
OFF = "(near) => Math.abs(Number(document.documentElement.dataset.off)) < near"


def running(event: Event, *, left: dt.timedelta) -> Event:
    """Start the first round so that this is left of it now."""
    with clock_at(timezone.now() + left - dt.timedelta(minutes=event.ruleset.minutes)):
        start_round(round_=round_of(event), by=writer_of(event))
    return event


def tick_on(pages: "Sequence[Page]") -> None:
    """Wait until the clocks have gone on for two seconds."""
    for page in pages:
        page.evaluate("document.documentElement.dataset.ticks = 0")
    for page in pages:
        expect(page.locator("html")).to_have_attribute("data-ticks", re.compile("[2-9]"))


event = live_event(slug="cup", tables=2, rounds=1)


@pytest.mark.slow
def test_wrong_devices_show_one_second_through_reload_and_no_network(open_tab: OpenTab, event: Event):
    running(event, left=dt.timedelta(minutes=40))
    pages = [open_tab() for _ in range(3)]
    for page, wrong in zip(pages, (0, 290_000, -HOUR), strict=True):
        page.add_init_script(WRONG % wrong)
        page.goto("/e/cup/clock/")
    for act in ("load", "reload", "no network"):
        for page in pages:
            if act == "reload":
                page.reload()
            # all that it keeps is there: what the network breaks off is an error that nobody sees on a page
            page.wait_for_function("() => navigator.serviceWorker.controller !== null", polling=50)
            page.context.set_offline(act == "no network")
        tick_on(pages)
        for page in pages:  # on a crowded machine only when it has asked once more
            page.wait_for_function(OFF, arg=NEAR, polling=50)


def test_a_screen_says_until_when_without_scripts_sounds_after_a_press_and_pauses_by_itself(
    open_tab: OpenTab, event: Event
):
    running(event, left=dt.timedelta(minutes=40))
    ends = get_clock(round_of(event)).ends_at
    assert ends is not None
    page = open_tab()
    button = page.get_by_role("button", name="Sound")

    # without scripts: until when, and nothing to press
    wire = page.context.new_cdp_session(page)
    wire.send("Emulation.setScriptExecutionDisabled", {"value": True})
    page.goto("/e/cup/clock/")
    expect(page.locator(".wall-time")).to_contain_text(f"{timezone.localtime(ends):%H:%M}")
    expect(page.get_by_role("button")).to_have_count(0)
    wire.send("Emulation.setScriptExecutionDisabled", {"value": False})

    # sound waits for a press
    page.clock.install()
    page.goto("/e/cup/clock/")
    expect(page.locator(".wall-signals .is-next")).to_contain_text("15 minutes left")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")

    # a pause reaches a screen that nobody touches
    pause_clock(round_=round_of(event), reason="fire alarm", by=writer_of(event))
    page.clock.fast_forward(4_000)  # in three seconds it asks
    expect(page.locator(".wall-after").first).to_contain_text("Paused since")


@pytest.mark.slow
def test_the_end_of_time_fits_on_every_screen_in_every_language(open_tab: OpenTab, event: Event):
    running(event, left=dt.timedelta(minutes=-1))
    page = open_tab()
    for language, (width, height) in itertools.product(("en-gb", "de", "fr", "ja"), ((1920, 1080), (1280, 720))):
        Event.objects.update(language=language)
        cache.clear()
        page.set_viewport_size({"width": width, "height": height})
        for address in ("/e/cup/clock/", "/e/cup/display/clock/"):
            page.goto(address)
            expect(page.locator(".is-over:visible").first).to_be_visible()
            assert page.evaluate(BEYOND) == [], (language, width, address)


@pytest.mark.slow
def test_the_grid_marks_its_tables_by_itself_when_the_time_is_up(open_tab: OpenTab, event: Event):
    with clock_at(timezone.now() - dt.timedelta(minutes=20)):
        enter(table_of(event, 2), "1t 230")
    running(event, left=dt.timedelta(minutes=2))
    page = open_tab(writer_of(event))
    page.clock.install()
    page.goto("/desk/cup/")
    marks = page.locator(".tile > .state")
    expect(marks).to_have_text(["no hands yet", "playing"])
    # two minutes later, for the server and for the page; no version tells it
    Round.objects.filter(event=event).update(started_at=F("started_at") - dt.timedelta(minutes=2))
    page.clock.fast_forward(121_000)
    expect(marks).to_have_text(["time is up: this hand and one more"] * 2)


def test_what_comes_while_a_part_is_on_the_way_is_asked_for_again(open_tab: OpenTab, event: Event):
    running(event, left=dt.timedelta(minutes=2))
    page = open_tab(writer_of(event))
    page.goto("/desk/cup/")
    marks = page.locator(".tile > .state")
    expect(marks).to_have_text(["no hands yet", "no hands yet"])

    def answer_late(route: "Route") -> None:
        answer = route.fetch()  # the state before the time is up
        Round.objects.filter(event=event).update(started_at=F("started_at") - dt.timedelta(minutes=2))
        page.evaluate("document.body.dispatchEvent(new CustomEvent('clock-signal'))")
        route.fulfill(response=answer)

    page.route("**/desk/cup/", answer_late, times=1)
    page.evaluate("document.body.dispatchEvent(new CustomEvent('version-changed'))")
    expect(marks).to_have_text(["time is up: this hand and one more"] * 2)


def test_minutes_are_given_from_the_grid_in_three_taps(open_tab: OpenTab, event: Event):
    running(event, left=dt.timedelta(minutes=40))
    page = open_tab(writer_of(event))
    page.goto("/desk/cup/")
    page.get_by_text("More minutes").click()
    page.locator("#more-table").fill("2")
    page.get_by_role("button", name="+10 min").click()
    expect(page.locator(".said-acts")).to_contain_text("Table 2: +10 min, referee at the table")
    expect(page.locator('[data-table="2"] .tile-signs')).to_contain_text("+10 min")
