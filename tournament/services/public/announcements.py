"""Verbs on announcements: write one, change it, put it elsewhere in the order, take it back and put it back.

None is ever deleted; the trail says who wrote what.
"""

import dataclasses
import datetime as dt
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from scoring.problems import error
from tournament.models import Account, Announcement, Event
from tournament.refusal import Refused
from tournament.services.core.writing import Change, writing

MOST_TITLE = 80
MOST_TEXT = 300
MOST_ANNOUNCEMENTS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What is announced and when: from now on where `shown_from` is None, to the end of the event where until is."""

    title: str
    text: str = ""
    second_title: str = ""
    second_text: str = ""
    at_once: bool = False
    shown_from: dt.datetime | None = None
    shown_until: dt.datetime | None = None


def write_announcement(*, event: Event, words: Words, client_id: UUID, by: Account) -> Announcement:
    """Announce something, as the last in the order. A known `client_id` changes nothing and returns its row.

    Raises Refused without a title, for what is too long or ends before it begins, and for too many.
    """
    with writing(event, "announcement_written", by=by) as change:
        known = Announcement.objects.filter(client_id=client_id).first()
        if known and known.event_id != event.pk:
            raise Refused(error("entry.client_id_used"))
        if known:
            change.nothing_new()
            return known
        values = _values(words, change.at)
        there = change.event.announcements.count()
        if there >= MOST_ANNOUNCEMENTS:
            raise Refused(error("announcement.too_many", most=MOST_ANNOUNCEMENTS))
        made = Announcement.objects.create(
            event=change.event,
            client_id=client_id,
            position=there + 1,
            written_by=change.by,
            written_at=change.at,
            **values,
        )
        change.details = {"title": made.title}
    return made


def change_announcement(*, announcement: Announcement, words: Words, by: Account) -> bool:
    """Change what is announced or when; return whether that is new. Raises Refused as for a new one."""
    with writing(announcement.event, "announcement_changed", by=by) as change:
        current = _current(change, announcement)
        values = _values(words, current.shown_from)
        before = {key: getattr(current, key) for key in values}
        changed = {key: value for key, value in values.items() if before[key] != value}
        if not changed:
            change.nothing_new()
            return False
        for key, value in changed.items():
            setattr(current, key, value)
        current.save(update_fields=list(changed))
        change.details = {"title": current.title, "before": {key: str(before[key] or "") for key in changed}}
    return True


def move_announcement(*, announcement: Announcement, position: int, by: Account) -> None:
    """Put an announcement at a place in the order, counted from 1 among those that are not taken back."""
    with writing(announcement.event, "announcement_moved", by=by) as change:
        current = _current(change, announcement)
        rows = list(change.event.announcements.filter(taken_back_at=None))
        others = [row for row in rows if row.pk != current.pk]
        at = min(max(position, 1), len(others) + 1)
        wanted = [*others[: at - 1], current, *others[at - 1 :]]
        if [row.pk for row in wanted] == [row.pk for row in rows]:
            change.nothing_new()
            return
        for number, row in enumerate(wanted, start=1):
            row.position = number
        Announcement.objects.bulk_update(wanted, ["position"])
        change.details = {"title": current.title, "position": at}


def take_announcement_back(*, announcement: Announcement, by: Account) -> None:
    """Take an announcement off the wall; the row stays, and can be put back."""
    with writing(announcement.event, "announcement_taken_back", by=by) as change:
        current = _current(change, announcement)
        if current.taken_back_at:
            change.nothing_new()
            return
        current.taken_back_at, current.taken_back_by = change.at, change.by
        current.save(update_fields=["taken_back_at", "taken_back_by"])
        change.details = {"title": current.title}


def put_announcement_back(*, announcement: Announcement, by: Account) -> None:
    """Put an announcement that was taken back on the wall again, with its times as they were."""
    with writing(announcement.event, "announcement_put_back", by=by) as change:
        current = _current(change, announcement)
        if current.taken_back_at is None:
            change.nothing_new()
            return
        current.taken_back_at, current.taken_back_by = None, ""
        current.save(update_fields=["taken_back_at", "taken_back_by"])
        change.details = {"title": current.title}


def _current(change: Change, announcement: Announcement) -> Announcement:
    return change.event.announcements.get(pk=announcement.pk)


def _values(words: Words, begins: dt.datetime) -> dict[str, Any]:
    """Return the columns of an announcement that begins then unless it says otherwise; raises Refused."""
    values = {key: _tidy(value) for key, value in dataclasses.asdict(words).items()}
    if not values["title"]:
        raise Refused(error("announcement.title_missing"))
    if max(len(values["title"]), len(values["second_title"])) > MOST_TITLE:
        raise Refused(error("announcement.title_too_long", most=MOST_TITLE))
    if max(len(values["text"]), len(values["second_text"])) > MOST_TEXT:
        raise Refused(error("announcement.text_too_long", most=MOST_TEXT))
    values["shown_from"] = words.shown_from or begins
    if words.shown_until and words.shown_until <= values["shown_from"]:
        raise Refused(error("announcement.ends_before"))
    return values


def _tidy(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value
