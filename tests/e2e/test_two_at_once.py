"""Two laptops at one table, two organisers on one round: each sees the other and what came between; nothing is lost."""

import re
from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import OpenTab
from tests.e2e.patience import expect
from tests.factories import enter, make_account, make_event, rows_of, sign, table_of, writer_of
from tournament.models import Account, Event, Membership, Role

if TYPE_CHECKING:
    from playwright.sync_api import Page

TABLE = "/desk/cup/rounds/1/tables/1/"
MOVED = "document.body.dispatchEvent(new CustomEvent('version-changed'))"


@pytest.fixture
def event(live_server: object) -> Event:
    """Return two tables; the first has one hand."""
    event = make_event(tables=2, rounds=1, slug="cup")
    enter(table_of(event), "1t 230")
    return event


def referee(event: Event, name: str) -> Account:
    account = make_account(name)
    Membership.objects.create(event=event, account=account, role=Role.REFEREE)
    return account


def at_table(open_tab: OpenTab, by: Account) -> "Page":
    page = open_tab(by)
    page.goto(TABLE)
    expect(page.locator("#line")).to_be_focused()
    return page


def hands(page: "Page") -> int:
    return page.locator(".hands tbody tr").count()


def test_they_see_each_other_type_on_the_page_and_on_the_grid(open_tab: OpenTab, event: Event):
    ana = at_table(open_tab, referee(event, "Ana"))
    ben = at_table(open_tab, referee(event, "Ben"))
    expect(ana.locator("[data-presence]")).to_have_text("Ben is here, too.")
    ben.keyboard.type("2r3")
    expect(ana.locator("[data-presence]")).to_have_text("Ben is typing here.")
    cleo = open_tab(referee(event, "Cleo"))
    cleo.goto("/desk/cup/")
    expect(cleo.locator("[data-table='1'] .tile-present")).to_have_text(["Ben", "Ana"])
    expect(cleo.locator("[data-table='1'] .tile-present.is-typing")).to_have_attribute(
        "title", "Ben is typing at table 1."
    )
    ben.goto("about:blank")
    expect(ana.locator("[data-presence]")).to_be_hidden()
    expect(cleo.locator("[data-table='1'] .tile-present")).to_have_text(["Ana"])


def test_two_organisers_on_one_page_see_each_other(open_tab: OpenTab, event: Event):
    for number in (1, 2):
        if number == 2:
            enter(table_of(event, 2), "1t 230")
        sign(table_of(event, number))
    one, other = open_tab(writer_of(event)), open_tab(make_account("Olga", superuser=True))
    for page in (one, other):
        page.goto("/desk/cup/rounds/1/release/")
    expect(one.locator("[data-presence]")).to_have_text("Olga is here, too.")
    for page in (one, other):
        page.get_by_role("button", name="Release").click()
        expect(page.locator(".grid-missing")).to_have_text("Round 1 is released.")


def test_an_empty_line_shows_the_other_ones_hand_by_itself(open_tab: OpenTab, event: Event):
    ana = at_table(open_tab, referee(event, "Ana"))
    before = hands(ana)
    enter(table_of(event), "2r3 340")
    ana.evaluate(MOVED)
    expect(ana.locator(".hands tbody tr")).to_have_count(before + 1)
    expect(ana.locator("#line")).to_be_focused()
    ana.keyboard.type("d12")
    ana.keyboard.press("Enter")
    expect(ana.locator(".hands tbody tr")).to_have_count(before + 2)
    assert len(rows_of(table_of(event))) == 3


def test_what_came_between_is_shown_and_the_line_is_kept(open_tab: OpenTab, event: Event):
    ana = at_table(open_tab, referee(event, "Ana"))
    ana.keyboard.type("2r3 34")
    box = ana.locator("#line").bounding_box()
    seen = ana.locator("[name=expected_seq]").first.input_value()
    enter(table_of(event), "d12")
    ana.evaluate(MOVED)
    note = ana.locator("[data-watch-note]")
    expect(note).to_contain_text("2. Draw, tenpai: Akelei (1, East) and Birk (2, South) (Organiser)")
    assert ana.locator("#line").bounding_box() == box  # nothing moved under the fingers
    assert ana.locator("[name=expected_seq]").first.input_value() == seen
    ana.keyboard.type("0")
    ana.keyboard.press("Enter")  # seen: nothing is sent yet
    expect(note).to_have_count(0)
    expect(ana.locator("#table-page")).to_have_attribute("data-seq", "2")
    expect(ana.locator("#line")).to_have_value("2r3 340")
    expect(ana.locator("#line")).to_be_focused()
    expect(ana.locator("#understood")).to_contain_text("Birk")
    assert len(rows_of(table_of(event))) == 2
    ana.keyboard.press("Enter")
    expect(ana.locator("#line")).to_have_value("")
    expect(ana.locator("#table-page")).to_have_attribute("data-seq", "3")
    assert [row.by for row in rows_of(table_of(event))][1:] == [
        str(writer_of(event).uid),
        str(referee_uid(event, "Ana")),
    ]


def referee_uid(event: Event, name: str) -> object:
    return event.memberships.select_related("account").get(account__display_name=name).account.uid


def test_an_open_form_is_kept_through_it(open_tab: OpenTab, event: Event):
    ana = at_table(open_tab, referee(event, "Ana"))
    ana.get_by_text("Enter by form").click()
    form = ana.locator("details.by-form")
    form.get_by_label("Note").fill("asked twice")
    enter(table_of(event), "d12")
    ana.evaluate(MOVED)
    ana.locator("[data-watch-seen]").click()
    expect(ana.locator("#table-page")).to_have_attribute("data-seq", "2")
    expect(form).to_have_attribute("open", "")
    expect(form.get_by_label("Note")).to_have_value("asked twice")


def test_a_table_signed_meanwhile_says_so_and_shows_what_was_typed(open_tab: OpenTab, event: Event):
    ana = at_table(open_tab, referee(event, "Ana"))
    ana.keyboard.type("2r3 340")
    sign(table_of(event))
    ana.evaluate(MOVED)
    expect(ana.locator("[data-watch-note]")).to_contain_text("Organiser signed the table.")
    ana.keyboard.press("Enter")
    expect(ana.locator("h1 + .now")).to_have_text(re.compile("Signed"))
    expect(ana.locator("#table-page > .note")).to_have_text("2r3 340")
    assert len(rows_of(table_of(event))) == 1
