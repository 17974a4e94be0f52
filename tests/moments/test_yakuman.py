"""A yakuman as it comes: on phones, wall and stream where it is public, gone with a correction, and on the recap."""

import datetime as dt
import re
from collections.abc import Iterable

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client

from scoring.entries import Ron, Tsumo, Win
from tests.factories import correct, enter, last_seq, make_event, play_round, round_of, sign, table_of, void, writer_of
from tests.pages.html_reader import text
from tournament.events.actions import Publication, set_publication, show_results
from tournament.events.models import Event
from tournament.moments.queries import list_visible_yakuman
from tournament.privacy.actions import set_names_shown
from tournament.publication.queries import get_public_view
from tournament.rounds.actions import release_round, start_round
from tournament.tables.queries import list_public_tables

pytestmark = [pytest.mark.once, pytest.mark.django_db]

KOKUSHI = Tsumo(winners=(Win(seat=1, yakuman=1, yaku=("kokushi_musou",)),))
PHONE, STREAM, WALL = "/e/cup/", "/e/cup/rounds/2/tables/1/overlay/", "/e/cup/display/"


def publish(event: Event, **chosen: str) -> None:
    set_publication(event=event, publication=Publication(**chosen), by=writer_of(event))
    event.refresh_from_db()


@pytest.fixture
def event() -> Event:
    """Return an event of three rounds: the first is released, the second is played, live for everybody."""
    event = make_event(slug="cup", tables=2, rounds=3)
    play_round(event, 1, "1t 230")
    publish(event, live_tables="hands", live_others="all")
    start_round(round_=round_of(event, 2), by=writer_of(event))
    event.refresh_from_db()
    return event


def seen(event: Event, follows: int | None = None) -> list[tuple[int, int, str]]:
    event.refresh_from_db()
    return [(each.round, each.table, each.name) for each in list_visible_yakuman(event, follows)]


def on_pages(client: Client, word: str, pages: Iterable[str] = (PHONE, STREAM, WALL)) -> set[str]:
    return {page for page in pages if word in client.get(page).content.decode()}


def test_a_yakuman_comes_on_phone_stream_and_wall_and_goes_with_its_correction(client: Client, event: Event):
    versions = [client.get(page).headers for page in ("/e/cup/version/", "/e/cup/display/version/")]
    assert on_pages(client, "Kokushi") == set()
    enter(table_of(event, 1, round_=2), KOKUSHI)
    hand = last_seq(table_of(event, 1, round_=2))
    name = table_of(event, 1, round_=2).seats.get(seat=1).player.person.preferred_name
    assert seen(event) == [(2, 1, name)]
    assert on_pages(client, "Kokushi") == on_pages(client, name) == {PHONE, STREAM, WALL}
    now = [client.get(page).headers for page in ("/e/cup/version/", "/e/cup/display/version/")]
    assert all(before["ETag"] != after["ETag"] for before, after in zip(versions, now, strict=True))
    # another table's stream has nothing of it, and a hand of another kind brings nothing
    enter(table_of(event, 2, round_=2), "1t 230")
    assert on_pages(client, "Kokushi", ["/e/cup/rounds/2/tables/2/overlay/"]) == set()
    correct(table_of(event, 1, round_=2), hand, "2t 230")
    assert on_pages(client, "Kokushi") == set()
    enter(table_of(event, 2, round_=2), Ron(loser=2, winners=(Win(seat=0, yakuman=1),)))
    assert on_pages(client, "yakuman-2-2-", [WALL]) == {WALL}
    void(table_of(event, 2, round_=2), last_seq(table_of(event, 2, round_=2)))
    assert on_pages(client, "yakuman-2-2-", [WALL]) == set()


@pytest.mark.parametrize("han", [13, 20, 39])
def test_many_han_are_a_yakuman_where_the_rules_count_them(client: Client, han: int):
    found: set[str]
    for slug, rules, found in (("cup", "wrc-2025", {PHONE, WALL}), ("cap", "ema-2025", set())):
        event = make_event(rules, slug=slug, tables=1)
        publish(event, live_tables="hands", live_others="all")
        enter(table_of(event), Ron(loser=2, winners=(Win(seat=0, han=han),)))
        pages = {page: page.replace("cup", slug) for page in (PHONE, WALL)}
        assert {page for page, at in pages.items() if "Counted yakuman" in client.get(at).content.decode()} == found


def test_the_wall_is_covered_for_half_a_minute_once(client: Client, event: Event):
    with time_machine.travel(dt.datetime(2026, 9, 12, 10, tzinfo=dt.UTC), tick=False) as clock:
        enter(table_of(event, 1, round_=2), KOKUSHI)
        assert on_pages(client, "Kokushi", [WALL]) == {WALL}
        before = client.get("/e/cup/display/version/").headers["ETag"]
        clock.shift(40)
        assert on_pages(client, "Kokushi", [WALL]) == set()
        assert client.get("/e/cup/display/version/").headers["ETag"] != before
        sign(table_of(event, 1, round_=2))
        enter(table_of(event, 2, round_=2), "1t 230")
        sign(table_of(event, 2, round_=2))
        release_round(round_=round_of(event, 2), by=writer_of(event))
        assert on_pages(client, "Kokushi", [WALL]) == set()  # all have seen it live


def test_yakuman_of_one_moment_cover_the_wall_one_after_the_other(client: Client, event: Event):
    start = dt.datetime(2026, 9, 12, 10, tzinfo=dt.UTC)
    with time_machine.travel(start, tick=False) as clock:
        for table in (1, 2):
            enter(table_of(event, table, round_=2), KOKUSHI)
        page = client.get(WALL).content.decode()
        alone = re.findall(
            r'data-key="yakuman-2-(\d).*?data-alone-from="(\d+)" data-alone-until="(\d+)"', page, re.DOTALL
        )
        begins = [int(start.timestamp() * 1000) + after for after in (0, 10_000)]
        assert sorted(int(table) for table, _from, _until in alone) == [1, 2]
        assert [(int(from_), int(until)) for _table, from_, until in alone] == [(at, at + 30_000) for at in begins]
        clock.shift(35)
        assert client.get(WALL).content.decode().count("data-alone-from") == 1


def test_a_yakuman_of_a_table_that_is_not_live_comes_with_the_release(client: Client, event: Event):
    publish(event, live_tables="nothing", live_others="all")
    with time_machine.travel(dt.datetime(2026, 9, 12, 10, tzinfo=dt.UTC), tick=False) as clock:
        enter(table_of(event, 1, round_=2), KOKUSHI)
        enter(table_of(event, 2, round_=2), "1t 230")
        for table in (1, 2):
            sign(table_of(event, table, round_=2))
        clock.shift(3600)
        assert seen(event) == []
        assert on_pages(client, "Kokushi") == set()
        release_round(round_=round_of(event, 2), by=writer_of(event))
        cache.clear()
        assert on_pages(client, "Kokushi") == {PHONE, STREAM, WALL}
    assert text(client.get("/e/cup/recap/"), ".yakuman-wall").startswith("Kokushi musou")


def test_a_phone_sees_its_own_table_first_and_nothing_of_held_rounds(client: Client, event: Event):
    publish(event, live_tables="hands", live_others="own")
    enter(table_of(event, 1, round_=2), KOKUSHI)
    own, other = (table_of(event, each, round_=2).seats.first().player.number for each in (1, 2))
    assert (len(seen(event, own)), seen(event, other), seen(event)) == (1, [], [])
    sign(table_of(event, 1, round_=2))
    publish(event, live_tables="hands", live_others="all", hold="before_last")
    assert seen(event) == []
    assert on_pages(client, "Kokushi", [PHONE, STREAM, WALL, "/e/cup/recap/"]) == set()
    enter(table_of(event, 2, round_=2), "1t 230")
    sign(table_of(event, 2, round_=2))
    release_round(round_=round_of(event, 2), by=writer_of(event))
    assert seen(event) == []
    assert on_pages(client, "Kokushi", [PHONE, STREAM, WALL, "/e/cup/recap/"]) == set()
    event.refresh_from_db()
    show_results(event=event, by=writer_of(event))
    assert len(seen(event)) == 1
    assert on_pages(client, "Kokushi", ["/e/cup/recap/"]) == {"/e/cup/recap/"}


def test_a_hidden_name_is_in_no_moment(client: Client, event: Event):
    enter(table_of(event, 1, round_=2), KOKUSHI)
    player = table_of(event, 1, round_=2).seats.get(seat=1).player
    name = player.person.preferred_name
    assert on_pages(client, name, [WALL]) == {WALL}
    set_names_shown(event=event, numbers=[player.number], shown=False, by=writer_of(event))
    assert on_pages(client, f"Player {player.number}", [WALL, STREAM]) == {WALL, STREAM}
    assert on_pages(client, name, [WALL, STREAM]) == set()


def test_a_hall_without_yakuman_asks_one_question_more(event: Event, django_assert_num_queries):
    for table in (1, 2):
        enter(table_of(event, table, round_=2), "1t 230")
    event.refresh_from_db()
    cache.clear()
    list_public_tables(event)
    get_public_view(event)
    with django_assert_num_queries(1):
        assert list_visible_yakuman(event, None) == ()


def test_a_yakuman_that_is_corrected_to_another_one_changes_everywhere(client: Client, event: Event):
    enter(table_of(event, 1, round_=2), KOKUSHI)
    hand, phone = last_seq(table_of(event, 1, round_=2)), Client()
    phone.get(PHONE, {"me": table_of(event, 2, round_=2).seats.get(seat=0).player.number})
    versions = [client.get(page).headers["ETag"] for page in ("/e/cup/version/", "/e/cup/display/version/")]
    assert on_pages(phone, "Kokushi") == on_pages(client, "Kokushi") == {PHONE, STREAM, WALL}
    four = Tsumo(winners=(Win(seat=1, yakuman=1, yaku=("suuankou",)),))
    correct(table_of(event, 1, round_=2), hand, four)
    now = [client.get(page).headers["ETag"] for page in ("/e/cup/version/", "/e/cup/display/version/")]
    assert not set(versions) & set(now)
    for each in (phone, client):
        assert on_pages(each, "Kokushi") == set()
        assert on_pages(each, "Suuankou") == {PHONE, STREAM, WALL}
