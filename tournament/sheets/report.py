"""Report sheets: one page for each table of a round, on which a table writes and signs its result.

Names and seats come filled in, in seat order; nothing that was played is ever printed on them.
"""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.sheets.figures import WINDS, count_text, name_size
from tournament.sheets.render import render_forms
from tournament.sheets.rows import EventHead, RoundRow, TableRow

LOG_LINES = 16
DEPOSITS_SPELT_OUT = 4


def report_sheets_pdf(head: EventHead, round_row: RoundRow) -> bytes:
    """Make the report sheets of a round, a page for each table in the order given.

    Raises ValueError if the round has no tables, PaperUnavailable if this machine cannot make PDF.
    """
    return render_forms("report_sheets", report_values(head, round_row), head)


def report_values(head: EventHead, round_row: RoundRow) -> dict[str, Any]:
    """Give the report sheet template what it shows: the form's own words and each sheet's names."""
    total = head.start_points * head.players_per_table
    return {
        "round": round_row.number,
        "size": head.players_per_table,
        "seats": [(seat + 1, WINDS[seat]) for seat in range(head.players_per_table)],
        "start": count_text(head.start_points),
        "must_be": count_text(total),
        "deposit": count_text(head.deposit),
        "less_deposits": pgettext("between the parts of a line", "; ").join(
            _("%(count)d left: %(points)s") % {"count": n, "points": count_text(total - n * head.deposit)}
            for n in range(1, DEPOSITS_SPELT_OUT + 1)
        ),
        "log_lines": range(1, LOG_LINES + 1),
        "sheets": [_sheet(table, head.players_per_table) for table in round_row.tables],
        "last_page": len(round_row.tables),
    }


def _sheet(table: TableRow, size: int) -> dict[str, Any]:
    """Put each player on the line of the seat; a line stays empty where nobody sits."""
    seated = {s.seat: (s.name, name_size(s.name), s.number) for s in table.seats}
    return {"number": table.number, "lines": [seated.get(seat) for seat in range(size)]}
