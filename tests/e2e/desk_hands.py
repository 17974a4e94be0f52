"""What a person's hands do at the desk, in a browser: come in, make an event, enter hands, sign, release.

Each function waits for what a person would see next; none looks behind the pages.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from playwright.sync_api import FilePayload

from tests.e2e.timeouts import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def come_in(page: "Page", token: str) -> None:
    """Use a one-time link."""
    page.goto(f"/enter/{token}/")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name="New event").first).to_be_visible()


def make_event(page: "Page", *, name: str, book: str, date: str, rounds: int, slug: str) -> None:
    """Make an event by the form, and arrive at its players; `book` is how the rule set's line begins."""
    page.get_by_role("link", name="New event").first.click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Date", exact=True).fill(date)
    page.get_by_role("radio", name=re.compile(f"^{re.escape(book)}:")).check()
    page.get_by_label("Rounds", exact=True).fill(str(rounds))
    page.get_by_role("button", name="Create the event").click()
    page.wait_for_url(f"**/desk/{slug}/players/")


def look_at_list(page: "Page", filename: str, content: bytes, *, head: str = "Review before importing") -> None:
    """Choose a list of players and ask what is understood of it."""
    file = FilePayload(name=filename, mimeType="application/octet-stream", buffer=content)
    page.get_by_label("List of players").set_input_files(file)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(head)


def look_at_schedule(page: "Page", filename: str, content: bytes, *, head: str = "Review before importing") -> None:
    """Choose a schedule made elsewhere and ask what is understood of it."""
    file = FilePayload(name=filename, mimeType="application/octet-stream", buffer=content)
    page.get_by_label("Schedule").set_input_files(file)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(head)


def draw_and_publish(page: "Page", *, seed: int) -> None:
    """Draw the seats of all rounds from a seed, and publish them."""
    page.get_by_role("link", name="Continue to seating").click()
    page.get_by_label("Seed", exact=True).fill(str(seed))
    page.get_by_role("button", name="Draw the seats").click()
    expect(page.get_by_text(f"Seats are drawn from seed {seed}.")).to_be_visible()
    page.get_by_role("button", name="Publish all rounds").click()
    page.get_by_role("button", name="Publish for good").click()
    expect(page.get_by_text("The seats are published: players see them now.")).to_be_visible()


def start_clock(page: "Page") -> None:
    """Go to the grid and start the clock of round 1."""
    page.get_by_role("link", name="Desk", exact=True).click()
    page.get_by_role("button", name="Start the clock").click()
    expect(page.get_by_text("The clock of round 1 is running.")).to_be_visible()


def back_to_grid(page: "Page") -> None:
    """Leave a table for the grid."""
    page.get_by_role("link", name="All tables").click()
    page.wait_for_url(re.compile(r"/desk/[^/]+/$"))


def jump_to_table(page: "Page", number: int) -> None:
    """Type a table's number on the grid, once its scripts are there, and Enter."""
    expect(page.get_by_role("heading", level=1)).to_contain_text("Round")
    page.wait_for_load_state("load")
    page.keyboard.type(str(number))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"Table {number}")
    page.wait_for_load_state("load")  # its list of hands stands far below


def line(page: "Page") -> "Locator":
    """Return the line that hands are typed into."""
    return page.locator("#line")


def understood(page: "Page") -> "Locator":
    """Return the place where the desk says what it understood of the line."""
    return page.locator("#understood")


def hands(page: "Page") -> "Locator":
    """Return the hands of the table as listed, the newest first."""
    return page.locator("table.hands tbody tr")


def scores(page: "Page") -> "Locator":
    """Return the scores on the players' cards, by seat."""
    return page.locator(".seats .seat-score")


def enter(page: "Page", shorthand: str) -> None:
    """Type a hand where the keyboard already is, press Enter, and see it listed."""
    before = hands(page).count()
    expect(line(page)).to_be_focused()
    page.keyboard.type(shorthand)
    page.keyboard.press("Enter")
    expect(hands(page)).to_have_count(before + 1)


def waiting(page: "Page") -> "Locator":
    """Return the sentence that says how many hands wait on this laptop."""
    return page.locator("[data-outbox-head]")


def all_sent(page: "Page") -> "Locator":
    """Return what is there once nothing waits on this laptop."""
    return page.locator("#outbox[data-waiting='0']")


def waiting_here(page: "Page") -> "Locator":
    """Return the hands of this table that wait below its line."""
    return page.locator("[data-outbox-here] > li")


def keep(page: "Page", shorthand: str) -> None:
    """Type a hand while the desk does not answer, press Enter, and see it wait below the line."""
    before = waiting_here(page).count()
    expect(line(page)).to_be_focused()
    page.keyboard.type(shorthand)
    page.keyboard.press("Enter")
    expect(line(page)).to_have_value("")
    expect(waiting_here(page)).to_have_count(before + 1)


def enter_all(page: "Page", lines: Sequence[str]) -> None:
    """Type hands one after the other without touching anything between them."""
    for shorthand in lines:
        enter(page, shorthand)


def sign(page: "Page", number: int, totals: Sequence[int], leftover: int = 0) -> None:
    """Sign a table with totals that agree."""
    for seat, total in enumerate(totals):
        page.locator(f"#total-{seat}").fill(str(total))
    if leftover:
        page.locator("#leftover").fill(str(leftover))
    early = page.locator("[name=early]")  # a game of a test is over long before its time
    if early.count():
        early.check()
    if page.locator("html.has-outbox").count():
        expect(page.get_by_text(re.compile("^The sum is"))).to_be_visible()  # and has moved the button
    page.get_by_role("button", name="Sign table").click()
    expect(page.get_by_text(f"Table {number} is signed.")).to_be_visible()


def release(page: "Page", number: int) -> None:
    """Release a round from the grid, with the question that comes before it."""
    page.get_by_role("link", name="Desk", exact=True).click()
    page.get_by_role("link", name=f"Release round {number}").click()
    page.get_by_role("button", name="Release", exact=True).click()
    expect(page.get_by_text(f"Round {number} is released: players see it now.")).to_be_visible()


def tap(page: "Page", *taps: str) -> int:
    """Tap cards (`2`), sticks (`|1`), chips (`*2`), values (`=340`) and other buttons by name; return how many."""
    pad = page.locator("#cards-pad")
    for what in taps:
        if what.isdecimal():
            page.locator(f'[data-card="{what}"]:visible').last.click()
        elif what.startswith("|"):
            pad.locator(f'[data-stick="{what[1:]}"]').click()
        elif what.startswith("*"):
            pad.locator(f'[data-chips="{what[1:]}"]').click()
        elif what.startswith("="):
            pad.locator(f'[data-value="{what[1:]}"]').click()
        else:
            pad.get_by_role("button", name=what, exact=True).click()
    return len(taps)
