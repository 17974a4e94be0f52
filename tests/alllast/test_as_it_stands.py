"""Who can still win in the last hands of the last round: on phones and wall, where all that it is made of is public."""

import re
import uuid

import pytest
from django.core.cache import cache
from django.test import Client

from scoring.entries import Correction, Totals
from tests.factories import enter, enter_all, make_event, play_round, round_of, sign, table_of, writer_of
from tests.pages.html_reader import text, texts
from tournament.alllast.queries import get_rank_needs, needs_marks, public_as_it_stands
from tournament.events.models import Event
from tournament.penalties.actions import give_penalty
from tournament.rounds.actions import release_round, start_round
from tournament.tables.queries import get_table

pytestmark = [pytest.mark.once, pytest.mark.django_db]

TO_SOUTH_4 = ("2r1 330", "3r2 330", "4r3 m", "1r4 240", "2r1 230", "3t 330", "2r3 340")
PAGES = ("/e/cup/", "/e/cup/display/")
TICKER, API = "/e/cup/overlay/ticker/", "/api/v1/events/cup/standings"


def choose(event: Event, **columns: object) -> None:
    Event.objects.filter(pk=event.pk).update(**columns)
    event.refresh_from_db()
    cache.clear()


@pytest.fixture
def event() -> Event:
    """Return an event in its last round, live for everybody: one table in its last hand, the other signed."""
    event = make_event(slug="cup", tables=2, rounds=2)
    play_round(event, 1, "2r1 330")
    start_round(round_=round_of(event, 2), by=writer_of(event))
    enter_all(table_of(event, 1, round_=2), *TO_SOUTH_4)
    enter(table_of(event, 2, round_=2), "1t 230")
    sign(table_of(event, 2, round_=2))
    choose(event, show_needs=True, live_tables="hands", live_others="all")
    return event


def test_who_waits_for_other_tables_is_first_only_where_nobody_is_ahead(client: Client):
    event = make_event(slug="cup", tables=2, rounds=1)
    start_round(round_=round_of(event), by=writer_of(event))
    choose(event, show_needs=True, live_tables="hands", live_others="all")
    enter_all(table_of(event, 1), *TO_SOUTH_4)
    enter_all(table_of(event, 2), *TO_SOUTH_4[:-1])
    (behind,) = (line for line in texts(client.get(TICKER), ".overlay-window li") if "First only" in line)
    assert re.fullmatch(r"2nd \w+ \+19\.4 First only if other tables change", behind)


def test_who_can_win_is_on_phones_and_wall_and_agrees_with_the_desk(client: Client, event: Event):
    found = public_as_it_stands(event, None)
    table = get_table(event, 2, 1)
    assert found
    assert table
    needs = get_rank_needs(event, table)
    assert needs
    firsts = {table.seats[each.seat].number for each in needs.seats if each and each.best == 1}
    assert {row.number for row in found.rows if row.table} == firsts != set()  # no other table plays: the same
    for page in PAGES:
        lines = texts(client.get(page), ".stands")
        assert len(lines) == 1
        assert lines[0].count("Table 1:") == len(firsts)
        assert lines[0].count("First if nobody passes") == 1  # the best of the signed table, who leads
    ticker = client.get(TICKER)
    assert text(ticker, "h1") == "Who can still win"
    assert text(ticker, ".overlay-window").count("Table 1:") == len(firsts)
    rows = client.get(API).json()["can_win"]
    assert [row["number"] for row in rows] == [row.number for row in found.rows]
    assert {row["number"] for row in rows if row["table"] == 1} == firsts
    before = [client.get(page).headers["ETag"] for page in ("/e/cup/version/", "/e/cup/display/version/")]
    enter(table_of(event, 1, round_=2), "4t 230")  # the dealer stays
    assert client.get(TICKER).headers["ETag"] != ticker.headers["ETag"]
    after = [client.get(page).headers["ETag"] for page in ("/e/cup/version/", "/e/cup/display/version/")]
    assert before[0] != after[0]
    assert before[1] != after[1]
    sign_up = public_as_it_stands(Event.objects.get(pk=event.pk), None)
    assert sign_up is not None
    sign(table_of(event, 1, round_=2))
    release_round(round_=round_of(event, 2), by=writer_of(event))
    assert [texts(client.get(page), ".stands") for page in PAGES] == [[], []]


@pytest.mark.parametrize(
    "hidden",
    [
        {"show_needs": False}, {"live_tables": "nothing"}, {"live_tables": "signed"}, {"live_others": "own"},
        {"hold": "last"}, {"hold": "before_last"}, {"rounds_planned": 3},
    ],
)  # fmt: skip
def test_nothing_of_it_is_seen_where_anything_of_it_is_not_public(
    client: Client, event: Event, hidden: dict[str, object]
):
    choose(event, **hidden)
    assert public_as_it_stands(event, None) is None
    assert [texts(client.get(page), ".stands") for page in PAGES] == [[], []]
    assert text(client.get(TICKER), "h1") != "Who can still win"
    assert "can_win" not in client.get(API).json()


def test_a_phone_that_sees_its_own_table_first_waits_for_the_others(event: Event):
    choose(event, live_others="own")
    playing, done = (table_of(event, each, round_=2).seats.first().player.number for each in (1, 2))
    assert public_as_it_stands(event, playing) is None
    assert public_as_it_stands(event, done) is not None
    marks = needs_marks(event, [playing, done, None])
    assert marks[None] == ""
    assert "2/2" in marks[done]
    assert "2/2" not in marks[playing]


def test_a_phone_that_follows_several_is_told_of_the_last_hand_of_one(client: Client, event: Event):
    playing, done = (
        [seat.player.number for seat in table_of(event, each, round_=2).seats.order_by("seat")] for each in (1, 2)
    )
    for number in (playing[1], playing[0], done[0]):
        client.get("/e/cup/", {"me": number})
    page = client.get("/e/cup/")
    names = dict(event.players.values_list("number", "person__preferred_name"))
    said = [f"{names[number]} plays the last hand at table 1" for number in (playing[0], playing[1])]
    assert texts(page, "nav .note") == said
    scores = texts(page, ".followed b.num")
    assert len(scores) == 3
    enter(table_of(event, 1, round_=2), "4t 230")  # the dealer stays: their scores move
    assert texts(client.get("/e/cup/"), ".followed b.num")[1:] != scores[1:]
    choose(event, show_needs=False)
    assert texts(client.get("/e/cup/"), "nav .note") == []
    choose(event, show_needs=True, live_others="own")
    client.get("/e/cup/", {"me": playing[0]})  # sees its own table first: nothing of the other
    scores = texts(client.get("/e/cup/"), ".followed b.num")
    assert len(scores) == 2
    enter(table_of(event, 1, round_=2), "4t 230")  # also those of the own table
    assert all(
        now != before for now, before in zip(texts(client.get("/e/cup/"), ".followed b.num"), scores, strict=True)
    )


def test_a_penalty_of_the_round_is_not_told_before_its_release(event: Event):
    before = public_as_it_stands(event, None)
    assert before
    first = before.rows[0].number
    give_penalty(
        player=event.players.get(number=first),
        points=90_000,
        reason="late",
        client_id=uuid.uuid4(),
        round_=round_of(event, 2),
        by=writer_of(event),
    )
    event.refresh_from_db()
    assert public_as_it_stands(event, None) == before


def test_a_table_that_has_not_begun_leaves_all_open_and_others_count_as_now(client: Client):
    event = make_event(slug="cup", tables=2, rounds=1)
    start_round(round_=round_of(event, 1), by=writer_of(event))
    enter_all(table_of(event, 1), *TO_SOUTH_4)
    choose(event, show_needs=True, live_tables="hands", live_others="all")
    assert public_as_it_stands(event, None) is None
    enter(table_of(event, 2), "2r1 330")
    event.refresh_from_db()
    found = public_as_it_stands(event, None)
    assert found
    assert found.playing == (2,)
    assert "If these tables end as they stand now: 2." in text(client.get("/e/cup/"), "main")


def test_a_place_counts_those_ahead_who_cannot_win(client: Client):
    event = make_event(slug="cup", tables=2, rounds=1)
    start_round(round_=round_of(event, 1), by=writer_of(event))
    enter(table_of(event, 2), Totals(scores=(40_000, 30_000, 26_000, 24_000)))
    sign(table_of(event, 2))
    enter_all(table_of(event, 1), *TO_SOUTH_4)
    now = get_table(event, 1, 1)
    assert now
    wanted = (85_000, 45_000, -5_000, -5_000)
    deltas = tuple(score - each for score, each in zip(wanted, now.state.scores, strict=True))
    enter(table_of(event, 1), Correction(deltas=deltas, reason="for the test"))
    choose(event, show_needs=True, live_tables="hands", live_others="all")
    found = public_as_it_stands(event, None)
    assert found
    assert [(row.number, row.total) for row in found.rows] == [(1, 70_000), (2, 20_000)]
    for page in PAGES:  # who won the other table has +25.0, and cannot win
        assert texts(client.get(page), ".stands .place") == ["1st", "3rd"]
