"""The page of an open evening: names move by a tap, tables sit down once, and nobody shows as withdrawn."""

import re
from uuid import uuid4

import pytest

from tests.factories import fresh, make_event, name_of, writer_of
from tests.open_play.evening import count_together, finish, make_evening, sit_down
from tests.pages.at_desk import client_of

pytestmark = pytest.mark.django_db

PAGE = "/desk/tuesday/tables/"


def texts(response):
    return " ".join(response.content.decode().split())


def value_of(page, name):
    """Return the value of a button or field of the page, "" without one."""
    found = re.search(rf'name="{name}"[^>]* value="([^"]+)"', texts(page))
    return found[1] if found else ""


def planned(page):
    """Return the names in the tables being made, in order."""
    return re.findall(r'is-here" type="submit" form="taps".*?check-name">([^<]+?) <', texts(page))


def link_of(page, name):
    """Return the address that a tap on a name opens."""
    found = re.search(rf'name="plan" value="([^"]*)">(?:(?!</button>).)*check-name">{name} <', texts(page))
    assert found
    return f"{PAGE}?plan={found[1]}"


@pytest.fixture
def event():
    return make_evening(9, here=8)


@pytest.fixture
def client(event):
    return client_of(writer_of(event))


def test_the_desk_of_an_open_event_is_the_page_of_its_tables(client, event):
    assert client.get("/desk/tuesday/").headers["location"] == PAGE
    page = texts(client.get(PAGE))
    assert "8 wait" in page
    assert "Seating" not in page


def test_the_list_of_players_asks_for_no_full_tables(client, event):
    page = texts(client.get("/desk/tuesday/players/"))
    assert "9 players" in page
    assert "full table" not in page
    assert "do not fill" not in page
    assert "Continue to seating" not in page


def test_a_tap_brings_and_not_tonight_takes_home(client, event):
    client.post(PAGE, {"here": "9"})
    assert event.players.get(number=9).checked_in_at
    client.post(PAGE, {"gone": "9"})
    player = event.players.get(number=9)
    assert (player.checked_in_at, player.withdrawn_at) == (None, None)
    assert "withdrawn" not in texts(client.get("/desk/tuesday/players/"))


def test_taps_make_a_table_that_sits_down_once(client, event):
    page = client.get(PAGE)
    for number in (2, 5, 0, 5, 3, 1):  # the sixth name is tapped in and out again
        page = client.get(link_of(page, name_of(number)))
    assert sorted(planned(page)) == [name_of(number) for number in range(4)]
    sent = {"seat": value_of(page, "seat"), "client_id": value_of(page, "client_id"), "at": "5"}
    assert client.post(PAGE, sent).headers["location"] == PAGE
    client.post(PAGE, sent)
    assert list(event.rounds.values_list("tables__number", flat=True)) == [5]
    again = client.post(PAGE, sent | {"client_id": str(uuid4())}, follow=True)
    assert "still plays at table 5" in texts(again)


def test_suggest_fills_tables_of_who_waits_and_seats_them_together(client, event):
    page = client.get(PAGE, {"suggest": ""}, follow=True)
    assert len(planned(page)) == 8
    client.post(PAGE, {"seat": value_of(page, "seat"), "client_id": value_of(page, "client_id"), "at": ["1", "2"]})
    assert event.rounds.count() == 2
    assert texts(client.get(PAGE)).count("/rounds/1/tables/1/") == 2


def test_one_table_that_is_refused_seats_none(client, event):
    sent = {"seat": "1.2.3.4-5.6.7.9", "client_id": str(uuid4()), "at": ["1", "2"]}
    page = client.post(PAGE, sent, follow=True)
    assert "is not here" in texts(page)
    assert event.rounds.count() == 0
    assert len(planned(page)) == 7


def test_a_table_without_a_hand_is_undone_and_another_is_not(client, event):
    sit_down(event, 1, 2, 3, 4)
    finish(sit_down(event, 5, 6, 7, 8))
    client.post(PAGE, {"undo": "1"})
    assert list(event.rounds.values_list("number", flat=True)) == [2]
    assert "can no longer be undone" in texts(client.post(PAGE, {"undo": "2"}, follow=True))
    assert sit_down(event, 1, 2, 3, 4).round.number == 3


def test_meetings_of_the_season_count_by_person(client, event):
    before = make_evening(9, slug="monday")
    finish(sit_down(before, 1, 2, 3, 4))
    count_together(before, event)
    page = client.get(PAGE, {"plan": "1.2.5.6"})
    assert "met 1 time in this season: Akelei and Birk 1×" in texts(page)


@pytest.mark.parametrize(
    "plan", ["0", "1.1.1.1", "1.2.3.4.5.6", "x", "1..2", "-", "99999.1", "1." * 900, "1.2.3.4-1.2.3.4"]
)
def test_no_plan_of_an_address_breaks_the_page(client, event, plan):
    page = client.get(PAGE, {"plan": plan})
    assert page.status_code == 200
    assert len(planned(page)) == len(set(planned(page))) <= 8


def test_an_event_in_rounds_has_no_such_page(client):
    other = make_event(slug="cup", tables=1)
    assert client_of(writer_of(other)).get("/desk/cup/tables/").headers["location"] == "/desk/cup/"


@pytest.mark.follows("during/club-night.md")
def test_how_an_event_is_played_is_set_before_the_first_table(client, event):
    assert 'id="play"' in texts(client.get("/desk/tuesday/settings/"))
    client.post("/desk/tuesday/settings/play/", {"play": "rounds"})
    assert fresh(event).play == "rounds"
    client.post("/desk/tuesday/settings/play/", {"play": "open"})
    sit_down(fresh(event), 1, 2, 3, 4)
    client.post("/desk/tuesday/settings/play/", {"play": "rounds"})
    assert fresh(event).play == "open"


def test_the_settings_do_not_ask_for_the_number_of_its_tables(client, event):
    for _time in range(2):
        finish(sit_down(event, 1, 2, 3, 4))
    page = client.get("/desk/tuesday/settings/")
    assert value_of(page, "name") == event.name
    assert 'name="rounds"' not in texts(page)
    changed = client.post("/desk/tuesday/settings/", {"name": "Wednesday", "date": "2026-11-18"})
    assert changed.status_code == 302
    assert (fresh(event).name, fresh(event).rounds_planned) == ("Wednesday", 2)


def test_a_thousand_meetings_cost_no_query(client, event, django_assert_max_num_queries):
    for _time in range(3):
        finish(sit_down(event, 1, 2, 3, 4))
    with django_assert_max_num_queries(12):
        client.get(PAGE)
