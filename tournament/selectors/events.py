"""Events as lists and heads show them."""

import datetime as dt
from dataclasses import dataclass

from django.db.models import Count, Max, Q

from tournament.models import Event, Round


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event in a list: how many play, how many rounds there are and how many are released."""

    slug: str
    name: str
    date: dt.date
    place: str
    rules_title: str
    players: int
    rounds: int
    released: int


@dataclass(frozen=True, slots=True)
class ClockRow:
    """The clock of a round: when it started and when it signals; None where it has not started or has no limit."""

    round: int
    started_at: dt.datetime | None
    ends_at: dt.datetime | None
    minutes: int
    extra_hands: int


def list_events() -> list[EventRow]:
    """List all events, the newest first; one query."""
    events = Event.objects.annotate(
        player_count=Count("players", distinct=True),
        released_count=Count("rounds", filter=Q(rounds__released_at__isnull=False), distinct=True),
    )
    return [
        EventRow(
            event.slug,
            event.name,
            event.date,
            event.place,
            event.rules["title"],
            event.player_count,
            event.rounds_planned,
            event.released_count,
        )
        for event in events.order_by("-date", "name")
    ]


def get_version(slug: str) -> int | None:
    """Return the version of an event, None where there is none; one small query."""
    return Event.objects.filter(slug=slug).aggregate(version=Max("version"))["version"]


def get_clock(round_: Round) -> ClockRow:
    """Return the clock of a round."""
    rules = round_.event.ruleset
    ends = round_.started_at + dt.timedelta(minutes=rules.minutes) if round_.started_at and rules.minutes else None
    return ClockRow(round_.number, round_.started_at, ends, rules.minutes, rules.extra_hands)
