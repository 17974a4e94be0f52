"""The second person's page: it shows a sheet, takes a yes or a reasoned no, and nothing can be changed on it."""

import re
from typing import Any

import pytest

from tests.factories import enter_all, make_event, sign, table_of, writer_of
from tests.pages.at_desk import organiser, referee, table_url
from tests.pages.html_reader import text, texts
from tournament.events.actions import set_second_person
from tournament.events.models import Event
from tournament.sheets.actions import reopen_table
from tournament.sheets.models import SheetCheck

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Return an event that asks a second person, with two signed tables."""
    event = make_event("wrc-2025", tables=3, rounds=1, slug="cup")
    set_second_person(event=event, second_person="other_person", by=writer_of(event))
    for number in (1, 3):
        enter_all(table_of(event, number), "1r3 230", "2r3 340", "d12/1")
        sign(table_of(event, number))
    return event


def url(event: Event, table: int = 1) -> str:
    return table_url(event, table, end="confirm/")


def rows(page: Any) -> list[str]:
    return texts(page, "tr")


def test_the_sheet_stands_there_in_the_order_of_the_paper(event: Event):
    page = referee(event).get(url(event))
    assert rows(page) == [
        "Seat Player Points Place Result",
        "EEast Akelei 33,400 2 +8.4",
        "SSouth Birk 37,000 1 +22.0",
        "WWest Cyan 20,100 4 −24.9",
        "NNorth Distel 28,500 3 −6.5",
        "Sum of 120,000 · riichi sticks left 1,000 119,000",
    ]
    assert text(page, "caption").startswith("Signed by Organiser, ")
    inputs = re.findall(r'<input type="(\w+)"', text_of_main(page))
    assert set(inputs) == {"hidden", "text"}
    assert re.findall(r'<input type="text"[^>]*name="(\w+)"', text_of_main(page)) == ["reason"]


def text_of_main(page: Any) -> str:
    return page.content.decode().partition("<main")[2].partition("</main>")[0]


@pytest.mark.follows("during/sign.md")
def test_confirming_goes_on_to_the_next_sheet_and_then_to_the_desk(event: Event):
    client = referee(event)
    answer = client.post(url(event), {"sheet": "1", "act": "confirm"})
    assert answer["Location"] == url(event, 3)
    assert client.post(url(event, 3), {"sheet": "1", "act": "confirm"})["Location"] == "/desk/cup/?round=1"
    page = client.get(url(event))
    assert "Confirmed by Rita." in texts(page, ".note")
    assert texts(page, "form") == [each for each in texts(page, "form") if "Confirm" not in each]
    assert text(client.get(table_url(event)), ".sheet").count("Confirmed by a second person.") == 1


def test_rejecting_opens_the_table_with_the_reason(event: Event):
    client = referee(event)
    page = client.post(url(event), {"sheet": "1", "act": "reject", "reason": "Birk is Distel"}, follow=True)
    assert "Done The sheet of table 1 is sent back: the table is open again." in texts(page, ".note")
    page = organiser(event).get(table_url(event))
    assert "Sent back Birk is Distel" in texts(page, ".note")
    assert "Sign table" in texts(page, ".button")
    assert text(client.get(url(event)), ".empty").startswith("This table is not signed")


def test_rejecting_without_a_reason_changes_nothing(event: Event):
    page = referee(event).post(url(event), {"sheet": "1", "act": "reject", "reason": " "})
    assert (page.status_code, SheetCheck.objects.count()) == (422, 0)
    assert "Sending a sheet back needs a reason." in text(page, ".problems")


def test_who_signed_it_is_told_so(event: Event):
    client = organiser(event)
    page = client.get(url(event))
    assert "Note You signed this table yourself: another person confirms it." in texts(page, ".note")
    assert "Confirm" not in texts(page, ".button")
    page = client.post(url(event), {"sheet": "1", "act": "confirm"})
    assert (page.status_code, SheetCheck.objects.count()) == (422, 0)
    assert "You signed table 1 yourself: another person confirms it." in text(page, ".problems")


def test_a_sheet_that_changed_meanwhile_is_looked_at_again(event: Event):
    client = referee(event)
    reopen_table(table=table_of(event), reason="a hand was forgotten", by=writer_of(event))
    sign(table_of(event))
    page = client.post(url(event), {"sheet": "1", "act": "confirm"})
    assert (page.status_code, SheetCheck.objects.count()) == (422, 0)
    assert "The sheet of table 1 has changed meanwhile: check it again." in text(page, ".problems")
    assert 'name="sheet" value="3"' in page.content.decode()


def test_an_event_that_asks_nobody_says_so(event: Event):
    set_second_person(event=event, second_person="off", by=writer_of(event))
    page = referee(event).get(url(event))
    assert "Note This event needs no second person: a signed sheet counts at once." in texts(page, ".note")
    assert "Not confirmed" not in text(referee(event).get(table_url(event)), ".sheet")


def test_a_table_that_is_not_signed_or_not_there(event: Event):
    client = referee(event)
    assert text(client.get(url(event, 2)), ".empty").startswith("This table is not signed")
    assert client.get(url(event, 9)).status_code == 404


def test_the_hand_page_leads_to_it(event: Event):
    page = referee(event).get(table_url(event))
    assert f'href="{url(event)}"' in page.content.decode()
    assert "Not confirmed" in text(page, ".sheet")


# ---------------------------------------------------------------- the setting


@pytest.mark.usefixtures("others_aside")
def test_the_setting_says_what_it_does_and_is_kept():
    event = make_event(slug="cup")
    client, address = organiser(event), "/desk/cup/settings/second-person/"
    page = client.get(address)
    assert "one person alone can run the event" in " ".join(texts(page, ".pick-one"))
    page = client.post(address, {"second_person": "other_person"}, follow=True)
    assert text(page, ".messages") == "Done Who confirms signed sheets is changed."
    trail = client.get("/desk/cup/settings/trail/")
    assert "Organiser set who confirms signed sheets: another person" in " ".join(texts(trail, "tr"))
    assert text(client.post(address, {"second_person": "other_person"}, follow=True), ".messages") == (
        "Note Nothing was changed."
    )
    assert text(client.post(address, {"second_person": "x"}, follow=True), ".messages") == (
        "Error Choose whether another person confirms sheets."
    )
    event.refresh_from_db()
    assert event.second_person == "other_person"
