"""The wall: what its pages say and in what order, what never stands in their source, and the desk's page about it."""

import datetime as dt
import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
import time_machine
from django.test import Client

from scoring.entries import Correction
from tests.factories import enter, fresh, make_event, play_round, rename_player, round_of, sign, table_of, writer_of
from tests.pages.at_desk import organiser, referee
from tests.pages.html_reader import text, texts
from tournament.events.actions import Publication, set_languages, set_publication
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.players.models import Person
from tournament.rounds.actions import give_time, pause_clock, release_round, start_round
from tournament.standings.queries import get_released_standings
from tournament.text.names import alphabetical, initial
from tournament.text.numbers import signed_p
from tournament.wall.actions import AnnouncementText, begin_prizes, set_wall_pages, show_prizes, write_announcement
from tournament.wall.models import Announcement
from tournament.wall.queries import get_wall

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

START = dt.datetime(2026, 9, 12, 8, 0, tzinfo=dt.UTC)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Let the time stand still."""
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Return an event of two rounds, the first released and the second public."""
    with time_machine.travel(START, tick=False):
        event = make_event(slug="cup", tables=1, rounds=2, time_zone="Europe/London")
        play_round(event, 1, "2r3 340/2")
        return event


@pytest.fixture
def event(made: Event, clock: time_machine.Traveller) -> Event:
    return fresh(made)


def pages(client: Client, page: str = "") -> list[str]:
    """List the keys of the pages that the wall goes through."""
    source = client.get(f"/e/cup/display/{page}").content.decode()
    return re.findall(r'data-key="([^"]+)"', source)


def say(event: Event, title: str = "Lunch", **words: object) -> Announcement:
    words_said = AnnouncementText(title=title, **words)  # type: ignore[arg-type]
    return write_announcement(event=event, words=words_said, client_id=uuid4(), by=writer_of(event))


# ---------------------------------------------------------------- what it goes through


def test_it_goes_through_all_that_has_something_to_show(client: Client, event: Event):
    row = say(event)
    assert pages(client) == ["clock", "names", "tables", "standings", f"announcement-{row.pk}", "codes"]


@pytest.mark.usefixtures("others_aside")
def test_an_event_with_nothing_in_it_shows_where_its_page_is(client: Client):
    make_event(slug="cup", tables=1, published=False)
    assert pages(client) == ["codes"]


def test_the_desk_says_which_pages_and_how_long(client: Client, event: Event):
    set_wall_pages(event=event, pages=[("standings", 20), ("clock", 9)], by=writer_of(event))
    source = client.get("/e/cup/display/").content.decode()
    found = re.findall(r'data-key="(\w+)"\s+data-page="\w+"\s+data-seconds="(\d+)"\s+data-digit="(\d)"', source)
    assert found == [("standings", "20", "1"), ("clock", "9", "2")]


@pytest.mark.usefixtures("others_aside")
def test_where_nothing_is_to_be_shown_it_says_so(client: Client):
    event = make_event(slug="cup", tables=1, published=False)
    set_wall_pages(event=event, pages=[("standings", 20)], by=writer_of(event))
    assert pages(client) == ["welcome"]
    assert text(client.get("/e/cup/display/"), "h2") == "Seats are not published yet"


@pytest.mark.parametrize("page", ["clock", "names", "tables", "standings", "codes"])
def test_each_page_stands_alone_too(client: Client, event: Event, page: str):
    set_wall_pages(event=event, pages=[("announcements", 20)], by=writer_of(event))
    assert pages(client, f"{page}/") == [page]


def test_a_page_that_there_is_not_is_not_found(client: Client, event: Event):
    assert client.get("/e/cup/display/weather/").status_code == 404


def test_seats_are_shown_until_a_quarter_of_an_hour_after_the_start(
    client: Client, event: Event, clock: time_machine.Traveller
):
    start_round(round_=round_of(event, 2), by=writer_of(event))
    clock.move_to(START + dt.timedelta(minutes=14, seconds=59))
    assert pages(client) == ["clock", "names", "tables", "standings", "codes"]
    ends = int((START + dt.timedelta(minutes=15)).timestamp() * 1000)
    assert client.get("/e/cup/display/").content.decode().count(f'data-until="{ends}"') == 2
    clock.move_to(START + dt.timedelta(minutes=15))
    assert pages(client) == ["clock", "standings", "codes"]
    assert pages(client, "names/") == ["names"]


# ---------------------------------------------------------------- its pages


def test_seats_by_name_and_by_table(client: Client, event: Event):
    page = client.get("/e/cup/display/")
    assert texts(page, ".list-names") == [
        "Akelei Table 1 NNorth Birk Table 1 EEast Cyan Table 1 SSouth Distel Table 1 WWest"
    ]
    assert texts(page, ".list-tables") == ["Table 1 EEast Birk SSouth Cyan WWest Distel NNorth Akelei"]
    assert texts(page, "h2") == [
        "Round 2", "Round 2: your table and wind", "Round 2: seats by table", "Standings After round 1 of 2",
        "On your phone",
    ]  # fmt: skip


def test_names_stand_in_the_order_of_the_alphabet(client: Client, event: Event):
    for number, name in ((1, "ガク"), (2, "Ärmel"), (3, "Arndt"), (4, "かい")):
        rename_player(player=event.players.get(number=number), name=name, by=writer_of(event))
    page = client.get("/e/cup/display/names/")
    assert [row.split(" Table")[0] for row in texts(page, "li")] == ["Ärmel", "Arndt", "かい", "ガク"]
    assert [initial(name) for name in ("Ärmel", "ガク", "しゃ", "Łuk", "佐々木")] == ["A", "か", "し", "L", "佐"]
    assert alphabetical("きょう")[0] == alphabetical("キヨウ")[0]


def test_who_plays_for_somebody_finds_the_own_name(client: Client, event: Event):
    player = event.players.select_related("event").get(number=2)
    wanted = Replacement(when="before", name="Zora", reason="ill")
    put_substitute_in(
        table=table_of(event, 1, round_=2), player=player, replacement=wanted, client_id=uuid4(), by=writer_of(event)
    )
    page = client.get("/e/cup/display/")
    assert texts(page, ".list-names")[0].endswith("Distel Table 1 WWest Zora Table 1 EEast")
    assert "EEast Zora, for Birk" in texts(page, ".list-tables")[0]


def test_standings_show_shared_places_and_signs(client: Client, event: Event):
    assert texts(client.get("/e/cup/display/standings/"), "li") == [
        "1 Birk +20.2", "=2 Akelei 0.0", "=2 Distel 0.0", "4 Cyan −20.2",
    ]  # fmt: skip


def test_lists_are_drawn_anew_when_a_name_a_seat_or_a_result_moves(client: Client, event: Event):
    def shown() -> str:
        return text(client.get("/e/cup/display/"), ".show")

    before = shown()
    assert shown() == before
    rename_player(player=event.players.select_related("person").get(number=1), name="Zora", by=writer_of(event))
    renamed = shown()
    assert (before.count("Zora"), renamed.count("Zora"), renamed.count("Akelei")) == (0, 3, 0)
    put_substitute_in(
        table=table_of(event, 1, round_=2), player=event.players.get(number=2), client_id=uuid4(), by=writer_of(event),
        replacement=Replacement(when="before", name="Quitte", reason="ill"),
    )  # fmt: skip
    assert shown().count("Quitte") == 2


def test_the_clock_is_in_the_corner_while_a_round_runs(client: Client, event: Event):
    assert texts(client.get("/e/cup/display/"), ".show-corner") == []
    start_round(round_=round_of(event, 2), by=writer_of(event))
    page = client.get("/e/cup/display/standings/")
    assert text(page, ".show-corner") == "Round 2 until 10:15"
    pause_clock(round_=round_of(event, 2), reason="fire alarm", by=writer_of(event))
    assert text(client.get("/e/cup/display/standings/"), ".show-corner") == "Paused 75:00"


def test_the_clock_page_says_what_the_clock_says(client: Client, event: Event):
    assert texts(client.get("/e/cup/display/clock/"), ".show-after") == ["Not started yet"]
    start_round(round_=round_of(event, 2), by=writer_of(event))
    give_time(table=table_of(event, 1, round_=2), minutes=5, reason="x", client_id=uuid4(), by=writer_of(event))
    page = client.get("/e/cup/display/clock/")
    assert texts(page, ".show-after") == [
        "until 10:15, then finish the hand and play one more", "Finish the hand and play one more",
    ]  # fmt: skip
    assert text(page, ".show-extras") == "Table 1 +5 min until 10:20"


def test_headings_stand_in_both_languages_and_once_where_they_are_the_same(client: Client, event: Event):
    set_languages(event=event, language="de", second_language="ja", by=writer_of(event))
    page = client.get("/e/cup/display/standings/", headers={"Accept-Language": "fr"})
    assert text(page, "h2") == "Rangliste 順位表 Nach Runde 1 von 2"


def test_nothing_of_a_round_that_is_not_released_is_on_the_wall(client: Client, event: Event):
    start_round(round_=round_of(event, 2), by=writer_of(event))
    enter(table_of(event, 1, round_=2), Correction(deltas=(23457, -23457, 0, 0), reason="marker"))
    sign(table_of(event, 1, round_=2))
    for page in ("", "standings/", "tables/", "names/", "clock/"):
        assert not re.search(r"[35]\d[.,][45]", client.get(f"/e/cup/display/{page}").content.decode()), page


# ---------------------------------------------------------------- announcements


def test_an_announcement_comes_and_goes_by_itself(client: Client, event: Event, clock: time_machine.Traveller):
    hour = dt.timedelta(hours=1)
    row = say(event, shown_from=START + hour, shown_until=START + 2 * hour, text="In the canteen")
    first = client.get("/e/cup/display/version/")["ETag"]
    assert f"announcement-{row.pk}" not in pages(client)
    assert "canteen" not in client.get("/e/cup/display/").content.decode()
    clock.move_to(START + hour)
    assert client.get("/e/cup/display/version/")["ETag"] != first
    assert f"announcement-{row.pk}" in pages(client)
    clock.move_to(START + 2 * hour)
    assert client.get("/e/cup/display/version/")["ETag"] == first


def test_what_is_said_at_once_is_said_on_every_page(client: Client, event: Event):
    row = say(event, at_once=True)
    start = int(START.timestamp() * 1000)
    for page in ("", "standings/", "codes/"):
        source = client.get(f"/e/cup/display/{page}").content.decode()
        assert f'data-key="announcement-{row.pk}"' in source
        assert f'data-alone-from="{start}"' in source
        assert f'data-alone-until="{start + 60_000}"' in source


def test_the_second_language_stands_beside_where_the_event_has_one(client: Client, event: Event):
    say(event, second_title="昼食")
    assert texts(client.get("/e/cup/display/announcements/"), ".show-large") == ["Lunch"]
    set_languages(event=event, language="en-gb", second_language="ja", by=writer_of(event))
    assert texts(client.get("/e/cup/display/announcements/"), ".show-large") == ["Lunch", "昼食"]


def test_a_page_without_content_names_what_it_lacks(client: Client, event: Event):
    """The fixture has a round in play, released results and no announcement."""
    assert texts(client.get("/e/cup/display/announcements/"), ".show-large") == ["No announcements"]
    empty = make_event(slug="empty", tables=1, published=False)
    parts = ("announcements", "clock", "standings", "names", "tables")
    titles = {page: texts(client.get(f"/e/{empty.slug}/display/{page}/"), ".show-large") for page in parts}
    missing = {"announcements": "No announcements", "clock": "No round is being played", "standings": "No results yet"}
    seats = dict.fromkeys(("names", "tables"), "Seats are not published yet")
    assert {page: title for page, (title,) in titles.items()} == missing | seats


# ---------------------------------------------------------------- the prize giving


@pytest.fixture
def held(event: Event) -> Event:
    """Return the event with its last round released and held: 1 Birk, 2 Akelei, 3 Distel, 4 Cyan, or shared."""
    set_publication(event=event, publication=Publication(hold="last"), by=writer_of(event))
    deltas = (1100, 7100, -3300, -4900)  # Birk, Cyan, Distel, Akelei
    enter(table_of(event, 1, round_=2), Correction(deltas=deltas, reason="all at once"))
    sign(table_of(event, 1, round_=2))
    release_round(round_=round_of(event, 2), by=writer_of(event))
    event.refresh_from_db()
    return event


def test_only_what_is_revealed_stands_in_any_source(client: Client, held: Event):
    begin_prizes(event=held, top=0, by=writer_of(held))
    names, totals = ["Birk", "Cyan", "Distel", "Akelei"], {}
    for row in get_prizes_rows(held):
        totals[row[0]] = row[1]
    for step in range(len(totals) + 1):
        show_prizes(event=held, step=step, by=writer_of(held))
        shown = [name for name, _total in get_prizes_rows(held)][len(totals) - step :]
        for page in ("", "standings/", "names/", "tables/", "codes/", "clock/"):
            for headers in ({}, {"HX-Request": "true"}):
                source = client.get(f"/e/cup/display/{page}", headers=headers).content.decode()
                assert [name for name in names if name in source] == [name for name in names if name in shown]
                assert {name for name, total in totals.items() if total in source} == set(shown)
        for page in ("", "standings/", "players/1/", "rounds/2/", "recap/"):
            public = client.get(f"/e/cup/{page}").content.decode()
            assert {name for name, total in totals.items() if total in public} == set()


def get_prizes_rows(event: Event) -> list[tuple[str, str]]:
    """List names and totals, best first, as pages write them."""
    return [(row.name, signed_p(row.total)) for row in get_released_standings(event).rows]


def test_the_newest_place_is_large_and_those_before_it_small(client: Client, held: Event):
    begin_prizes(event=held, top=0, by=writer_of(held))
    page = client.get("/e/cup/display/")
    assert (pages(client), texts(page, ".show-place"), texts(page, ".show-before")) == (["prizes"], [], [])
    (first, *_), *others = [[name, total] for name, total in get_prizes_rows(held)]
    show_prizes(event=held, step=4, by=writer_of(held))
    page = client.get("/e/cup/display/")
    assert texts(page, ".show-place") == ["1st", "2nd", "3rd"]
    assert text(page, ".show-newest").startswith(f"1st {first} ")
    assert texts(page, ".podium-col")[1:] == [
        f"{place} {name} {total}" for place, (name, total) in zip(("2nd", "3rd"), others[:2], strict=True)
    ]
    assert text(page, ".show-before") == "4 " + " ".join(others[2])


def test_the_podium_shows_steps_without_names_until_they_are_revealed(client: Client, held: Event):
    Person.objects.filter(players__event=held).update(club="Nordlys", country="NOR")
    begin_prizes(event=held, top=0, by=writer_of(held))
    show_prizes(event=held, step=2, by=writer_of(held))
    page = client.get("/e/cup/display/")
    assert texts(page, ".podium-col")[:2] == ["1", "2"]
    assert "Nordlys · NOR" in texts(page, ".podium-col")[2]


def test_the_announcer_reveals_from_a_phone_and_reads_who_is_next(client: Client, held: Event):
    desk, rows = organiser(held), get_prizes_rows(held)
    page = f"{URL}prizes/"
    assert "The prize giving has not begun." in texts(desk.get(page), "p")
    assert desk.post(page, {"act": "begin", "top": "2", "announcer": "1"})["Location"] == page
    assert text(desk.get(page), ".announcer-step") == f"2nd {rows[1][0]} {rows[1][1]}"
    for _ in range(2):  # a press that is sent twice counts once
        assert desk.post(page, {"act": "show", "step": "1", "announcer": "1"})["Location"] == page
    newest, coming = texts(desk.get(page), ".announcer-step")
    assert (newest.split()[1], coming.split()[1]) == (rows[1][0], rows[0][0])
    desk.post(page, {"act": "show", "step": "2", "announcer": "1"})
    assert "Every place is revealed." in texts(desk.get(page), "p")
    assert referee(held).get(page).status_code in (403, 404)


def test_every_screen_learns_of_a_step_and_no_phone_is_asked_to_look(client: Client, held: Event):
    begin_prizes(event=held, top=0, by=writer_of(held))
    wall, phones = (client.get(f"/e/cup/{page}version/")["ETag"] for page in ("display/", ""))
    show_prizes(event=held, step=1, by=writer_of(held))
    assert client.get("/e/cup/display/version/", headers={"If-None-Match": wall}).status_code == 200
    assert client.get("/e/cup/version/", headers={"If-None-Match": phones}).status_code == 304


# ---------------------------------------------------------------- the desk


URL = "/desk/cup/wall/"


@pytest.mark.follows("during/wall.md")
def test_a_referee_announces_and_takes_back(event: Event):
    client = referee(event)
    data = {"announcement": str(uuid4()), "title": "Lunch", "shown_until": "2026-09-12T14:15"}
    for _ in range(2):
        assert client.post(f"{URL}announce/", data).status_code == 302
    row = Announcement.objects.get()
    assert row.shown_until == dt.datetime(2026, 9, 12, 13, 15, tzinfo=dt.UTC)
    for act, state in (("take_back", "taken back"), ("put_back", "on the hall screen")):
        client.post(f"{URL}announcements/{row.pk}/", {"act": act})
        assert text(client.get(URL), ".wall-said").startswith(f"Lunch {state}")
    assert client.post(f"{URL}announcements/{row.pk}/", {"act": "shout"}).status_code == 404
    assert client.post(f"{URL}announcements/9999/", {"act": "take_back"}).status_code == 404
    trail = text(organiser(event).get("/desk/cup/settings/trail/"), ".trail")
    assert "announced “Lunch”" in trail


def test_a_refusal_keeps_what_was_typed(event: Event):
    data = {"announcement": str(uuid4()), "title": "Lunch", "text": "Soup", "shown_from": "noon"}
    page = referee(event).post(f"{URL}announce/", data)
    assert page.status_code == 422
    assert texts(page, ".note") == ["Error Write the time as day and hour, such as 2026-09-12 14:05."]
    assert text(page, "#say-text") == "Soup"
    old = referee(event, "Ada").post(f"{URL}announce/", {"announcement": "old", "title": "Lunch"})
    assert texts(old, ".note") == ["Error This page is too old to be sent: load it again."]


@pytest.mark.postgresql
def test_an_announcement_is_changed_and_moved(event: Event):
    first, second = say(event, "Lunch"), say(event, "Photo")
    client = organiser(event)
    form = client.get(f"{URL}?edit={first.pk}").content.decode()
    assert 'value="Lunch"' in form
    client.post(f"{URL}announcements/{first.pk}/", {"act": "change", "title": "Lunch at two"})
    client.post(f"{URL}announcements/{second.pk}/", {"act": "move", "position": "1"})
    assert [row.title for row in event.announcements.all()] == ["Photo", "Lunch at two"]


@pytest.mark.follows("during/wall.md")
def test_the_organiser_sets_pages_and_network(event: Event):
    client = organiser(event)
    data = {"on-clock": "on", "position-clock": "2", "seconds-clock": "9",
            "on-names": "on", "position-names": "1", "seconds-names": "20"}  # fmt: skip
    page = client.post(f"{URL}pages/", data, follow=True)
    assert texts(page, ".note")[0] == "Done The screen rotation is set."
    assert get_wall(event).pages == [{"page": "names", "seconds": 20}, {"page": "clock", "seconds": 9}]
    refused = client.post(f"{URL}pages/", {**data, "seconds-clock": "soon"})
    assert texts(refused, ".note")[0] == "Error -1 seconds is not possible; 5 to 120 are."
    client.post(f"{URL}network/", {"network": "Hall", "password": "eastwind13"})
    assert (get_wall(event).network, get_wall(event).network_password) == ("Hall", "eastwind13")


@pytest.mark.follows("during/wall.md")
def test_the_organiser_gives_the_prizes_step_by_step(client: Client, held: Event):
    desk = organiser(held)
    rows = get_prizes_rows(held)
    desk.post(f"{URL}prizes/", {"act": "begin", "top": "2"})
    assert text(desk.get(URL), "#prizes").count(f"Next: 2: {rows[1][0]}") == 1
    for step in ("1", "1", "2"):
        desk.post(f"{URL}prizes/", {"act": "show", "step": step})
    assert texts(desk.get(URL), "#prizes")[0].count("Revealed: 2 of 2.") == 1
    assert texts(client.get("/e/cup/standings/"), ".name") != [name for name, _total in rows]
    page = desk.post(f"{URL}prizes/", {"act": "results"}, follow=True)
    assert texts(page, ".note")[0] == "Done Everybody sees the results."
    assert rows[0][1] in client.get("/e/cup/standings/").content.decode()
    desk.post(f"{URL}prizes/", {"act": "end"})
    assert "prizes" not in pages(client)
    assert desk.post(f"{URL}prizes/", {"act": "juggle"}).status_code == 404


def test_a_referee_sees_no_place_that_is_held(held: Event):
    page = referee(held).get(URL).content.decode()
    assert 'id="prizes"' not in page
    assert 'id="pages"' not in page


@pytest.mark.parametrize("announcements", [1, 4])
def test_the_desk_s_page_asks_the_same_number_of_questions(event: Event, django_assert_num_queries, announcements: int):
    for number in range(announcements):
        say(event, f"Lunch {number}")
    client = organiser(event)
    client.get(URL)
    with django_assert_num_queries(8):
        client.get(URL)
