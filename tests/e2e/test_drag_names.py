"""An organiser at the door drags names, by mouse and by finger, and sees what it costs before the drop."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import name_of, writer_of
from tests.open_play.evening import count_together, finish, make_evening, sit_down
from tournament.events.models import Event

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PAGE = "/desk/tuesday/tables/"
Step = Callable[[str, float, float], None]


@pytest.fixture
def evening(live_server: object) -> Event:
    """Return an open event at which eight wait, of whom four have met last week."""
    before, event = make_evening(8, slug="monday"), make_evening(8)
    finish(sit_down(before, 1, 2, 3, 4))
    count_together(before, event)
    return event


def row_of(page: "Page", number: int) -> "Locator":
    return page.locator(f'[data-drag="{number}"]')


def table_of(page: "Page", place: int) -> "Locator":
    return page.locator(f'.panel[data-to="{place}"]')


def point_of(target: "Locator", across: float) -> tuple[float, float]:
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert box
    return box["x"] + box["width"] * across, box["y"] + min(box["height"] / 2, 30)


def by_mouse(page: "Page") -> Step:
    def step(what: str, x: float, y: float) -> None:
        page.mouse.move(x, y)
        if what != "move":
            getattr(page.mouse, what)()

    return step


def by_finger(page: "Page") -> Step:
    session = page.context.new_cdp_session(page)
    kinds = {"down": "touchStart", "move": "touchMove", "up": "touchEnd"}

    def step(what: str, x: float, y: float) -> None:
        points = [] if what == "up" else [{"x": x, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kinds[what], "touchPoints": points})

    return step


def drag(step: Step, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Press at one point and move to another."""
    step("down", *start)
    for part in (0.3, 0.7, 1):
        step("move", start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)


@pytest.mark.slow
@pytest.mark.follows("during/club-night.md")
@pytest.mark.parametrize("finger", [False, True], ids=["mouse", "finger"])
def test_a_name_is_dragged_to_a_table_changes_places_and_comes_back(open_tab: OpenTab, evening: Event, finger: bool):
    page = open_tab(writer_of(evening), phone=finger)
    page.set_viewport_size({"width": 820, "height": 1180})
    step = by_finger(page) if finger else by_mouse(page)
    end = 0.93 if finger else 0.5  # a finger takes the grip, at the end of a row
    page.goto(f"{PAGE}?plan=1.5.6.7")

    # onto a name of a full table: what it would cost is there before the drop
    drop = point_of(row_of(page, 5), 0.5)
    drag(step, point_of(row_of(page, 2).locator("button").first, end), drop)
    expect(page.locator(".drag-ghost")).to_contain_text(f"{name_of(1)}met 1 time in this season")
    step("up", *drop)
    expect(page).to_have_url(re.compile(r"plan=[1267]\.[1267]\.[1267]\.[1267]$"))
    expect(table_of(page, 0).locator("[data-cost]")).to_contain_text("met 1 time in this season")
    page.wait_for_load_state("load")  # each drop opens the page again

    # beside the tables for a new one
    drop = point_of(page.locator("#next-tables"), 0.5)
    drag(step, point_of(row_of(page, 3).locator("button").first, end), drop)
    step("up", *drop)
    expect(table_of(page, 1)).to_contain_text(name_of(2))
    page.wait_for_load_state("load")

    # and back to those who wait; Escape leaves it where it is
    drop = point_of(page.locator("#waiting"), 0.5)
    start = point_of(row_of(page, 3).locator("button").first, end)
    drag(step, start, drop)
    page.keyboard.press("Escape")
    step("up", *drop)
    expect(page.locator(".drag-ghost")).to_have_count(0)
    expect(table_of(page, 1)).to_contain_text(name_of(2))
    drag(step, start, drop)
    step("up", *drop)
    expect(table_of(page, 1)).to_have_count(0)

    # a tap is still a tap
    row_of(page, 3).locator("button").first.click(position={"x": 60, "y": 15})
    expect(table_of(page, 1)).to_contain_text(name_of(2))
