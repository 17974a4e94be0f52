"""The time zone of an event: how it is named, found, set, copied, filed and carried, and which day it is there."""

import datetime as dt
import json
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.conf import settings
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from tests.factories import fresh, make_account, make_event, writer_of
from tests.fixtures import own_event
from tests.sign_ups import come, event_with
from tournament.archive.actions import import_event
from tournament.archive.queries import get_event_file
from tournament.core.errors import DomainError
from tournament.core.hash_chain import checksum
from tournament.core.models import AuditRow
from tournament.core.time_zones import (
    distance_words,
    event_zone_label,
    find_time_zone,
    in_zone_of,
    list_time_zones,
    same_hour,
    today_at,
    zone_of,
)
from tournament.events.actions import copy_event, create_event, delete_rows, set_details, set_timetable, triggers_aside
from tournament.events.models import Event
from tournament.pages.files import get_head
from tournament.signup.actions import make_players, may_check_in
from tournament.signup.models import SignUpPage
from tournament.signup.queries import begins_at
from tournament.tables.round_queries import list_days
from tournament.wall.models import Announcement

DAY = dt.date(2026, 9, 12)
BERLIN, ST_JOHNS = ZoneInfo("Europe/Berlin"), ZoneInfo("America/St_Johns")


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("  europe/berlin ", "Europe/Berlin"),
        ("america/st johns", "America/St_Johns"),
        ("Asia/Calcutta", "Asia/Calcutta"),
        ("utc", "UTC"),
        ("", None),
        ("Berlin", None),
        ("Mars/Phobos", None),
        ("localtime", None),
        ("../../etc/localtime", None),
        ("Europe", None),
        ("Europe/Berlin\0", None),
    ],
)
def test_a_zone_is_found_by_its_name_in_any_case(typed: str, name: str | None):
    assert find_time_zone(typed) == name


def test_each_name_on_the_list_is_a_zone_of_a_place():
    names = list_time_zones()
    assert len(names) > 400
    assert all(ZoneInfo(name).key == name == find_time_zone(name) for name in names)
    assert [name for name in names if "/" not in name] == ["UTC"]


@pytest.mark.parametrize(("minutes", "words"), [(0, "UTC"), (60, "UTC+1"), (-210, "UTC−3:30"), (765, "UTC+12:45")])
def test_a_distance_from_utc_in_words(minutes: int, words: str):
    assert distance_words(dt.timedelta(minutes=minutes)) == words


@given(st.datetimes(dt.datetime(2000, 1, 1), dt.datetime(2040, 1, 1)), st.sampled_from(list_time_zones()))  # noqa: DTZ001
def test_a_moment_shows_the_same_hour_in_another_zone(naive: dt.datetime, name: str):
    moved = same_hour(naive.replace(tzinfo=dt.UTC), BERLIN, ZoneInfo(name))
    assert moved.replace(tzinfo=None) == naive.replace(tzinfo=dt.UTC).astimezone(BERLIN).replace(tzinfo=None)


# ---------------------------------------------------------------- of an event


event = own_event(slug="cup", tables=1, rounds=2, time_zone="Europe/Berlin")


def at(hour: int, day: int = 12) -> dt.datetime:
    return dt.datetime(2026, 9, day, hour, tzinfo=BERLIN)


def move(event: Event, zone: str) -> bool:
    return set_details(
        event=event, name=event.name, date=event.date, place=event.place, rounds=2, time_zone=zone, by=writer_of(event)
    )


def test_a_new_event_has_the_desks_zone_unless_it_names_one(event: Event):
    other = make_event(slug="other", tables=1)
    assert (event.time_zone, other.time_zone) == ("Europe/Berlin", settings.TIME_ZONE)
    with pytest.raises(DomainError) as refused:
        create_event(
            name="Far", date=DAY, rules_key="ema-2025", rounds=1, time_zone="Mars/Phobos", by=make_account("Ada")
        )
    assert refused.value.problems[0].code == "event.time_zone_unknown"
    assert not Event.objects.filter(name="Far").exists()


def test_what_was_typed_keeps_its_hours_in_another_zone(event: Event):
    set_timetable(event=event, starts=[at(10), None], by=writer_of(event))
    SignUpPage.objects.create(event=event, closes_at=at(23, day=1))
    rows = [(at(12), at(13)), (at(12), None), (at(8), at(13))]
    for position, (start, end) in enumerate(rows):
        Announcement.objects.create(
            event=event, position=position, client_id=uuid4(), title="Lunch", shown_from=start, shown_until=end,
            written_at=at(8),
        )  # fmt: skip
    with time_machine.travel(at(9), tick=False):
        assert move(event, "america/st johns")
    event = fresh(event)

    def here(moment: dt.datetime | None) -> str:
        return f"{moment.astimezone(ST_JOHNS):%d %H:%M}" if moment else ""

    assert event.time_zone == "America/St_Johns"
    assert event.timetable == ["2026-09-12T12:30+00:00"]
    assert here(SignUpPage.objects.get(event=event).closes_at) == "01 23:00"
    shown = Announcement.objects.filter(event=event).order_by("position").values_list("shown_from", "shown_until")
    assert [(here(start), here(end)) for start, end in shown] == [
        ("12 12:00", "12 13:00"), ("12 12:00", ""), ("12 03:30", "12 08:30"),
    ]  # fmt: skip
    row = AuditRow.objects.filter(event=event).latest("seq")
    assert (row.verb, json.loads(row.details)) == (
        "event_changed",
        {"changed": {"time_zone": "America/St_Johns"}, "starts": ["2026-09-12T12:30+00:00"]},
    )
    version = event.version
    assert not move(event, "America/St_Johns")
    assert not move(event, "")
    assert fresh(event).version == version


def test_an_unknown_zone_is_refused_and_nothing_moves(event: Event):
    set_timetable(event=event, starts=[at(10)], by=writer_of(event))
    with pytest.raises(DomainError) as refused:
        move(event, "Europe/Atlantis")
    assert refused.value.problems[0].params == {"zone": "Europe/Atlantis"}
    assert (fresh(event).time_zone, fresh(event).timetable) == ("Europe/Berlin", ["2026-09-12T08:00+00:00"])


def test_days_and_midnight_are_those_of_the_event(event: Event):
    Event.objects.filter(pk=event.pk).update(time_zone="Asia/Tokyo")
    event = fresh(event)
    assert begins_at(event) == dt.datetime(2026, 9, 11, 15, tzinfo=dt.UTC)
    set_timetable(event=event, starts=[dt.datetime(2026, 9, 12, 16, tzinfo=dt.UTC)], by=writer_of(event))
    assert list_days(fresh(event)) == [dt.date(2026, 9, 13)]
    with time_machine.travel(dt.datetime(2026, 12, 31, 16, tzinfo=dt.UTC), tick=False):
        assert today_at(event) == dt.date(2027, 1, 1)
        assert f"{get_head(event).printed_at:%Y-%m-%d %H:%M}" == "2027-01-01 01:00"


def test_players_check_in_on_the_events_day_and_not_on_the_desks(db: None):
    event = event_with(self_check_in=True)
    come(event, "Ada")
    Event.objects.filter(pk=event.pk).update(date=DAY, time_zone="Pacific/Auckland")
    event = fresh(event)
    make_players(event=event, by=writer_of(event))
    ada = event.sign_ups.select_related("event", "player").get()
    for moment, allowed in [("2026-09-11T11:59Z", False), ("2026-09-11T12:00Z", True), ("2026-09-12T12:00Z", False)]:
        with time_machine.travel(dt.datetime.fromisoformat(moment), tick=False):
            assert may_check_in(ada) is allowed


def test_a_zone_that_this_machine_does_not_know_gives_the_desks_by_its_name(event: Event):
    Event.objects.filter(pk=event.pk).update(time_zone="Moon/Tranquility")
    event = fresh(event)
    assert zone_of(event) == timezone.get_default_timezone()
    assert event_zone_label(event).split(" ")[0] == settings.TIME_ZONE
    assert not move(event, "Moon/Tranquility")


def test_the_distance_is_named_where_it_is_the_same_at_all_starts(event: Event):
    assert event_zone_label(event) == "Europe/Berlin (UTC+2)"
    winter = dt.datetime(2026, 12, 12, 10, tzinfo=BERLIN)
    set_timetable(event=event, starts=[at(10), winter], by=writer_of(event))
    assert event_zone_label(fresh(event)) == "Europe/Berlin"


def test_the_zone_ends_with_its_block(event: Event):
    with timezone.override("Asia/Tokyo"):
        with in_zone_of(event):
            assert str(timezone.get_current_timezone()) == "Europe/Berlin"
        assert str(timezone.get_current_timezone()) == "Asia/Tokyo"


# ---------------------------------------------------------------- elsewhere


def test_a_copy_has_the_zone_of_its_template_or_its_own(event: Event):
    facts: dict[str, Any] = {
        "event": event,
        "date": DAY,
        "place": "",
        "rounds": 2,
        "visibility": "public",
        "roles": False,
    }
    by = writer_of(event)
    assert copy_event(**facts, name="Again", by=by).time_zone == "Europe/Berlin"
    assert copy_event(**facts, name="Abroad", time_zone="asia/tokyo", by=by).time_zone == "Asia/Tokyo"
    with pytest.raises(DomainError):
        copy_event(**facts, name="Nowhere", time_zone="nowhere", by=by)


def again(event: Event, file: str) -> Event:
    with triggers_aside():
        delete_rows(Event.objects.get(pk=event.pk))
    return import_event(data=file.encode(), by=make_account("Desk"))


def test_a_file_carries_the_zone_and_an_older_one_gets_the_desks(event: Event):
    file = get_event_file(event)
    made = again(event, file)
    assert (made.time_zone, get_event_file(made)) == ("Europe/Berlin", file)
    old = json.loads(file)
    del old["content"]["event"]["time_zone"]
    old["checksum"] = checksum(old["content"])
    assert again(made, json.dumps(old)).time_zone == settings.TIME_ZONE


@pytest.mark.parametrize("zone", ["x" * 65, "Europe/Berlin\n", "<b>", "../etc"])
def test_a_file_with_what_no_zone_is_called_is_refused(event: Event, zone: str):
    wrong = json.loads(get_event_file(event))
    wrong["content"]["event"]["time_zone"] = zone
    wrong["checksum"] = checksum(wrong["content"])
    with pytest.raises(DomainError):
        again(event, json.dumps(wrong))
