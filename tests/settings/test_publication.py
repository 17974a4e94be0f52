"""What the public sees, as pages say it: settings, releasing into a hold, showing, live tables, phones that learn."""

import re

import pytest
from django.test import Client

from tests.factories import enter, enter_all, make_event, play_round, round_of, sign, table_of, writer_of
from tests.pages.at_desk import organiser, referee
from tests.pages.html_reader import text, texts
from tournament.events.actions import Publication, publication_of, set_publication
from tournament.events.models import Event
from tournament.rounds.actions import release_round, start_round
from tournament.sheets.actions import reopen_table

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

CHOSEN = {"live_tables": "hands", "live_others": "all", "hold": "last", "show_needs": "on"}
CONFLICT = (
    "This event is EMA-certified: EMA's guidelines want the results of each round shown before the next session "
    "begins. Show them in time, or hold only the last round."
)


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    event = make_event(slug="cup", tables=2, rounds=2)
    play_round(event, 1, "2r3 340/2")
    event.refresh_from_db()
    return event


def choose(event: Event, **chosen: object) -> None:
    set_publication(event=event, publication=Publication(**chosen), by=writer_of(event))


def version(client: Client) -> str:
    return client.get("/e/cup/version/")["ETag"]


# ---------------------------------------------------------------- settings


def test_the_settings_are_saved_and_stand_on_the_trail(event: Event):
    organiser(event).post("/desk/cup/settings/publication/", CHOSEN)
    page = organiser(event).get("/desk/cup/settings/trail/")
    event.refresh_from_db()
    assert publication_of(event) == Publication(live_tables="hands", live_others="all", hold="last", show_needs=True)
    assert (
        "set what the public sees: tables hand by hand; all live tables on every phone; "
        "results of the last round held; needs in the last hand on phones"
    ) in texts(page, "td")
    page = organiser(event).get("/desk/cup/settings/publication/")
    boxes = re.findall(r'name="(\w+)"(?: value="(\w+)")? checked', page.content.decode())
    assert dict(boxes).items() >= {**CHOSEN, "show_needs": ""}.items()


def test_a_value_that_there_is_not_is_refused_in_words(event: Event):
    page = organiser(event).post("/desk/cup/settings/publication/", {**CHOSEN, "hold": "for ever"}, follow=True)
    event.refresh_from_db()
    assert publication_of(event) == Publication()
    assert "Choose what the public sees from what is offered." in page.content.decode()


@pytest.mark.parametrize(("hold", "warned"), [("nothing", False), ("last", False), ("before_last", True)])
def test_a_certified_event_is_warned_of_a_hold_that_ema_does_not_want(event: Event, hold: str, warned: bool):
    choose(event, hold=hold, ema_certified=True)
    assert (f"Warning {CONFLICT}" in texts(organiser(event).get("/desk/cup/settings/publication/"), ".note")) is warned


@pytest.mark.postgresql
@pytest.mark.usefixtures("others_aside")
def test_before_a_release_into_a_conflicting_hold_the_desk_is_warned():
    event = make_event(slug="cup", tables=1, rounds=2)
    choose(event, hold="before_last", ema_certified=True)
    page = organiser(event).get("/desk/cup/rounds/1/release/")
    assert texts(page, ".note") == [f"Warning {CONFLICT}"]
    later = organiser(event).get("/desk/cup/rounds/2/release/")
    assert "For the desk it counts at once" in later.content.decode()
    choose(event)
    assert texts(organiser(event).get("/desk/cup/rounds/1/release/"), ".note") == []


# ---------------------------------------------------------------- a hold


@pytest.mark.follows("during/hold.md")
def test_a_held_round_is_said_everywhere_and_shown_by_one_button(client: Client, event: Event):
    choose(event, hold="last")
    play_round(event, 2, "1t 230")
    client.get("/e/cup/?me=1")
    waits = "The results of round 2 are shown at the prize giving."
    assert text(client.get("/e/cup/"), "h1") == waits
    assert texts(client.get("/e/cup/rounds/2/"), ".note") == [f"Note {waits}"]
    assert texts(client.get("/e/cup/rounds/"), ".state") == ["Results", "Results follow"]
    assert f"After round 1 of 2 · {waits.rstrip('.')}" in text(client.get("/e/cup/standings/"), ".title")
    assert client.get("/e/cup/rounds/2/tables/1/").status_code == 404
    desk = organiser(event)
    assert texts(desk.get("/desk/cup/results/"), ".note") == [
        "Note Round 2 is released only for the desk: the public sees its results when you show them."
    ]
    assert "Show the results now" not in referee(event).get("/desk/cup/results/").content.decode()
    before = version(client)
    assert desk.post("/desk/cup/results/show/")["Location"] == "/desk/cup/results/"
    assert version(client) != before
    assert client.get("/e/cup/rounds/2/tables/1/").status_code == 200
    assert text(client.get("/e/cup/"), "h1") != waits
    again = desk.post("/desk/cup/results/show/", follow=True)
    assert "No results are held." in again.content.decode()


def test_phones_are_left_alone_while_the_desk_works_on_a_held_round(client: Client, event: Event):
    choose(event, hold="last")
    play_round(event, 2, "1t 230")
    before = version(client)
    reopen_table(table=table_of(event, round_=2), reason="misread", by=writer_of(event))
    enter(table_of(event, round_=2), "1t 230")
    sign(table_of(event, round_=2))
    assert version(client) == before


def test_files_for_the_public_follow_the_hold_and_the_desk_has_its_own(event: Event):
    choose(event, hold="last")
    play_round(event, 2, "1t 230")
    desk = organiser(event)
    public, whole = (desk.get(f"/desk/cup/export/results.xlsx{end}").content for end in ("", "?held"))
    assert len(whole) > len(public)


# ---------------------------------------------------------------- live


def test_a_live_table_is_marked_and_linked(client: Client, event: Event):
    choose(event, live_tables="hands", live_others="all")
    start_round(round_=round_of(event, 2), by=writer_of(event))
    enter_all(table_of(event, 2, round_=2), "1t 230")
    page = client.get("/e/cup/rounds/2/")
    assert texts(page, "h2") == ["Table 1", "Table 2 East 1", "By name"]
    assert texts(page, ".sitting-result") == []
    live = client.get("/e/cup/rounds/2/tables/2/")
    assert texts(live, ".is-live") == ["Live"]
    assert texts(live, ".note") == ["Note In play: scores are not final and may be corrected."]
    assert text(live, ".lead") == "East 1 · 1 honba"
    answer = client.get("/api/v1/events/cup/rounds/2/tables/2").json()
    assert (answer["live"], answer["stage"], answer["final"]) == (True, "playing", None)
    sign(table_of(event, 2, round_=2))
    assert texts(client.get("/e/cup/rounds/2/tables/2/"), ".note") == [
        "Note The round is not released yet: this result may still change, and the standings do not count it."
    ]
    enter(table_of(event, 1, round_=2), "1t 230")
    sign(table_of(event, 1, round_=2))
    release_round(round_=round_of(event, 2), by=writer_of(event))
    assert client.get("/api/v1/events/cup/rounds/2/tables/2").json()["live"] is False


def test_phones_learn_of_a_live_hand_if_it_is_theirs_to_see(client: Client, event: Event):
    choose(event, live_tables="hands", live_others="own")
    mine, other = client, Client()
    mine.get("/e/cup/?me=2")
    before = version(mine), version(other)
    enter(table_of(event, 1, round_=2), "1t 230")
    after = version(mine), version(other)
    assert (after[0] != before[0], after[1] == before[1]) == (True, True)
    enter(table_of(event, 2, round_=2), "1t 230")
    assert (version(mine), version(other)) == after
    assert "The hands of this table so far" in mine.get("/e/cup/").content.decode()


def test_a_live_hand_leaves_pages_without_live_tables_as_they_are(client: Client, event: Event):
    choose(event, live_tables="hands", live_others="all")
    enter(table_of(event, 1, round_=2), "1t 230")
    standings, live = (client.get(f"/e/cup/{page}")["ETag"] for page in ("standings/", "rounds/2/tables/1/"))
    enter(table_of(event, 1, round_=2), "1t 230")
    ask = [("standings/", standings), ("rounds/2/tables/1/", live)]
    codes = [client.get(f"/e/cup/{page}", headers={"If-None-Match": etag}).status_code for page, etag in ask]
    assert codes == [304, 200]
