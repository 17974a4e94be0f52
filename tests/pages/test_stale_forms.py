"""A form without the number that it is written under once, or with a broken one: words, and nothing is written."""

import ast
import datetime as dt
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.urls import URLPattern, get_resolver
from django.utils.timezone import now

from tests.factories import enter, make_event, play_round, table_of, writer_of
from tests.pages.at_desk import HTMX, organiser
from tests.pages.test_audiences import walk
from tests.sign_ups import TERMS, come
from tournament.core.models import AuditRow
from tournament.events.actions import set_second_person
from tournament.events.models import Event
from tournament.signup.settings import set_sign_up_page

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

NUMBERS = ("client_id", "time_id", "call", "announcement")  # the names under which forms send it
BROKEN = ["", "7", "\0", "é" * 36, "00000000-0000-0000-0000-00000000000g"]
STALE = "This page is too old to be sent: load it again."
SEATS = {"one": "1:0:2", "other": "1:1:3", "hands": "stay", "act": "save", "expected_seq": "1", "reason": "x"}
# what each address would carry out, were it not for its number: view → what is sent beside it
FORMS: dict[str, list[dict[str, str]]] = {
    "table": [
        {"line": "2r3 340", "expected_seq": "1"},
        {"line": "1t 340", "hand": "1", "expected_seq": "1", "reason": "x"},
        {"line": "1t 340", "before": "1", "expected_seq": "1", "reason": "x"},
        {"act": "void", "hand": "1", "expected_seq": "1", "reason": "x"},
    ],
    "corrections": [
        {"act": "save", "plan": '{"changes":[{"hand":1,"entry":null}]}', "expected_seq": "1", "reason": "x"},
    ],
    "seats": [SEATS],
    "totals": [{"count-0": "45.2", "count-1": "30.0", "count-2": "28.0", "count-3": "16.8", "expected_seq": "0"}],
    "decide_totals": [{"typed": "1", "expected_seq": "0", "reason": "x"}],
    "penalties": [{"player": "1", "amount": "5P", "reason": "x"}],
    "give_foul": [{"player": "1", "pick": "riichi_no_deposit", "expected_seq": "0"}],
    "substitutes": [{"act": "put", "player": "2", "name": "Kay Fir", "when": "during", "hand": "2", "reason": "x"}],
    "player_leaves": [{"reason": "x"}],
    "disqualify": [{"reason": "x", "shown": "name"}],
    "redraw": [{"act": "take", "look": "1", "seed": "4", "fill": "put_in", "seen": "x", "on": "1,2,3,4,5,6,7,8"}],
    "next_round": [{"look": "1", "method": "swiss", "seed": "4", "seen": "x"}],
    "give_time": [{"table": "1", "minutes": "5", "reason": "x"}],
    "call": [{"question": "x"}],
    "complaint": [{"round": "1", "table": "1", "text": "x"}],
    "announce": [{"title": "x", "text": "x"}],
    "money": [{"amount": "40", "note": "x", "way": "in"}],
    "move_hands": [{"hand": "1", "to": "2", "seen": "1", "seen_to": "0", "reason": "x"}],
    "fees": [{"number": "1", "amount": "40"}],
    "sign_up": [{"act": "pay", "amount": "40"}],
    "seat_codes": [{}],
    "open_play": [{"seat": "1.2.3.4"}],
}
# a button of another page: the words wait for the page that it leads back to
PRESSES = {"give_time", "call", "decide_totals", "fees", "sign_up", "seat_codes", "open_play"}
WHOLE = {"totals": "rounds/2/tables/2/totals/", "decide_totals": "rounds/2/tables/2/totals/decide/"}


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Return an event whose first round is released; the first table of the second has one hand."""
    event = make_event("ema-2025", slug="cup", tables=2, rounds=3)
    play_round(event, 1, "1t 230")
    set_second_person(event=event, second_person="blind", by=writer_of(event))
    enter(table_of(event, 1, round_=2), "1t 230")
    set_sign_up_page(event=event, terms=dict(TERMS, closes_at=now() + dt.timedelta(days=1)), by=writer_of(event))
    come(event, "Ada")
    event.refresh_from_db()
    return event


def of_the_desk() -> Iterator[tuple[str, URLPattern]]:
    """Yield the addresses of the desk, those of a round in the second one."""
    for url, part in walk(get_resolver()):
        if url.startswith("/desk/cup/"):
            yield url.replace("/rounds/1/", "/rounds/2/"), part


def written(event: Event) -> tuple[int, int]:
    """Return what grows with whatever is written at an event."""
    event.refresh_from_db()
    return event.version, AuditRow.objects.count()


def test_no_address_of_the_desk_breaks(event: Event):
    client = organiser(event)
    client.raise_request_exception = False
    found = {}
    turns = itertools.cycle(BROKEN[:2])
    for url, part in of_the_desk():
        # each form by htmx, with one broken number or the other; by page both are tried below
        for fields, headers in [({}, {}), *((form, HTMX) for form in FORMS.get(part.name or "", []))]:
            broken = next(turns)
            answer = client.post(url, fields | dict.fromkeys(NUMBERS, broken), headers=headers)
            found[url, str(fields), broken, str(headers)] = answer.status_code
    assert {way: status for way, status in found.items() if status >= 500} == {}
    assert len(found) > 100


# every form with two ways to be broken by turns, with all of them in the nightly run
@pytest.mark.parametrize("ways", [2, pytest.param(len(BROKEN) + 1, marks=pytest.mark.nightly)])
def test_a_form_without_its_number_is_too_old(event: Event, ways: int):
    client, before = organiser(event), written(event)
    turns = itertools.cycle([*BROKEN, None])
    for url, part in of_the_desk():
        name = part.name or ""
        for fields, broken in itertools.product(FORMS.get(name, []), itertools.islice(turns, ways)):
            numbers = dict.fromkeys(NUMBERS, broken) if broken is not None else {}
            at = f"/desk/cup/{WHOLE[name]}" if name in WHOLE else url
            answer: Any = client.post(at, fields | numbers, follow=name in PRESSES)
            said = (answer.status_code, STALE in answer.content.decode())
            assert said == (200 if name in PRESSES else 422, True), (at, fields)
    assert written(event) == before


# the outbox numbers its acts in a list of their own (tournament.pages.requests), tried by test_check_in
TAKES_NUMBER = re.compile(r"client_id=(?!act\.)")


def views_with_number(path: Path) -> Iterator[str]:
    """Yield the views of a module that are sent a form and read its number, themselves or by a function beside them."""
    source = path.read_text(encoding="utf-8")
    parts = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    names = {name: {each.id for each in ast.walk(part) if isinstance(each, ast.Name)} for name, part in parts.items()}
    read = {name for name, part in parts.items() if TAKES_NUMBER.search(ast.get_source_segment(source, part) or "")}
    while more := {name for name in parts if names[name] & read} - read:
        read |= more
    for name in read:
        decorators = " ".join(map(ast.unparse, parts[name].decorator_list))
        if "who_may(" in decorators and "require_GET" not in decorators:
            yield name


def test_every_view_that_takes_a_number_is_tried_here():
    """A view that reads one, but is in no row above, would be found broken only at a table."""
    tried = {
        (part.callback.__module__, part.callback.__name__)
        for _url, part in of_the_desk()
        if part.name in FORMS and part.callback is not None
    }
    takes = {
        (".".join(path.relative_to(settings.BASE_DIR).with_suffix("").parts), name)
        for path in Path(settings.BASE_DIR, "tournament").rglob("*.py")
        for name in views_with_number(path)
    }
    assert len(takes) > 12
    assert takes - tried == set()
