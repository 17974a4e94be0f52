"""Actions on a table's ledger: enter, correct, void or insert hands, all or nothing. No row ever changes.

The table is locked, judged as a whole and refolded before a row is written; nothing derived is stored.
"""

import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from rules.ruleset import Ruleset
from scoring.check import JUDGE, problems
from scoring.entries import Entry, Totals, to_json
from scoring.game import fold, judge
from scoring.problems import Problem, ProblemType, errors_of, warnings_of
from scoring.state import opening
from scoring.time_limit import TimeLimit, time_problems
from tournament.accounts.models import Account
from tournament.core.acts import Act, Group, Seals, Shown
from tournament.core.audit import append_audit
from tournament.core.errors import FORM_SENT_ALREADY, DomainError, StaleTableError
from tournament.core.hash_chain import canonical, genesis, link
from tournament.core.limits import MAX_LEDGER_REASON
from tournament.core.prepared import Prepared
from tournament.core.sealed_rows import hand_rows
from tournament.core.transaction import (
    ENTRY_CLIENT_ID_USED,
    EventChange,
    check_length,
    check_published,
    event_transaction,
    row_id,
    table_details,
)
from tournament.incidents.models import Substitution
from tournament.penalties.models import Penalty, PenaltyKind
from tournament.tables.history import (
    Forgotten,
    HandChange,
    Item,
    Plan,
    first_unfit,
    read_payload,
    resolve,
    rows_to_write,
    standing_entries,
)
from tournament.tables.models import LedgerEntry, Round, Table
from tournament.tables.queries import LoadedTable, get_table, list_dead_hands, with_dead
from tournament.tables.round_queries import get_time_limit
from tournament.tables.table_queries import LedgerLine

HAND_ENTERED = Act(
    "hand_entered", "entered a hand at round {round}, table {table} (row {seq})", Seals.OWN, groups=Group.LEDGER
)
HAND_CORRECTED = Act(
    "hand_corrected",
    "corrected hand {hand} at round {round}, table {table} (row {seq})",
    Seals.OWN,
    groups=Group.LEDGER,
)
HAND_VOIDED = Act(
    "hand_voided", "made hand {hand} void at round {round}, table {table} (row {seq})", Seals.OWN, groups=Group.LEDGER
)

HAND_UNKNOWN = ProblemType("hand.unknown", "There is no hand {hand} at this table.")
HAND_NO_LONGER_FITS = ProblemType("hand.no_longer_fits", "Hand {hand} would no longer fit: {because}")
HAND_REASON_NEEDED = ProblemType("hand.reason_needed", "Changing any hand but the last needs a reason.")
TABLE_ALREADY_SIGNED = ProblemType("table.signed", "Table {table} is signed; reopen it first.")
TABLE_MOVED_ON = ProblemType(
    "table.moved_on", "Something was entered at this table meanwhile: check it, then send again.", ("expected", "last")
)
TOTALS_TYPED_TWICE = ProblemType(
    "totals.typed_twice",
    "In this event two people type the sheet of a table without hands, blind: type that of table {table} at "
    "“Enter sheets”.",
)
ENTRY_REASON_NEEDED = ProblemType("entry.reason_needed", "A warning needs a reason: say why the entry is right anyway.")


@dataclass(frozen=True, slots=True)
class EnteredHand:
    """The row of the hand; `repeated` where an earlier request wrote it under the same `client_id`.

    `table` is the table with it, None where it is repeated.
    """

    row: LedgerEntry
    repeated: bool
    table: LoadedTable | None = None


@dataclass(frozen=True, slots=True)
class HandRequest:
    """A hand to write: `entry`, None for void, as a new one or in the place of `hand`, the `seq` of its first row.

    `expected_seq` is the last `seq` that the caller has seen. `from_sheet`: the totals come from the page of sheets,
    where two people type them if the event wants that. `loaded`: the table as the caller has read it; it is read again
    only where something has changed since.
    """

    table: Table
    entry: Entry | None
    client_id: UUID
    expected_seq: int = 0
    hand: int | None = None
    reason: str = ""
    from_sheet: bool = False
    loaded: LoadedTable | None = None

    @property
    def act(self) -> Act:
        """The act that writes it."""
        if self.hand is None:
            return HAND_ENTERED
        return HAND_VOIDED if self.entry is None else HAND_CORRECTED


_KNOWN = Prepared(lambda client_id: LedgerEntry.objects.filter(client_id=client_id))


def write_hand(request: HandRequest, *, by: Account) -> EnteredHand:
    """Append a hand to its table, replace one, make one void or restore a void one; later hands are judged again.

    A known `client_id` changes nothing and returns its row; with another hand it raises StaleTableError. Raises
    StaleTableError with the rows between; raises DomainError with errors, with warnings where no reason is given, for a
    change of any hand but the last without a reason, and for totals where sheets are typed by two people.
    """
    table = request.table
    with event_transaction(table.round.event, request.act, by=by) as change:
        known = _KNOWN.first(request.client_id)
        if known:
            change.mark_unchanged()
            if known.table_id != table.pk:
                raise DomainError(ENTRY_CLIENT_ID_USED())
            if (known.supersedes, _as_sent(read_payload(known.payload))) != (request.hand, _as_sent(request.entry)):
                raise StaleTableError(FORM_SENT_ALREADY(), [known])
            return EnteredHand(known, repeated=True)
        before = [] if request.hand is None else list(table.ledger.order_by("seq"))
        entered = append_in_transaction(change, request)
        row = entered.row
        change.details = {**table_details(table), "seq": row.seq, "hand": request.hand or row.seq}
        if before:
            change.details |= scores_of_both(change, before, [row])
        return entered


def scores_of_both(
    change: EventChange, rows: Sequence[LedgerEntry], written: Sequence[LedgerEntry]
) -> dict[str, list[int]]:
    """Return the scores by seat before and after rows were written, as audit rows name them."""
    rules = written[0].table.rules_in(change.event)
    before, after = (fold(standing_entries(each), rules).state.scores for each in (rows, [*rows, *written]))
    return {"before": list(before), "after": list(after)}


def append_in_transaction(change: EventChange, request: HandRequest) -> EnteredHand:
    """Append a row within another act's transaction; a new hand gets the dead hands of the penalty register.

    Raises StaleTableError and DomainError as `write_hand`.
    """
    table, entry = _load_current_table(change, request), request.entry
    if not request.from_sheet:
        refuse_totals(change, request.table, [entry])
    if entry is not None and request.hand is None:
        entry = with_dead(entry, list_dead_hands(table))
    request = dataclasses.replace(request, entry=entry, reason=request.reason.strip())
    # a chombo of the register has its foul as reason: the clock is not checked there
    time = get_time_limit(table, change.at) if change.act == HAND_ENTERED else None
    _check_fit(table, request, time)
    freeze_rules(change)
    newest = table.alone[1].last_hash or genesis(request.table.chain)
    row = insert_row(request, (table.last_seq, newest), change)
    line = LedgerLine(row.seq, row.payload, row.supersedes, row.reason, row.by, str(row.at))
    return EnteredHand(row, repeated=False, table=table.with_row(line, row.hash))


def _load_current_table(change: EventChange, request: HandRequest) -> LoadedTable:
    """Return the table under the lock, open to the caller; raises DomainError, StaleTableError with the rows between.

    Every act raises the event's version, and this one holds the event: what the caller has read after that version is
    so still, and is not read again.
    """
    table = request.loaded
    if table is None or table.version != change.event.version:
        table = get_table(change.event, request.table.round.number, request.table.number)
    if table is None:
        raise Table.DoesNotExist
    check_published(table.alone[0].round)
    if table.signed:
        raise DomainError(TABLE_ALREADY_SIGNED(table=table.number))
    if request.expected_seq != table.last_seq:
        check_last_seen(list(request.table.ledger.order_by("seq")), request.expected_seq)
    return table


def refuse_totals(change: EventChange, table: Table, entries: Iterable[Entry | None]) -> None:
    """Raise DomainError for totals by one person alone where the event has its sheets typed by two, blind."""
    if change.event.types_twice and any(isinstance(entry, Totals) for entry in entries):
        raise DomainError(TOTALS_TYPED_TWICE(table=table.number))


def _as_sent(entry: Entry | None) -> Entry | None:
    """Return an entry without the dead hands that the penalty register adds when it is written."""
    return dataclasses.replace(entry, dead=()) if entry else None


def check_open(table: Table, rows: Sequence[LedgerEntry], expected_seq: int) -> None:
    """Raise DomainError for a table that takes no hand now, StaleTableError where its newest rows were not seen."""
    # read again under the lock: the caller's copy may be older than a release or a signature
    table.round = Round.objects.get(pk=table.round_id)
    check_published(table.round)
    sheet = table.sheets.order_by("seq").last()
    if sheet and sheet.signed:
        raise DomainError(TABLE_ALREADY_SIGNED(table=table.number))
    check_last_seen(rows, expected_seq)


def check_last_seen(rows: Sequence[LedgerEntry], expected_seq: int) -> None:
    """Raise StaleTableError for a caller who has not seen the newest of these rows."""
    last = rows[-1].seq if rows else 0
    if expected_seq != last:
        between = [row for row in rows if row.seq > expected_seq]
        raise StaleTableError(TABLE_MOVED_ON(expected=expected_seq, last=last), between)


def _check_fit(table: LoadedTable, request: HandRequest, time: TimeLimit | None) -> None:
    """Judge the table as it would be.

    Raises DomainError for errors, and for warnings or late corrections without reason.
    """
    if request.hand is None and request.entry is not None:
        found = check_new_hand(table, request.entry, time)
    else:
        found = _judge_change(table, request.entry, request.hand or 0)
    refused = errors_of(found)
    if refused:
        raise DomainError(*refused)
    check_length("reason", request.reason, MAX_LEDGER_REASON)
    if not request.reason and found:
        raise DomainError(*found, ENTRY_REASON_NEEDED())
    standing = [item.seq for item in table.items if item.entry is not None]
    if not request.reason and request.hand is not None and (not standing or request.hand != standing[-1]):
        raise DomainError(HAND_REASON_NEEDED())


def check_new_hand(table: LoadedTable, entry: Entry, time: TimeLimit | None = None) -> list[Problem]:
    """List the problems if `entry` were appended: those before it were judged when they were written.

    With the table's time limit, a hand begun too late gets a warning.
    """
    late = time_problems(entry, time, table.rules) if time is not None else []
    return [*problems(entry, table.state, table.rules), *late]


def _judge_change(table: LoadedTable, entry: Entry | None, hand: int) -> list[Problem]:
    """List the problems if `entry` (None: void) were put in the place of a hand.

    Errors of any later hand count, as `hand.no_longer_fits` with its place in the list from 1; warnings count for the
    entry itself only.
    """
    if hand not in {item.seq for item in table.items}:
        return [HAND_UNKNOWN(hand=hand)]
    changed = [(item.seq, entry if item.seq == hand else item.entry) for item in table.items]
    entries = [(seq, each) for seq, each in changed if each is not None]
    own = next((index for index, (seq, _) in enumerate(entries) if seq == hand), None)
    number = {seq: place for place, (seq, _entry) in enumerate(changed, start=1)}
    found = judge([each for _, each in entries], opening(table.rules), table.rules)
    mine = [problem for index, problem in found if index == own]
    others = [
        unfit_problem(number[entries[index][0]], problem)
        for index, problem in found
        if index != own and problem.severity == "error"
    ]
    return [*errors_of(mine), *others, *warnings_of(mine)]


def unfit_problem(number: int, problem: Problem) -> Problem:
    """Return the problem of the hand at place `number` that a change of others makes invalid."""
    return HAND_NO_LONGER_FITS(hand=number, because=problem.code)


def insert_row(request: HandRequest, newest: tuple[int, str], change: EventChange) -> LedgerEntry:
    """Write a row behind the newest of its table; the caller has judged it."""
    seq, previous = newest
    row = LedgerEntry(
        table=request.table,
        seq=seq + 1,
        payload="" if request.entry is None else canonical(to_json(request.entry)),
        supersedes=request.hand,
        client_id=request.client_id,
        reason=request.reason,
        by=change.by,
        at=change.at,
        judge=JUDGE,
        previous_hash=previous,
    )
    row.hash = link(row.previous_hash, row.content())
    row.save()
    change.seal(hand_rows(f"{request.table.round.number}/{request.table.number}", row))
    return row


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

    Only the table as it will be must be valid. A known `client_id` changes nothing and returns its rows. Raises
    StaleTableError with the rows between; raises DomainError with the first invalid hand, and without a reason.
    """
    with event_transaction(table.round.event, HANDS_CORRECTED, by=by) as change:
        known = written_by(client_id, table)
        if known:
            change.mark_unchanged()
            return Corrected(known, repeated=True)
        rows = list(table.ledger.order_by("seq"))
        check_open(table, rows, expected_seq)
        plan = Plan(tuple(changes), forgotten)
        refuse_totals(change, table, [*(each.entry for each in changes), forgotten.entry if forgotten else None])
        written = write_plan(change, table, rows, plan, client_id, reason)
        change.details = {
            **table_details(table),
            "reason": reason.strip(),
            "seqs": [row.seq for row in written],
            **scores_of_both(change, rows, written),
        }
    return Corrected(written, repeated=False)


HANDS_MOVED = Act(
    "hands_moved",
    "moved hands {hands} of round {round}, table {table} to table {to}: {reason}",
    shown=Shown.DESK,
)
HAND_MOVE_TABLE = ProblemType("hand.move_table", "Choose another table of this round.")
HAND_MOVE_CHOMBO = ProblemType(
    "hand.move_chombo", "A penalty of the register is bound to this hand: cancel it, and give it at the other table."
)


def move_hands(
    *, table: Table, to: Table, hands: Collection[int], client_id: UUID, seen: tuple[int, int], reason: str, by: Account
) -> Corrected:
    """Make hands of a table void and append them at another table of the round, judged by its state; all or nothing.

    `seen` are the last `seq` of both that the caller has seen. A known `client_id` changes nothing and returns the rows
    of `table`. Raises StaleTableError with the rows between; raises DomainError for what either table cannot take, for
    a chombo of the register, and without a reason.
    """
    with event_transaction(table.round.event, HANDS_MOVED, by=by) as change:
        known = written_by(client_id, table)
        if known:
            change.mark_unchanged()
            return Corrected(known, repeated=True)
        if table.pk == to.pk or table.round_id != to.round_id:
            raise DomainError(HAND_MOVE_TABLE())
        rows, there = list(table.ledger.order_by("seq")), list(to.ledger.order_by("seq"))
        check_open(table, rows, seen[0])
        check_open(to, there, seen[1])
        entries, standing = _entries_to_move(change, table, to, rows, hands), standing_entries(there)
        rules = to.rules_in(change.event)
        found = judge([*standing, *entries], opening(rules), rules)
        new = [(index - len(standing), problem) for index, problem in found if index >= len(standing)]
        if wrong := errors_of([problem for _index, problem in new]):
            raise DomainError(*wrong)
        plan = Plan(tuple(HandChange(hand, None) for hand in sorted(hands)))
        written = write_plan(change, table, rows, plan, client_id, reason)
        moved: list[LedgerEntry] = []
        for number, entry in enumerate(entries):
            why = reason.strip() if any(index == number for index, _problem in new) else ""
            last = [*there, *moved][-1:]
            newest = (last[0].seq, last[0].hash) if last else (0, genesis(to.chain))
            request = HandRequest(to, entry, row_id(client_id, len(written) + number), reason=why)
            moved.append(insert_row(request, newest, change))
            _audit(change, to, moved[-1])
        change.details = {
            **table_details(table),
            "to": to.number,
            "hands": sorted(hands),
            "reason": reason.strip(),
            "seqs": [row.seq for row in written],
            "to_seqs": [row.seq for row in moved],
            **scores_of_both(change, rows, written),
            **{f"to_{name}": scores for name, scores in scores_of_both(change, there, moved).items()},
        }
    return Corrected(written, repeated=False)


def _entries_to_move(
    change: EventChange, table: Table, to: Table, rows: Sequence[LedgerEntry], hands: Collection[int]
) -> list[Entry]:
    """Return hands as the other table gets them: with its own dead hands and not with those of the register here."""
    entries = {item.seq: item.entry for item in resolve(rows)}
    unknown = [hand for hand in sorted(hands) if entries.get(hand) is None] or ([] if hands else [0])
    if unknown:
        raise DomainError(*(HAND_UNKNOWN(hand=hand) for hand in unknown))
    given = Penalty.objects.filter(table=table, cancelled_at=None)
    if given.filter(kind=PenaltyKind.CHOMBO, seq__in=hands).exists():
        raise DomainError(HAND_MOVE_CHOMBO())
    moved = [entry for hand in sorted(hands) if (entry := entries[hand])]
    refuse_totals(change, to, moved)
    if given.filter(kind=PenaltyKind.DEAD_HAND).exists():
        moved = [dataclasses.replace(entry, dead=()) if entry.dead else entry for entry in moved]
    loaded = get_table(change.event, to.round.number, to.number)
    return [with_dead(moved[0], list_dead_hands(loaded) if loaded else ()), *moved[1:]]


def written_by(client_id: UUID, table: Table) -> list[LedgerEntry]:
    """Return the rows that an act with this `client_id` has written, in order.

    Raises DomainError for another table's.
    """
    first = LedgerEntry.objects.filter(client_id=client_id).first()
    if first is None:
        return []
    if first.table_id != table.pk:
        raise DomainError(ENTRY_CLIENT_ID_USED())
    following = LedgerEntry.objects.filter(table=table, seq__gte=first.seq).order_by("seq")
    ids = {row_id(client_id, number) for number in range(following.count())}
    return [row for row in following if row.client_id in ids]


def write_plan(
    change: EventChange, table: Table, rows: Sequence[LedgerEntry], plan: Plan, client_id: UUID, reason: str
) -> list[LedgerEntry]:
    """Write a plan within another act's transaction, each row with its own audit row.

    Raises DomainError for an invalid or unknown hand, and without a reason.
    """
    items = resolve(rows)
    _check_plan(items, plan, table.rules_in(change.event), reason)
    freeze_rules(change)
    written: list[LedgerEntry] = []
    moved: dict[int, int] = {}
    for number, wanted in enumerate(rows_to_write(items, plan)):
        own_id = row_id(client_id, number)
        request = HandRequest(table, wanted.entry, own_id, hand=wanted.hand, reason=reason.strip())
        newest = [*rows, *written][-1]
        row = insert_row(request, (newest.seq, newest.hash), change)
        written.append(row)
        moved[wanted.content] = wanted.hand or row.seq
        _audit(change, table, row)
    if plan.forgotten:
        _move_register(table, items, moved, written[-1].seq)
    return written


def _check_plan(items: Sequence[Item], plan: Plan, rules: Ruleset, reason: str) -> None:
    unknown = plan.hands() - {item.seq for item in items}
    if unknown:
        raise DomainError(*(HAND_UNKNOWN(hand=hand) for hand in sorted(unknown)))
    unfit = first_unfit(items, plan, rules)
    if unfit and unfit.step.named:
        raise DomainError(*errors_of(unfit.problems))
    if unfit:
        raise DomainError(unfit_problem(unfit.step.number, unfit.problems[0]))
    if not reason.strip():
        raise DomainError(HAND_REASON_NEEDED())
    check_length("reason", reason, MAX_LEDGER_REASON)


def _audit(change: EventChange, table: Table, row: LedgerEntry) -> None:
    """Write the row's own audit row: `verify_ledger` checks every row of a ledger against one."""
    act = HAND_ENTERED if row.supersedes is None else HAND_CORRECTED if row.payload else HAND_VOIDED
    details = {**table_details(table), "seq": row.seq, "hand": row.supersedes or row.seq}
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


def freeze_rules(change: EventChange) -> None:
    """Freeze the event's rules within a change, if they are not frozen yet."""
    if change.event.rules_frozen_at is None:
        change.event.rules_frozen_at = change.at
        change.event.save(update_fields=["rules_frozen_at"])
        change.seal_rules()
