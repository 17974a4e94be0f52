"""Verbs on a table's signed sheet: sign it when paper and ledger agree, reopen it with a reason."""

from collections.abc import Sequence

from scoring.game import fold
from scoring.problems import error
from scoring.reconcile import reconcile
from tournament.history import standing_entries
from tournament.models import Account, SheetRow, Table
from tournament.refusal import Refused, Stale
from tournament.services.writing import Change, writing


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
        _add_sheet(table, last, change, signed=False, ledger_hash=last.ledger_hash, reason=reason.strip()[:500])
        change.details["before"] = {"totals": last.totals, "leftover": last.leftover}


def _add_sheet(table: Table, last: SheetRow | None, change: Change, **values: object) -> None:
    seq = last.seq + 1 if last else 1
    SheetRow.objects.create(table=table, seq=seq, by=change.by, at=change.at, **values)
    change.details = {"round": table.round.number, "table": table.number, **values}
