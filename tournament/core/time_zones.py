"""Time zones: the names that are known here, and the zone in which an event is shown and typed.

What shows or reads a time of an event does so within `in_zone_of(event)`: a page by its gateway, a letter and a file of
a command where it is made. Nothing else activates a zone, so a page without an event has the desk's.
"""

import datetime as dt
import functools
import importlib.resources
import zoneinfo
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.validators import RegexValidator
from django.utils import timezone

if TYPE_CHECKING:
    from tournament.events.models import Event

UTC = "UTC"
MAX_ZONE = 64  # characters
# the form of a name: another machine may know zones that this one does not, and the reverse
has_zone_form = RegexValidator(r"^[A-Za-z][A-Za-z0-9_+/-]*\Z")
_AREAS = frozenset(
    {"Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}
)
_OF_ONE_MACHINE = frozenset({"localtime", "Factory"})  # names that mean something else, or nothing, elsewhere


@functools.cache
def known_time_zones() -> frozenset[str]:
    """Return every name that is a time zone here; ZoneInfo alone takes a wrong case on some file systems."""
    return frozenset(zoneinfo.available_timezones() - _OF_ONE_MACHINE)


def list_time_zones() -> tuple[str, ...]:
    """List the names to choose from: those of places, and UTC."""
    return tuple(sorted(name for name in known_time_zones() if name.partition("/")[0] in _AREAS or name == UTC))


def find_time_zone(text: str) -> str | None:
    """Return the time zone that somebody typed, in any case and with blanks; None for an unknown one.

    >>> find_time_zone(" america/st johns"), find_time_zone("Mars/Phobos"), find_time_zone("")
    ('America/St_Johns', None, None)
    """
    typed = "_".join(text.split())
    zones = known_time_zones()
    return typed if typed in zones else next((name for name in zones if name.casefold() == typed.casefold()), None)


@functools.cache
def _zones_of_countries() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    table = importlib.resources.files("tzdata.zoneinfo").joinpath("zone.tab").read_text(encoding="utf-8")
    for line in table.splitlines():
        if not line.startswith("#"):
            code, _place, name, *_rest = line.split("\t")
            found.setdefault(code, []).append(name)
    return found


def is_zone_elsewhere(zone: str, country: str, day: dt.date) -> bool:
    """Tell whether no clock of a country, by its code of two letters, shows the hour of a zone on a day.

    >>> [is_zone_elsewhere("Europe/London", code, dt.date(2026, 5, 9)) for code in ("NL", "GB", "")]
    [True, False, False]
    """
    noon = dt.datetime.combine(day, dt.time(12), dt.UTC)
    names = [name for name in _zones_of_countries().get(country, ()) if name in known_time_zones()]
    hours = {noon.astimezone(zoneinfo.ZoneInfo(name)).utcoffset() for name in names}
    return bool(hours) and noon.astimezone(zoneinfo.ZoneInfo(zone)).utcoffset() not in hours


def desk_time_zone() -> str:
    """Return the name of the desk's zone; Django's function says "+01" for one whose distance never changes."""
    return settings.TIME_ZONE


def zone_of(event: "Event") -> dt.tzinfo:
    """Return an event's zone; the desk's where this machine does not know it."""
    known = event.time_zone in known_time_zones()
    return zoneinfo.ZoneInfo(event.time_zone) if known else timezone.get_default_timezone()


def in_zone_of(event: "Event") -> AbstractContextManager[None]:
    """Return the context in which times are shown and read in an event's zone."""
    return timezone.override(zone_of(event))


def today_at(event: "Event") -> dt.date:
    """Return the date at an event now."""
    return timezone.localdate(timezone=zone_of(event))


def zone_label(zone: dt.tzinfo, *days: dt.datetime) -> str:
    """Return the name of a zone, with its distance from UTC where that is the same at all these moments.

    >>> winter, summer = (dt.datetime(2026, month, 1, tzinfo=dt.UTC) for month in (1, 7))
    >>> zone_label(zoneinfo.ZoneInfo("America/St_Johns"), winter)
    'America/St_Johns (UTC−3:30)'
    >>> zone_label(zoneinfo.ZoneInfo("Europe/Berlin"), winter, summer)
    'Europe/Berlin'
    """
    distances = {day.astimezone(zone).utcoffset() for day in days}
    if len(distances) != 1 or str(zone) == UTC:
        return str(zone)
    return f"{zone} ({distance_words(distances.pop() or dt.timedelta())})"


def distance_words(distance: dt.timedelta) -> str:
    """Write the distance of a zone from UTC.

    >>> [distance_words(dt.timedelta(minutes=minutes)) for minutes in (540, -210, 0)]
    ['UTC+9', 'UTC−3:30', 'UTC']
    """
    hours, minutes = divmod(abs(round(distance.total_seconds() / 60)), 60)
    sign = "+" if distance > dt.timedelta() else "\N{MINUS SIGN}"
    return f"UTC{sign}{hours}{f':{minutes:02}' if minutes else ''}" if distance else UTC


def event_zone_label(event: "Event") -> str:
    """Return how an event's zone is named beside its times: its distance is that of its days; no query."""
    zone = zone_of(event)
    noon = dt.datetime.combine(event.date, dt.time(12), zone)
    return zone_label(zone, noon, *(dt.datetime.fromisoformat(start) for start in event.timetable if start))


def same_hour(moment: dt.datetime, before: dt.tzinfo, after: dt.tzinfo) -> dt.datetime:
    """Return the moment at which a clock of zone `after` shows what one of `before` shows at this moment.

    >>> ten = dt.datetime(2026, 7, 1, 9, tzinfo=dt.UTC)
    >>> str(same_hour(ten, zoneinfo.ZoneInfo("Europe/London"), zoneinfo.ZoneInfo("Europe/Berlin")))
    '2026-07-01 10:00:00+02:00'
    """
    return moment.astimezone(before).replace(tzinfo=after)
