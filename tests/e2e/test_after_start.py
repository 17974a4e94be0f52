"""After the start in a browser: a player leaves, the next round by standing, a cut and its final, a swap by hand."""

import re
from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import OpenTab
from tests.e2e.patience import expect
from tests.factories import make_event, play_round, writer_of
from tournament.events.models import Event
from tournament.rounds.actions import publish_rounds
from tournament.tables.models import Seat

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db(transaction=True)


def seats(event: Event, round_: int) -> dict[int, tuple[int, int]]:
    rows = Seat.objects.filter(round__event=event, round__number=round_)
    return {who: (table, seat) for who, table, seat in rows.values_list("player__number", "table__number", "seat")}


def swap_and_swap_back(page: "Page") -> None:
    """Let two players change places in round 2, and once more."""
    for _turn in range(2):
        page.goto("/desk/cup/seating/swap/?round=2")
        page.get_by_label("One").select_option("1")
        page.get_by_label("Other").select_option("9")
        page.get_by_role("button", name="Show the effect").click()
        page.get_by_role("button", name="Swap them").click()
        expect(page.locator(".note").first).to_contain_text("changed places")


@pytest.mark.follows("during/leave.md")
def test_two_swap_and_back_then_one_leaves_and_the_rounds_left_are_drawn_anew(open_tab: OpenTab):
    event = make_event(slug="cup", tables=4, rounds=4, published=False)
    page = open_tab(writer_of(event))
    before = seats(event, 2)
    swap_and_swap_back(page)
    assert seats(event, 2) == before
    publish_rounds(event=event, numbers=[1, 2], by=writer_of(event))
    play_round(event, 1, "1t 3 30")
    played, published = seats(event, 1), seats(event, 2)
    page.goto("/desk/cup/players/3/")
    page.get_by_label("Reason").last.fill("went home")
    page.get_by_role("button", name="Has left").click()
    page.get_by_role("link", name="Fill the seats").click()
    expect(page.get_by_label("Cyan")).not_to_be_checked()
    page.get_by_role("button", name="Show what would change").click()
    way = page.locator("section.panel", has=page.get_by_role("heading", name="Redraw with substitutes"))
    way.get_by_label("Name of the substitute").fill("Ida Reserve")
    way.get_by_role("button", name="Use this way").click()
    expect(page.locator(".note").first).to_contain_text("The remaining rounds are changed")
    assert (seats(event, 1), seats(event, 2)) == (played, published)
    for number in (3, 4):
        assert sorted(seats(event, number)) == [1, 2, *range(4, 18)]


@pytest.mark.follows("during/finals.md")
def test_swiss_then_a_cut_and_its_final(open_tab: OpenTab):
    event = make_event(slug="cup", tables=4, rounds=1)
    play_round(event, 1, "1t 3 30", "2r4 230")
    page = open_tab(writer_of(event))
    page.goto("/desk/cup/seating/next/")
    page.get_by_role("radio", name="Swiss").check()
    page.get_by_role("button", name="Show the round").click()
    page.get_by_role("button", name="Use this round").click()
    expect(page.locator(".note").first).to_contain_text("The round is drawn")
    publish_rounds(event=event, numbers=[2], by=writer_of(event))
    play_round(event, 2, "2t 3 30")
    page.goto("/desk/cup/seating/next/")
    page.get_by_role("radio", name=re.compile("^By rank")).check()
    page.get_by_label("How many are through").fill("8")
    page.get_by_label("They carry").select_option("halved")
    page.get_by_role("button", name="Show the round").click()
    expect(page.get_by_role("heading", name="Through")).to_be_visible()
    page.get_by_role("button", name="Use this round").click()
    expect(page.locator(".note").first).to_contain_text("The round is drawn")
    assert len(seats(event, 3)) == 8
    page.goto("/e/cup/standings/")
    expect(page.get_by_text(re.compile("carried .* of .* after round 2"))).to_have_count(8)
