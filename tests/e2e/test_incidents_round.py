"""What goes wrong with a round, each incident tried in a browser: seats, clock, results, the draw after them, paper.

What an incident leaves untouched is asserted as well as what the desk does. Each leaves the event as the next one finds
it, so that one event and one tab serve several.
"""

import io
import re
from typing import TYPE_CHECKING

import pytest
from pypdf import PdfReader

from tests.e2e.conftest import OpenTab
from tests.e2e.patience import expect
from tests.factories import enter_all, make_event, play_round, round_of, sign, table_of, void, writer_of
from tests.fixtures import live_event
from tournament.events.models import Event
from tournament.rounds.actions import publish_rounds, release_round
from tournament.tables.models import Seat
from tournament.tables.queries import load_tables

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.django_db(transaction=True)
TABLE = "/desk/cup/rounds/1/tables/1/"


event = live_event(slug="cup", tables=2, rounds=2)


@pytest.fixture
def desk(open_tab: OpenTab, event: Event) -> "Page":
    """Return the organiser's tab."""
    return open_tab(writer_of(event))


def give_reason(page: "Page", button: str, reason: str = "seen at the table") -> None:
    page.get_by_label("Reason").last.fill(reason)
    page.get_by_role("button", name=button, exact=True).click()


def said(page: "Page") -> "Locator":
    return page.locator(".messages .note").first


def seats(event: Event, round_: int = 1) -> list[tuple[int, ...]]:
    rows = Seat.objects.filter(round__event=event, round__number=round_).order_by("table__number", "seat")
    return list(rows.values_list("table__number", "seat", "player__number"))


def scores(event: Event, table: int = 1) -> list[int]:
    found = {each.number: each for each in load_tables(event, rounds=[1])}
    return list(found[table].state.scores)


def take_back(page: "Page", words: str) -> None:
    """Press the way back beside something that was done lately."""
    page.goto("/desk/cup/mishaps/")
    page.locator(".mishaps li", has_text=words).first.get_by_role("link", name="Check and take back").click()


# ---------------------------------------------------------------- a table


def read_back_before_enter(desk: "Page", event: Event) -> None:
    """Type a hand, which the desk reads back and does not take yet."""
    desk.goto(TABLE)
    expect(desk.locator("#line")).to_be_focused()
    desk.keyboard.type("2r3 340")
    expect(desk.locator("#understood")).to_contain_text("Birk (2, South) ron from Cyan (3, West): 3 han 40 fu")
    assert not load_tables(event, rounds=[1])[0].lines
    desk.keyboard.press("Escape")
    expect(desk.locator("#line")).to_have_value("")


def bring_back_what_was_void_by_mistake(desk: "Page", event: Event) -> None:
    """Bring back a hand that was made void."""
    points = scores(event)
    void(table_of(event), 2)
    assert scores(event) != points
    desk.goto(TABLE)
    desk.get_by_role("link", name="Bring back").click()
    expect(desk.locator("#line")).to_have_value(re.compile("2r3"))
    desk.locator("#line").press("Enter")
    expect(desk.locator("[name=reason]:focus")).to_have_count(1)
    desk.keyboard.type("it was played")
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("link", name="Bring back")).to_have_count(0)
    assert scores(event) == points


def replay_by_name_and_back(desk: "Page", event: Event) -> None:
    """Change two of one table who sit in each other's seats, and back."""
    before, points = seats(event), scores(event)
    desk.goto("/desk/cup/mishaps/?player=1")
    desk.locator(".mishaps li", has_text="Sits in a wrong seat").get_by_role("link").click()
    expect(desk.get_by_role("checkbox", name="Akelei")).to_be_checked()
    desk.get_by_role("checkbox", name="Cyan").check()
    desk.get_by_role("radio", name=re.compile("^the names")).check()
    desk.get_by_role("button", name="Show the effect").click()
    give_reason(desk, "Change the seats")
    expect(said(desk)).to_have_text("Done The seats are changed.")
    assert seats(event)[:3] == [(1, 0, 3), (1, 1, 2), (1, 2, 1)]
    assert scores(event) != points
    take_back(desk, "changed the seats of players 1 and 3")
    give_reason(desk, "Change the seats", "they sat right")
    expect(said(desk)).to_have_text("Done The seats are changed.")
    assert (seats(event), scores(event)) == (before, points)


def change_names_alone_and_back(desk: "Page", event: Event) -> None:
    """Change two of different tables, whose hands stay, and back."""
    before, points = seats(event), scores(event)
    for _turn in range(2):
        desk.goto(f"{TABLE}seats/?seat=0")
        desk.get_by_label("and a player of another table").select_option(index=2)
        desk.get_by_role("radio", name=re.compile("^the seats")).check()
        desk.get_by_role("button", name="Show the effect").click()
        give_reason(desk, "Change the seats")
        expect(said(desk)).to_have_text("Done The seats are changed.")
        assert scores(event) == points
    assert seats(event) == before


def test_hands_and_seats_of_a_table_are_put_right(desk: "Page", event: Event) -> None:
    read_back_before_enter(desk, event)
    enter_all(table_of(event), "1t 3 30", "2r3 2 40")
    bring_back_what_was_void_by_mistake(desk, event)
    replay_by_name_and_back(desk, event)
    change_names_alone_and_back(desk, event)


# ---------------------------------------------------------------- from the clock to the results


def tick_all_ready_and_take_it_back(desk: "Page", event: Event) -> None:
    """See which tables are not ready, tick them all, and take that back."""
    desk.goto("/desk/cup/")
    desk.locator("#ready-1").click()
    expect(desk.locator(".grid-missing")).to_have_text("Table 2 is not ready.")
    expect(desk.locator("button.is-main", has_text="Start the clock")).to_have_count(0)
    desk.get_by_role("button", name="Mark the rest ready").click()
    expect(desk.locator(".grid-missing")).to_have_text("All tables are ready: the clock can start.")
    desk.get_by_role("button", name="Take all ready ticks back").click()
    expect(desk.locator(".grid-missing")).to_have_text("No table is ready yet.")
    assert [table.ready_at for table in load_tables(event, rounds=[1])] == [None, None]


def stop_a_clock_and_put_it_back(desk: "Page", event: Event) -> None:
    """Stop a clock that was started too early, and put it back."""
    desk.goto("/desk/cup/")
    desk.get_by_role("button", name="Start the clock").click()
    expect(said(desk)).to_have_text("Done The clock of round 1 is running.")
    desk.goto("/desk/cup/mishaps/")
    desk.get_by_role("link", name="To the clock").click()
    desk.get_by_text("It was started by mistake").click()
    desk.locator("#stop-reason").fill("table 2 had no wall")
    desk.get_by_role("button", name="Stop the clock").click()
    expect(desk.get_by_role("button", name=re.compile("Put the stopped clock back"))).to_be_visible()
    assert not event.rounds.filter(started_at__isnull=False).exists()
    desk.get_by_role("button", name=re.compile("Put the stopped clock back")).click()
    expect(desk.get_by_text("It was started by mistake")).to_be_visible()
    assert event.rounds.filter(started_at__isnull=False).count() == 1


def close_no_round_with_a_result_missing(desk: "Page", event: Event) -> None:
    """Fail to release a round of which a table is not signed."""
    enter_all(table_of(event, 1), "1t 3 30")
    sign(table_of(event, 1))
    desk.goto("/desk/cup/")
    expect(desk.locator(".grid-missing")).to_have_text("Table 2 has no hand yet.")
    expect(desk.get_by_role("link", name="Release round 1")).to_have_count(0)
    desk.goto("/desk/cup/rounds/1/release/")
    desk.get_by_role("button", name="Release", exact=True).click()
    expect(said(desk)).to_contain_text("2")
    assert not event.rounds.filter(released_at__isnull=False).exists()


def show_the_same_sum_in_every_view(desk: "Page", event: Event) -> None:
    """See one total on the pages and in the API where a riichi stick is left on the table."""
    enter_all(table_of(event, 2), "2r3 340/2", "d 1 /1")
    sign(table_of(event, 2))
    release_round(round_=round_of(event), by=writer_of(event))
    rows = desk.request.get("/api/v1/events/cup/standings").json()["rows"]
    best = rows[0]
    desk.goto("/e/cup/standings/")
    expect(desk.locator("td.total").first).to_have_text(in_p(best["total"]))
    desk.get_by_role("link", name=best["player"]).first.click()
    expect(desk.get_by_text(in_p(best["total"])).first).to_be_visible()
    desk.goto("/desk/cup/results/")
    expect(desk.locator("td.at-total").first).to_have_text(in_p(best["total"]))


def test_a_round_begins_and_closes_with_all_its_tables(desk: "Page", event: Event) -> None:
    tick_all_ready_and_take_it_back(desk, event)
    stop_a_clock_and_put_it_back(desk, event)
    close_no_round_with_a_result_missing(desk, event)
    show_the_same_sum_in_every_view(desk, event)


def test_ties_are_stated_and_a_correction_never_reshuffles_a_published_draw(open_tab: OpenTab) -> None:
    event = make_event(slug="cup", tables=2, rounds=1)
    play_round(event, 1, "1t 3 30")
    page = open_tab(writer_of(event))

    # ties and counts are stated
    page.goto("/e/cup/standings/")
    places = page.locator("td.place").all_inner_texts()
    assert (len(places), [text.strip() for text in places[:3]]) == (8, ["=1", "=1", "=3"])

    # the next round is drawn by standing, and stays when a result changes
    page.goto("/desk/cup/seating/next/")
    page.get_by_role("radio", name=re.compile("^By rank")).check()
    page.get_by_role("button", name="Show the round").click()
    page.get_by_role("button", name="Use this round").click()
    expect(page.get_by_text("The round is drawn")).to_be_visible()
    publish_rounds(event=event, numbers=[2], by=writer_of(event))
    drawn = seats(event, 2)
    page.goto(TABLE)
    page.get_by_label("Reason to reopen").fill("the winner was North")
    page.get_by_role("button", name="Reopen table").click()
    expect(said(page)).to_contain_text("Table 1 is open again.")
    enter_all(table_of(event), "4t 5")
    sign(table_of(event))
    assert seats(event, 2) == drawn
    page.goto("/e/cup/standings/")
    expect(page.get_by_role("link", name="Distel").first).to_be_visible()


# ---------------------------------------------------------------- seats on the wall, on phones and on paper


def printed(page: "Page", sheet: str) -> str:
    """Return the words of a sheet, for which a crowded machine takes its time."""
    answer = page.request.get(f"/desk/cup/print/{sheet}", timeout=120_000)
    assert answer.status == 200
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.body())).pages)


def test_seats_are_there_once_published_and_paper_at_every_stage(open_tab: OpenTab) -> None:
    event = make_event(slug="cup", tables=2, rounds=1, published=False)
    page = open_tab(writer_of(event))
    page.goto("/desk/cup/seating/")
    page.get_by_role("button", name=re.compile("^Publish")).first.click()
    page.get_by_role("button", name="Publish for good").click()
    expect(said(page)).to_contain_text("The seats are published")
    page.goto("/e/cup/?me=7")
    expect(page.get_by_text("Ginster").first).to_be_visible()
    phone = " ".join(page.locator("main").inner_text().split())
    assert "Table 2" in phone
    assert "Ginster" in printed(page, "seating.pdf")
    page.goto("/e/cup/rounds/1/")
    wall = page.locator("main").inner_text()
    assert wall.index("Table 2") < wall.index("Ginster")

    # paper when the desk itself fails
    page.goto("/desk/cup/mishaps/")
    page.get_by_role("link", name="Print").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    play_round(event, 1, "1t 3 30")
    assert "Akelei" in printed(page, "standings.pdf")
    assert page.request.get("/desk/cup/export/event.json", timeout=120_000).status == 200


def in_p(points: int) -> re.Pattern[str]:
    """Return a total in P, as pages write it."""
    return re.compile(f"^\\s*\\+{points // 1000}\\.{points % 1000 // 100}\\s*$")
