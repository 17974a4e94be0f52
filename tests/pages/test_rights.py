"""Who may what, as the docs page for organisers says it, and what each role sees and reopens of tables.

What each role may send to a table: test_rights_by_act.py.
"""

import itertools
from pathlib import Path

import pytest

from tests.factories import (
    correct,
    enter,
    fresh,
    make_event,
    play_round,
    round_of,
    rows_of,
    sign,
    table_of,
)
from tests.pages.at_desk import in_role, send
from tournament.accounts.messages import ROLE_SENTENCES, ROLE_WORDS, VERB_WORDS, rights_table, role_name
from tournament.accounts.models import Role
from tournament.core.rights import RIGHTS_BY_ROLE, ROLES_BY_RANK, Right, Rights, is_higher_role
from tournament.events.models import Event
from tournament.rounds.actions import start_round

pytestmark = pytest.mark.once

DOC = Path(__file__).resolve().parents[2] / "docs" / "organiser" / "before" / "roles.md"


def doc_table() -> list[str]:
    """Return the table of verbs in the form of the docs page."""
    rows = rights_table()
    roles = list(rows[0][1])
    lines = ["| | " + " | ".join(role_name(role) for role in roles) + " |", "|---|" + ":-:|" * len(roles)]
    return lines + [
        f"| {words} | " + " | ".join("yes" if may[role] else "" for role in roles) + " |" for words, may in rows
    ]


def test_the_page_for_organisers_has_the_table_of_verbs():
    """Run /docs by hand? No: change the page, this says what its table must be."""
    written = DOC.read_text(encoding="utf-8").splitlines()
    assert [line for line in written if line.startswith("|")] == doc_table()


def test_the_page_for_organisers_explains_every_role():
    written = " ".join(DOC.read_text(encoding="utf-8").split())
    for role in Role:
        assert f"- **{ROLE_WORDS[role]}**: {ROLE_SENTENCES[role]} " in written


def test_every_verb_and_role_has_words():
    assert set(VERB_WORDS) == {str(verb) for verb in Right} == {str(verb) for verb in RIGHTS_BY_ROLE}
    assert set(ROLE_WORDS) == set(ROLE_SENTENCES) == {str(role) for role in Role}


def test_each_role_may_all_that_the_one_below_may():
    sets = [Rights(role).verbs() for role in ROLES_BY_RANK]
    assert all(lower < higher for lower, higher in itertools.pairwise(sets))


def test_nobody_may_anything_and_a_device_next_to_nothing():
    assert Rights().verbs() == frozenset()
    assert Rights(Role.TABLE_DEVICE, 3).verbs() == {Right.SEE_TABLE, Right.ENTER_HANDS, Right.CALL_REFEREE}


def test_a_device_reaches_its_own_table_or_any():
    own, any_ = Rights(Role.TABLE_DEVICE, 3), Rights(Role.TABLE_DEVICE, 0)
    assert [own.reaches(table) for table in (3, 4, None)] == [True, False, False]
    assert [any_.reaches(table) for table in (3, 4, None)] == [True, True, False]
    assert Rights(Role.VIEWER).reaches(None)


@pytest.mark.parametrize(
    ("giver", "gives"),
    [
        (Role.OWNER, ["viewer", "scorer", "referee", "head_referee", "organiser"]),
        (Role.ORGANISER, ["viewer", "scorer", "referee", "head_referee"]),
        (Role.HEAD_REFEREE, []),
        (Role.TABLE_DEVICE, []),
    ],
)
def test_roles_are_given_from_above(giver: Role, gives: list[str]):
    assert [str(role) for role in ROLES_BY_RANK if is_higher_role(Rights(giver, 1), role)] == gives
    assert not is_higher_role(Rights(giver, 1), Role.TABLE_DEVICE)


# ---------------------------------------------------------------- at a table


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    event = make_event(slug="cup", tables=2, rounds=1)
    start_round(round_=round_of(event), by=event.memberships.get().account)
    enter(table_of(event), "1t 230")
    return event


@pytest.fixture
def event(db: None, made: Event) -> Event:
    return fresh(made)


@pytest.mark.parametrize("role", [Role.SCORER, Role.TABLE_DEVICE])
def test_who_enters_hands_enters_them(event: Event, role: Role):
    client = in_role(event, role)
    assert send(client, event, "2r3 340", expected_seq=1).status_code == 302
    assert len(rows_of(table_of(event))) == 2
    page = client.get("/desk/cup/rounds/1/tables/1/?correct=1").content.decode()
    assert ("?correct=" in page, "?void=" in page, 'id="hand-line"' in page) == (False, False, True)


def test_a_viewer_sees_a_live_table_by_the_api_and_a_device_its_own(event: Event):
    device, viewer = in_role(event, Role.TABLE_DEVICE), in_role(event, Role.VIEWER)
    url = "/api/v1/events/cup/rounds/1/tables/%d"
    assert [viewer.get(url % table).status_code for table in (1, 2)] == [200, 200]
    assert [device.get(url % table).status_code for table in (1, 2)] == [200, 404]


def test_a_device_stays_in_the_round_that_is_played(event: Event):
    client = in_role(event, Role.TABLE_DEVICE)
    assert client.get("/desk/cup/rounds/1/tables/1/").status_code == 200
    correct(table_of(event), 1, "2t 230")
    play_round(event, 1, "2r3 340/2")
    assert client.get("/desk/cup/rounds/1/tables/1/").status_code == 404


@pytest.mark.parametrize(("role", "status"), [(Role.REFEREE, 403), (Role.HEAD_REFEREE, 302)])
def test_a_released_table_is_reopened_by_a_head_referee(others_aside: None, role: Role, status: int):
    event = make_event(slug="cup", tables=1, rounds=1)
    play_round(event, 1, "2r3 340/2")
    client = in_role(event, role)
    page = client.get("/desk/cup/rounds/1/tables/1/").content.decode()
    assert ("reopen/" in page) == (status == 302)
    assert client.post("/desk/cup/rounds/1/tables/1/reopen/", {"reason": "misread"}).status_code == status
    assert table_of(event).sheets.count() == (2 if status == 302 else 1)


def test_a_referee_reopens_a_table_of_a_round_that_is_not_released(event: Event):
    sign(table_of(event))
    client = in_role(event, Role.REFEREE)
    assert client.post("/desk/cup/rounds/1/tables/1/reopen/", {"reason": "misread"}).status_code == 302
    assert table_of(event).sheets.count() == 2
