"""Taps and keys in quick succession: each tick and sheet shows at once, is sent in order, once.

Also by a slow network and without one.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import make_event, writer_of
from tests.fixtures import live_event
from tournament.core.models import AuditRow
from tournament.core.now import now
from tournament.events.models import Event
from tournament.penalties.models import Penalty
from tournament.rounds.models import TableTime
from tournament.tables.models import LedgerEntry, Round
from tournament.tables.queries import load_tables

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

CHECK_IN = "/desk/cup/check-in/"
TICKS = ("player_checked_in", "player_checked_out")
# taps faster than any finger, so that the test is short
TAP = """([selectors, gap]) => new Promise((done) => {
  const left = [...selectors];
  const timer = setInterval(() => {
    document.querySelector(left.shift()).click();
    if (!left.length) { clearInterval(timer); done(); }
  }, gap);
})"""

# keys as a keyboard sends them: into the field that has the focus, unless a script takes them
TYPE = """([keys, gap]) => new Promise((done) => {
  const left = [...keys];
  const timer = setInterval(() => {
    const key = left.shift();
    const field = document.activeElement;
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    if (field.dispatchEvent(event) && key.length === 1 && field.setRangeText) {
      field.setRangeText(key, field.selectionStart, field.selectionEnd, "end");
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    if (!left.length) { clearInterval(timer); done(); }
  }, gap);
})"""


event = live_event(slug="cup", tables=25, rounds=1)


class Network:
    """The network of a tab: slow by `latency` ms, or cut."""

    def __init__(self, page: "Page") -> None:
        self.session = page.context.new_cdp_session(page)
        self.session.send("Network.enable")

    def is_now(self, *, latency: int = 0, offline: bool = False) -> None:
        speed = {"downloadThroughput": -1, "uploadThroughput": -1}
        self.session.send("Network.emulateNetworkConditions", {"offline": offline, "latency": latency, **speed})


def tap(page: "Page", selectors: Sequence[str], gap: int = 20) -> None:
    page.evaluate(TAP, [list(selectors), gap])


def ticked(event: Event) -> list[tuple[str, int]]:
    rows = AuditRow.objects.filter(event=event, verb__in=TICKS).order_by("seq")
    return [(row.verb, int(re.findall(r'"number":(\d+)', row.details)[0])) for row in rows]


def lose_the_answer(page: "Page", address: str) -> list[str]:
    """Let the desk act once, and the answer never arrive; return what has been lost so far."""
    lost: list[str] = []

    def meet(route: "Route") -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.request.url)
            route.fetch()
            route.abort()
            page.unroute(address, meet)  # all that follows goes to the desk at once
        else:
            route.continue_()

    page.route(address, meet)
    return lost


def test_a_hundred_ticks_are_kept_in_order_once(open_tab: OpenTab, event: Event) -> None:
    page = open_tab(writer_of(event))
    page.goto(CHECK_IN)
    page.wait_for_load_state("networkidle")
    numbers = [*range(1, 91), *[7] * 10]  # ten taps on a row that is ticked: it ends as it was
    rows = [f"#check-{number}" for number in numbers]
    top = page.locator("#check-60").bounding_box()
    network = Network(page)
    network.is_now(latency=300)
    tap(page, rows[:40])
    network.is_now(offline=True)
    tap(page, rows[40:70])
    expect(page.locator("#check-count")).to_have_text("70 of 100 here")  # shown, though nothing is sent
    expect(desk.waiting(page)).to_be_visible()
    lost = lose_the_answer(page, f"**{CHECK_IN}")
    network.is_now(latency=300)
    tap(page, rows[70:])
    expect(page.locator("#check-count")).to_have_text("90 of 100 here")
    expect(desk.all_sent(page)).to_have_count(1)
    assert len(lost) == 1
    expect(page.locator("#check-count")).to_have_text("90 of 100 here")
    again = [TICKS[1 - n % 2] for n in range(10)]
    assert ticked(event) == [*((TICKS[0], number) for number in range(1, 91)), *((each, 7) for each in again)]
    assert page.locator("#check-60").bounding_box() == top  # no row has moved under the finger


def keys_of(sheet: str) -> list[str]:
    return ["Enter" if key == "⏎" else key for key in sheet]


@pytest.mark.usefixtures("live_server")
def test_a_pile_of_sheets_is_kept_in_order_once(open_tab: OpenTab) -> None:
    event = make_event(slug="hall", tables=12, rounds=1)
    page = open_tab(writer_of(event))
    loads: list[str] = []
    page.goto("/desk/hall/rounds/1/totals/")
    page.on("load", lambda tab: loads.append(tab.url))
    page.wait_for_load_state("networkidle")
    network = Network(page)
    network.is_now(latency=300)
    sheet = keys_of("⏎61.3⏎30000⏎16.7⏎12.0⏎")
    page.evaluate(TYPE, [sheet * 4, 5])
    network.is_now(offline=True)
    page.evaluate(TYPE, [sheet * 4, 5])
    expect(page.locator("#pile-said")).to_contain_text("table 9")
    expect(desk.waiting(page)).to_be_visible()
    lost = lose_the_answer(page, "**/tables/5/totals/")
    network.is_now(latency=300)
    page.evaluate(TYPE, [sheet * 4, 5])
    expect(page.locator("#pile-release")).to_contain_text("All sheets are in")
    expect(page.get_by_role("link", name="Release round 1")).to_be_visible()
    expect(desk.all_sent(page)).to_have_count(1)
    assert len(lost) == 1
    assert [table.final.scores for table in load_tables(event)] == [(61_300, 30_000, 16_700, 12_000)] * 12
    rows = LedgerEntry.objects.order_by("at", "pk")
    assert list(rows.values_list("table__number", flat=True)) == list(range(1, 13))
    assert loads == []


def test_ready_tables_are_ticked_without_waiting(open_tab: OpenTab, event: Event) -> None:
    page = open_tab(writer_of(event))
    page.goto("/desk/cup/")
    page.wait_for_load_state("networkidle")
    network = Network(page)
    tiles = [f"#ready-{number}" for number in [*range(1, 26), 3]]
    network.is_now(latency=300)
    tap(page, tiles[:9])
    network.is_now(offline=True)
    tap(page, tiles[9:])
    expect(page.locator(".tile-ready[aria-pressed=true]")).to_have_count(24)
    lost = lose_the_answer(page, "**/ready/")
    network.is_now()
    expect(desk.all_sent(page)).to_have_count(1)
    assert len(lost) == 1
    expect(page.locator("#ready-3")).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".tile-ready[aria-pressed=true]")).to_have_count(24)
    assert event.rounds.get().tables.filter(ready_at=None).count() == 1
    assert AuditRow.objects.filter(verb="tables_ready").count() == 25


def test_numbers_are_typed_and_undone_without_waiting(open_tab: OpenTab, event: Event) -> None:
    page = open_tab(writer_of(event))
    page.goto(CHECK_IN)
    page.wait_for_load_state("networkidle")
    network = Network(page)
    network.is_now(offline=True)
    page.locator("#check-name").focus()
    for number in (89, 100, 50, 70):
        page.keyboard.type(str(number))
        page.keyboard.press("Enter")
    expect(page.locator("#check-name")).to_have_value("")
    expect(page.locator("#check-count")).to_have_text("4 of 100 here")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#check-count")).to_have_text("3 of 100 here")
    expect(page.locator("#check-70")).to_have_attribute("aria-pressed", "false")
    page.locator("#check-name").fill("nobody")
    page.keyboard.press("Enter")
    expect(page.locator(".check-last")).to_contain_text("Nobody in this list has such a name")
    # a laptop that is closed meanwhile loses nothing
    lost = lose_the_answer(page, f"**{CHECK_IN}")
    network.is_now()
    page.goto(CHECK_IN)
    expect(page.locator("#check-count")).to_have_text("3 of 100 here")
    expect(desk.all_sent(page)).to_have_count(1)
    assert len(lost) == 1
    assert ticked(event) == [(TICKS[0], 89), (TICKS[0], 100), (TICKS[0], 50), (TICKS[0], 70), (TICKS[1], 70)]


def test_what_the_desk_refuses_is_said_and_shown_as_it_is(open_tab: OpenTab, event: Event) -> None:
    page = open_tab(writer_of(event))
    page.goto(CHECK_IN)
    page.wait_for_load_state("networkidle")
    network = Network(page)
    network.is_now(offline=True)
    tap(page, ["#check-3", "#check-4"])
    player = event.players.get(number=3)
    player.withdrawn_at = player.event.created_at
    player.save(update_fields=["withdrawn_at"])
    network.is_now()
    expect(page.locator("#outbox .waiting-problems")).to_contain_text("has withdrawn")
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("#outbox").get_by_role("button", name="Discard").click()
    expect(desk.all_sent(page)).to_have_count(1)
    assert ticked(event) == [(TICKS[0], 4)]


# ---------------------------------------------------------------- minutes, penalties, ready at a table


@pytest.fixture
def table(event: Event) -> str:
    Round.objects.filter(event=event).update(started_at=now())
    return "/desk/cup/rounds/1/tables/3/"


def give_minutes(page: "Page", minutes: int) -> None:
    page.get_by_text("More minutes").click()
    page.get_by_role("button", name=f"+{minutes} min").click()


def said(page: "Page") -> list[str]:
    return page.locator("#said-acts .note > span").all_text_contents()


@pytest.mark.follows("during/no-network.md")
def test_minutes_and_penalties_are_said_at_once_kept_and_undone_in_place(
    open_tab: OpenTab, event: Event, table: str
) -> None:
    page = open_tab(writer_of(event))
    page.goto("/desk/cup/penalties/")
    page.wait_for_load_state("networkidle")
    network = Network(page)
    network.is_now(offline=True)
    page.get_by_text("By hand, with amount and reason").click()
    for player, amount in ((2, "20P"), (7, "3000"), (2, "0")):
        form = page.locator(".by-hand form")
        form.get_by_label("Player").select_option(str(player))
        form.get_by_label("Amount").fill(amount)
        form.get_by_label("Reason").fill("late")
        form.get_by_role("button", name="Add penalty").click()
    page.locator("#said-acts").get_by_role("button", name="Undo").nth(1).click()
    assert [words.partition(":")[0] for words in said(page)] == ["2 Birk", "Undone", "2 Birk"]
    lost = lose_the_answer(page, "**/penalties/")
    network.is_now(latency=300)
    expect(desk.all_sent(page)).to_have_count(1)
    assert len(lost) == 1
    expect(page.locator("#penalty-rows tbody tr")).to_have_count(3)
    rows = Penalty.objects.order_by("given_at", "pk")
    assert list(rows.values_list("player__number", "points", "cancel_reason")) == [
        (2, 20_000, ""), (7, 3000, "undone at once"), (2, 0, ""),
    ]  # fmt: skip

    page.goto(table)
    page.wait_for_load_state("networkidle")
    page.get_by_label("What happened").fill("2r3 34")
    network.is_now(offline=True)
    give_minutes(page, 5)
    give_minutes(page, 2)
    expect(page.locator(".time-extra")).to_have_text(["+5 min: referee at the table", "+2 min: referee at the table"])
    page.locator("#said-acts").get_by_role("button", name="Undo").first.click()
    expect(page.locator(".time-extra")).to_have_text(["+5 min: referee at the table"])
    lost = lose_the_answer(page, "**/time/")
    network.is_now(latency=300)
    expect(desk.all_sent(page)).to_have_count(1)
    assert len(lost) == 1
    expect(page.locator(".time-extra:not([data-waits])")).to_have_text(["+5 min: referee at the table"])
    expect(page.get_by_label("What happened")).to_have_value("2r3 34")
    times = TableTime.objects.order_by("pk").values_list("minutes", "cancel_reason")
    assert list(times) == [(5, ""), (2, "undone at once")]


def test_ready_on_the_page_of_a_table_needs_no_network(open_tab: OpenTab, event: Event) -> None:
    page = open_tab(writer_of(event))
    page.goto("/desk/cup/rounds/1/tables/3/")
    page.wait_for_load_state("networkidle")
    network, button = Network(page), page.get_by_role("button", name="Ready")
    network.is_now(offline=True)
    for pressed in ("true", "false", "true"):
        button.click()
        expect(button).to_have_attribute("aria-pressed", pressed)
    lost = lose_the_answer(page, "**/ready/")
    network.is_now()
    expect(desk.all_sent(page)).to_have_count(1)
    assert len(lost) == 1
    expect(button).to_have_attribute("aria-pressed", "true")
    assert AuditRow.objects.filter(verb__in=("tables_ready", "tables_not_ready")).count() == 3


def test_after_the_last_hand_the_first_total_has_the_focus(open_tab: OpenTab, event: Event) -> None:
    page = open_tab(writer_of(event))
    page.goto("/desk/cup/rounds/1/tables/3/")
    for played in ("3r4 130", "4r1 130", "1r2 130", "2r3 130", "3r4 130", "4r1 130", "1r2 130", "2r3 130"):
        desk.enter(page, played)
    expect(page.locator("#total-0")).to_be_focused()
