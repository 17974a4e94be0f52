"""The calculator in a browser: whole hands by taps and by keys, what is greyed, a server that goes away, widths."""

import json
import random
import re
from typing import TYPE_CHECKING, Any

import pytest

from scoring.hand_line import read_hand_line, write_hand_line
from scoring.tiles import parse_tiles
from tests.e2e.conftest import OpenTab
from tests.e2e.page_audit import LOOK
from tests.e2e.taps import Fingers
from tests.e2e.timeouts import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

LINE = "34p678m66s2p 345m 777z d158m wES"
COUNT = "**/calculator/count/**"
JAVASCRIPT = """async (lines) => {
    const { readLine, writeLine } = await import("/static/calculator/tile_line.js");
    return lines.map((line) => writeLine(readLine(line)));
}"""


def opened(open_tab: OpenTab, query: str = "", *, phone: bool = False) -> "Page":
    """Open the calculator in a tab of its own."""
    return go(open_tab(phone=phone), query)


def go(page: "Page", query: str = "") -> "Page":
    """Open the calculator."""
    page.goto(f"/calculator/{query}")
    expect(page.locator("[data-picker]")).to_be_visible()
    return page


def value(page: "Page") -> Any:
    return page.locator(".count-value")


def off(page: "Page", selector: str) -> list[str]:
    """List what is greyed of the buttons that are shown."""
    return page.locator(f'{selector}[aria-disabled="true"]:visible').evaluate_all(
        "nodes => nodes.map((node) => node.dataset.tap || node.dataset.mode || node.dataset.flag)"
    )


# ---------------------------------------------------------------- by taps


@pytest.mark.follows("count-a-hand.md")
def test_a_hand_with_two_melds_and_three_dora_takes_at_most_25_taps(open_tab: OpenTab):
    page = opened(open_tab, phone=True)
    person = Fingers(page)
    person.tap("Chii")
    person.tiles("3m")
    person.tap("Pon")
    person.tiles("7z")
    person.tiles("34p678m66s2p")
    person.tap("Dora")
    person.tiles("158m")
    person.at('[data-seat="S"]')
    expect(page.locator("[data-line]")).to_have_value("678m34p66s2p 345m 777z d158m wES")
    expect(value(page)).to_have_text("2 han 30 fu 2,000 ron")
    assert person.taps <= 25
    assert person.taps == 17
    sanma_has_its_own_tiles_calls_and_seats(page)


def sanma_has_its_own_tiles_calls_and_seats(page: "Page") -> None:
    go(page, "?rules=sanmatsuri-2026")
    shown = page.locator("[data-tap]:visible").evaluate_all("nodes => nodes.map((node) => node.dataset.tap)")
    assert [tile for tile in shown if tile.endswith("m")] == ["1m", "9m"]
    assert page.locator('[data-mode="chii"]').is_hidden()
    assert page.locator("[data-seat]:visible").all_text_contents() == ["E", "S", "W"]
    more = page.get_by_role("button", name="add one kita")
    for _ in range(4):
        more.tap()
    expect(more).to_have_attribute("aria-disabled", "true")
    assert off(page, "[data-tap]") == ["4z"]
    expect(page.locator("[data-line]")).to_have_value("- k4")


def test_tiles_and_calls_that_cannot_be_are_greyed_before_they_are_tapped(open_tab: OpenTab):
    phone = opened(open_tab, "?rules=tenhou-yonma", phone=True)
    steps = (
        conditions_forbid_what_cannot_be_together,
        what_is_missing_is_said_and_the_last_tile_wins,
        a_fifth_copy_is_greyed_before_it_is_tapped,
        plain_and_red_fives_are_counted_apart,
        a_call_takes_the_red_five_when_asked_and_gives_it_back,
        from_whom_a_meld_was_called_can_be_said,
        a_full_hand_takes_no_more_tiles,
    )
    for step in steps:
        step(phone, Fingers(phone))
        phone.get_by_role("button", name="Clear").tap()
        expect(phone.locator("[data-line]")).to_have_value("")


def what_is_missing_is_said_and_the_last_tile_wins(phone: "Page", person: Fingers) -> None:
    expect(phone.locator("[data-status]")).to_have_text("0 of 14 tiles")
    person.tiles("123m")
    expect(phone.locator("[data-status]")).to_have_text("3 of 14 tiles")
    expect(phone.locator(".count-hint")).to_have_count(0)
    phone.get_by_role("button", name="Change").tap()
    phone.get_by_role("button", name="1 of characters: winning tile").tap()
    expect(phone.locator("[data-line]")).to_have_value("231m")
    phone.get_by_role("button", name="1 of characters: Take out").tap()
    expect(phone.locator("[data-line]")).to_have_value("23m")
    phone.get_by_role("button", name="Undo").tap()
    expect(phone.locator("[data-line]")).to_have_value("231m")
    phone.get_by_role("button", name="Clear").tap()
    expect(phone.locator("[data-line]")).to_have_value("")


def a_fifth_copy_is_greyed_before_it_is_tapped(phone: "Page", person: Fingers) -> None:
    person.tiles("1112z")
    person.tap("Dora")
    person.tiles("1z")
    assert off(phone, "[data-tap]") == ["1z"]
    expect(phone.locator('[data-tap="1z"]')).to_have_attribute("title", "All of these tiles are in use.")
    person.tiles("1z")
    expect(phone.locator("[data-hint]")).to_have_text("All of these tiles are in use.")
    expect(phone.locator("[data-line]")).to_have_value("1112z d1z")


def plain_and_red_fives_are_counted_apart(phone: "Page", person: Fingers) -> None:
    person.tiles("0p555p")
    assert off(phone, "[data-tap]") == ["5p", "0p"]
    phone.get_by_role("button", name="Clear").tap()
    person.tap("Closed kan")
    person.tiles("5p")
    expect(phone.locator("[data-line]")).to_have_value("- x5550p")
    person.tap("Chii")
    assert off(phone, "[data-tap]") == [
        *("8m", "9m"), *("3p", "4p", "5p", "0p", "8p", "9p"), *("8s", "9s"), *(f"{rank}z" for rank in range(1, 8)),
    ]  # fmt: skip


def a_call_takes_the_red_five_when_asked_and_gives_it_back(phone: "Page", person: Fingers) -> None:
    person.tap("Chii")
    person.tap("With red five")
    person.tiles("3s")
    expect(phone.locator("[data-line]")).to_have_value("- 340s")
    expect(phone.locator('[data-mode="hand"]')).to_have_attribute("aria-pressed", "true")
    phone.get_by_role("button", name=re.compile("^Chii: 3 of bamboos")).tap()
    person.tap("Red five")
    expect(phone.locator("[data-line]")).to_have_value("- 345s")
    person.tap("Take out")
    expect(phone.locator("[data-line]")).to_have_value("")


def from_whom_a_meld_was_called_can_be_said(phone: "Page", person: Fingers) -> None:
    person.tap("Kan")
    person.tiles("2s")
    phone.get_by_role("button", name=re.compile("^Kan: 2 of bamboos")).tap()
    person.tap("across")
    person.tap("Added kan")
    expect(phone.locator("[data-line]")).to_have_value("- +2222s^")


def a_full_hand_takes_no_more_tiles(phone: "Page", person: Fingers) -> None:
    person.tiles("123m456p789s11z22z1s")
    assert tiles_held(phone) == "14 tiles"
    assert off(phone, "[data-mode]") == ["chii", "pon", "kan", "closed", "ura"]
    assert len(off(phone, "[data-tap]")) == phone.locator("[data-tap]:visible").count()


def tiles_held(page: "Page") -> str:
    return page.locator("[data-status]").text_content() or ""


def conditions_forbid_what_cannot_be_together(phone: "Page", person: Fingers) -> None:
    assert off(phone, "[data-flag]") == ["ippatsu", "rinshan", "haitei", "first"]
    expect(phone.locator('[data-flag="ippatsu"]')).to_have_attribute("title", "Only with riichi.")
    person.tap("Tsumo")
    assert off(phone, "[data-flag]") == ["ippatsu", "rinshan", "chankan", "houtei"]
    person.tap("Haitei")
    person.tap("Riichi")
    person.tap("Ippatsu")
    assert off(phone, "[data-flag]") == ["rinshan", "chankan", "houtei", "first"]
    assert off(phone, "[data-mode]") == ["chii", "pon", "kan"]
    expect(phone.locator("[data-line]")).to_have_value("- t r i hai")
    person.tap("Ron")
    expect(phone.locator("[data-line]")).to_have_value("- r i")
    person.tap("Ura")
    person.tiles("1m")
    person.tap("Riichi")
    expect(phone.locator("[data-line]")).to_have_value("")
    person.tap("Tsumo")
    person.tap("First turn")
    assert off(phone, "[data-riichi]") == [None, None]
    assert off(phone, "[data-mode]") == ["chii", "pon", "kan", "closed", "ura"]


# ---------------------------------------------------------------- by keys


def test_a_line_is_typed_drawn_counted_and_kept_in_the_address(open_tab: OpenTab):
    page = opened(open_tab)
    line = page.get_by_label("Tile notation")
    the_same_lines_are_read_and_written_as_by_the_server(page)
    an_older_answer_never_overwrites_a_newer_one(page)
    line.fill("")

    # the same hand as by taps takes at most 30 keys
    keys = "34p678m66s2p 345m 777z d158m"
    line.press_sequentially(keys)
    expect(value(page)).to_have_text("2 han 30 fu 2,900 dealer, ron")
    assert len(keys) <= 30
    line_and_picker_stay_in_step(page)

    # what the picker cannot read is kept, and the server says so
    line.fill("123m blah")
    expect(page.locator("[data-line-wrong] .note")).to_contain_text("'blah' is not valid here.")
    page.locator('[data-tap="9p"]').click()
    expect(line).to_have_value("123m9p blah")
    expect(page.locator(".count")).to_have_attribute("data-of-line", "123m9p blah")  # no answer is under way
    the_count_is_handed_on(page)

    # another rule set counts again
    line.fill("34p678m66s2p 345m 777z")
    expect(value(page)).to_have_text("1 han 30 fu 1,500 dealer, ron")
    page.get_by_label("Rules").select_option("tenhou-sanma")
    expect(page.locator("[data-line-wrong] .note").first).to_contain_text("is not played with under these rules.")

    # the address keeps the hand
    page.get_by_label("Rules").select_option("wrc-2025")
    line.fill(LINE)
    page.wait_for_url(re.compile(r"\?rules=wrc-2025&line=34p678m66s2p\+345m\+777z\+d158m\+wES$"))
    page.reload()
    expect(value(page)).to_have_text("2 han 30 fu 2,000 ron")
    expect(page.locator("[data-verdict]")).to_have_text("2 han 30 fu · 2,000")


def line_and_picker_stay_in_step(page: "Page") -> None:
    line = page.get_by_label("Tile notation")
    line.fill("123m x2222s t d1m wSW h2")
    drawn = page.locator(".rack-tile .face use").evaluate_all(
        "all => all.map((use) => use.getAttribute('href').split('-').pop())"
    )
    assert drawn == ["1m", "2m", "3m", "1m"]
    expect(page.locator('[data-tsumo="1"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator('[data-number="honba"]')).to_have_text("2")
    expect(page.locator('[data-seat="W"]')).to_have_attribute("aria-pressed", "true")
    page.locator('[data-tap="9p"]').click()
    expect(line).to_have_value("123m9p x2222s t d1m wSW h2")


def random_lines(seed: int, number: int) -> list[str]:
    """Return hand lines of every kind, whether such hands can be or not."""
    dice = random.Random(seed)
    tiles = [f"{rank}{suit}" for suit in "mps" for rank in range(10)] + [f"{rank}z" for rank in range(1, 8)]

    def meld() -> dict[str, Any]:
        kind = dice.choice(["chi", "pon", "daiminkan", "shouminkan", "ankan"])
        rank, suit = dice.randint(1, 7), dice.choice("mps")
        text = f"{rank}{rank + 1}{rank + 2}" if kind == "chi" else str(rank) * (3 if kind == "pon" else 4)
        return {"kind": kind, "tiles": text + suit, "from": dice.choice([None, "left", "across", "right"])}

    def hand() -> dict[str, Any]:
        held = dice.choices(tiles, k=dice.randint(1, 14))
        flags = ("ippatsu", "rinshan", "chankan", "haitei", "houtei", "first_turn")
        return {
            "tiles": "".join(held),
            "win": held[-1],
            "tsumo": dice.random() < 0.5,
            "melds": [meld() for _ in range(dice.randint(0, 4))],
            "round_wind": dice.choice("ESWN"),
            "seat_wind": dice.choice("ESWN"),
            "riichi": dice.randint(0, 2),
            **{flag: dice.random() < 0.3 for flag in flags},
            "dora": "".join(dice.choices(tiles, k=dice.randint(0, 5))),
            "ura": "".join(dice.choices(tiles, k=dice.randint(0, 5))),
            "kita": dice.randint(0, 4),
            "honba": dice.choice([0, 0, 1, 12]),
        }

    return [write_hand_line(hand()) for _ in range(number)]


def the_same_lines_are_read_and_written_as_by_the_server(page: "Page") -> None:
    lines = random_lines(seed=3, number=400)
    written = page.evaluate(JAVASCRIPT, lines)
    assert [meaning(line) for line in written] == [meaning(line) for line in lines]


def meaning(line: str) -> dict[str, Any]:
    """Read a line; indicators are compared tile by tile, however their suits are written."""
    hand = read_hand_line(line)
    return hand | {name: parse_tiles(hand.get(name, "")) for name in ("dora", "ura")}


def an_older_answer_never_overwrites_a_newer_one(page: "Page") -> None:
    held: list[Route] = []

    def hold_first(route: "Route") -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route(COUNT, hold_first)
    with page.expect_request(COUNT):
        page.get_by_label("Tile notation").fill(f"{LINE} h1")
    page.get_by_label("Tile notation").fill(LINE)
    # sooner than the held question would be given up
    expect(page.locator(".count")).to_have_attribute("data-of-line", LINE, timeout=6_000)
    held[0].fulfill(status=200, body='<div class="count" data-of-line="old">old</div>')
    page.get_by_label("Tile notation").fill(f"{LINE} h2")
    expect(page.locator(".count")).to_have_attribute("data-of-line", f"{LINE} h2")
    page.unroute(COUNT)
    assert page.get_by_text("old", exact=True).count() == 0


def the_count_is_handed_on(page: "Page") -> None:
    page.evaluate("""() => {
        window.counts = [];
        document.addEventListener("hand-counted", (event) => window.counts.push(event.detail.count));
    }""")
    page.get_by_label("Tile notation").fill(LINE)
    expect(value(page)).to_have_text("2 han 30 fu 2,000 ron")
    page.get_by_label("Tile notation").fill("34p")
    expect(value(page)).to_have_count(0)
    counts = json.loads(page.evaluate("() => JSON.stringify(window.counts)"))
    assert [count and (count["han"], count["fu"], count["yaku"]) for count in counts] == [(2, 30, [["chun", 1]]), None]


# ---------------------------------------------------------------- without a server, without scripts


def test_when_the_server_is_away_the_page_says_so_keeps_all_and_asks_again(open_tab: OpenTab):
    page = opened(open_tab)
    away = page.locator("[data-away]")
    line = page.get_by_label("Tile notation")
    page.context.set_offline(True)
    line.fill(LINE)
    expect(away).to_contain_text("The server does not answer; what you typed is kept. Asking again…")
    expect(page.locator("[data-verdict]")).to_have_text("The server does not answer")
    expect(value(page)).to_have_count(0)
    expect(line).to_have_value(LINE)
    page.context.set_offline(False)
    expect(value(page)).to_have_text("2 han 30 fu 2,000 ron")
    expect(away).to_be_hidden()
    without_a_word_from_the_network_it_asks_again_by_itself(page)


def without_a_word_from_the_network_it_asks_again_by_itself(page: "Page") -> None:
    page.clock.install(time=0)
    go(page)
    page.clock.pause_at(3_600)  # it asks again when it is told to
    asked: list[str] = []

    def refuse(route: "Route") -> None:
        asked.append(route.request.url)
        if len(asked) < 3:
            route.abort("connectionrefused")
        else:
            route.continue_()

    page.route(COUNT, refuse)
    with page.expect_event("requestfailed"):
        page.get_by_label("Tile notation").fill(LINE)
        page.clock.run_for(500)
    expect(page.locator("[data-away]")).to_be_visible()
    with page.expect_event("requestfailed"):
        page.clock.fast_forward(1_300)
    page.clock.fast_forward(2_500)
    expect(value(page)).to_have_text("2 han 30 fu 2,000 ron")
    assert len(asked) == 3


WIDEST = (
    "?rules=tenhou-yonma",
    "?rules=sanmatsuri-2026&line=123p406p789p11z99s9s t r i k4 d1234z u9s12p wSS h12",
    "?rules=ema-2025&line=12p x1111m +2222s^ 3333p< 4444z> d12345z",
    "?rules=wrc-2025&line=22233344m99p4m x1111z wSW t h1",
    "?rules=wrc-2025&line=foo",
)


# what fits a phone fits a laptop; each night it is looked at
@pytest.mark.parametrize("phone", [pytest.param(False, marks=pytest.mark.nightly), True], ids=["laptop", "phone"])
def test_nothing_is_too_wide_or_too_small(open_tab: OpenTab, phone: bool):
    page = open_tab(phone=phone)
    for query in WIDEST:
        go(page, query)
        if page.locator(".rack-meld").count():
            page.locator(".rack-meld").last.click()
        assert page.evaluate(LOOK, phone) == [], query
