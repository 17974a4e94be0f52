"""A whole small event played in the browser from nothing: what the phones show in the end is what was typed."""

import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import openpyxl
import pytest
from django.core.management import call_command

from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import enter_all, table_of
from tournament.accounts.actions import create_organiser_link
from tournament.events.models import Event
from tournament.tables.models import Seat
from tournament.text.numbers import signed_p

if TYPE_CHECKING:
    from playwright.sync_api import Page

LONG = "Maximiliane-Theodora von Hohenwaldenburg"
SANMATSURI_PLAYERS: list[list[Any]] = [
    ["Spielername", "Land", "Verein", "EMA-Nummer"],
    [LONG, "Deutschland", "Riichi Elbmarsch", "10010001"],
    ["朝霧すずめ", "Japan", None, None],
    ["Ada Moss", "Österreich", "Torii Donau", 1160092],  # the spreadsheet ate the first zero
    ["Joris Veenman", "NLD", "Polder Pon", "12010002"],
    ["Siân Ffoulkes", "GBR", "Lantern Club", None],
    ["Nils Bergqvist", "SWE", None, "14010003"],
]


def workbook(rows: list[list[Any]]) -> bytes:
    """Return an xlsx file with these rows."""
    book = openpyxl.Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def public_words(page: "Page", slug: str) -> dict[str, str]:
    """Return all words on the public pages of round 1 as they are sent, hidden ones too, but for the running clock."""
    addresses = ("", "standings/", "rounds/", "rounds/1/", "rounds/1/tables/1/", "players/1/", "display/")
    found = {}
    for address in addresses:
        answer = page.request.get(f"/e/{slug}/{address}")
        found[address] = f"{answer.status} " + page.evaluate(
            """(text) => {
                const main = new DOMParser().parseFromString(text, "text/html").querySelector("main");
                main.querySelectorAll(".clock").forEach((clock) => clock.remove());
                return main.textContent.replace(/\\s+/g, " ").trim();
            }""",
            answer.text(),
        )
    for address in ("standings", "rounds/1/tables/1"):
        found[f"api: {address}"] = page.request.get(f"/api/v1/events/{slug}/{address}").text()
    return found


@contextmanager
def nothing_leaks(phone: "Page", slug: str) -> Iterator[None]:
    """Fail unless a phone that is new here is sent the same after the block as before it."""
    before = public_words(phone, slug)
    yield
    assert public_words(phone, slug) == before


def standings_of(slug: str) -> list[dict[str, Any]]:
    """Return the rows that `manage.py standings --json` prints."""
    out = io.StringIO()
    call_command("standings", slug, "--json", stdout=out)
    rows: list[dict[str, Any]] = json.loads(out.getvalue())["rows"]
    return rows


def as_shown(rows: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """Return rank, name and total of those rows as a page writes them."""
    shared = Counter(row["rank"] for row in rows)
    return [
        (f"={row['rank']}" if shared[row["rank"]] > 1 else str(row["rank"]), row["player"], signed_p(row["total"]))
        for row in rows
    ]


def standings_on(page: "Page", slug: str) -> list[tuple[str, str, str]]:
    """Return rank, name and total of each row of the public standings."""
    page.goto(f"/e/{slug}/standings/")
    rows = page.locator("table.standings tbody tr").all()
    return [
        (row.locator(".place").inner_text(), row.locator(".who a").inner_text(), row.locator(".total").inner_text())
        for row in rows
    ]


def seated(slug: str, round_: int) -> dict[tuple[int, int], str]:
    """Return who sits where in a round: (table, seat) → name."""
    seats = Seat.objects.filter(round__event__slug=slug, round__number=round_)
    return {
        (seat.table.number, seat.seat): seat.player.person.preferred_name
        for seat in seats.select_related("table", "player__person")
    }


def import_players(page: "Page", slug: str) -> None:
    """Take the list, of which nothing is here before the yes; how it is read is held by tests/imports."""
    desk.look_at_list(page, "Anmeldungen.xlsx", workbook(SANMATSURI_PLAYERS))
    assert Event.objects.get(slug=slug).players.count() == 0
    page.get_by_role("button", name="Add all of them").click()
    expect(page.get_by_text("6 players added.")).to_be_visible()


def play_by_line(page: "Page", names: list[str]) -> None:
    """Play table 1 by the line alone: a warning, a correction, the end, the signature."""
    desk.jump_to_table(page, 1)
    desk.enter_all(page, ["2r3 340/2", "1t 130", "d13/1", "2r1 240/2", "c2", "3t m/3", "3r1 230"])
    page.keyboard.type("d13/2")
    expect(desk.understood(page).locator(".note.is-warning")).to_have_text(
        f"Warning {names[1]} (player 2) had riichi but is not tenpai: a dead hand, or a chombo?"
    )
    page.get_by_label("Reason", exact=True).fill("Dead hand, ruled at the table")
    page.keyboard.press("Enter")
    expect(desk.hands(page)).to_have_count(8)

    # an earlier hand is put right, and all after it are recalculated
    page.get_by_role("link", name="Correct East 2", exact=True).click()
    expect(desk.line(page)).to_have_value("1t 130")
    desk.line(page).fill("1t 230")
    page.locator("#reason").fill("Two han, says the whole table")
    desk.line(page).press("Enter")
    expect(desk.scores(page)).to_have_text(["23,700", "31,000", "34,300"])

    # the last hand ends the game
    desk.enter(page, "1t 5")
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
    desk.sign(page, 1, [30_900, 28_900, 30_200])


def play_by_mouse(page: "Page", slug: str, seats: dict[tuple[int, int], str]) -> None:
    """Play table 2: one hand by mouse, and a riichi stick left at the end."""
    enter_all(
        table_of(Event.objects.get(slug=slug), 2), "1t 330/1", "1r2 240", "3r1 h", "2t 5/2", "d", "n3d1", "1r3 230"
    )
    desk.back_to_grid(page)
    desk.jump_to_table(page, 2)
    winner, loser = seats[2, 1], seats[2, 0]
    desk.tap(page, "2", "1", "=340", "2")
    expect(desk.understood(page).locator(".understood-say")).to_have_text(
        f"{winner} (2, South) ron from {loser} (1, East): 3 han 40 fu, 5,200. Riichi: {winner}"
    )
    desk.tap(page, "Enter hand")
    expect(desk.hands(page)).to_have_count(8)
    desk.enter_all(page, ["3t 230/3", "d1/1"])
    desk.sign(page, 2, [15_400, 30_900, 43_700], leftover=1000)


def check_standings(phone: "Page", slug: str, seats: dict[tuple[int, int], str]) -> dict[str, int]:
    """Compare the standings with what was played; return the total of each name."""
    names = [seats[1, seat] for seat in range(3)]
    rows = standings_of(slug)
    results = {(1, 0): 15_900, (1, 1): -16_100, (1, 2): 200, (2, 0): -29_600, (2, 1): 900, (2, 2): 28_700}
    wanted = {seats[where]: points for where, points in results.items()}
    assert {row["player"]: row["results"] for row in rows} == {name: [points] for name, points in wanted.items()}
    assert {row["player"]: row["penalties"] for row in rows if row["penalties"]} == {names[1]: 20_000}
    wanted[names[1]] -= 20_000
    assert [(row["player"], row["total"]) for row in rows] == sorted(wanted.items(), key=lambda item: -item[1])
    assert standings_on(phone, slug) == as_shown(rows)
    return wanted


def find_next_seat(phone: "Page", slug: str, total: int) -> None:
    """See on a player's own phone where to sit next, and the own total."""
    phone.goto(f"/e/{slug}/")
    phone.locator(".pick-names").get_by_role("link", name=re.compile(LONG)).click()
    table, seat = next(where for where, name in seated(slug, 2).items() if name == LONG)
    expect(phone.get_by_role("heading", level=1)).to_have_text("Round 2")
    expect(phone.locator(".compass-mid")).to_have_text(f"Table {table}")
    expect(phone.locator(".compass-seat.is-bottom")).to_contain_text(("East", "South", "West")[seat])
    expect(phone.locator(".compass-seat.is-bottom")).to_contain_text(f"{LONG} you")
    near = phone.locator("table.standings tbody tr.is-mine .total")
    expect(near).to_have_text(signed_p(total))


@pytest.mark.slow
def test_three_players_from_an_empty_desk_to_the_standings_on_a_phone(open_tab: OpenTab) -> None:
    slug = "sanmatsuri-2026"
    page, phone = open_tab(), open_tab(phone=True)
    assert len(LONG) == 40
    desk.come_in(page, create_organiser_link())
    desk.make_event(page, name="SanMatsuri", book="SanMatsuri 2026", date="2026-09-12", rounds=2, slug=slug)
    import_players(page, slug)
    desk.draw_and_publish(page, seed=4711)
    desk.start_clock(page)
    seats = seated(slug, 1)
    with nothing_leaks(phone, slug):
        play_by_line(page, [seats[1, seat] for seat in range(3)])
        play_by_mouse(page, slug, seats)
    desk.release(page, 1)  # the round becomes public, all at once
    totals = check_standings(phone, slug, seats)
    find_next_seat(phone, slug, totals[LONG])
