"""What the command palette lists: tables, players and pages, by the reader's rights."""

import pytest

from tests.factories import make_event
from tests.web.at_desk import organiser, referee
from tournament.models import Event

pytestmark = pytest.mark.django_db
URL = "/desk/cup/palette/"


@pytest.fixture
def event() -> Event:
    return make_event(slug="cup", tables=2, rounds=1)


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


def test_before_the_seats_there_are_pages_and_players(event: Event):
    event.rounds.all().delete()
    labels = [item["label"] for item in organiser(event).get(URL).json()["items"]]
    assert "Players" in labels
    assert "1 Akelei" in labels
    assert not any(label.startswith("Table ") and label[6:].isdigit() for label in labels)
