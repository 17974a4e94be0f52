"""Who is at the desk, as its pages ask; and what came between at a table."""

import re
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from tests.factories import correct, enter, make_account, make_event, round_of, sign, table_of, void, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import organiser, referee, send, table_url, values
from tests.pages.html_reader import texts
from tournament.calls.actions import call_referee
from tournament.events.models import Event
from tournament.hall.models import DeskPresence
from tournament.seating.seat_actions import swap_players
from tournament.sheets.actions import reopen_table

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

TABLE = "/desk/cup/rounds/1/tables/1/"


made = module_event(slug="cup", tables=2, rounds=2)


def ask(client: Client, path: str, *, tab: str = "a", typing: str = "", **fields: str) -> Any:
    return client.post("/desk/cup/presence/", {"tab": tab, "path": path, "typing": typing, **fields})


def said(client: Client, path: str, tab: str = "a") -> list[str]:
    return [person["say"] for person in ask(client, path, tab=tab).json()["people"] if person["here"]]


def test_two_at_one_table_see_each_other(event: Event):
    ana, ben = referee(event, "Ana"), referee(event, "Ben")
    assert ask(ana, TABLE, typing="1").json() == {"people": [], "calls": 0}
    assert said(ben, TABLE) == ["Ana is typing here."]
    assert said(ana, TABLE) == ["Ben is here, too."]
    ask(ana, f"{TABLE}seats/")
    assert said(ben, TABLE) == ["Ana is here, too."]  # every page of a table is at that table


def test_the_grid_learns_who_is_at_which_table(event: Event):
    ana, ben = referee(event, "Ana"), referee(event, "Ben")
    ask(ana, "/desk/cup/rounds/1/tables/2/", typing="1")
    (person,) = ask(ben, "/desk/cup/").json()["people"]
    assert person == {
        "name": "Ana", "place": "table", "round": 1, "table": 2, "typing": True, "here": False,
        "say": "Ana is typing at table 2.", "at": "Ana is typing at table 2.",
    }  # fmt: skip
    assert said(ana, "/desk/cup/rounds/1/tables/2/") == []


@pytest.mark.parametrize(
    ("one", "other", "seen"),
    [
        ("/desk/cup/seating/", "/desk/cup/seating/", ["Ana is here, too."]),
        ("/desk/cup/seating/swap/", "/desk/cup/seating/", ["Ana is here, too."]),
        ("/desk/cup/rounds/1/release/", "/desk/cup/rounds/1/release/", ["Ana is here, too."]),
        ("/desk/cup/rounds/1/release/", "/desk/cup/rounds/2/release/", []),
        ("/desk/cup/rounds/2/tables/1/", TABLE, []),
        ("/desk/cup/", "/desk/cup/", []),
    ],
)
def test_two_on_one_page_of_a_round_see_each_other(event: Event, one: str, other: str, seen: list[str]):
    ana = referee(event, "Ana")
    ask(ana, one)
    assert said(organiser(event), other) == seen


def test_ones_own_other_window_is_said_to_be_so(event: Event):
    ana = referee(event, "Ana")
    ask(ana, TABLE, tab="a")
    assert said(ana, TABLE, tab="b") == ["You have this page open in another window, too."]


def test_a_page_that_goes_is_gone(event: Event):
    ana, ben = referee(event, "Ana"), referee(event, "Ben")
    ask(ana, TABLE)
    assert ask(ana, "", gone="1").status_code == 204
    assert said(ben, TABLE) == []


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "/e/cup/",
        "/desk/other/",
        "/desk/cup/nothing/",
        "https://example.org/",
        "/desk/cup/rounds/99999/release/",
    ],
)
def test_what_is_no_page_of_this_desk_is_nowhere(event: Event, path: str):
    assert ask(referee(event, "Ana"), path).status_code == 404
    assert DeskPresence.objects.count() == 0


def test_players_and_strangers_are_told_nothing(event: Event):
    assert ask(Client(), TABLE)["Location"] == "/login/?next=/desk/cup/presence/"
    assert ask(referee(make_event(slug="other"), "Eve"), TABLE).status_code == 404
    ask(referee(event, "Ana"), TABLE)
    for page in ("/e/cup/", "/e/cup/rounds/1/", "/e/cup/display/"):
        assert "Ana" not in Client().get(page).content.decode()


def test_open_calls_come_with_the_answer(event: Event):
    call_referee(table=table_of(event), client_id=UUID(int=1), by=writer_of(event))
    assert ask(referee(event, "Ana"), "/desk/cup/").json()["calls"] == 1


@pytest.mark.parametrize("people", [1, 4])
def test_the_answer_asks_the_same_number_of_questions(event: Event, django_assert_num_queries: Any, people: int):
    for number in range(people):
        ask(referee(event, f"Ref {number}"), TABLE)
    client = referee(event, "Ben")
    ask(client, TABLE)
    with django_assert_num_queries(6):
        ask(client, TABLE)


# ---------------------------------------------------------------- what came between


def seen_of(page: Any) -> dict[str, str]:
    (found,) = re.findall(r'data-seq="(\d+)" data-stamp="([^"]+)"', page.content.decode())
    return {"since": found[0], "stamp": found[1]}


def between(client: Client, seen: dict[str, str], **fields: str) -> Any:
    return client.get(f"{TABLE}between/", {**seen, **fields})


def words(answer: Any) -> list[str]:
    return texts(answer, "li")


def test_nothing_came_between(event: Event):
    enter(table_of(event), "1t 230")
    client = referee(event)
    seen = seen_of(client.get(TABLE))
    enter(table_of(event, 2), "1t 230")
    assert between(client, seen).status_code == 204


def test_hands_entered_corrected_and_voided_meanwhile_are_read_back(event: Event):
    first = enter(table_of(event), "1t 230").row.seq
    client = referee(event)
    seen = seen_of(client.get(TABLE))
    second = enter(table_of(event), "d12").row.seq
    correct(table_of(event), first, "1t 240")
    assert words(between(client, seen)) == [
        "1. Akelei (1, East) wins by tsumo: 2 han 40 fu, 1,300 all (Organiser)",
        "2. Draw, tenpai: Akelei (1, East) and Birk (2, South) (Organiser)",
    ]
    void(table_of(event), second)
    assert words(between(client, seen))[1] == "2. Made void (Organiser)"


def test_signing_reopening_and_calls_are_said_too(event: Event):
    enter(table_of(event), "1t 230")
    client = referee(event)
    seen = seen_of(client.get(TABLE))
    sign(table_of(event))
    answer = between(client, seen)
    assert words(answer) == ["Organiser signed the table."]
    assert "The table is closed" in answer.content.decode()
    seen = seen_of(client.get(TABLE))
    reopen_table(table=table_of(event), reason="misread", by=writer_of(event))
    assert words(between(client, seen)) == ["Organiser reopened it."]
    seen = seen_of(client.get(TABLE))
    client.post(f"{TABLE}call/", {"call": "3f0f9b60-0000-4000-8000-000000000002"})
    assert words(between(client, seen)) == ["A call or the time of this table has changed."]


def test_seats_that_moved_are_said(event: Event):
    client = referee(event)
    seen = seen_of(client.get(TABLE))
    places: dict[int, tuple[int, int] | None] = {1: (1, 0), 5: (2, 0)}
    swap_players(round_=round_of(event), one=1, other=5, seen=places, reason="wrong seats", by=writer_of(event))
    assert words(between(client, seen)) == ["Who sits here has changed."]


def test_the_hand_that_this_page_sent_is_not_between(event: Event):
    client = referee(event)
    page = client.get(TABLE)
    seen, mine = seen_of(page), values(page, "client_id")[0]
    send(client, event, "1t 230", client_id=mine)
    assert between(client, seen, mine=mine).status_code == 204
    assert len(words(between(client, seen, mine="nonsense"))) == 1


@pytest.mark.parametrize("query", [{}, {"since": "x", "stamp": "1"}, {"since": "-1", "stamp": "." * 300}])
def test_a_question_that_makes_no_sense_gets_all_that_there_is(event: Event, query: dict[str, str]):
    enter(table_of(event), "1t 230")
    assert words(between(referee(event), query))[0] == (
        "1. Akelei (1, East) wins by tsumo: 2 han 30 fu, 1,000 all (Organiser)"
    )
    assert referee(event, "Ben").get(table_url(event, 9, end="between/")).status_code == 404


def test_an_account_of_no_event_is_told_nothing(event: Event):
    client = Client()
    client.force_login(make_account("Zoe"), backend="django.contrib.auth.backends.ModelBackend")
    assert between(client, {}).status_code == 404
