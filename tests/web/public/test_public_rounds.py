"""Rounds, tables and the projector as everybody sees them: seats once published, results once released."""

import pytest
from django.test import Client

from tests.factories import make_event, play_round, round_of, writer_of
from tests.web.shown import text, texts
from tournament.services.draws.draw import publish_rounds, start_round

pytestmark = pytest.mark.django_db


# ---------------------------------------------------------------- rounds and tables


def test_rounds_are_listed_with_what_may_be_seen_of_them(client: Client):
    event = make_event(tables=1, rounds=4, published=False)
    publish_rounds(event=event, numbers=[1, 2, 3], by=writer_of(event))
    play_round(event, 1, "1t 230")
    start_round(round_=round_of(event, 2), by=writer_of(event))
    page = client.get(f"/e/{event.slug}/rounds/")
    assert texts(page, ".card") == [
        "Round 1 Results 1 table",
        "Round 2 Playing 1 table",
        "Round 3 Seats are drawn 1 table",
        "Round 4 Seats not published yet",
    ]


def test_a_round_shows_seats_by_table_and_by_name(client: Client):
    event = make_event(tables=2, rounds=1)
    client.get(f"/e/{event.slug}/?me=3")
    page = client.get(f"/e/{event.slug}/rounds/1/")
    assert texts(page, ".sitting") == [
        "Table 1 東EEast Akelei 南SSouth Birk 西WWest Cyan you 北NNorth Distel",
        "Table 2 東EEast Efeu 南SSouth Farn 西WWest Ginster 北NNorth Hasel",
    ]
    assert text(page, ".by-name").startswith("Akelei Table 1 東EEast Birk Table 1 南SSouth Cyan you Table 1 西WWest ")


def test_a_released_round_shows_results(client: Client):
    event = make_event(tables=1, rounds=1)
    play_round(event, 1, "2r3 340/2")
    page = client.get(f"/e/{event.slug}/rounds/1/")
    assert text(page, ".sitting") == (
        "Table 1 東EEast Akelei 30,000 · place =2 0.0 南SSouth Birk 35,200 · place 1 +20.2 "
        "西WWest Cyan 24,800 · place 4 −20.2 北NNorth Distel 30,000 · place =2 0.0"
    )


def test_a_table_shows_every_hand_and_how_each_payment_came_about(client: Client):
    event = make_event(tables=1, rounds=1)
    play_round(event, 1, "2r3 340/2", "c2")
    page = client.get(f"/e/{event.slug}/rounds/1/tables/1/")
    assert texts(page, ".final")[0].startswith("Final scores Place Player Points Uma Result 1 Seat 2 南SSouth Birk")
    assert texts(page, ".hand-name") == ["East 1", "East 2"]
    assert texts(page, ".hand-what") == [
        (
            "Birk (2, South) wins off Cyan (3, West) 3 han 40 fu, 5,200 Riichi: Birk Who paid whom East 1 "
            "Birk → table 1,000 (riichi stick) Cyan → Birk 5,200 (hand) table → Birk 1,000 (riichi stick)"
        ),
        "Chombo: Birk (2, East). The hand is dealt again 20.0 off the total of each, after uma",
    ]
    assert texts(page, ".hand-seat") == [
        *("1 East 0 30,000", "2 South +5,200 35,200", "3 West −5,200 24,800", "4 North 0 30,000"),
        *("1 North 0 30,000", "2 East 0 35,200", "3 South 0 24,800", "4 West 0 30,000"),
    ]


def test_leftover_deposits_are_accounted_for(client: Client):
    event = make_event(tables=1, rounds=1)
    play_round(event, 1, "2r3 340/2", "d4/4")
    page = client.get(f"/e/{event.slug}/rounds/1/tables/1/")
    assert "Riichi sticks left on the table: 1,000 to Birk." in texts(page, "p")


@pytest.mark.once
def test_what_is_not_there_or_not_yet_is_not_found(client: Client):
    event = make_event(tables=1, rounds=3, published=False)
    publish_rounds(event=event, numbers=[1, 2], by=writer_of(event))
    play_round(event, 1, "1t 230")
    for page in (
        "rounds/2/tables/1/",
        "rounds/3/",
        "rounds/3/tables/1/",
        "rounds/9/",
        "rounds/1/tables/9/",
        "players/99/",
        "players/0/",
    ):
        answer = client.get(f"/e/{event.slug}/{page}")
        assert (page, answer.status_code, texts(answer, "h1")) == (page, 404, ["There is no such page"])


def test_an_unknown_event_is_not_found(client: Client):
    assert client.get("/e/nothing/").status_code == 404


@pytest.mark.parametrize("page", ["", "standings/", "rounds/", "rounds/1/", "players/1/", "display/"])
def test_nothing_can_be_posted_to_a_public_page(client: Client, page: str):
    event = make_event(tables=1)
    assert client.post(f"/e/{event.slug}/{page}").status_code == 405
