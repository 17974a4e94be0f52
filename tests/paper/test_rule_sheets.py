"""Sheets of rules for everybody: one page each, in the reader's language, printed once for all who ask."""

import sys

import pytest
import time_machine
from django.test import Client

from tests.factories import make_event, writer_of
from tests.pages.at_desk import client_of
from tests.paper.conftest import page_texts
from tournament.events.actions import set_compared_with, set_house_rules
from tournament.events.models import Event

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

TITLES = {
    "en": ("What is different here", "House rules", "Setting up a table"),
    "ja": ("この大会の違い", "大会の決まり", "卓の準備"),
    "de": ("Was hier anders ist", "Hausregeln", "Tisch aufbauen"),
    "fr": ("Ce qui est différent ici", "Règles maison", "Préparer une table"),
}
SHEETS = ("differences", "house-rules", "table-setup")


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    event = make_event(slug="cup", tables=1, rounds=1)
    set_compared_with(event=event, key="wrc-2025", by=writer_of(event))
    set_house_rules(event=event, texts={"en-gb": "Be on time.\n- no phones"}, by=writer_of(event))
    return event


@pytest.mark.states("sheet_in_reach")
@pytest.mark.parametrize("sheets", [1, pytest.param(len(SHEETS), marks=pytest.mark.nightly)])
@pytest.mark.parametrize("language", TITLES)
def test_every_sheet_is_one_page_in_the_readers_language(
    client: Client, event: Event, language: str, sheets: int, pytestconfig: pytest.Config
):
    """Print one sheet in each language, by the run's random seed; the nightly run prints all."""
    first = pytestconfig.getoption("randomly_seed", 0) + [*TITLES].index(language)
    for at in range(first, first + sheets):
        sheet, title = SHEETS[at % len(SHEETS)], TITLES[language][at % len(SHEETS)]
        answer = client.get(f"/e/cup/rules/{sheet}.pdf", headers={"Accept-Language": language})
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
        (page,) = page_texts(answer.content)
        assert title in page


@pytest.mark.states("rule_sheet")
def test_the_sheet_of_differences_has_rules_and_fouls_with_their_clauses(client: Client, event: Event):
    (page,) = page_texts(client.get("/e/cup/rules/differences.pdf").content)
    for said in (
        "As in EMA 2025: nothing is changed for this event.",
        "Different from WRC 2025",
        "Who wins when several call ron all of them E25 3.3.1, 3.4.3 only the first after the discarder",
        "Too many or too few tiles in a hand dead hand E25 6.3 chombo 30,000",
        "47 fouls of WRC 2025 are not listed here.",
    ):
        assert said in page


def test_it_is_printed_once_for_all_until_something_changes(
    client: Client, event: Event, monkeypatch: pytest.MonkeyPatch
):
    asked = "/e/cup/rules/house-rules.pdf?paper=letter"
    with time_machine.travel("2026-09-12 10:00 +0000", tick=False) as clock:
        first = client.get(asked).content
        clock.shift(3600)  # each print has its hour at its foot
        assert Client().get(asked).content == first
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    assert Client().get(asked).content == first
    set_house_rules(event=event, texts={"en-gb": "Be late."}, by=writer_of(event))
    answer = client.get(asked)
    assert (answer.status_code, answer["Content-Type"]) == (503, "text/plain; charset=utf-8")
    assert answer.content.decode() == "Printing is not possible now. The page of the rules has the same text."


def test_an_event_without_house_rules_has_no_sheet_of_them(client: Client, event: Event):
    by, address = writer_of(event), "/desk/cup/print/house-rules.pdf"
    desk = client_of(by)
    assert address in desk.get("/desk/cup/paper/").content.decode()
    set_house_rules(event=event, texts={}, by=by)
    assert address not in desk.get("/desk/cup/paper/").content.decode()
    assert (desk.get(address).status_code, client.get("/e/cup/rules/house-rules.pdf").status_code) == (404, 404)


@pytest.mark.parametrize("sheet", ["standings", "penalties", "x"])
def test_no_other_sheet_is_for_everybody(client: Client, event: Event, sheet: str):
    assert client.get(f"/e/cup/rules/{sheet}.pdf").status_code == 404
