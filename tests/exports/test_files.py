"""Paper and files at the desk: what is offered when, what may be asked for, and results that are not public yet."""

import io
import json
import sys

import openpyxl
import pytest

from tests.factories import enter, make_event, play_round, round_of, sign, table_of, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import organiser, referee
from tests.pages.html_reader import text, texts
from tournament.events.models import Event
from tournament.pdf.render import install_hint
from tournament.rounds.actions import release_round

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


made = module_event(slug="cup", tables=2, rounds=2)


@pytest.mark.usefixtures("others_aside")
def test_paper_of_an_event_without_seats_says_when_there_will_be_some():
    event = make_event(slug="cup", tables=1, rounds=1, published=False)
    event.rounds.all().delete()
    assert text(organiser(event).get("/desk/cup/paper/"), ".empty") == (
        "No seats are drawn yet Once seats are drawn, the seating list and the sheets appear here. Seating"
    )
    assert text(referee(event).get("/desk/cup/paper/"), ".empty") == (
        "No seats are drawn yet Once seats are drawn, the seating list and the sheets appear here."
    )
    assert organiser(event).get("/desk/cup/print/seating.pdf").status_code == 404


@pytest.mark.once
def test_every_sheet_is_a_pdf_with_a_name_that_says_what_it_is(event: Event):
    client = referee(event)
    for sheet in ("seating", "report-sheets", "all-last", "standings", "call-slip"):
        answer = client.get(f"/desk/cup/print/{sheet}.pdf?round=1")
        assert (sheet, answer.status_code, answer["Content-Type"], answer.content[:5]) == (
            sheet, 200, "application/pdf", b"%PDF-",
        )  # fmt: skip
        assert answer["Content-Disposition"].startswith(f'inline; filename="cup-{sheet}-')
        assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize("address", ["nothing.pdf", "report-sheets.pdf?round=9", "all-last.pdf?round=0"])
def test_a_sheet_that_is_none_is_not_found(event: Event, address: str):
    assert referee(event).get(f"/desk/cup/print/{address}").status_code == 404


@pytest.mark.usefixtures("without_weasyprint")
def test_where_no_pdf_can_be_made_the_page_says_so(event: Event):
    answer = referee(event).get("/desk/cup/print/seating.pdf")
    assert answer.status_code == 503
    assert texts(answer, ".note") == [f"Error {install_hint(sys.platform)}"]


# ---------------------------------------------------------------- results


def test_no_results_yet(event: Event):
    assert text(referee(event).get("/desk/cup/results/"), ".empty") == (
        "No results yet They appear here as soon as a table is signed. All tables"
    )


@pytest.mark.once
def test_signed_tables_are_counted_before_they_are_public_and_marked(event: Event):
    enter(table_of(event), "2r3 340")
    sign(table_of(event))
    page = referee(event).get("/desk/cup/results/")
    assert texts(page, ".note") == [
        (
            "Warning Signed tables of round 1 are counted here and are not public yet. "
            "Files and PDF have the released rounds only."
        )
    ]
    assert texts(page, ".who")[0].startswith("Birk")
    assert texts(page, "thead") == ["Place Player Round 1 Total"]  # in sight at once: the rest is in the files
    assert "Birk" not in text(referee(event).get("/e/cup/standings/"), "main")
    enter(table_of(event, 2), "2r3 340")
    sign(table_of(event, 2))
    release_round(round_=round_of(event), by=writer_of(event))
    assert texts(referee(event).get("/desk/cup/results/"), ".note") == []


@pytest.mark.follows("after/results.md")
@pytest.mark.once
def test_the_workbook_holds_real_numbers_of_the_released_rounds(event: Event):
    play_round(event, 1, "2r3 340")
    enter(table_of(event, round_=2), "1t y")
    sign(table_of(event, round_=2))
    answer = organiser(event).get("/desk/cup/export/results.xlsx")
    assert answer["Content-Disposition"].startswith('attachment; filename="cup-results-')
    book = openpyxl.load_workbook(io.BytesIO(answer.content))
    sheet = book.worksheets[0]
    found = {cell.value: row for row in sheet.iter_rows() for cell in row if cell.value in ("Birk", "Farn")}
    numbers = {name: [c.value for c in row if isinstance(c.value, int | float)] for name, row in found.items()}
    assert numbers["Birk"] == numbers["Farn"]
    assert numbers["Birk"][-1] == 20_200


def test_the_event_file_is_the_commands_own(event: Event):
    play_round(event, 1, "2r3 340")
    answer = organiser(event).get("/desk/cup/export/event.json")
    assert answer["Content-Type"] == "application/json"
    assert json.loads(answer.content)


@pytest.mark.usefixtures("others_aside")
@pytest.mark.once
@pytest.mark.parametrize("tables", [1, 3])
def test_the_results_ask_the_same_number_of_questions_whatever_their_length(django_assert_num_queries, tables: int):
    event = make_event(slug="cup", tables=tables, rounds=2)
    play_round(event, 1, "2r3 340")
    client = organiser(event)
    with django_assert_num_queries(30):
        client.get("/desk/cup/results/")
