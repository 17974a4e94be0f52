"""Events as lists show them, figures over all events of the desk, and what an event has before it is deleted."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from scoring.problems import ProblemType
from tournament.calls.models import CallKind, RefereeCall
from tournament.core.models import AuditRow
from tournament.events.models import Event, Play, Visibility
from tournament.penalties.models import Penalty
from tournament.players.models import Player
from tournament.seasons.models import SeasonEvent
from tournament.sheets.models import SheetRow
from tournament.tables.models import LedgerEntry, Round

TOLERANCE = dt.timedelta(seconds=30)  # a computer that is set by the network moves by less
A_DAY = dt.timedelta(days=1)


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
    in_season: bool

    @property
    def is_over(self) -> bool:
        """Whether all rounds are released; of an open event, whether its evening is past.

        That may last into the next day, and a table be forgotten.
        """
        if not self.is_open:
            return self.rounds > 0 and self.released >= self.rounds
        today = timezone.localdate()
        return self.released > 0 and self.date < (today - A_DAY if self.tables else today)


@dataclass(frozen=True, slots=True)
class Load:
    """Counts over all events; a round runs from its clock's start to its release."""

    events: int
    rounds_running: int
    ledger_rows: int
    calls_open: int


def list_events(*, old_of_seasons: bool = True) -> list[EventRow]:
    """List the events that everybody may find, the newest first; one query.

    Without `old_of_seasons` those are left out that are over and count in a public season, which leads to them.
    """
    rounds = Round.objects.filter(event=OuterRef("pk"))
    playing = rounds.filter(started_at__isnull=False, released_at=None)
    counted_in = SeasonEvent.objects.filter(event=OuterRef("pk"), season__visibility=Visibility.PUBLIC)
    found = Event.objects.filter(visibility=Visibility.PUBLIC).annotate(
        released=_count(rounds.filter(released_at__isnull=False)),
        archived=Q(archived_at__isnull=False),
        in_season=Exists(counted_in),
    )
    if not old_of_seasons:
        over = Q(rounds_planned__gt=0, released__gte=F("rounds_planned")) & ~Q(play=Play.OPEN)
        past = Q(play=Play.OPEN, released__gt=0, date__lt=timezone.localdate() - A_DAY)
        found = found.exclude(over | past, in_season=True, archived=False)
    counted = found.annotate(
        ranked_players=_count(Player.objects.filter(event=OuterRef("pk"), ranked=True)),
        playing=Subquery(playing.order_by("number").values("number")[:1]),
        tables=_count(playing),
        open_play=Q(play=Play.OPEN),
    )
    columns = ("slug", "name", "date", "place", "rules__title", "ranked_players", "rounds_planned", "released")
    more = ("playing", "tables", "open_play", "archived", "in_season")
    return [EventRow(*row) for row in counted.order_by("-date", "name").values_list(*columns, *more)]


def _count(rows: QuerySet[Any, Any]) -> Coalesce:
    """Return how many rows an event has: joins of players and rounds would be read for each pair of them."""
    return Coalesce(Subquery(rows.order_by().values("event").annotate(n=Count("pk")).values("n")), 0)


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
