"""The rounds of an event as an iCalendar (RFC 5545) that calendars subscribe to. It holds what public pages show."""

import datetime as dt
from collections.abc import Callable

from django.utils.translation import gettext as _
from icalendar import Calendar, vText
from icalendar import Event as Entry

from tournament.models import Event
from tournament.selectors.rounds.clock import RoundTime, list_round_times

PRODUCT = "-//Hanchan Desk//rounds//EN"
USUAL_MINUTES = 90  # how long a round is taken to last where its rules set no time
AFTER_SIGNAL = 15  # what is still played and counted then, in minutes
REFRESH = "PT10M"


def calendar_of(event: Event, url: str, *, at: dt.datetime, seat_of: Callable[[int], str]) -> bytes:
    """Return the rounds that have a time, as they stand `at` a moment; `url` is the page that they lead to.

    `seat_of` says where in a round the reader sits, "" for nowhere or a reader who is nobody.

    Entries keep their names when times change, so that a calendar moves them instead of showing them twice.
    """
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", event.name)
    calendar.add("refresh-interval;value=duration", REFRESH)
    calendar.add("x-published-ttl", REFRESH)
    for row in list_round_times(event):
        if row.starts:
            calendar.add_component(_entry(event, row, row.starts, url=url, at=at, seat=seat_of(row.number)))
    return calendar.to_ical()


def _entry(event: Event, row: RoundTime, starts: dt.datetime, *, url: str, at: dt.datetime, seat: str) -> Entry:
    entry = Entry()
    entry.add("uid", f"{event.slug}-round-{row.number}@hanchan-desk")
    entry.add("dtstamp", at.astimezone(dt.UTC))
    words = _("Round %(number)d") % {"number": row.number}
    entry.add("summary", f"{event.name}: {words}" + (f", {seat}" if seat else ""))
    entry.add("dtstart", starts.astimezone(dt.UTC))
    entry.add("duration", dt.timedelta(minutes=(row.minutes + AFTER_SIGNAL) if row.minutes else USUAL_MINUTES))
    if event.place:
        entry.add("location", vText(event.place))
    entry.add("url", url)
    return entry
