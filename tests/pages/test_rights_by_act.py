"""Rights go by what an entry is, not by its address: roles × kinds of entries × page, API and preview."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client

from scoring.entries import Entry, to_json
from scoring.shorthand import parse
from tests.factories import enter, fresh, make_event, round_of, rows_of, table_of
from tests.pages.at_desk import in_role, organiser, preview, send
from tournament.accounts.models import Role
from tournament.core.models import AuditRow
from tournament.core.rights import Right, Rights
from tournament.events.models import Event
from tournament.rounds.actions import start_round

pytestmark = [pytest.mark.once, pytest.mark.whole_run]

# what is sent to a table with one hand: line, the hand that it changes, and by hand what that takes
ACTS: dict[str, tuple[str, int | None, Right]] = {
    "ron": ("2r3 340", None, Right.ENTER_HANDS),
    "tsumo": ("1t 230", None, Right.ENTER_HANDS),
    "draw": ("d", None, Right.ENTER_HANDS),
    "nagashi": ("n2", None, Right.ENTER_HANDS),
    "abort": ("ak", None, Right.ENTER_HANDS),
    "chombo": ("c2", None, Right.RULE),
    "correction": ("=+1000,-1000,0,0 misheard", None, Right.CORRECT_HANDS),
    "totals": ("*40000,30000,20000,10000,0", None, Right.ENTER_SHEETS),
    "a hand replaced": ("2t 230", 1, Right.CORRECT_HANDS),
    "a hand replaced by a chombo": ("c2", 1, Right.CORRECT_HANDS),
    "a hand replaced by totals": ("*40000,30000,20000,10000,0", 1, Right.CORRECT_HANDS),
    "a hand made void": ("", 1, Right.CORRECT_HANDS),
}
REFUSED_ON_PAGE = ("This is for a referee:", "This is for a scorer:")


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    event = make_event(slug="cup", tables=1, rounds=1)
    start_round(round_=round_of(event), by=event.memberships.get().account)
    enter(table_of(event), "1t 230")
    return event


@pytest.fixture
def event(db: None, made: Event) -> Event:
    return fresh(made)


def someone(event: Event, role: Role) -> Client:
    return organiser(event) if role is Role.OWNER else in_role(event, role)


def by_page(client: Client, event: Event, line: str, hand: int | None, **more: Any) -> bool:
    """Send as the page does; return whether the role was enough."""
    fields: dict[str, Any] = {"act": "void"} if hand and not line else more
    answer = send(client, event, line, expected_seq=1, hand=hand or "", reason="misread", **fields)
    said = answer.content.decode()
    return answer.status_code not in (403, 404) and not any(words in said for words in REFUSED_ON_PAGE)


def by_api(client: Client, _event: Event, line: str, hand: int | None) -> bool:
    """Send as a program does; return whether the role was enough."""
    entry: Entry | None = parse(line) if line else None
    body: dict[str, Any] = {"client_id": str(uuid4()), "expected_seq": 1, "reason": "misread"}
    body["entry"] = to_json(entry) if entry else None
    if hand:
        body["hand"] = hand
    url = "/api/v1/events/cup/rounds/1/tables/1/entries"
    answer = client.post(url, body, content_type="application/json")
    if answer.status_code == 403:
        assert [problem["code"] for problem in answer.json()["problems"]] == ["access.not_allowed"]
    return answer.status_code not in (403, 404)


def written(event: Event) -> tuple[int, int]:
    return len(rows_of(table_of(event))), AuditRow.objects.count()


@pytest.mark.parametrize("role", Role)
def test_page_and_api_ask_the_same_of_every_kind_of_entry(event: Event, role: Role):
    client, before, wrong = someone(event, role), written(event), []
    for name, (line, hand, verb) in ACTS.items():
        wanted = Rights(role, 1).may(verb)
        for way in (by_page, by_api):
            with transaction.atomic():
                may = way(client, event, line, hand)
                kept = may or written(event) == before
                transaction.set_rollback(True)
            if (may, kept) != (wanted, True):
                wrong.append((name, way.__name__, f"wanted {wanted}", f"found {may}", kept))
    assert wrong == []


@pytest.mark.parametrize("role", Role)
def test_a_hand_is_put_in_before_another_by_who_corrects(event: Event, role: Role):
    before = written(event)
    may = by_page(someone(event, role), event, "2t 230", None, before="1")
    assert may == Rights(role, 1).may(Right.CORRECT_HANDS)
    assert may or written(event) == before


@pytest.mark.parametrize("role", Role)
def test_a_preview_writes_nothing_for_any_role_and_kind(event: Event, role: Role):
    client, before = someone(event, role), written(event)
    found = {
        name: preview(client, event, line, expected_seq=1, hand=hand or "").status_code
        for name, (line, hand, _verb) in ACTS.items()
    }
    assert (set(found.values()), written(event)) == ({200}, before)


def test_the_acts_have_every_kind_of_entry():
    kinds = {parse(line).kind for line, _hand, _verb in ACTS.values() if line}
    assert kinds == {each.kind for each in Entry.__subclasses__()}
