"""Calendars in iCalendar (RFC 5545)."""

import datetime as dt
from collections.abc import Iterable
from typing import Final, NamedTuple

from django.http import HttpResponse
from django.utils import timezone

from tournament.events.models import Event
from tournament.text.languages import join_commas
from tournament.text.names import name_of_country

PRODUCT: Final = "-//Hanchan Desk//rounds//EN"
REFRESH: Final = "PT10M"
USUAL_MINUTES: Final = 90  # length of a round whose rules set no time
AFTER_SIGNAL: Final = 15  # minutes to play and count after the signal


class CalendarEntry(NamedTuple):
    """An entry from a moment on, or of whole days; its `uid` stays, so that a calendar moves it with its time."""

    uid: str
    summary: str
    starts: dt.date  # or a moment
    lasts: dt.timedelta | None  # None for one whole day


def round_length(minutes: int) -> dt.timedelta:
    """Return how long a round of so many minutes takes; 0 where the rules set no time."""
    return dt.timedelta(minutes=(minutes + AFTER_SIGNAL) if minutes else USUAL_MINUTES)


def one_line(text: str) -> str:
    """Return a typed text without line breaks and other signs that no calendar and no feed takes."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def calendar_answer(file: str, name: str, entries: Iterable[tuple[CalendarEntry, Event, str]]) -> HttpResponse:
    """Return a calendar with this name as a file: each entry with its event, for the place, and a link."""
    from icalendar import Calendar, vText  # imported late: a twentieth of the start
    from icalendar import Event as Entry

    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval;value=duration", REFRESH)
    calendar.add("x-published-ttl", REFRESH)
    now = timezone.now().astimezone(dt.UTC)
    for (uid, summary, starts, lasts), event, url in entries:
        entry = Entry()
        entry.add("uid", uid)
        entry.add("dtstamp", now)
        entry.add("summary", summary)
        entry.add("dtstart", starts.astimezone(dt.UTC) if isinstance(starts, dt.datetime) else starts)
        if lasts is not None:
            entry.add("duration", lasts)
        if place := join_commas(filter(None, (one_line(event.place), name_of_country(event.country)))):
            entry.add("location", vText(place))
        entry.add("url", url)
        calendar.add_component(entry)
    response = HttpResponse(calendar.to_ical(), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{file}.ics"'
    response["Cache-Control"] = "no-cache"
    return response
