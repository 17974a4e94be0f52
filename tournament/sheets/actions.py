"""Verbs on a table's paper sheet: sign, reopen, confirm, reject; or enter the table from its sheet alone.

A sheet alone is typed once, or twice by two people who do not see each other. What was typed is stored; what counts is
one ledger row of totals and one signed sheet.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from django.db import transaction

from rules.ruleset import Ruleset
from scoring.check import TOTALS_AFTER_HANDS
from scoring.entries import Chombo, Totals
from scoring.game import fold
from scoring.paper_sheet import PaperSheet, differing_seats, reconcile, sheet_problems, totals_of
from scoring.problems import Problem, ProblemType, errors_of
from tournament.accounts.models import Account
from tournament.core.acts import Act, Seals
from tournament.core.errors import DomainError, StaleTableError
from tournament.core.hooks import SHEET_SIGNED
from tournament.core.limits import MAX_LEDGER_REASON
from tournament.core.sealed_rows import check_rows, sheet_rows
from tournament.core.transaction import EventChange, check_length, event_transaction, require_text, table_details
from tournament.players.actions import note_presence
from tournament.players.queries import get_presence
from tournament.sheets.models import SheetCheck, SheetRow, TypedSheet
from tournament.sheets.queries import get_objection, newest_of_each, sheet_of
from tournament.tables.actions import (
    ENTRY_REASON_NEEDED,
    TABLE_ALREADY_SIGNED,
    HandRequest,
    check_last_seen,
    check_open,
    write_hand,
)
from tournament.tables.history import read_payload, standing_entries
from tournament.tables.models import LedgerEntry, Round, Table
from tournament.tables.queries import load_tables

CONFIRM_OFF = ProblemType("confirm.off", "This event needs no second person: a signed sheet counts at once.")
CONFIRM_MOVED_ON = ProblemType("confirm.moved_on", "The sheet of table {table} has changed meanwhile: check it again.")
CONFIRM_SAME_PERSON = ProblemType(
    "confirm.same_person", "You signed table {table} yourself: another person confirms it."
)
CONFIRM_DONE_ALREADY = ProblemType(
    "confirm.done_already", "The sheet of table {table} is confirmed already: reopen the table instead."
)
CONFIRM_REASON_MISSING = ProblemType("confirm.reason_missing", "Sending a sheet back needs a reason.")
CODE_OBJECTION = ProblemType(
    "code.objection",
    "A player of table {table} said no to the scores on a phone. A referee writes the ruling of that call first; "
    "until then nobody signs and no new codes are made.",
)
ACCESS_NEEDS_HEAD_REFEREE = ProblemType(
    "access.needs_head_referee", "The results of this round are released: a head referee reopens its tables."
)
TABLE_REOPEN_REASON = ProblemType("table.reopen_reason", "Reopening a signed table needs a reason.")
TOTALS_SAME_PERSON = ProblemType(
    "totals.same_person", "You typed the sheet of table {table} first yourself: another person types it again."
)
TOTALS_OVERTAKEN = ProblemType(
    "totals.overtaken",
    "Your sheet of table {table} was kept, but hands were entered there before another person typed it: it does "
    "not count. Look at the table.",
)
TOTALS_NOTHING_TO_DECIDE = ProblemType(
    "totals.nothing_to_decide", "Nothing waits for a decision at table {table}: look at it again."
)
TOTALS_DECIDE_REASON = ProblemType("totals.decide_reason", "Deciding between two entries needs a reason.")
SHEET_NO_HANDS = ProblemType("sheet.no_hands", "Nothing is entered at table {table} yet.")
SHEET_NOT_HERE = ProblemType(
    "sheet.not_here",
    "Not checked in: {seats}. If somebody else played, put the substitute in first. If they played, say so: that "
    "checks them in.",
)

TABLE_SIGNED = Act("table_signed", "signed round {round}, table {table}", Seals.SHEET)
TABLE_REOPENED = Act("table_reopened", "reopened round {round}, table {table}: {reason}", Seals.SHEET)
SHEET_TYPED = Act("sheet_typed", "typed the sheet of round {round}, table {table}", Seals.OWN)
SHEET_TYPED_TWICE = Act(
    "sheet_typed_twice",
    "typed the sheet of round {round}, table {table} again, and it says the same: confirmed",
    Seals.SHEET,
)
SHEET_CONFIRMED = Act("sheet_confirmed", "confirmed the sheet of round {round}, table {table}", Seals.SHEET)
SHEET_REJECTED = Act("sheet_rejected", "sent the sheet of round {round}, table {table} back: {reason}", Seals.SHEET)
SHEET_DECIDED = Act(
    "sheet_decided", "decided between two entries of the sheet of round {round}, table {table}: {reason}", Seals.OWN
)


@contextlib.contextmanager
def _signing(table: Table, act: Act, by: Account | None) -> Iterator[EventChange]:
    """Open the transaction of an act that signs or confirms a table's sheet, and call what waits for that in it."""
    with transaction.atomic():
        with event_transaction(table.round.event, act, by=by) as change:
            yield change
        for call in SHEET_SIGNED if change.changed else ():
            call(table, by)


def sign_table(
    *,
    table: Table,
    totals: Sequence[int],
    leftover: int,
    expected_seq: int,
    said: Sequence[Mapping[str, Any]] = (),
    here: bool = False,
    by: Account | None,
) -> None:
    """Sign a table with the paper's final scores by seat and the points left on it; this ends its game.

    Where its players sign on their phones, `by` is None, or who typed for them; `said` is who said yes and when, for
    the trail. `here` says that its players were here, and checks them in. Raises DomainError where paper and ledger
    differ, where a player's "no" waits for a ruling, and without `here` for players who are not checked in, Stale when
    the caller has not seen the newest rows. Signing the same totals twice changes nothing.
    """
    with _signing(table, TABLE_SIGNED, by) as change:
        rows = list(table.ledger.order_by("seq"))
        last = last_sheet(table)
        if last and last.signed:
            if [list(totals), leftover] != [last.totals, last.leftover]:
                raise DomainError(TABLE_ALREADY_SIGNED(table=table.number))
            change.mark_unchanged()
            return
        if not rows or not standing_entries(rows):
            raise DomainError(SHEET_NO_HANDS(table=table.number))
        check_no_objection(table)
        check_last_seen(rows, expected_seq)
        _check_totals(table.rules_in(change.event), rows, totals, leftover)
        check_presence(change, table, here=here)
        _add_sheet(table, last, change, signed=True, totals=list(totals), leftover=leftover, ledger_hash=rows[-1].hash)
        if said:
            change.details["said"] = list(said)
        before = table.sheets.filter(signed=True, seq__lt=last.seq).order_by("-seq").first() if last else None
        if before:
            change.details["before"] = {"totals": before.totals, "leftover": before.leftover}


def reopen_table(*, table: Table, reason: str, even_released: bool = True, by: Account) -> None:
    """Reopen a signed table, so that a hand can be corrected.

    Raises DomainError without a reason, and where the round is released and not `even_released`.
    """
    with event_transaction(table.round.event, TABLE_REOPENED, by=by) as change:
        # asked under the lock: a release may have come after the page asked
        if not even_released and Round.objects.filter(pk=table.round_id, released_at__isnull=False).exists():
            raise DomainError(ACCESS_NEEDS_HEAD_REFEREE())
        last = last_sheet(table)
        if not (last and last.signed):
            change.mark_unchanged()
            return
        why = require_text(reason, TABLE_REOPEN_REASON, MAX_LEDGER_REASON)
        _add_sheet(table, last, change, signed=False, ledger_hash=last.ledger_hash, reason=why)
        change.details["before"] = {"totals": last.totals, "leftover": last.leftover}


def check_no_objection(table: Table) -> None:
    """Raise DomainError while a call is open that a player's "no" to the scores made: a referee rules first."""
    if get_objection(table.pk):
        raise DomainError(CODE_OBJECTION(table=table.number))


def check_presence(change: EventChange, table: Table, *, here: bool) -> None:
    """Check those players of a table in who are not, if they were `here`, within a change; else raise DomainError."""
    presence = get_presence(change.event)
    missing = presence.missing_at(*load_tables(change.event, ids=[table.pk])) if presence.absent else []
    if missing and not here:
        raise DomainError(SHEET_NOT_HERE(seats=tuple(each.seat for each in missing)))
    for player in change.event.players.filter(number__in=[each.number for each in missing]):
        note_presence(change, player)


def _check_totals(rules: Ruleset, rows: Sequence[LedgerEntry], totals: Sequence[int], leftover: int) -> None:
    """Raise DomainError where paper and ledger differ."""
    problems = reconcile(fold(standing_entries(rows), rules), totals, leftover, rules)
    if problems:
        raise DomainError(*problems)


def _add_sheet(table: Table, last: SheetRow | None, change: EventChange, *, by: str = "", **values: object) -> SheetRow:
    """Write a table's next sheet row, by `by` instead of the writer; set the details of the audit row."""
    change.details = {**table_details(table), **values}
    seq = last.seq + 1 if last else 1
    row: SheetRow = SheetRow.objects.create(table=table, seq=seq, by=by or change.by, at=change.at, **values)
    change.seal(sheet_rows(f"{table.round.number}/{table.number}", row))
    return row


def _check(sheet: SheetRow, table: Table, change: EventChange, *, confirmed: bool, reason: str = "") -> None:
    row = SheetCheck.objects.create(sheet=sheet, confirmed=confirmed, reason=reason, by=change.by, at=change.at)
    change.seal(check_rows(f"{table.round.number}/{table.number}/{sheet.seq}", row))


def confirm_sheet(*, table: Table, sheet: int, by: Account) -> None:
    """Confirm a table's signed sheet, named by its `seq`, as another person than the signer.

    Raises DomainError for the signer, for a sheet that is not the table's last, and where the event wants no
    confirmation.
    """
    with _signing(table, SHEET_CONFIRMED, by) as change:
        last = _sheet_to_check(table, sheet, change)
        if SheetCheck.objects.filter(sheet=last).exists():
            change.mark_unchanged()
            return
        _check(last, table, change, confirmed=True)
        change.details = {**table_details(table), "seq": last.seq}


def reject_sheet(*, table: Table, sheet: int, reason: str, by: Account) -> None:
    """Send a table's signed sheet back: the table is open again.

    Raises DomainError as `confirm_sheet`, without a reason, and for a confirmed sheet, which is reopened instead.
    """
    with event_transaction(table.round.event, SHEET_REJECTED, by=by) as change:
        last = _sheet_to_check(table, sheet, change)
        if SheetCheck.objects.filter(sheet=last).exists():
            raise DomainError(CONFIRM_DONE_ALREADY(table=table.number))
        why = require_text(reason, CONFIRM_REASON_MISSING, MAX_LEDGER_REASON)
        _check(last, table, change, confirmed=False, reason=why)
        _add_sheet(table, last, change, signed=False, ledger_hash=last.ledger_hash, reason=why)
        change.details["before"] = {"totals": last.totals, "leftover": last.leftover, "by": last.by}


def last_sheet(table: Table) -> SheetRow | None:
    """Return a table's newest sheet row."""
    last: SheetRow | None = table.sheets.order_by("-seq").first()
    return last


def is_signed(table: Table) -> bool:
    """Tell whether a table's last sheet is signed."""
    last = last_sheet(table)
    return bool(last and last.signed)


def _sheet_to_check(table: Table, sheet: int, change: EventChange) -> SheetRow:
    """Return the table's last sheet; raises DomainError unless the caller has seen it and may check it."""
    if not change.event.confirms:
        raise DomainError(CONFIRM_OFF())
    last = last_sheet(table)
    if last is None or not last.signed or last.seq != sheet:
        raise DomainError(CONFIRM_MOVED_ON(table=table.number))
    if last.by == change.by:
        raise DomainError(CONFIRM_SAME_PERSON(table=table.number))
    return last


# ---------------------------------------------------------------- tables entered from the sheet alone


Outcome = Literal["counted", "first", "differs"]


@dataclass(frozen=True, slots=True)
class TotalsEntered:
    """The outcome of a typed sheet: the table counts, it is the first of two, or it differs from another's.

    `differs` are the seats, -1 for the riichi sticks left. `repeated`: an earlier request wrote it under the same
    `client_id`, `same`: with the same content.
    """

    outcome: Outcome
    differs: tuple[int, ...] = ()
    repeated: bool = False
    same: bool = True


def enter_totals(
    *,
    table: Table,
    sheet: PaperSheet,
    client_id: UUID,
    expected_seq: int,
    reason: str = "",
    again: bool = False,
    here: bool = False,
    by: Account,
) -> TotalsEntered:
    """Enter a table from its paper sheet and sign it, as one act; where the event types twice, once two people agree.

    `expected_seq` is the last `seq` of the ledger that the caller has seen; `again` confirms a second entry by the same
    person, `here` that the players were here, as for `sign_table`. A known `client_id` changes nothing. Raises
    StaleTableError with the rows between; raises DomainError with the sheet's errors, with warnings where no reason is
    given, where hands are entered, for an unconfirmed second entry, and without `here` for players who are not checked
    in.
    """
    with transaction.atomic():
        with event_transaction(table.round.event, SHEET_TYPED, by=by) as change:
            known = change.find_by_client_id(TypedSheet.objects, client_id, table_id=table.pk)
            if known:
                return _repeat_result(known, table, sheet, table.rules_in(change.event))
            check_sheet_due(table, expected_seq)
            rules = table.rules_in(change.event)
            problems = judge_sheet(sheet, reason.strip(), rules)
            if problems:
                raise DomainError(*problems)
            check_length("reason", reason, MAX_LEDGER_REASON)
            check_presence(change, table, here=here)
            others = _others(table, expected_seq, change, again=again)
            row = _write(table, sheet, client_id, expected_seq, reason.strip(), change)
            differs = [differing_seats(sheet, sheet_of(other), rules) for other in others]
            change.details = {**table_details(table), "seq": row.seq}
            if change.event.types_twice and all(differs):
                return TotalsEntered("differs" if differs else "first", tuple(sorted({*sum(differs, ())})))
            agrees = next((other for other, seats in zip(others, differs, strict=True) if not seats), None)
        _count(table, row, client_id, reason.strip(), by)
        _sign(table, row, first=agrees.by if agrees else None, by=by)
    return TotalsEntered("counted")


def decide_totals(*, table: Table, typed: int, expected_seq: int, client_id: UUID, reason: str, by: Account) -> None:
    """Let one of two differing readings count, named by its `seq`; one's own still waits for a confirmation.

    Raises StaleTableError; raises DomainError without a reason, where nothing differs, and for a reading that was
    replaced meanwhile.
    """
    with transaction.atomic():
        with event_transaction(table.round.event, SHEET_DECIDED, by=by) as change:
            if LedgerEntry.objects.filter(client_id=client_id, table=table).exists():
                change.mark_unchanged()
                return
            check_sheet_due(table, expected_seq)
            rows = newest_of_each(_waiting_rows(table, expected_seq))
            row = next((each for each in rows if each.seq == typed), None)
            if row is None or len(rows) < 2:
                raise DomainError(TOTALS_NOTHING_TO_DECIDE(table=table.number))
            why = require_text(reason, TOTALS_DECIDE_REASON, MAX_LEDGER_REASON)
            change.details = {**table_details(table), "seq": typed, "reason": why}
        _count(table, row, client_id, why, by)
        _sign(table, row, first=None if row.by == str(by.uid) else row.by, by=by)


def judge_sheet(sheet: PaperSheet, reason: str, rules: Ruleset) -> list[Problem]:
    """List what stops a sheet from being entered: its errors, or its warnings where no reason is given."""
    problems = sheet_problems(sheet, rules)
    if errors_of(problems):
        return errors_of(problems)
    return [*problems, ENTRY_REASON_NEEDED()] if problems and not reason else []


def check_sheet_due(table: Table, expected_seq: int) -> None:
    """Raise DomainError for a table that takes no sheet now, StaleTableError where its newest rows were not seen."""
    rows = list(table.ledger.order_by("seq"))
    check_open(table, rows, expected_seq)
    # a chombo moves no points at the table: the game may still be entered by its sheet alone
    if not all(isinstance(entry, Chombo) for entry in standing_entries(rows)):
        raise DomainError(TOTALS_AFTER_HANDS())


def _waiting_rows(table: Table, last_seq: int) -> list[TypedSheet]:
    """Return the readings of this table as it is now: the same players, and nothing entered since."""
    players = _players(table)
    found = TypedSheet.objects.filter(table=table, ledger_seq=last_seq).order_by("seq")
    return [row for row in found if row.players == players]


def _others(table: Table, last_seq: int, change: EventChange, *, again: bool) -> list[TypedSheet]:
    """Return the newest readings by others; raises DomainError for an unconfirmed second one by the same person."""
    if not change.event.types_twice:
        return []
    newest = newest_of_each(_waiting_rows(table, last_seq))
    others = [row for row in newest if row.by != change.by]
    if len(others) < len(newest) and not again:
        raise DomainError(TOTALS_SAME_PERSON(table=table.number))
    return others


def _players(table: Table) -> list[int]:
    return list(table.seats.order_by("seat").values_list("player__number", flat=True))


def _write(
    table: Table, sheet: PaperSheet, client_id: UUID, last_seq: int, reason: str, change: EventChange
) -> TypedSheet:
    last = TypedSheet.objects.filter(table=table).order_by("-seq").first()
    row: TypedSheet = TypedSheet.objects.create(
        table=table,
        seq=last.seq + 1 if last else 1,
        client_id=client_id,
        numbers=sheet.numbers,
        counts=list(sheet.counts),
        loans=list(sheet.loans),
        leftover=sheet.leftover,
        players=_players(table),
        ledger_seq=last_seq,
        reason=reason,
        by=change.by,
        at=change.at,
    )
    return row


def _count(table: Table, row: TypedSheet, client_id: UUID, reason: str, by: Account) -> None:
    entry = totals_of(sheet_of(row), table.rules_in(table.round.event))
    reason = reason or row.reason
    write_hand(HandRequest(table, entry, client_id, row.ledger_seq, reason=reason, from_sheet=True), by=by)


def _sign(table: Table, row: TypedSheet, *, first: str | None, by: Account) -> None:
    """Sign with the scores that count: by `first` and confirmed by `by`, or by `by` alone."""
    scores = totals_of(sheet_of(row), table.rules_in(table.round.event)).scores
    if first:
        with _signing(table, SHEET_TYPED_TWICE, by) as change:
            rows = list(table.ledger.order_by("seq"))
            check_no_objection(table)
            _check_totals(table.rules_in(change.event), rows, scores, 0)
            values = {"signed": True, "totals": list(scores), "ledger_hash": rows[-1].hash}
            sheet = _add_sheet(table, last_sheet(table), change, by=first, **values)
            _check(sheet, table, change, confirmed=True)
            change.details = {**table_details(table), "seq": sheet.seq, "totals": list(scores), "first": first}
    else:
        # riichi sticks on the table are given out or lost by now
        sign_table(table=table, totals=scores, leftover=0, expected_seq=row.ledger_seq + 1, here=True, by=by)


def _repeat_result(known: TypedSheet, table: Table, sheet: PaperSheet, rules: Ruleset) -> TotalsEntered:
    """Answer a repeated request by the sheet's present outcome.

    Raises StaleTableError where the table went on without it.
    """
    same = sheet_of(known) == sheet
    rows = list(table.ledger.order_by("seq"))
    if any(isinstance(read_payload(row.payload), Totals) for row in rows if row.seq > known.ledger_seq):
        return TotalsEntered("counted", repeated=True, same=same)
    between = [row for row in rows if row.seq > known.ledger_seq]
    if between:
        raise StaleTableError(TOTALS_OVERTAKEN(table=table.number), between)
    newest = newest_of_each(_waiting_rows(table, known.ledger_seq))
    others = [sheet_of(row) for row in newest if row.by != known.by]
    seats = {seat for other in others for seat in differing_seats(sheet_of(known), other, rules)}
    return TotalsEntered("differs" if others else "first", tuple(sorted(seats)), repeated=True, same=same)
