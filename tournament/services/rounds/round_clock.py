"""Verbs on the clock of a round: pause it and let it go on, take its start back and put it back, give a table minutes.

When it signals is never written: it follows from these. What the clock says is an option of the event.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from scoring.problems import error
from tournament.models import Account, ClockPause, Event, Round, Table, TableTime
from tournament.refusal import Refused
from tournament.services.core.writing import Change, writing

MOST_REASON = 300
MOST_MINUTES = 120
MOST_SIGNALS = 5


def pause_clock(*, round_: Round, reason: str, by: Account) -> None:
    """Let the clock of a running round stand still. Raises Refused where none runs, and without a reason."""
    with writing(round_.event, "clock_paused", by=by) as change:
        current = _running(round_)
        if current.pauses.filter(resumed_at=None).exists():
            change.nothing_new()
            return
        reason = _reason(reason)
        ClockPause.objects.create(round=current, reason=reason, paused_by=change.by, paused_at=change.at)
        change.details = {"round": current.number, "reason": reason}


def resume_clock(*, round_: Round, by: Account) -> None:
    """Let the clock of a round go on, with the time that was left."""
    with writing(round_.event, "clock_resumed", by=by) as change:
        current = _running(round_)
        if not _end_pause(current, change):
            change.nothing_new()
        change.details = {"round": current.number}


def stop_clock(*, round_: Round, reason: str, by: Account) -> None:
    """Take the start of a clock back, as if it had never been pressed; hands stay. `put_clock_back` undoes it.

    A pause goes on meanwhile: put back, the clock stands still as it did, and no time has run off.
    Raises Refused where none runs, and without a reason.
    """
    with writing(round_.event, "clock_stopped", by=by) as change:
        current = _running(round_)
        reason = _reason(reason)
        _set_start(current, None, taken_back=current.started_at)
        change.details = {"round": current.number, "reason": reason}


def put_clock_back(*, round_: Round, by: Account) -> None:
    """Let a clock that was stopped run on as if it never had been. Raises Refused where none was stopped."""
    with writing(round_.event, "clock_put_back", by=by) as change:
        current = Round.objects.get(pk=round_.pk)
        if current.started_at:
            change.nothing_new()
            return
        if current.start_taken_back is None:
            raise Refused(error("clock.not_stopped", round=current.number))
        _set_start(current, current.start_taken_back, taken_back=None)
        change.details = {"round": current.number}


def give_time(*, table: Table, minutes: int, reason: str, client_id: UUID, by: Account) -> TableTime:
    """Give one table minutes beyond the clock of its round, before or after the signal.

    A known `client_id` changes nothing and returns its row. Raises Refused for minutes that cannot be, without a
    reason, before seats are published and after the round is released.
    """
    with writing(table.round.event, "table_time_given", by=by) as change:
        known = TableTime.objects.filter(client_id=client_id).first()
        if known and known.table_id != table.pk:
            raise Refused(error("entry.client_id_used"))
        if known:
            change.nothing_new()
            return known
        current = Round.objects.get(pk=table.round_id)
        if current.published_at is None:
            raise Refused(error("round.not_published", round=current.number))
        if current.released_at:
            raise Refused(error("clock.released", round=current.number))
        if not 1 <= minutes <= MOST_MINUTES:
            raise Refused(error("clock.minutes_out_of_range", minutes=minutes, most=MOST_MINUTES))
        given = TableTime.objects.create(
            table=table,
            client_id=client_id,
            minutes=minutes,
            reason=_reason(reason),
            given_by=change.by,
            given_at=change.at,
        )
        change.details = {**_place(table, current), "minutes": minutes, "reason": given.reason}
    return given


def take_time_back(*, time: TableTime, reason: str, by: Account) -> None:
    """Take minutes of a table back; the row stays with the reason. Raises Refused without one."""
    with writing(time.table.round.event, "table_time_taken_back", by=by) as change:
        current = TableTime.objects.select_related("table__round").get(pk=time.pk)
        if current.cancelled_at:
            change.nothing_new()
            return
        current.cancel_reason = _reason(reason)
        current.cancelled_at, current.cancelled_by = change.at, change.by
        current.save(update_fields=["cancelled_at", "cancelled_by", "cancel_reason"])
        place = _place(current.table, current.table.round)
        change.details = {**place, "minutes": current.minutes, "reason": current.cancel_reason}


def set_clock_options(*, event: Event, sound: bool, signals: Sequence[int], by: Account) -> bool:
    """Say whether the clock sounds, and at how many minutes left it says something; return whether that is new.

    Its own signal, at 0, is always among them. Raises Refused for more than five, and for minutes that cannot be.
    """
    with writing(event, "clock_options_set", by=by) as change:
        wanted = sorted({0, *signals}, reverse=True)
        if len(wanted) > MOST_SIGNALS:
            raise Refused(error("clock.too_many_signals", most=MOST_SIGNALS))
        if any(not 0 <= minutes <= MOST_MINUTES for minutes in wanted):
            raise Refused(error("clock.signal_out_of_range", most=MOST_MINUTES))
        if (change.event.clock_sound, change.event.clock_signals) == (sound, wanted):
            change.nothing_new()
            return False
        change.event.clock_sound, change.event.clock_signals = sound, wanted
        change.event.save(update_fields=["clock_sound", "clock_signals"])
        change.details = {"sound": "on" if sound else "off", "signals": wanted}
    event.clock_sound, event.clock_signals = sound, wanted
    return True


def _running(round_: Round) -> Round:
    """Return a round as it is now; raises Refused unless its clock runs or stands still."""
    current = Round.objects.get(pk=round_.pk)
    if current.released_at:
        raise Refused(error("clock.released", round=current.number))
    if current.started_at is None:
        raise Refused(error("clock.not_started", round=current.number))
    return current


def _end_pause(round_: Round, change: Change) -> bool:
    """Let a pause end now; return whether there was one."""
    pause = round_.pauses.filter(resumed_at=None).first()
    if pause is None:
        return False
    pause.resumed_at, pause.resumed_by = change.at, change.by
    pause.save(update_fields=["resumed_at", "resumed_by"])
    return True


def _set_start(round_: Round, started: datetime | None, *, taken_back: datetime | None) -> None:
    round_.started_at, round_.start_taken_back = started, taken_back
    round_.save(update_fields=["started_at", "start_taken_back"])


def _place(table: Table, round_: Round) -> dict[str, Any]:
    return {"round": round_.number, "table": table.number}


def _reason(text: str) -> str:
    """Return a reason as it is kept; raises Refused without one, and for one that is too long."""
    reason = text.strip()
    if not reason:
        raise Refused(error("clock.reason_missing"))
    if len(reason) > MOST_REASON:
        raise Refused(error("entry.text_too_long", key="reason", most=MOST_REASON))
    return reason
