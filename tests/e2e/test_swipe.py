"""A recap in cards and a bar of players: swiped without a script, by keys, kept in place by what comes meanwhile.

The bar is there again at the next evening.
"""

from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import make_event, play_round
from tests.open_play.evening import count_together, finish, make_evening, sit_down
from tests.player_entry.phones import Phone, allow_phones

if TYPE_CHECKING:
    from playwright.sync_api import Page

HANDS = ("1t 230", "c2", "2r3 340/2", "d13/1")
LEFT = "node => Math.round(node.scrollLeft)"
IN_VIEW = """node => [...node.children].map((each) => each.getBoundingClientRect())
    .map(({ left, right }) => left >= -2 && right <= innerWidth + 2)"""


def swiped(page: "Page") -> tuple[int, list[bool]]:
    row = page.locator(".cards-row")
    return row.evaluate(LEFT), row.evaluate(IN_VIEW)


def test_cards_are_swiped_without_a_script_and_by_keys(open_tab: OpenTab):
    event = make_event(slug="cup", tables=1, rounds=3)
    for number in (1, 2):
        play_round(event, number, *HANDS)
    page = open_tab(phone=True, scripts=False)
    page.emulate_media(reduced_motion="reduce")
    page.goto("/e/cup/players/2/")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    row = page.get_by_role("list", name="Recap")
    expect(row.get_by_role("listitem").first.get_by_role("heading")).to_have_text("Result")
    expect(row.get_by_role("link", name="Story").first).to_have_attribute(
        "href", "/e/cup/players/2/cards/result/story.png"
    )
    assert swiped(page)[1][:2] == [True, False]
    row.evaluate("node => node.scrollTo(node.children[1].offsetLeft - 40, 0)")
    assert swiped(page)[1][:2] == [False, True]  # snapped
    row.evaluate("node => node.scrollTo(0, 0)")
    row.focus()
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    expect(row.get_by_role("listitem").first).not_to_be_in_viewport(ratio=0.5)


def test_a_new_part_of_the_page_leaves_the_cards_where_they_were(open_tab: OpenTab):
    event = make_event(slug="cup", tables=1, rounds=3)
    play_round(event, 1, *HANDS)
    page = open_tab(phone=True)
    page.goto("/e/cup/players/2/")
    page.locator(".cards-row").evaluate("node => node.scrollTo(node.children[1].offsetLeft - 40, 0)")
    before = swiped(page)
    play_round(event, 2, *HANDS)
    page.evaluate("document.body.dispatchEvent(new CustomEvent('version-changed', { detail: {} }))")
    expect(page.locator("#cards-title")).to_contain_text("After round 2")
    assert swiped(page)[0] == before[0] > 0


def test_one_tap_changes_between_those_whom_a_phone_follows(open_tab: OpenTab):
    make_event(slug="cup", tables=1, rounds=1)
    page = open_tab(phone=True)
    page.goto("/e/cup/?me=2")
    page.get_by_role("link", name="Follow another player").click()
    page.get_by_role("link", name="Cyan").click()
    expect(page).to_have_title("Cyan · Cup")
    bar = page.get_by_role("navigation", name="Players you follow")
    bar.get_by_role("link", name="Birk").tap()
    expect(page).to_have_title("Birk · Cup")
    page.get_by_role("link", name="Stop following").click()
    expect(page).to_have_title("Cyan · Cup")
    expect(bar).to_have_count(0)


@pytest.mark.follows("during/players-see.md")
def test_whom_a_phone_follows_at_one_evening_it_follows_at_the_next_and_signs_for_nobody(open_tab: OpenTab):
    first, second = (allow_phones(make_evening(5, slug=slug)) for slug in ("tuesday-1", "tuesday-2"))
    count_together(first, second)
    finish(sit_down(first, 1, 2, 3, 4))
    sit_down(second, 5, 4, 3, 2)
    page = open_tab(phone=True)
    page.goto(Phone(first).url)
    page.select_option("#player", "2")
    page.get_by_role("button", name="This is me").click()
    expect(page.locator("#player")).to_have_count(0)
    for name in ("Cyan", "Distel", "Birk"):
        page.goto("/e/tuesday-1/?pick")
        page.get_by_role("link", name=name).click()
        expect(page).to_have_title(f"{name} · Tuesday-1")

    page.goto("/e/tuesday-2/")
    note = page.locator(".message")
    expect(note).to_contain_text("This phone follows 3 players, as at Tuesday-1.")
    bar = page.get_by_role("navigation", name="Players you follow")
    expect(bar.locator(".name")).to_have_text(["Birk", "Distel", "Cyan"])
    expect(page.locator(".compass-seat", has_text="Birk")).to_contain_text("you")
    page.goto("/e/tuesday-2/standings/")
    page.goto("/e/tuesday-2/")
    expect(bar.locator(".name")).to_have_text(["Birk", "Distel", "Cyan"])
    expect(note).to_have_count(0)
    page.goto(Phone(second).url)
    expect(page.locator("#player")).to_be_visible()  # to type there, it must be let in there

    # one tap lets go of them
    page.context.clear_cookies(name="me-tuesday-2")
    page.goto("/e/tuesday-2/")
    note.get_by_role("link", name="Choose again").tap()
    expect(page.get_by_role("heading", name="Choose your name")).to_be_visible()
    page.reload()
    expect(bar).to_have_count(0)
    expect(page).to_have_title("Tuesday-2")
