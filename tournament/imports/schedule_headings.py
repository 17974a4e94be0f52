"""Headings of a schedule's columns → round, table, wind, player: which layout a sheet has.

It finds headings and reads nothing below them.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from tournament.imports.cells import SheetRow
from tournament.imports.columns import Header, Vocabulary, find_header, likely_header
from tournament.imports.schedule_cells import RoundHeading, read_round_heading
from tournament.imports.schedule_reading import cell_of

_MEANINGS = {
    "round": "round|rnd|rd|session|hanchan|Runde|Durchgang|ronde|manche|tour|partie|回戦|ラウンド|半荘",
    "table": "table|table no|table number|tbl|Tisch|Tischnummer|Tisch Nr|numéro de table|卓|卓番号|テーブル",
    "number": (
        "player number|player no|player nr|player id|start number|Startnummer|Spielernummer|Spieler Nr|"
        "numéro du joueur|numéro de joueur|n° joueur|dossard|選手番号|プレイヤー番号"
    ),
    "player": (
        "player|player name|name|full name|participant|Spieler|Spielerin|Spielername|Teilnehmer|joueur|joueuse|nom|"
        "選手|選手名|プレイヤー|プレーヤー|名前|氏名"
    ),
    "seat": "seat|wind|seat no|start wind|Sitz|Sitzplatz|Platz|siège|vent|席|座席|風|家",
    "line": "no|nr|number|id|Nummer|numéro|番号",
    "wind0": "east|E|Ost|est|東|東家|起家|seat 1|player 1|p1|1|Spieler 1|Platz 1|joueur 1|place 1|選手1|プレイヤー1",
    "wind1": "south|S|Süd|Sued|sud|南|南家|seat 2|player 2|p2|2|Spieler 2|Platz 2|joueur 2|place 2|選手2|プレイヤー2",
    "wind2": "west|W|ouest|西|西家|seat 3|player 3|p3|3|Spieler 3|Platz 3|joueur 3|place 3|選手3|プレイヤー3",
    "wind3": "north|N|Nord|北|北家|seat 4|player 4|p4|4|Spieler 4|Platz 4|joueur 4|place 4|選手4|プレイヤー4",
    "windo": "O",
}
_NOT_USED = {
    "other": "club|country|team|Verein|Land|pays|équipe|EMA|EMA number|rating|note|notes|所属|国|points|score|total",
}
_VOCABULARY = Vocabulary(_MEANINGS, ignored=_NOT_USED)
_WHO = ("player", "number", "line")
_HEADER_DEPTH = 20
WIND_COLUMNS = ("wind0", "wind1", "wind2", "wind3")


def find_seat_header(rows: Sequence[SheetRow]) -> Header | None:
    """Find the headings of a list of one row a seat: round, table, and a player by name or number."""
    return find_header(
        rows,
        _VOCABULARY,
        complete=lambda seen: seen >= {"round", "table"} and not seen.isdisjoint(_WHO) and not has_winds(seen),
    )


def find_table_header(rows: Sequence[SheetRow]) -> Header | None:
    """Find the headings of a list of one row a table: table and a column a wind; a column of rounds may be there."""
    return _with_o(find_header(rows, _VOCABULARY, complete=lambda seen: "table" in seen and has_winds(seen)))


def find_wind_header(row: SheetRow) -> Header | None:
    """Take one row for the headings of a block: a column a wind, with or without one for the table."""
    counted = not {"1", "2", "3", "4"}.isdisjoint(row.cells)  # players may be numbers as well: then "Table" decides
    return _with_o(
        find_header([row], _VOCABULARY, complete=lambda seen: has_winds(seen) and ("table" in seen or not counted))
    )


def is_header(row: SheetRow) -> bool:
    """Say whether a row below the headings only says them again."""
    return find_seat_header([row]) is not None or find_table_header([row]) is not None


def who_column(header: Header) -> int:
    """Return the column that says who sits there: names before numbers."""
    return next(index for meaning in _WHO if (index := index_of(header, meaning)) >= 0)


def index_of(header: Header, meaning: str) -> int:
    """Return the column of a meaning, -1 where there is none."""
    return next((column.index for column in header.columns if column.used and column.meaning == meaning), -1)


def wind_columns(header: Header) -> list[tuple[int, int]]:
    """Return (seat, column) of every wind that has a column."""
    return [(seat, index) for seat, name in enumerate(WIND_COLUMNS) if (index := index_of(header, name)) >= 0]


@dataclass(frozen=True, slots=True)
class MatrixHeader:
    """The headings of a list of one row a player: who, the number beside a name (or -1), the columns of rounds."""

    row: int
    who: int
    number: int
    rounds: tuple[tuple[int, RoundHeading], ...]


def find_matrix_header(rows: Sequence[SheetRow]) -> MatrixHeader | None:
    """Find the headings of a list of one row a player and one column, or two, a round."""
    for row in rows[:_HEADER_DEPTH]:
        header = _matrix_header(row)
        if header is not None:
            return header
    return None


def _matrix_header(row: SheetRow) -> MatrixHeader | None:
    found = [(index, read_round_heading(cell)) for index, cell in enumerate(row.cells) if cell]
    rounds = tuple((index, heading) for index, heading in found if heading is not None)
    bare = any(heading.bare for _, heading in rounds)
    if not rounds or (bare and [heading.number for _, heading in rounds] != list(range(1, len(rounds) + 1))):
        return None
    first = rounds[0][0]
    left = SheetRow(row.number, row.cells[:first])
    named = find_header([left], _VOCABULARY, complete=lambda seen: not seen.isdisjoint(_WHO))
    if named is not None:
        who, number = who_column(named), index_of(named, "number")
        return MatrixHeader(row.number, who, number if number != who else -1, rounds) if len(rounds) > bare else None
    # a corner left empty is the column of players, if rounds stand side by side behind it
    beside = len(rounds) > 1 and all(index == first + step for step, (index, _) in enumerate(rounds))
    if first == 0 or bare or not beside or cell_of(row, first - 1):
        return None
    return MatrixHeader(row.number, first - 1, -1, rounds)


def nearest_header(rows: Sequence[SheetRow]) -> Header:
    """Return the headings of a row a table or a row a seat, else what may have been meant as headings."""
    likely = likely_header(rows)
    # of one row alone: in any other a bare number would pass for the heading of a seat
    alone = [row for row in rows if row.number == likely.row]
    found = find_table_header(rows) or find_seat_header(rows) or find_header(alone, _VOCABULARY, complete=bool)
    return _with_o(found) or likely


def has_winds(seen: frozenset[str]) -> bool:
    """Say whether there is a column for each wind of a table."""
    return len(seen & {*WIND_COLUMNS, "windo"}) >= 3


def _with_o(header: Header | None) -> Header | None:
    """Settle what a heading "O" is: East where there is none else (Ost), West where there is (Ouest)."""
    if header is None or "windo" not in header.meanings:
        return header
    meant = "wind2" if "wind0" in header.meanings else "wind0"
    columns = tuple(
        dataclasses.replace(column, meaning=meant) if column.used and column.meaning == "windo" else column
        for column in header.columns
    )
    return dataclasses.replace(header, columns=columns)
