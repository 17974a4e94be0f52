"""The rota of referees and the list of equipment: saved as rows, what they leave open, what is refused."""

from typing import Any

import pytest

from tests.factories import writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import organiser, referee
from tests.pages.html_reader import text, texts
from tournament.core.errors import DomainError
from tournament.core.hash_chain import checksum
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.hall.actions import read_tables, set_rota
from tournament.hall.rota import cover_of
from tournament.tables.models import Seat

pytestmark = [pytest.mark.once, pytest.mark.django_db]

ROTA, EQUIPMENT = "/desk/cup/settings/rota/", "/desk/cup/settings/equipment/"
made = module_event(tables=9, rounds=2, slug="cup")  # 36 players: EMA asks for two referees


def rows(seen: list[dict[str, Any]], *typed: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a page with these rows; `seen` is the list that it has shown."""
    head = {"row-TOTAL_FORMS": len(typed), "row-INITIAL_FORMS": 0, "seen": checksum(seen)}
    return head | {f"row-{at}-{name}": value for at, row in enumerate(typed) for name, value in row.items()}


def own_table(event: Event, player: int) -> int:
    return Seat.objects.get(round__event=event, round__number=1, player__number=player).table.number


@pytest.mark.parametrize("wrong", ["a", "4-2", "0", "1--2", "1.5", "9999"])
def test_tables_that_cannot_be_read_are_refused(wrong: str):
    with pytest.raises(DomainError):
        read_tables(wrong)


@pytest.mark.follows("before/referees.md")
def test_a_rota_is_saved_and_says_what_it_leaves_open(event: Event):
    client = referee(event)
    page = client.post(ROTA, rows([], {"name": "Rita", "round_1": "1-5", "round_2": "1-9"}, {}), follow=True)
    assert texts(page, ".messages") == ["Done The rota is saved."]
    event.refresh_from_db()
    assert event.rota == [{"name": "Rita", "player": 0, "rounds": {"1": "1-5", "2": "1-9"}}]
    assert "EMA asks for a referee for every 32 players: 2 for 36." in texts(page, "p")
    assert [" ".join(row.split()) for row in texts(page, "tr")[-2:]] == ["1 1 – 6, 7, 8, 9", "2 1 – –"]
    assert AuditRow.objects.filter(event=event, verb="rota_set").count() == 1


def test_a_referee_never_has_their_own_table(event: Event):
    at = own_table(event, 3)
    typed = {"name": "Cyan", "player": "3", "round_1": str(at)}
    page = referee(event).post(ROTA, rows([], typed))
    said = f"Cyan plays at table {at} in round 1: give that table to another referee."
    assert (page.status_code, texts(page, ".is-error")) == (422, [f"Error {said}"])
    event.refresh_from_db()
    assert event.rota == []
    others = f"1-{at - 1}" if at > 1 else "2-9"
    assert referee(event).post(ROTA, rows([], {**typed, "round_1": others})).status_code == 302


def test_seats_that_are_drawn_later_are_warned_of(event: Event):
    at = own_table(event, 3)
    Event.objects.filter(pk=event.pk).update(rota=[{"name": "Cyan", "player": 3, "rounds": {"1": str(at)}}])
    assert f"Cyan plays at table {at} in round 1" in text(referee(event).get(ROTA), ".note")


def test_what_somebody_else_has_saved_is_not_lost(event: Event):
    row = {"name": "Rita", "player": 0, "rounds": {}}
    by = writer_of(event)
    assert set_rota(event=event, rows=[row], seen=checksum([]), by=by)
    assert not set_rota(event=event, rows=[row], seen=checksum([]), by=by)  # sent twice
    with pytest.raises(DomainError):
        set_rota(event=event, rows=[{**row, "name": "Ben"}], seen=checksum([]), by=by)


def test_tables_need_a_name_and_stay_typed(event: Event):
    page = referee(event).post(ROTA, rows([], {"name": "", "round_1": "1-4"}))
    assert "Error Write the referee's name." in [f"Error {each}" for each in texts(page, ".error")]
    assert b'value="1-4"' in page.content


def test_a_break_is_a_round_without_tables():
    rota = [{"name": "Rita", "rounds": {"1": "1-2"}}, {"name": "Ben", "rounds": {"2": "1"}}]
    cover = cover_of(rota, {1: [1, 2], 2: [1, 2]})
    assert [(each.number, each.referees, each.breaks, each.without) for each in cover] == [
        (1, 1, ["Ben"], []),
        (2, 1, ["Rita"], [2]),
    ]


def test_two_referees_of_one_name_cover_the_tables_of_both():
    rota = [{"name": "Anna", "player": 0, "rounds": {"1": tables}} for tables in ("1", "2", "")]
    (cover,) = cover_of(rota, {1: [1, 2, 3]})
    assert (cover.referees, cover.breaks, cover.without) == (2, ["Anna"], [3])


SET = {"who": "Anna", "what": "AMOS, red fives", "table": "1", "mat": "on", "sticks": "on"}


@pytest.mark.follows("before/hand-outs.md")
def test_equipment_is_counted_and_listed_for_the_way_home(event: Event):
    client = organiser(event)
    page = client.post(EQUIPMENT, rows([], SET, {"who": "Ben", "table": "2", "returned": "on"}), follow=True)
    assert "Sets: 2 / 9 · Mats: 1 / 9 · Sets of sticks: 1 / 9 · no set yet for table 3, 4, 5, 6, 7, 8, 9" in [
        each.replace("Warning ", "") for each in texts(page, "p")
    ]
    assert texts(page, "tr")[-1] == "Anna AMOS, red fives 1 Mat, Sticks"
    event.refresh_from_db()
    assert [(row["who"], row["returned"]) for row in event.equipment] == [("Anna", False), ("Ben", True)]


def test_a_set_needs_somebody_who_gets_it_back(event: Event):
    page = organiser(event).post(EQUIPMENT, rows([], {**SET, "who": ""}))
    assert "Write who brings it." in texts(page, ".error")[0]


def test_a_referee_reads_the_equipment_and_does_not_change_it(event: Event):
    assert referee(event).get(EQUIPMENT).status_code == 200
    assert referee(event).post(EQUIPMENT, rows([], SET)).status_code == 403
