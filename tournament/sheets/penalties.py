"""The penalty register as a list for the referees' table: what was given when, to whom, why and by whom.

Prints rows in the order given, cancelled ones marked in words; it adds up only what it prints.
"""

from collections.abc import Sequence
from typing import Any

from tournament.sheets.figures import count_text, kind_word, moment_text, name_size
from tournament.sheets.render import Leaves, print_leaves
from tournament.sheets.rows import EventHead, PenaltySheetRow

NOTHING = "\N{EN DASH}"


def penalties_pdf(head: EventHead, rows: Sequence[PenaltySheetRow]) -> bytes:
    """Make the list of penalties; times are shown in the zone of `head.printed_at`."""
    return print_leaves(penalties_leaves(head, rows), head).pdf


def penalties_leaves(head: EventHead, rows: Sequence[PenaltySheetRow]) -> Leaves:
    """Give the list of penalties as penalties_pdf prints it."""
    return Leaves("penalties", (penalties_values(head, rows),))


def penalties_values(head: EventHead, rows: Sequence[PenaltySheetRow]) -> dict[str, Any]:
    """Give the penalties template what it shows."""
    return {
        "lines": [_line(head, row) for row in rows],
        "total": count_text(sum(row.points for row in rows if not row.cancelled)),
        "layout": "wide",
    }


def _line(head: EventHead, row: PenaltySheetRow) -> dict[str, Any]:
    return {
        "at": moment_text(row.given_at.astimezone(head.printed_at.tzinfo)),
        "where": f"{row.round or NOTHING}" + (f" / {row.table}" if row.table else ""),
        "name": row.name,
        "size": name_size(row.name),
        "kind": kind_word(row.kind),
        "points": count_text(row.points) if row.points else NOTHING,
        "reason": row.reason,
        "clause": row.clause,
        "by": row.given_by,
        "by_size": name_size(row.given_by),
        "amount_reason": row.amount_reason,
        "cancelled": row.cancelled,
        "cancel_reason": row.cancel_reason,
    }
