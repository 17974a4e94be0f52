"""The sheets of an event: report sheets, standings, results, certificates, penalties and fouls, seating, posters.

They are values for templates/pdf. No class defined here may be among them: the process that prints has no models.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from tournament.paper.all_last import HALVES, cut_pairs
from tournament.paper.rows import PlayerPlaces, RecordMark
from tournament.pdf.drawings import Face, corner_svg, drawn
from tournament.pdf.measure import POINT, Room, fit
from tournament.pdf.render import Leaves, portions_of
from tournament.penalties.messages import charge_text, say_kind
from tournament.seating.messages import say_carried
from tournament.standings.columns import COLUMNS, StandingRow, Value, cells_of, columns_for
from tournament.tables.rows import (
    EventHead,
    FoulRow,
    FoulSection,
    PenaltyRow,
    ResultRound,
    RoundRow,
    TableRow,
)
from tournament.text.languages import join_commas, join_spaced
from tournament.text.numbers import (
    NO_VALUE,
    WINDS,
    Place,
    Wind,
    moment_text,
    name_order,
    ordinal_place,
    out_text,
    points,
    say_place,
    signed_p,
    who_text,
)

LOG_LINES = 16
SEAT_NAME = Room(47, 8, 13, bold=True)  # beside it the number, and the row is as high as a table of three needs
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
        "start": points(head.start_points),
        "must_be": points(total),
        "deposit": points(head.deposit),
        "less_deposits": join_spaced(
            _("%(count)d left: %(points)s") % {"count": n, "points": points(total - n * head.deposit)}
            for n in range(1, DEPOSITS_SPELT_OUT + 1)
        ),
        "log_lines": range(1, LOG_LINES + 1),
        "has_codes": bool(addresses),
        "sheets": sheets,
        "last_page": len(sheets),
    }


def _sheet(table: TableRow, size: int, page: int, addresses: Mapping[int, str]) -> dict[str, Any]:
    """Put each player on the line of the seat; a line stays empty where nobody sits."""
    seated = {s.seat: (s.name, fit(s.name, SEAT_NAME), s.number) for s in table.seats}
    return {
        "number": table.number,
        "page": page,
        "lines": [seated.get(seat) for seat in range(size)],
        "code": addresses.get(table.number, ""),
    }


# Up to so many rounds the list stands upright, then it lies on its side, then its results are set smaller.
RESULT_ROUNDS_UPRIGHT = 6
ROUNDS_WIDE = 9
# the columns of the standings in mm, as in paper.css
WIDTHS = {"rank": 12, "total": 22, "penalties": 18, "games": 18}
RESULT_WIDTHS = {"upright": 14, "wide": 17, "wide dense": 12.6}
RESULT_NAME = Room(73, 8, 9, leading=1.25)


def standings_leaves(
    head: EventHead,
    rows: Sequence[StandingRow],
    as_of_round: int,
    *,
    disqualified: Sequence[str] = (),
    record: RecordMark | None = None,
) -> Leaves:
    """Give the standings after a round as a wall list, in the order given; 0 means before the first."""
    # in an open event a table is a round: a column for each would be as good as empty
    played = max((len(row.results) for row in rows), default=0) if head.rounds else 0
    columns = [*columns_for("paper", rows, range(1, played + 1)), *([] if head.rounds else [COLUMNS["games"]])]
    upright = played <= RESULT_ROUNDS_UPRIGHT
    layout = "upright" if upright else "wide" if played <= ROUNDS_WIDE else "wide dense"
    others = sum(RESULT_WIDTHS[layout] if each.key == "results" else WIDTHS.get(each.key, 0) for each in columns)
    room = Room((186 if upright else 273) - others - 3.5, 8, 9, leading=1.25)  # what the other columns leave to names
    after = _("After round %(round)d of %(rounds)d.") % {"round": as_of_round, "rounds": head.rounds}
    values = {
        "after": (after if head.rounds else "") if as_of_round else _("Before round 1."),
        "columns": [(column.key, column.kind, column.title_on_paper()) for column in columns],
        "lines": [
            {
                "cells": [(each.key, each.kind, _cell_text(each.kind, cell)) for each, cell in cells_of(row, columns)],
                "letters": fit(row.name, room),
                "carried": say_carried(row.carried),
            }
            for row in rows
        ],
        "any_shared": any(row.shared for row in rows),
        "layout": layout,
        "out": out_text(disqualified),
        "record": record,
    }
    return Leaves("standings", (values,))


def _cell_text(kind: str, value: Value) -> str:
    if isinstance(value, Place):
        return ordinal_place(value.number, tied=value.shared)
    if kind == "penalty":
        return signed_p(-value) if isinstance(value, int) and value else ""
    if kind == "result":
        return signed_p(value) if isinstance(value, int) else NO_VALUE
    return "" if value is None else str(value)


CERTIFICATES_AT_ONCE = 6
CORNERS = ("upper-left", "upper-right", "lower-right", "lower-left")
WIND_TILES = ("1z", "2z", "3z", "4z")
HONOURED = Room(210, 24, 46, bold=True)


def results_leaves(rounds: Sequence[ResultRound], *, record: RecordMark | None = None) -> Leaves:
    """Give the results of rounds, each from a page of its own on; the record stands after the last. Round 0 is all."""
    portions: list[dict[str, Any]] = [
        {
            "round": played.number,
            "tables": [
                (
                    table.number,
                    [
                        {
                            "game": game,
                            "wind": WINDS[game.seat],
                            "letters": fit(game.name, RESULT_NAME),
                            "points": points(game.points),
                            "place": ordinal_place(game.place, tied=game.shared) if game.place else NO_VALUE,
                            "uma": signed_p(game.uma),
                            "result": signed_p(game.result),
                        }
                        for game in table.games
                    ],
                )
                for table in played.tables
            ],
        }
        for played in rounds
    ] or [{}]
    portions[-1]["record"] = record
    return Leaves("results", tuple(portions))


def certificates_leaves(head: EventHead, rows: Sequence[StandingRow], as_of_round: int, best: int) -> Leaves:
    """Give a certificate for each who has played and whose rank is `best` or better; 0 for all.

    Before the last round they say that they are provisional. Raises ValueError where there is none.
    """
    won = [row for row in rows if row.games and (not best or row.rank <= best)]
    if not won:
        raise ValueError("there is nobody to print a certificate for")
    certificates = [
        {
            "row": row,
            "place": say_place(row.rank, row.shared),
            "letters": fit(row.name, HONOURED),
            "total": signed_p(row.total),
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


SLIPS = 4
KINDS = ("warning", "points", "dead_hand", "chombo", "other")
OFTEN = 5  # the book of so many fouls is not named beside each
NUMBERED = re.compile(r"(.+?) (\d+(?:\.\d+)+.*)")
# Of the list of fouls: the largest letters in which it is one page, and the last for several.
SIZES = ("large", "small")


def penalty_slips_leaves() -> Leaves:
    """Give a page of four slips that a referee fills in by hand."""
    return Leaves("penalty_slips", ({"slots": range(1, SLIPS + 1), "kinds": [say_kind(kind) for kind in KINDS]},))


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


PENALTY_NAME, BY = Room(43, 11, 9, leading=1.25), Room(31, 11, 9, leading=1.25)


def penalties_leaves(head: EventHead, rows: Sequence[PenaltyRow]) -> Leaves:
    """Give the list of penalties; times are shown in the zone of `head.printed_at`."""
    lines = [
        {
            "row": row,
            "at": moment_text(row.at.astimezone(head.printed_at.tzinfo)),
            "name": who_text(row.name, row.plays_for),
            "letters": fit(who_text(row.name, row.plays_for), PENALTY_NAME),
            "kind": say_kind(row.kind),
            "points": points(row.points) if row.points else NO_VALUE,
            "by_letters": fit(row.by, BY),
            "charge": charge_text(row),
        }
        for row in rows
    ]
    total = points(sum(row.points for row in rows if not row.cancelled))
    return Leaves("penalties", ({"lines": lines, "total": total},))


TABLES = 10  # of a page of posters
ONE_COLUMN = 5  # up to so many tables stand below each other
# millimetres, as in paper-cut.css: the height below the heading, the width of a column, what stands beside the names
POSTER = {"a4": 243, "letter": 226}
COLUMN = {1: 186, 2: 91}
BESIDE, BETWEEN, EDGE = 47, 4, 3
LARGEST = 40  # points


def poster_leaves(head: EventHead, played: RoundRow) -> Leaves:
    """Give the poster of a round, ten tables to a page. Raises ValueError if the round has no tables."""
    if not played.tables:
        raise ValueError("there is nothing to print on a poster: the round has no tables")
    count = math.ceil(len(played.tables) / TABLES)
    each = math.ceil(len(played.tables) / count)
    pages = [
        _poster_page(head, played.tables[start : start + each], each) for start in range(0, len(played.tables), each)
    ]
    return Leaves("poster", ({"round": played.number, "pages": pages},))


def _poster_page(head: EventHead, tables: Sequence[TableRow], most: int) -> list[dict[str, object]]:
    """Lay tables out so that they fill a page, in letters as large as the longest name of a table allows."""
    columns = 1 if most <= ONE_COLUMN else 2
    width, high = COLUMN[columns], POSTER[head.paper] / math.ceil(most / columns)
    row = (high - EDGE) / head.players_per_table
    room = _common_room(
        [seat.name for table in tables for seat in table.seats], Room(width - BESIDE, row - 1, LARGEST, 7)
    )
    return [
        {
            "number": table.number,
            "left": at % columns * (width + BETWEEN),
            "top": f"{13 + at // columns * high:.2f}",
            "width": width,
            "row": f"{row:.2f}",
            "signs": f"{min(row / POINT * 0.6, 26):.1f}pt",
            "seats": [(WINDS[seat.seat], seat.name, fit(seat.name, room)) for seat in table.seats],
        }
        for at, table in enumerate(tables)
    ]


def _common_room(names: Sequence[str], room: Room) -> Room:
    """Return a room whose largest letters suit three names in four, so that most are set alike."""
    sizes = sorted(float(fit(name, room).removesuffix("pt")) for name in names)
    return replace(room, largest=sizes[len(sizes) // 4], one_line=1) if sizes else room


# Up to so many rounds the list by name is large and narrow, for a wall; then upright; past that it lies on its side.
ROUNDS_LARGE = 2
SEATING_ROUNDS_UPRIGHT = 8
# the column of names in each of these, as in paper.css
BY_NAME = {
    "large": Room(72, 8, 12, leading=1.25),
    "upright": Room(60, 7, 9, leading=1.25),
    "wide": Room(80, 7, 9, leading=1.25),
}


def seating_leaves(head: EventHead, rounds: tuple[RoundRow, ...], parts: str = "both") -> Leaves:
    """Give the seating list: "both" parts, "tables" alone or "players" alone."""
    room = Room(171 / head.players_per_table - 3, 8, 9, leading=1.25)
    values = {
        "parts": parts,
        "winds": WINDS[: head.players_per_table],
        "seats": seats_text(head.players_per_table),
        "blocks": [
            (
                each.number,
                [(table.number, [(seat, fit(seat.name, room)) for seat in table.seats]) for table in each.tables],
            )
            for each in rounds
        ],
        "players": players_by_name(rounds),
        "layout": _seating_layout(len(rounds)),
    }
    return Leaves("seating", (values,))


def seats_text(size: int) -> str:
    """List the seats of a table as lists and cards name them: sign, letter, word."""
    winds = (f"{wind.sign} {wind.letter} {wind.word}" if wind.letter else wind.sign for wind in WINDS[:size])
    return join_commas(winds)


def _seating_layout(rounds: int) -> str:
    if rounds <= ROUNDS_LARGE:
        return "large"
    return "upright" if rounds <= SEATING_ROUNDS_UPRIGHT else "wide"


def players_by_name(rounds: tuple[RoundRow, ...]) -> tuple[PlayerPlaces, ...]:
    """Turn rounds of tables into one line for each player, in the order in which people look names up."""
    room = BY_NAME[_seating_layout(len(rounds))]
    found: defaultdict[tuple[str, int], dict[int, tuple[int, Wind]]] = defaultdict(dict)
    for played in rounds:
        for table in played.tables:
            for seat in table.seats:
                found[seat.name, seat.number][played.number] = (table.number, WINDS[seat.seat])
    return tuple(
        PlayerPlaces(name, fit(name, room), number, tuple(found[name, number].get(r.number) for r in rounds))
        for name, number in sorted(found, key=lambda key: (name_order(key[0]), key[1]))
    )


def observer_leaves(title: str, fields: Sequence[tuple[str, str]]) -> Leaves:
    """Give the report of EMA's observer; a field's text may have several lines."""
    return Leaves("observer", ({"title": title, "fields": [(name, text.splitlines()) for name, text in fields]},))
