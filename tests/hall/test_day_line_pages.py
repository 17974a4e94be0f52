"""The day's line from check-in to release: ready ticks, what is missing in words, and the one act that comes next."""

import json
import re
from typing import Any
from uuid import uuid4

import pytest

from tests.factories import enter, make_account, make_event, play_round, round_of, sign, table_of, writer_of
from tests.pages.at_desk import HTMX, client_of, organiser, referee, table_url
from tests.pages.html_reader import text, texts
from tournament.accounts.models import Membership, Role
from tournament.core.models import AuditRow
from tournament.events.actions import create_event, set_second_person
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, add_players, check_in
from tournament.rounds.actions import set_ready, start_round
from tournament.sheets.actions import confirm_sheet, reject_sheet

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

DESK = "/desk/cup/"
READY = "/desk/cup/rounds/1/ready/"


def main_acts(page: Any) -> list[str]:
    """List what the page offers as its one main act, in words; what stands in a shut part is none."""
    source = re.sub(r"<details.*?</details>", "", page.content.decode(), flags=re.DOTALL)
    found = re.findall(r'<(?:a|button)[^>]*class="button is-main"[^>]*>(.*?)</(?:a|button)>', source, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", "", each).split()) for each in found]


def missing(page: Any) -> str:
    return text(page, ".grid-missing")


def played(tables: int = 2, **values: Any) -> Event:
    event = make_event(tables=tables, rounds=2, slug="cup", **values)
    for number in range(1, tables + 1):
        enter(table_of(event, number), "1t 230")
    return event


# ---------------------------------------------------------------- before the clock


def test_the_morning_leads_from_players_to_seats():
    writer = make_account("Organiser")
    event = create_event(name="Cup", date=make_event().date, rules_key="ema-2025", rounds=1, slug="cup", by=writer)
    client, helper = client_of(writer), referee(event)
    assert (main_acts(client.get(DESK)), main_acts(helper.get(DESK))) == (["Players"], [])
    players = add_players(event=event, players=[NewPlayer(name) for name in "ABCD"], by=writer)
    assert (main_acts(client.get(DESK)), main_acts(helper.get(DESK))) == (["Check players in"], ["Check players in"])
    for player in players:
        check_in(player=player, here=True, by=writer)
    assert (main_acts(client.get(DESK)), main_acts(helper.get(DESK))) == (["Draw the seats"], [])


def test_ready_ticks_are_counted_and_said():
    event = make_event(tables=3, rounds=1, slug="cup")
    client = referee(event)
    page = client.get(DESK)
    assert (missing(page), main_acts(page)) == ("No table is ready yet.", ["Start the clock"])
    page = client.post(READY, {"ready": "2"}, follow=True)
    assert missing(page) == "Tables 1 and 3 are not ready."
    assert texts(page, ".step")[3] == "Ready now 1 of 3"
    assert (main_acts(page), texts(page, ".state")[:3]) == ([], ["waiting", "ready", "waiting"])
    page = client.post(READY, {"not_ready": "2"}, follow=True)
    assert missing(page) == "No table is ready yet."
    page = client.post(READY, {"ready": ["1", "2", "3"]}, follow=True)
    assert missing(page) == "All tables are ready: the clock can start."
    assert (texts(page, ".step")[3], main_acts(page)) == ("Ready done 3 of 3", ["Start the clock"])


def test_the_others_are_ticked_in_one_act():
    event = make_event(tables=3, rounds=1, slug="cup")
    set_ready(round_=round_of(event), tables=[2], ready=True, by=writer_of(event))
    page = organiser(event).get(DESK)
    assert "Mark the rest ready" in texts(page, ".button")
    fields = re.findall(r'<input type="hidden" name="ready" value="(\d)">', page.content.decode())
    assert fields == ["1", "3"]


def test_ready_ticks_sent_twice_are_one_act():
    event = make_event(slug="cup", tables=2)
    client, url = referee(event), "/desk/cup/rounds/1/ready/"
    acts = json.dumps(
        [[str(uuid4()), {"ready": "1"}], [str(uuid4()), {"not_ready": "1"}], [str(uuid4()), {"ready": "9"}]]
    )
    for _ in range(2):
        answer = client.post(url, {"acts": acts}, headers={"Accept": "application/json"}).json()
        assert [bool(each["problems"]) for each in answer["answers"]] == [False, False, True]
    assert AuditRow.objects.filter(verb__in=("tables_ready", "tables_not_ready")).count() == 2


def test_a_clock_that_runs_takes_no_ready_ticks():
    event = make_event(tables=2, rounds=1, slug="cup")
    client = referee(event)
    start_round(round_=round_of(event), by=writer_of(event))
    page = client.post(READY, {"ready": "1"}, follow=True)
    assert text(page, ".messages") == ("Error The clock of round 1 is running: ready ticks are for the time before it.")
    assert texts(page, ".tile-ready") == []
    assert missing(page) == "No hand is entered yet: open a table."


def test_a_table_is_ticked_on_its_own_page():
    event = make_event(tables=2, rounds=1, slug="cup")
    client = referee(event)
    assert "Ready" in texts(client.get(table_url(event)), ".button")
    answer = client.post(READY, {"ready": "1", "back": "table"})
    assert answer["Location"] == table_url(event)
    assert round_of(event).tables.filter(ready_at__isnull=False).count() == 1
    enter(table_of(event), "1t 230")
    assert "Ready" not in texts(client.get(table_url(event)), ".button")


@pytest.mark.parametrize("typed", ["9", "x", ""])
def test_a_table_that_is_not_there_is_no_table(typed: str):
    event = make_event(tables=2, rounds=1, slug="cup")
    page = referee(event).post(READY, {"ready": typed}, follow=True)
    assert text(page, ".messages").endswith("in round 1.")
    assert round_of(event).tables.filter(ready_at__isnull=False).count() == 0


def test_a_tick_answers_with_the_grid():
    event = make_event(tables=2, rounds=1, slug="cup")
    page = referee(event).post(READY, {"ready": "1"}, headers=HTMX, follow=True)
    assert "<html" not in page.content.decode()
    assert missing(page) == "Table 2 is not ready."


# ---------------------------------------------------------------- sheets and the second person


def test_sheets_that_nobody_has_confirmed_are_named():
    event = played(tables=4)
    set_second_person(event=event, second_person="other_person", by=writer_of(event))
    for number in (2, 3):
        sign(table_of(event, number))
    page = organiser(event).get(DESK)
    assert missing(page) == "Tables 1 and 4 still play; 2 sheets not confirmed: 2 and 3."
    assert [state for state in texts(page, ".state") if state != "1 warning"] == [
        "playing", "to confirm", "to confirm", "playing",
    ]  # fmt: skip
    assert main_acts(page) == []  # who signed them does not confirm them
    assert main_acts(referee(event).get(DESK)) == ["Confirm table 2"]


def test_the_line_has_a_step_for_it_where_the_event_asks():
    event = played()
    assert [step.partition(" ")[0] for step in texts(organiser(event).get(DESK), ".step")] == [
        "Players", "Seats", "Published", "Ready", "Playing", "Sheets", "Released",
    ]  # fmt: skip
    set_second_person(event=event, second_person="other_person", by=writer_of(event))
    for number in (1, 2):
        sign(table_of(event, number))
    confirm_sheet(table=table_of(event), sheet=1, by=make_account())
    assert texts(organiser(event).get(DESK), ".step")[5:] == [
        "Sheets in done 2 of 2", "Confirmed now 1 of 2", "Released",
    ]  # fmt: skip
    confirm_sheet(table=table_of(event, 2), sheet=1, by=make_account())
    page = organiser(event).get(DESK)
    assert missing(page) == "All sheets are confirmed: the round can be released."
    assert main_acts(page) == ["Release round 1"]
    assert main_acts(referee(event).get(DESK)) == []


@pytest.mark.postgresql
def test_a_round_with_an_unconfirmed_sheet_is_not_released():
    event = played()
    set_second_person(event=event, second_person="other_person", by=writer_of(event))
    for number in (1, 2):
        sign(table_of(event, number))
    page = organiser(event).post("/desk/cup/rounds/1/release/", follow=True)
    assert text(page, ".messages") == (
        "Error Round 1 cannot be released: the sheets of tables 1 and 2 are not confirmed."
    )
    assert round_of(event).state != "released"


def test_a_sheet_that_was_sent_back_is_named():
    event = played()
    set_second_person(event=event, second_person="other_person", by=writer_of(event))
    sign(table_of(event))
    reject_sheet(table=table_of(event), sheet=1, reason="swapped", by=make_account())
    page = organiser(event).get(DESK)
    assert missing(page) == "Table 2 still plays; table 1 was sent back."
    assert texts(page, ".state") == ["sent back", "playing"]


def test_a_released_round_leads_to_the_next_and_the_last_to_the_results():
    event = make_event(tables=1, rounds=2, slug="cup")
    client = organiser(event)
    play_round(event, 1, "1t 230")
    assert main_acts(client.get(f"{DESK}?round=1")) == ["Continue to round 2"]
    play_round(event, 2, "1t 230")
    assert main_acts(client.get(DESK)) == ["Results"]


def test_no_page_of_the_desk_has_two_main_acts():
    event = make_event(tables=2, rounds=1, slug="cup")
    second = make_account("Second")
    Membership.objects.create(event=event, account=second, role=Role.REFEREE)
    set_second_person(event=event, second_person="other_person", by=writer_of(event))
    client = client_of(second)
    seen = [len(main_acts(client.get(DESK)))]
    for number in (1, 2):
        enter(table_of(event, number), "1t 230")
        seen.append(len(main_acts(client.get(DESK))))
        sign(table_of(event, number))
        seen.append(len(main_acts(client.get(DESK))))
    assert seen == [1, 0, 1, 1, 1]
