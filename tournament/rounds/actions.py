"""Actions on a round and its clock: publish, start, release; tables ready, pause, stop, minutes for one table.

Published seats never move by themselves. The moment of the signal is never stored: it follows from these rows.
"""

from collections.abc import Sequence
from uuid import UUID

from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act, Seals
from tournament.core.errors import DomainError
from tournament.core.limits import MAX_REASON
from tournament.core.sealed_rows import Sealed, round_row
from tournament.core.transaction import check_length, check_published, event_transaction, require_text, table_details
from tournament.events.models import Event
from tournament.publication.queries import ROUND_RELEASED
from tournament.rounds.models import ClockPause, TableTime
from tournament.standings.queries import read_standings
from tournament.tables.actions import freeze_rules
from tournament.tables.models import Round, Table
from tournament.tables.queries import LoadedTable, load_tables

CLOCK_NOT_STARTED = ProblemType("clock.not_started", "The clock of round {round} does not run.")
CLOCK_NOT_STOPPED = ProblemType(
    "clock.not_stopped", "The clock of round {round} was not stopped: there is nothing to put back."
)
CLOCK_RELEASED = ProblemType("clock.released", "Round {round} is released: its clock no longer matters.")
CLOCK_REASON_MISSING = ProblemType(
    "clock.reason_missing", "To pause or stop the clock, or to change a table's minutes, needs a reason."
)
CLOCK_MINUTES_OUT_OF_RANGE = ProblemType("clock.minutes_out_of_range", "{minutes} is not possible; 1 to {most} are.")
READY_CLOCK_RUNS = ProblemType(
    "ready.clock_runs", "The clock of round {round} is running: ready ticks are for the time before it."
)
READY_NO_TABLE = ProblemType("ready.no_table", "There is no table {table} in round {round}.")

TABLES_READY = Act("tables_ready", "ticked as ready in round {round}: tables {tables}", Seals.OWN)
TABLES_NOT_READY = Act("tables_not_ready", "took the ready ticks back in round {round}: tables {tables}", Seals.OWN)
CLOCK_PAUSED = Act("clock_paused", "paused the clock of round {round}: {reason}")
CLOCK_RESUMED = Act("clock_resumed", "resumed the clock of round {round}")
CLOCK_STOPPED = Act("clock_stopped", "stopped the clock of round {round} as if it had never started: {reason}")
CLOCK_PUT_BACK = Act("clock_put_back", "put the stopped clock of round {round} back")
TABLE_TIME_GIVEN = Act("table_time_given", "gave {minutes} more to round {round}, table {table}: {reason}")
TABLE_TIME_TAKEN_BACK = Act("table_time_taken_back", "took {minutes} of round {round}, table {table} back: {reason}")

MAX_MINUTES = 120


def set_ready(*, round_: Round, tables: Sequence[int], ready: bool, client_id: UUID | None = None, by: Account) -> bool:
    """Tick tables of a round, given by number, as ready for the clock, or untick them; return whether any was new.

    A known `client_id` changes nothing. Raises DomainError before the seats are published, once the clock has started,
    and for an unknown table.
    """
    with event_transaction(round_.event, TABLES_READY if ready else TABLES_NOT_READY, by=by) as change:
        if change.is_duplicate(client_id):
            return False
        current = Round.objects.get(pk=round_.pk)
        check_published(current)
        if current.started_at:
            raise DomainError(READY_CLOCK_RUNS(round=current.number))
        found = {row.number: row for row in current.tables.filter(number__in=list(tables))}
        for number in tables:
            if number not in found:
                raise DomainError(READY_NO_TABLE(table=number, round=current.number))
        moved = [row for row in found.values() if bool(row.ready_at) != ready]
        change.details = {"round": current.number, "tables": sorted(row.number for row in moved or found.values())}
        if not moved:
            return change.mark_unchanged()
        for row in moved:
            change.set_columns(row, ready_at=change.at if ready else None)
    return True


def pause_clock(*, round_: Round, reason: str, by: Account) -> None:
    """Pause the clock of a running round. Raises DomainError where none runs, and without a reason."""
    with event_transaction(round_.event, CLOCK_PAUSED, by=by) as change:
        current = _running(round_)
        if current.pauses.filter(resumed_at=None).exists():
            change.mark_unchanged()
            return
        reason = _reason(reason)
        ClockPause.objects.create(round=current, reason=reason, paused_by=change.by, paused_at=change.at)
        change.details = {"round": current.number, "reason": reason}


def resume_clock(*, round_: Round, by: Account) -> None:
    """Let the clock of a round go on, with the time that was left."""
    with event_transaction(round_.event, CLOCK_RESUMED, by=by) as change:
        current = _running(round_)
        change.details = {"round": current.number}
        if not current.pauses.filter(resumed_at=None).update(resumed_at=change.at, resumed_by=change.by):
            change.mark_unchanged()


def stop_clock(*, round_: Round, reason: str, by: Account) -> None:
    """Take the start of a clock back, as if it had never been pressed; hands stay. `put_clock_back` undoes it.

    An open pause goes on: put back, the clock is still paused. Raises DomainError where none runs, and without a
    reason.
    """
    with event_transaction(round_.event, CLOCK_STOPPED, by=by) as change:
        current = _running(round_)
        change.details = {"round": current.number, "reason": _reason(reason)}
        change.set_columns(current, started_at=None, start_taken_back=current.started_at)


def put_clock_back(*, round_: Round, by: Account) -> None:
    """Let a stopped clock run on as if it had never been stopped. Raises DomainError where none was."""
    with event_transaction(round_.event, CLOCK_PUT_BACK, by=by) as change:
        current = Round.objects.get(pk=round_.pk)
        change.details = {"round": current.number}
        if current.started_at:
            change.mark_unchanged()
            return
        if current.start_taken_back is None:
            raise DomainError(CLOCK_NOT_STOPPED(round=current.number))
        change.set_columns(current, started_at=current.start_taken_back, start_taken_back=None)


def give_time(*, table: Table, minutes: int, reason: str, client_id: UUID, by: Account) -> TableTime:
    """Give one table minutes beyond the clock of its round, before or after the signal.

    A known `client_id` changes nothing and returns its row. Raises DomainError for minutes out of range, without a
    reason, before seats are published and after the round is released.
    """
    with event_transaction(table.round.event, TABLE_TIME_GIVEN, by=by) as change:
        known = change.find_by_client_id(TableTime.objects, client_id, table_id=table.pk)
        if known:
            return known
        current = Round.objects.get(pk=table.round_id)
        check_published(current)
        if current.released_at:
            raise DomainError(CLOCK_RELEASED(round=current.number))
        if not 1 <= minutes <= MAX_MINUTES:
            raise DomainError(CLOCK_MINUTES_OUT_OF_RANGE(minutes=minutes, most=MAX_MINUTES))
        given = TableTime.objects.create(
            table=table,
            client_id=client_id,
            minutes=minutes,
            reason=_reason(reason),
            given_by=change.by,
            given_at=change.at,
        )
        change.details = {**table_details(table), "minutes": minutes, "reason": given.reason}
    return given


def cancel_time(*, time: TableTime, reason: str, by: Account) -> None:
    """Take minutes of a table back; the row stays with the reason. Raises DomainError without one."""
    with event_transaction(time.table.round.event, TABLE_TIME_TAKEN_BACK, by=by) as change:
        current = TableTime.objects.select_related("table__round").get(pk=time.pk)
        if current.cancelled_at:
            change.mark_unchanged()
            return
        change.cancel(current, _reason(reason))
        change.details = {
            **table_details(current.table),
            "minutes": current.minutes,
            "reason": current.cancel_reason,
        }


def _running(round_: Round) -> Round:
    """Return a round as it is now; raises DomainError unless its clock runs or is paused."""
    current = Round.objects.get(pk=round_.pk)
    if current.released_at:
        raise DomainError(CLOCK_RELEASED(round=current.number))
    if current.started_at is None:
        raise DomainError(CLOCK_NOT_STARTED(round=current.number))
    return current


def _reason(text: str) -> str:
    reason = require_text(text, CLOCK_REASON_MISSING, len(text))
    check_length("reason", reason, MAX_REASON)
    return reason


SEATS_PUBLISHED = Act("seats_published", "published the seats of round {rounds}")
ROUND_STARTED = Act("round_started", "started the clock of round {round}")

ROUND_SHEETS_UNCONFIRMED = ProblemType(
    "round.sheets_unconfirmed", "Round {round} cannot be released: the sheets of tables {tables} are not confirmed."
)
ROUND_TABLES_MISSING = ProblemType(
    "round.tables_missing", "Round {round} cannot be released: tables {tables} are not signed yet."
)


def publish_rounds(*, event: Event, numbers: Sequence[int], by: Account) -> None:
    """Make the seats of these rounds public, for good."""
    with event_transaction(event, SEATS_PUBLISHED, by=by) as change:
        rounds = list(change.event.rounds.filter(number__in=numbers, published_at=None))
        if not rounds:
            change.mark_unchanged()
        for round_ in rounds:
            change.set_columns(round_, published_at=change.at)
        change.details = {"rounds": [round_.number for round_ in rounds]}


def start_round(*, round_: Round, by: Account) -> None:
    """Start the clock of a published round; the rules are frozen from the first start on."""
    with event_transaction(round_.event, ROUND_STARTED, by=by) as change:
        current = Round.objects.get(pk=round_.pk)
        check_published(current)
        change.details = {"round": current.number}
        if current.started_at:
            change.mark_unchanged()
            return
        freeze_rules(change)
        # an open pause of a start that was taken back ends here
        current.pauses.filter(resumed_at=None).update(resumed_at=change.at, resumed_by=change.by)
        change.set_columns(current, started_at=change.at, start_taken_back=None)


def release_round(*, round_: Round, by: Account | None, tables: Sequence[LoadedTable] | None = None) -> None:
    """Make the results of a round public, all tables at once.

    `tables` are all of the event where the caller has read them in a transaction that locks it. Raises DomainError
    unless every table is signed and, where the event asks a second person, confirmed.
    """
    with event_transaction(round_.event, ROUND_RELEASED, by=by) as change:
        current = Round.objects.get(pk=round_.pk)
        change.details = {"round": current.number}
        if current.released_at:
            change.mark_unchanged()
            return
        if tables is None:
            released = change.event.rounds.filter(released_at__isnull=False).values_list("number", flat=True)
            tables = load_tables(change.event, rounds=[*released, current.number])
        own = [table for table in tables if table.round == current.number]
        missing = tuple(table.number for table in own if not table.signed)
        if missing:
            raise DomainError(ROUND_TABLES_MISSING(tables=missing, round=current.number))
        unconfirmed = tuple(table.number for table in own if change.event.confirms and not table.confirmed)
        if unconfirmed:
            raise DomainError(ROUND_SHEETS_UNCONFIRMED(tables=unconfirmed, round=current.number))
        change.set_columns(current, released_at=change.at)
        standings = read_standings(change.event, with_held=True, tables=tables)
        ranking = [[row.rank, row.number, row.total] for row in standings.rows]
        change.details["standings"] = ranking
        change.seal([round_row(current), (f"standings {current.number}", Sealed(ranking))])
