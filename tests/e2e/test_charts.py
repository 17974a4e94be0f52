"""Charts tell their figures to a pointer and to keys, the race runs; the announcer reveals by a presenter's remote."""

from typing import TYPE_CHECKING

from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import make_event, play_round, writer_of
from tournament.wall.actions import begin_prizes

if TYPE_CHECKING:
    from playwright.sync_api import Page


HANDS = ("1t 230", "2r3 340/2", "d13/1")


def told(tab: "Page") -> str:
    return tab.locator(".chart-told").inner_text()


def the_race_runs(tab: "Page") -> None:
    """Play the race of a page: no name is seen before the end, which is as it was; still where motion is not wanted."""
    tab.clock.install(time=0)
    tab.goto("/e/cup/recap/")
    tab.clock.pause_at(3_600)  # of a race in real time a slow machine misses what is seen on the way
    race, still = tab.locator(".race"), tab.locator(".race li").all_inner_texts()
    tab.locator("[data-race-play]").click()
    expect(race).to_have_class("race is-running")
    expect(race.locator(".name").first).to_have_css("opacity", "0")
    tab.clock.run_for(1_700)
    expect(race).to_have_attribute("data-tick", "R2")
    expect(race).to_have_class("race")
    expect(race.locator(".name").first).to_have_css("opacity", "1")
    assert race.locator("li").all_inner_texts() == still
    tab.emulate_media(reduced_motion="reduce")
    tab.reload()
    expect(race.locator("li").first).to_be_visible()
    expect(tab.locator("[data-race-play]")).to_be_hidden()


def test_charts_tell_and_the_announcer_reveals(open_tab: OpenTab):
    event = make_event(slug="cup", tables=1, rounds=2)
    play_round(event, 1, *HANDS)
    play_round(event, 2, *HANDS)
    tab = open_tab()
    tab.goto("/e/cup/players/2/")
    tab.locator(".chart-hit").nth(1).hover()
    assert told(tab).startswith("R2: ")
    tab.locator("svg:has(.chart-hit.is-on)").focus()
    tab.keyboard.press("Escape")
    assert tab.locator(".chart-told").count() == 0
    tab.keyboard.press("ArrowRight")
    assert told(tab).startswith("R1: ")
    tab.goto("/e/cup/recap/")
    row = tab.locator(".is-shares .chart-hit").first
    row.hover()
    assert told(tab).startswith("East: 1st ")
    below = tab.locator(".chart-told").evaluate("one => one.getBoundingClientRect().top")
    assert below >= row.evaluate("one => one.getBoundingClientRect().bottom") - 1
    the_race_runs(tab)

    organiser = writer_of(event)
    begin_prizes(event=event, top=0, by=organiser)
    desk = open_tab(organiser, phone=True)
    desk.goto("/desk/cup/wall/prizes/")
    for press, shown in (("PageDown", 1), (" ", 2), ("PageUp", 1)):
        desk.keyboard.press(press)
        desk.get_by_text(f"{shown} of 4").wait_for()


def test_the_arrow_keys_step_through_a_table(open_tab: OpenTab):
    event = make_event(slug="cup", tables=1, rounds=1)
    play_round(event, 1, *HANDS)
    tab = open_tab(phone=True)
    tab.goto("/e/cup/rounds/1/tables/1/")
    for hand in (1, 2, 3):
        tab.keyboard.press("ArrowRight")
        tab.wait_for_url(f"**/?hand={hand}#hands")
        expect(tab.locator(".chart-hit.is-at")).to_have_count(2)
    tab.keyboard.press("ArrowRight")  # after the last nothing follows
    tab.keyboard.press("ArrowLeft")
    tab.wait_for_url("**/?hand=2#hands")
    scores = tab.locator(".hand-step .hand-scores").inner_text()
    tab.reload()
    expect(tab.locator(".hand-step .hand-scores")).to_have_text(scores, use_inner_text=True)
    tab.get_by_role("link", name="Previous hand").click()
    tab.get_by_role("link", name="All hands").click()
    tab.wait_for_url("**/tables/1/#hands")
    expect(tab.locator(".hand-step")).to_have_count(0)
