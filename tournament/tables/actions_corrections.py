"""Change several hands of a table in one act, and insert a forgotten one: all or nothing, with one reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from scoring.problems import errors_of
from tournament.core.acts import Act, Shown
from tournament.core.errors import Refused
from tournament.core.limits import MOST_LEDGER_REASON
from tournament.core.transaction import (
    ENTRY_CLIENT_ID_USED,
    Change,
    append_audit,
    check_length,
    place_of,
    row_id,
    writing,
)
from tournament.events.actions_events import freeze_rules
from tournament.models.access import Account
from tournament.models.ledger import LedgerEntry
from tournament.models.people import Substitution
from tournament.models.referee import Penalty, PenaltyKind
from tournament.models.rounds import Table
from tournament.tables.actions_hands import (
    HAND_CORRECTED,
    HAND_ENTERED,
    HAND_REASON_NEEDED,
    HAND_UNKNOWN,
    HAND_VOIDED,
    HandAct,
    check_open,
    insert_row,
    no_longer_fits,
    refuse_totals,
    scores_of_both,
)
from tournament.tables.history_1 import Item, resolve
from tournament.tables.history_replay import Forgotten, HandChange, Plan, first_unfit, rows_to_write

HANDS_CORRECTED = Act(
    "hands_corrected",
    "corrected hands of round {round}, table {table} together (rows {seqs}): {reason}",
    shown=Shown.DESK,
)


@dataclass(frozen=True, slots=True)
class Corrected:
    """The rows that an act wrote; `repeated` where an earlier request wrote them under the same `client_id`."""

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
    """Change several hands of a table at once, and insert a forgotten one; all or nothing, with one reason.

    Only the table as it will be must be valid. A known `client_id` changes nothing and returns its rows. Raises Stale
    with the rows between; raises Refused with the first invalid hand, and without a reason.
    """
    with writing(table.round.event, HANDS_CORRECTED, by=by) as change:
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
            **place_of(table),
            "reason": reason.strip(),
            "seqs": [row.seq for row in written],
            **scores_of_both(change, rows, written),
        }
    return Corrected(written, repeated=False)


def written_by(client_id: UUID, table: Table) -> list[LedgerEntry]:
    """Return the rows that an act with this `client_id` has written, in order; raises Refused for another table's."""
    first = LedgerEntry.objects.filter(client_id=client_id).first()
    if first is None:
        return []
    if first.table_id != table.pk:
        raise Refused(ENTRY_CLIENT_ID_USED())
    following = LedgerEntry.objects.filter(table=table, seq__gte=first.seq).order_by("seq")
    ids = {row_id(client_id, number) for number in range(following.count())}
    return [row for row in following if row.client_id in ids]


def write_plan(
    change: Change, table: Table, rows: Sequence[LedgerEntry], plan: Plan, client_id: UUID, reason: str
) -> list[LedgerEntry]:
    """Write a plan within another act's transaction, each row with its own audit row.

    Raises Refused for an invalid or unknown hand, and without a reason.
    """
    items = resolve(rows)
    _check_plan(items, plan, change, reason)
    freeze_rules(change)
    written: list[LedgerEntry] = []
    moved: dict[int, int] = {}
    for number, wanted in enumerate(rows_to_write(items, plan)):
        act = HandAct(
            HANDS_CORRECTED, table, wanted.entry, wanted.hand, row_id(client_id, number), reason=reason.strip()
        )
        newest = [*rows, *written][-1]
        row = insert_row(act, (newest.seq, newest.hash), change)
        written.append(row)
        moved[wanted.content] = wanted.hand or row.seq
        _audit(change, table, row)
    if plan.forgotten:
        _move_register(table, items, moved, written[-1].seq)
    return written


def _check_plan(items: Sequence[Item], plan: Plan, change: Change, reason: str) -> None:
    unknown = plan.hands() - {item.seq for item in items}
    if unknown:
        raise Refused(*(HAND_UNKNOWN(hand=hand) for hand in sorted(unknown)))
    unfit = first_unfit(items, plan, change.event.ruleset)
    if unfit and unfit.step.named:
        raise Refused(*errors_of(unfit.problems))
    if unfit:
        raise Refused(no_longer_fits(unfit.step.number, unfit.problems[0]))
    if not reason.strip():
        raise Refused(HAND_REASON_NEEDED())
    check_length("reason", reason, MOST_LEDGER_REASON)


def _audit(change: Change, table: Table, row: LedgerEntry) -> None:
    """Write the row's own audit row: `verify_ledger` checks every row of a ledger against one."""
    act = HAND_ENTERED if row.supersedes is None else HAND_CORRECTED if row.payload else HAND_VOIDED
    details = {**place_of(table), "seq": row.seq, "hand": row.supersedes or row.seq}
    append_audit(change.event, act, details, by=change.by, at=change.at)


def _move_register(table: Table, items: Sequence[Item], moved: Mapping[int, int], last: int) -> None:
    """Let chombo, dead hands and substitutes follow the hand that they are bound to, moved on by a forgotten one."""
    standing = [item.seq for item in items if item.entry is not None]
    chombo = Penalty.objects.filter(table=table, kind=PenaltyKind.CHOMBO, seq__isnull=False)
    for penalty in chombo:
        chombo.filter(pk=penalty.pk).update(seq=moved.get(penalty.seq or 0, penalty.seq))
    # bound to the first valid hand at or after their row, to the next one to come where there is none
    dead = Penalty.objects.filter(table=table, kind=PenaltyKind.DEAD_HAND, seq__isnull=False)
    came_in = Substitution.objects.filter(table=table, seq__isnull=False)
    for bound in (dead, came_in):
        for pk, seq in list(bound.values_list("pk", "seq")):
            hand = next((each for each in standing if each >= (seq or 0)), None)
            bound.filter(pk=pk).update(seq=last + 1 if hand is None else moved.get(hand, seq))
