"""Verbs on a table's ledger: enter a hand, correct one, void one. Each is one new row; no row ever changes.

The table is locked, judged as a whole and refolded before the row is written; nothing derived is stored.
"""

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from rules.ruleset import Ruleset
from scoring.entries import Entry, Totals, to_json
from scoring.game import fold, judge
from scoring.problems import Problem, error, errors_of, warnings_of
from scoring.state import opening
from scoring.time_limit import TimeLimit, time_problems
from tournament.compiled_queries import Prepared
from tournament.hash_chain import canonical, genesis, link
from tournament.history import Item, resolve, standing_entries
from tournament.models import Account, LedgerEntry, Round, SheetRow, Table
from tournament.refusal import Refused, Stale
from tournament.selectors.rounds.clock import hands_in_time, list_clocks
from tournament.selectors.tables.penalties import dead_hands, with_dead
from tournament.services.core.events import freeze_rules
from tournament.services.core.writing import Change, writing

MOST_REASON = 500


@dataclass(frozen=True, slots=True)
class Entered:
    """The row that holds the hand; `repeated` says that it was there already under this `client_id`."""

    row: LedgerEntry
    repeated: bool


@dataclass(frozen=True, slots=True)
class HandAct:
    """What is to be written: an entry or None for void, in the place of a hand or as a new one.

    `from_sheet`: totals that came by the page of sheets, where two people typed them if the event wants that.
    """

    verb: str
    table: Table
    entry: Entry | None
    hand: int | None
    client_id: UUID
    expected_seq: int
    reason: str
    from_sheet: bool = False


def enter_hand(
    *, table: Table, entry: Entry, client_id: UUID, expected_seq: int, reason: str = "", by: Account
) -> Entered:
    """Append a hand to a table.

    `expected_seq` is the last `seq` that the caller has seen. A known `client_id` changes nothing and returns its row.
    Raises Stale with what came between; raises Refused with problems, warnings among them where no reason is given, and
    for totals where sheets are typed by two people.
    """
    return _append(HandAct("hand_entered", table, entry, None, client_id, expected_seq, reason.strip()), by=by)


def enter_sheet(
    *, table: Table, entry: Totals, client_id: UUID, expected_seq: int, reason: str = "", by: Account
) -> Entered:
    """Append the totals of a paper sheet that `totals` has judged: the one way in where sheets are typed twice."""
    act = HandAct("hand_entered", table, entry, None, client_id, expected_seq, reason.strip(), from_sheet=True)
    return _append(act, by=by)


def correct_hand(
    *, table: Table, hand: int, entry: Entry, client_id: UUID, expected_seq: int, reason: str = "", by: Account
) -> Entered:
    """Replace a hand, named by the `seq` of its first row; later hands are judged again under the new state.

    Any hand but the last needs a reason. A void hand comes back this way. Otherwise as `enter_hand`.
    """
    return _append(HandAct("hand_corrected", table, entry, hand, client_id, expected_seq, reason.strip()), by=by)


def void_hand(*, table: Table, hand: int, client_id: UUID, expected_seq: int, reason: str = "", by: Account) -> Entered:
    """Take a hand out, named by the `seq` of its first row; otherwise as `correct_hand`."""
    return _append(HandAct("hand_voided", table, None, hand, client_id, expected_seq, reason.strip()), by=by)


_KNOWN = Prepared(lambda client_id: LedgerEntry.objects.filter(client_id=client_id))
_ROUND = Prepared(lambda pk: Round.objects.filter(pk=pk))
_ROWS = Prepared(lambda table: LedgerEntry.objects.filter(table=table).order_by("seq"))
_LAST_SHEET = Prepared(lambda table: SheetRow.objects.filter(table=table).order_by("-seq")[:1])


def _append(act: HandAct, *, by: Account) -> Entered:
    with writing(act.table.round.event, act.verb, by=by) as change:
        known = _KNOWN.first(act.client_id)
        if known:
            change.nothing_new()
            return _repeated(known, act.table)
        before = [] if act.hand is None else list(act.table.ledger.order_by("seq"))
        row = append_within(change, act)
        change.details = {
            "round": act.table.round.number,
            "table": act.table.number,
            "seq": row.seq,
            "hand": act.hand or row.seq,
            **(_scores_of_both(before, row, change.event.ruleset) if before else {}),
        }
        return Entered(row, repeated=False)


def _scores_of_both(before: list[LedgerEntry], row: LedgerEntry, rules: Ruleset) -> dict[str, list[int]]:
    """Return what a correction did to the scores, by seat, as its audit row says it."""
    was, is_now = (fold(standing_entries(rows), rules).state.scores for rows in (before, [*before, row]))
    return {"before": list(was), "after": list(is_now)}


def append_within(change: Change, act: HandAct) -> LedgerEntry:
    """Append a row within another act's transaction, judged as ever; a new hand carries the dead hands of the register.

    Raises Stale and Refused as `enter_hand`.
    """
    rows = _ROWS(act.table.pk)
    check_open(act.table, rows, act.expected_seq)
    if not act.from_sheet:
        refuse_totals(change, act.table, [act.entry])
    if act.entry is not None and act.hand is None:
        dead = dead_hands(act.table.pk, rows, act.expected_seq)
        act = dataclasses.replace(act, entry=with_dead(act.entry, dead))
    # a chombo of the register says why by its foul; whether time was left is not asked there
    time = _time_limit(change, act.table, rows) if act.verb == "hand_entered" else None
    _check_fit(resolve(rows), act, change.event.ruleset, time)
    freeze_rules(change)
    return insert_row(NewRow(act.table, act.entry, act.hand, act.client_id, act.reason), rows, change)


def _time_limit(change: Change, table: Table, rows: list[LedgerEntry]) -> TimeLimit | None:
    """Return what the clock of a table that was just found open says; None where its signal has not come."""
    if table.round.started_at is None:
        return None
    clock = list_clocks(change.event, [table.round])[table.round.number]
    limit = TimeLimit(clock.ends_at_of(table.number), change.at)
    return dataclasses.replace(limit, hands=hands_in_time(rows)) if limit.is_up else None


def refuse_totals(change: Change, table: Table, entries: Iterable[Entry | None]) -> None:
    """Refuse totals that one person writes alone where the event has its sheets typed by two, blind."""
    if change.event.types_twice and any(isinstance(entry, Totals) for entry in entries):
        raise Refused(error("totals.typed_twice", table=table.number))


def _repeated(known: LedgerEntry, table: Table) -> Entered:
    if known.table_id != table.pk:
        raise Refused(error("entry.client_id_used"))
    return Entered(known, repeated=True)


def check_open(table: Table, rows: list[LedgerEntry], expected_seq: int) -> None:
    """Refuse a table that takes no hand now, or a caller who has not seen its newest rows."""
    # read anew under the lock: the caller's copy may be older than a release or a signature
    [table.round] = _ROUND(table.round_id)
    if table.round.published_at is None:
        raise Refused(error("round.not_published", round=table.round.number))
    sheet = _LAST_SHEET.first(table.pk)
    if sheet and sheet.signed:
        raise Refused(error("table.signed", table=table.number))
    last = rows[-1].seq if rows else 0
    if expected_seq != last:
        between = [row for row in rows if row.seq > expected_seq]
        raise Stale(error("table.moved_on", expected=expected_seq, last=last), between)


def _check_fit(items: list[Item], act: HandAct, rules: Ruleset, time: TimeLimit | None) -> None:
    """Judge the whole table as it would be; refuse errors, and warnings or a late correction without a reason."""
    problems = judge_change(items, act.entry, act.hand, rules, time)
    refused = errors_of(problems)
    if refused:
        raise Refused(*refused)
    if len(act.reason) > MOST_REASON:
        raise Refused(error("entry.text_too_long", key="reason", most=MOST_REASON))
    if not act.reason and problems:
        raise Refused(*problems, error("entry.reason_needed"))
    standing = [item.seq for item in items if item.entry is not None]
    if not act.reason and act.hand is not None and (not standing or act.hand != standing[-1]):
        raise Refused(error("hand.reason_needed"))


def judge_change(
    items: list[Item], entry: Entry | None, hand: int | None, rules: Ruleset, time: TimeLimit | None = None
) -> list[Problem]:
    """List what would be wrong if `entry` were appended (`hand` None) or put in the place of a hand (None: void).

    Errors of any later hand count: it would no longer fit. Warnings count for the entry itself; later hands had theirs.
    A problem of another hand carries its place in the list as the parameter `hand`, from 1. With the table's clock a
    new hand for which no time is left is warned of.
    """
    if hand is not None and hand not in {item.seq for item in items}:
        return [error("hand.unknown", hand=hand)]
    changed = [(item.seq, entry if item.seq == hand else item.entry) for item in items]
    if hand is None:
        changed.append((0, entry))
    entries = [(seq, each) for seq, each in changed if each is not None]
    own = next((index for index, (seq, _) in enumerate(entries) if seq == (hand or 0)), None)
    number = {seq: place for place, (seq, _entry) in enumerate(changed, start=1)}
    found = judge([each for _, each in entries], opening(rules), rules)
    mine = [problem for index, problem in found if index == own]
    others = [
        error("hand.no_longer_fits", hand=number[entries[index][0]], because=problem.code)
        for index, problem in found
        if index != own and problem.severity == "error"
    ]
    late = time_problems(entry, time, rules) if entry is not None and hand is None and time is not None else []
    return [*errors_of(mine), *others, *warnings_of(mine), *late]


@dataclass(frozen=True, slots=True)
class NewRow:
    """A row to be written: an entry or None for void, in the place of a hand or as a new one."""

    table: Table
    entry: Entry | None
    supersedes: int | None
    client_id: UUID
    reason: str


def insert_row(new: NewRow, rows: Sequence[LedgerEntry], change: Change) -> LedgerEntry:
    """Write a row behind the rows of its table, within a transaction; the caller has judged it."""
    row = LedgerEntry(
        table=new.table,
        seq=rows[-1].seq + 1 if rows else 1,
        payload="" if new.entry is None else canonical(to_json(new.entry)),
        supersedes=new.supersedes,
        client_id=new.client_id,
        reason=new.reason,
        by=change.by,
        at=change.at,
        previous_hash=rows[-1].hash if rows else genesis(new.table.chain),
    )
    row.hash = link(row.previous_hash, row.content())
    row.save()
    return row
