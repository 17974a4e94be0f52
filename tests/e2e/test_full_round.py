"""A round on two laptops, the server away for a while in the middle: nothing is lost, and all agree.

Of the laptops one is left alone meanwhile in the middle of a hand, the other one's page is loaded again; a third one's
browser is closed while hands wait in it.
Before it a phone opens its first page, since this is a desk as organisers start it. In the suite three tables play, one
of them one hand, after which time ends its game; in the nightly run eight, all of them until the end.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import bootstrap
from rules.books import load
from scoring.entries import Entry
from scoring.game import fold
from scoring.shorthand import write
from tests.e2e import desk_hands as desk
from tests.e2e.conftest import StartDesk
from tests.e2e.contexts import LAPTOP, PHONE
from tests.e2e.own_desk import OwnDesk
from tests.e2e.timeouts import PATIENCE, expect
from tournament.demo.sample import random_game
from tournament.text.numbers import signed_p

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.slow
AWAY = (2, 3)  # where the two laptops are when the server goes
BEFORE = 1  # hands of every table before that
SHORT, WHOLE = 3, 40  # hands of a table at most: until time ends the game, or until it ends by itself
HALF = "3t 2"  # of the hand that is being typed when the server is back
FIRST_LOAD = 60_000  # bytes over the wire
RULES = load("rakkii-nomi-2026")
PROGRAM = os.environ.get("HANCHAN_CHROMIUM") or bootstrap.find(bootstrap.BROWSERS)


@pytest.fixture
def own(start_desk: StartDesk) -> OwnDesk:
    return start_desk()


@pytest.fixture
def laptops(chromium: "Browser", own: OwnDesk) -> Iterator[list["Page"]]:
    pages = [open_laptop(chromium, own, session) for session in own.sessions]
    yield pages
    for page in pages:
        page.context.close()


def open_laptop(chromium: "Browser", own: OwnDesk, session: str) -> "Page":
    context = chromium.new_context(**LAPTOP, base_url=own.url, locale="en-GB")
    context.set_default_timeout(PATIENCE)
    context.add_cookies([{"name": "sessionid", "value": session, "url": own.url}])
    return context.new_page()


def go(page: "Page", table: int, hands: int) -> None:
    """Open a table by its number, as the key table says; where it is open, wait for what the other laptop entered."""
    if page.url.endswith(f"/tables/{table}/"):
        expect(desk.hands(page)).to_have_count(hands)
        return
    if desk.line(page).count():
        page.keyboard.press("Escape")
    elif "/tables/" in page.url:  # of a table that is signed
        desk.back_to_grid(page)
    desk.jump_to_table(page, table)


def sign(page: "Page", table: int, entries: list[Entry]) -> None:
    """Sign the table that is open with what its hands make."""
    game = fold(entries, RULES)
    desk.sign(page, table, game.final(RULES).scores, game.state.sticks * RULES.riichi_deposit)


def answer(page: "Page", path: str) -> Any:
    return page.request.get(path).json()


def totals_shown(page: "Page") -> dict[str, str]:
    """Return what a list of standings says, by name."""
    rows = page.locator("table.standings tbody tr, table.final-list tbody tr")
    names = rows.locator(".who a").all_inner_texts()
    return dict(zip(names, rows.locator("td.total, td.at-total").all_inner_texts(), strict=True))


def sign_in(context: "BrowserContext", own: OwnDesk) -> None:
    context.set_default_timeout(PATIENCE)
    context.add_cookies([{"name": "sessionid", "value": own.session, "url": own.url}])


def open_page(context: "BrowserContext", own: OwnDesk, table: int) -> "Page":
    page = context.new_page()
    page.goto(f"{own.url}/desk/cup/rounds/1/tables/{table}/")
    page.wait_for_load_state("load")
    return page


@dataclass
class Closed:
    """A laptop whose browser is closed while hands wait in it, and opened again once the desk is back."""

    context: "BrowserContext"
    page: "Page"
    table: int
    launch: dict[str, Any]

    @classmethod
    def open(cls, chromium: "Browser", own: OwnDesk, profile: Path) -> "Closed":
        launch: dict[str, Any] = {
            "user_data_dir": profile,
            "executable_path": PROGRAM,
            "args": ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
            **LAPTOP,
        }
        context = chromium.browser_type.launch_persistent_context(**launch)
        sign_in(context, own)
        table = next(own.free)
        return cls(context, open_page(context, own, table), table, launch)

    def type_on(self) -> None:
        """Type two hands while the desk is dead, and close the browser."""
        desk.keep(self.page, "1t 230")
        desk.keep(self.page, "2r3 340")
        expect(desk.waiting(self.page)).to_have_text("2 hands wait on this laptop")
        self.context.close()

    def arrive(self, chromium: "Browser", own: OwnDesk) -> None:
        """Open the browser again, which still has them, and see them arrive."""
        context = chromium.browser_type.launch_persistent_context(**self.launch)
        sign_in(context, own)
        page, end = context.new_page(), f"/tables/{self.table}/"
        with page.expect_response(lambda answer: answer.url.endswith(end) and answer.json()["seq"] == 2):
            page.goto(f"{own.url}/desk/cup/")
        expect(desk.waiting(page)).to_be_hidden()
        told = page.request.get(f"{own.url}/api/v1/events/cup/rounds/1/tables/{self.table}").json()
        assert [hand["line"] for hand in told["hands"]] == ["1t 230", "2r3 340"]
        context.close()


def look_at_first_load(chromium: "Browser", own: OwnDesk) -> None:
    """See that all that goes over the wire to a new phone is small: page, styles, scripts and icons."""
    context = chromium.new_context(**PHONE, base_url=own.url)
    page = context.new_page()
    wire = context.new_cdp_session(page)
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda found: sizes.append(found["encodedDataLength"]))
    wire.send("Network.enable")
    page.goto("/e/cup/?me=1", wait_until="networkidle")
    loaded = page.evaluate("performance.getEntriesByType('resource').map((one) => one.encodedBodySize)")
    assert len(sizes) > len([size for size in loaded if size]) > 5
    assert sum(sizes) < FIRST_LOAD
    context.close()


def type_while_away(
    chromium: "Browser", own: OwnDesk, laptops: list["Page"], games: dict[int, list[Entry]], profile: Path
) -> None:
    """Take the server away, type the rest of one table on each laptop, start it again, see all arrive, and sign."""
    closed = Closed.open(chromium, own, profile)
    for page, table in zip(laptops, AWAY, strict=True):
        go(page, table, BEFORE)
    own.kill()
    closed.type_on()
    for page, table in zip(laptops, AWAY, strict=True):
        page.bring_to_front()
        rest = [write(entry) for entry in games[table][BEFORE:]]
        for line in rest:
            desk.keep(page, line)
        expect(desk.waiting(page)).to_have_text(f"{len(rest)} hands wait on this laptop")
    left_alone, loaded_again = laptops
    left_alone.bring_to_front()
    left_alone.keyboard.type(HALF)
    expect(desk.understood(left_alone)).to_contain_text("Enter keeps it.")
    own.start()
    loaded_again.reload()
    for page, table in zip(laptops, AWAY, strict=True):
        page.bring_to_front()
        expect(desk.waiting(page)).to_be_hidden()
        expect(desk.hands(page)).to_have_count(len(games[table]))
        if page is left_alone and desk.line(page).count():  # the game may be over
            expect(desk.line(page)).to_have_value(HALF)
            expect(desk.line(page)).to_be_focused()
            desk.line(page).fill("")
        sign(page, table, games[table])
    closed.arrive(chromium, own)


@pytest.mark.parametrize(
    ("slug", "tables", "others", "most"),
    [("room", 3, 1, SHORT), pytest.param("hall", 8, WHOLE, WHOLE, marks=pytest.mark.nightly)],
    ids=["three tables", "eight"],
)
def test_a_round_on_two_laptops_while_the_server_is_away(
    chromium: "Browser",
    own: OwnDesk,
    laptops: list["Page"],
    tmp_path: Path,
    slug: str,
    tables: int,
    others: int,
    most: int,
) -> None:
    look_at_first_load(chromium, own)
    for page in laptops:
        page.goto(f"/desk/{slug}/")
    games = {
        table: random_game(RULES, Random(table), most=most if table in AWAY else others)
        for table in range(1, tables + 1)
    }
    lines = {table: [write(entry) for entry in game] for table, game in games.items()}
    desk.start_clock(laptops[1])
    for hand in range(max(map(len, lines.values()))):
        if hand == BEFORE:
            type_while_away(chromium, own, laptops, games, tmp_path / "profile")
        for table, entries in games.items():
            if hand < len(lines[table]) and (hand < BEFORE or table not in AWAY):
                page = laptops[(table + hand) % 2]
                go(page, table, hand)
                desk.enter(page, lines[table][hand])
                if hand + 1 == len(lines[table]):
                    sign(page, table, entries)

    # every hand once and in order
    told = {table: answer(laptops[0], f"/api/v1/events/{slug}/rounds/1/tables/{table}") for table in games}
    assert {table: [hand["line"] for hand in each["hands"]] for table, each in told.items()} == lines
    desk.release(laptops[1], 1)

    # two pages say what a program is told
    rows = answer(laptops[0], f"/api/v1/events/{slug}/standings")["rows"]
    assert len(rows) == 4 * tables
    wanted = {row["player"]: signed_p(row["total"]) for row in rows}
    for page, path in zip(laptops, (f"/e/{slug}/standings/", f"/desk/{slug}/results/"), strict=True):
        page.goto(path)
        assert totals_shown(page) == wanted
