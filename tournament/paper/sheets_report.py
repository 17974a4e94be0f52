"""Report sheets, on which a table writes and signs its result: with a line for every hand, or totals alone."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.alllast.paper import HALVES, cut_pairs
from tournament.pdf.measure import Room, fit
from tournament.pdf.render import Leaves, portions_of
from tournament.tables.rows import EventHead, RoundRow, TableRow
from tournament.text.numbers_figures import WINDS, count_text

LOG_LINES = 16
NAME = Room(47, 8, 13, bold=True)  # beside it the number, and the row is as high as a table of three needs
DEPOSITS_SPELT_OUT = 4


def report_leaves(head: EventHead, round_row: RoundRow, addresses: Mapping[int, str] | None = None) -> Leaves:
    """Give the sheets with a line for every hand, a page a table; `addresses` are those that codes open, by table."""
    values = report_values(head, round_row, addresses)
    return Leaves("report_sheets", _portions(values, values["sheets"]), form=True)


def totals_leaves(head: EventHead, round_row: RoundRow, addresses: Mapping[int, str] | None = None) -> Leaves:
    """Give the sheets for totals alone, two to a page, to be cut; a pile cut once is in table order."""
    values = report_values(head, round_row, addresses)
    sheets = {sheet["number"]: sheet for sheet in values["sheets"]}
    pages = [
        {"halves": [(half, sheets[table.number]) for half, table in zip(HALVES, pair, strict=False)], "page": page}
        for page, pair in enumerate(cut_pairs(round_row.tables), start=1)
    ]
    values |= {"last_page": len(pages), "halves": HALVES}
    return Leaves("report_sheets", _portions(values, pages), form=True)


def _portions(values: dict[str, Any], sheets: Sequence[Any]) -> tuple[Mapping[str, Any], ...]:
    if not sheets:
        raise ValueError("a booklet of report sheets needs at least one page: the round has no tables")
    return portions_of(values, sheets)


def report_values(head: EventHead, round_row: RoundRow, addresses: Mapping[int, str] | None = None) -> dict[str, Any]:
    """Give the report sheet templates what they show: the form's own words and each sheet's names."""
    total = head.start_points * head.players_per_table
    size = head.players_per_table
    sheets = [_sheet(table, size, page, addresses or {}) for page, table in enumerate(round_row.tables, start=1)]
    return {
        "round": round_row.number,
        "size": size,
        "seats": [(seat + 1, WINDS[seat]) for seat in range(size)],
        "start": count_text(head.start_points),
        "must_be": count_text(total),
        "deposit": count_text(head.deposit),
        "less_deposits": pgettext("between the parts of a line", "; ").join(
            _("%(count)d left: %(points)s") % {"count": n, "points": count_text(total - n * head.deposit)}
            for n in range(1, DEPOSITS_SPELT_OUT + 1)
        ),
        "log_lines": range(1, LOG_LINES + 1),
        "has_codes": bool(addresses),
        "sheets": sheets,
        "last_page": len(sheets),
    }


def _sheet(table: TableRow, size: int, page: int, addresses: Mapping[int, str]) -> dict[str, Any]:
    """Put each player on the line of the seat; a line stays empty where nobody sits."""
    seated = {s.seat: (s.name, fit(s.name, NAME), s.number) for s in table.seats}
    return {
        "number": table.number,
        "page": page,
        "lines": [seated.get(seat) for seat in range(size)],
        "code": addresses.get(table.number, ""),
    }
