"""Two laptops at one table, two organisers on one round: each sees the other and what came between; nothing is lost."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import enter, make_account, make_event, rows_of, sign, table_of, writer_of
from tournament.accounts.models import Account, Membership, Role
from tournament.events.models import Event

if TYPE_CHECKING:
    from playwright.sync_api import Page

TABLE = "/desk/cup/rounds/1/tables/1/"
AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"  # asks who is here, as every five seconds
ALONE = f"() => {{ {AGAIN}; return document.querySelector('[data-presence]').hidden; }}"
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


def tells_and_is_seen(teller: "Page", act: Callable[[], object], *readers: "Page") -> None:
    """Wait until a page has told the desk of an act, and have others ask at once."""
    with teller.expect_response(re.compile("/presence/")):
        act()
    for page in readers:
        page.evaluate(AGAIN)


def at_table(open_tab: OpenTab, by: Account) -> "Page":
    page = open_tab(by)
    page.goto(TABLE)
    expect(page.locator("#line")).to_be_focused()
    return page


def hands(page: "Page") -> int:
    return page.locator(".hands tbody tr").count()


def test_two_see_each_other_at_a_table_on_the_grid_and_at_a_release(open_tab: OpenTab, event: Event):
    ana = at_table(open_tab, writer_of(event))
    ben = open_tab(make_account("Ben", superuser=True))
    tells_and_is_seen(ben, lambda: ben.goto(TABLE), ana)
    expect(ana.locator("[data-presence]")).to_have_text("Ben is here, too.")
    expect(ben.locator("#line")).to_be_focused()
    tells_and_is_seen(ben, lambda: ben.keyboard.type("2r3"), ana)
    expect(ana.locator("[data-presence]")).to_have_text("Ben is typing here.")
    cleo = open_tab(referee(event, "Cleo"))
    cleo.goto("/desk/cup/")
    expect(cleo.locator("[data-table='1'] .tile-present")).to_have_text(["Ben", "Organiser"])
    expect(cleo.locator("[data-table='1'] .tile-present.is-typing")).to_have_attribute(
        "title", "Ben is typing at table 1."
    )
    ben.goto("about:blank")  # its last word is answered to nobody: the others ask until it has come
    ana.wait_for_function(ALONE, polling=300)
    cleo.evaluate(AGAIN)
    expect(cleo.locator("[data-table='1'] .tile-present")).to_have_text(["Organiser"])

    # two organisers on one page
    enter(table_of(event, 2), "1t 230")
    for number in (1, 2):
        sign(table_of(event, number))
    release = "/desk/cup/rounds/1/release/"
    ana.goto(release)
    tells_and_is_seen(ben, lambda: ben.goto(release), ana)
    expect(ana.locator("[data-presence]")).to_have_text("Ben is here, too.")
    for page in (ana, ben):
        page.get_by_role("button", name="Release").click()
        expect(page.locator(".grid-missing")).to_have_text("Round 1 is released.")


@pytest.mark.follows("during/round.md")
def test_what_somebody_else_did_is_shown_and_nothing_typed_is_lost(open_tab: OpenTab, event: Event):
    ana = at_table(open_tab, referee(event, "Ana"))
    an_empty_line_shows_the_other_ones_hand_by_itself(ana, event)
    a_hand_being_tapped_is_kept_through_it(ana, event)
    what_came_between_is_shown_and_the_line_is_kept(ana, event)
    rows = len(rows_of(table_of(event)))

    # a table signed meanwhile says so, and shows what was typed
    ana.keyboard.type("2r3 340")
    sign(table_of(event))
    ana.evaluate(MOVED)
    expect(ana.locator("[data-watch-note]")).to_contain_text("Organiser signed the table.")
    ana.keyboard.press("Enter")
    expect(ana.locator("h1 + .now")).to_have_text(re.compile("Signed"))
    expect(ana.locator("#table-page > .note")).to_have_text("2r3 340")
    assert len(rows_of(table_of(event))) == rows


def an_empty_line_shows_the_other_ones_hand_by_itself(ana: "Page", event: Event) -> None:
    before = hands(ana)
    enter(table_of(event), "2r3 340")
    ana.evaluate(MOVED)
    expect(ana.locator(".hands tbody tr")).to_have_count(before + 1)
    expect(ana.locator("#line")).to_be_focused()
    ana.keyboard.type("d12")
    ana.keyboard.press("Enter")
    expect(ana.locator(".hands tbody tr")).to_have_count(before + 2)
    assert len(rows_of(table_of(event))) == 3


def a_hand_being_tapped_is_kept_through_it(ana: "Page", event: Event) -> None:
    desk.tap(ana, "Draw", "|1", "Note, announced")
    ana.get_by_label("Note", exact=True).fill("asked twice")
    enter(table_of(event), "d12")
    ana.evaluate(MOVED)
    ana.locator("[data-watch-seen]").click()
    expect(ana.locator("#table-page")).to_have_attribute("data-seq", "4")
    expect(ana.get_by_label("Note", exact=True)).to_have_value("asked twice")
    expect(ana.locator("#line")).to_have_value("d1/1 #asked twice")
    ana.locator("#line").press("Escape")
    ana.reload()
    expect(ana.locator("#line")).to_be_focused()


def what_came_between_is_shown_and_the_line_is_kept(ana: "Page", event: Event) -> None:
    ana.keyboard.type("2r3 34")
    box = ana.locator("#line").bounding_box()
    seen = ana.locator("[name=expected_seq]").first.input_value()
    enter(table_of(event), "d12")
    ana.evaluate(MOVED)
    note = ana.locator("[data-watch-note]")
    expect(note).to_contain_text(re.compile(r"5\. Draw, tenpai: Akelei \(1, \w+\) and Birk \(2, \w+\) \(Organiser\)"))
    assert ana.locator("#line").bounding_box() == box  # nothing moved under the fingers
    assert ana.locator("[name=expected_seq]").first.input_value() == seen
    ana.keyboard.type("0")
    ana.keyboard.press("Enter")  # seen: nothing is sent yet
    expect(note).to_have_count(0)
    expect(ana.locator("#table-page")).to_have_attribute("data-seq", "5")
    expect(ana.locator("#line")).to_have_value("2r3 340")
    expect(ana.locator("#line")).to_be_focused()
    expect(ana.locator("#understood")).to_contain_text("Birk")
    assert len(rows_of(table_of(event))) == 5
    ana.keyboard.press("Enter")
    expect(ana.locator("#line")).to_have_value("")
    expect(ana.locator("#table-page")).to_have_attribute("data-seq", "6")
    assert [row.by for row in rows_of(table_of(event))][4:] == [
        str(writer_of(event).uid),
        str(referee_uid(event, "Ana")),
    ]


def referee_uid(event: Event, name: str) -> object:
    return event.memberships.select_related("account").get(account__display_name=name).account.uid
