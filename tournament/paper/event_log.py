"""The event log on paper: every hand of every table, set line by line.

A page of the log has some six hundred texts, and a box for each would take most of the time of printing. So the lines
are broken here and each column of a table is one text, the points of all seats together; rows are as high as the
tallest of their columns. All this is done where it is printed: nothing here may import a model.
"""

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from rules.ruleset import Ruleset
from tournament.paper.rows import LoggedHand
from tournament.pdf.measure import POINT, broken
from tournament.pdf.render import LatePortions, Leaves
from tournament.tables.rows import EventHead, LogHand, LogRound, LogTable
from tournament.text.languages import join_commas, join_sentences
from tournament.text.numbers import WINDS, moment_text, number_separators, points, signed
from tournament.text.readback import read_back

PAGES_AT_ONCE = 10
# Millimetres and points, as in paper-cut.css: the size of a page's content, a line, a table's head, what is between two
# tables, and the columns beside that of what happened, which takes the rest.
CONTENT = {"a4": (273, 172), "letter": (249, 177)}
LINE, HEAD, BETWEEN = 3.2, 14.0, 4.0
LETTERS, PLAYERS = 7.5, 8
NEXT_LINE = 4.0  # of players whose names need another one
HAND, SEAT, BY = 28, 19.05, 39  # a seat is 72 CSS pixels, the `tab-size` of the points: WeasyPrint takes whole ones
GAP = 2
MAX_DIGITS = 7  # of a seat's points, as in "+120,000": a sign is as wide as a digit where figures are tabular
FIGURE = "\N{FIGURE SPACE}"
AS_WIDE = dict.fromkeys(",.", "\N{PUNCTUATION SPACE}")
SPACES = re.compile(r"[ \t\r\n]+")  # not those within a number
MIN_HANDS = 2  # of a table at the foot of a page, when it goes on overleaf


@dataclass(frozen=True, slots=True)
class _Row:
    """A hand, its columns broken into lines of one height."""

    columns: tuple[tuple[str, ...], ...]

    @property
    def lines(self) -> int:
        return max(map(len, self.columns))


@dataclass(frozen=True, slots=True)
class _Part:
    """What of a table stands on one page."""

    table: LogTable
    round: int
    rows: tuple[_Row, ...]
    closing: tuple[str, ...]
    head: float
    goes_on: bool = False

    @property
    def height(self) -> float:
        return self.head + LINE * (sum(row.lines for row in self.rows) + len(self.closing)) + BETWEEN


def event_log_leaves(head: EventHead, rounds: Sequence[LogRound]) -> Leaves:
    """Give every hand of every table, some pages a portion; times in the zone of `head.printed_at`."""
    # equal rows give equal leaves, whenever they are printed
    undated = replace(head, printed_at=dt.datetime.min.replace(tzinfo=head.printed_at.tzinfo))
    return Leaves("event_log", LatePortions(partial(_portions, undated, rounds)))


def _portions(head: EventHead, rounds: Sequence[LogRound]) -> tuple[dict[str, Any], ...]:
    pages = list(_pages(head, rounds))
    values = [{"parts": [_block(head, part) for part in parts]} for parts in pages]
    starts = range(0, len(values), PAGES_AT_ONCE)
    portions = tuple(
        {"first_page": start + 1, "last_page": len(values), "sheets": values[start : start + PAGES_AT_ONCE]}
        for start in starts
    )
    return portions or ({"sheets": [{}]},)


def _pages(head: EventHead, rounds: Sequence[LogRound]) -> Iterator[list[_Part]]:
    """Fill page after page; a round begins on a page of its own."""
    height = CONTENT[head.paper][1]
    for played in rounds:
        page: list[_Part] = []
        for table in played.tables:
            rest: _Part | None = _whole(head, played.number, table)
            while rest:
                part, rest = _split(rest, height - sum(each.height for each in page))
                if part:
                    page.append(part)
                if rest:
                    yield page
                    page = []
        if page:
            yield page


def _split(part: _Part, room: float) -> tuple[_Part | None, _Part | None]:
    """Return what of a table fits a room, and the rest; nothing where too few hands would."""
    if part.height - BETWEEN <= room:
        return part, None
    used, fitting = part.head, 0
    for row in part.rows:
        used += LINE * row.lines
        if used > room:
            break
        fitting += 1
    if fitting < MIN_HANDS and room < CONTENT["a4"][1]:
        return None, part
    fitting = max(fitting, 1)  # a hand that is higher than a page has to stand somewhere
    first = _Part(part.table, part.round, part.rows[:fitting], (), part.head, part.goes_on)
    return first, _Part(part.table, part.round, part.rows[fitting:], part.closing, part.head, goes_on=True)


def _whole(head: EventHead, number: int, table: LogTable) -> _Part:
    widths = _widths(head, len(table.names))
    rows = tuple(_row(head, hand, widths) for hand in table.hands) or (_Row(((_("No hand is entered."),),)),)
    content = CONTENT[head.paper][0]
    closing = tuple(line for each in table.closing for line in _lines(each, content))
    players = broken(" ".join(f"9 {WINDS[0].sign} {name}   " for name in table.names), content / (PLAYERS * POINT))
    return _Part(table, number, rows, closing, HEAD + NEXT_LINE * (len(players) - 1))


def _widths(head: EventHead, seats: int) -> list[float]:
    """Return the widths of the columns, in the order in which they stand."""
    return [HAND, CONTENT[head.paper][0] - HAND - seats * SEAT - BY, seats * SEAT, BY]


def _row(head: EventHead, hand: LogHand, widths: Sequence[float]) -> _Row:
    what = hand.what if hand.scores else _said(_("Made void"), hand.what)
    figures = (map(points, hand.scores), map(signed, hand.changes)) if hand.scores else ()
    hand_width, what_width, _points_width, by_width = widths
    return _Row(
        (
            _broken(hand_width, f"{hand.number}. {hand.hand}"),
            _broken(what_width, _said(what, hand.value) if hand.value else what, *hand.notes),
            tuple("\t".join(map(_right, each)) for each in figures),
            _broken(by_width, moment_text(hand.at.astimezone(head.printed_at.tzinfo)), hand.by),
        )
    )


def _right(points: str) -> str:
    """Set points right: with spaces before them that are as wide as the letters that they lack."""
    separator = number_separators()[0]
    lacking = MAX_DIGITS - len(points.replace(separator, ""))
    between = "" if separator in points else AS_WIDE.get(separator, separator)
    return FIGURE * lacking + between + points


def _broken(width: float, *texts: str) -> tuple[str, ...]:
    return tuple(line for text in texts for line in _lines(text, width))


def _said(what: str, value: str) -> str:
    return _("%(what)s: %(value)s") % {"what": what, "value": value}


def _lines(text: str, width: float) -> list[str]:
    return broken(SPACES.sub(" ", text).strip(), (width - GAP) / (LETTERS * POINT))


def _block(head: EventHead, part: _Part) -> dict[str, Any]:
    """Give the template a table, each column one text whose lines are as many as those of the rows."""
    seats = [(seat + 1, WINDS[seat], name) for seat, name in enumerate(part.table.names)]
    widths = _widths(head, len(seats))
    hand, what, points, by = (sum(widths[:at]) for at in range(len(widths)))
    places = ((hand, _("Hand"), ""), (what, _("What happened"), ""), (points, "", "log-points"), (by, _("Entered"), ""))
    return {
        "number": part.table.number,
        "round": part.round,
        "goes_on": part.goes_on,
        "seats": seats,
        "columns": [
            {"left": _mm(left), "width": _mm(width - GAP), "title": title, "kind": kind, "text": _column(part.rows, at)}
            for at, ((left, title, kind), width) in enumerate(zip(places, widths, strict=True))
        ],
        "heads": [(_mm(points + at * SEAT), seat) for at, seat in enumerate(seats)],
        "bands": _bands(part.rows),
        "height": f"{LINE * sum(row.lines for row in part.rows):.1f}",
        "closing": part.closing,
    }


def _column(rows: Sequence[_Row], at: int) -> str:
    lines = [(row.columns[at] if at < len(row.columns) else (), row.lines) for row in rows]
    return "\n".join(line for column, high in lines for line in (*column, *[""] * (high - len(column)))).rstrip()


def _mm(length: float) -> str:
    return f"{length:.2f}"  # a number would be written as the language does, and no stylesheet reads a comma


def _bands(rows: Sequence[_Row]) -> list[dict[str, str]]:
    """Return top and height of every other row, in mm."""
    bands, top = [], 0.0
    for at, row in enumerate(rows):
        if at % 2:
            bands.append({"top": f"{top:.1f}", "height": f"{LINE * row.lines:.1f}"})
        top += LINE * row.lines
    return bands


@dataclass(frozen=True, slots=True)
class LogHands(Sequence[LogHand]):
    """The hands of a table, worded where they are printed."""

    rows: Sequence[LoggedHand]
    rules: Ruleset

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, at: Any) -> Any:
        row = self.rows[at]
        if row.hand is None:
            name = _("Hand %(number)d") % {"number": row.number}
            return LogHand(
                row.number, name, row.line, "", row.by, row.at, notes=tuple(filter(None, [capfirst(row.reason)]))
            )
        back = read_back(row.hand, row.names, self.rules)
        said = filter(None, (back.riichi, row.hand.entry.note, row.origin, row.reason))
        notes = tuple(filter(None, (join_sentences(back.pays), capfirst(" · ".join(said)))))
        return LogHand(
            number=row.number,
            hand=join_commas(filter(None, (back.name, back.honba_and_sticks))),
            what=back.what,
            value=back.value,
            by=row.by,
            at=row.at,
            changes=tuple(row.hand.deltas),
            scores=tuple(row.hand.after.scores),
            notes=notes,
        )
