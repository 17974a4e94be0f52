"""Doors: each role is shown only the links that open and the buttons that it may press, on every page of the desk."""

import re
from collections.abc import Iterator

import pytest
from django.urls import Resolver404, resolve

from tests.factories import enter, enter_all, fresh, make_event, play_round, sign, table_of
from tests.pages.at_desk import in_role
from tests.pages.rights_table import TABLE, Audience, audience_of
from tests.pages.test_audiences import addresses
from tournament.accounts.models import Role
from tournament.core.rights import Right, Rights
from tournament.events.models import Event
from tournament.rounds.actions import start_round

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

LINK = re.compile(r'<[^>]*?\b(?:href|hx-get)="(/[^"?#]*)')
SENT = re.compile(r'\b(?:hx-post|formaction|data-presence)="(/[^"?#]*)')
FORM = re.compile(r"<form\b([^>]*)>")
HEAVY = ("/print/", "/export/", ".pdf", "/cards/")  # files, not pages
TABLES = ("1/tables/1", "2/tables/1", "2/tables/2", "2/tables/3")  # released, signed, over, without a hand
ROLES: list[Role] = [each for each in Role if each is not Role.OWNER]
assert ROLES[0] is Role.ORGANISER


def doors(page: str, here: str) -> Iterator[tuple[str, bool]]:
    """Yield every address that a page offers, with whether something is sent there."""
    page = re.sub(r"<template.*?</template>", "", page, flags=re.DOTALL)
    yield from ((url, False) for url in LINK.findall(page))
    yield from ((url, True) for url in SENT.findall(page))
    for attributes in FORM.findall(page):
        action = re.search(r'\baction="([^"?#]*)', attributes)
        sends = re.search(r'\bmethod="post"', attributes, re.IGNORECASE) is not None
        yield (action[1] if action and action[1] else here), sends


def is_open(rights: Rights, url: str, *, sends: bool) -> bool:
    """Say whether a door of the desk opens for somebody; others are everybody's."""
    try:
        found = resolve(url)
    except Resolver404:
        return not url.startswith("/desk/")
    read, send = TABLE[found.view_name]
    if audience_of(found.view_name) != "event":
        return (send if sends else read) not in (None, Audience.SITE)
    wanted = (read or send, send if sends else read)
    may = all(isinstance(needs, Right) and rights.may(needs) for needs in wanted)
    return may and rights.reaches(found.kwargs.get("table_number"))


def play(event: Event) -> None:
    """Release a round; in the next one table is signed, one is over, one is being played and one waits."""
    play_round(event, 1, "2r3 340/2")
    start_round(round_=event.rounds.get(number=2), by=event.memberships.get().account)
    enter(table_of(event, 1, round_=2), "1t 230")
    sign(table_of(event, 1, round_=2))
    enter_all(table_of(event, 2, round_=2), "1t 230", "2r3 340/2")


def pages(turn: int, most: int) -> list[str]:
    """List the pages of the desk; what belongs to a table at so many of the four kinds of table, by turns.

    Where these are not all kinds, the organiser, whose turn is 0, gets all other pages and each role every second one.
    """
    desk = [url for url in addresses("event") if url.startswith("/desk/") and not any(each in url for each in HEAVY)]
    at_tables = [url for url in desk if "/tables/1/" in url]
    tables = [
        url.replace("/rounds/1/tables/1/", f"/rounds/{TABLES[(turn + at + step) % len(TABLES)]}/")
        for at, url in enumerate(at_tables)
        for step in range(most)
    ]
    rest = [url for url in desk if url not in at_tables]
    if turn and most < len(TABLES):
        rest = rest[turn % 2 :: 2]
    return [*rest, *tables, "/desk/cup/?round=1", "/desk/cup/rounds/2/clock/"]


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    event = make_event(slug="cup", tables=3, rounds=3)
    play(event)
    return event


# each page by the organiser and by every second role, what belongs to a table by each role at another; in the nightly
# run by all at all
@pytest.mark.parametrize("most", [1, pytest.param(len(TABLES), marks=pytest.mark.nightly)])
@pytest.mark.parametrize("role", ROLES)
def test_a_role_is_shown_only_the_doors_that_open(made: Event, role: Role, most: int):
    event = fresh(made)
    most = len(TABLES) if role is Role.TABLE_DEVICE else most  # it reaches one of the tables
    client = in_role(event, role, table=2)
    rights = Rights(role, 2 if role is Role.TABLE_DEVICE else None)
    shut, looked = set(), 0
    for url in pages(ROLES.index(role), most):
        if not is_open(rights, url.partition("?")[0], sends=False):
            continue
        answer = client.get(url)
        if answer.status_code != 200 or "html" not in answer["Content-Type"]:
            continue
        looked += 1
        for door, sends in doors(answer.content.decode(), url.partition("?")[0]):
            if not is_open(rights, door, sends=sends):
                shut.add(f"{url} leads to {door}{' by a button' if sends else ''}")
    assert "\n".join(sorted(shut)) == ""
    assert looked >= (1 if role is Role.TABLE_DEVICE else 15)
