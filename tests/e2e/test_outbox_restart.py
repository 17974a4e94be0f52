"""Hands typed while the desk's own process is dead: they wait in the browser, and arrive once and in order.

The nightly run has three laptops. In the suite the round of test_full_round.py is played on two of them, with the same
steps, and the third one, which is closed meanwhile, stands beside it.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import bootstrap
from tests.e2e import desk_hands as desk
from tests.e2e.conftest import StartDesk
from tests.e2e.contexts import LAPTOP
from tests.e2e.own_desk import OwnDesk
from tests.e2e.patience import PATIENCE, expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.slow
PROGRAM = os.environ.get("HANCHAN_CHROMIUM") or bootstrap.find(bootstrap.BROWSERS)
TABLES = "/desk/cup/rounds/1/tables"


def sign_in(context: "BrowserContext", own: OwnDesk) -> None:
    context.set_default_timeout(PATIENCE)
    context.add_cookies([{"name": "sessionid", "value": own.session, "url": own.url}])


def open_page(context: "BrowserContext", own: OwnDesk, path: str) -> "Page":
    page = context.new_page()
    page.goto(own.url + path)
    page.wait_for_load_state("load")
    return page


def lines(page: "Page", own: OwnDesk, table: int) -> list[str]:
    """Return the hands of a table as the API tells them."""
    told: Any = page.request.get(f"{own.url}/api/v1/events/cup/rounds/1/tables/{table}").json()
    return [hand["line"] for hand in told["hands"]]


@dataclass
class Reloaded:
    """A laptop with two tables open, whose pages are loaded again once the desk is back."""

    first: "Page"
    second: "Page"
    tables: tuple[int, int]

    @classmethod
    def open(cls, context: "BrowserContext", own: OwnDesk) -> "Reloaded":
        sign_in(context, own)
        one, two = next(own.free), next(own.free)
        pages = [open_page(context, own, f"{TABLES}/{table}/") for table in (one, two)]
        desk.enter(pages[0], "2r3 340")
        return cls(pages[0], pages[1], (one, two))

    def type_on(self) -> None:
        """Type hands of both tables while the desk is dead."""
        self.first.bring_to_front()
        for shorthand in ("1t 230", "d13", "4r1 340/4"):
            desk.keep(self.first, shorthand)
        self.second.bring_to_front()
        desk.keep(self.second, "3t 230")
        expect(desk.waiting(self.second)).to_have_text("4 hands wait on this laptop")

    def arrive(self, own: OwnDesk) -> None:
        """See them arrive once and in order."""
        self.first.reload()
        expect(desk.hands(self.first)).to_have_count(4)
        expect(desk.waiting(self.first)).to_be_hidden()
        self.second.reload()
        expect(desk.hands(self.second)).to_have_count(1)
        assert lines(self.first, own, self.tables[0]) == ["2r3 340", "1t 230", "d13", "4r1 340/4"]
        assert lines(self.first, own, self.tables[1]) == ["3t 230"]


@dataclass
class LeftAlone:
    """A laptop whose page stands as it is, in the middle of a hand: what waits goes out by itself."""

    page: "Page"
    table: int

    @classmethod
    def open(cls, context: "BrowserContext", own: OwnDesk) -> "LeftAlone":
        sign_in(context, own)
        table = next(own.free)
        return cls(open_page(context, own, f"{TABLES}/{table}/"), table)

    def type_on(self) -> None:
        """Type two hands and half of another while the desk is dead."""
        self.page.bring_to_front()
        desk.line(self.page).focus()
        desk.keep(self.page, "1t 230")
        desk.keep(self.page, "2r3 340")
        self.page.keyboard.type("3t 2")  # in the middle of the next hand
        expect(desk.understood(self.page)).to_contain_text("Enter keeps it.")

    def arrive(self, own: OwnDesk) -> None:
        """See them arrive, and type the other one to its end."""
        self.page.bring_to_front()
        expect(desk.hands(self.page)).to_have_count(2)
        expect(desk.line(self.page)).to_have_value("3t 2")
        expect(desk.line(self.page)).to_be_focused()
        self.page.keyboard.type("30")
        self.page.keyboard.press("Enter")
        expect(desk.hands(self.page)).to_have_count(3)
        assert lines(self.page, own, self.table) == ["1t 230", "2r3 340", "3t 230"]


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
        return cls(context, open_page(context, own, f"{TABLES}/{table}/"), table, launch)

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
        page.goto(f"{own.url}{TABLES}/{self.table}/")
        expect(desk.hands(page)).to_have_count(2)
        assert lines(page, own, self.table) == ["1t 230", "2r3 340"]
        context.close()


@pytest.mark.nightly
def test_hands_of_three_laptops_arrive_once_and_in_order_when_the_desk_is_back(
    chromium: "Browser", start_desk: StartDesk, tmp_path: Path
) -> None:
    own = start_desk()
    closed = Closed.open(chromium, own, tmp_path / "profile")
    contexts = [chromium.new_context(**LAPTOP) for _ in range(2)]
    reloaded, left_alone = Reloaded.open(contexts[0], own), LeftAlone.open(contexts[1], own)
    own.kill()
    closed.type_on()
    reloaded.type_on()
    left_alone.type_on()
    own.start()
    reloaded.arrive(own)
    left_alone.arrive(own)
    closed.arrive(chromium, own)
    for context in contexts:
        context.close()
