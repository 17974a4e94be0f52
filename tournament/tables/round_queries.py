"""Rounds as pages show them, with grid, seating and results; the timetable; the clock of a round and a table."""

import bisect
import dataclasses
import datetime as dt
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from rules.ruleset import Ruleset
from scoring.entries import Entry
from scoring.time_limit import Pause, TimeLimit, left_of, signal_at
from tournament.accounts.queries import account_names
from tournament.calls.models import RefereeCall
from tournament.core.prepared import Prepared
from tournament.core.time_zones import zone_of
from tournament.events.models import Event
from tournament.publication.queries import get_public_view
from tournament.rounds.models import ClockPause, TableTime
from tournament.tables.history import TimedRow, resolve
from tournament.tables.models import Round, RoundState, Seat
from tournament.tables.queries import LoadedTable, TableStage, list_public_tables, load_tables
from tournament.tables.rows import SeatedPlayer
from tournament.tables.table_queries import LedgerLine, Substitute
from tournament.text.readback import hand_name


@dataclass(frozen=True, slots=True)
class RoundRow:
    """One round on the day's line."""

    number: int
    state: RoundState
    started_at: dt.datetime | None
    tables: int


@dataclass(frozen=True, slots=True)
class Tile:
    """One table on the desk's grid; wind, kyoku, honba and sticks are of the hand about to be played.

    `confirmed` says that another person has confirmed the signed sheet, `sent_back` that one has rejected it, and
    `signed_by` who signed: an account's uid. `lines` are the rows of its ledger, `replaced` the substitutes by seat.
    """

    number: int
    stage: TableStage
    seats: tuple[SeatedPlayer, ...]
    scores: tuple[int, ...]
    round_wind: str
    kyoku: int
    honba: int
    sticks: int
    hands: int
    last_at: dt.datetime | None
    warnings: int
    ready: bool
    confirmed: bool
    sent_back: bool
    signed_by: str
    lines: tuple[LedgerLine, ...] = ()
    last_seq: int = 0
    replaced: Mapping[int, Substitute] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One player's result at a table, in points; None while the round is not released, but for the score of a live one.

    A player who was replaced has no place; `substitute` is who plays in the seat.
    """

    player: SeatedPlayer
    score: int | None
    place: int | None
    shared: bool
    uma: int | None
    result: int | None
    substitute: Substitute | None = None


@dataclass(frozen=True, slots=True)
class TableResult:
    """One table of a round: who sits there, and how it ended if that may be shown (`shown`).

    `live` says that the round is not released whole and the table may be looked at all the same; `hand` is then the one
    that it plays, "" once its game is over.
    """

    number: int
    seats: tuple[SeatResult, ...]
    hands: int
    shown: bool = False
    live: bool = False
    hand: str = ""


@Prepared
def _ask_tables_of(event: int) -> QuerySet[Round, Any]:
    return Round.objects.filter(event=event).values_list("tables__round_id")


@Prepared
def _ask_played(event: int) -> QuerySet[Round, Any]:
    open_ = Round.objects.filter(event=event, published_at__isnull=False, released_at=None)
    return open_.order_by("number").values_list("number")[:1]


_ROUNDS = Prepared(lambda event: Round.objects.filter(event=event))
_ROUND = Prepared(lambda event, number: Round.objects.filter(event=event, number=number))


def list_rounds(event: Event) -> list[RoundRow]:
    """List the rounds of an event with the number of their tables; two queries."""
    counts = Counter(round_ for (round_,) in _ask_tables_of(event.pk))
    return [RoundRow(row.number, row.state, row.started_at, counts[row.pk]) for row in _ROUNDS(event.pk)]


def get_played_round(event: Event) -> int | None:
    """Return the number of the round that is played: the first that is published and not released; one query."""
    (number,) = _ask_played.first(event.pk) or (None,)
    return number


def get_round(event: Event, number: int) -> Round | None:
    """Return a round by its number."""
    found = _ROUND.first(event.pk, number)
    if found:
        found.event = event
    return found


def list_tiles(event: Event, round_: int) -> list[Tile]:
    """List the tables of a round for the grid; five queries."""
    return [make_tile(table) for table in load_tables(event, rounds=[round_])]


def make_tile(table: LoadedTable) -> Tile:
    """Return a table as a tile of the grid."""
    state = table.state
    return Tile(
        number=table.number,
        stage=table.stage,
        seats=table.seats,
        scores=table.final.scores if table.signed else state.scores,
        round_wind=state.round_wind,
        kyoku=state.kyoku,
        honba=state.honba,
        sticks=state.sticks,
        hands=len(table.game.hands),
        last_at=table.lines[-1].at if table.lines else None,
        warnings=len(table.warned),
        ready=table.ready_at is not None,
        confirmed=table.confirmed,
        sent_back=table.sent_back,
        signed_by=table.sheet.by if table.sheet and table.signed else "",
        lines=table.lines,
        last_seq=table.last_seq,
        replaced=table.replaced,
    )


def list_results(event: Event, round_: Round, *, follows: int | None = None) -> list[TableResult]:
    """List the tables of a round: with results where the public may see them, else with seats alone.

    `follows` is the number of the player that the asking phone follows: see `Seen.live_for`.
    """
    seen = get_public_view(event)
    public = seen.shows(round_.number)
    live = {} if public else {each.number: each for each in seen.live_for(follows) if each.round == round_.number}
    return [
        table_result(
            table, shown=public or (table.number in live and live[table.number].signed), live=table.number in live
        )
        for table in (_of_round(event, round_.number) if public else load_tables(event, rounds=[round_.number]))
    ]


def _of_round(event: Event, number: int) -> list[LoadedTable]:
    """Return the tables of a public round."""
    return [table for table in list_public_tables(event) if table.round == number]


def table_result(table: LoadedTable, *, shown: bool, live: bool = False) -> TableResult:
    """Return a table's seats, and its results where they may be shown."""
    if not shown:
        replaced, state = table.replaced, table.state if live else None
        seats = tuple(
            SeatResult(
                player, state.scores[player.seat] if state else None, None, False, None, None, replaced.get(player.seat)
            )
            for player in table.seats
        )
        hand = hand_name(state) if state and not state.ended else ""
        return TableResult(table.number, seats, 0, live=live, hand=hand)
    seats = tuple(
        SeatResult(game.player, game.score, game.place, game.shared, game.uma, game.result, game.substitute)
        for game in table.seat_games
    )
    return TableResult(table.number, seats, len(table.game.hands), shown=True, live=live)


@dataclass(frozen=True, slots=True)
class RoundTime:
    """A round's start, planned and real, its day and its minutes by the rules; None where that is not known."""

    number: int
    planned: dt.datetime | None
    started_at: dt.datetime | None
    minutes: int
    day: dt.date | None = None

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
    minutes, zone = event.ruleset.minutes, zone_of(event)
    found = []
    for number, start in enumerate(planned, start=1):
        at = start or started.get(number)
        day = at.astimezone(zone).date() if at else planned_day(event, number)
        found.append(RoundTime(number, start, started.get(number), minutes, day))
    return found


def planned_day(event: Event, round_: int) -> dt.date | None:
    """Return the day of a round by the event's days, None where it does not say them; no query."""
    ends = list(itertools.accumulate(event.day_rounds))
    return event.date + dt.timedelta(days=min(bisect.bisect_left(ends, round_), len(ends) - 1)) if ends else None


def list_days(event: Event) -> list[dt.date]:
    """List the days on which rounds started or are to start, in the event's time zone; the event's own where none is.

    One query.
    """
    days = {each.day for each in list_round_times(event)}
    return sorted(day for day in days if day and day >= event.date) or [event.date]


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


@dataclass(frozen=True)  # without slots, with which Python pickles a field at a time
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

    def limit_of(self, table: Tile | LoadedTable, now: dt.datetime) -> TimeLimit:
        """Return the time limit of a table, with its hands from the signal on: before it none counts."""
        limit = TimeLimit(self.ends_at_of(table.number), now)
        return dataclasses.replace(limit, hands=hands_in_time(table.lines)) if limit.is_up else limit

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
    """Return the clocks of some rounds of an event by number; three queries, one more with a second rule set.

    None where the caller knows that they are `plain`: without pauses and minutes beyond them.
    """
    seats, rulesets = Counter[int](), event.rulesets
    if event.second_rules:
        seats.update(Seat.objects.filter(round__in=rounds).values_list("round", flat=True))
    pauses, reasons = _pauses(() if plain else rounds)
    extras = _extras(() if plain else rounds)
    return {
        each.number: ClockRow(
            round=each.number,
            rules=rulesets[seats[each.pk]],
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
    limit = get_clock_at(table).limit_of(table, now)
    return limit if limit.is_up else None


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
    names = account_names(row.given_by for row in found)
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
    for round_id, since, until, reason in _rows(_ask_pauses, rounds):
        found[round_id].append(Pause(since, until))
        if until is None:
            reasons[round_id] = reason
    return found, reasons


def _extras(rounds: Iterable[Round]) -> dict[int, list[ExtraTime]]:
    """Return what tables have beyond the clock, by round: given at the desk, then by rulings."""
    found: dict[int, list[ExtraTime]] = defaultdict(list)
    for round_id, pk, table, minutes, reason in _rows(_ask_given, rounds):
        found[round_id].append(ExtraTime(pk, table, minutes, reason))
    for round_id, table, minutes, ruling in _rows(_ask_ruled, rounds):
        found[round_id].append(ExtraTime(None, table, minutes, ruling))
    return found


@Prepared
def _ask_pauses(*rounds: int) -> QuerySet[ClockPause, Any]:
    found = ClockPause.objects.filter(round__in=rounds).order_by("paused_at", "pk")
    return found.values_list("round_id", "paused_at", "resumed_at", "reason")


@Prepared
def _ask_given(*rounds: int) -> QuerySet[TableTime, Any]:
    found = TableTime.objects.filter(table__round__in=rounds, cancelled_at=None).order_by("given_at", "pk")
    return found.values_list("table__round_id", "pk", "table__number", "minutes", "reason")


@Prepared
def _ask_ruled(*rounds: int) -> QuerySet[RefereeCall, Any]:
    found = RefereeCall.objects.filter(table__round__in=rounds, closed_at__isnull=False, minutes__gt=0)
    return found.order_by("closed_at", "pk").values_list("table__round_id", "table__number", "minutes", "ruling")


def _rows(prepared: Prepared[Any], rounds: Iterable[Round]) -> Iterable[Any]:
    ids = [each.pk for each in rounds]
    if not ids:
        return ()
    return prepared(ids[0]) if len(ids) == 1 else prepared.make(*ids)
