"""The desk's grid: the day's line, what is missing in words, the tiles, the acts that move a round on."""

import datetime as dt
import re

import pytest
import time_machine
from django.utils import timezone

from tests.factories import enter, make_account, make_event, play_round, round_of, sign, table_of, writer_of
from tests.pages.at_desk import HTMX, organiser, referee
from tests.pages.html_reader import text, texts
from tournament.core.models import AuditRow
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.hall.day_line import _runs
from tournament.players.actions import NewPlayer, add_players
from tournament.rounds.actions import publish_rounds, start_round

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

MORNING = dt.datetime(2026, 9, 12, 9, 0, tzinfo=dt.UTC)


def empty_event(players: int = 0) -> Event:
    writer = make_account("Organiser")
    event = create_event(name="Cup", date=MORNING.date(), rules_key="ema-2025", rounds=2, slug="cup", by=writer)
    add_players(event=event, players=[NewPlayer(f"Player {index}") for index in range(players)], by=writer)
    return event


def grid(event: Event, query: str = ""):
    return organiser(event).get(f"/desk/{event.slug}/{query}")


def shown(page) -> list[int]:
    """List the tables whose tiles are not hidden."""
    cells = re.findall(r'<div class="tile-cell"[^>]*?( hidden)?>\s*<a[^>]*data-table="(\d+)"', page.content.decode())
    return [int(number) for hidden, number in cells if not hidden]


def steps(page) -> list[str]:
    return texts(page, ".step")


# ---------------------------------------------------------------- the day's line


def test_an_event_without_seats_names_the_next_act():
    page = grid(empty_event())
    assert text(page, ".empty").startswith("No seats drawn yet Add the players, draw the seats and publish them")
    assert steps(page) == ["Players now 0", "Seats drawn", "Published", "Ready", "Playing", "Sheets in", "Released"]


def test_players_that_do_not_fill_the_tables_block_the_line():
    page = grid(empty_event(players=6))
    assert steps(page)[0] == "Players blocked 6 · 2 missing"


def test_the_line_goes_on_with_the_round():
    event = make_event(tables=2, rounds=2, slug="cup")
    assert steps(grid(event)) == [
        "Players done 8", "Seats drawn done 2 rounds", "Published done", "Ready now", "Playing", "Sheets in 0 of 2",
        "Released",
    ]  # fmt: skip
    for number in (1, 2):
        enter(table_of(event, number), "1t 230")
        sign(table_of(event, number))
    assert steps(grid(event)) == [
        "Players done 8", "Seats drawn done 2 rounds", "Published done", "Ready done", "Playing done",
        "Sheets in done 2 of 2", "Released now",
    ]  # fmt: skip


def test_a_draw_that_is_not_published_leads_to_it():
    event = make_event(tables=1, rounds=1, published=False, slug="cup")
    page = grid(event)
    assert text(page, ".grid-missing") == "The seats are drawn and not published yet."
    assert "View the draw" in texts(page, ".button")
    assert "View the draw" not in texts(referee(event).get("/desk/cup/"), ".button")


# ---------------------------------------------------------------- what is missing


@pytest.mark.once
def test_what_is_missing_is_said_in_one_sentence():
    event = make_event(tables=6, rounds=1)
    assert text(grid(event), ".grid-missing") == "No table is ready yet."
    for number in (1, 2, 3, 5):
        enter(table_of(event, number), "1t 230")
    assert text(grid(event), ".grid-missing") == "Tables 4 and 6 have no hand yet; tables 1 to 3 and 5 still play."
    for number in (1, 2, 3):
        sign(table_of(event, number))
    assert text(grid(event), ".grid-missing") == "Tables 4 and 6 have no hand yet; table 5 still plays."
    for line in ("2r3 340", "3r4 340", "4r1 340", "1r2 340", "2r3 340", "3r4 340", "4r1 340", "1r2 340"):
        enter(table_of(event, 4), line)
    assert text(grid(event), ".grid-missing") == (
        "Table 6 has no hand yet; table 5 still plays; table 4 waits for its sheet."
    )


def test_when_all_are_signed_the_round_can_be_released_and_then_is():
    event = make_event(tables=1, rounds=1, slug="cup")
    enter(table_of(event), "1t 230")
    sign(table_of(event))
    page = grid(event)
    assert text(page, ".grid-missing") == "All tables are signed: the round can be released."
    assert "Release round 1" in texts(page, ".button")
    assert "Release round 1" not in texts(referee(event).get("/desk/cup/"), ".button")
    client = organiser(event)
    assert text(client.get("/desk/cup/rounds/1/release/"), "h1") == "Release round 1?"
    for _ in range(2):
        assert client.post("/desk/cup/rounds/1/release/")["Location"] == "/desk/cup/?round=1"
    assert AuditRow.objects.filter(verb="round_released").count() == 1
    page = client.get("/desk/cup/?round=1")
    assert text(page, ".grid-missing") == "Round 1 is released."
    assert texts(page, ".tile")[0].startswith("Table 1 released")


def test_a_round_is_not_released_before_its_tables_are_signed():
    event = make_event(tables=2, rounds=1, slug="cup")
    client = organiser(event)
    client.post("/desk/cup/rounds/1/release/")
    assert text(client.get("/desk/cup/"), ".note") == (
        "Error Round 1 cannot be released: tables 1 and 2 are not signed yet."
    )
    assert client.post("/desk/cup/rounds/9/release/")["Location"] == "/desk/cup/"


@pytest.mark.parametrize(
    ("numbers", "runs"),
    [([], []), ([3], [(3, 3)]), ([1, 2], [(1, 1), (2, 2)]), ([7, 5, 6], [(5, 7)]), ([1, 3, 4, 5], [(1, 1), (3, 5)])],
)
def test_neighbouring_numbers_are_drawn_together(numbers: list[int], runs: list[tuple[int, int]]):
    assert _runs(numbers) == runs


# ---------------------------------------------------------------- tiles


def test_a_tile_says_state_hand_and_who_sits_there():
    event = make_event(tables=2, rounds=1)
    enter(table_of(event), "2r3 340")
    enter(table_of(event), "d2/1", reason="showed noten")
    assert texts(grid(event), ".tile") == [
        (
            "Table 1 0 min playing East 2 1 honba NNorth Akelei 28,000 EEast Birk 38,200 "
            "SSouth Cyan 23,800 WWest Distel 29,000 1 warning"
        ),
        ("Table 2 no hands yet East 1 EEast Efeu 30,000 SSouth Farn 30,000 WWest Ginster 30,000 NNorth Hasel 30,000"),
    ]


@pytest.mark.once
@pytest.mark.parametrize(
    ("tables", "size", "people"), [(16, "is-roomy", True), (24, "is-medium", True), (25, "is-dense", False)]
)
def test_many_tables_leave_the_people_out(tables: int, size: str, people: bool):
    page = grid(make_event(tables=tables, rounds=1))
    assert len(texts(page, ".tile")) == tables
    assert bool(texts(page, ".tile-people")) == people
    assert f'<div class="tiles {size} is-checking">' in page.content.decode()


@pytest.mark.once
def test_time_since_the_last_entry_and_time_that_is_up():
    with time_machine.travel(MORNING, tick=False) as clock:
        event = make_event(tables=2, rounds=1)
        start_round(round_=round_of(event), by=writer_of(event))
        enter(table_of(event), "1t 230")
        clock.shift(dt.timedelta(minutes=7, seconds=59))
        page = grid(event)
        assert texts(page, ".tile-when") == ["7 min", ""]
        assert [line for line in texts(page, ".state") if line] == ["playing", "no hands yet"]
        clock.shift(dt.timedelta(minutes=event.ruleset.minutes))
        assert [line for line in texts(grid(event), ".state") if line] == ["time is up: this hand and one more"] * 2
        clock.shift(dt.timedelta(hours=2))
        assert texts(grid(event), ".tile-when") == ["long ago", ""]


def test_a_name_or_a_number_finds_its_table():
    event = make_event(tables=3, rounds=1)
    assert shown(grid(event, "?q=ginST")) == [2]
    assert shown(grid(event, "?q=3")) == [3]
    page = grid(event, "?q=zz")
    assert shown(page) == []
    assert text(page, ".empty").startswith("No table with this name")


@pytest.mark.once
def test_any_round_can_be_looked_at():
    event = make_event(tables=1, rounds=2)
    for query in ("?round=2", "?round=99", "?round=x", "?round=²", "?round=99999999999999999999"):
        assert (query, text(grid(event, query), "h1")) == (query, "Round 2" if query == "?round=2" else "Round 1")


def test_the_desk_stands_at_the_first_round_that_is_not_released():
    event = make_event(tables=1, rounds=3)
    play_round(event, 1, "1t 230")
    assert text(grid(event), "h1") == "Round 2"


def test_the_fragment_is_the_pages_own():
    event = make_event(tables=2, rounds=1)
    client = organiser(event)
    with time_machine.travel(timezone.now(), tick=False):  # the sheet for paper says the second
        pages = [client.get(f"/desk/{event.slug}/", headers=headers).content.decode() for headers in ({}, HTMX)]
    # tokens are masked again each time, and every form to send has a number of its own
    whole, part = (re.sub(r'value="(\w{64}|[0-9a-f-]{36})"', "", page) for page in pages)
    assert "<html" not in part
    assert part.strip() in whole


# ---------------------------------------------------------------- clock and jump


def test_the_clock_is_started_once():
    event = make_event(tables=1, rounds=1, slug="cup")
    client = referee(event)
    assert "Start the clock" in texts(client.get("/desk/cup/"), ".button")
    for _ in range(2):
        assert client.post("/desk/cup/rounds/1/start/")["Location"] == "/desk/cup/?round=1"
    page = client.get("/desk/cup/")
    assert texts(page, ".note")[0] == "Done The clock of round 1 is running."
    assert "Start the clock" not in texts(page, ".button")
    assert AuditRow.objects.filter(verb="round_started").count() == 1
    assert timezone.now() - round_of(event).started_at < dt.timedelta(minutes=1)  # type: ignore[operator]


def test_the_clock_does_not_start_before_seats_are_published():
    event = make_event(tables=1, rounds=2, published=False, slug="cup")
    publish_rounds(event=event, numbers=[1], by=writer_of(event))
    client = referee(event)
    client.post("/desk/cup/rounds/2/start/")
    assert text(client.get("/desk/cup/"), ".note") == "Error The seats of round 2 are not published yet."


@pytest.mark.postgresql
def test_a_number_opens_its_table():
    client = referee(make_event(tables=2, rounds=1, slug="cup"))
    for typed, where in (("2", "/desk/cup/rounds/1/tables/2/"), (" 1 ", "/desk/cup/rounds/1/tables/1/")):
        assert (typed, client.get("/desk/cup/jump/", {"table": typed})["Location"]) == (typed, where)


@pytest.mark.once
def test_a_number_that_is_no_table_says_so():
    client = referee(make_event(tables=2, rounds=1, slug="cup"))
    for typed in ("3", "x", "", "²", "99999999999"):
        assert (typed, client.get("/desk/cup/jump/", {"table": typed})["Location"]) == (typed, "/desk/cup/")
        assert text(client.get("/desk/cup/"), ".note") == f"Error There is no table {typed[:10] or '?'} in this round."


def test_the_field_for_a_table_is_on_every_page():
    client = organiser(make_event(tables=2, rounds=1, slug="cup"))
    for end in ("", "players/", "settings/", "seating/", "calls/", "rounds/1/tables/2/"):
        page = client.get(f"/desk/cup/{end}").content.decode()
        assert (end, re.findall(r'action="([^"]*)" method="get" data-jump', page)) == (end, ["/desk/cup/jump/"])


# ---------------------------------------------------------------- queries


@pytest.mark.parametrize("tables", [1, 3])
def test_the_grid_asks_the_same_number_of_questions_whatever_its_size(django_assert_num_queries, tables: int):
    event = make_event(tables=tables, rounds=3)
    for number in range(1, tables + 1):
        enter(table_of(event, number), "1t 230")
    client = referee(event)
    with django_assert_num_queries(17):
        client.get(f"/desk/{event.slug}/")
