"""Report sheets: one page for each table of a round, on which a table writes and signs its result.

Names and seats come filled in, in seat order; nothing that was played is ever printed on them.
"""

from tournament.sheets.figures import WINDS, count_text, name_size
from tournament.sheets.loggrid import log_grid
from tournament.sheets.render import render_pdf
from tournament.sheets.rows import EventHead, RoundRow, TableRow

DEPOSIT = 1000
DEPOSITS_SPELT_OUT = 4


def report_sheets_pdf(head: EventHead, round_row: RoundRow) -> bytes:
    """Make the report sheets of a round, a page for each table in the order given."""
    return render_pdf("report_sheets", report_values(head, round_row), head)


def report_values(head: EventHead, round_row: RoundRow) -> dict[str, object]:
    """Give the report sheet template what it shows."""
    total = head.start_points * head.players_per_table
    return {
        "round": round_row.number,
        "sheets": [_sheet(table) for table in round_row.tables],
        "size": head.players_per_table,
        "start": count_text(head.start_points),
        "must_be": count_text(total),
        "deposit": count_text(DEPOSIT),
        "less_deposits": [(n, count_text(total - n * DEPOSIT)) for n in range(1, DEPOSITS_SPELT_OUT + 1)],
        "log": log_grid(head.players_per_table),
    }


def _sheet(table: TableRow) -> dict[str, object]:
    seats = [
        {"place": s.seat + 1, "wind": WINDS[s.seat], "name": s.name, "size": name_size(s.name), "number": s.number}
        for s in sorted(table.seats, key=lambda s: s.seat)
    ]
    return {"number": table.number, "seats": seats}
