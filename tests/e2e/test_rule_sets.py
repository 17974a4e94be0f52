"""Rule sets that clubs play, from the page that makes an event to the standings: three books, and one of one's own.

The suite plays one of the books, the seed of the run decides which; the nightly run plays all. What a game by each of
them comes to is asked in every run of `manage.py replay`.
"""

from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.patience import expect
from tests.factories import make_account

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tournament.accounts.models import Account

PLAYERS = b"Name\nAda\nBo\nCy\nDi\n"
THREE = PLAYERS.removesuffix(b"Di\n")


@pytest.fixture
def site(live_server) -> "Account":
    return make_account("Site", superuser=True)


def play(page: "Page", title: str, players: bytes, lines: list[str], sheet: list[int]) -> None:
    """Make an event of one round by these rules, play its one table to the end of the game, sign and release."""
    page.goto("/")
    desk.make_event(page, name="Cup", book=title, date="2026-11-01", rounds=1, slug="cup-2026")
    desk.look_at_list(page, "players.csv", players)
    page.get_by_role("button", name="Add all of them").click()
    desk.draw_and_publish(page, seed=7)
    desk.start_clock(page)
    desk.jump_to_table(page, 1)
    desk.enter_all(page, lines)
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
    desk.sign(page, 1, sheet)
    desk.release(page, 1)


class Game(NamedTuple):
    """A game by a book, reckoned by hand: final scores by seat, totals from the first place on."""

    book: str
    players: bytes
    lines: list[str]
    sheet: list[int]
    totals: list[str]


GAMES = [
    Game(
        "JPML A",
        PLAYERS,
        # 7,700 stays; below zero the game goes on
        ["2r1 430", "3t 5", "4r1 230", "d", "3r4 y1", "1t 130", "4r3 340", "2r4 130"],
        [19_400, 34_200, 64_800, 1600],
        ["+42.8", "+8.2", "−14.6", "−36.4"],  # two end above 30,000: 8, 4, −4, −8
    ),
    Game(
        "Saikouisen Classic",
        PLAYERS,
        # a dealer in tenpai passes, and nobody pays for a draw
        ["d1", "3r1 240", "4t 5", "1r4 430", "2r1 330", "d23", "1t 130", "3r2 y1"],
        [30_300, -500, 60_300, 29_900],
        ["+42.3", "+4.3", "−4.1", "−42.5"],  # 12, 4, −4, −12
    ),
    Game(
        "Kansai sanma",
        THREE,
        # chips beside the points; the dealer's tsumo is halved; the third falls below zero
        ["2r3 5 c1", "2t 6 c1", "1r3 y1 c10"],
        [59_000, 61_000, -15_000],
        ["+49.0", "+28.0", "−77.0"],  # with an oka of 15, and 3, 9 and −12 chips
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("game", [None, *(pytest.param(game, marks=pytest.mark.nightly) for game in GAMES)])
def test_a_book_that_clubs_play_goes_from_a_new_event_to_the_standings(
    open_tab: OpenTab, site: "Account", game: Game | None, pytestconfig: pytest.Config
) -> None:
    game = game or GAMES[pytestconfig.getoption("randomly_seed", 0) % len(GAMES)]
    page = open_tab(site)
    play(page, game.book, game.players, game.lines, game.sheet)
    page.goto("/e/cup-2026/standings/")
    expect(page.locator("table.standings .total")).to_have_text([*game.totals])


@pytest.mark.follows("rule-sets.md")
@pytest.mark.slow
def test_a_set_of_ones_own_is_made_by_form_and_played(open_tab: OpenTab, site: "Account") -> None:
    page = open_tab(site)
    page.goto("/")
    page.get_by_role("link", name="Your rule sets").click()
    page.get_by_label("Start from").select_option("EMA 2025")
    page.get_by_role("button", name="Continue to its rules").click()
    page.get_by_label("Name", exact=True).fill("Club rules")
    page.get_by_label("Winds that are played, East first").fill("9")
    page.locator("#rule-bust input").check()
    page.get_by_label("What is changed, and why").fill("as our club plays")
    page.get_by_role("button", name="Save the rule set").click()
    expect(page.locator("#rule-rounds .error")).to_be_visible()
    page.get_by_label("Winds that are played, East first").fill("1")
    page.get_by_role("button", name="Save the rule set").click()
    expect(page.get_by_text("Version 1 is saved.")).to_be_visible()
    expect(page.locator(".lead")).to_have_text("version 1 · based on EMA 2025, 2 changes · club-rules")

    play(page, "Club rules", PLAYERS, ["2r1 y1"], [-2000, 62_000, 30_000, 30_000])
    phone = open_tab(phone=True)
    phone.goto("/e/cup-2026/rules/")
    expect(phone.locator(".lead")).to_contain_text("Club rules · version 1 · based on EMA 2025, 2 changes")
    expect(phone.locator(".is-difference")).to_contain_text("as our club plays")
    phone.goto("/e/cup-2026/standings/")
    expect(phone.locator("table.standings .total")).to_have_text(["+47.0", "0.0", "0.0", "−47.0"])
