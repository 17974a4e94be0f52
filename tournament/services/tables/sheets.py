"""Verbs on a table's signed sheet: sign it when paper and ledger agree, reopen it, confirm or reject it."""

from collections.abc import Sequence

from scoring.game import fold
from scoring.paper_sheet import reconcile
from scoring.problems import error
from tournament.history import standing_entries
from tournament.models import Account, SheetCheck, SheetRow, Table
from tournament.refusal import Refused, Stale
from tournament.services.core.writing import Change, writing

MOST_REASON = 500


def sign_table(*, table: Table, totals: Sequence[int], leftover: int, expected_seq: int, by: Account) -> None:
    """Sign a table: the paper's final scores by seat, and the points that still lay on it at the end.

    The game is over with this, also where time ended it. Raises Refused with where paper and ledger part, Stale when
    the caller has not seen the newest rows. Signing the same totals twice changes nothing.
    """
    with writing(table.round.event, "table_signed", by=by) as change:
        rows = list(table.ledger.order_by("seq"))
        last = table.sheets.order_by("-seq").first()
        if last and last.signed:
            if [list(totals), leftover] != [last.totals, last.leftover]:
                raise Refused(error("table.signed", table=table.number))
            change.nothing_new()
            return
        if not rows or not standing_entries(rows):
            raise Refused(error("sheet.no_hands", table=table.number))
        if expected_seq != rows[-1].seq:
            between = [row for row in rows if row.seq > expected_seq]
            raise Stale(error("table.moved_on", expected=expected_seq, last=rows[-1].seq), between)
        rules = change.event.ruleset
        problems = reconcile(fold(standing_entries(rows), rules), totals, leftover, rules)
        if problems:
            raise Refused(*problems)
        _add_sheet(table, last, change, signed=True, totals=list(totals), leftover=leftover, ledger_hash=rows[-1].hash)
        before = table.sheets.filter(signed=True, seq__lt=last.seq).order_by("-seq").first() if last else None
        if before:
            change.details["before"] = {"totals": before.totals, "leftover": before.leftover}


def reopen_table(*, table: Table, reason: str, by: Account) -> None:
    """Reopen a signed table, so that a hand can be corrected; raises Refused without a reason."""
    with writing(table.round.event, "table_reopened", by=by) as change:
        last = table.sheets.order_by("-seq").first()
        if not (last and last.signed):
            change.nothing_new()
            return
        if not reason.strip():
            raise Refused(error("table.reopen_reason"))
        _add_sheet(table, last, change, signed=False, ledger_hash=last.ledger_hash, reason=reason.strip()[:MOST_REASON])
        change.details["before"] = {"totals": last.totals, "leftover": last.leftover}


def _add_sheet(table: Table, last: SheetRow | None, change: Change, **values: object) -> None:
    seq = last.seq + 1 if last else 1
    SheetRow.objects.create(table=table, seq=seq, by=change.by, at=change.at, **values)
    change.details = {"round": table.round.number, "table": table.number, **values}


def sign_typed_twice(*, table: Table, totals: Sequence[int], first: str, by: Account) -> None:
    """Sign a table whose sheet two people have typed alike: signed for by the first, confirmed by `by`.

    `first` is the uid of who typed it before. Its totals are those just entered; raises Refused where they are not.
    """
    with writing(table.round.event, "sheet_typed_twice", by=by) as change:
        rows, last = list(table.ledger.order_by("seq")), table.sheets.order_by("-seq").first()
        problems = reconcile(fold(standing_entries(rows), change.event.ruleset), totals, 0, change.event.ruleset)
        if problems:
            raise Refused(*problems)
        sheet = SheetRow.objects.create(
            table=table,
            seq=last.seq + 1 if last else 1,
            signed=True,
            totals=list(totals),
            ledger_hash=rows[-1].hash,
            by=first,
            at=change.at,
        )
        SheetCheck.objects.create(sheet=sheet, confirmed=True, by=change.by, at=change.at)
        place = {"round": table.round.number, "table": table.number, "seq": sheet.seq}
        change.details = {**place, "totals": list(totals), "first": first}


def confirm_sheet(*, table: Table, sheet: int, by: Account) -> None:
    """Confirm a table's signed sheet, named by its `seq`, as another person than who signed it; nothing else changes.

    Raises Refused for who signed it, for a sheet that is no longer the table's, and where the event asks nobody.
    """
    with writing(table.round.event, "sheet_confirmed", by=by) as change:
        last = _sheet_to_check(table, sheet, change)
        known = SheetCheck.objects.filter(sheet=last).first()
        if known:
            change.nothing_new()
            return
        SheetCheck.objects.create(sheet=last, confirmed=True, by=change.by, at=change.at)
        change.details = {"round": table.round.number, "table": table.number, "seq": last.seq}


def reject_sheet(*, table: Table, sheet: int, reason: str, by: Account) -> None:
    """Send a table's signed sheet back to who signed it: the table is open again.

    Raises Refused as `confirm_sheet` does, without a reason, and once the sheet is confirmed: then it is reopened.
    """
    with writing(table.round.event, "sheet_rejected", by=by) as change:
        last = _sheet_to_check(table, sheet, change)
        if SheetCheck.objects.filter(sheet=last).exists():
            raise Refused(error("confirm.done_already", table=table.number))
        why = reason.strip()[:MOST_REASON]
        if not why:
            raise Refused(error("confirm.reason_missing"))
        SheetCheck.objects.create(sheet=last, confirmed=False, reason=why, by=change.by, at=change.at)
        _add_sheet(table, last, change, signed=False, ledger_hash=last.ledger_hash, reason=why)
        change.details["before"] = {"totals": last.totals, "leftover": last.leftover, "by": last.by}


def is_confirmed(table: Table) -> bool:
    """Tell whether a table's last sheet is signed and somebody else has confirmed it."""
    last = table.sheets.order_by("-seq").first()
    return bool(last and last.signed and SheetCheck.objects.filter(sheet=last, confirmed=True).exists())


def _sheet_to_check(table: Table, sheet: int, change: Change) -> SheetRow:
    """Return the table's last sheet, if the caller has seen it and may check it; raises Refused."""
    if not change.event.confirms:
        raise Refused(error("confirm.off"))
    last: SheetRow | None = table.sheets.order_by("-seq").first()
    if last is None or not last.signed or last.seq != sheet:
        raise Refused(error("confirm.moved_on", table=table.number))
    if last.by == change.by:
        raise Refused(error("confirm.same_person", table=table.number))
    return last
