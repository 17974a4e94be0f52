"""The standings as a wall list, results by round, and certificates.

Rows are printed in the order given; nothing is ranked, added or rounded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.pdf.drawings import Face, corner_svg, drawn
from tournament.pdf.measure import Room, fit
from tournament.pdf.render import Leaves
from tournament.standings.columns import Column, Place, StandingRow, Value, cells_of, columns_for
from tournament.tables.rows import EventHead, GameRow, ResultRound
from tournament.text.numbers_figures import WINDS, count_text, out_text, rank_text, signed_thousands

# Up to so many rounds the list stands upright, then it lies on its side, then its results are set smaller.
ROUNDS_UPRIGHT = 6
ROUNDS_WIDE = 9
# the columns of the standings in mm, as in paper.css
WIDTHS = {"rank": 12, "total": 22, "penalties": 18}
RESULT_WIDTHS = {"upright": 14, "wide": 17, "wide dense": 12.6}
RESULT_NAME = Room(73, 8, 9, leading=1.25)


@dataclass(frozen=True, slots=True)
class RecordMark:
    """The head of the record that stands on released results: eight words, and the address that a code leads to."""

    words: str
    address: str

    def values(self) -> dict[str, Any]:
        """Return it as templates take it."""
        return {"words": self.words, "address": self.address}


def standings_leaves(
    head: EventHead,
    rows: Sequence[StandingRow],
    as_of_round: int,
    *,
    disqualified: Sequence[str] = (),
    record: RecordMark | None = None,
) -> Leaves:
    """Give the standings after a round as a wall list, in the order given; 0 means before the first."""
    played = max((len(row.results) for row in rows), default=0)
    columns, layout = columns_for("paper", rows, range(1, played + 1)), _layout(played)
    room = _name_room(columns, layout)
    values = {
        "after": _after(head, as_of_round),
        "columns": [(column.key, column.kind, column.title_on_paper()) for column in columns],
        "lines": [_line(row, columns, room) for row in rows],
        "any_shared": any(row.shared for row in rows),
        "layout": layout,
        "out": out_text(disqualified),
        "record": record.values() if record else None,
    }
    return Leaves("standings", (values,))


def _after(head: EventHead, as_of_round: int) -> str:
    if not as_of_round:
        return _("Before round 1.")
    return _("After round %(round)d of %(rounds)d.") % {"round": as_of_round, "rounds": head.rounds}


def _layout(played: int) -> str:
    if played <= ROUNDS_UPRIGHT:
        return "upright"
    return "wide" if played <= ROUNDS_WIDE else "wide dense"


def _name_room(columns: Sequence[Column], layout: str) -> Room:
    """Return the room that the other columns leave to the names."""
    content = 273 if "wide" in layout else 186
    result = RESULT_WIDTHS[layout]
    widths = (result if column.key == "results" else WIDTHS.get(column.key, 0) for column in columns)
    return Room(content - sum(widths) - 3.5, 8, 9, leading=1.25)


def _line(row: StandingRow, columns: Sequence[Column], room: Room) -> dict[str, Any]:
    return {
        "cells": [
            (column.key, column.kind, _cell_text(column.kind, value)) for column, value in cells_of(row, columns)
        ],
        "letters": fit(row.name, room),
        "carried": pgettext("between the parts of a line", "; ").join(
            _("carried %(points)s of %(of)s after round %(round)d")
            % {"points": signed_thousands(each.points), "of": signed_thousands(each.of), "round": each.after_round}
            for each in row.carried
        ),
    }


def _cell_text(kind: str, value: Value) -> str:
    if isinstance(value, Place):
        return rank_text(value.number, shared=value.shared)
    if kind == "penalty":
        return signed_thousands(-value) if isinstance(value, int) and value else ""
    if kind == "result":
        return signed_thousands(value) if isinstance(value, int) else NOTHING
    return "" if value is None else str(value)


NOTHING = "\N{EN DASH}"
CERTIFICATES_AT_ONCE = 6
CORNERS = ("upper-left", "upper-right", "lower-right", "lower-left")
WIND_TILES = ("1z", "2z", "3z", "4z")
HONOURED = Room(210, 24, 46, bold=True)


def results_leaves(rounds: Sequence[ResultRound], *, record: RecordMark | None = None) -> Leaves:
    """Give the results of rounds, each from a page of its own on; the record stands after the last."""
    portions = [_round(each) for each in rounds] or [{"round": None, "tables": []}]
    portions[-1]["record"] = record.values() if record else None
    return Leaves("results", tuple(portions))


def _round(played: ResultRound) -> dict[str, Any]:
    tables = [{"number": table.number, "lines": [_game(game) for game in table.games]} for table in played.tables]
    return {"round": played.number, "tables": tables}


def _game(game: GameRow) -> dict[str, Any]:
    return {
        "wind": WINDS[game.seat],
        "name": game.name,
        "letters": fit(game.name, RESULT_NAME),
        "substitute": game.substitute,
        "points": count_text(game.points),
        "place": rank_text(game.place, shared=game.shared) if game.place else NOTHING,
        "uma": signed_thousands(game.uma),
        "result": signed_thousands(game.result),
    }


def certificates_leaves(head: EventHead, rows: Sequence[StandingRow], as_of_round: int, best: int) -> Leaves:
    """Give a certificate for each who has played and whose rank is `best` or better; 0 for all.

    Before the last round they say that they are provisional. Raises ValueError where there is none.
    """
    won = [row for row in rows if row.games and (not best or row.rank <= best)]
    if not won:
        raise ValueError("there is nobody to print a certificate for")
    certificates = [
        {
            "name": row.name,
            "letters": fit(row.name, HONOURED),
            "rank": row.rank,
            "shared": row.shared,
            "total": signed_thousands(row.total),
            "games": row.games,
            "page": page,
        }
        for page, row in enumerate(won, start=1)
    ]
    starts = range(0, len(certificates), CERTIFICATES_AT_ONCE)
    common = {
        "players": len(rows),
        "last_page": len(certificates),
        "provisional": (as_of_round, head.rounds) if as_of_round < head.rounds else None,
        "corners": CORNERS,
        "ornament": corner_svg(),
        "tiles": [drawn(Face(tile)) for tile in WIND_TILES],
    }
    return Leaves(
        "certificates",
        tuple({**common, "certificates": certificates[start : start + CERTIFICATES_AT_ONCE]} for start in starts),
    )
