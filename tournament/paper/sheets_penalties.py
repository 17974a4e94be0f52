"""Sheets for referees: the penalty register, blank penalty slips, and the list of fouls on one page."""

import datetime as dt
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from django.utils.translation import gettext as _

from tournament.pdf.measure import Room, fit
from tournament.pdf.render import Leaves
from tournament.tables.rows import EventHead, FoulRow, FoulSection, PenaltyRow
from tournament.text.numbers_figures import charge_text, count_text, kind_word, moment_text, who_text

SLIPS = 4
KINDS = ("warning", "points", "dead_hand", "chombo", "other")
# How small the list of fouls may get so that it is one page; the last is for several pages.
OFTEN = 5  # the book of so many fouls is not named beside each
NUMBERED = re.compile(r"(.+?) (\d+(?:\.\d+)+.*)")
SIZES = ("large", "small", "pages")


def penalty_slips_leaves() -> Leaves:
    """Give a page of four slips that a referee fills in by hand."""
    return Leaves("penalty_slips", ({"slots": range(1, SLIPS + 1), "kinds": [kind_word(kind) for kind in KINDS]},))


def fouls_leaves(sections: Sequence[FoulSection], derived: str = "") -> Leaves:
    """Give the list of fouls in the largest letters in which it is one page, else on several pages.

    `derived`: why the book has the list of another one. The book that most fouls are from is named once, above them.
    """
    books = Counter(_split(foul.clause)[0] for section in sections for foul in section.fouls)
    book, often = books.most_common(1)[0] if books else ("", 0)
    book = book if often >= OFTEN else ""
    values = {"sections": [_section(section, book) for section in sections], "derived": derived, "source": book}
    return Leaves("fouls", tuple({**values, "size": size} for size in SIZES), fit=True)


def _split(clause: str) -> tuple[str, str]:
    """Split a clause into its book and its number.

    >>> _split("RK 4, WRC 2025 12.3.2 (1)"), _split("E25 6.10"), _split("agreed")
    (('RK 4, WRC 2025', '12.3.2 (1)'), ('E25', '6.10'), ('', 'agreed'))
    """
    found = NUMBERED.match(clause)
    return (found[1], found[2]) if found else ("", clause)


def _section(section: FoulSection, book: str) -> FoulSection:
    """Leave a book's name out of its own clauses."""

    def number(foul: FoulRow) -> FoulRow:
        of, place = _split(foul.clause)
        return replace(foul, clause=place.replace(" (", "\N{NO-BREAK SPACE}(")) if book and of == book else foul

    return replace(section, fouls=tuple(map(number, section.fouls)))


NAME, BY = Room(43, 11, 9, leading=1.25), Room(31, 11, 9, leading=1.25)
NOTHING = "\N{EN DASH}"


def penalties_leaves(head: EventHead, rows: Sequence[PenaltyRow]) -> Leaves:
    """Give the list of penalties; times are shown in the zone of `head.printed_at`."""
    total = count_text(sum(row.points for row in rows if not row.cancelled))
    return Leaves("penalties", ({"lines": [_line(head, row) for row in rows], "total": total, "layout": "wide"},))


def _line(head: EventHead, row: PenaltyRow) -> dict[str, Any]:
    return {
        "at": moment_text(row.at.astimezone(head.printed_at.tzinfo)),
        "where": f"{row.round or NOTHING}" + (f" / {row.table}" if row.table else ""),
        "name": who_text(row.name, row.plays_for),
        "letters": fit(who_text(row.name, row.plays_for), NAME),
        "kind": kind_word(row.kind),
        "points": count_text(row.points) if row.points else NOTHING,
        "reason": row.reason,
        "clause": row.clause,
        "by": row.by,
        "by_letters": fit(row.by, BY),
        "amount_reason": row.amount_reason,
        "charge": charge_text(row),
        "cancelled": row.cancelled,
        "cancel_reason": row.cancel_reason,
    }


@dataclass(frozen=True, slots=True)
class PenaltyColumn:
    """A column of the register: its heading, the kind of its values, and the value of a row."""

    heading: Callable[[], str]
    kind: Literal["text", "count", "points", "moment"]
    value: Callable[[PenaltyRow], str | int | dt.datetime | None]


def _reason(row: PenaltyRow) -> str:
    """Say what it was for, and why it costs another amount than usual."""
    said = row.reason
    if row.amount_reason:
        said = _("%(reason)s; amount: %(why)s") % {"reason": row.reason, "why": row.amount_reason}
    return "; ".join(part for part in (said, charge_text(row)) if part)


def _cancelled(row: PenaltyRow) -> str | None:
    """Say what was cancelled and why; its points are in no column that somebody may add up."""
    if not row.cancelled:
        return None
    return _("%(points)s points: %(reason)s") % {"points": count_text(row.points), "reason": row.cancel_reason}


# the register on pages, in csv and in the workbook
PENALTY_COLUMNS: Mapping[str, PenaltyColumn] = {
    "at": PenaltyColumn(lambda: _("Given at"), "moment", lambda row: row.at),
    "round": PenaltyColumn(lambda: _("Round"), "count", lambda row: row.round),
    "table": PenaltyColumn(lambda: _("Table"), "count", lambda row: row.table),
    "name": PenaltyColumn(lambda: _("Name"), "text", lambda row: who_text(row.name, row.plays_for)),
    "kind": PenaltyColumn(lambda: _("Kind"), "text", lambda row: kind_word(row.kind)),
    "points": PenaltyColumn(lambda: _("Points"), "points", lambda row: None if row.cancelled else row.points),
    "reason": PenaltyColumn(lambda: _("Reason"), "text", _reason),
    "clause": PenaltyColumn(lambda: _("Clause"), "text", lambda row: row.clause),
    "by": PenaltyColumn(lambda: _("Given by"), "text", lambda row: row.by),
    "cancelled": PenaltyColumn(lambda: _("Cancelled"), "text", _cancelled),
}
