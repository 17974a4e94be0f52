"""Corrections tried as a referee in a browser: an earlier hand, players in each other's seats, a signed table reopened.

Keys and taps are counted as they are pressed: what stands in the asserts is what a referee does.
"""

import re
from typing import TYPE_CHECKING

import pytest

from scoring.shorthand import write
from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import enter_all, rows_of, table_of, writer_of
from tests.fixtures import live_event
from tournament.events.models import Event
from tournament.tables.history import standing_entries
from tournament.tables.models import Seat

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

NINE = ("2r3 340", "3r4 340", "4r1 340", "1r2 340", "2r3 340", "3r4 340", "4r1 340", "4t 230", "1r4 340")
FIVE = ("2r3 340/2", "1t 230", "d13/1", "4r1 5", "1r2 240")


event = live_event(tables=2, rounds=1)


class Fingers:
    """A referee's fingers on one page: every key and every tap counts."""

    def __init__(self, page: "Page") -> None:
        self.page, self.keys, self.taps = page, 0, 0

    def done(self) -> tuple[int, int]:
        """Return the taps and the keys since this was last asked."""
        done = self.taps, self.keys
        self.keys = self.taps = 0
        return done

    def tap(self, what: "Locator") -> None:
        what.click()
        self.taps += 1

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.keys += len(text)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.keys += 1


def at_table(open_tab: OpenTab, event: Event, *, scripts: bool = True, phone: bool = False) -> Fingers:
    """Open table 1 as the organiser."""
    referee = Fingers(open_tab(writer_of(event), scripts=scripts, phone=phone))
    go_to_table(referee, event, 1)
    return referee


def go_to_table(referee: Fingers, event: Event, number: int) -> None:
    referee.page.goto(f"/desk/{event.slug}/rounds/1/tables/{number}/")


def standing(event: Event, number: int = 1) -> list[str]:
    return [write(entry) for entry in standing_entries(rows_of(table_of(event, number)))]


def seated(event: Event, number: int = 1) -> list[int]:
    found = Seat.objects.filter(table=table_of(event, number)).order_by("seat")
    return list(found.values_list("player__number", flat=True))


def correct(referee: Fingers, hand: int) -> None:
    """Tap "Correct" beside a hand; the newest stands first."""
    row = desk.hands(referee.page).nth(-hand)
    referee.tap(row.get_by_role("link", name="Correct"))
    expect(desk.line(referee.page)).to_be_focused()
    referee.page.wait_for_load_state("load")  # a page of its own, whose scripts ask what the change does


# ---------------------------------------------------------------- an earlier hand


def test_the_third_of_nine_hands_where_nothing_breaks(open_tab: OpenTab, event: Event) -> None:
    enter_all(table_of(event), *NINE)
    referee = at_table(open_tab, event)
    correct(referee, 3)
    referee.press("End", "Backspace", "Backspace", "Backspace")
    referee.type("440")
    effect = referee.page.locator("#understood table.effect")
    expect(effect.locator("tbody tr")).to_have_count(7)  # hands 3 to 9, before anything is saved
    expect(effect.locator("tfoot td")).to_have_text(["−2,800", "0", "0", "+2,800"])
    assert standing(event) == list(NINE)
    referee.press("Tab", "Tab", "Tab")
    expect(referee.page.locator("#reason")).to_be_focused()
    referee.type("misheard")
    referee.press("Enter")
    expect(referee.page.get_by_text("corrected · misheard")).to_have_count(1)
    assert standing(event) == [*NINE[:2], "4r1 440", *NINE[3:]]
    # 1 tap and 7 keys for the hand, 3 to the reason and Enter, which is what it took without the look ahead
    assert referee.done() == (1, 11 + len("misheard"))
    a_forgotten_hand(referee, event)
    nothing_is_kept_of_a_plan_that_is_cancelled(referee, event)


def a_forgotten_hand(referee: Fingers, event: Event) -> None:
    enter_all(table_of(event, 2), *NINE[:5])
    go_to_table(referee, event, 2)
    page = referee.page
    correct(referee, 4)
    referee.tap(page.get_by_role("link", name="A hand was forgotten before hand 4: put it in"))
    expect(desk.line(page)).to_be_focused()
    referee.type("d13")
    expect(page.locator("#understood table.effect tbody tr")).to_have_count(3)
    referee.press("Tab", "Tab", "Tab")
    expect(page.locator("#reason")).to_be_focused()
    referee.type("forgotten")
    referee.press("Enter")
    expect(desk.hands(page)).to_have_count(6)
    assert standing(event, 2) == [*NINE[:3], "d13", *NINE[3:5]]
    expect(page).to_have_url(re.compile(r"/tables/2/$"))  # a reload asks for no forgotten hand again
    assert referee.done() == (2, 7 + len("forgotten"))


def nothing_is_kept_of_a_plan_that_is_cancelled(referee: Fingers, event: Event) -> None:
    rows = len(rows_of(table_of(event)))
    go_to_table(referee, event, 1)
    correct(referee, 8)
    referee.press("Control+a")
    referee.type("1t 230")
    referee.press("Enter")
    referee.tap(referee.page.get_by_role("link", name="Cancel"))
    expect(desk.line(referee.page)).to_have_count(0)  # the game is over
    assert len(rows_of(table_of(event))) == rows


# The dealer keeps the deal in the third; the fifth is counted by its tiles; the ninth is the last of South 4.
KEPT = ("2r3 340", "d", "3t 230", "d", "2r4 [234m567p66234s 777z]", "d", "d", "d", "d")


@pytest.mark.follows("during/correct.md")
def test_the_third_of_nine_hands_where_two_later_ones_fit_no_longer(open_tab: OpenTab, event: Event) -> None:
    """The dealer did not win it: all winds behind it change, and the game is over one hand earlier."""
    enter_all(table_of(event), *KEPT[:4])
    referee = at_table(open_tab, event)
    page = referee.page
    desk.enter(page, KEPT[4])
    enter_all(table_of(event), *KEPT[5:])
    page.reload()
    correct(referee, 3)
    referee.press("Control+a")
    referee.type("1r2 240")
    fifth = (
        "Hand 5 would no longer fit: its tiles were counted with the winds that its players had then; enter it again."
    )
    expect(page.locator("#understood .note.is-error")).to_have_text(f"Error {fifth}")
    expect(page.locator("#understood table.effect tr.has-error th")).to_contain_text("5. East 4")
    referee.press("Enter")

    expect(page.get_by_role("heading", level=1)).to_contain_text("Correct hands")
    expect(page.locator(".replay .note.is-error").first).to_have_text(f"Error {fifth}")
    expect(desk.line(page)).to_be_focused()
    expect(desk.line(page)).to_have_value("2r4 [234m567p2366s4s 777z]")
    referee.press("Enter")  # the tiles are right: they are counted again

    ninth = "Hand 9 would no longer fit: the game would be over before it."
    expect(page.locator(".replay .note.is-error")).to_have_text(f"Error {ninth}")
    referee.tap(page.get_by_role("button", name="Make hand 9 void"))
    expect(page.get_by_text("All hands fit. Nothing is saved yet.")).to_be_visible()
    expect(page.locator(".changes b")).to_have_text(["Hand 3", "Hand 5", "Hand 9"])
    assert len(rows_of(table_of(event))) == 9
    reason = page.get_by_label("Reason")
    expect(reason).to_be_focused()
    referee.type("winner misheard")
    referee.press("Enter")
    expect(page.get_by_text("Saved. All hands are recalculated.")).to_be_visible()
    assert standing(event) == [*KEPT[:2], "1r2 240", "d", "2r4 [234m567p2366s4s 777z]", "d", "d", "d"]
    assert [row.supersedes for row in rows_of(table_of(event))[9:]] == [3, 5, 9]
    assert {row.reason for row in rows_of(table_of(event))[9:]} == {"winner misheard"}
    # beside the reason: 2 taps; 8 keys for the hand, Enter, Enter, Enter
    assert referee.done() == (2, 11 + len("winner misheard"))


# ---------------------------------------------------------------- a signed table


@pytest.mark.follows("during/sign.md")
def test_a_sheet_that_does_not_fit_is_put_right_by_two_keys_and_a_typed_hand_by_one(
    open_tab: OpenTab, event: Event
) -> None:
    enter_all(table_of(event), "2r3 340/2", "3r4 340", "4r1 330", "1r2 340")
    referee = at_table(open_tab, event)
    page = referee.page
    for seat in range(4):
        page.locator(f"#total-{seat}").fill("30000")
    page.locator("#total-3").press("Enter")
    expect(page.locator(".slips a").first).to_be_focused()
    referee.press("Enter")
    expect(page.locator(".changes")).to_contain_text("3 han 40 fu")
    expect(page.get_by_role("button", name="Save all changes")).to_be_focused()
    referee.press("Enter")
    expect(page.locator(".seat-score")).to_have_text(["30,000"] * 4)
    page.locator("#line").press_sequentially("2r3 330 !2000")
    expect(page.locator("#understood .slips")).to_be_visible()
    referee.press("Alt+k")
    expect(page.locator("#line")).to_have_value("2r3 230 !2000")
