"""The timetable at the desk, and as a calendar that another program reads."""

import datetime as dt

import icalendar
import pytest
from django.test import Client
from django.utils import timezone

from tests.factories import make_event, writer_of
from tests.pages.at_desk import organiser
from tests.pages.html_reader import texts
from tournament.events.actions import set_timetable
from tournament.events.models import Event

pytestmark = [pytest.mark.once, pytest.mark.django_db]

PAGE = "/desk/cup/settings/timetable/"


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    event = make_event(tables=1, rounds=3, slug="cup", time_zone="Europe/London")
    event.place = "Großer Saal, Haus am Fluß; Eingang 2"
    event.save()
    return event


def entries(client: Client, query: str = "") -> list[icalendar.Event]:
    response = client.get(f"/e/cup/rounds.ics{query}")
    assert response.headers["Content-Type"] == "text/calendar; charset=utf-8"
    found = icalendar.Calendar.from_ical(response.content)
    return [part for part in found.walk("VEVENT") if isinstance(part, icalendar.Event)]


def test_a_line_break_in_a_name_or_place_is_a_gap(event: Event, client: Client):
    Event.objects.filter(pk=event.pk).update(name="Cup\r\nof winds", place="Hall 1\nBerlin")
    start = dt.datetime(2026, 9, 12, 8, tzinfo=dt.UTC)
    set_timetable(event=event, starts=[start], by=writer_of(event))
    entry = entries(client)[0]
    assert (str(entry["summary"]), str(entry["location"])) == ("Cup of winds: Round 1", "Hall 1 Berlin")


@pytest.mark.follows("before/timetable.md")
def test_starts_are_set_and_shown_again(event: Event):
    desk = organiser(event)
    fields = {"start-1": "2026-09-12T10:00", "start-2": "", "start-3": "2026-09-12T14:30"}
    answer = desk.post(PAGE, fields, follow=True)
    assert [field for field in fields.values() if field in answer.content.decode()] == [
        "2026-09-12T10:00", "", "2026-09-12T14:30"
    ]  # fmt: skip
    event.refresh_from_db()
    assert event.timetable == ["2026-09-12T09:00+00:00", "", "2026-09-12T13:30+00:00"]


@pytest.mark.follows("before/timetable.md")
def test_all_rounds_are_filled_in_and_nothing_is_kept_yet(event: Event):
    answer = organiser(event).post(PAGE, {"act": "fill", "first": "2026-09-12T10:00", "every": "100"})
    assert answer.status_code == 200
    for start in ("2026-09-12T10:00", "2026-09-12T11:40", "2026-09-12T13:20"):
        assert f'value="{start}"' in answer.content.decode()
    event.refresh_from_db()
    assert event.timetable == []


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"start-1": "noon"}, "The start of round 1 cannot be read: noon. It is written like 2026-09-12T10:00."),
        ({"start-1": "2026-09-12T10:00", "start-2": "2026-09-12T09:00"},
         "Round 2 would start before round 1 or together with it."),
        ({"act": "fill", "first": "", "every": "90"},
         "The first start cannot be read. It is written like 2026-09-12T10:00."),
        ({"act": "fill", "first": "2026-09-12T10:00", "every": "-5"},
         "The minutes between two starts must be 1 or more."),
    ],
)  # fmt: skip
def test_what_cannot_be_read_stays_in_its_field_with_the_reason(event: Event, fields: dict[str, str], words: str):
    answer = organiser(event).post(PAGE, fields)
    assert answer.status_code == 422
    assert texts(answer, ".problems") == [f"Error {words}"]
    if "start-1" in fields:
        assert f'value="{fields["start-1"]}"' in answer.content.decode()


def test_a_calendar_has_the_rounds_with_a_start(event: Event, client: Client):
    assert entries(client) == []
    start = dt.datetime(2026, 9, 12, 8, tzinfo=dt.UTC)
    set_timetable(event=event, starts=[start, None, start + dt.timedelta(hours=3)], by=writer_of(event))
    first, third = entries(client)
    assert [str(first["summary"]), str(third["summary"])] == ["Cup: Round 1", "Cup: Round 3"]
    assert first.decoded("dtstart") == start
    assert first.decoded("duration") == dt.timedelta(minutes=event.ruleset.minutes + 15)
    assert str(first["location"]) == event.place
    assert first.decoded("dtstamp") <= timezone.now()
    assert str(first["uid"]) == "cup-round-1@hanchan-desk"


@pytest.mark.usefixtures("others_aside")
def test_a_player_finds_the_own_seat_once_it_is_published(client: Client):
    event = make_event(tables=1, rounds=1, slug="cup", published=False)
    set_timetable(event=event, starts=[dt.datetime(2026, 9, 12, 8, tzinfo=dt.UTC)], by=writer_of(event))
    assert [str(each["summary"]) for each in entries(client, "?player=2")] == ["Cup: Round 1"]
    organiser(event).post("/desk/cup/seating/", {"act": "publish", "sure": "1", "rounds": "1"})
    assert [str(each["summary"]) for each in entries(client, "?player=2")] == ["Cup: Round 1, table 1, South"]
    assert [str(each["summary"]) for each in entries(client, "?player=99999999")] == ["Cup: Round 1"]
