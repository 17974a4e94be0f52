"""Verbs that change several hands of a table in one act: corrected, made void, or put in where one was forgotten.

Only the table as it will be must fit; what is written is one row a hand, never a change of a row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid5

from scoring.game import fold
from scoring.problems import Problem, error, errors_of
from tournament.history import Item, resolve, standing_entries
from tournament.models import Account, LedgerEntry, Penalty, PenaltyKind, Substitution, Table
from tournament.refusal import Refused
from tournament.replay import Forgotten, HandChange, Plan, first_unfit, rows_to_write
from tournament.services.core.events import freeze_rules
from tournament.services.core.writing import Change, append_audit, writing
from tournament.services.tables.hands import MOST_REASON, NewRow, check_open, insert_row, refuse_totals


@dataclass(frozen=True, slots=True)
class Corrected:
    """The rows that an act wrote; `repeated` says that they were there already under this `client_id`."""

    rows: Sequence[LedgerEntry]
    repeated: bool


def correct_hands(
    *,
    table: Table,
    changes: Sequence[HandChange],
    forgotten: Forgotten | None = None,
    client_id: UUID,
    expected_seq: int,
    reason: str,
    by: Account,
) -> Corrected:
    """Change several hands of a table at once, and put a forgotten one in; all or nothing, with one reason.

    `expected_seq` is the last `seq` that the caller has seen. A known `client_id` changes nothing and returns its rows.
    Raises Stale with what came between; raises Refused with the first hand that may not stand, and without a reason.
    """
    with writing(table.round.event, "hands_corrected", by=by) as change:
        known = written_by(client_id, table)
        if known:
            change.nothing_new()
            return Corrected(known, repeated=True)
        rows = list(table.ledger.order_by("seq"))
        check_open(table, rows, expected_seq)
        plan = Plan(tuple(changes), forgotten)
        refuse_totals(change, table, [*(each.entry for each in changes), forgotten.entry if forgotten else None])
        written = write_plan(change, table, rows, plan, client_id, reason)
        change.details = {
            "round": table.round.number,
            "table": table.number,
            "reason": reason.strip(),
            "seqs": [row.seq for row in written],
            **scores_of_both(change, rows, written),
        }
    return Corrected(written, repeated=False)


def written_by(client_id: UUID, table: Table) -> list[LedgerEntry]:
    """Return the rows that an act has written already, the first under its own number, in order."""
    first = LedgerEntry.objects.filter(client_id=client_id).first()
    if first is None:
        return []
    if first.table_id != table.pk:
        raise Refused(error("entry.client_id_used"))
    following = LedgerEntry.objects.filter(table=table, seq__gte=first.seq).order_by("seq")
    ids = {row_id(client_id, number) for number in range(following.count())}
    return [row for row in following if row.client_id in ids]


def row_id(client_id: UUID, number: int) -> UUID:
    """Return the number under which a row of an act is known: the first has the act's own."""
    return uuid5(client_id, str(number)) if number else client_id


def write_plan(
    change: Change, table: Table, rows: Sequence[LedgerEntry], plan: Plan, client_id: UUID, reason: str
) -> list[LedgerEntry]:
    """Write a plan within another act's transaction, each row with its own line of the audit trail.

    Raises Refused where a hand may not stand, where a hand is not there, and without a reason.
    """
    items = resolve(rows)
    _check(items, plan, change, reason)
    freeze_rules(change)
    written: list[LedgerEntry] = []
    moved: dict[int, int] = {}
    for number, wanted in enumerate(rows_to_write(items, plan)):
        row = insert_row(
            NewRow(table, wanted.entry, wanted.hand, row_id(client_id, number), reason.strip()),
            [*rows, *written],
            change,
        )
        written.append(row)
        moved[wanted.content] = wanted.hand or row.seq
        _audit(change, table, row)
    if plan.forgotten:
        _move_register(table, items, moved, written[-1].seq)
    return written


def scores_of_both(
    change: Change, rows: Sequence[LedgerEntry], written: Sequence[LedgerEntry]
) -> Mapping[str, Sequence[int]]:
    """Return the scores by seat before and after rows were written, as audit rows say them."""
    rules = change.event.ruleset
    before, after = (fold(standing_entries(each), rules).state.scores for each in (rows, [*rows, *written]))
    return {"before": list(before), "after": list(after)}


def _check(items: Sequence[Item], plan: Plan, change: Change, reason: str) -> None:
    unknown = plan.hands() - {item.seq for item in items}
    if unknown:
        raise Refused(*(error("hand.unknown", hand=hand) for hand in sorted(unknown)))
    unfit = first_unfit(items, plan, change.event.ruleset)
    if unfit and unfit.step.named:
        raise Refused(*errors_of(unfit.problems))
    if unfit:
        raise Refused(no_longer_fits(unfit.step.number, unfit.problems[0]))
    if not reason.strip():
        raise Refused(error("hand.reason_needed"))
    if len(reason.strip()) > MOST_REASON:
        raise Refused(error("entry.text_too_long", key="reason", most=MOST_REASON))


def no_longer_fits(number: int, problem: Problem) -> Problem:
    """Return the problem of a hand that a change of others leaves impossible; `number` is its place in the list."""
    return error("hand.no_longer_fits", hand=number, because=problem.code)


def _audit(change: Change, table: Table, row: LedgerEntry) -> None:
    """Write the row's own line: `verify_ledger` holds every row of a ledger against one."""
    hand = row.supersedes or row.seq
    details = {"round": table.round.number, "table": table.number, "seq": row.seq, "hand": hand}
    if row.supersedes is None:
        append_audit(change.event, "hand_entered", details, by=change.by, at=change.at)
    elif row.payload:
        append_audit(change.event, "hand_corrected", details, by=change.by, at=change.at)
    else:
        append_audit(change.event, "hand_voided", details, by=change.by, at=change.at)


def _move_register(table: Table, items: Sequence[Item], moved: Mapping[int, int], last: int) -> None:
    """Let what is bound to a hand follow it where a forgotten one pushed it on: chombo, dead hands, substitutes."""
    standing = [item.seq for item in items if item.entry is not None]
    chombo = Penalty.objects.filter(table=table, kind=PenaltyKind.CHOMBO, seq__isnull=False)
    for penalty in chombo:
        chombo.filter(pk=penalty.pk).update(seq=moved.get(penalty.seq or 0, penalty.seq))
    # these are bound to the first hand that stands at or after their row; to the next one to come where none does
    dead = Penalty.objects.filter(table=table, kind=PenaltyKind.DEAD_HAND, seq__isnull=False)
    came_in = Substitution.objects.filter(table=table, seq__isnull=False)
    for bound in (dead, came_in):
        for pk, seq in list(bound.values_list("pk", "seq")):
            hand = next((each for each in standing if each >= (seq or 0)), None)
            bound.filter(pk=pk).update(seq=last + 1 if hand is None else moved.get(hand, seq))
