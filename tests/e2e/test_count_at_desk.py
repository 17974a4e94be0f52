"""Tiles counted in the hand page: the picker beside the line, what the line tells it, and what it puts in."""

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

from scoring.shorthand import write
from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.page_audit import LOOK
from tests.e2e.timeouts import expect
from tests.factories import enter_all, make_event, rows_of, table_of, writer_of
from tests.fixtures import live_event
from tournament.events.models import Event
from tournament.tables.history import read_payload, standing_entries

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

OPEN = "34p678m66s2p 345m 777z d1m"  # 1 han 30 fu
CLOSED = "345678m34777p66s2p"  # tanyao; 2 han 40 fu with riichi
JAVASCRIPT = """async (rows) => {
    const { chosenWin, putTiles, readTableLine } = await import("/static/calculator/tile_line.js");
    return rows.map(([text, caret]) => {
        const read = readTableLine(text);
        const at = chosenWin(read, caret);
        const { line, caret: next } = putTiles(read, at, "11z", false);
        return [at, (read.wins[at] || { tiles: "" }).tiles, `${line.slice(0, next)}|${line.slice(next)}`];
    });
}"""


event = live_event(tables=2, rounds=1)


@pytest.fixture
def page(open_tab: OpenTab, event: Event) -> "Page":
    return at_table(open_tab, event)


def at_table(open_tab: OpenTab, event: Event, *, phone: bool = False) -> "Page":
    """Open the hand page of the first table as the organiser."""
    return go_to_table(open_tab(writer_of(event), phone=phone), event)


def go_to_table(tab: "Page", event: Event, number: int = 1) -> "Page":
    """Open the hand page of a table in a tab that is there already."""
    tab.goto(f"/desk/{event.slug}/rounds/1/tables/{number}/")
    expect(tab.get_by_role("button", name="Count tiles")).to_be_visible()
    return tab


def dialog(page: "Page") -> "Locator":
    return page.get_by_role("dialog", name="Count tiles")


def hand_line(page: "Page") -> "Locator":
    return dialog(page).get_by_label("Tile notation")


def value(page: "Page") -> "Locator":
    return dialog(page).locator(".count-value")


def known(page: "Page") -> list[str]:
    """List what the dialog says of the winner, as the line tells it."""
    return dialog(page).get_by_role("list", name="From the line").locator("li").all_text_contents()


def open_with(page: "Page", typed: str) -> None:
    """Type into the line and open the picker by its key."""
    desk.line(page).fill(typed)
    page.keyboard.press("ArrowDown")
    expect(dialog(page)).to_be_visible()


def open_empty(page: "Page", typed: str) -> None:
    """Type into the line and open the picker; take out the tiles that an earlier step left there."""
    open_with(page, typed)
    hand_line(page).fill("")
    expect(value(page)).to_have_count(0)


def tap_tiles(page: "Page", *tiles: str) -> None:
    for tile in tiles:
        dialog(page).locator(f'[data-tap="{tile}"]').click()


def put(page: "Page") -> None:
    """Put the tiles into the line, once they are counted."""
    dialog(page).get_by_role("button", name="Put into the line").click()
    expect(dialog(page)).to_be_hidden()
    expect(desk.line(page)).to_be_focused()


def ledger(event: Event, number: int = 1) -> list[str]:
    return [write(entry) for entry in standing_entries(rows_of(table_of(event, number)))]


# ---------------------------------------------------------------- from the dialog to the list


@pytest.mark.follows("count-a-hand.md")
def test_a_hand_is_tapped_put_into_the_line_sent_listed_and_corrected(page: "Page", event: Event) -> None:
    open_with(page, "2r3 340")
    expect(dialog(page).get_by_role("button", name="Put into the line")).to_be_disabled()
    dialog(page).get_by_role("button", name="Chii", exact=True).click()
    tap_tiles(page, "3m")
    dialog(page).get_by_role("button", name="Pon", exact=True).click()
    tap_tiles(page, "7z")
    tap_tiles(page, "3p", "4p", "6m", "7m", "8m", "6s", "6s", "2p")
    dialog(page).get_by_role("button", name="Dora", exact=True).click()
    tap_tiles(page, "1m")
    expect(value(page)).to_have_text("1 han 30 fu 1,000 ron")
    put(page)
    expect(desk.line(page)).to_have_value("2r3 [678m34p66s2p 345m 777z d1m]")
    expect(desk.understood(page).locator(".understood-say")).to_have_text(
        "Birk (2, South) ron from Cyan (3, West): 1 han 30 fu, 1,000"
    )
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(1)

    # listed with its tiles and yaku
    row = desk.hands(page).first
    row.get_by_text("Tiles").click()
    expect(row.locator(".hand-yaku li")).to_have_text(["chun 1"])
    assert row.get_by_role("img").count() == 8 + 3 + 3 + 1

    # the next hand begins with no tiles
    page.keyboard.press("/")
    open_with(page, "1t")
    expect(hand_line(page)).to_have_value("")
    page.keyboard.press("Escape")

    # and the correction with those that were entered
    page.get_by_role("link", name="Correct East 1").click()
    page.get_by_role("button", name="Count tiles").click()
    expect(value(page)).to_have_text("1 han 30 fu 1,000 ron")
    dialog(page).get_by_role("button", name="Dora", exact=True).click()
    tap_tiles(page, "2m")
    put(page)
    page.keyboard.press("Enter")
    expect(page.get_by_text("corrected")).to_have_count(1)
    entry = read_payload(rows_of(table_of(event))[-1].payload)
    assert entry is not None
    assert write(entry) == "2r3 [678m34p66s2p 345m 777z d12m]"
    assert [(win.han, win.fu, win.yaku) for win in entry.winners] == [(2, 30, ("chun",))]  # type: ignore[attr-defined]
    go_to_table(page, event, 2)
    what_the_line_does_not_say_is_chosen_in_the_picker_and_typed_afterwards(page, event)
    a_hand_sent_without_its_tiles_leaves_none_behind(page)
    a_counted_hand_by_keys_alone(page, event)


def what_the_line_does_not_say_is_chosen_in_the_picker_and_typed_afterwards(page: "Page", event: Event) -> None:
    open_with(page, "")
    assert known(page) == ["East round"]
    expect(dialog(page).get_by_text("The line does not say yet who won.")).to_be_visible()
    expect(dialog(page).get_by_role("link", name="Print call slip")).to_be_hidden()
    hand_line(page).fill(f"{OPEN} wEW")
    expect(value(page)).to_have_text("1 han 30 fu 1,000 ron")
    put(page)
    expect(desk.line(page)).to_have_value("[678m34p66s2p 345m 777z d1m]")
    page.keyboard.type("3r4 ")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(1)
    assert ledger(event, 2) == ["3r4 [678m34p66s2p 345m 777z d1m]"]


def a_hand_sent_without_its_tiles_leaves_none_behind(page: "Page") -> None:
    open_with(page, "2r3 340")
    tap_tiles(page, "1m", "2m", "3m")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(2)
    page.keyboard.press("ArrowDown")
    expect(hand_line(page)).to_have_value("")
    page.keyboard.press("Escape")
    expect(desk.line(page)).to_be_focused()


def a_counted_hand_by_keys_alone(page: "Page", event: Event) -> None:
    page.keyboard.type("2r3/2")
    page.keyboard.press("ArrowDown")
    page.keyboard.type(f"{CLOSED} d1m")
    page.keyboard.press("Enter")  # counts it and puts it in
    expect(dialog(page)).to_be_hidden()
    expect(desk.line(page)).to_have_value("2r3 [345678m34777p66s2p d1m]/2")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(3)
    assert ledger(event, 2)[2:] == ["2r3 [345678m34777p66s2p d1m]/2"]


# ---------------------------------------------------------------- what the line tells, and in and out


def test_the_picker_reads_the_line_and_writes_into_it(open_tab: OpenTab, event: Event) -> None:
    page = open_tab(writer_of(event))
    the_line_stays_where_it_is_when_the_picker_arrives(page, event)
    escape_goes_back_to_the_line_and_loses_nothing(page)
    enter_on_what_is_no_hand_stays_and_says_what_is_missing(page)
    a_riichi_of_the_picker_becomes_a_deposit_of_the_line(page)
    every_place_in_a_line(page)
    the_call_slip_opens_with_the_present_hand(page)

    enter_all(table_of(event), "1t 230", "2r3 340")  # East 2, Birk deals
    enter_all(table_of(event), "2t 230")
    go_to_table(page, event)
    winds_way_riichi_and_counters_are_those_of_line_and_table(page)
    a_refused_hand_keeps_line_and_tiles(page)


def the_line_stays_where_it_is_when_the_picker_arrives(page: "Page", event: Event) -> None:
    held: list[Route] = []

    def hold(route: "Route") -> None:
        held.append(route)

    page.route("**/count_dialog.js", hold)
    with page.expect_request("**/count_dialog.js"):
        page.goto(f"/desk/{event.slug}/rounds/1/tables/1/")
    before = desk.line(page).bounding_box()
    held[0].continue_()
    expect(page.locator(":root.has-picker")).to_have_count(1)
    page.unroute("**/count_dialog.js")
    assert desk.line(page).bounding_box() == before


def escape_goes_back_to_the_line_and_loses_nothing(page: "Page") -> None:
    open_with(page, "2r3 340/2")
    tap_tiles(page, "1m", "2m", "3m")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_be_hidden()
    expect(desk.line(page)).to_be_focused()
    expect(desk.line(page)).to_have_value("2r3 340/2")
    page.get_by_role("button", name="Count tiles").click()
    expect(hand_line(page)).to_have_value("123m")
    dialog(page).get_by_role("button", name="Close", exact=True).click()
    expect(desk.line(page)).to_be_focused()


def enter_on_what_is_no_hand_stays_and_says_what_is_missing(page: "Page") -> None:
    open_empty(page, "2r3")
    page.keyboard.type("34p678m66s2p")
    expect(dialog(page).locator("[data-status]")).to_have_text("8 of 14 tiles")
    expect(dialog(page).get_by_text("No complete hand yet")).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.type(" 345m 777z")
    expect(value(page)).to_have_text("1 han 30 fu 1,000 ron")
    expect(dialog(page)).to_be_visible()
    page.keyboard.press("Escape")


def a_riichi_of_the_picker_becomes_a_deposit_of_the_line(page: "Page") -> None:
    open_empty(page, "2r3")
    hand_line(page).fill(CLOSED)
    expect(value(page)).to_have_text("1 han 40 fu 1,300 ron")
    dialog(page).get_by_role("button", name="Riichi", exact=True).click()
    expect(value(page)).to_have_text("2 han 40 fu 2,600 ron")
    put(page)
    expect(desk.line(page)).to_have_value("2r3 [345678m34777p66s2p]/2")
    page.keyboard.press("ArrowDown")
    dialog(page).get_by_role("button", name="Double riichi", exact=True).click()
    expect(value(page)).to_have_text("3 han 40 fu 5,200 ron")
    put(page)
    expect(desk.line(page)).to_have_value("2r3 [345678m34777p66s2p rr]/2")
    expect(desk.understood(page).locator(".understood-say")).to_contain_text("3 han 40 fu, 5,200")


def every_place_in_a_line(page: "Page") -> None:
    rows = [
        ("2r3 340/2", 9, [0, "", "2r3 [11z]/2|"]),
        ("2r3/2", 5, [0, "", "2r3 [11z]/2|"]),
        ("2r3 [22m +2222s^]/2", 5, [0, "22m +2222s^", "2r3 [11z]/2|"]),
        ("2r3 [22m/2 #a note/+", 5, [0, "22m", "2r3 [11z]/2 |#a note/+"]),
        ("1t y p3", 7, [0, "", "1t [11z] p3|"]),
        ("２ｒ３ 340", 7, [0, "", "2r3 [11z]|"]),
        ("", 0, [0, "", "|[11z]"]),
        ("/2", 2, [0, "", "|[11z]/2"]),
        ("2r", 2, [0, "", "2r| [11z]"]),
        ("2r3 340+4 5", 6, [0, "", "2r3 [11z]+4 5|"]),
        ("2r3 340+4 5", 11, [1, "", "2r3 340+4 [11z]|"]),
        ("2r3 [22m]+4/24", 14, [1, "", "2r3 [22m]+4 [11z]/24|"]),
        ("2r3 [22m]+4 [33m]/24", 20, [0, "22m", "2r3 [11z]+4 [33m]/24|"]),
        ("2r3 340+", 8, [1, "", "2r3 340+| [11z]"]),
    ]
    found = page.evaluate(JAVASCRIPT, [[text, caret] for text, caret, _ in rows])
    assert found == [wanted for *_, wanted in rows]


def the_call_slip_opens_with_the_present_hand(page: "Page") -> None:
    open_empty(page, "2r3 340")
    hand_line(page).fill(OPEN)
    link = dialog(page).get_by_role("link", name="Print call slip")
    expect(link).to_be_visible()
    # what is printed there is held by tests/calculator/test_table_count.py
    address = urlsplit(link.get_attribute("href") or "")
    assert address.path.endswith("/rounds/1/tables/1/call-slip.pdf")
    assert parse_qs(address.query) == {"line": ["2r3 [678m34p66s2p 345m 777z d1m]"]}
    page.keyboard.press("Escape")


def a_refused_hand_keeps_line_and_tiles(page: "Page") -> None:
    open_empty(page, "3r3")
    hand_line(page).fill(OPEN)
    put(page)
    page.keyboard.press("Enter")
    expect(desk.understood(page).locator(".note.is-error")).to_contain_text("cannot win by ron from their own discard")
    expect(desk.line(page)).to_have_value("3r3 [678m34p66s2p 345m 777z d1m]")
    page.keyboard.press("ArrowDown")
    expect(value(page)).to_have_text("1 han 30 fu 1,000 ron")


def winds_way_riichi_and_counters_are_those_of_line_and_table(page: "Page") -> None:
    open_with(page, "3r4/3")
    assert known(page) == ["3 Cyan", "East round", "South seat", "Ron", "Riichi", "Honba: 1"]
    for group in ("Won by", "Round wind", "Seat wind", "Counters"):
        expect(dialog(page).get_by_role("group", name=group)).to_be_hidden()
    hand_line(page).fill(CLOSED)
    expect(value(page)).to_have_text("2 han 40 fu 2,600 ron")
    expect(dialog(page).locator(".count-table").first).to_contain_text("2,900")
    put(page)
    expect(desk.understood(page).locator(".understood-say")).to_contain_text("2 han 40 fu, 2,600. Riichi: Cyan")
    expect(desk.understood(page).locator(".pays .num")).to_have_text(["0", "0", "+2,900", "−2,900"])

    # the same tiles by the dealer's tsumo
    desk.line(page).fill(f"2t [{CLOSED}]")
    page.keyboard.press("ArrowDown")
    assert known(page) == ["2 Birk", "East round", "East seat", "Tsumo", "Honba: 1"]
    expect(value(page)).to_have_text("2 han 30 fu 1,000 each dealer, tsumo")
    put(page)
    expect(desk.understood(page).locator(".understood-say")).to_contain_text("2 han 30 fu, 1,000 all")


def test_of_two_winners_the_one_at_the_caret_is_counted(open_tab: OpenTab, live_server: Any) -> None:
    event = make_event("rakkii-nomi-2026", tables=1, rounds=1)
    page = at_table(open_tab, event)
    open_with(page, "2r3 [34p678m66s2p 345m 777z]+4")
    assert known(page)[0] == "4 Distel"
    expect(hand_line(page)).to_have_value("")
    hand_line(page).fill("22p345s55667788s2p")
    expect(value(page)).to_have_text("2 han 40 fu 2,600 ron")
    put(page)
    expect(desk.line(page)).to_have_value("2r3 [34p678m66s2p 345m 777z]+4 [22p34555667788s2p]")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    assert known(page)[0] == "2 Birk"
    expect(hand_line(page)).to_have_value("678m34p66s2p 345m 777z")
    fits(page, make_event("sanmatsuri-2026", tables=1, rounds=1, by=writer_of(event)), phone=False)


def test_the_open_dialog_fits_on_a_phone(open_tab: OpenTab, live_server: Any) -> None:
    event = make_event("sanmatsuri-2026", tables=1, rounds=1)
    fits(open_tab(writer_of(event), phone=True), event, phone=True)


def fits(page: "Page", event: Event, *, phone: bool) -> None:
    """Open the dialog at the event's first table and look whether all of a large hand is there."""
    go_to_table(page, event)
    page.get_by_role("button", name="Count tiles").click()
    expect(dialog(page)).to_be_visible()
    assert page.evaluate("document.activeElement.id") == ("count-title" if phone else "tiles-line")
    hand_line(page).fill("123p406p789p11z99s9s k2 d1234z")
    expect(value(page)).to_be_visible()
    assert page.evaluate(LOOK, phone) == []
    assert page.evaluate("document.querySelector('.count-dialog-body').scrollWidth") <= page.evaluate("innerWidth")
