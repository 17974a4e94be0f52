"""The timetable of rounds: the organiser's page that sets it, and the calendar that players subscribe to."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.core.time_zones import event_zone_label
from tournament.events.actions_settings import set_timetable
from tournament.models.event import Event
from tournament.pages.permissions_gateways import DeskRequest, for_public, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.public_page import find_player
from tournament.pages.requests_tables import UNPROCESSABLE, to_int
from tournament.players.queries import get_story
from tournament.tables.round_queries_clock import RoundTime, list_round_times
from tournament.text.numbers_formatting import wind_word
from tournament.text.problems_1 import say

IN_FIELD = "%Y-%m-%dT%H:%M"  # as a browser's field for date and time has it
MOST_MINUTES = 14 * 24 * 60
PRODUCT = "-//Hanchan Desk//rounds//EN"
USUAL_MINUTES = 90  # length of a round whose rules set no time
AFTER_SIGNAL = 15  # minutes to play and count after the signal
REFRESH = "PT10M"


@require_http_methods(["GET", "POST"])
@who_may(Verb.CHANGE_SETTINGS)
def timetable(request: DeskRequest, event: Event) -> HttpResponse:
    """Show and set when rounds start; `act=fill` only fills the fields, from a first start and an interval."""
    rows = list_round_times(event)
    if request.method != "POST":
        return _page(request, event, rows, [_in_field(row.planned) for row in rows], [])
    typed = [request.POST.get(f"start-{row.number}", "").strip()[:40] for row in rows]
    starts, errors = _read(typed)
    if request.POST.get("act") == "fill":
        filled, errors = _fill(request.POST.get("first", ""), request.POST.get("every", ""), len(rows))
        return _page(request, event, rows, filled or typed, errors)
    if not errors:
        try:
            if set_timetable(event=event, starts=starts, by=request.user):
                messages.success(request, _("The timetable is set."))
            else:
                messages.info(request, _("Nothing was changed."))
            return redirect("desk:timetable", event.slug)
        except Refused as refused:
            errors = [say(problem) for problem in refused.problems]
    return _page(request, event, rows, typed, errors)


@require_safe
@for_public
def calendar(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the rounds as an iCalendar (RFC 5545); `?player=` adds that player's published seats."""
    me = find_player(event, request.GET.get("player", ""))
    url = request.build_absolute_uri(reverse("public:phone", args=[event.slug]))
    response = HttpResponse(
        _calendar(event, url, _seats(event, me.number) if me else {}), content_type="text/calendar; charset=utf-8"
    )
    response["Content-Disposition"] = f'inline; filename="{event.slug}.ics"'
    response["Cache-Control"] = "no-cache"
    return response


def _seats(event: Event, number: int) -> dict[int, str]:
    """Return a player's seats in the published rounds ahead, by round, in words."""
    story = get_story(event, number)
    return {
        seat.round: _("table %(table)d, %(wind)s") % {"table": seat.table, "wind": wind_word(seat.seat)}
        for seat in (story.ahead if story else ())
    }


def _calendar(event: Event, url: str, seats: Mapping[int, str]) -> bytes:
    """Return the rounds that have a time, each with the link `url` and the seat of the reader where there is one."""
    from icalendar import Calendar, vText  # imported late: a twentieth of the start
    from icalendar import Event as Entry

    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    name = " ".join(event.name.split())  # no line of a calendar has a line break
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval;value=duration", REFRESH)
    calendar.add("x-published-ttl", REFRESH)
    now = timezone.now()
    for row in list_round_times(event):
        if row.starts is None:
            continue
        entry = Entry()
        # the same name after a change of time, so that a calendar moves the entry instead of showing it twice
        entry.add("uid", f"{event.slug}-round-{row.number}@hanchan-desk")
        entry.add("dtstamp", now.astimezone(dt.UTC))
        words = _("Round %(number)d") % {"number": row.number}
        seat = seats.get(row.number, "")
        entry.add("summary", f"{name}: {words}" + (f", {seat}" if seat else ""))
        entry.add("dtstart", row.starts.astimezone(dt.UTC))
        entry.add("duration", dt.timedelta(minutes=(row.minutes + AFTER_SIGNAL) if row.minutes else USUAL_MINUTES))
        if event.place:
            entry.add("location", vText(" ".join(event.place.split())))
        entry.add("url", url)
        calendar.add_component(entry)
    return calendar.to_ical()


def _page(
    request: DeskRequest, event: Event, rows: list[RoundTime], typed: list[str], errors: list[str]
) -> HttpResponse:
    context: dict[str, Any] = {
        "rows": [{"row": row, "typed": text} for row, text in zip(rows, typed, strict=True)],
        "errors": errors,
        "first": request.POST.get("first", "") or _in_field(rows[0].planned) or f"{event.date.isoformat()}T10:00",
        "every": request.POST.get("every", ""),
        "most_minutes": MOST_MINUTES,
        "usual": (event.ruleset.minutes or 75) + 30,
        "zone": event_zone_label(event),
        "calendar_url": request.build_absolute_uri(reverse("public:calendar", args=[event.slug])),
    }
    status = UNPROCESSABLE if errors else 200
    return render(request, "rounds/timetable.html", desk_context(request, event, "settings", **context), status=status)


def _read(typed: list[str]) -> tuple[list[dt.datetime | None], list[str]]:
    """Return the start of each field, in the event's time zone, and the errors of those that cannot be read."""
    starts: list[dt.datetime | None] = []
    errors = []
    for number, text in enumerate(typed, start=1):
        moment = _moment(text)
        if text and moment is None:
            words = _("The start of round %(number)d cannot be read: %(text)s. It is written like 2026-09-12T10:00.")
            errors.append(words % {"number": number, "text": text})
        starts.append(moment)
    return starts, errors


def _moment(text: str) -> dt.datetime | None:
    try:
        moment = dt.datetime.fromisoformat(text)
        return moment if moment.tzinfo else timezone.make_aware(moment)
    except (ValueError, OverflowError):
        return None


def _in_field(moment: dt.datetime | None) -> str:
    return timezone.localtime(moment).strftime(IN_FIELD) if moment else ""


def _fill(first: str, every: str, rounds: int) -> tuple[list[str], list[str]]:
    """Return the fields filled from a first start and the minutes between two starts, or errors."""
    start = _moment(first.strip()[:40])
    minutes = to_int(every)
    if start is None:
        return [], [_("The first start cannot be read. It is written like 2026-09-12T10:00.")]
    if not 0 < minutes <= MOST_MINUTES:
        return [], [_("The minutes between two starts must be 1 or more.")]
    return [_in_field(start + dt.timedelta(minutes=minutes * step)) for step in range(rounds)], []
