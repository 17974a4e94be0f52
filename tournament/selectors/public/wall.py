"""What the wall reads: its settings, the announcements of the moment, the round that it is about."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from tournament.compiled_queries import Prepared
from tournament.models import Announcement, AuditRow, Event, Wall
from tournament.selectors.core.events import WALL_VERBS
from tournament.selectors.tables.tables import names_of

AT_ONCE = dt.timedelta(seconds=60)  # how long an announcement stands over everything else


@dataclass(frozen=True, slots=True)
class AnnouncementRow:
    """One announcement as the desk lists it, with who wrote it."""

    row: Announcement
    by: str
    state: str  # "now", "later", "over" or "taken_back"


_WALL = Prepared(lambda event: Wall.objects.filter(event=event))


def get_wall(event: Event) -> Wall:
    """Return the wall of an event, one of usual values where nobody has set it; one query."""
    return _WALL.first(event.pk) or Wall(event=event)


_STANDING = Prepared(lambda event: Announcement.objects.filter(event=event, taken_back_at=None))


def list_announcements(event: Event, at: dt.datetime) -> list[Announcement]:
    """List what is announced at this moment, in order; one query."""
    return [row for row in _STANDING(event.pk) if _state(row, at) == "now"]


def list_all_announcements(event: Event, at: dt.datetime) -> list[AnnouncementRow]:
    """List all announcements, those taken back last; two queries."""
    rows = sorted(event.announcements.all(), key=lambda row: row.taken_back_at is not None)
    names = names_of({row.written_by for row in rows})
    return [AnnouncementRow(row, names.get(row.written_by, ""), _state(row, at)) for row in rows]


def _ask_newest(event: int) -> QuerySet[AuditRow, Any]:
    acts = AuditRow.objects.filter(event=event, verb__in=WALL_VERBS)
    return acts.order_by("-seq").values_list("seq", flat=True)[:1]


_NEWEST = Prepared(_ask_newest)


def wall_mark(event: Event) -> str:
    """Return what moves with every act on the wall and with nothing else; one small query."""
    return str(_NEWEST.first(event.pk) or 0)


def _state(row: Announcement, at: dt.datetime) -> str:
    if row.taken_back_at:
        return "taken_back"
    if row.shown_from > at:
        return "later"
    return "over" if row.shown_until and row.shown_until <= at else "now"
