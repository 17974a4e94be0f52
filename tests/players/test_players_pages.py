"""The list of players: one by one, renamed, taken out; nothing is added twice."""

import json
import re

import pytest

from tests.factories import DAY, enter, make_account, make_event, table_of, writer_of
from tests.pages.at_desk import organiser, values
from tests.pages.html_reader import text, texts
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, add_players
from tournament.text.acts import act_text

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

URL = "/desk/cup/players/"


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    by = make_account("Organiser")
    return create_event(name="Cup", date=DAY, rules_key="ema-2025", rounds=2, slug="cup", by=by)


def add(event: Event, *names: str) -> None:
    add_players(event=event, players=[NewPlayer(name) for name in names], by=writer_of(event))


def names(event: Event) -> list[str]:
    return [player.person.preferred_name for player in event.players.select_related("person").order_by("number")]


# ---------------------------------------------------------------- one by one


def test_an_empty_list_says_how_to_begin(event: Event):
    page = organiser(event).get(URL)
    assert text(page, ".lead") == "0 players"
    assert text(page, ".empty") == "No players yet Import a list from a spreadsheet, or add the players one by one."
    assert "Continue to seating" not in texts(page, "a")


def test_players_are_added_one_by_one_and_counted_into_tables(event: Event):
    client = organiser(event)
    add(event, "Akelei", "Birk", "Cyan")
    data = {"preferred_name": " Distel ", "club": "Nordlys", "country": "swe", "ema_number": "01020304"}
    assert client.post(URL, data)["Location"] == URL
    page = client.get(URL)
    assert texts(page, ".note") == ["Done Distel is player 4."]
    assert text(page, ".lead") == "4 players · 1 full table"
    assert texts(page, "tr")[-1] == "4 Distel Nordlys SWE Nordlys 01020304"
    assert "Continue to seating" in texts(page, "a")


def test_players_that_do_not_fill_the_tables_are_said_in_words(event: Event):
    add(event, *"ABCDE")
    page = organiser(event).get(URL)
    assert text(page, ".lead") == "5 players · 1 full table"
    assert text(page, ".note") == (
        "Warning The players do not fill the tables: 1 would be left over. "
        "Add 3, or take 1 out, before seats are drawn."
    )


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"preferred_name": ""}, "This field is required."),
        (
            {"preferred_name": "Zora", "country": "Atlantis"},
            "This country is not known: write its name in English, or a code such as GBR.",
        ),
        ({"preferred_name": "Zora", "ema_number": "1020304"}, "An EMA number has eight digits."),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(event: Event, data: dict[str, str], said: str):
    answer = organiser(event).post(URL, data)
    assert (answer.status_code, texts(answer, ".error")) == (422, [said])
    assert names(event) == []


def test_a_name_is_there_once(event: Event):
    client = organiser(event)
    client.post(URL, {"preferred_name": "Zora"})
    answer = client.post(URL, {"preferred_name": "ZORA"})
    assert answer.status_code == 422
    assert text(answer, "#id_preferred_name_error") == "There is a player called ZORA already."
    assert values(answer, "preferred_name") == ["ZORA"]
    assert names(event) == ["Zora"]


# ---------------------------------------------------------------- one player


FORM = {
    "preferred_name": "Birke", "legal_name": "Birke Moos", "country": "Sweden", "club": "Nordlys",
    "ema_number": "01020304", "team": "Foxes", "shown_by_name": "on", "filmed": "on", "ranked": "on",
}  # fmt: skip


def facts(event: Event, number: int) -> tuple[object, ...]:
    found = event.players.select_related("person").get(number=number)
    person = found.person
    return (
        person.preferred_name, person.legal_name, person.country, person.club, person.ema_number, found.team,
        found.shown_by_name, found.ranked,
    )  # fmt: skip


@pytest.mark.follows("before/players.md", "during/teams.md")
@pytest.mark.postgresql
def test_all_that_is_known_of_a_player_is_changed_in_one_form_and_said_in_the_trail(event: Event):
    add(event, "Akelei", "Birk")
    client = organiser(event)
    page = client.get(f"{URL}2/")
    assert (text(page, "h1"), values(page, "preferred_name")) == ("Player 2: Birk", ["Birk"])
    assert client.post(f"{URL}2/", FORM)["Location"] == URL
    assert facts(event, 2) == ("Birke", "Birke Moos", "SWE", "Nordlys", "01020304", "Foxes", True, True)
    assert (values(client.get(f"{URL}2/"), "country"), names(event)) == (["SWE"], ["Akelei", "Birke"])
    row = event.audit.latest("seq")
    said = "changed the display name, the legal name, the EMA number, the country, the club and the team of player 2"
    assert act_text(row.verb, json.loads(row.details)) == said
    assert "Birke" not in row.details
    client.post(f"{URL}2/", FORM)
    assert (event.audit.latest("seq"), texts(client.get(URL), ".note")[0]) == (row, "Note Nothing was changed.")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"preferred_name": " "}, "This field is required."),
        ({"preferred_name": "AKELEI"}, "There is a player called AKELEI already."),
        ({"country": "Atlantis"}, "This country is not known: write its name in English, or a code such as GBR."),
        ({"ema_number": "123"}, "An EMA number has eight digits."),
    ],
)
def test_a_form_that_cannot_be_saved_keeps_what_was_typed(event: Event, fields: dict[str, str], said: str):
    add(event, "Akelei", "Birk")
    answer = organiser(event).post(f"{URL}2/", FORM | fields)
    assert (answer.status_code, texts(answer, ".error"), values(answer, "club")) == (422, [said], ["Nordlys"])
    assert facts(event, 2) == ("Birk", "", "", "", "", "", True, True)


@pytest.mark.usefixtures("others_aside")
def test_another_ranking_needs_a_reason_once_play_has_begun():
    event = make_event(slug="cup", tables=1, rounds=1)
    enter(table_of(event), "1t 230")
    client, form = organiser(event), {"preferred_name": "Birk", "shown_by_name": "on", "filmed": "on"}
    answer = client.post(f"{URL}2/", form)
    assert (answer.status_code, texts(answer, ".error")) == (
        422, ["Play has begun: to rank a player or not needs a reason."],
    )  # fmt: skip
    assert client.post(f"{URL}2/", form | {"reason": "house player"}).status_code == 302
    assert facts(event, 2)[-1] is False


def filters(page) -> list[str]:
    return [said for said in texts(page, "a") if " without " in said]


def shown(page) -> list[str]:
    return re.findall(r"/players/(\d+)/\"", page.content.decode())


def test_the_list_is_searched_sorted_and_filtered_by_what_is_missing(event: Event):
    new = [
        NewPlayer("Zoë", country="FRA", club="Elbe", ema_number="01020304"),
        NewPlayer("Ärmel", country="DEU", club="Elbe"),
        NewPlayer("Birk"),
    ]
    add_players(event=event, players=new, by=writer_of(event))
    client = organiser(event)
    page = client.get(URL)
    assert filters(page) == ["1 without country", "1 without club", "2 without EMA number"]
    cases = {
        "": ["1", "2", "3"], "?q=zoe": ["1"], "?q=elbe": ["1", "2"], "?q=3": ["3"],
        "?q=01020304": ["1"], "?q=203": ["1"], "?q=04": [], "?q=aermel": ["2"], "?sort=name": ["2", "3", "1"],
        "?sort=country": ["2", "1", "3"], "?only=country": ["3"], "?only=ema&sort=name": ["2", "3"],
        "?q=nobody": [], "?sort=nonsense&only=nonsense": ["1", "2", "3"],
    }  # fmt: skip
    assert {asked: shown(client.get(URL + asked)) for asked in cases} == cases
    nobody = client.get(f"{URL}?q=nobody")
    assert "No player matches." in nobody.content.decode()


def test_a_player_is_taken_out_before_seats_are_drawn(event: Event):
    add(event, "Akelei", "Birk", "Cyan")
    client = organiser(event)
    assert client.post(f"{URL}2/", {"act": "remove"})["Location"] == URL
    assert texts(client.get(URL), ".note")[0] == "Done Birk is taken out."
    assert [(player.number, str(player.person)) for player in event.players.all()] == [(1, "Akelei"), (2, "Cyan")]
    assert client.get(f"{URL}3/").status_code == 404


@pytest.mark.parametrize("act", ["withdraw", "return", ""])
def test_what_an_older_page_of_a_player_sends_is_refused_in_words(event: Event, act: str):
    add(event, "Akelei")
    client = organiser(event)
    assert client.post(f"{URL}1/", {"act": act, "reason": "ill"})["Location"] == f"{URL}1/"
    assert texts(client.get(f"{URL}1/"), ".note")[0].startswith("Error")


@pytest.mark.usefixtures("others_aside")
def test_once_seats_are_drawn_the_list_is_closed():
    event = make_event(slug="cup", tables=1, rounds=1, published=False)
    client = organiser(event)
    page = client.get(URL)
    assert text(page, ".note") == "Note Seats are drawn: the list is closed. Details of a player can still be changed."
    assert values(page, "preferred_name") == []
    assert "Take out" not in texts(client.get(f"{URL}1/"), "button")
    answer = client.post(URL, {"preferred_name": "Zora"})
    assert answer.status_code == 422
    client.post(f"{URL}1/", {"act": "remove"})
    assert "Error Seats are drawn: the list of players is closed. Undo the draw first." in texts(
        client.get(f"{URL}1/"), ".note"
    )
    assert len(names(event)) == 4


@pytest.mark.parametrize("players", [1, 3])
def test_the_list_asks_the_same_number_of_questions_whatever_its_length(
    event: Event, django_assert_num_queries, players: int
):
    add(event, *"ABC"[:players])
    client = organiser(event)
    with django_assert_num_queries(9):
        client.get(URL)
