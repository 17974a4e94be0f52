"""No page and no API lets one person enter a sheet that two must type; what was overtaken is told and sent again."""

from typing import Any
from uuid import uuid4

import pytest

from scoring.paper_sheet import PaperSheet
from tests.factories import enter, make_event, rows_of, table_of, void, writer_of
from tests.pages.at_desk import organiser, referee, table_url, values
from tests.pages.html_reader import text, texts
from tests.penalties.foul_acts import give
from tournament.events.actions import set_second_person
from tournament.events.models import Event
from tournament.sheets.models import TypedSheet

pytestmark = [pytest.mark.once, pytest.mark.django_db]

LINE = "*45200,30000,28000,16800,0"
REFUSED = (
    "In this event two people type the sheet of a table without hands, blind: type that of table 1 at “Enter sheets”."
)


@pytest.fixture
def blind() -> Event:
    event = make_event(slug="cup")
    set_second_person(event=event, second_person="blind", by=writer_of(event))
    event.refresh_from_db()
    return event


def by_api(client: Any, **body: Any) -> Any:
    content = {"client_id": str(uuid4()), "expected_seq": 0, **body}
    address = "/api/v1/events/cup/rounds/1/tables/1/entries"
    return client.post(address, content, content_type="application/json")


def test_the_api_and_the_line_refuse_totals_where_two_people_type(blind: Event):
    client = referee(blind)
    totals = {"kind": "totals", "scores": [45_200, 30_000, 28_000, 16_800], "leftover": 0}
    answer = by_api(client, entry=totals)
    assert answer.status_code == 422
    assert [(each["code"], each["message"]) for each in answer.json()["problems"]] == [("totals.typed_twice", REFUSED)]
    fields = {"line": LINE, "client_id": str(uuid4()), "expected_seq": "0"}
    page = client.post(table_url(blind), fields)
    assert page.status_code == 422
    assert REFUSED in page.content.decode().replace("&#x27;", "'")
    enter(table_of(blind), "2r3 340")
    answer = by_api(client, entry=totals, hand=1, expected_seq=1, reason="from paper")
    assert (answer.status_code, len(rows_of(table_of(blind)))) == (422, 1)


def test_a_sheet_that_was_overtaken_is_sent_anew_under_a_number_of_its_own(blind: Event):
    sheet, act = PaperSheet((45_200, 30_000, 28_000, 16_800), (0,) * 4), uuid4()
    client = referee(blind)
    fields = {
        "client_id": str(act),
        "expected_seq": "0",
        "numbers": "totals",
        **{f"count-{seat}": str(count) for seat, count in enumerate(sheet.counts)},
    }
    address = table_url(blind, end="totals/")
    assert client.post(address, fields).status_code == 302
    enter(table_of(blind), "2r3 340")
    page = client.post(address, fields)
    assert page.status_code == 409
    void(table_of(blind), 1)
    page = client.post(address, fields)
    assert page.status_code == 409
    again = next(each for each in values(page, "client_id") if each)
    assert again != str(act)
    assert client.post(address, fields | {"client_id": again, "expected_seq": "2"}).status_code == 302
    assert [row.ledger_seq for row in TypedSheet.objects.order_by("seq")] == [0, 2]


def test_a_table_with_a_chombo_alone_is_in_the_pile_and_its_totals_are_made_void(blind: Event):
    give(blind, 2, foul="empty_win_shown")
    one, other = referee(blind), organiser(blind)
    assert texts(one.get("/desk/cup/rounds/1/totals/"), ".pile-state") == ["sheet due", "sheet due"]
    fields = {
        "expected_seq": "1",
        "numbers": "totals",
        **{f"count-{seat}": str(count) for seat, count in enumerate((45_200, 30_000, 28_000, 16_800))},
    }
    address = table_url(blind, end="totals/")
    assert one.post(address, fields | {"client_id": str(uuid4())}).status_code == 302
    assert texts(other.get("/desk/cup/rounds/1/totals/"), ".pile-state") == ["second entry is due", "sheet due"]
    assert texts(other.get("/desk/cup/"), ".state")[:2] == ["second entry", "no hands yet"]
    assert other.post(address, fields | {"client_id": str(uuid4())}).status_code == 302
    assert text(other.get(address), ".sheet-note") == "Entered only from its sheet, and confirmed."
    other.post(table_url(blind, end="reopen/"), {"reason": "a complaint"})
    assert f"{table_url(blind)}?void=2" in other.get(address).content.decode()
