"""Hands typed while the desk's own process is dead: they wait in the browser, and arrive once and in order."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import bootstrap
from tests.e2e import desk_hands as desk
from tests.e2e.conftest import LAPTOP, StartDesk
from tests.e2e.own_desk import OwnDesk
from tests.e2e.patience import PATIENCE, expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.slow
PROGRAM = os.environ.get("HANCHAN_CHROMIUM") or bootstrap.find(bootstrap.BROWSERS)
TABLES = "/desk/cup/rounds/1/tables"


@pytest.fixture(scope="module")
def desk_of_all(start_desk: StartDesk) -> OwnDesk:
    return start_desk()


@pytest.fixture
def own(desk_of_all: OwnDesk) -> OwnDesk:
    """Return a desk that runs."""
    if desk_of_all.process is None:
        desk_of_all.start()
    return desk_of_all


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


def test_hands_of_two_tables_arrive_once_and_in_order_when_the_desk_is_back(chromium: "Browser", own: OwnDesk) -> None:
    context = chromium.new_context(**LAPTOP)
    sign_in(context, own)
    one, two = next(own.free), next(own.free)
    first, second = open_page(context, own, f"{TABLES}/{one}/"), open_page(context, own, f"{TABLES}/{two}/")
    desk.enter(first, "2r3 340")
    own.kill()
    first.bring_to_front()
    for shorthand in ("1t 230", "d13", "4r1 340/4"):
        desk.keep(first, shorthand)
    second.bring_to_front()
    desk.keep(second, "3t 230")
    expect(desk.waiting(second)).to_have_text("4 hands wait on this laptop")
    own.start()
    first.reload()
    expect(desk.hands(first)).to_have_count(4)
    expect(desk.waiting(first)).to_be_hidden()
    second.reload()
    expect(desk.hands(second)).to_have_count(1)
    assert lines(first, own, one) == ["2r3 340", "1t 230", "d13", "4r1 340/4"]
    assert lines(first, own, two) == ["3t 230"]
    context.close()


def test_without_a_reload_they_go_out_by_themselves(chromium: "Browser", own: OwnDesk) -> None:
    context = chromium.new_context(**LAPTOP)
    sign_in(context, own)
    table = next(own.free)
    page = open_page(context, own, f"{TABLES}/{table}/")
    own.kill()
    desk.keep(page, "1t 230")
    desk.keep(page, "2r3 340")
    page.keyboard.type("3t 2")  # in the middle of the next hand
    expect(desk.understood(page)).to_contain_text("Enter keeps it.")
    own.start()
    expect(desk.hands(page)).to_have_count(2)
    expect(desk.line(page)).to_have_value("3t 2")
    expect(desk.line(page)).to_be_focused()
    page.keyboard.type("30")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(3)
    assert lines(page, own, table) == ["1t 230", "2r3 340", "3t 230"]
    context.close()


def test_a_browser_that_was_closed_still_has_them(chromium: "Browser", own: OwnDesk, tmp_path: Path) -> None:
    launch: dict[str, Any] = {
        "user_data_dir": tmp_path / "profile",
        "executable_path": PROGRAM,
        "args": ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
        **LAPTOP,
    }
    context = chromium.browser_type.launch_persistent_context(**launch)
    sign_in(context, own)
    table = next(own.free)
    page = open_page(context, own, f"{TABLES}/{table}/")
    own.kill()
    desk.keep(page, "1t 230")
    desk.keep(page, "2r3 340")
    expect(desk.waiting(page)).to_have_text("2 hands wait on this laptop")
    context.close()
    own.start()
    context = chromium.browser_type.launch_persistent_context(**launch)
    sign_in(context, own)
    page = context.new_page()
    with page.expect_response(lambda answer: answer.url.endswith(f"/tables/{table}/") and answer.json()["seq"] == 2):
        page.goto(f"{own.url}/desk/cup/")
    expect(desk.waiting(page)).to_be_hidden()
    page.goto(f"{own.url}{TABLES}/{table}/")
    expect(desk.hands(page)).to_have_count(2)
    assert lines(page, own, table) == ["1t 230", "2r3 340"]
    context.close()
