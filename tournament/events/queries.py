"""Events as lists show them, figures over all events of the desk, and what an event has before it is deleted."""

import datetime as dt
from dataclasses import dataclass

from django.db.models import Count, Max, Min, Q
from django.utils import timezone

from scoring.problems import ProblemType
from tournament.calls.models import CallKind, RefereeCall
from tournament.core.models import AuditRow
from tournament.events.models import Event, Play, Visibility
from tournament.penalties.models import Penalty
from tournament.sheets.models import SheetRow
from tournament.tables.models import LedgerEntry, Round

TOLERANCE = dt.timedelta(seconds=30)  # a computer that is set by the network moves by less


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event with its ranked players, its rounds, how many of them are released, and which one is played.

    Those that are `archived` stand apart. In an open event each table is a round, and `tables` are those that play.
    """

    slug: str
    name: str
    date: dt.date
    place: str
    rules_title: str
    players: int
    rounds: int
    released: int
    playing: int | None
    tables: int
    is_open: bool
    archived: bool


@dataclass(frozen=True, slots=True)
class Load:
    """Counts over all events; a round runs from its clock's start to its release."""

    events: int
    rounds_running: int
    ledger_rows: int
    calls_open: int


_PLAYING = Q(rounds__started_at__isnull=False, rounds__released_at=None)


def list_events() -> list[EventRow]:
    """List the events that everybody may find, the newest first; one query."""
    counts = {
        "ranked_players": Count("players", filter=Q(players__ranked=True), distinct=True),
        "released": Count("rounds", filter=Q(rounds__released_at__isnull=False), distinct=True),
        "archived": Q(archived_at__isnull=False),
        "playing": Min("rounds__number", filter=_PLAYING),
        "tables": Count("rounds", filter=_PLAYING, distinct=True),
        "is_open": Q(play=Play.OPEN),
    }
    columns = ("slug", "name", "date", "place", "rules__title", "ranked_players", "rounds_planned", "released")
    listed = Event.objects.filter(visibility=Visibility.PUBLIC).annotate(**counts)
    rows = listed.order_by("-date", "name").values_list(*columns, "playing", "tables", "is_open", "archived")
    return [EventRow(*row) for row in rows]


def get_next_event(event: Event) -> Event | None:
    """Return the first public event after today, other than `event`; None if there is none. One query."""
    coming = Event.objects.filter(visibility=Visibility.PUBLIC, archived_at=None, date__gt=timezone.localdate())
    return coming.exclude(pk=event.pk).order_by("date", "name").first()


def get_load() -> Load:
    """Count what goes on at this desk; four queries."""
    return Load(
        events=Event.objects.count(),
        rounds_running=Round.objects.filter(started_at__isnull=False, released_at=None).count(),
        ledger_rows=LedgerEntry.objects.count(),
        calls_open=RefereeCall.objects.filter(kind=CallKind.CALL, closed_at=None).count(),
    )


def get_act_to_come(now: dt.datetime) -> dt.datetime | None:
    """Return the moment of the newest audit row if it is in the future (the computer's clock was set back), or None."""
    latest = AuditRow.objects.aggregate(Max("at"))["at__max"]
    return latest if latest and latest - now > TOLERANCE else None


def count_what_goes(event: Event) -> dict[str, int]:
    """Count what a deletion takes along; seven queries."""
    return {
        "players": event.players.count(),
        "rounds": event.rounds.count(),
        "hands": LedgerEntry.objects.filter(table__round__event=event).count(),
        "sheets": SheetRow.objects.filter(table__round__event=event).count(),
        "penalties": Penalty.objects.filter(event=event).count(),
        "roles": event.memberships.count(),
        "acts": event.audit.count(),
    }


EVENT_RULES_UNKNOWN = ProblemType("event.rules_unknown", "There is no rule set '{key}'; there are {known}.")
