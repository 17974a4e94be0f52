"""A pile of sheets in the browser: by the numeric keypad alone, keys counted; gaps in words; a second person, blind.

A sheet without a network waits in test_outbox_sheets.py.
"""

import re
from typing import TYPE_CHECKING

import pytest

from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import make_account, make_event, rows_of, table_of
from tournament.accounts.models import Account, Membership, Role
from tournament.events.models import Event
from tournament.tables.queries import load_tables

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db(transaction=True)

PILE = "/desk/cup/rounds/1/totals/"


class Keypad:
    """A numeric keypad that counts what is pressed on it."""

    def __init__(self, page: "Page") -> None:
        self.page, self.pressed = page, 0

    def type(self, keys: str) -> None:
        """Press keys one by one; "⏎" is Enter."""
        assert set(keys) <= set("0123456789.-+/*⏎"), "no such key on a keypad"
        for key in keys:
            self.page.keyboard.press("Enter" if key == "⏎" else key)
            self.pressed += 1


def referee(event: Event, name: str) -> Account:
    account = make_account(name)
    Membership.objects.create(event=event, account=account, role=Role.REFEREE)
    return account


def at_table(page: "Page", number: int) -> None:
    """Wait until a table's form has the focus in its first field."""
    page.wait_for_url(f"**/tables/{number}/totals/")
    expect(page.locator("#count-0")).to_be_focused()


def at_pile(page: "Page") -> None:
    page.wait_for_url(re.compile(r"/rounds/1/totals/\?after=\d+$"))
    expect(page.locator("#pile-table")).to_be_focused()
    expect(desk.all_sent(page)).to_have_count(1)


@pytest.mark.follows("during/totals.md")
@pytest.mark.parametrize(
    ("key", "sheet", "scores", "most"),
    [
        ("ema-2025", "45.2⏎30.0⏎46.0⏎-1.2⏎", (45_200, 30_000, 46_000, -1_200), 22.0),
        # three fields instead of four; what a sheet of three comes to is held by tests/sheets/test_totals_pages.py
        pytest.param("sanmatsuri-2026", "51.0⏎40.2⏎-1.2⏎", (51_000, 40_200, -1_200), 16.5, marks=pytest.mark.nightly),
    ],
)
def test_a_pile_of_sheets_by_the_keypad(
    open_tab: OpenTab, key: str, sheet: str, scores: tuple[int, ...], most: float
) -> None:
    event = make_event(key, tables=4, rounds=1, slug="cup")
    page = open_tab(referee(event, "Rita"))
    page.goto("/desk/cup/")
    page.keyboard.press("e")
    page.wait_for_url(f"**{PILE}")
    expect(page.locator("#pile-table")).to_be_focused()
    keypad = Keypad(page)
    # one as it lies, then two out of order, then the one that is left
    for typed, number in (("⏎", 1), ("4⏎", 4), ("3⏎", 3), ("⏎", 2)):
        keypad.type(typed)
        at_table(page, number)
        keypad.type(sheet)
        at_pile(page)
    expect(page.locator("#pile-said")).to_have_text("No sheet is due: a number still opens its table.")
    assert keypad.pressed / 4 <= most
    assert [(table.signed, table.final.scores) for table in load_tables(event)] == [(True, scores)] * 4


def test_a_gap_is_said_while_typing_and_a_loan_mends_it(open_tab: OpenTab) -> None:
    event = make_event(tables=2, rounds=1, slug="cup")
    page = open_tab(referee(event, "Rita"))
    page.goto(f"{PILE}?after=1")
    keypad = Keypad(page)
    keypad.type("1⏎")
    at_table(page, 1)
    keypad.type("60.0⏎50.0⏎30.0⏎10.0")
    expect(page.locator(".gap")).to_have_text(
        re.compile(r"Over by 30,000: the sheet makes 150,000 of 120,000\.\s*Are borrowed points forgotten \(30,000\)\?")
    )
    keypad.type("⏎")
    expect(page.locator("#count-0")).to_be_focused()  # the page has come back with what was typed
    expect(page.locator(".gap")).to_contain_text("Are borrowed points forgotten (30,000)?")
    expect(page.locator("#count-3")).to_have_value("10.0")
    assert rows_of(table_of(event)) == []
    page.locator("#count-3").focus()
    keypad.type("/30.0")
    expect(page.locator("#loan-3")).to_have_value("30.0")
    expect(page.locator(".readback li").nth(3)).to_have_text(re.compile("Distel.*−20,000"))
    keypad.type("⏎")
    at_pile(page)
    assert load_tables(event)[0].final.scores == (60_000, 50_000, 30_000, -20_000)


def test_the_likeliest_cause_of_a_gap_is_taken_with_one_key(open_tab: OpenTab) -> None:
    event = make_event(tables=2, rounds=1, slug="cup")
    page = open_tab(referee(event, "Rita"))
    page.goto(f"{PILE}?after=1")
    keypad = Keypad(page)
    keypad.type("1⏎")
    at_table(page, 1)
    keypad.type("4520⏎30.0⏎28.0⏎16.8")
    expect(page.locator(".gap")).to_contain_text("A zero missing at Akelei")
    page.keyboard.press("Alt+k")
    expect(page.locator("#count-0")).to_have_value("45200")
    expect(page.locator("#count-0")).to_be_focused()
    expect(page.locator("#totals-said")).to_contain_text("The sum is right.")
    assert rows_of(table_of(event)) == []
