"""The seating page: the same seed gives the same draw, published seats stay, and the draw is said in figures."""

import datetime as dt
import re

import pytest

from tests.factories import make_account, make_event, play_round, writer_of
from tests.pages.at_desk import organiser
from tests.pages.html_reader import text, texts
from tournament.core.models import AuditRow
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, add_players
from tournament.seating import views as draw_report
from tournament.seating import views as seating
from tournament.tables.models import Seat

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

URL = "/desk/cup/seating/"


DRAWN = re.compile(r'id="round-(\d+)"')


def event_of(players: int, rounds: int = 2) -> Event:
    writer = make_account("Organiser")
    event = create_event(
        name="Cup", date=dt.date(2026, 9, 12), rules_key="ema-2025", rounds=rounds, slug="cup", by=writer
    )
    add_players(event=event, players=[NewPlayer(f"Player {index}") for index in range(players)], by=writer)
    return event


def seats(event: Event) -> list[tuple[int, int, int, int]]:
    rows = Seat.objects.filter(round__event=event).order_by("round__number", "table__number", "seat")
    return list(rows.values_list("round__number", "table__number", "seat", "player__number"))


def test_nobody_to_seat():
    page = organiser(event_of(0)).get(URL)
    assert text(page, ".empty") == "Nobody to seat Add the players first. Players"


def test_seats_are_drawn_from_a_seed_that_gives_the_same_draw_again():
    event = event_of(16)
    client = organiser(event)
    assert text(client.get(URL), ".lead") == "16 players · 2 rounds · tables of 4"
    assert client.post(URL, {"act": "draw", "seed": "4711"})["Location"] == URL
    first = seats(event)
    page = client.get(URL)
    assert texts(page, ".note") == ["Done Seats are drawn from seed 4711."]
    assert len(first) == 32
    facts = text(page, ".facts")
    assert facts.startswith("Seed 4711 Repeat meetings nobody meets twice Most often together once")
    client.post(URL, {"act": "draw", "seed": "12"})
    assert seats(event) != first
    client.post(URL, {"act": "draw", "seed": " 4711 "})
    assert seats(event) == first


def test_who_meets_again_is_named():
    event = event_of(4, rounds=3)
    client = organiser(event)
    client.post(URL, {"act": "draw", "seed": "1"})
    page = client.get(URL)
    assert "Player 0 – Player 1: rounds 1, 2, 3" in texts(page, "li")
    assert "Most often together 3 times" in text(page, ".facts")


def test_players_who_do_not_fill_the_tables_are_warned_of_above_the_way_out():
    page = organiser(event_of(5)).get(URL)
    assert text(page, ".note").startswith("5 players do not fill tables of 4. The quick draw needs full tables.")
    html = page.content.decode()
    assert html.index('href="#ways"') < html.index('id="ways"') < html.index("Find a draw") < html.index("wish-list")


def test_a_seed_that_is_none_is_refused():
    event = event_of(4)
    client = organiser(event)
    for seed in ("", "x", "-1", "²", "99999999999", "2147483648"):
        client.post(URL, {"act": "draw", "seed": seed})
        said = texts(client.get(URL), ".note")
        assert (seed, said) == (seed, ["Error A seed is a whole number from 0 to 2,147,483,647."])
        assert seats(event) == []


def test_a_draw_is_thrown_away_and_the_list_is_open_again():
    event = make_event(slug="cup", tables=1, rounds=2, published=False)
    client = organiser(event)
    for _ in range(2):
        client.post(URL, {"act": "discard"})
    assert (event.rounds.count(), AuditRow.objects.filter(verb="draw_discarded").count()) == (0, 1)
    assert "Add one player" in texts(client.get("/desk/cup/players/"), "h2")


def test_publishing_for_good_asks_first():
    event = make_event(slug="cup", tables=1, rounds=2, published=False)
    client = organiser(event)
    asked = client.post(URL, {"act": "publish", "rounds": ["1", "2"]})
    assert text(asked, "h1") == "Publish the seats?"
    assert [row.number for row in event.rounds.all() if row.published_at] == []
    fields = re.findall(r'type="hidden" name="(act|rounds|sure)" value="(\w+)"', asked.content.decode())
    client.post(URL, {"act": "publish", "sure": "1", "rounds": [value for name, value in fields if name == "rounds"]})
    assert [row.number for row in event.rounds.all() if row.published_at] == [1, 2]


def test_rounds_are_published_one_by_one_or_all_and_only_once():
    event = make_event(slug="cup", tables=1, rounds=3, published=False)
    client = organiser(event)
    client.post(URL, {"act": "publish", "sure": "1", "rounds": "1"})
    assert [row.number for row in event.rounds.all() if row.published_at] == [1]
    assert [line[:22].strip() for line in texts(client.get(URL), "summary")][:3] == [
        "Round 1 published", "Round 2 not published", "Round 3 not published",
    ]  # fmt: skip
    for _ in range(2):
        client.post(URL, {"act": "publish", "sure": "1", "rounds": ["1", "2", "3", "x", "99999999999999999999"]})
    assert [row.number for row in event.rounds.all() if row.published_at] == [1, 2, 3]
    assert AuditRow.objects.filter(verb="seats_published").count() == 2


@pytest.mark.parametrize("data", [{"act": "draw", "seed": "1"}, {"act": "discard"}])
def test_published_seats_do_not_move(data: dict[str, str]):
    event = make_event(slug="cup", tables=2, rounds=2)
    before = seats(event)
    client = organiser(event)
    assert "Redraw" not in texts(client.get(URL), "button")
    client.post(URL, data)
    assert texts(client.get(URL), ".note") == ["Error The seating is published and fixed."]
    assert seats(event) == before


def test_an_act_that_is_none_changes_nothing():
    event = make_event(slug="cup", tables=1, rounds=1, published=False)
    version = event.version
    assert organiser(event).post(URL, {"act": "burn"})["Location"] == URL
    event.refresh_from_db()
    assert event.version == version


def test_the_round_that_is_next_is_open_on_the_page():
    event = make_event(slug="cup", tables=1, rounds=3)
    play_round(event, 1, "1t 230")
    source = organiser(event).get(URL).content.decode()
    assert [part[:60].split(">")[0] for part in source.split('class="panel seating-round"')[1:]] == ["", " open", ""]


def test_the_writer_is_in_the_trail():
    event = event_of(4)
    organiser(event).post(URL, {"act": "draw", "seed": "7"})
    assert AuditRow.objects.get(verb="seats_drawn").by == str(writer_of(event).uid)


@pytest.mark.parametrize("tables", [1, 3])
def test_the_page_asks_the_same_number_of_questions_whatever_its_size(django_assert_num_queries, tables: int):
    event = make_event(slug="cup", tables=tables, rounds=tables)
    client = organiser(event)
    with django_assert_num_queries(9):
        client.get(URL)


def test_of_very_many_tables_one_round_stands_on_the_page(monkeypatch: pytest.MonkeyPatch):
    event = event_of(8, rounds=3)
    client = organiser(event)
    client.post("/desk/cup/seating/", {"act": "draw", "seed": "7"})

    def shown(address: str) -> list[int]:
        page = client.get(address).content.decode()
        assert page.count("?round=") == len(set(range(1, 4)) - {int(each) for each in DRAWN.findall(page)})
        return [int(each) for each in DRAWN.findall(page)]

    assert shown("/desk/cup/seating/") == [1, 2, 3]
    monkeypatch.setattr(seating, "MAX_TABLES", 5)
    asked = [shown(f"/desk/cup/seating/{query}") for query in ("", "?round=2", "?round=9", "?round=x")]
    assert asked == [[1], [2], [1], [1]]


def test_the_report_of_a_large_draw_has_pages(monkeypatch: pytest.MonkeyPatch):
    event = event_of(8)
    client = organiser(event)
    client.post("/desk/cup/seating/", {"act": "draw", "seed": "7"})
    monkeypatch.setattr(draw_report, "AT_ONCE", 5)
    monkeypatch.setattr(draw_report, "PICTURED", 7)
    pages = [client.get(f"/desk/cup/seating/report/?page={page}").content.decode() for page in (1, 2)]
    assert [page.count('<tr><td class="is-num">') for page in pages] == [10, 6]  # winds and tables of each player
    assert ["met-picture" in page for page in pages] == [False, False]
    assert ["6 to 8 of 8" in page for page in pages] == [False, True]
