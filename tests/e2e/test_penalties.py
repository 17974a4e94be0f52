"""A referee with a penalty to give, in a browser: found and given with four keys or taps once the player is chosen.

Keys and taps are counted from the moment at which the player is chosen to the one at which the foul is given.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import rows_of, table_of, writer_of
from tests.fixtures import live_event
from tournament.events.models import Event
from tournament.penalties.queries import list_penalties
from tournament.tables.history import standing_entries
from tournament.tables.queries import load_tables

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

LAST_LETTER = re.compile(r"q=tsumo[^&]*disc(&|$)")
MOST = 4  # keys or taps that any foul of a book may take


@dataclass
class Hands:
    """The referee's fingers at a page: whatever they press or tap is counted."""

    page: "Page"
    presses: int = 0

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.presses += len(text)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.presses += 1

    def pressed(self) -> int:
        """Return what was pressed or tapped since this was last asked."""
        pressed, self.presses = self.presses, 0
        return pressed

    def tap(self, target: "Locator") -> None:
        target.tap()
        self.presses += 1


event = live_event("rakkii-nomi-2026", tables=2, rounds=1)


@pytest.fixture
def laptop(open_tab: OpenTab, event: Event) -> Hands:
    """Return a referee at the first table, by the keyboard."""
    return Hands(at_table(open_tab(writer_of(event)), event))


def at_table(page: "Page", event: Event) -> "Page":
    page.goto(f"/desk/{event.slug}/rounds/1/tables/1/")
    page.wait_for_load_state("load")
    expect(page.get_by_role("link", name="Penalty", exact=False).last).to_be_visible()
    return page


def dialog(page: "Page") -> "Locator":
    return page.get_by_role("dialog", name="Give a penalty")


def choose(page: "Page", player: int) -> None:
    """Open the panel of the table by its key, and choose a player by the digit."""
    page.wait_for_load_state("load")  # what was given before came with a page of its own
    page.keyboard.press("Alt+p")
    expect(dialog(page).get_by_role("radio").first).to_be_focused()
    page.keyboard.press(str(player))
    expect(dialog(page).get_by_role("searchbox", name="What happened")).to_be_focused()


def choose_by_finger(page: "Page", name: str) -> None:
    page.wait_for_load_state("load")
    page.locator("[data-penalty]").tap()
    dialog(page).locator(".foul-players label", has_text=name).tap()
    expect(dialog(page).get_by_role("radio", name=name)).to_be_checked()


def look(hands: Hands, typed: str) -> list[str]:
    """Type and press Enter; return what the table must do now, once the key that gives it is under the finger."""
    hands.type(typed)
    hands.press("Enter")
    expect(hands.page.get_by_role("button", name="Add penalty").first).to_be_focused()
    return hands.page.locator(".foul-now li").all_text_contents()


def given(page: "Page", words: str) -> None:
    """See that it was given, and that the desk has it."""
    expect(page.locator(".messages .note, .said-acts .note", has_text=words.rstrip(".")).first).to_be_visible()
    expect(page.locator("#outbox[data-waiting]:not([data-waiting='0'])")).to_have_count(0)


class Register:
    """The penalties of an event, of which each step of a test looks at those that are new since the last one."""

    def __init__(self, event: Event) -> None:
        self.event, self.seen = event, 0

    def all(self) -> list[tuple[int, str, int, bool]]:
        found = list_penalties(self.event, load_tables(self.event))
        return [(row.number, str(row.kind), row.points, row.cancelled) for row in found]

    def new(self) -> list[tuple[int, str, int, bool]]:
        before, self.seen = self.seen, len(self.all())
        return self.all()[before:]


def at_desk(page: "Page", event: Event) -> None:
    """Open the penalties of the event."""
    page.goto(f"/desk/{event.slug}/penalties/")
    page.wait_for_load_state("load")


# ---------------------------------------------------------------- by the keyboard, at a table


@pytest.mark.follows("during/penalties.md")
def test_a_chombo_and_a_dead_hand_take_four_keys_and_stand_in_ledger_and_register(laptop: Hands, event: Event) -> None:
    page, register = laptop.page, Register(event)
    choose(page, 2)
    assert look(laptop, "5f") == ["Chombo: 20,000 points, the hand is dealt again."]
    laptop.press("Enter")
    given(page, "Given to Birk: Noten riichi, found at a win or a draw.")
    assert laptop.pressed() == MOST
    expect(desk.hands(page)).to_have_count(1)
    expect(desk.hands(page).first).to_contain_text("Chombo: Birk (2, South). The hand is dealt again")
    expect(desk.scores(page).nth(1)).to_have_text("30,000")
    assert [entry.kind for entry in standing_entries(rows_of(table_of(event)))] == ["chombo"]
    assert register.all() == [(2, "chombo", 20_000, False)]

    # cancelled, it leaves the ledger and its row stays
    at_desk(page, event)
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Cancel the chombo of Birk?")
    page.get_by_label("Reason").fill("a green dragon lay under the table")
    page.get_by_role("button", name="Cancel the penalty").click()
    given(page, "The penalty is cancelled.")
    row = page.locator("table.penalties tbody tr")
    expect(row).to_have_class("is-cancelled")
    expect(row).to_contain_text("a green dragon lay under the table")
    assert register.new() == [(2, "chombo", 20_000, True)]
    assert standing_entries(rows_of(table_of(event))) == []

    # in the list at the desk another player is chosen, and all else is the same
    page.wait_for_load_state("load")
    page.get_by_label("Who").focus()
    page.keyboard.type("6 Far")
    page.keyboard.press("Enter")
    expect(page.get_by_role("searchbox", name="What happened")).to_be_focused()
    look(laptop, "12")
    expect(page.locator(".foul-confirm")).to_contain_text("Round 1, table 2")
    laptop.press("Enter")
    given(page, "Given to Farn: Late by more than 10 minutes: 12 minutes.")
    assert laptop.pressed() == MOST
    assert register.new() == [(6, "points", 30_000, False)]

    at_table(page, event)
    a_dead_hand_wins_nothing_and_its_riichi_needs_no_chombo(laptop, event)
    assert register.new() == [(2, "dead_hand", 0, False)]


def a_dead_hand_wins_nothing_and_its_riichi_needs_no_chombo(laptop: Hands, event: Event) -> None:
    page = laptop.page
    choose(page, 2)
    assert look(laptop, "3a") == ["Dead hand: no call and no win in this hand, noten at a draw."]
    laptop.press("Enter")
    given(page, "Given to Birk: Empty call for chii, pon or kan.")
    assert laptop.pressed() == MOST
    bar = page.locator("#penalty-bar .note")
    expect(bar).to_contain_text("Dead hand 2 Birk: Empty call for chii, pon or kan.")

    desk.line(page).fill("2t 230")
    expect(desk.understood(page)).to_contain_text("dead")
    expect(desk.understood(page).locator(".is-error")).to_have_count(1)
    desk.line(page).fill("d12")
    expect(desk.understood(page).locator(".is-error")).to_have_count(1)

    desk.line(page).fill("")
    desk.enter(page, "d1/2")  # no warning of a noten riichi, no reason asked
    expect(bar).to_have_count(0)
    (entry,) = standing_entries(rows_of(table_of(event)))
    assert (entry.kind, entry.dead, entry.riichi) == ("draw", (1,), (1,))
    desk.enter(page, "2t 230")  # the next hand lives


def test_what_is_looked_for_is_found_and_changed_before_it_is_given(open_tab: OpenTab, event: Event) -> None:
    page, register = open_tab(writer_of(event)), Register(event)
    page.clock.install()
    laptop = Hands(at_table(page, event))
    nothing_is_lost_by_typing_faster_than_the_desk_searches(page)
    page.keyboard.press("Enter")
    given(page, "Given to Akelei")
    assert register.new() == [(1, "dead_hand", 0, False)]

    a_case_is_chosen_by_a_few_letters_and_an_arrow(page, laptop)
    assert register.new() == [(3, "chombo", 20_000, False)]

    # what the book leaves open the referee decides
    laptop.pressed()
    choose(page, 2)
    laptop.type("8c")
    laptop.press("Enter")
    expect(page.get_by_role("radio", name="Only noted")).to_be_focused()
    laptop.press("ArrowRight")
    expect(page.get_by_role("radio", name="Warning")).to_be_checked()
    laptop.press("Enter")
    given(page, "Given to Birk: Phone ringing.")
    assert laptop.pressed() == MOST + 1
    assert register.new() == [(2, "warning", 0, False)]

    # another player chosen late is the one who gets it
    choose(page, 2)
    look(laptop, "12")
    page.locator(".foul-players label", has_text="Cyan").click()
    expect(page.locator(".foul-confirm h3")).to_have_text("Cyan: Late by more than 10 minutes")
    page.get_by_role("button", name="Add penalty").click()
    given(page, "Given to Cyan: Late by more than 10 minutes: 12 minutes.")
    assert register.new() == [(3, "points", 30_000, False)]


def a_case_is_chosen_by_a_few_letters_and_an_arrow(page: "Page", laptop: Hands) -> None:
    choose(page, 3)
    laptop.type("tsumo after dis")
    hits = page.locator(".foul-hit .foul-what")
    both = ["Tsumo called after discarding (voice only)", "Tsumo called after discarding (hand shown)"]
    expect(hits).to_have_text(both)
    late: list[Route] = []  # the answer to the last letter comes after the arrow
    page.route(LAST_LETTER, lambda route: late.append(route))  # noqa: PLW0108  playwright wants a function of its own
    with page.expect_request(LAST_LETTER):
        laptop.type("c")
        page.clock.run_for(200)
    laptop.press("ArrowDown")
    with page.expect_response(LAST_LETTER):
        late[0].continue_()
    page.unroute_all()
    page.clock.run_for(200)
    expect(page.locator(".foul-hit.is-first .foul-what")).to_have_text(both[1:])
    laptop.press("Enter")
    expect(page.get_by_role("button", name="Add penalty").first).to_be_focused()
    expect(page.locator(".foul-official")).to_contain_text("WRC: chombo 30,000")
    laptop.press("Enter")
    given(page, "Given to Cyan: Tsumo called after discarding: hand shown.")


def nothing_is_lost_by_typing_faster_than_the_desk_searches(page: "Page") -> None:
    choose(page, 1)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/penalties/give/" in request.url else None)
    page.keyboard.type("3a")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Add penalty").first).to_be_focused()
    page.clock.run_for(1000)  # by now the letters would have been searched for, and taken the answer away
    expect(page.get_by_role("button", name="Add penalty").first).to_be_focused()
    assert "look=1" in asked[-1]  # on a slow machine a search may come first, but none comes behind it


# ---------------------------------------------------------------- by the finger


def test_by_the_finger_three_or_four_taps_do(open_tab: OpenTab, event: Event) -> None:
    page, register = at_table(open_tab(writer_of(event), phone=True), event), Register(event)
    phone = Hands(page)

    choose_by_finger(page, "Birk")
    phone.tap(dialog(page).get_by_role("button", name="Riichi"))
    phone.tap(dialog(page).get_by_role("button", name="Noten riichi, found at a win or a draw"))
    phone.tap(dialog(page).get_by_role("button", name="Add penalty"))
    given(page, "Given to Birk: Noten riichi")
    assert phone.pressed() == 3
    assert register.new() == [(2, "chombo", 20_000, False)]

    choose_by_finger(page, "Birk")
    phone.tap(dialog(page).get_by_role("button", name="Melds"))
    phone.tap(dialog(page).get_by_role("button", name="Swap-calling, seen after the discard"))
    phone.tap(dialog(page).get_by_role("button", name="Add penalty"))
    given(page, "Given to Birk: Swap-calling")
    assert phone.pressed() == 3
    assert register.new() == [(2, "dead_hand", 0, False)]

    choose_by_finger(page, "Distel")
    phone.tap(dialog(page).get_by_role("button", name="Late or missing"))
    phone.tap(dialog(page).get_by_role("button", name="Late by 1 to 10 minutes"))
    phone.tap(dialog(page).get_by_role("button", name="7", exact=True))
    phone.tap(dialog(page).get_by_role("button", name="Add penalty"))
    given(page, "7 minutes")
    assert phone.pressed() == MOST
    assert register.new() == [(4, "points", 7000, False)]

    # at the desk
    at_desk(page, event)
    page.get_by_label("Who").select_option("6")
    expect(page.get_by_role("searchbox", name="What happened")).to_be_focused()
    phone.tap(page.get_by_role("button", name="Riichi"))
    phone.tap(page.get_by_role("button", name="Noten riichi, found at a win or a draw"))
    phone.tap(page.get_by_role("button", name="Add penalty").first)
    given(page, "Given to Farn")
    assert phone.pressed() == 3
    assert [entry.kind for entry in standing_entries(rows_of(table_of(event, 2)))] == ["chombo"]
