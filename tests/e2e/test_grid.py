"""The grid in a browser: fifty tables on one screen, keys, filters, search, unsent hands, paper without a network."""

import datetime as dt
import re
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from django.utils import timezone

from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import enter, enter_all, make_event, round_of, sign, table_of, writer_of
from tournament.accounts.actions import get_site_organiser
from tournament.calls.actions import call_referee
from tournament.core.now import clock_at
from tournament.events.models import Event, SecondPerson
from tournament.rounds.actions import give_time, set_ready, start_round

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

PRINTED = "window.printed = 0; window.print = () => { window.printed += 1; dispatchEvent(new Event('beforeprint')); };"
# what the outbox says; after the page has loaded it says something else only when something else waits
UNSENT = """document.dispatchEvent(new CustomEvent("outbox-changed", { detail: { tables: [
  { event: "cup", round: 1, table: 7, waiting: 2, refused: 0 },
  { event: "cup", round: 1, table: 8, waiting: 1, refused: 1 },
  { event: "other", round: 1, table: 9, waiting: 1, refused: 0 },
  { event: "cup", round: 2, table: 9, waiting: 1, refused: 0 },
] } }))"""
# everybody types, somewhere: what the desk is made to answer whenever the page asks
ALL_TYPE = [
    {
        "name": "Maximiliane-Theodora",
        "place": "table",
        "round": 1,
        "table": number,
        "typing": True,
        "here": False,
        "at": "",
    }
    for number in range(1, 51)
]

# How high a tile is, and which of its words leave it or lie on others.
TILE = """(tile) => {
  const room = tile.getBoundingClientRect();
  const words = [...tile.querySelectorAll(".tile-no, .tile-when, .state, .tile-hand span")]
    .map((node) => {
      const range = document.createRange();
      range.selectNodeContents(node.lastChild || node);
      return [node.innerText, range.getBoundingClientRect()];
    }).filter(([, box]) => box.width > 1);
  const spills = words.filter(([, { left, right }]) => left < room.left || right > room.right).map(([word]) => word);
  const lies = ([word, a]) => words.some(([other, b]) => other !== word && a.left + 1 < b.right && b.left + 1 < a.right
    && a.top + a.height / 2 > b.top && a.top + a.height / 2 < b.bottom);
  return { height: room.height, wrong: [...spills, ...words.filter(lies).map(([word]) => word)] };
}"""


def fifty() -> Event:
    """Return fifty tables, most of them ready to begin."""
    event = make_event(tables=50, rounds=8, slug="cup")
    event.second_person = SecondPerson.OTHER_PERSON
    event.save()
    set_ready(round_=round_of(event), tables=range(1, 30), ready=True, by=writer_of(event))
    return event


def play_fifty(event: Event) -> None:
    """Bring fifty tables into every state: no hand, playing, warnings, calls, minutes, sheets due, signed."""
    writer = writer_of(event)
    with clock_at(timezone.now() - dt.timedelta(minutes=20)):
        start_round(round_=round_of(event), by=writer)
    for number in range(1, 51, 2):
        table = table_of(event, number)
        enter_all(table, "1t 230", "1r2 340", "d1", "d1")
        if number % 5 == 0:
            call_referee(table=table, client_id=uuid4(), by=writer)
        if number % 7 == 0:
            enter(table, "d1/2", reason="showed noten")
        if number % 9 == 0:
            give_time(table=table, minutes=5, reason="late", client_id=uuid4(), by=writer)
        if number % 11 == 0:
            sign(table)


def height(page: "Page") -> int:
    return int(page.evaluate("document.documentElement.scrollHeight"))


def cut_off(page: "Page") -> list[str]:
    """List the tiles whose words run out of them."""
    found = page.evaluate(
        """[...document.querySelectorAll("#grid .tile")].filter((tile) => tile.scrollHeight > tile.clientHeight + 1)
            .map((tile) => tile.dataset.table)"""
    )
    return [str(number) for number in found]


def shown(page: "Page") -> list[str]:
    return page.locator("#grid .tile:visible").evaluate_all("tiles => tiles.map(tile => tile.dataset.table)")


def test_fifty_tables_are_one_screen_before_and_in_every_state(open_tab: OpenTab, live_server: object):
    event = fifty()
    page = open_tab(writer_of(event))
    page.route("**/presence/", lambda route: route.fulfill(json={"people": ALL_TYPE, "calls": 1}))
    page.goto("/desk/cup/")
    expect(page.locator(".tile-ready")).to_have_count(50)
    assert height(page) <= 800
    assert cut_off(page) == []

    play_fifty(event)
    page.goto("/desk/cup/")
    expect(page.locator("#grid .tile")).to_have_count(50)
    expect(page.locator(".tile-present")).to_have_count(50)
    page.evaluate(UNSENT)
    expect(page.locator(".tile-unsent")).to_have_count(2)
    assert height(page) <= 800
    assert cut_off(page) == []


@pytest.fixture
def event(live_server: object) -> Event:
    """Return eight tables, three of them playing, the second called to."""
    event = make_event(tables=8, rounds=2, slug="cup")
    with clock_at(timezone.now() - dt.timedelta(minutes=7)):
        start_round(round_=round_of(event), by=writer_of(event))
        for number in (1, 2, 3):
            enter(table_of(event, number), "1t 230")
    call_referee(table=table_of(event, 2), client_id=uuid4(), by=writer_of(event))
    return event


def test_a_number_and_enter_open_a_table_from_anywhere(open_tab: OpenTab, event: Event):
    page = open_tab(writer_of(event))
    for end, focused in (("rounds/1/tables/1/", "#line"), ("settings/", "body")):  # from the grid: test_hand_page.py
        page.goto(f"/desk/cup/{end}")
        expect(page.locator(focused)).to_be_focused()
        page.evaluate("document.activeElement.blur()")
        page.keyboard.type("7")
        expect(page.get_by_label("Table", exact=True).first).to_have_value("7")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("/desk/cup/rounds/1/tables/7/$"))


@pytest.mark.follows("during/round.md")
def test_filters_by_key_are_kept_in_the_address_and_through_a_new_version(open_tab: OpenTab, event: Event):
    page = open_tab(writer_of(event))
    page.goto("/desk/cup/")
    page.keyboard.press("l")
    expect(page).to_have_url(re.compile(r"\?round=1&show=playing$"))
    assert shown(page) == ["1", "2", "3"]
    expect(page.get_by_role("link", name="1 more table")).to_have_count(0)
    enter(table_of(event, 5), "1t 230")
    page.evaluate("document.body.dispatchEvent(new CustomEvent('version-changed'))")
    expect(page.locator("#grid .tile:visible")).to_have_count(4)
    page.keyboard.press("w")
    expect(page.get_by_role("link", name="1 more table with trouble or a call")).to_be_visible()
    expect(page).to_have_url(re.compile(r"show=waiting$"))
    page.keyboard.press("t")
    expect(page.locator("#grid .tile:visible")).to_have_count(1)
    page.reload()
    assert shown(page) == ["2"]

    # a filter and a new version may meet, whichever of them is slow
    for slow, table in (("filter", 6), ("version", 7)):
        a_filter_and_a_new_version_meet(page, event, slow, table)


def a_filter_and_a_new_version_meet(page: "Page", event: Event, slow: str, table: int) -> None:
    page.goto("/desk/cup/?show=all")
    playing = table - 2
    held: list[Route] = []
    pressed: list[str] = []  # what the desk tells of an earlier hand is not held back: the press would wait behind it

    def meet(route: "Route") -> None:
        if pressed and ("show=playing" in route.request.url) == (slow == "filter") and not held:
            held.append(route)
        else:
            route.continue_()

    page.route(re.compile(r"/desk/cup/\?"), meet)
    press = {
        "filter": lambda: page.keyboard.press("l"),
        "version": lambda: page.evaluate("document.body.dispatchEvent(new CustomEvent('version-changed'))"),
    }
    expect(page.locator("#grid.htmx-request")).to_have_count(0)
    with page.expect_request(re.compile(r"/desk/cup/\?")):
        pressed.append(slow)
        press[slow]()
    expect(page.locator("#grid")).to_be_visible()
    answer = held[0].fetch()
    enter(table_of(event, table), "1t 230")
    with page.expect_response(re.compile(r"/desk/cup/\?")):
        press["version" if slow == "filter" else "filter"]()
    expect(page.locator("#grid .tile:visible")).to_have_count(8 if slow == "filter" else playing + 1)
    with page.expect_response(re.compile(r"/desk/cup/\?")):
        held[0].fulfill(response=answer)
    expect(page.locator("#grid .filters [aria-current]").last).to_have_attribute("data-filter-key", "l")
    page.evaluate("document.body.dispatchEvent(new CustomEvent('version-changed'))")
    expect(page.locator("#grid .tile:visible")).to_have_count(playing + 1)
    expect(page).to_have_url(re.compile(r"show=playing$"))
    page.unroute(re.compile(r"/desk/cup/\?"))


def test_a_name_narrows_and_enter_opens(open_tab: OpenTab, event: Event):
    player = event.players.select_related("person").get(number=9)
    player.person.preferred_name = "Łucja Śniegocka"
    player.person.save()
    page = open_tab(writer_of(event))
    page.goto("/desk/cup/?show=playing")
    page.keyboard.press("/")
    page.keyboard.type("e")
    expect(page.locator("#grid .tile:visible")).not_to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#grid")).to_be_visible()  # several: nothing is opened
    page.get_by_label("Find a player").fill("snieg lu")
    expect(page.locator("#grid .tile:visible")).to_have_count(1)
    page.evaluate("document.body.dispatchEvent(new CustomEvent('version-changed'))")
    expect(page.get_by_label("Find a player")).to_be_focused()
    expect(page.locator("#grid .tile:visible")).to_have_count(1)
    page.get_by_label("Find a player").fill("nobody")
    expect(page.locator("[data-none]")).to_be_visible()
    page.get_by_label("Find a player").fill("snieg lu")
    # as where tiles of a new version come at the moment of Enter
    page.evaluate("document.querySelectorAll('#grid .tile-cell').forEach((cell) => { cell.hidden = false; })")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/rounds/1/tables/3/$"))


def test_tiles_go_on_by_themselves_and_are_printed_without_a_server(open_tab: OpenTab, event: Event):
    page = open_tab(writer_of(event))
    page.add_init_script(PRINTED)
    page.clock.install()
    page.goto("/desk/cup/")
    page.wait_for_load_state("networkidle")  # the scripts count from when they begin
    expect(page.locator("[data-table='1'] .tile-when")).to_have_text("7 min")
    page.context.set_offline(True)  # an answer would say that the server's clock has not moved
    page.clock.fast_forward("05:00")
    expect(page.locator("[data-table='1'] .tile-when")).to_have_text("12 min")
    page.context.set_offline(False)

    # they say what waits unsent, and keep saying it
    page.evaluate(UNSENT)
    page.evaluate("document.body.dispatchEvent(new CustomEvent('version-changed'))")
    expect(page.locator(".tile-unsent")).to_have_text(["2 unsent", "1 refused"])
    expect(page.locator("[data-table='7'] .tile-unsent")).to_have_text("2 unsent")
    the_state_is_printed_by_one_key_while_the_server_is_away(page)


def the_state_is_printed_by_one_key_while_the_server_is_away(page: "Page") -> None:
    page.goto("/desk/cup/?show=waiting")
    page.context.set_offline(True)
    page.keyboard.press("p")
    page.get_by_role("button", name="Print the state").click()
    assert page.evaluate("window.printed") == 2
    page.emulate_media(media="print")
    expect(page.locator(".grid-print")).to_be_visible()
    expect(page.locator("#grid .tile:visible")).to_have_count(0)
    rows = page.locator(".grid-print tbody tr")
    expect(rows).to_have_count(8)
    expect(rows.nth(1)).to_contain_text("referee called")
    expect(rows.nth(1)).to_contain_text("honba 1")
    expect(page.locator("[data-printed-at]")).not_to_have_text("____")
    page.emulate_media(media="screen")
    page.get_by_label("Find a player").focus()
    page.keyboard.press("p")  # in a field it is a letter
    assert page.evaluate("window.printed") == 2


@pytest.mark.parametrize("tables", [8, 24, 50])
def test_when_time_is_up_a_tile_holds_its_words_and_is_not_a_line_higher(
    open_tab: OpenTab, live_server: object, tables: int
):
    page = open_tab(get_site_organiser())
    page.set_viewport_size({"width": 820, "height": 1180})
    heights = []
    for slug, minutes in (("cup", 20), ("late", 80)):
        event = make_event(tables=tables, rounds=2, slug=slug, by=get_site_organiser())
        with clock_at(timezone.now() - dt.timedelta(minutes=minutes)):
            start_round(round_=round_of(event), by=writer_of(event))
            enter(table_of(event), "d1")
        page.goto(f"/desk/{slug}/")
        tile = page.locator(".tile").first.evaluate(TILE)
        assert tile["wrong"] == [], slug
        heights.append(tile["height"])
    assert heights[1] - heights[0] < 10
