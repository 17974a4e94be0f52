"""What goes wrong with a round, each mishap tried in a browser: seats, the clock, results, the draw after them, paper.

What a mishap leaves untouched is asserted as well as what the desk does.
"""

import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.conftest import OpenTab
from tests.e2e.patience import expect
from tests.factories import enter_all, make_event, play_round, sign, table_of, void, writer_of
from tournament.models import Event, Seat
from tournament.selectors.tables import load_tables
from tournament.services.draw import publish_rounds

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.django_db(transaction=True)
TABLE = "/desk/cup/rounds/1/tables/1/"


@pytest.fixture
def event(live_server: Any) -> Event:
    """Return an event by EMA 2025, eight players, two rounds published."""
    return make_event(slug="cup", tables=2, rounds=2)


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
    page.locator(".mishaps li", has_text=words).first.get_by_role("link", name="Look, and take back").click()


# ---------------------------------------------------------------- wrong seats


def test_two_of_one_table_in_each_others_seats_are_replayed_by_name_and_back(desk: "Page", event: Event) -> None:
    enter_all(table_of(event), "1t 3 30", "2r3 2 40")
    before, points = seats(event), scores(event)
    desk.goto("/desk/cup/mishaps/?player=1")
    desk.locator(".mishaps li", has_text="Sits in a wrong seat").get_by_role("link").click()
    expect(desk.get_by_role("checkbox", name="Akelei")).to_be_checked()
    desk.get_by_role("checkbox", name="Cyan").check()
    desk.get_by_role("radio", name=re.compile("^Name")).check()
    desk.get_by_role("button", name="Show what comes of it").click()
    give_reason(desk, "Change the seats")
    expect(said(desk)).to_have_text("Done The seats are changed.")
    assert seats(event)[:3] == [(1, 0, 3), (1, 1, 2), (1, 2, 1)]
    assert scores(event) != points
    take_back(desk, "changed the seats of players 1 and 3")
    give_reason(desk, "Change the seats", "they sat right")
    expect(said(desk)).to_have_text("Done The seats are changed.")
    assert (seats(event), scores(event)) == (before, points)


def test_two_of_different_tables_change_names_alone_and_back(desk: "Page", event: Event) -> None:
    enter_all(table_of(event), "1t 3 30")
    before, points = seats(event), scores(event)
    for _turn in range(2):
        desk.goto(f"{TABLE}seats/?seat=0")
        desk.get_by_label("and a player of another table").select_option(index=2)
        desk.get_by_role("radio", name=re.compile("^Seat")).check()
        desk.get_by_role("button", name="Show what comes of it").click()
        give_reason(desk, "Change the seats")
        expect(said(desk)).to_have_text("Done The seats are changed.")
        assert scores(event) == points
    assert seats(event) == before


# ---------------------------------------------------------------- the clock and the walls


def test_the_desk_names_tables_that_are_not_ready_and_a_bulk_tick_goes_back(desk: "Page", event: Event) -> None:
    desk.goto("/desk/cup/")
    desk.locator("#ready-1").click()
    expect(desk.locator(".grid-missing")).to_have_text("Table 2 is not ready.")
    expect(desk.locator("button.is-main", has_text="Start the clock")).to_have_count(0)
    desk.get_by_role("button", name="The others are ready, too").click()
    expect(desk.locator(".grid-missing")).to_have_text("All tables are ready: the clock can start.")
    desk.get_by_role("button", name="Take all ready ticks back").click()
    expect(desk.locator(".grid-missing")).to_have_text("No table is ready yet.")
    assert [table.ready_at for table in load_tables(event, rounds=[1])] == [None, None]


def test_a_clock_that_was_started_too_early_is_stopped_and_put_back(desk: "Page", event: Event) -> None:
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


# ---------------------------------------------------------------- results


def test_a_round_with_a_result_missing_cannot_close(desk: "Page", event: Event) -> None:
    enter_all(table_of(event, 1), "1t 3 30")
    sign(table_of(event, 1))
    desk.goto("/desk/cup/")
    expect(desk.locator(".grid-missing")).to_have_text("Table 2 has no hand yet.")
    expect(desk.get_by_role("link", name="Release round 1")).to_have_count(0)
    desk.goto("/desk/cup/rounds/1/release/")
    desk.get_by_role("button", name="Release", exact=True).click()
    expect(said(desk)).to_contain_text("2")
    assert not event.rounds.filter(released_at__isnull=False).exists()


def test_a_hand_made_void_by_mistake_is_brought_back(desk: "Page", event: Event) -> None:
    enter_all(table_of(event), "1t 3 30", "1t 3 30")
    points = scores(event)
    void(table_of(event), 2)
    assert scores(event) != points
    desk.goto(TABLE)
    desk.get_by_role("link", name="Bring back").click()
    expect(desk.locator("#line")).to_have_value(re.compile("1t"))
    desk.locator("#line").press("Enter")
    expect(desk.locator("[name=reason]:focus")).to_have_count(1)
    desk.keyboard.type("it was played")
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("link", name="Bring back")).to_have_count(0)
    assert scores(event) == points


def test_the_desk_reads_a_hand_back_before_enter(desk: "Page", event: Event) -> None:
    desk.goto(TABLE)
    expect(desk.locator("#line")).to_be_focused()
    desk.keyboard.type("2r3 340")
    expect(desk.locator("#understood")).to_contain_text("Birk (2, South) wins off Cyan (3, West): 3 han 40 fu")
    assert not load_tables(event, rounds=[1])[0].lines


def test_every_view_shows_the_same_sum_where_a_deposit_is_left(desk: "Page", event: Event) -> None:
    for number in (1, 2):
        enter_all(table_of(event, number), "2r3 340/2", "d 1 /1")
    play_round(event, 1)
    rows = desk.request.get("/api/v1/events/cup/standings").json()["rows"]
    best = rows[0]
    desk.goto("/e/cup/standings/")
    expect(desk.locator("td.total").first).to_have_text(in_p(best["total"]))
    desk.get_by_role("link", name=best["player"]).first.click()
    expect(desk.get_by_text(in_p(best["total"])).first).to_be_visible()
    desk.goto("/desk/cup/results/")
    expect(desk.locator("td.total").first).to_have_text(in_p(best["total"]))


def test_ties_and_counts_are_stated(desk: "Page", event: Event) -> None:
    play_round(event, 1, "1t 3 30")
    desk.goto("/e/cup/standings/")
    places = desk.locator("td.place").all_inner_texts()
    assert (len(places), [text.strip() for text in places[:3]]) == (8, ["=1", "=1", "=3"])


# ---------------------------------------------------------------- seats on the wall and on phones


def test_seats_are_there_as_soon_as_they_are_published_on_phone_wall_and_paper_alike(open_tab: OpenTab) -> None:
    event = make_event(slug="cup", tables=2, rounds=1, published=False)
    page = open_tab(writer_of(event))
    page.goto("/desk/cup/seating/")
    page.get_by_role("button", name=re.compile("^Publish")).first.click()
    expect(said(page)).to_contain_text("The seats are published")
    page.goto("/e/cup/?me=7")
    expect(page.get_by_text("Ginster").first).to_be_visible()
    phone = " ".join(page.locator("main").inner_text().split())
    assert "Table 2" in phone
    paper = page.request.get("/desk/cup/print/seating.pdf")
    assert paper.status == 200
    text = subprocess.run(["pdftotext", "-", "-"], input=paper.body(), capture_output=True, check=True).stdout.decode()
    assert re.search(r"Ginster", text)
    page.goto("/e/cup/rounds/1/")
    wall = page.locator("main").inner_text()
    assert wall.index("Table 2") < wall.index("Ginster")


def test_a_correction_never_reshuffles_a_published_draw(open_tab: OpenTab) -> None:
    event = make_event(slug="cup", tables=2, rounds=1)
    play_round(event, 1, "1t 3 30")
    page = open_tab(writer_of(event))
    page.goto("/desk/cup/seating/next/")
    page.get_by_role("radio", name=re.compile("^By rank")).check()
    page.get_by_role("button", name="Show the round").click()
    page.get_by_role("button", name="Take this round").click()
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


# ---------------------------------------------------------------- paper when the desk itself fails


def test_paper_is_there_at_every_stage(desk: "Page", event: Event) -> None:
    sheets = ("seating.pdf", "standings.pdf")
    desk.goto("/desk/cup/mishaps/")
    desk.get_by_role("link", name="Print").click()
    expect(desk.get_by_role("heading", level=1)).to_be_visible()
    given = {sheet: desk.request.get(f"/desk/cup/print/{sheet}").status for sheet in sheets}
    assert given == dict.fromkeys(sheets, 200)
    play_round(event, 1, "1t 3 30")
    answer = desk.request.get("/desk/cup/print/standings.pdf")
    text = subprocess.run(["pdftotext", "-", "-"], input=answer.body(), capture_output=True, check=True).stdout.decode()
    assert "Akelei" in text
    assert desk.request.get("/desk/cup/export/event.json").status == 200


def in_p(points: int) -> re.Pattern[str]:
    """Return a total in P, as pages write it."""
    return re.compile(f"^\\s*\\+{points // 1000}\\.{points % 1000 // 100}\\s*$")
