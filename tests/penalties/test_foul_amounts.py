"""Amounts of penalties: an organiser changes them, the next penalty takes them; after play began with a reason."""

from typing import Any

import pytest

from tests.factories import enter, table_of
from tests.fixtures import module_event
from tests.pages.at_desk import organiser, referee, values
from tests.pages.html_reader import text, texts
from tournament.events.models import Event

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

URL = "/desk/cup/penalties/give/"
AMOUNTS = "/desk/cup/penalties/amounts/"


made = module_event("rakkii-nomi-2026", slug="cup", tables=2, rounds=1)


def errors(answer: Any) -> list[str]:
    return [line.removeprefix("Error ") for line in texts(answer, ".is-error")]


@pytest.mark.follows("during/penalties.md")
def test_an_organiser_changes_amounts_and_the_next_penalty_takes_them(event: Event):
    client = organiser(event)
    page = client.get(AMOUNTS)
    assert text(page, "h1") == "Amounts of penalties"
    assert values(page, "all_last_sheet") == ["8,000"]
    answer = client.post(AMOUNTS, {"all_last_sheet": "4P", "late": "1,000", "false_tenpai.repeated": "6000"})
    assert (answer.status_code, answer["Location"]) == (302, AMOUNTS)
    page = client.get(AMOUNTS)
    assert texts(page, ".note")[0] == "Done The amounts are changed."
    assert [line for line in texts(page, "tr") if "changed" in line] == [
        "Tenpai declared when noten · if repeated 5,000 changed RK 4, WRC 2025 12.3.6 (7)",
        "Incorrect all-last sheet 8,000 changed RK 4, WRC 2025 12.3.7 (1)",
    ]
    proposed = referee(event).get(f"{URL}?round=1&table=1&player=2&pick=all_last_sheet")
    assert "4,000 points off the total, play goes on." in texts(proposed, "li")
    client.post(AMOUNTS, {})
    assert texts(client.get(AMOUNTS), ".note")[0] == "Done Nothing was changed."


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("lots", "Write points as 20,000 or as 20P."),
        ("101P", "101,000 points is not possible; 0 to 100,000 are."),
    ],
)
def test_an_amount_that_cannot_be_is_said_and_kept_in_its_field(event: Event, typed: str, said: str):
    answer = organiser(event).post(AMOUNTS, {"late": typed})
    assert (answer.status_code, errors(answer), values(answer, "late")) == (422, [said], [typed])
    event.refresh_from_db()
    assert event.foul_amounts == {}


def test_once_play_has_begun_amounts_want_a_reason(event: Event):
    enter(table_of(event), "1t 230")
    client = organiser(event)
    answer = client.post(AMOUNTS, {"late": "2P"})
    assert (answer.status_code, errors(answer)) == (422, ["Play has begun: say why the amounts change."])
    assert client.post(AMOUNTS, {"late": "2P", "reason": "the trams"}).status_code == 302


def test_amounts_are_the_organisers_and_no_referees(event: Event):
    assert referee(event).get(AMOUNTS).status_code == 404
    assert "Amounts" not in texts(referee(event).get("/desk/cup/penalties/"), "a")
    assert "Amounts" in texts(organiser(event).get("/desk/cup/penalties/"), "a")
