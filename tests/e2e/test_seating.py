"""Seats drawn with wishes in a browser: the search and its progress, stopped early, two compared, taken, published."""

import datetime as dt
import re
from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import OpenTab
from tests.e2e.patience import expect
from tests.factories import make_account, name_of
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, add_players
from tournament.seating.models import DrawDraft
from tournament.tables.models import Seat

if TYPE_CHECKING:
    from playwright.sync_api import Page

SEATING = "/desk/cup/seating/"


class Taps:
    """Counts what a hand does to a page."""

    def __init__(self, page: "Page") -> None:
        """Begin at none."""
        self.page, self.count = page, 0

    def press(self, name: str | re.Pattern[str]) -> None:
        """Press the button of this name."""
        self.page.get_by_role("button", name=name).first.click()
        self.count += 1

    def tap(self, what: str) -> None:
        """Open or tick something."""
        self.page.locator(what).first.click()
        self.count += 1


def make_cup(players: int, rounds: int) -> Event:
    writer = make_account("Organiser")
    day = dt.date(2026, 9, 12)
    event = create_event(name="Cup", date=day, rules_key="ema-2025", rounds=rounds, slug="cup", by=writer)
    people = [NewPlayer(name_of(index), club=f"Club {index % 5}") for index in range(players)]
    add_players(event=event, players=people, by=writer)
    return event


def seated(event: Event) -> int:
    return Seat.objects.filter(round__event=event).count()


def organiser_of(event: Event, open_tab: OpenTab, *, phone: bool = False, scripts: bool = True) -> "Page":
    return open_tab(event.memberships.get().account, phone=phone, scripts=scripts)


@pytest.mark.follows("before/seating.md")
@pytest.mark.parametrize("phone", [False, pytest.param(True, marks=pytest.mark.nightly)], ids=["laptop", "phone"])
def test_a_draw_with_wishes_from_the_form_to_the_phones(open_tab: OpenTab, phone: bool) -> None:
    event = make_cup(20, 4)
    page = organiser_of(event, open_tab, phone=phone)
    page.goto(SEATING)
    taps = Taps(page)

    taps.tap("#wishes > details > summary")
    taps.press("Keep clubs apart")
    expect(page.locator("#clubs")).to_have_value("always")
    taps.tap("summary:has-text('Players who keep a table')")
    page.get_by_label("Players who keep a table").fill("1: 2")
    taps.press("Find a draw")
    expect(page.get_by_role("button", name="Use draw A")).to_be_visible()
    assert (taps.count, seated(event)) == (4, 0)

    taps.press("Find a draw")
    expect(page.get_by_role("button", name="Use draw B")).to_be_visible()
    taps.press("Compare two draws")
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare two draws")
    expect(page.locator(".note")).to_have_text(re.compile("is better by your order|the two are alike"))
    taps.press("Use draw A")
    expect(page.locator(".messages")).to_contain_text("Seats are drawn from seed")
    assert seated(event) == 80
    taps.press("Publish all rounds")
    taps.press("Publish for good")
    expect(page.get_by_text("The seats are published: players see them now.")).to_be_visible()
    assert taps.count == 9

    public = open_tab(phone=True)
    public.goto("/e/cup/rounds/1/")
    seed = DrawDraft.objects.earliest("pk").seed
    expect(public.get_by_text(f"Drawn by lot with seed {seed} from the list of 20 players")).to_be_visible()
    assert {table for round_, table in Seat.objects.filter(player__number=1).values_list("round", "table__number")} == {
        2
    }


def test_a_long_search_shows_how_far_it_is_and_is_stopped_by_hand(open_tab: OpenTab) -> None:
    event = make_cup(32, 12)
    page = organiser_of(event, open_tab)
    page.goto(SEATING)
    page.locator("#wishes > details > summary").click()
    page.locator("#clubs").select_option("always")
    page.get_by_role("button", name="Find a draw").click()
    expect(page.locator("progress")).to_be_visible()
    expect(page.locator("progress")).not_to_have_attribute("value", "0")
    page.get_by_role("button", name="Good enough, stop here").click()
    expect(page.get_by_role("button", name="Use draw A")).to_be_visible()
    expect(page.locator(".draft")).to_contain_text("ended early")
    page.get_by_role("link", name="Look", exact=True).click()
    expect(page.get_by_role("heading", name="Who meets whom")).to_be_visible()
    expect(
        page.get_by_text("The search was ended early: the seed alone does not give this draw again.")
    ).to_be_visible()
    assert DrawDraft.objects.get().state == "stopped"


@pytest.mark.nightly  # without scripts they are the forms that tests/seating/test_drafts_pages.py sends
def test_the_form_and_the_search_work_without_scripts(open_tab: OpenTab) -> None:
    event = make_cup(9, 3)
    page = organiser_of(event, open_tab, scripts=False)
    page.goto(SEATING)
    page.get_by_role("button", name="Move up: Nobody meets twice").click()
    expect(page.locator(".wish").nth(1)).to_contain_text("Nobody meets twice")
    page.get_by_text("1 player rests in each round").click()
    page.get_by_role("button", name="Find a draw").click()
    take = page.get_by_role("button", name="Use draw A")
    for _ in range(40):
        page.wait_for_load_state()
        if take.count():
            break
        page.get_by_role("link", name="Check progress").click()
    take.click()
    expect(page.locator(".messages")).to_contain_text("Seats are drawn from seed")
    assert seated(event) == 24
