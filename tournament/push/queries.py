"""Which phones are to be told of which seat now: of the next round, and never while a round is played."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import DatabaseError

from tournament.core.threads import note_failure
from tournament.events.models import Event, Visibility
from tournament.push.models import ToldPhone
from tournament.tables.models import Seat
from tournament.tables.round_queries import planned_start

BEFORE = dt.timedelta(minutes=5)  # of the planned start


@dataclass(frozen=True, slots=True)
class Telling:
    """A phone with the seat that it is to be told of; `starts` is the planned start, None where there is none."""

    phone: ToldPhone
    event: Event
    round: int
    table: int
    seat: int
    starts: dt.datetime | None

    @property
    def told(self) -> str:
        """The seat as it is noted."""
        return f"{self.round}/{self.table}/{self.seat}"


def list_tellings(now: dt.datetime) -> list[Telling]:
    """List what phones are to be told now; one query while nobody has asked, three more an event where somebody has.

    Seats are told as soon as they are public, five minutes before the start where a timetable says it. While a round
    is played nobody is told anything.
    """
    events = Event.objects.filter(players__told_phones__isnull=False).exclude(visibility=Visibility.DRAFT).distinct()
    return [telling for event in events for telling in _list_of_event(event, now)]


def _list_of_event(event: Event, now: dt.datetime) -> list[Telling]:
    """List those of an event, none where it cannot be read: the phones of other events are told."""
    try:
        return list(_of_event(event, now))
    except DatabaseError:
        raise
    except Exception as wrong:  # noqa: BLE001 - whatever one event holds
        note_failure("push", wrong)
        return []


def _of_event(event: Event, now: dt.datetime) -> Iterator[Telling]:
    rounds = list(event.rounds.order_by("number"))
    if any(row.state == "running" for row in rounds):
        return
    ahead = next((row for row in rounds if row.state == "published"), None)
    starts = planned_start(event, ahead.number) if ahead else None
    if ahead is None or (starts and now < starts - BEFORE):
        return
    phones = {row.player_id: row for row in ToldPhone.objects.filter(player__event=event).select_related("player")}
    seats = Seat.objects.filter(round=ahead, player__in=phones, player__withdrawn_at=None).select_related("table")
    by_player = {row.player_id: row for row in seats}
    for phone in ToldPhone.objects.filter(player__in=by_player):
        seat = by_player[phone.player_id]
        telling = Telling(phone, event, ahead.number, seat.table.number, seat.seat, starts)
        if telling.told != phone.told:
            yield telling
