"""An event knows its country, days and zone: set once, used by timetable, calendar, EMA's file, paper and sign-up."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from tests.factories import DAY, fresh, make_account, make_event, play_round, refused, writer_of
from tests.pages.at_desk import client_of, organiser, values
from tests.pages.html_reader import text, texts
from tournament.archive.actions import import_event
from tournament.archive.queries import get_event_file
from tournament.core.models import AuditRow
from tournament.events.actions import copy_event, set_details
from tournament.events.models import Event
from tournament.pages.files import get_head
from tournament.pdf.render import page_values
from tournament.signup.models import SignUpPage
from tournament.tables.round_queries import list_days, list_round_times

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

NEW = {
    "name": "Spring Cup", "date": "2026-09-12", "rules_key": "ema-2025", "rounds": "2+1", "place": "Eindhoven",
    "country": "NL", "time_zone": "Europe/Amsterdam",
}  # fmt: skip
SETTINGS = "/desk/cup/settings/"
NEXT_DAY = DAY + dt.timedelta(days=1)


def set_days(event: Event, rounds: int | list[int], **facts: object) -> Event:
    known: dict[str, Any] = {"name": event.name, "date": event.date, "place": event.place}
    set_details(event=event, rounds=rounds, by=writer_of(event), **{**known, **facts})
    return fresh(event)


@pytest.mark.follows("before/event.md")
def test_a_new_event_is_asked_once_for_country_days_and_zone():
    site = client_of(make_account("Organiser", superuser=True))
    site.post("/desk/new/", NEW)
    event = Event.objects.get()
    assert (event.country, event.day_rounds, event.rounds_planned, event.last_date) == ("NLD", [2, 1], 3, NEXT_DAY)
    page = site.get(f"/desk/{event.slug}/settings/")
    assert [values(page, name) for name in ("country", "rounds", "time_zone")] == [
        ["NLD"], ["2+1"], ["Europe/Amsterdam"],
    ]  # fmt: skip
    copied = site.get(f"/desk/new/?copy={event.slug}")
    assert [values(copied, name) for name in ("country", "rounds")] == [["NLD"], ["2+1"]]


@pytest.mark.parametrize(
    ("fields", "name", "words"),
    [
        ({"country": "Atlantis"}, "country", "“Atlantis” is not a known country"),
        ({"rounds": "2+0"}, "rounds", "greater than or equal to 1"),
        ({"rounds": "2+x"}, "rounds", "whole number"),
        ({"rounds": "+".join("1" * 32)}, "rounds", "32 days are not possible"),
        ({"time_zone": "Mars"}, "time_zone", "No time zone is called Mars"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(fields: dict[str, str], name: str, words: str):
    make_event(slug="cup", tables=1, rounds=1)
    site = client_of(make_account("Organiser", superuser=True))
    for url in ("/desk/new/", SETTINGS):
        answer = site.post(url, NEW | fields)
        assert (answer.status_code, values(answer, name)) == (422, [fields[name]])
        assert words in text(answer, f"#id_{name}_error")


def test_a_zone_of_other_hours_than_the_country_is_warned_of():
    event = make_event(slug="cup", tables=1, rounds=1)
    client = organiser(event)
    said = "Netherlands has other hours than Europe/London"
    for zone, country, warned in (
        ("Europe/London", "NLD", True), ("Europe/Berlin", "NLD", False), ("Europe/London", "", False),
    ):  # fmt: skip
        fields = NEW | {"rounds": "1", "time_zone": zone, "country": country}
        page = client.post(SETTINGS, fields, follow=True)
        assert (said in page.content.decode()) == warned, (zone, country)


def test_an_event_without_days_has_those_of_its_timetable_as_before():
    event = make_event(slug="cup", tables=1, rounds=2)
    assert (event.country, event.day_rounds, event.last_date, list_days(event)) == ("", [], DAY, [DAY])
    assert [each.day for each in list_round_times(event)] == [None, None]


def test_days_are_those_of_the_timetable_where_it_has_starts():
    event = set_days(make_event(slug="cup", tables=1, rounds=3), [2, 1])
    assert list_days(event) == [DAY, NEXT_DAY]
    event.rounds_planned = 4  # one more drawn later belongs to the last day
    assert [each.day for each in list_round_times(event)] == [DAY, DAY, NEXT_DAY, NEXT_DAY]
    event.timetable = ["", "2026-09-13T08:00+00:00"]
    assert [each.day for each in list_round_times(event)] == [DAY, NEXT_DAY, NEXT_DAY, NEXT_DAY]


@pytest.mark.follows("before/timetable.md")
def test_the_timetable_fills_each_day_from_the_same_hour():
    event = set_days(make_event(slug="cup", tables=1, rounds=3), [2, 1])
    page = organiser(event).post(f"{SETTINGS}timetable/", {"act": "fill", "first": "2026-09-12T10:00", "every": "120"})
    assert [values(page, f"start-{number}") for number in (1, 2, 3)] == [
        ["2026-09-12T10:00"], ["2026-09-12T12:00"], ["2026-09-13T10:00"],
    ]  # fmt: skip


def test_phones_paper_sign_up_and_calendar_have_the_days():
    event = set_days(make_event(slug="cup", tables=1, rounds=3), [2, 1], place="Eindhoven", country="nl")
    SignUpPage.objects.create(event=event, shown=True)
    assert "12 Sep 2026 – 13 Sep 2026" in text(Client().get("/e/cup/"), "main")
    assert page_values(get_head(event))["date"] == "12 Sep 2026 – 13 Sep 2026"
    about = text(Client().get("/e/cup/about/"), "main")
    assert "12 Sep" in about
    assert "13 Sep" in about
    lines = Client().get("/e/cup/rounds.ics").content.decode().splitlines()
    assert [line for line in lines if line.startswith("DTSTART")] == [
        "DTSTART;VALUE=DATE:20260912", "DTSTART;VALUE=DATE:20260912", "DTSTART;VALUE=DATE:20260913",
    ]  # fmt: skip
    assert lines.count("LOCATION:Eindhoven\\, Netherlands") == 3


@pytest.mark.follows("after/rankings.md")
def test_emas_file_takes_country_and_days_from_the_event_and_guesses_nothing():
    event = make_event(slug="cup", tables=1, rounds=1)
    event.players.first().person.__class__.objects.update(country="FRA")
    play_round(event, 1, "2r3 340")
    client = organiser(event)
    page = client.get("/desk/cup/results/rankings/")
    assert text(page, "#host").startswith("Country: – · Town: – · Days: 1")
    assert "Error The country where it was played is missing." in texts(page, ".note")
    set_days(event, [1, 1], place="Utrecht", country="Netherlands", qualified=True)
    page = client.get("/desk/cup/results/rankings/")
    assert text(page, "#host").startswith("Country: Netherlands · Town: Utrecht · Days: 2 (12 Sep 2026 – 13 Sep 2026)")
    assert "Players had to qualify" in text(page, "#host")


def test_two_saturdays_are_two_days():
    """The weight counts days of play, not those between them."""
    event = set_days(make_event(slug="cup", tables=1, rounds=2), 2)
    event.timetable = ["2026-09-12T08:00+00:00", "2026-09-19T08:00+00:00"]
    event.save()
    page = organiser(event).get("/desk/cup/results/rankings/")
    assert "Days: 2 (12 Sep 2026 – 19 Sep 2026)" in text(page, "#host")


def test_a_copy_and_the_file_have_them_and_the_trail_says_them():
    event = set_days(make_event(slug="cup", tables=1, rounds=3), [2, 1], country="nl", qualified=True)
    row = AuditRow.objects.get(event=event, verb="event_changed")
    assert '"country":"NLD"' in row.details.replace(" ", "")
    assert "rounds of each day: [2, 1]" in text(organiser(event).get(f"{SETTINGS}trail/"), ".trail")
    data = get_event_file(event).encode()
    made = copy_event(
        event=event, name="Next", date=DAY, place="", rounds=2, visibility="public", roles=False, by=writer_of(event)
    )
    assert (made.country, made.qualified, made.day_rounds) == ("NLD", True, [])
    with refused("event.country_unknown"):
        set_days(event, 3, country="Atlantis")
    Event.objects.filter(pk=event.pk).update(slug="old")
    back = import_event(data=data, by=writer_of(event))
    assert (back.country, back.qualified, back.day_rounds) == ("NLD", True, [2, 1])
