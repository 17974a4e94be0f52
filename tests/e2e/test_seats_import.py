"""A schedule made elsewhere in a browser: refused with its cells named, mended, looked at, taken and published."""

import datetime as dt
import io

import pytest
from openpyxl import Workbook

from tests.e2e.conftest import OpenTab
from tests.e2e.desk_hands import look_at_schedule
from tests.e2e.patience import expect
from tests.factories import make_account, name_of, writer_of
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, add_players

ROUNDS = (((1, 2, 3, 4), (5, 6, 7, 8)), ((5, 1, 8, 2), (6, 3, 7, 4)))


@pytest.fixture
def event(live_server) -> Event:
    by = make_account("Organiser")
    event = create_event(
        name="Cup", date=dt.date(2026, 9, 12), rules_key="ema-2025", rounds=2, slug="cup", by=by
    )  # fmt: skip
    add_players(event=event, players=[NewPlayer(name_of(index)) for index in range(8)], by=by)
    return event


def workbook(*, slip: bool) -> bytes:
    """Return the rounds as a workbook; with a slip, one name is misspelt and one player sits twice."""
    book, file = Workbook(), io.BytesIO()
    sheet = book.worksheets[0]
    sheet.append(["Runde", "Tisch", "Ost", "Süd", "West", "Nord"])
    for round_, tables in enumerate(ROUNDS, start=1):
        for table, players in enumerate(tables, start=1):
            sheet.append([round_, table, *(name_of(player - 1) for player in players)])
    if slip:
        sheet["C2"], sheet["F4"] = "Akelai", "Efeu"
    book.save(file)
    return file.getvalue()


# without scripts it is the form that tests/imports/test_seats_import.py sends
@pytest.mark.follows("before/seats-from-a-file.md")
@pytest.mark.parametrize(
    "scripts", [True, pytest.param(False, marks=pytest.mark.nightly)], ids=["with scripts", "without"]
)
def test_a_schedule_is_refused_mended_and_taken(open_tab: OpenTab, event: Event, scripts: bool) -> None:
    desk = open_tab(writer_of(event), scripts=scripts)
    desk.goto("/desk/cup/seating/import/")
    look_at_schedule(desk, "seats.xlsx", workbook(slip=True), head="This file can't be imported yet")
    rows = desk.locator(".file-rows").first
    expect(rows).to_contain_text("C2: there is no “Akelai” in this event. Did you mean Akelei (1)?")
    expect(rows).to_contain_text("F4: Efeu (5) sits in round 2 already, at table 1 (C4).")
    expect(desk.get_by_role("button", name="Use these seats")).to_have_count(0)

    desk.get_by_role("link", name="Choose another file").click()
    look_at_schedule(desk, "seats.xlsx", workbook(slip=False))
    expect(desk.locator(".facts")).to_contain_text("4 (proven least: 4)")
    desk.get_by_role("button", name="Use these seats").click()
    expect(desk.get_by_text("The seats of 2 rounds are imported.")).to_be_visible()
    assert event.rounds.count() == 2
