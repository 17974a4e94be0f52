"""An evening of many tables: what its pages and a signature ask and call as tables grow."""

import datetime as dt
import sys
from collections.abc import Callable
from types import FrameType
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.suggest import suggest_tables
from tests.factories import fresh, writer_of
from tests.open_play.evening import finish, make_evening, sit_down
from tests.pages.at_desk import client_of
from tests.player_entry.phones import Phone, allow_phones
from tournament.events.models import Event
from tournament.open_play.queries import get_evening
from tournament.sheets.models import SheetRow
from tournament.tables.models import LedgerEntry, Round, Seat, Table

pytestmark = [pytest.mark.once, pytest.mark.django_db]

PLAYERS = 64


def make_long_evening(tables: int) -> Event:
    """Make an open event of 64 players, of whom 60 wait, after as many tables; all but the first are copies of it."""
    event = make_evening(PLAYERS, slug=f"evening-{tables}")
    first = sit_down(event, 1, 2, 3, 4)
    finish(first)
    round_, begun = Round.objects.get(event=event), timezone.now() - dt.timedelta(hours=10)
    ledger, sheet = LedgerEntry.objects.get(table=first), SheetRow.objects.get(table=first)
    players = list(event.players.order_by("number"))
    for number in range(2, tables + 1):
        times = {"started_at": begun, "published_at": begun, "released_at": begun + dt.timedelta(minutes=number)}
        drawn = round_.drawn | {"client_id": str(uuid4())}
        copy = Round.objects.create(event=event, number=number, drawn=drawn, **times)
        table = Table.objects.create(round=copy, number=number % 15 + 1)
        shift = number * 7
        Seat.objects.bulk_create(
            Seat(round=copy, table=table, seat=seat, player=players[(shift + seat * (number % 5 + 1)) % PLAYERS])
            for seat in range(4)
        )
        for row, extra in ((ledger, {"client_id": uuid4()}), (sheet, {})):
            values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
            type(row).objects.create(**values | {"id": None, "table_id": table.pk} | extra)
    Event.objects.filter(pk=event.pk).update(rounds_planned=tables)
    return allow_phones(fresh(event))


def cost_of(work: Callable[[], object]) -> tuple[int, int]:
    """Return the queries and the calls of some work."""
    calls = 0

    def note(_frame: FrameType, event: str, _what: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    with CaptureQueriesContext(connection) as asked:
        sys.setprofile(note)
        try:
            work()
        finally:
            sys.setprofile(None)
    return len(asked), calls


def costs_of(tables: int) -> dict[str, tuple[int, int]]:
    event = make_long_evening(tables)
    desk, phone, wall = client_of(writer_of(event)), Phone(event, 40), Client()
    desk_page, wall_page, own = f"/desk/{event.slug}/tables/", f"/e/{event.slug}/display/", f"/e/{event.slug}/?me=40"
    found: dict[str, tuple[int, int]] = {}

    def count(name: str, work: Callable[[], object]) -> None:
        cache.clear()
        found[name] = cost_of(work)

    now = get_evening(event, timezone.now())
    count("tables page", lambda: desk.get(desk_page))
    count("suggestions", lambda: suggest_tables([each.waiting for each in now.waiting], now.weights, sizes=(4,)))
    count("wall", lambda: wall.get(wall_page))
    count("player's page", lambda: wall.get(own, follow=True))
    count("typing page", lambda: phone.client.get(phone.url))
    seated: list[Table] = []
    count("seat a table", lambda: seated.append(sit_down(event, 5, 6, 7, 8)))
    count("sign a table", lambda: finish(seated[0]))
    return found


def test_nothing_costs_more_than_its_share_of_the_tables():
    costs_of(5)  # what is read once
    few, many = costs_of(10), costs_of(50)
    assert {name: queries for name, (queries, _calls) in many.items()} == {
        name: queries for name, (queries, _calls) in few.items()
    }
    for name, (_queries, calls) in many.items():
        assert calls < 5.5 * few[name][1], name
    # who sits down costs no table that was played: nothing of them is sealed again
    assert many["seat a table"][1] < 1.2 * few["seat a table"][1]
