"""A network that does what it likes: requests lost, answers lost, errors, delays, pages loaded again in the middle."""

import contextlib
import random
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Error

from scoring.shorthand import write
from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import make_event, rows_of, table_of, writer_of
from tournament.events.models import Event
from tournament.tables.history import read_payload

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

pytestmark = [pytest.mark.slow, pytest.mark.nightly]
SEEDS = (1, 2, 3, 7)
HANDS = 25
# draws with everybody tenpai keep the dealer, so that no game ends
KINDS = ("d1234", "2r3 230", "d1234", "1t 230", "3r4 240", "d1234", "4r1 330")
WRITTEN = "dispatchEvent(new Event('beforeunload', { cancelable: true }))"  # the page would not ask before it is left
FATES = {"passed": 5, "late": 2, "lost": 2, "unanswered": 2, "error": 2}


class Weather:
    """Treats hands on their way, and some of the questions that a page asks, as the dice say."""

    def __init__(self, page: "Page", dice: random.Random) -> None:
        self.dice, self.is_clear = dice, False
        self.met = dict.fromkeys(FATES, 0)
        self.late: list[Route] = []
        page.route(re.compile(r"/tables/\d+/$|/between/|/version$|/presence/$"), self._meet)

    def clear(self) -> None:
        """Let everything through from now on."""
        self.is_clear = True
        self._let_go()

    def _let_go(self) -> None:
        late, self.late = self.late, []
        for route in late:
            with contextlib.suppress(Error):  # the page that asked may be gone
                route.continue_()

    def _meet(self, route: "Route") -> None:
        is_hand = route.request.method == "POST" and "/tables/" in route.request.url
        is_page = route.request.resource_type == "document"
        fate = "passed" if self.is_clear or is_page else self.dice.choices(list(FATES), list(FATES.values()))[0]
        if is_hand:
            self.met[fate] += 1
        elif fate in ("late", "unanswered"):
            fate = "lost"
        with contextlib.suppress(Error):
            self._treat(route, fate)

    def _treat(self, route: "Route", fate: str) -> None:
        if fate == "late":
            self.late.append(route)
            return
        if fate == "passed":
            route.continue_()
        elif fate == "lost":
            route.abort()
        elif fate == "unanswered":
            route.fetch()
            route.abort()
        else:
            route.fulfill(status=500, body="no")
        self._let_go()


def go_to(page: "Page", number: int) -> "Locator":
    """Go to a table by its number; return the line to type into, of its page or of what the laptop knows of it."""
    page.locator("#jump-table").focus()
    page.keyboard.type(str(number))
    page.keyboard.press("Enter")
    place = page.locator(f"#table-page[data-table-number='{number}'], #away[data-table-number='{number}']:visible").last
    line = place.locator("[name=line]")
    expect(line).to_be_focused()
    ready = f"html.has-outbox #table-page[data-table-number='{number}'], #away[data-table-number='{number}']:visible"
    expect(page.locator(ready).first).to_be_attached()  # its scripts are there
    return line


@pytest.mark.parametrize("seed", SEEDS)
def test_every_hand_arrives_once_and_in_order_whatever_the_network_does(
    open_tab: OpenTab, live_server: Any, seed: int
) -> None:
    event, dice = make_event(slug="cup", tables=3, rounds=1), random.Random(seed)
    page = open_tab(writer_of(event))
    page.goto("/desk/cup/")
    page.wait_for_load_state("networkidle")
    weather = Weather(page, dice)
    typed: dict[int, list[str]] = {1: [], 2: [], 3: []}
    table = 0
    for _hand in range(HANDS):
        if table == 0 or dice.random() < 0.6:
            table = dice.choice((1, 2, 3))
        line = go_to(page, table)
        shorthand = KINDS[len(typed[table]) % len(KINDS)]
        typed[table].append(shorthand)
        assert line.input_value() == "", "a hand that was not taken stands there again"
        page.keyboard.type(shorthand)
        page.keyboard.press("Enter")
        expect(line).to_have_value("")
        assert any(page.evaluate(WRITTEN) for _look in range(1000)), "written down"
        if dice.random() < 0.25:
            page.reload()
    weather.clear()
    page.goto("/desk/cup/")
    expect(desk.waiting(page)).to_be_hidden()
    assert {number: ledger(event, number) for number in typed} == typed
    assert all(weather.met.values()), weather.met


def ledger(event: Event, table: int) -> list[str]:
    return [write(entry) if (entry := read_payload(row.payload)) else "" for row in rows_of(table_of(event, table))]
