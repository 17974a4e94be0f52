"""Verbs on a table that is entered from its paper sheet alone: once, or twice by two people who do not see each other.

What was typed is kept as it stood on the paper; what counts is one ledger row of totals and one signed sheet.
"""

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from django.db import transaction

from rules.ruleset import Ruleset
from scoring.entries import Chombo, Totals
from scoring.paper_sheet import PaperSheet, differing_seats, sheet_problems, totals_of
from scoring.problems import Problem, error, errors_of
from tournament.history import read_payload, standing_entries
from tournament.models import Account, Event, LedgerEntry, SheetNumbers, Table, TypedSheet
from tournament.refusal import Refused, Stale
from tournament.selectors.tables.sheets import newest_of_each, sheet_of
from tournament.services.core.writing import Change, writing
from tournament.services.tables.hands import MOST_REASON, check_open, enter_sheet
from tournament.services.tables.sheets import sign_table, sign_typed_twice

Outcome = Literal["counted", "first", "differs"]


@dataclass(frozen=True, slots=True)
class TotalsEntered:
    """What became of a typed sheet: the table counts, it is the first of two, or it differs from another's.

    `differs` are the seats, -1 for the deposits left. `repeated` says that it was there already under this `client_id`,
    `same` that it said the same then.
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
    by: Account,
) -> TotalsEntered:
    """Enter a table from its paper sheet and sign it, as one act; where the event types twice, when two people agree.

    `expected_seq` is the last `seq` of the ledger that the caller has seen, `again` says that they know that they typed
    this sheet before. A known `client_id` changes nothing. Raises Stale with what came between; raises Refused with
    what is wrong with the sheet, with warnings where no reason is given, where there are hands, and for a second entry
    by the same person.
    """
    with transaction.atomic():
        with writing(table.round.event, "sheet_typed", by=by) as change:
            known = TypedSheet.objects.filter(client_id=client_id).first()
            if known:
                change.nothing_new()
                return _again(known, table, sheet, change.event.ruleset)
            _check_table(table, expected_seq)
            _check_sheet(sheet, reason.strip(), change.event.ruleset)
            others = _others(table, expected_seq, change, again=again)
            row = _write(table, sheet, client_id, expected_seq, reason.strip(), change)
            differs = [differing_seats(sheet, sheet_of(other), change.event.ruleset) for other in others]
            change.details = {"round": table.round.number, "table": table.number, "seq": row.seq}
            if change.event.types_twice and all(differs):
                return TotalsEntered("differs" if differs else "first", tuple(sorted({*sum(differs, ())})))
            agrees = next((other for other, seats in zip(others, differs, strict=True) if not seats), None)
        _count(table, row, client_id, reason.strip(), by)
        if agrees:
            sign_typed_twice(table=table, totals=_scores(row, table), first=agrees.by, by=by)
        else:
            _sign(table, row, by)
    return TotalsEntered("counted")


def decide_totals(*, table: Table, typed: int, expected_seq: int, client_id: UUID, reason: str, by: Account) -> None:
    """Let one of two differing readings count, named by its `seq`; an own one still waits for somebody's confirmation.

    Raises Stale and Refused: without a reason, where nothing differs, and for a reading that was typed over meanwhile.
    """
    with transaction.atomic():
        with writing(table.round.event, "sheet_decided", by=by) as change:
            if LedgerEntry.objects.filter(client_id=client_id, table=table).exists():
                change.nothing_new()
                return
            _check_table(table, expected_seq)
            rows = newest_of_each(_waiting_rows(table, expected_seq))
            row = next((each for each in rows if each.seq == typed), None)
            if row is None or len(rows) < 2:
                raise Refused(error("totals.nothing_to_decide", table=table.number))
            why = reason.strip()[:MOST_REASON]
            if not why:
                raise Refused(error("totals.decide_reason"))
            change.details = {"round": table.round.number, "table": table.number, "seq": typed, "reason": why}
        _count(table, row, client_id, why, by)
        if row.by == str(by.uid):
            _sign(table, row, by)
        else:
            sign_typed_twice(table=table, totals=_scores(row, table), first=row.by, by=by)


def set_sheet_numbers(*, event: Event, numbers: str, by: Account) -> bool:
    """Say what the event's sheets are written in, as a value of SheetNumbers; return whether that is new."""
    with writing(event, "sheet_numbers_set", by=by) as change:
        if numbers not in SheetNumbers.values:
            raise Refused(error("totals.numbers_unknown"))
        if change.event.sheet_numbers == numbers:
            change.nothing_new()
            return False
        change.event.sheet_numbers = numbers
        change.event.save(update_fields=["sheet_numbers"])
        change.details = {"sheet_numbers": numbers}
    event.sheet_numbers = numbers
    return True


def judge_sheet(sheet: PaperSheet, reason: str, rules: Ruleset) -> list[Problem]:
    """List what keeps a sheet from being entered: its errors, or its warnings where no reason is given."""
    problems = sheet_problems(sheet, rules)
    if errors_of(problems):
        return errors_of(problems)
    return [*problems, error("entry.reason_needed")] if problems and not reason else []


def _check_table(table: Table, expected_seq: int) -> None:
    rows = list(table.ledger.order_by("seq"))
    check_open(table, rows, expected_seq)
    # a chombo moves no points at the table: its game may still be known by its sheet alone
    if not all(isinstance(entry, Chombo) for entry in standing_entries(rows)):
        raise Refused(error("totals.after_hands"))


def _check_sheet(sheet: PaperSheet, reason: str, rules: Ruleset) -> None:
    problems = judge_sheet(sheet, reason, rules)
    if problems:
        raise Refused(*problems)
    if len(reason) > MOST_REASON:
        raise Refused(error("entry.text_too_long", key="reason", most=MOST_REASON))


def _waiting_rows(table: Table, last_seq: int) -> list[TypedSheet]:
    """Return what was typed for this table as it is now: the same people, and nothing entered since."""
    players = _players(table)
    found = TypedSheet.objects.filter(table=table, ledger_seq=last_seq).order_by("seq")
    return [row for row in found if row.players == players]


def _others(table: Table, last_seq: int, change: Change, *, again: bool) -> list[TypedSheet]:
    """Return the newest readings of other people; raises Refused for a second one by the same person."""
    if not change.event.types_twice:
        return []
    newest = newest_of_each(_waiting_rows(table, last_seq))
    others = [row for row in newest if row.by != change.by]
    if len(others) < len(newest) and not again:
        raise Refused(error("totals.same_person", table=table.number))
    return others


def _players(table: Table) -> list[int]:
    return list(table.seats.order_by("seat").values_list("player__number", flat=True))


def _write(table: Table, sheet: PaperSheet, client_id: UUID, last_seq: int, reason: str, change: Change) -> TypedSheet:
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
    entry = totals_of(sheet_of(row), table.round.event.ruleset)
    enter_sheet(
        table=table, entry=entry, client_id=client_id, expected_seq=row.ledger_seq, reason=reason or row.reason, by=by
    )


def _scores(row: TypedSheet, table: Table) -> tuple[int, ...]:
    return totals_of(sheet_of(row), table.round.event.ruleset).scores


def _sign(table: Table, row: TypedSheet, by: Account) -> None:
    """Sign with the scores that count; what lay on the table is given out or lost by now."""
    sign_table(table=table, totals=_scores(row, table), leftover=0, expected_seq=row.ledger_seq + 1, by=by)


def _again(known: TypedSheet, table: Table, sheet: PaperSheet, rules: Ruleset) -> TotalsEntered:
    """Answer a sheet that was sent before as it was answered then, or as it has fared since.

    Raises Stale where the table went on without it: it waits for nobody any more, and never counted.
    """
    if known.table_id != table.pk:
        raise Refused(error("entry.client_id_used"))
    same = sheet_of(known) == sheet
    rows = list(table.ledger.order_by("seq"))
    if any(isinstance(read_payload(row.payload), Totals) for row in rows if row.seq > known.ledger_seq):
        return TotalsEntered("counted", repeated=True, same=same)
    between = [row for row in rows if row.seq > known.ledger_seq]
    if between:
        raise Stale(error("totals.overtaken", table=table.number), between)
    newest = newest_of_each(_waiting_rows(table, known.ledger_seq))
    others = [sheet_of(row) for row in newest if row.by != known.by]
    seats = {seat for other in others for seat in differing_seats(sheet_of(known), other, rules)}
    return TotalsEntered("differs" if others else "first", tuple(sorted(seats)), repeated=True, same=same)
