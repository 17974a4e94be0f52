"""Paper at the desk: what is offered, how it is made, and a booklet from the first step to its PDF."""

import io
import re
import sys
import threading
from collections.abc import Iterator
from html import unescape

import pytest
from django.template.loader import render_to_string
from django.test import Client
from pypdf import PdfReader

from tests.factories import enter, enter_all, fresh, make_event, play_round, table_of
from tests.fixtures import module_event
from tests.pages.at_desk import HTMX, organiser, referee
from tests.pages.html_reader import text, texts
from tests.paper.conftest import page_texts
from tournament.events.models import Event
from tournament.pages.files import get_head
from tournament.paper.choices import SHEETS, PrintRequest
from tournament.paper.views import Booklet, State, press
from tournament.pdf.printers import printers
from tournament.pdf.render import Printed, Progress, page_values

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


made = module_event(slug="cup", tables=2, rounds=2)


@pytest.fixture(scope="module")
def made_and_played(rows_of_module: None) -> Event:
    event = make_event(slug="played", tables=2, rounds=2)
    play_round(event, 1, "2r3 340")
    enter(table_of(event, round_=2), "1t y")
    return event


@pytest.fixture
def played(made_and_played: Event) -> Event:
    return fresh(made_and_played)


@pytest.fixture(autouse=True)
def _empty_press() -> Iterator[None]:
    press.booklets.clear()
    yield
    for thread in threading.enumerate():
        if thread.name == "press":
            thread.join(60)


def chosen(answer) -> str:
    (name,) = re.findall(r'aria-current="true">([^<]+)</a>(?=<a|</p>)', answer.content.decode())
    return name


OF_ONE_EVENT = sorted(set(SHEETS) - {"certificates", "house-rules"})


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Deal a third of the sheets by the run's random seed; the nightly run prints all."""
    if "dealt" in metafunc.fixturenames:
        dealt = OF_ONE_EVENT[metafunc.config.getoption("randomly_seed", 0) % 3 :: 3]
        nightly = [pytest.param(sheet, marks=pytest.mark.nightly) for sheet in OF_ONE_EVENT]
        metafunc.parametrize("dealt", [*dealt, *nightly])


def test_a_sheet_is_printed_from_a_played_event(played: Event, dealt: str):
    answer = referee(played).get(f"/desk/played/print/{dealt}.pdf?round=2&paper=letter")
    assert (answer.status_code, answer["Content-Type"], answer.content[:5]) == (200, "application/pdf", b"%PDF-")
    assert answer["Content-Disposition"].startswith(f'inline; filename="played-{dealt}-')
    told = page_texts(answer.content)
    assert told
    assert [page for page in told if played.name not in page] == []


@pytest.mark.follows("before/paper.md")
@pytest.mark.parametrize("sheet", OF_ONE_EVENT)
def test_every_sheet_is_made_from_a_played_event(played: Event, sheet: str):
    head = get_head(played)
    made = SHEETS[sheet].make(PrintRequest(played, head, 2, "http://192.168.1.5:8000", 3))
    texts = [
        render_to_string(f"pdf/{each.page}.html", {**page_values(head), **part})
        for each in (made, *made.then)
        for part in each.portions
    ]
    assert texts
    assert [text for text in texts if played.name not in text] == []


def test_everything_for_a_round_is_its_sheets_one_after_another(played: Event):
    client, end = referee(played), ".pdf?round=2"
    parts = [
        page_texts(client.get(f"/desk/played/print/{sheet}{end}").content)
        for sheet in ("seating-poster", "report-sheets", "all-last")
    ]
    whole = page_texts(client.get(f"/desk/played/print/whole-round{end}").content)
    assert len(whole) == sum(map(len, parts)) == 4
    for page, alone in zip(whole, (page for part in parts for page in part), strict=True):
        assert set(page.split()) >= {word for word in alone.split() if word.isalpha()}


@pytest.mark.follows("after/print.md")
def test_certificates_are_for_the_best_three_or_for_all(event: Event, played: Event):
    client = organiser(played)
    assert organiser(event).get("/desk/cup/print/certificates.pdf").status_code == 404
    best, everybody = (
        page_texts(client.get(f"/desk/played/print/certificates.pdf{end}").content) for end in ("", "?all=1")
    )
    assert ["of 8" in page for page in everybody] == [True] * 8
    assert 3 <= len(best) < 8


@pytest.mark.follows("during/print.md")
def test_what_is_printed_links_to_a_sheet_or_booklet_that_there_is(event: Event):
    page = organiser(event).get("/desk/cup/paper/").content.decode()
    found = set(re.findall(r'href="/desk/cup/print/([a-z-]+)(\.pdf|/)', page))
    assert {name for name, _ in found} == set(SHEETS) - {"standings-held", "seating-by-table", "house-rules"} | {
        "all-last-filled"
    }
    assert {name for name, end in found if end == "/"} == {name for name, sheet in SHEETS.items() if sheet.booklet}


def test_the_paper_that_was_chosen_is_used_until_another_is(event: Event):
    client = referee(event)

    def size() -> int:
        answer = client.get("/desk/cup/print/standings.pdf")
        return round(PdfReader(io.BytesIO(answer.content)).pages[0].mediabox.width)

    assert (size(), chosen(client.get("/desk/cup/paper/"))) == (595, "A4")
    assert chosen(client.get("/desk/cup/paper/?paper=letter")) == "US letter"
    assert size() == 612
    client.get("/desk/cup/paper/?paper=parchment")
    assert size() == 595


def test_the_code_of_a_report_sheet_opens_that_table(event: Event):
    ask = PrintRequest(event, get_head(event), 2, "http://192.168.1.5:8000", 3)
    made = SHEETS["report-sheets"].make(ask)
    codes = [sheet["code"] for part in made.portions for sheet in part["sheets"]]
    assert codes == [f"http://192.168.1.5:8000/desk/cup/rounds/2/tables/{number}/" for number in (1, 2)]


# ---------------------------------------------------------------- printed apart


def test_who_looks_at_the_list_has_a_process_made_ready_once(event: Event):
    printers.end()
    before = printers.started
    client = referee(event)
    for _ in range(2):
        client.get("/desk/cup/paper/")
    assert [each.can_print for each in printers.free] == [True]
    assert printers.started == before + 1


@pytest.mark.parametrize("address", ["penalties.pdf", "badges.pdf"])
def test_where_what_prints_dies_the_page_says_so_and_offers_another_try(
    event: Event, address: str, monkeypatch: pytest.MonkeyPatch
):
    printers.end()
    monkeypatch.setattr(printers, "line", (sys.executable, "-c", "pass"))
    client = referee(event)
    answer = client.get(f"/desk/cup/print/{address}")
    at = " at step 1 of 1" if address == "badges.pdf" else ""
    why = f"Error It stopped{at}: the printing process has stopped. Everything else works; try again."
    assert (answer.status_code, text(answer, "h1"), texts(answer, ".note")) == (503, "Not printed", [why])
    assert f'href="/desk/cup/print/{address}">Try again</a>' in answer.content.decode()
    monkeypatch.undo()
    assert client.get(f"/desk/cup/print/{address}").content[:5] == b"%PDF-"


# ---------------------------------------------------------------- booklets


def key_of() -> str:
    (key,) = press.booklets
    return key


def begun(client: Client, sheet: str) -> tuple[str, Printed]:
    """Have a booklet printed and forgotten again: its key, and what was printed."""
    client.get(f"/desk/cup/print/{sheet}/")
    key = key_of()
    printed = press.wait(key, lambda _told: pytest.fail("it is printed already")).printed
    assert printed is not None
    press.booklets.clear()
    return key, printed


@pytest.mark.follows("before/paper.md")
def test_a_booklet_is_printed_in_the_background_and_leads_to_its_pdf(event: Event):
    client = referee(event)
    page = client.get("/desk/cup/print/report-sheets/?round=1")
    assert page.status_code in (200, 302)
    press.wait(key_of(), lambda _told: pytest.fail("it is printed already"))
    done = client.get("/desk/cup/print/report-sheets/?round=1")
    assert (done.status_code, done["Location"]) == (302, "/desk/cup/print/report-sheets.pdf?round=1&paper=a4")
    moving = client.get("/desk/cup/print/report-sheets/?round=1", headers=HTMX)
    assert (moving.status_code, moving["HX-Redirect"]) == (204, done["Location"])
    assert len(page_texts(client.get(done["Location"]).content)) == 2
    assert len(press.booklets) == 1


def test_how_far_a_booklet_is_stands_on_its_page(event: Event):
    client, go, half = referee(event), threading.Event(), threading.Event()
    key, _printed = begun(client, "badges")

    def slow(told: Progress):
        told(3, 8)
        half.set()
        go.wait()
        raise OSError("disk full")

    press.start(key, slow)
    half.wait()
    page = client.get("/desk/cup/print/badges/")
    assert text(page, ".draft-progress") == "Printing, 37 %"
    assert 'hx-trigger="every 400ms"' in page.content.decode()
    go.set()
    press.wait(key, slow)
    failed = client.get("/desk/cup/print/badges/")
    why = "It stopped at step 4 of 8: OSError: disk full. Everything else works; try again."
    assert text(failed, "#booklet") == f"The booklet could not be printed. {why} Try again"
    assert 'hx-trigger="every 400ms"' not in failed.content.decode()
    again = client.get("/desk/cup/print/badges/?again=1")
    assert again.status_code in (200, 302)
    assert press.wait(key, slow).state == State.DONE


def test_a_booklet_is_printed_once_until_something_on_it_changes(event: Event):
    client = referee(event)
    client.get("/desk/cup/print/badges.pdf")
    enter(table_of(event), "2r3 340")
    client.get("/desk/cup/print/badges.pdf")
    assert len(press.booklets) == 1
    person = event.players.get(number=1).person
    person.preferred_name = "Somebody Else"
    person.save()
    client.get("/desk/cup/print/badges.pdf")
    assert len(press.booklets) == 2


def test_a_hand_that_is_entered_meanwhile_does_not_begin_a_booklet_anew(event: Event):
    client, go = referee(event), threading.Event()
    key, printed = begun(client, "event-log")

    def slow(_told: Progress):
        go.wait()
        return printed

    press.start(key, slow)
    page = client.get("/desk/cup/print/event-log/").content.decode()
    (address,) = re.findall(r'hx-get="([^"]+)" hx-trigger="every 400ms"', page)
    enter(table_of(event), "2r3 340")
    moving = client.get(unescape(address), headers=HTMX)
    assert (moving.status_code, list(press.booklets)) == (200, [key])
    go.set()
    press.wait(key, slow)
    pdf = client.get(unescape(address), headers=HTMX)["HX-Redirect"]
    assert pdf.startswith("/desk/cup/print/event-log.pdf?")
    assert client.get(pdf).content == printed.pdf
    assert list(press.booklets) == [key]


def test_the_log_of_one_round_has_no_other(event: Event):
    client = referee(event)
    for number in (1, 2):
        enter(table_of(event, round_=number), "2r3 340")
    told = {
        number: " ".join(page_texts(client.get(f"/desk/cup/print/event-log.pdf?round={number}").content))
        for number in ("1", "2", "0", "")
    }
    heads = {number: [head in text for head in ("Round 1", "Round 2")] for number, text in told.items()}
    assert heads == {"1": [True, False], "2": [False, True], "0": [True, True], "": [True, True]}
    assert client.get("/desk/cup/print/event-log.pdf?round=9").status_code == 404
    page = client.get("/desk/cup/paper/").text
    assert [f"/desk/cup/print/event-log/{end}" in page for end in ('"', '?round=1"', '?round=2"')] == [True] * 3


def test_a_letter_without_a_font_is_said_before_the_booklet_is_opened(event: Event):
    person = event.players.get(number=1).person
    person.preferred_name = "Ann \U0001313a"
    person.save()
    client = referee(event)
    client.get("/desk/cup/print/badges/")
    press.wait(key_of(), lambda _told: pytest.fail("it is printed already"))
    page = client.get("/desk/cup/print/badges/")
    assert "No font on this computer has these letters: U+1313A." in text(page, "#booklet")


@pytest.mark.follows("during/print.md")
def test_filled_all_last_sheets_are_on_the_chosen_paper_and_in_the_language_of_the_event(db: None):
    event = make_event(slug="last", tables=1, rounds=1)
    enter_all(table_of(event), "2r1 330", "3r2 330", "4r3 m", "1r4 240", "2r1 230", "3t 330", "2r3 340")
    Event.objects.filter(pk=event.pk).update(language="de")
    answer = referee(event).get("/desk/last/print/all-last-filled.pdf?paper=letter")
    assert round(PdfReader(io.BytesIO(answer.content)).pages[0].mediabox.width) == 612
    (page,) = page_texts(answer.content)
    assert "All-Last-Blatt" in page


@pytest.mark.parametrize("address", ["nothing/", "seating/", "report-sheets/?round=9"])
def test_a_booklet_that_is_none_is_not_found(event: Event, address: str):
    assert referee(event).get(f"/desk/cup/print/{address}").status_code == 404


def test_a_booklet_starts_as_nothing_done():
    assert (Booklet().state, Booklet().done, Booklet().over) == (State.WAITING, 0, False)
