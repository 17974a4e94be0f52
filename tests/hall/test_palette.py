"""What the command palette lists: tables, players and pages, by the reader's rights."""

from uuid import uuid4

import pytest

from tests.factories import table_of, writer_of
from tests.fixtures import own_event
from tests.pages.at_desk import organiser, referee
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.players.actions import NewPlayer, add_late_player

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]
URL = "/desk/cup/palette/"


event = own_event(slug="cup", tables=2, rounds=1)


def test_tables_and_players_lead_where_the_reader_works(event: Event):
    items = {item["label"]: item for item in referee(event).get(URL).json()["items"]}
    assert items["Table 2"] == {
        "label": "Table 2", "more": "Efeu · Farn · Ginster · Hasel", "fold": "table 2 efeu · farn · ginster · hasel",
        "url": "/desk/cup/rounds/1/tables/2/", "keys": "2 Enter",
    }  # fmt: skip
    assert (items["6 Farn"]["url"], items["6 Farn"]["more"]) == ("/desk/cup/rounds/1/tables/2/", "Table 2")
    items = {item["label"]: item for item in organiser(event).get(URL).json()["items"]}
    assert items["6 Farn"]["url"] == "/desk/cup/players/6/"


def test_pages_are_those_that_the_reader_may_open(event: Event):
    mine, theirs = referee(event), organiser(event)
    urls = [item["url"] for item in mine.get(URL).json()["items"]]
    assert "/desk/cup/settings/" not in urls
    assert "/desk/cup/penalties/give/" in urls
    for client in (mine, theirs):
        for item in client.get(URL).json()["items"]:
            assert (client.get(item["url"]).status_code, item["url"]) == (200, item["url"])


def put_in(event: Event, number: int, *, name: str) -> None:
    """Replace a player of round 1."""
    table = table_of(event, 1 if number < 5 else 2)
    player = event.players.select_related("event").get(number=number)
    new = Replacement(when="before", reason="ill", name=name)
    put_substitute_in(table=table, player=player, replacement=new, client_id=uuid4(), by=writer_of(event))


def test_substitutes_are_found_by_name_at_the_table_where_they_play(event: Event):
    put_in(event, 2, name="Wanda Guest")
    put_in(event, 6, name="")  # an empty seat is nobody
    items = {item["label"]: item for item in referee(event).get(URL).json()["items"]}
    guest = items["Wanda Guest"]
    assert (guest["url"], guest["more"]) == ("/desk/cup/rounds/1/tables/1/", "Table 1 · Birk")
    assert items["Table 1"]["more"] == "Akelei · Birk · Cyan · Distel · Wanda Guest"
    assert items["Table 2"]["more"] == "Efeu · Farn · Ginster · Hasel"


@pytest.mark.postgresql
def test_a_substitute_who_is_a_player_leads_to_the_table(event: Event):
    new = add_late_player(event=event, new=NewPlayer("Zora"), ranked=False, by=writer_of(event))
    put_in(event, 2, name="Zora")
    items = {item["label"]: item for item in referee(event).get(URL).json()["items"]}
    zora = items[f"{new.number} Zora"]
    assert (zora["url"], zora["more"]) == ("/desk/cup/rounds/1/tables/1/", "Table 1")


def test_before_the_seats_there_are_pages_and_players(event: Event):
    event.rounds.all().delete()
    labels = [item["label"] for item in organiser(event).get(URL).json()["items"]]
    assert "Players" in labels
    assert "1 Akelei" in labels
    assert not any(label.startswith("Table ") and label[6:].isdigit() for label in labels)
