"""The timetable of an event, the clock of a round and of each table in it, and what a table may still play.

A clock follows from its start, the pauses, the minutes given and the ledger; nothing of it is stored.
"""

import dataclasses
import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from rules.ruleset import Ruleset
from scoring.entries import Entry
from scoring.time_limit import Pause, TimeLimit, left_of, signal_at
from tournament.core.prepared import Prepared
from tournament.core.time_zones import zone_of
from tournament.models.event import Event
from tournament.models.referee import RefereeCall
from tournament.models.rounds import ClockPause, Round, TableTime
from tournament.tables.history_1 import TimedRow, resolve
from tournament.tables.queries_tables import LoadedTable, names_of


@dataclass(frozen=True, slots=True)
class RoundTime:
    """A round's start, planned and real, and when it is over by the rules; None where that is not known."""

    number: int
    planned: dt.datetime | None
    started_at: dt.datetime | None
    minutes: int

    @property
    def starts(self) -> dt.datetime | None:
        """When it starts: what has happened, else what is planned."""
        return self.started_at or self.planned


def list_round_times(event: Event) -> list[RoundTime]:
    """List every round, drawn or only planned, with its start; one query."""
    started = dict(event.rounds.values_list("number", "started_at"))
    rounds = max(event.rounds_planned, *started, 0)
    planned = [dt.datetime.fromisoformat(text) if text else None for text in event.timetable]
    planned += [None] * (rounds - len(planned))
    minutes = event.ruleset.minutes
    return [RoundTime(number, planned[number - 1], started.get(number), minutes) for number in range(1, rounds + 1)]


def list_days(event: Event) -> list[dt.date]:
    """List the days on which rounds started or are to start, in the event's time zone; the event's own where none is.

    One query.
    """
    zone = zone_of(event)
    starts = [round_.planned or round_.started_at for round_ in list_round_times(event)]
    days = {start.astimezone(zone).date() for start in starts if start is not None}
    return sorted(day for day in days if day >= event.date) or [event.date]


def planned_start(event: Event, round_: int) -> dt.datetime | None:
    """Return when a round is to start; no query."""
    text = event.timetable[round_ - 1] if 0 < round_ <= len(event.timetable) else ""
    return dt.datetime.fromisoformat(text) if text else None


@dataclass(frozen=True, slots=True)
class ExtraTime:
    """Minutes that a table has beyond the clock; `id` is None where a referee's ruling gave them."""

    id: int | None
    table: int
    minutes: int
    reason: str


@dataclass(frozen=True, slots=True)
class ClockRow:
    """The clock of a round: when it started, its pauses, the minutes given to tables, and what it says.

    `pause_reason` is why it is paused now. `taken_back` is the start of a clock that was stopped. `signals` are the
    minutes left at which it says something, most first.
    """

    round: int
    rules: Ruleset
    started_at: dt.datetime | None
    pauses: tuple[Pause, ...] = ()
    pause_reason: str = ""
    extras: tuple[ExtraTime, ...] = ()
    taken_back: dt.datetime | None = None
    released: bool = False
    sound: bool = True
    signals: tuple[int, ...] = ()

    @property
    def minutes(self) -> int:
        """How long it runs until it signals; 0 for no limit."""
        return self.rules.minutes

    @property
    def extra_hands(self) -> int:
        """How many hands are played after the one in play at the signal."""
        return self.rules.extra_hands

    @property
    def ends_at(self) -> dt.datetime | None:
        """When it signals; None where it has not started, has no limit, or is paused."""
        return self.ends_at_of(None)

    @property
    def paused_at(self) -> dt.datetime | None:
        """Since when it is paused; None where it runs."""
        return next((pause.since for pause in self.pauses if pause.until is None), None)

    @property
    def left_paused(self) -> dt.timedelta | None:
        """What is left while it is paused; None where it runs or has no limit."""
        since = self.paused_at
        return left_of(self.started_at, self.minutes, self.pauses, since) if since else None

    def extra_of(self, table: int) -> int:
        """Sum the minutes that a table has beyond the clock."""
        return sum(each.minutes for each in self.extras if each.table == table)

    def ends_at_of(self, table: int | None) -> dt.datetime | None:
        """Return when the clock signals for a table, None as `ends_at`."""
        extra = self.extra_of(table) if table is not None and self.minutes else 0
        return signal_at(self.started_at, self.minutes + extra, self.pauses)

    def tables(self) -> tuple[int, ...]:
        """List the tables that have extra minutes, in order."""
        return tuple(sorted({each.table for each in self.extras}))


@dataclass(frozen=True, slots=True)
class TimeRow:
    """Minutes given to a table, as the desk lists them: taken back where `cancelled_at` says so."""

    id: int
    table: int
    minutes: int
    reason: str
    by: str
    at: dt.datetime
    cancelled_at: dt.datetime | None
    cancel_reason: str


def get_clock(round_: Round) -> ClockRow:
    """Return the clock of a round; three queries."""
    return list_clocks(round_.event, [round_])[round_.number]


def get_clock_at(table: LoadedTable) -> ClockRow:
    """Return the clock of the round of a table that was loaded alone; three queries, none where it just runs."""
    row, beside = table.alone
    return list_clocks(row.round.event, [row.round], plain=not beside.times)[row.round.number]


def list_clocks(event: Event, rounds: Sequence[Round], *, plain: bool = False) -> dict[int, ClockRow]:
    """Return the clocks of some rounds of an event by number; three queries.

    None where the caller knows that they are `plain`: without pauses and minutes beyond them.
    """
    rules = event.ruleset
    pauses, reasons = _pauses(() if plain else rounds)
    extras = _extras(() if plain else rounds)
    return {
        each.number: ClockRow(
            round=each.number,
            rules=rules,
            started_at=each.started_at,
            # what came before this start belongs to one that was taken back
            pauses=tuple(pause for pause in pauses[each.pk] if each.started_at and pause.since >= each.started_at),
            pause_reason=reasons.get(each.pk, "") if each.started_at else "",
            extras=tuple(extras[each.pk]),
            taken_back=each.start_taken_back,
            released=each.released_at is not None,
            sound=event.clock_sound,
            signals=tuple(event.clock_signals),
        )
        for each in rounds
    }


def get_time_limit(table: LoadedTable, now: dt.datetime) -> TimeLimit | None:
    """Return the time limit of a table that was loaded alone; None before its clock's signal. Queries as its clock."""
    clock = get_clock_at(table)
    limit = TimeLimit(clock.ends_at_of(table.number), now)
    return dataclasses.replace(limit, hands=hands_in_time(table.lines)) if limit.is_up else None


def hands_in_time(rows: Sequence[TimedRow]) -> tuple[tuple[Entry, dt.datetime], ...]:
    """Return the hands that stand, each with the moment at which it was first entered.

    Where a forgotten hand was put in, the later ones moved on by a row: the one that is new then ended with the hand
    that was last before it.
    """
    at = {row.seq: row.at for row in rows}
    corrections = {row.at for row in rows if row.supersedes is not None}
    found: list[tuple[Entry, dt.datetime]] = []
    before: dt.datetime | None = None
    for item in resolve(rows):
        moment = at[item.seq]
        if moment in corrections and before is not None:
            moment = before
        before = moment
        if item.entry is not None:
            found.append((item.entry, moment))
    return tuple(found)


def list_times(round_: Round) -> list[TimeRow]:
    """List the minutes given to tables of a round, taken back ones too, in order; two queries."""
    found = TableTime.objects.filter(table__round=round_).select_related("table").order_by("given_at", "pk")
    names = names_of(row.given_by for row in found)
    return [
        TimeRow(
            row.pk,
            row.table.number,
            row.minutes,
            row.reason,
            names.get(row.given_by, ""),
            row.given_at,
            row.cancelled_at,
            row.cancel_reason,
        )
        for row in found
    ]


def _pauses(rounds: Iterable[Round]) -> tuple[dict[int, list[Pause]], dict[int, str]]:
    """Return the pauses of rounds in order, and why those that go on do."""
    found: dict[int, list[Pause]] = defaultdict(list)
    reasons: dict[int, str] = {}
    for round_id, since, until, reason in _rows(_PAUSES, rounds):
        found[round_id].append(Pause(since, until))
        if until is None:
            reasons[round_id] = reason
    return found, reasons


def _extras(rounds: Iterable[Round]) -> dict[int, list[ExtraTime]]:
    """Return what tables have beyond the clock, by round: given at the desk, then by rulings."""
    found: dict[int, list[ExtraTime]] = defaultdict(list)
    for round_id, pk, table, minutes, reason in _rows(_GIVEN, rounds):
        found[round_id].append(ExtraTime(pk, table, minutes, reason))
    for round_id, table, minutes, ruling in _rows(_RULED, rounds):
        found[round_id].append(ExtraTime(None, table, minutes, ruling))
    return found


def _ask_pauses(*rounds: int) -> QuerySet[ClockPause, Any]:
    found = ClockPause.objects.filter(round__in=rounds).order_by("paused_at", "pk")
    return found.values_list("round_id", "paused_at", "resumed_at", "reason")


def _ask_given(*rounds: int) -> QuerySet[TableTime, Any]:
    found = TableTime.objects.filter(table__round__in=rounds, cancelled_at=None).order_by("given_at", "pk")
    return found.values_list("table__round_id", "pk", "table__number", "minutes", "reason")


def _ask_ruled(*rounds: int) -> QuerySet[RefereeCall, Any]:
    found = RefereeCall.objects.filter(table__round__in=rounds, closed_at__isnull=False, minutes__gt=0)
    return found.order_by("closed_at", "pk").values_list("table__round_id", "table__number", "minutes", "ruling")


_PAUSES, _GIVEN, _RULED = Prepared(_ask_pauses), Prepared(_ask_given), Prepared(_ask_ruled)


def _rows(prepared: Prepared[Any], rounds: Iterable[Round]) -> Iterable[Any]:
    ids = [each.pk for each in rounds]
    if not ids:
        return ()
    return prepared(ids[0]) if len(ids) == 1 else prepared.make(*ids)
