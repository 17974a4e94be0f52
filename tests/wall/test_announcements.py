"""Announcements: written once, changed, ordered, taken back and put back; none is lost, each act is in the trail."""

import datetime as dt
from typing import Any
from uuid import uuid4

import pytest
import time_machine

from tests.factories import codes_of, codes_when, make_event, writer_of
from tests.fixtures import module_event
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.publication.queries import get_public_state
from tournament.wall.actions import (
    MAX_TEXT,
    MAX_TITLE,
    AnnouncementText,
    change_announcement,
    move_announcement,
    restore_announcement,
    withdraw_announcement,
    write_announcement,
)
from tournament.wall.models import Announcement
from tournament.wall.queries import list_all_announcements, list_announcements, wall_mark

pytestmark = [pytest.mark.once, pytest.mark.django_db]

NOON = dt.datetime(2026, 9, 12, 12, 0, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)


made = module_event(tables=1, rounds=1)


def say(event: Event, title: str = "Lunch", **words: Any) -> Announcement:
    return write_announcement(
        event=event, words=AnnouncementText(title=title, **words), client_id=uuid4(), by=writer_of(event)
    )


def titles(event: Event, at: dt.datetime = NOON) -> list[str]:
    return [row.title for row in list_announcements(event, at)]


def test_what_is_sent_twice_is_announced_once(event: Event):
    sent, words = uuid4(), AnnouncementText(title="  Lunch \n until 2 ", text="In the  canteen")
    first = write_announcement(event=event, words=words, client_id=sent, by=writer_of(event))
    assert write_announcement(event=event, words=words, client_id=sent, by=writer_of(event)) == first
    assert (first.title, first.text, Announcement.objects.count()) == ("Lunch until 2", "In the canteen", 1)


def test_a_number_that_another_event_used_is_refused(event: Event):
    sent = uuid4()
    write_announcement(event=event, words=AnnouncementText(title="Lunch"), client_id=sent, by=writer_of(event))
    other = make_event()
    with pytest.raises(DomainError) as refusal:
        write_announcement(event=other, words=AnnouncementText(title="Lunch"), client_id=sent, by=writer_of(other))
    assert codes_of(refusal) == ["entry.client_id_used"]


def test_it_is_shown_from_its_beginning_until_its_end(event: Event):
    say(event, shown_from=NOON, shown_until=NOON + HOUR)
    tick = dt.timedelta(microseconds=1)
    moments = (NOON - tick, NOON, NOON + HOUR - tick, NOON + HOUR)
    assert [titles(event, at) for at in moments] == [[], ["Lunch"], ["Lunch"], []]
    states = [list_all_announcements(event, at)[0].state for at in moments]
    assert states == ["later", "now", "now", "over"]


def test_without_a_beginning_it_is_shown_at_once_until_it_is_taken_back(event: Event):
    with time_machine.travel(NOON, tick=False):
        row = say(event)
    assert (row.shown_from, titles(event)) == (NOON, ["Lunch"])
    withdraw_announcement(announcement=row, by=writer_of(event))
    assert titles(event) == []
    restore_announcement(announcement=row, by=writer_of(event))
    assert titles(event) == ["Lunch"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ({"title": " "}, "announcement.title_missing"),
        ({"title": "x" * (MAX_TITLE + 1)}, "announcement.title_too_long"),
        ({"second_title": "x" * (MAX_TITLE + 1)}, "announcement.title_too_long"),
        ({"text": "x" * (MAX_TEXT + 1)}, "announcement.text_too_long"),
        ({"second_text": "x" * (MAX_TEXT + 1)}, "announcement.text_too_long"),
        ({"shown_from": NOON, "shown_until": NOON}, "announcement.ends_before"),
    ],
)
def test_what_cannot_be_announced_is_refused(event: Event, words: dict[str, Any], code: str):
    with pytest.raises(DomainError) as refusal:
        say(event, **{"title": "Lunch", **words})
    assert (codes_of(refusal), Announcement.objects.count()) == ([code], 0)


def test_a_hundred_are_enough(event: Event):
    Announcement.objects.bulk_create(
        Announcement(
            event=event, client_id=uuid4(), position=n, title="x", shown_from=NOON, written_by="x", written_at=NOON
        )
        for n in range(100)
    )
    assert codes_when(lambda: say(event)) == ["announcement.too_many"]


def test_the_order_is_the_desk_s(event: Event):
    rows = [say(event, title, shown_from=NOON) for title in "abc"]
    move_announcement(announcement=rows[2], position=1, by=writer_of(event))
    assert titles(event) == ["c", "a", "b"]
    version = Event.objects.get(pk=event.pk).version
    move_announcement(announcement=rows[2], position=1, by=writer_of(event))
    assert Event.objects.get(pk=event.pk).version == version
    withdraw_announcement(announcement=rows[0], by=writer_of(event))
    move_announcement(announcement=rows[1], position=99, by=writer_of(event))
    assert titles(event) == ["c", "b"]
    assert [each.row.title for each in list_all_announcements(event, NOON)] == ["c", "b", "a"]


@pytest.mark.postgresql
def test_a_change_keeps_what_was_said_before_in_the_trail(event: Event):
    row = say(event, shown_from=NOON)
    words = AnnouncementText(title="Lunch until 3", text="Upstairs")
    assert change_announcement(announcement=row, words=words, by=writer_of(event)) is True
    assert change_announcement(announcement=row, words=words, by=writer_of(event)) is False
    row.refresh_from_db()
    assert (row.title, row.shown_from) == ("Lunch until 3", NOON)
    trail = list(AuditRow.objects.filter(event=event).order_by("seq").values_list("verb", "details"))[-2:]
    assert trail == [
        ("announcement_written", '{"title":"Lunch"}'),
        ("announcement_changed", '{"before":{"text":"","title":"Lunch"},"title":"Lunch until 3"}'),
    ]


def test_phones_need_not_ask_again_for_what_only_the_wall_shows(event: Event):
    phones, wall = get_public_state(event).mark, wall_mark(event)
    say(event)
    event.refresh_from_db()
    assert get_public_state(event).mark == phones
    assert wall_mark(event) != wall
