"""Screens at their narrowest and widest: a long name on a phone, German at 320 px, a hall's screen of 1920 px."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.conftest import OpenTab
from tests.e2e.test_first_load import sample  # noqa: F401  # a fixture
from tests.e2e.test_languages_look import LANGUAGES, choose
from tests.e2e.timeouts import expect
from tournament.accounts.actions import get_site_organiser

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
LONG = 13  # the player with the longest name
S = "/e/sanmatsuri-sample/"


def boxes(page: "Page", selector: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.locator(selector).evaluate_all(
        "(nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON())"
    )
    assert found
    return found


@pytest.mark.usefixtures("sample")
def test_a_phone_has_acts_in_a_row_letters_to_read_and_no_ragged_column(open_tab: OpenTab) -> None:
    page = open_tab(phone=True)
    page.goto(f"{S}players/{LONG}/")
    (name,), (follow,) = boxes(page, "main h1"), boxes(page, ".title-acts .button")
    shapes = boxes(page, ".cards-row > :first-child .button")
    assert [shape["top"] for shape in shapes] == [shapes[0]["top"]] * 3
    assert follow["left"] == name["left"]
    page.goto(f"{S}standings/")
    expect(page.locator(".gap-sign")).to_be_visible()
    page.goto(f"{S}recap/")
    assert (
        page.locator(".race .name").evaluate_all("all => all.filter((one) => one.scrollWidth > one.clientWidth)") == []
    )
    choose(page, "de", LANGUAGES["de"])
    page.set_viewport_size({"width": 320, "height": 844})
    page.goto(f"{S}fouls/")
    assert {round(box["left"]) for box in boxes(page, ".fouls td + td > *")} == {
        round(boxes(page, ".fouls td > *")[0]["left"])
    }


@pytest.mark.usefixtures("sample")
def test_a_wide_screen_is_used_and_a_laptop_shows_the_whole_form_of_an_event(open_tab: OpenTab) -> None:
    page = open_tab(get_site_organiser())
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/desk/new/")
    expect(page.get_by_role("button", name="Create the event")).to_be_in_viewport(ratio=1)
    page.goto("/desk/sanmatsuri-sample/rounds/3/tables/8/totals/")
    counts, loans = boxes(page, ".totals-count"), boxes(page, ".totals-loan label")
    assert min(loan["left"] for loan in loans) > max(count["right"] for count in counts)
    (name,), (tabs,) = boxes(page, ".bar .mark span"), boxes(page, ".bar .tabs")
    assert tabs["left"] - name["right"] < 32  # a name is cut only where the navigation begins
    page.goto(f"{S}standings/")
    expect(page.locator(".gap-sign")).to_be_hidden()  # beside a place an arrow is a change of it
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto("/e/last/rounds/1/tables/1/last/")
    assert len({box["top"] for box in boxes(page, ".need-card")}) == 1
    page.goto("/desk/sanmatsuri-sample/")
    tables = boxes(page, ".tiles.is-roomy > *")
    assert len({round(box["top"]) for box in tables}) == 3
    assert 1080 * 0.7 < max(box["bottom"] for box in tables) < 1080
    (clock,) = boxes(page, ".clock-head")
    assert clock["left"] > max(box["right"] for box in tables) > 1920 / 2
    page.goto("/desk/sanmatsuri-sample/rounds/3/clock/")
    assert boxes(page, ".clock-panel .clock")[0]["height"] > 1080 / 8


@pytest.mark.usefixtures("sample")
def test_a_tablet_on_its_side_hides_nothing_behind_something_else(open_tab: OpenTab) -> None:
    page = open_tab(get_site_organiser(), phone=True)
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto("/desk/sanmatsuri-sample/rounds/3/tables/4/")
    (hands,), (sheet,) = boxes(page, ".hands"), boxes(page, ".split > aside")
    assert hands["right"] <= sheet["left"]
    page.goto("/desk/sanmatsuri-sample/rounds/3/tables/4/?void=2")
    (effect,), (panel,) = boxes(page, ".effect"), boxes(page, ".confirm")
    assert effect["right"] <= panel["right"]
    page.goto("/desk/sanmatsuri-sample/penalties/")
    assert max(box["right"] for box in boxes(page, ".list")) <= 1024
