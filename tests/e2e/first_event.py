"""The steps of docs/organiser/before/first-event.md in a browser: for its test, and for the pictures of the page."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bootstrap import REPO
from tests.e2e import desk_hands as desk
from tests.e2e.timeouts import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGE = REPO / "docs" / "organiser" / "before" / "first-event.md"
NAMES = "Aiko, Birk, Chidi, Dana, Emre, Farah, Goro, Hana"
HANDS = ("2r3 340", "1t 230", "d12")
SCORES = (33_500, 35_700, 22_800, 28_000)  # of table 1 after these hands
SHEET = ("41.2", "30.0", "27.3", "21.5")  # of table 2
SLUG = "first-evening-2026"


def follow_steps(page: "Page") -> Iterator[str]:
    """Take the steps, from the list of events on; yields the heading of each while the screen shows its subject."""
    page.get_by_role("link", name="New event").first.click()
    page.get_by_label("Name", exact=True).fill("First evening")
    page.get_by_label("Date", exact=True).fill("2026-12-05")
    page.get_by_role("radio", name="Rakkii Nomi Spring 2026").check()
    page.get_by_label("Rounds", exact=True).fill("2")
    yield "Create the event"
    page.get_by_role("button", name="Create the event").click()
    page.wait_for_url(f"**/desk/{SLUG}/players/")
    page.get_by_label("Or paste from a spreadsheet").fill(NAMES.replace(", ", "\n"))
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Review before importing")
    yield "Paste the names"
    page.get_by_role("button", name="Add all of them").click()
    expect(page.get_by_text("8 players added.")).to_be_visible()
    desk.draw_and_publish(page, seed=7)
    yield "Draw and publish the seats"
    page.get_by_role("link", name="Paper", exact=True).first.click()
    expect(page.locator("a[href$='/print/report-sheets/?round=1']")).to_be_visible()
    yield "Print the sheets"
    desk.start_clock(page)
    yield "Start the clock"
    desk.jump_to_table(page, 1)
    desk.enter_all(page, HANDS)
    yield "Enter three hands"
    desk.sign(page, 1, SCORES)
    yield "Sign the table"
    desk.back_to_grid(page)
    page.get_by_role("link", name="Enter sheets").click()
    page.get_by_label("Table on the next sheet").fill("2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Sheet of table 2")
    page.wait_for_load_state("load")
    for score in SHEET:
        page.keyboard.type(score)
        page.keyboard.press("Enter")
    expect(page.get_by_text("All sheets are in.")).to_be_visible()
    yield "Type a sheet"
    desk.release(page, 1)
    yield "Release the round"
    page.get_by_role("link", name="Results", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Results")
    yield "See the results"
