"""The tour of three hands on an invented table: offered once, by the event's rules, and nothing is stored."""

import pytest

from rules.books import book_keys
from tests.factories import make_event, rows_of, table_of
from tests.fixtures import own_event
from tests.pages.at_desk import organiser, send, table_url
from tests.pages.html_reader import text, texts
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.hands.tour import STOPS
from tournament.tables.models import LedgerEntry

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]
URL = "/desk/cup/tour/"


event = own_event(slug="cup", tables=1, rounds=1)


@pytest.mark.parametrize("rules", book_keys())
def test_the_three_hands_can_be_entered_under_every_book(rules: str):
    event = make_event(rules, slug="cup", tables=1, rounds=1)
    client, written = organiser(event), (LedgerEntry.objects.count(), AuditRow.objects.count())
    for at, stop in enumerate(STOPS, start=1):
        page = client.get(f"{URL}?stop={at}")
        assert str(stop.told) in text(page, ".line")
        answer = client.post(URL, {"stop": at, "line": stop.line})
        assert (answer.status_code, answer["Location"]) == (302, f"{URL}?stop={at + 1}")
    done = client.get(URL, {"stop": len(STOPS) + 1})
    assert "That is all you need" in texts(done, "h2")
    assert text(done, ".note").endswith("Riichi: Cedar")
    assert (LedgerEntry.objects.count(), AuditRow.objects.count()) == written


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("2r4 340/2", "Error This is not the hand of the table: change the line, or clear it with Esc."),
        ("2r3 337", "Error 37 fu cannot go with 3 han by ron."),
        ("2r", "Error '2r' cannot be read"),
        ("", "Error This is not the hand of the table: change the line, or clear it with Esc."),
    ],
)
def test_another_hand_stays_in_the_line_and_is_said(event: Event, line: str, said: str):
    answer = organiser(event).post(URL, {"stop": 1, "line": line})
    assert answer.status_code == 422
    assert texts(answer, ".note")[0].startswith(said.removesuffix("."))
    assert f'name="line" value="{line}"' in answer.content.decode()


def test_another_spelling_of_the_same_hand_goes_on(event: Event):
    assert organiser(event).post(URL, {"stop": 2, "line": "1t 2000-4000"}).status_code == 302


def test_the_line_is_read_back(event: Event):
    page = organiser(event).get(f"{URL}?stop=1&line=2r3+340", headers={"HX-Request": "true"})
    assert text(page, ".understood-say") == "Birch (2, South) ron from Cedar (3, West): 3 han 40 fu, 5,200"


def test_it_is_offered_until_it_was_seen_left_or_a_hand_entered(event: Event):
    offer, url = "First time here?", table_url(event)
    seen, left, knows = organiser(event), organiser(event), organiser(event)
    for client in (seen, left, knows):
        assert offer in client.get(url).content.decode()
        assert offer in client.get(url).content.decode()
    seen.get(f"{url}tour/")
    assert left.get(f"{url}tour/?leave=1")["Location"] == url
    send(knows, event, "2r3 340")
    for client in (seen, left, knows):
        assert offer not in client.get(url).content.decode()
    assert len(rows_of(table_of(event))) == 1
