"""The wall in a browser: every row on one screen and none beyond the edge, turned by itself and by keys.

The suite shows each page in one or two of the four sizes, the seed of the run decides which; the nightly run in all.
"""

import datetime as dt
import re
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from tests.e2e.conftest import OpenTab
from tests.e2e.test_phones import SHIFTS
from tests.e2e.timeouts import expect
from tests.factories import (
    DAY,
    enter_all,
    make_account,
    make_event,
    play_round,
    round_of,
    seat_in_turn,
    table_of,
    writer_of,
)
from tournament.core.now import now
from tournament.events.actions import Publication, create_event, set_publication
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, add_players
from tournament.players.models import Person
from tournament.rounds.actions import publish_rounds, start_round
from tournament.tables.models import Round
from tournament.wall.actions import (
    AnnouncementText,
    begin_prizes,
    set_network,
    set_wall_pages,
    show_prizes,
    withdraw_announcement,
    write_announcement,
)
from tournament.wall.models import WallPage

if TYPE_CHECKING:
    from playwright.sync_api import Page

LONG = "Maximiliane-Theodora von Hohenwaldenburg"  # forty letters
Sizes = tuple[tuple[int, int], ...]
LARGEST = (3840, 2160)
SIZES = ((1920, 1080), (1280, 720), (1024, 768), LARGEST)
# What can be seen of the page that is shown: rows that are whole on the screen, those that are cut, whether it scrolls.
SEEN = """() => {
  const page = document.querySelector(".show-page.is-shown");
  const list = page.querySelector("[data-paged]");
  const box = (list || page).parentElement.getBoundingClientRect();
  const within = (node, { left, right, top, bottom }) => {
    const b = node.getBoundingClientRect();
    return !b.width || (b.left >= left - 1 && b.right <= right + 1 && b.top >= top - 1 && b.bottom <= bottom + 1);
  };
  const whole = [], cut = [];
  for (const row of list ? list.children : []) {
    const one = row.getBoundingClientRect();
    if (one.right <= box.left + 1 || one.left >= box.right - 1) continue;
    const parts = [row, ...row.querySelectorAll(".name, .num, .place, h3, .show-seat, .wind-letter")];
    const fits = parts.every((part) => within(part, box) && within(part, one));
    (fits ? whole : cut).push(row.textContent.trim().replace(/\\s+/g, " "));
  }
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const within_page = ".is-shown :is(h2, p, figure, .medal, .podium-col .name)";
  const others = document.querySelectorAll(`${within_page}, .show-corner, .show-event, .show-state`);
  const edges = [...others].filter((node) => !within(node, screen)).map((node) => node.className);
  const corner = document.querySelector(".show-corner")?.getBoundingClientRect();
  for (const title of corner?.width ? document.querySelectorAll(".is-shown > .show-title") : []) {
    if (title.getBoundingClientRect().right > corner.left) edges.push("a title on the clock");
  }
  const root = document.scrollingElement;
  return { whole, cut, edges, scrolls: root.scrollHeight > innerHeight || root.scrollWidth > innerWidth };
}"""
# What is seen on each screen of the page that stands alone, turned as a key turns it; `told` says that its number is.
SCREENS = f"""() => {{
  const seen = {SEEN};
  const words = () => document.querySelector("[data-wall-state]").textContent;
  const last = Number(/page 1 of (\\d+)/.exec(words())?.[1] || 1);
  const screens = [];
  for (let number = 1; number <= last; number += 1) {{
    screens.push({{ ...seen(), told: last === 1 || words().includes(`page ${{number}} of ${{last}}`) }});
    document.body.dispatchEvent(new KeyboardEvent("keydown", {{ key: "ArrowRight", bubbles: true, cancelable: true }}));
  }}
  return screens;
}}"""
# Whether the page has this size, its letters are there, and it was told of another size (after its own scripts were).
BECOMES = "window.became = false; addEventListener('resize', () => { window.became = true; })"
BECAME = """([width, height]) => innerWidth === width && innerHeight === height && window.became !== false
  && document.fonts.status === "loaded" && document.body.classList.contains("is-turning")"""
# The height of a capital letter of what must be read from afar, as a part of the screen's height.
CAPITAL = """(selector) => {
  const node = document.querySelector(`.show-page.is-shown ${selector}`);
  const style = getComputedStyle(node);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  return pen.measureText("H").actualBoundingBoxAscent / innerHeight;
}"""

# Words of names on two lines.
TORN = """() => [...document.querySelectorAll(".is-shown .name")].flatMap(({ firstChild: text }) =>
  [...text.data.matchAll(/\\S+/g)].filter((word) => {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1;
  }).map((word) => word[0]))"""


def look_at_screens(page: "Page") -> list[str]:
    """Turn a page that stands alone to its end; return the rows on its screens, of which none is cut."""
    rows: list[str] = []
    screens: list[dict[str, Any]] = page.evaluate(SCREENS)
    for screen in screens:
        wrong = (screen["cut"], screen["edges"], screen["scrolls"], screen["told"])
        assert wrong == ([], [], False, True), page.viewport_size
        rows += screen["whole"]
    return rows


def open_wall(open_tab: OpenTab, address: str) -> "Page":
    """Open a page of the wall whose clock can be moved on."""
    page = open_tab()
    page.clock.install()
    page.goto(address)
    return page


def without_scripts(page: "Page") -> None:
    """Switch scripts off in a tab, from the next page on."""
    page.context.new_cdp_session(page).send("Emulation.setScriptExecutionDisabled", {"value": True})


def ask(*pages: "Page") -> None:
    """Move the clocks on to where each page has asked whether there is something new."""
    for page in pages:
        page.clock.fast_forward(4_000)


def crowd(tables: int) -> Event:
    """Make an event with a full first round, whose players have long and Japanese names, one round released."""
    by = make_account("Organiser")
    event = create_event(name="Cup", date=DAY, rules_key="ema-2025", rounds=2, slug="cup", by=by)
    kinds = (LONG, "桜井ひなた", "Ada", "Bartholomew of the Far Hills", "ŁucjaŚniegockaKrzyżanowskaBrzęczyszczykie")
    names = [f"{kinds[index % 5]} {index}" for index in range(tables * 4)]
    players = add_players(event=event, players=[NewPlayer(name) for name in names], by=by)
    seat_in_turn(event, players, rounds=2, by=by)
    publish_rounds(event=event, numbers=[1, 2], by=by)
    return event


@pytest.fixture(params=[3, pytest.param(1, marks=pytest.mark.nightly)], ids=["one or two sizes", "all"])
def sizes(request: pytest.FixtureRequest, pytestconfig: pytest.Config) -> Sizes:
    """Return the sizes of screens that are tried."""
    every: int = request.param
    return SIZES[pytestconfig.getoption("randomly_seed", 0) % every :: every]


@pytest.fixture
def event(live_server: object) -> Event:
    """Return a small event: round 1 released, round 2 public."""
    event = make_event(slug="cup", tables=2, rounds=2)
    play_round(event, 1, "2r3 340/2")
    return event


def become(page: "Page", width: int, height: int) -> None:
    """Give the screen another size, and wait until the page has it and has laid itself out again."""
    if page.viewport_size != {"width": width, "height": height}:
        page.evaluate(BECOMES)
        page.set_viewport_size({"width": width, "height": height})
    # asked by a timer, since a page that nobody sees may get no frame
    page.wait_for_function(BECAME, arg=[width, height], polling=20)


@pytest.mark.slow
def test_four_hundred_players_fit_on_their_screens(open_tab: OpenTab, live_server: object, sizes: Sizes):
    event = crowd(100)
    page = open_tab()
    for name, wanted in (("names", 400), ("tables", 100)):
        page.goto(f"/e/{event.slug}/display/{name}/")
        for width, height in (size for size in sizes if size != LARGEST):
            become(page, width, height)
            seen = look_at_screens(page)
            assert (len(seen), len(set(seen))) == (wanted, wanted)


@pytest.mark.slow
def test_sixty_tables_with_their_standings_fit(open_tab: OpenTab, live_server: object, sizes: Sizes):
    event = crowd(60)
    play_round(event, 1, "2r3 340/2")
    page = open_tab()
    page.goto("/e/cup/display/standings/")
    for width, height in sizes:
        become(page, width, height)
        seen = look_at_screens(page)
        assert (len(seen), len(set(seen))) == (240, 240)


def test_what_is_read_from_afar_is_large_and_the_longest_announcement_fits(
    open_tab: OpenTab, event: Event, sizes: Sizes
):
    page = open_tab()

    # letters are a thirtieth of the screen
    for name, selectors in (("names", [".name"]), ("tables", [".name"]), ("standings", [".num", "h2"])):
        page.goto(f"/e/cup/display/{name}/")
        for width, height in sizes:
            become(page, width, height)
            for selector in selectors:
                assert page.evaluate(CAPITAL, selector) >= 1 / 30, (name, width)

    # two languages of an announcement, and the code of a network, each as long as they come
    Event.objects.filter(pk=event.pk).update(second_language="ja")
    words = AnnouncementText(title="x" * 80, text="word " * 60, second_title="昼" * 80, second_text="食" * 300)
    write_announcement(event=event, words=words, client_id=uuid4(), by=writer_of(event))
    set_network(event=event, network="W" * 32, password="M" * 63, by=writer_of(event))
    for name in ("announcements", "codes"):
        page.goto(f"/e/cup/display/{name}/")
        for width, height in (size for size in sizes if size != LARGEST):
            become(page, width, height)
            spills = "(node) => node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1"
            assert page.locator(".is-shown [data-fit]").evaluate(spills) is False, (name, width)


def test_titles_in_two_languages_leave_the_clock_its_corner(open_tab: OpenTab, event: Event, sizes: Sizes):
    start_round(round_=round_of(event, 2), by=writer_of(event))
    page = open_tab()
    for language, second, hours in (("fr", "de", 0), ("de", "fr", 9)):  # while the clock runs, and when time is up
        Event.objects.filter(pk=event.pk).update(language=language, second_language=second)
        Round.objects.filter(event=event, number=2).update(started_at=now() - dt.timedelta(hours=hours))
        for name in ("names", "tables", "standings"):
            page.goto(f"/e/cup/display/{name}/")
            for width, height in sizes:
                become(page, width, height)
                assert page.evaluate(SEEN)["edges"] == [], (language, name, width)


def test_a_screen_that_grows_is_laid_out_to_its_end(open_tab: OpenTab, event: Event):
    Event.objects.filter(pk=event.pk).update(language="fr", second_language="de")
    start_round(round_=round_of(event, 2), by=writer_of(event))
    page = open_tab()
    for name in ("names", "tables", "standings"):
        page.set_viewport_size({"width": 1920, "height": 1080})
        page.goto(f"/e/cup/display/{name}/")
        become(page, *LARGEST)  # Chromium laid the tables out without end, and took all memory
        assert len(look_at_screens(page)) > 0


@pytest.mark.parametrize("size", ["100", "150", "200"])
def test_a_board_of_many_tables_is_no_higher_than_the_picture_of_a_stream(
    open_tab: OpenTab, live_server: object, size: str
):
    crowd(9)
    page = open_tab()
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"/e/cup/rounds/1/overlay/?size={size}")
    box = page.locator(".overlay-board").bounding_box()
    assert box is not None
    assert (box["y"] >= 0, box["height"] <= 720) == (True, True)


@pytest.mark.parametrize("size", ["100", "150"])
def test_the_strip_of_a_table_looks_alike_in_sources_of_any_size(open_tab: OpenTab, live_server: object, size: str):
    event = make_event(slug="cup", tables=1, rounds=1)
    Person.objects.filter(players__event=event).update(preferred_name="Bartolomea-Innocenzia Wildenbruchhaus")
    enter_all(table_of(event), "2r1 330", "3r2 330", "4r3 m", "1r4 240", "2r1 230", "3t 330", "2r3 340")
    Event.objects.filter(pk=event.pk).update(show_needs=True, live_tables="hands", live_others="all")
    page = open_tab()
    shares = set()
    for width, height in ((1920, 1080), (1280, 720), (1024, 576)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"/e/cup/rounds/1/tables/1/overlay/?size={size}")
        expect(page.locator(".overlay-need")).to_have_count(4)
        wide = "all => all.filter((each) => each.scrollWidth > each.clientWidth).length"
        assert page.locator(".overlay-seats li").evaluate_all(wide) == 0, (width, height)
        box = page.locator(".overlay").bounding_box()
        assert box is not None
        shares.add(round(box["height"] / height, 1))
    assert len(shares) == 1
    page.goto("/e/cup/rounds/1/tables/1/overlay/?size=200&at=bottom-left")
    seats = page.locator(".overlay").bounding_box()
    assert seats is not None
    assert seats["y"] >= 0


def test_no_page_of_the_wall_moves_while_it_loads(open_tab: OpenTab, event: Event):
    words = AnnouncementText(title="Lunch", text="Until one o’clock")
    write_announcement(event=event, words=words, client_id=uuid4(), by=writer_of(event))
    for name in (*WallPage.values, ""):  # each alone, then all in turn
        page = open_tab()
        page.set_viewport_size({"width": 1280, "height": 720})
        page.add_init_script(SHIFTS)
        page.goto(f"/e/cup/display/{name}/" if name else "/e/cup/display/")
        become(page, 1280, 720)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.evaluate("shifted") <= 0.1, name
        page.close()


def turn_by_hand_and_by_itself(page: "Page") -> None:
    """Turn three pages by keys, let them turn, halt them and let them go on."""
    body, state = page.locator("body"), page.locator("[data-wall-state]")
    expect(body).to_have_attribute("data-shown", "standings")
    for press, wanted in (
        ("ArrowRight", "tables"), ("ArrowDown", "codes"), ("ArrowRight", "standings"), ("ArrowLeft", "codes"),
        ("2", "tables"), ("1", "standings"), ("9", "standings"),
    ):  # fmt: skip
        page.keyboard.press(press)
        expect(body).to_have_attribute("data-shown", wanted)
    page.clock.fast_forward(61_000)
    expect(body).to_have_attribute("data-shown", "tables")
    page.keyboard.press(" ")
    expect(state).to_have_text("halted")
    page.clock.fast_forward(300_000)
    expect(body).to_have_attribute("data-shown", "tables")
    page.keyboard.press(" ")
    expect(state).to_have_text("")
    page.clock.fast_forward(61_000)
    expect(body).to_have_attribute("data-shown", "codes")


def test_it_turns_by_itself_and_by_keys_and_news_change_what_it_shows(open_tab: OpenTab, event: Event):
    set_wall_pages(event=event, pages=[("standings", 60), ("tables", 60), ("codes", 60)], by=writer_of(event))
    page = open_wall(open_tab, "/e/cup/display/")
    body, shown = page.locator("body"), page.locator(".show-page.is-shown")
    turn_by_hand_and_by_itself(page)

    # news change the page that is shown, and not which
    page.keyboard.press("1")
    expect(body).to_have_attribute("data-shown", "standings")
    play_round(event, 2, "1r2 340")
    ask(page)
    expect(shown.locator(".show-fresh")).to_have_text("Final, after 2 rounds")
    expect(body).to_have_attribute("data-shown", "standings")

    # what is said at once stands over everything until it is taken back
    words = AnnouncementText(title="Fire alarm", text="Leave by the stairs", at_once=True)
    row = write_announcement(event=event, words=words, client_id=uuid4(), by=writer_of(event))
    ask(page)
    expect(shown).to_contain_text("Leave by the stairs")
    page.keyboard.press("ArrowRight")
    expect(shown).to_contain_text("Leave by the stairs")
    withdraw_announcement(announcement=row, by=writer_of(event))
    ask(page)
    expect(body).to_have_attribute("data-shown", "standings")


def test_the_prize_giving_is_the_same_on_every_screen(open_tab: OpenTab, live_server: object):
    event = make_event(slug="cup", tables=1, rounds=2)
    play_round(event, 1, "2r3 340/2")
    by = writer_of(event)
    set_publication(event=event, publication=Publication(hold="last"), by=by)
    play_round(event, 2, "1t 230")
    begin_prizes(event=event, top=0, by=by)
    tabs = [open_wall(open_tab, "/e/cup/display/") for _ in range(2)]
    for tab in tabs:
        expect(tab.locator("body")).to_have_attribute("data-shown", "prizes")
    desk = open_tab(by)
    desk.goto("/desk/cup/wall/")
    places = []
    while desk.get_by_role("button", name="Next").count():
        words = desk.get_by_role("button", name="Next").inner_text()
        place = re.search(r"Next: =?(\d+)", words)
        assert place
        places.append(int(place[1]))
        desk.get_by_role("button", name="Next").click()
        expect(desk.locator("#prizes")).to_contain_text(f"Revealed: {len(places)} of")
        ask(*tabs)
        for tab in tabs:
            shown = tab.locator(".show-place").filter(has_text=re.compile(rf"^=?{place[1]}(st|nd|rd|th)$"))
            expect(shown.first).to_be_visible()
    assert places == sorted(places, reverse=True)
    assert places[-1] == 1
    desk.get_by_role("button", name="Show the results now").click()
    expect(desk.get_by_text("Everybody sees the results.")).to_be_visible()


def test_words_of_names_are_whole_on_screens_of_4_to_3(open_tab: OpenTab, live_server: object):
    event = make_event(slug="cup", tables=2, rounds=2)
    Person.objects.filter(players__event=event).update(preferred_name="Bartolomea Wildenbruchhaus")
    play_round(event, 1, "1r2 340/2")
    start_round(round_=round_of(event, 2), by=writer_of(event))
    wall = open_tab()
    for page in ("names", "tables", "standings"):
        wall.goto(f"/e/cup/display/{page}/")
        become(wall, 1024, 768)
        assert wall.locator(".is-shown .name").count() == 8
        assert wall.evaluate(TORN) == [], page


def test_the_legend_of_clubs_is_whole_below_the_places(open_tab: OpenTab, live_server: object):
    event = make_event(slug="cup", tables=4, rounds=1)
    for number in range(1, 17):
        club = f"Ein Verein mit langem Namen {(number + 1) // 2}"
        Person.objects.filter(players__event=event, players__number=number).update(club=club)
    play_round(event, 1, "1r2 340/2")
    wall = open_tab()
    for size in ((1920, 1080), (1024, 768)):
        wall.goto("/e/cup/display/standings/")
        become(wall, *size)
        boxes = "one => [...document.querySelectorAll(one)].map(each => each.getBoundingClientRect().toJSON())"
        clubs = wall.evaluate(boxes, ".show-clubs, .show-clubs ul, .show-clubs li")
        (places,), (foot,) = wall.evaluate(boxes, ".is-shown .show-box"), wall.evaluate(boxes, ".show-foot")
        assert len(clubs) == 10
        assert places["bottom"] <= min(box["top"] for box in clubs) + 1, size
        assert max(box["bottom"] for box in clubs) <= min(clubs[1]["bottom"], foot["top"]) + 1, size
        assert wall.evaluate(SEEN)["edges"] == []


def test_a_list_that_one_column_holds_has_the_width_of_the_screen(open_tab: OpenTab, live_server: object):
    event = make_event(slug="cup", tables=2, rounds=1)
    Person.objects.filter(players__event=event).update(preferred_name="Bartolomea-Innocenzia dell’Acquaviva")
    wall = open_tab()
    wall.goto("/e/cup/display/tables/")
    become(wall, 1920, 1080)
    lines = "names => names.map(name => Math.floor(name.clientHeight / parseFloat(getComputedStyle(name).fontSize)))"
    assert wall.locator(".is-shown .name").evaluate_all(lines) == [1] * 8


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (1024, 768)])
def test_the_podium_shows_every_medal_and_its_steps_go_by_place_for_long_names(
    open_tab: OpenTab, live_server: object, size: tuple[int, int]
):
    event = make_event(slug="cup", tables=1, rounds=1)
    by = writer_of(event)
    Person.objects.filter(players__event=event).update(preferred_name=LONG, club="Ein Verein mit langem Namen")
    play_round(event, 1, "1r2 340/2", "3t 230")
    begin_prizes(event=event, top=0, by=by)
    show_prizes(event=event, step=4, by=by)
    wall = open_tab()
    wall.goto("/e/cup/display/")
    become(wall, *size)
    seen = wall.evaluate(SEEN)
    assert (seen["edges"], seen["scrolls"]) == ([], False)
    assert tops(wall, ".podium-block") == sorted(tops(wall, ".podium-block"))
    phone = open_tab()
    phone.set_viewport_size({"width": 1280, "height": 800})
    phone.goto("/e/cup/")
    assert tops(phone, ".podium-step") == sorted(tops(phone, ".podium-step"))
    assert tops(phone, ".podium-step .medal") == sorted(tops(phone, ".podium-step .medal"))
    beneath = "all => all.map(one => one.nextElementSibling.offsetTop - one.offsetTop - one.offsetHeight)"
    assert min(phone.eval_on_selector_all(".podium-step .medal", beneath)) >= 4


@pytest.mark.parametrize(("tables", "name"), [(1, "Akelei"), (3, LONG)])  # alone, and shared by three
def test_a_place_that_comes_in_is_as_large_as_where_motion_is_not_wanted(
    open_tab: OpenTab, live_server: object, tables: int, name: str
):
    event = make_event(slug="cup", tables=tables, rounds=1)
    by = writer_of(event)
    Person.objects.filter(players__event=event).update(preferred_name=name, club="Ein Verein mit langem Namen")
    play_round(event, 1, "1r2 340/2", "3t 230")
    begin_prizes(event=event, top=0, by=by)
    wall = open_tab()
    for step in (1, 2, 3, 4):
        show_prizes(event=event, step=step, by=by)
        sizes = []
        for motion in ("reduce", "no-preference"):
            wall.emulate_media(reduced_motion=motion)
            wall.goto("/e/cup/display/")
            sizes.append(wall.locator(".is-shown [data-fit]").evaluate("one => getComputedStyle(one).fontSize"))
        assert sizes[0] == sizes[1], step


def test_a_name_breaks_at_its_hyphen_only_where_it_is_wider_than_a_line(open_tab: OpenTab, live_server: object):
    event = make_event(slug="cup", tables=1, rounds=1)
    Person.objects.filter(players__event=event).update(preferred_name="Noor Al-Qamarani")
    wide = "Maximiliane-Theodora"
    Person.objects.filter(players__event=event, players__number=1).update(preferred_name=wide)
    play_round(event, 1, "1r2 340/2", "3t 230")
    tab = open_tab()
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto("/e/cup/")
    read = "all => all.map(one => [one.textContent, one.offsetHeight, one.scrollWidth])"
    words = tab.eval_on_selector_all(".podium .unbroken", read)
    line = min(height for _text, height, _width in words)
    assert {text: round(height / line) for text, height, _width in words} == {"Al-Qamarani": 1, wide: 2}
    assert all(width < 390 for _text, _height, width in words)
    lines = "all => all.map(one => getComputedStyle(one).textDecoration)"
    assert len(set(tab.eval_on_selector_all(".podium a, .podium a .unbroken", lines))) == 1


def tops(page: "Page", selector: str) -> list[float]:
    """Return how far below the upper edge each of three parts begins, in CSS pixels, in the order of the source."""
    found: list[float] = page.eval_on_selector_all(selector, "all => all.map((one) => one.getBoundingClientRect().top)")
    assert len(found) == 3
    return found


def test_without_a_network_it_goes_on_and_without_scripts_it_is_a_list(open_tab: OpenTab, event: Event):
    page = open_tab()
    page.goto("/e/cup/display/")
    # it has fetched what it keeps
    page.wait_for_function("() => navigator.serviceWorker.controller !== null", polling=50)
    page.context.set_offline(True)
    expect(page.locator(".show-away")).to_be_visible()
    page.keyboard.press("3")
    expect(page.locator("body")).to_have_attribute("data-shown", "tables")
    page.context.set_offline(False)
    expect(page.locator(".show-away")).to_be_hidden()

    # without scripts all names, which load themselves again
    without_scripts(page)
    page.goto("/e/cup/display/")
    assert page.locator(".list-names > li").count() == 8
    expect(page.locator(".list-names > li").last).to_be_visible()
    assert page.locator("noscript meta[http-equiv=refresh]").count() == 1
