"""Verify everything that is append-only: hash chains, replays of hands, signed sheets, and the audit trail beside them.

A row that cannot be read is a finding, never an exception.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from django.db import models

from rules.ruleset import Ruleset, RulesetError
from scoring.check import JUDGE
from scoring.game import fold, judge
from scoring.paper_sheet import reconcile
from scoring.problems import CommandProblemType, Param, Problem
from scoring.state import opening
from tournament.archive.queries import at_one_moment
from tournament.core.acts import Group, list_act_names
from tournament.core.hash_chain import canonical, genesis, link
from tournament.core.models import AuditRow
from tournament.core.sealed_marks import SITE as SITE_MARK
from tournament.core.sealed_marks import Marks
from tournament.events.models import Event
from tournament.incidents.models import Substitution
from tournament.record.schema import check_schema
from tournament.record.verify import (
    SITE,
    UNREADABLE,
    VERIFY_DATABASE,
    VERIFY_PAYLOAD,
    Verification,
    check_database,
    check_events,
    check_heads,
    check_places,
    check_state,
    check_trail,
    marks_of_desk,
)
from tournament.sheets.models import SheetRow
from tournament.tables.history import Item, entries_of, read_payload, resolve
from tournament.tables.models import LedgerEntry, Seat, Table

VERIFY_EVENT_UNREADABLE = CommandProblemType("verify.event_unreadable", "{where}: the event cannot be read.")
VERIFY_RULES_UNUSABLE = CommandProblemType("verify.rules_unusable", "{where}: the event's rules cannot be used: {why}")
VERIFY_ROW_UNREADABLE = CommandProblemType("verify.row_unreadable", "{where} row {row}: a value in it cannot be read.")
VERIFY_SEQ = CommandProblemType("verify.seq", "{where} row {row}: row {place} should stand here.")
VERIFY_PREVIOUS_HASH = CommandProblemType(
    "verify.previous_hash", "{where} row {row}: it does not follow the row before it."
)
VERIFY_HASH = CommandProblemType("verify.hash", "{where} row {row}: its content does not fit its hash.")
VERIFY_SUPERSEDES = CommandProblemType(
    "verify.supersedes", "{where} row {row}: it corrects hand {hand}, which is not there."
)
VERIFY_REFUSED = CommandProblemType(
    "verify.refused",
    "{where} row {row}: today's judge (version {today}; the row's: {judge}) would refuse the hand: {because}",
)
VERIFY_SEATS = CommandProblemType("verify.seats", "{where}: {given} players sit here; the rules want {players}.")
VERIFY_SUBSTITUTE_SEAT = CommandProblemType(
    "verify.substitute_seat", "{where}: player {player} is replaced here, and does not sit here."
)
VERIFY_SHEET_ENTRIES = CommandProblemType(
    "verify.sheet_entries", "{where} sheet {row}: it was signed for entries that are not there."
)
VERIFY_SHEET_LATE = CommandProblemType(
    "verify.sheet_late", "{where} sheet {row}: entries were written after it was signed."
)
VERIFY_SHEET_DIFFERS = CommandProblemType(
    "verify.sheet_differs", "{where} sheet {row}: the signed totals part from the hands: {because}"
)
VERIFY_NOT_AUDITED = CommandProblemType("verify.not_audited", "{where} row {row}: the audit trail does not know of it.")
VERIFY_ROW_MISSING = CommandProblemType(
    "verify.row_missing", "{where} row {row}: the audit trail knows of it, and it is not there."
)

# earlier versions took these totals in, and what is finished stays as it was
ENTERED_BEFORE = frozenset({"totals.leftover_has_owner", "totals.leftover_odd"})

Row = TypeVar("Row", LedgerEntry, SheetRow, AuditRow)
AtTable = TypeVar("AtTable", LedgerEntry, SheetRow)
Written = tuple[int, int, int]  # round, table and seq of a ledger row


def verify_all(*, outside: bool = True) -> Verification:
    """Walk the site's own audit trail and every event; without `outside` the database is judged by itself."""
    report = Verification()
    check_database(report)
    marks = marks_of_desk(report) if outside else {}
    try:
        check_schema(report)
        trail = _trail(AuditRow.objects.filter(event=None), SITE, report)
        _walk_audit(trail, SITE, report)
        check_trail(SITE, [row.hash for row in trail], marks.get(SITE_MARK), report)
        events = list(Event.objects.order_by("slug").values_list("pk", "slug"))
    except UNREADABLE as wrong:
        report.add(VERIFY_DATABASE, "database", why=str(wrong))
        return report
    for pk, slug in events:
        _walk_event(pk, slug, marks, report)
    check_events({slug for _pk, slug in events}, marks, report)
    return report


def verify_event(event: Event) -> Verification:
    """Walk one event: its audit trail, and each table's ledger and sheets."""
    report = Verification()
    _walk_event(event.pk, event.slug, marks_of_desk(report), report)
    return report


def _walk_event(pk: int, slug: str, marks: Marks, report: Verification) -> None:
    report.events += 1
    try:
        with at_one_moment():
            list(Event.objects.select_for_update().filter(pk=pk).values_list("pk"))
            mark = marks.get(slug)
            mark = None if mark and mark.deleted else mark  # another event has its address since
            trail = _trail(AuditRow.objects.filter(event=pk), slug, report)
            known = _walk_audit(trail, slug, report)
            check_trail(slug, [row.hash for row in trail], mark, report)
            check_heads(pk, slug, trail, mark, report)
            check_places(pk, slug, report)
            _walk_tables(pk, slug, known, report)
            check_state(pk, slug, trail, report)
    except UNREADABLE:
        report.add(VERIFY_EVENT_UNREADABLE, slug)


def _walk_tables(pk: int, slug: str, known: Counter[Written], report: Verification) -> None:
    try:
        rulesets = Event.objects.get(pk=pk).rulesets
    except RulesetError as wrong:
        report.add(VERIFY_RULES_UNUSABLE, slug, why=str(wrong))
        return
    except UNREADABLE:
        report.add(VERIFY_EVENT_UNREADABLE, slug)
        return
    ledgers = _by_table(LedgerEntry.objects.filter(table__round__event=pk), slug, report)
    sheets = _by_table(SheetRow.objects.filter(table__round__event=pk), slug, report)
    seats = Counter(Seat.objects.filter(round__event=pk).values_list("table_id", flat=True))
    written: set[Written] = set()
    tables = Table.objects.filter(round__event=pk).order_by("round__number", "number")
    for table, round_, number in tables.values_list("pk", "round__number", "number"):
        where = f"{slug}/rounds/{round_}/tables/{number}"
        rows, signed = ledgers.get(table, []), sheets.get(table, [])
        report.tables += 1
        report.entries += len(rows)
        report.sheets += len(signed)
        rules = rulesets[seats[table]]
        if seats[table] != rules.players:
            report.add(VERIFY_SEATS, where, given=seats[table], players=rules.players)
        _walk_table(rows, signed, rules, where, report)
        written.update((round_, number, row.seq) for row in rows)
    _walk_substitutes(pk, slug, report)
    _compare(written, known, slug, report)


def _walk_substitutes(event: int, slug: str, report: Verification) -> None:
    """Hold every standing substitution against the seats: one for who does not sit there would count nowhere."""
    standing = Substitution.objects.filter(event=event, cancelled_at=None)
    astray = standing.exclude(table__seats__player=models.F("player"))
    for round_, table, player in astray.values_list("table__round__number", "table__number", "player__number"):
        report.add(VERIFY_SUBSTITUTE_SEAT, f"{slug}/rounds/{round_}/tables/{table}", player=player)


def _walk_table(
    rows: Sequence[LedgerEntry], sheets: Sequence[SheetRow], rules: Ruleset, where: str, report: Verification
) -> None:
    _walk_chain(rows, where, where, report)
    entries = _readable(rows, where, report)
    if entries is None:
        return
    for index, problem in judge(entries_of(entries), opening(rules), rules):
        if problem.severity == "error" and problem.code not in ENTERED_BEFORE:
            standing = [item for item in entries if item.entry is not None]
            row = next(row for row in rows if row.seq == standing[index].last_seq)
            said: dict[str, Param] = {"row": row.seq, "because": problem.code, "judge": row.judge, "today": JUDGE}
            report.remarks.append(Problem(VERIFY_REFUSED.code, {"where": where, **problem.params, **said}))
            return  # signed by the judge of its day: its sheet is held by the seals
    for position, sheet in enumerate(sheets):
        _walk_sheet(sheet, rows, rules, where, report, last=position == len(sheets) - 1)


def _walk_chain(rows: Sequence[LedgerEntry] | Sequence[AuditRow], chain: str, where: str, report: Verification) -> None:
    """Follow the hashes of a chain from its first row on; after a fault go on so that one fault is named once."""
    may_precede, place = {genesis(chain)}, 1
    for row in rows:
        if row.seq != place:
            report.add(VERIFY_SEQ, where, row=row.seq, place=place)
        elif row.previous_hash not in may_precede:
            report.add(VERIFY_PREVIOUS_HASH, where, row=row.seq)
        right = link(row.previous_hash, row.content())
        if row.hash != right and row.previous_hash in may_precede:
            report.add(VERIFY_HASH, where, row=row.seq)
        may_precede, place = {row.hash, right}, row.seq + 1


def _readable(rows: Sequence[LedgerEntry], where: str, report: Verification) -> list[Item] | None:
    """Return the hands of a table, or None where a row cannot be read or names a hand that is not there."""
    sound = True
    first_rows: set[int] = set()
    for row in rows:
        if row.supersedes is None:
            first_rows.add(row.seq)
        elif row.supersedes not in first_rows:
            report.add(VERIFY_SUPERSEDES, where, row=row.seq, hand=row.supersedes)
            sound = False
        try:
            read_payload(row.payload)
        except UNREADABLE:
            report.add(VERIFY_PAYLOAD, where, row=row.seq)
            sound = False
    return resolve(rows) if sound else None


def _walk_sheet(
    sheet: SheetRow, rows: Sequence[LedgerEntry], rules: Ruleset, where: str, report: Verification, *, last: bool
) -> None:
    """Compare a signature with the entries it was given for; the one that holds must stand on the last entry."""
    hashes = [row.hash for row in rows]
    if sheet.ledger_hash not in hashes:
        report.add(VERIFY_SHEET_ENTRIES, where, row=sheet.seq)
        return
    if not (sheet.signed and last):
        return
    if sheet.ledger_hash != hashes[-1]:
        report.add(VERIFY_SHEET_LATE, where, row=sheet.seq)
        return
    for problem in reconcile(fold(entries_of(resolve(rows)), rules), sheet.totals, sheet.leftover, rules)[:1]:
        params = {"where": where, **problem.params, "row": sheet.seq, "because": problem.code}
        report.problems.append(Problem(VERIFY_SHEET_DIFFERS.code, params))


def _trail(found: models.QuerySet[AuditRow], chain: str, report: Verification) -> list[AuditRow]:
    where = f"{chain}/audit"
    return [row for row in _rows(found, where, report) if _content(row, where, report)]


def _walk_audit(rows: Sequence[AuditRow], chain: str, report: Verification) -> Counter[Written]:
    """Walk the audit trail of an event or the site; return the ledger rows that it knows of."""
    where = f"{chain}/audit"
    report.audit_rows += len(rows)
    _walk_chain(rows, chain, where, report)
    known: Counter[Written] = Counter()
    ledger, register = (list_act_names(group) for group in (Group.LEDGER, Group.REGISTER))
    for row in rows:
        if row.verb in (*ledger, *register):
            try:
                details = json.loads(row.details)
                if row.verb in register and "seq" not in details:
                    continue
                known[details["round"], details["table"], details["seq"]] += 1
            except UNREADABLE:
                report.add(VERIFY_PAYLOAD, where, row=row.seq)
    return known


def _compare(written: set[Written], known: Counter[Written], slug: str, report: Verification) -> None:
    """Hold the ledger's rows against the audit trail: cut off ends of a chain show nowhere else."""
    for round_, table, seq in sorted(written - set(known), key=str):
        report.add(VERIFY_NOT_AUDITED, f"{slug}/rounds/{round_}/tables/{table}", row=seq)
    for round_, table, seq in sorted(set(known) - written, key=str):
        report.add(VERIFY_ROW_MISSING, f"{slug}/rounds/{round_}/tables/{table}", row=seq)


def _by_table(found: "models.QuerySet[AtTable]", slug: str, report: Verification) -> dict[int, list[AtTable]]:
    by_table: dict[int, list[AtTable]] = defaultdict(list)
    for row in _rows(found.select_related("table__round").order_by("table_id", "seq"), slug, report):
        where = f"{slug}/rounds/{row.table.round.number}/tables/{row.table.number}"
        if _content(row, where, report):
            by_table[row.table_id].append(row)
    return by_table


def _rows(found: "models.QuerySet[Row]", where: str, report: Verification) -> Iterator[Row]:
    """Yield all rows; where one cannot be read from the database, all others."""
    try:
        yield from list(found)
    except UNREADABLE:
        for pk, seq in found.values_list("pk", "seq"):
            try:
                yield found.get(pk=pk)
            except UNREADABLE:
                report.add(VERIFY_ROW_UNREADABLE, _place(found, pk, where), row=seq)


def _place(found: "models.QuerySet[Any]", pk: int, where: str) -> str:
    """Name the table of a row that cannot be read, or the trail it belongs to."""
    if found.model is AuditRow:
        return where
    place = found.filter(pk=pk).values_list("table__round__number", "table__number").first()
    return f"{where}/rounds/{place[0]}/tables/{place[1]}" if place else where


def _content(row: LedgerEntry | SheetRow | AuditRow, where: str, report: Verification) -> bool:
    """Tell whether a row's content can be written as the text that its hash is taken over."""
    try:
        int(row.seq)  # SQLite keeps a text in a column of numbers
        canonical(row.content())
    except UNREADABLE:
        report.add(VERIFY_ROW_UNREADABLE, where, row=row.seq)
        return False
    return True
