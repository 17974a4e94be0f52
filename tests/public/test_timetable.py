"""When rounds start: kept as moments, told of to nobody but who asks, and refused where it cannot be."""

import datetime as dt
import json
from zoneinfo import ZoneInfo

import pytest

from tests.factories import refused, round_of, writer_of
from tests.fixtures import module_event
from tournament.core.models import AuditRow
from tournament.events.actions import set_timetable
from tournament.events.models import Event
from tournament.rounds.actions import start_round
from tournament.tables.round_queries import list_round_times, planned_start

pytestmark = [pytest.mark.once, pytest.mark.django_db]

VIENNA = ZoneInfo("Europe/Vienna")


def at(hour: int, *, day: int = 12) -> dt.datetime:
    return dt.datetime(2026, 9, day, hour, tzinfo=VIENNA)


made = module_event(tables=1, rounds=3)


def set_starts(event: Event, *starts: dt.datetime | None) -> bool:
    return set_timetable(event=event, starts=starts, by=writer_of(event))


def test_a_start_is_the_same_moment_in_every_zone(event: Event):
    assert set_starts(event, at(10), None, at(14))
    event.refresh_from_db()
    assert [row.planned for row in list_round_times(event)] == [at(10), None, at(14)]
    assert planned_start(event, 1) == dt.datetime(2026, 9, 12, 8, tzinfo=dt.UTC)
    assert [planned_start(event, number) for number in (0, 2, 4)] == [None, None, None]


def test_a_round_that_runs_started_when_it_did(event: Event):
    set_starts(event, at(10))
    start_round(round_=round_of(event), by=writer_of(event))
    row = list_round_times(event)[0]
    assert row.starts == row.started_at == round_of(event).started_at
    assert row.planned == at(10)


def test_it_is_on_the_trail_once(event: Event):
    assert [set_starts(event, at(10)), set_starts(event, at(10)), set_starts(event, at(10), None)] == [
        True, False, False
    ]  # fmt: skip
    row = AuditRow.objects.get(event=event, verb="timetable_set")
    assert json.loads(row.details) == {"starts": ["2026-09-12T08:00+00:00"]}


def test_it_can_be_taken_back(event: Event):
    set_starts(event, at(10))
    assert set_starts(event, None, None)
    event.refresh_from_db()
    assert event.timetable == []


@pytest.mark.parametrize(
    ("starts", "code"),
    [
        ([at(10), at(9)], "timetable.backwards"),
        ([at(10), None, at(10)], "timetable.backwards"),
        ([at(10).replace(year=2062)], "timetable.far"),
        ([at(10), at(11), at(12), at(13)], "timetable.too_many"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(event: Event, starts: list[dt.datetime | None], code: str):
    with refused(code):
        set_starts(event, *starts)
    event.refresh_from_db()
    assert event.timetable == []
