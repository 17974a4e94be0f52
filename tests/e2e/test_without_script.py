"""The desk without scripts: every page of it can be read, and a hand entered, corrected, taken out and signed."""

import re
from typing import TYPE_CHECKING

import pytest

from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.patience import expect
from tests.e2e.test_hand_page import at_table, by_form, ledger, send_line, standing
from tests.factories import enter_all, make_event, table_of, writer_of
from tournament.models import Event, Table

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = (
    "", "check-in/", "players/", "players/1/", "seating/", "seating/import/", "penalties/", "calls/", "substitutes/",
    "penalties/give/?round=1&table=1", "rounds/1/clock/", "paper/", "results/", "settings/", "settings/rules/",
    "rounds/1/tables/1/", "rounds/1/tables/1/seats/", "rounds/1/tables/1/substitutes/",
)  # fmt: skip


@pytest.fixture
def event(live_server) -> Event:
    return make_event(tables=2, rounds=1)


@pytest.mark.parametrize("every", [2, pytest.param(1, marks=pytest.mark.nightly)], ids=["half", "all"])
def test_every_page_of_the_desk_can_be_read(
    open_tab: OpenTab, event: Event, every: int, pytestconfig: pytest.Config
) -> None:
    seed = pytestconfig.getoption("randomly_seed", 0)
    enter_all(table_of(event), "1t 230")
    page = open_tab(writer_of(event), scripts=False)
    page.goto(f"/desk/{event.slug}/")
    tabs = page.locator(".bar .tabs a").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    assert len(tabs) > 5
    addresses = dict.fromkeys([*tabs, *(f"/desk/{event.slug}/{page_}" for page_ in PAGES)])
    for address in list(addresses)[seed % every :: every]:  # the suite: the one half or the other
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200, address
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert len(page.locator("main").inner_text()) > 40, address


def enter_points(page: "Page", event: Event) -> None:
    """Enter points, and be asked in words which of two readings is meant."""
    send_line(page, "2r3 4500")
    expect(desk.hands(page)).to_have_count(1)
    send_line(page, "3r4 3900")
    expect(desk.understood(page).locator(".note.is-error")).to_have_text(
        "Error 3,900 to Cyan (player 3) is 3 han 30 fu or 2 han 60 fu: choose which, or type han and fu."
    )
    expect(page.locator("[data-choice]").first).to_be_hidden()
    expect(desk.line(page)).to_have_value("3r4 3900")
    send_line(page, "3r4 330")
    expect(desk.hands(page)).to_have_count(2)
    assert ledger(table_of(event)) == ["2r3 270", "3r4 330"]


def enter_points_by_form(page: "Page", event: Event) -> None:
    """Enter points in the form, which shows its line."""
    form = page.locator(".hand-form")
    page.get_by_text("Enter by form").click()
    form.get_by_role("radio", name="Tsumo", exact=True).check()
    form.get_by_label("Birk wins", exact=True).check()
    form.get_by_label("Points paid to Birk").fill("400-700")
    form.get_by_role("button", name="Enter hand").click()
    expect(form.locator(".note.is-error")).to_contain_text("is 2 han 20 fu or 1 han 40 fu")
    expect(form.get_by_label("Points paid to Birk")).to_have_value("400-700")
    expect(form.locator(".as-line code")).to_have_text("2t 400-700")
    form.get_by_label("Points paid to Birk").fill("2000-4000")
    form.get_by_role("button", name="Enter hand").click()
    expect(desk.hands(page)).to_have_count(3)
    assert ledger(table_of(event)) == ["2r3 270", "3r4 330", "2t 5"]


def enter_correct_take_out_and_sign(page: "Page", table: Table) -> None:
    """Enter a hand by line and one by form, correct it, take it out and sign the table."""
    send_line(page, "2r3 340/2")
    by_form(page, "Draw", {"Efeu is tenpai": None, "Ginster is tenpai": None})
    expect(desk.hands(page)).to_have_count(2)

    # the last one corrected: what was entered stands in the line and in the form
    page.get_by_role("row", name=re.compile("Draw, tenpai")).get_by_role("link", name="Correct").click()
    expect(desk.line(page)).to_have_value("d13")
    page.get_by_text("Enter by form").click()
    expect(page.get_by_label("Ginster is tenpai", exact=True)).to_be_checked()
    send_line(page, "d1")
    assert standing(table) == ["2r3 340/2", "d1"]

    # and made void
    page.get_by_role("row", name=re.compile("Draw, tenpai")).get_by_role("link", name="Void").click()
    page.get_by_role("button", name="Make void").click()
    expect(page.locator("table.hands tr.is-void")).to_have_count(1)
    assert standing(table) == ["2r3 340/2"]

    desk.sign(page, 2, [30_000, 35_200, 24_800, 30_000])
    expect(page.get_by_text("This table is signed")).to_be_visible()


def test_two_tables_are_played_without_scripts(open_tab: OpenTab, event: Event) -> None:
    page = at_table(open_tab, event, scripts=False)
    enter_points(page, event)
    enter_points_by_form(page, event)

    # nothing that needs a script is shown
    expect(page.get_by_role("button", name="Count tiles")).to_be_hidden()
    expect(page.get_by_text("↑ corrects the last hand")).to_be_hidden()
    expect(page.locator(".keys dt", has_text="↑")).to_be_hidden()
    expect(page.locator(".keys dt", has_text="2r3 340").first).to_be_visible()

    page.goto(f"/desk/{event.slug}/rounds/1/tables/2/")
    enter_correct_take_out_and_sign(page, table_of(event, 2))
