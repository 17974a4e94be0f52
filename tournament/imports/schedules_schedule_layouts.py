"""Read the sheet of a schedule into its seats, whether it has a row for each table, each seat or each player.

A row a table and a row a seat are lists of one `ListKind`; their columns can be chosen. Where a table's round is in a
line above ("Round 1"), there is no column of rounds. A row a player has a column for each round, with cells such as
"5E". Who is meant, and whether the seats go together, is checked in schedule.py.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from scoring.problems import InvalidInput, Problem, ProblemType
from tournament.imports.entrants_people import SCHEDULE_NOBODY
from tournament.imports.entrants_schedule_cells import (
    is_nothing,
    read_place,
    read_round,
    read_round_line,
    read_table,
    read_wind,
)
from tournament.imports.files_cells import SheetRow, cell_name, cell_of, is_date
from tournament.imports.files_sheet import Sheet
from tournament.imports.listing import Chosen, ListKind, join_cells, list_in
from tournament.imports.listing_columns import (
    PLAYER,
    ROUND,
    SEAT,
    TABLE,
    Column,
    Header,
    Vocabulary,
    find_header,
    list_headings,
)
from tournament.text.names_1 import printable

SCHEDULE_LAYOUT_UNKNOWN = ProblemType(
    "schedule.layout_unknown",
    "No schedule was found in this file. It needs headings such as Round, Table, Seat, Player; or Round, Table, "
    "East, South, West, North; or one row per player and one column per round; or a line “Round 1” above the "
    "tables. The columns are: {columns}.",
)
SCHEDULE_TOO_MANY_SEATS = ProblemType(
    "schedule.too_many_seats", "There are more than {limit} seats in this file. Is it the right one?"
)
SCHEDULE_TAKEN_FROM_ABOVE = ProblemType(
    "schedule.taken_from_above",
    "{where} is empty: the value above it was used, as in merged cells (cells filled like this: {count}).",
)
SCHEDULE_ROW_LEFT_OUT = ProblemType("schedule.row_left_out", "Row {row} was left out: nobody is seated in it.")
SCHEDULE_NUMBER_MISSING = ProblemType("schedule.number_missing", "{where}: the {column} is missing.")
SCHEDULE_NUMBER_UNKNOWN = ProblemType("schedule.number_unknown", "{where}: “{given}” is not the number of a {column}.")
SCHEDULE_WIND_UNKNOWN = ProblemType(
    "schedule.wind_unknown", "{where}: “{given}” is not a wind. Write East, South, West or North, or the seat from 1."
)
SCHEDULE_PLACE_UNKNOWN = ProblemType(
    "schedule.place_unknown", "{where}: “{given}” is not a seat. Write the table and the wind, as in 5E."
)
SCHEDULE_CELL_DATE = ProblemType(
    "schedule.cell_date",
    "{where}: the spreadsheet made a date or an hour of this ({given}). Format the column as text and write it "
    "again, as in 5E.",
)
SCHEDULE_TABLE_EMPTY = ProblemType("schedule.table_empty", "{where}: nobody sits at this table.")

SEATS_LIMIT = 60_000  # a thousand players in sixty rounds
MEANINGS = ("round", "table", "seat", "player", "number", "wind0", "wind1", "wind2", "wind3")
_HEADER_DEPTH = 20
WIND_LETTERS = "ESWN5"  # the last for a seat that no table has
_WINDS = MEANINGS[-4:]
_WHO = ("player", "number", "line")

_NUMBERED = (
    "seat {}",
    "player {}",
    "p{}",
    "{}",
    "Spieler {}",
    "Platz {}",
    "joueur {}",
    "place {}",
    "選手{}",
    "プレイヤー{}",
)
_VOCABULARY = Vocabulary(
    {
        "round": ROUND,
        "table": TABLE,
        "number": (
            "player number|player no|player nr|player id|start number|Startnummer|Spielernummer|Spieler Nr|"
            "numéro du joueur|numéro de joueur|n° joueur|dossard|選手番号|プレイヤー番号"
        ),
        "player": f"{PLAYER}|participant|Teilnehmer",
        "seat": SEAT,
        "line": "no|nr|number|id|Nummer|numéro|番号",
        **{
            f"wind{seat}": "|".join((names, *(name.format(seat + 1) for name in _NUMBERED)))
            for seat, names in enumerate(
                (
                    "east|E|Ost|est|東|東家|起家",
                    "south|S|Süd|Sued|sud|南|南家",
                    "west|W|ouest|西|西家",
                    "north|N|Nord|北|北家",
                )
            )
        },
        "windo": "O",
    },
    ignored={
        "other": "club|country|team|Verein|Land|pays|équipe|EMA|EMA number|rating|note|notes|所属|国|points|score|"
        "total",
    },
)

Layout = Literal["seats", "tables", "matrix", "blocks", "json"]


@dataclass(frozen=True, slots=True)
class SeatText:
    """One seat as written: `where` names its cell; `wind` as `read_wind` gives it, "" where none is written.

    `number` is a player's number beside the name, "" where there is none.
    """

    row: int
    where: str
    round: int
    table: int
    wind: str
    who: str
    number: str = ""


@dataclass(slots=True)
class Reading:
    """A schedule being read: its seats, and what is wrong with single rows; row 0 is the whole file."""

    layout: Layout
    seats: list[SeatText] = field(default_factory=list)
    faults: list[tuple[int, Problem]] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)

    def take(self, seat: SeatText) -> None:
        """Keep a seat; raises InvalidInput where there are more than any event has."""
        if len(self.seats) == SEATS_LIMIT:
            raise InvalidInput([SCHEDULE_TOO_MANY_SEATS(limit=SEATS_LIMIT)])
        self.seats.append(seat)

    def fault(self, row: SheetRow, problem: Problem) -> None:
        """Keep what is wrong with a row."""
        self.faults.append((row.number, problem))
        self.note(row)

    def note(self, row: SheetRow) -> None:
        """Keep the text of a row, for its verdict."""
        self.texts.setdefault(row.number, join_cells(row.cells))


@dataclass(frozen=True, slots=True)
class Found:
    """The layout that a sheet has, None for none; `columns` can be chosen from, where it has such columns."""

    layout: Layout | None
    header: Header | None = None
    columns: tuple[Column, ...] = ()
    problems: tuple[Problem, ...] = ()


def find_layout(sheet: Sheet, chosen: Chosen | None = None) -> Found:
    """Find out which layout a sheet has; with columns as `chosen` it is a row a table or a row a seat."""
    listing = list_in(sheet, SCHEDULE, chosen=chosen)
    if listing.header is not None:
        return Found("tables" if _has_winds(listing.header.meanings) else "seats", listing.header, listing.columns)
    if chosen is None:
        if (matrix := _find_matrix(sheet.rows)) is not None:
            return Found("matrix", matrix)
        if (blocks := _find_blocks(sheet.rows)) is not None:
            return Found("blocks", blocks)
    return Found(None, None, listing.columns, listing.problems)


def is_schedule(rows: Sequence[SheetRow]) -> bool:
    """Say whether rows have one of the layouts."""
    return SCHEDULE.suits(rows) or _find_matrix(rows) is not None or _find_blocks(rows) is not None


def read_layout(layout: Layout, rows: Sequence[SheetRow], header: Header) -> Reading:
    """Read the seats of a sheet; raises InvalidInput where there are too many."""
    reading = Reading(layout)
    if layout == "matrix":
        _read_matrix(reading, rows, header)
    elif layout == "seats":
        _read_seats(reading, rows, header)
    else:
        _read_tables(reading, rows, header)
    return reading


# ---------------------------------------------------------------- headings


def _has_winds(seen: frozenset[str]) -> bool:
    """Say whether there is a column for each wind of a table."""
    return len(seen & {*_WINDS, "windo"}) >= 3


def _is_complete(seen: frozenset[str]) -> bool:
    return seen >= {"round", "table"} and (_has_winds(seen) or not seen.isdisjoint(_WHO))


def _settle(header: Header) -> Header:
    """Settle what "O" is (Ost, or Ouest where East has a column), and take a bare "No." for the player's number."""
    seen = header.meanings
    meant = {"windo": "wind2" if "wind0" in seen else "wind0"}
    if "line" in seen and seen.isdisjoint({"player", "number"}):
        meant["line"] = "number"
    columns = tuple(
        dataclasses.replace(column, meaning=meant[column.meaning])
        if column.used and column.meaning in meant
        else column
        for column in header.columns
    )
    return dataclasses.replace(header, columns=columns)


SCHEDULE = ListKind(
    _VOCABULARY,
    complete=_is_complete,
    settle=_settle,
    lacking=lambda rows: SCHEDULE_LAYOUT_UNKNOWN(columns=list_headings(rows)),
    widest_only=True,
)
_BLOCKS = dataclasses.replace(SCHEDULE, complete=lambda seen: "table" in seen and _has_winds(seen))


def _find_blocks(rows: Sequence[SheetRow]) -> Header | None:
    """Find the headings of tables whose rounds are lines such as "Round 1"."""
    if all(_round_line(row) is None for row in rows):
        return None
    found = _BLOCKS.find(rows)
    return None if found and found.doubles else found  # rounds side by side: half of them would be lost


def _round_line(row: SheetRow) -> int | None:
    """Return the round that a row opens, None for any other row."""
    filled = [cell for cell in row.cells if cell]
    rounds = [number for cell in filled if (number := read_round_line(cell)) is not None]
    return rounds[0] if len(filled) <= 2 and len(rounds) == 1 and read_round_line(filled[0]) else None


def _find_matrix(rows: Sequence[SheetRow]) -> Header | None:
    """Find the headings of a list of one row a player; the columns of rounds mean the round's number."""
    return next((header for row in rows[:_HEADER_DEPTH] if (header := _matrix_header(row)) is not None), None)


def _matrix_header(row: SheetRow) -> Header | None:
    rounds = {index: str(number) for index, cell in enumerate(row.cells) if (number := read_round(cell)) is not None}
    bare = any(read_round_line(row.cells[index]) is None for index in rounds)
    if not rounds or (bare and list(rounds.values()) != [str(at) for at in range(1, max(len(rounds), 2) + 1)]):
        return None
    left = SheetRow(row.number, row.cells[: min(rounds)])
    named = find_header([left], _VOCABULARY, complete=lambda seen: not seen.isdisjoint(_WHO))
    if named is None:
        return None
    columns = (Column(index, "", row.cells[index], meaning, used=True) for index, meaning in rounds.items())
    return dataclasses.replace(named, columns=(*named.columns, *columns))


def _who_column(header: Header) -> int:
    """Return the column that says who sits there: names before numbers."""
    return next(index for meaning in _WHO if (index := header.index_of(meaning)) >= 0)


# ---------------------------------------------------------------- rows


@dataclass(slots=True)
class _Above:
    """What the rows above said, for cells that are empty below them."""

    reading: Reading
    values: dict[str, int] = field(default_factory=dict)
    taken: list[str] = field(default_factory=list)

    def place(self, row: SheetRow, header: Header) -> tuple[int, int] | None:
        """Return (round, table) of a row; None, and a problem, where one cannot be read."""
        round_, table = self._number(row, header, "round"), self._number(row, header, "table")
        return None if round_ is None or table is None else (round_, table)

    def _number(self, row: SheetRow, header: Header, meaning: str) -> int | None:
        index = header.index_of(meaning)
        text = cell_of(row, index)
        if not text and meaning in self.values:
            if index >= 0:
                self.taken.append(cell_name(row, index))
            return self.values[meaning]
        number = read_round(text) if meaning == "round" else read_table(text)
        if number is None:
            where = cell_name(row, max(index, 0))
            missing = SCHEDULE_NUMBER_MISSING(where=where, column=meaning)
            strange = SCHEDULE_NUMBER_UNKNOWN(where=where, column=meaning, given=printable(text))
            self.reading.fault(row, strange if text else missing)
            return None
        if meaning == "round" and self.values.get("round") != number:
            self.values.pop("table", None)
        self.values[meaning] = number
        return number

    def opens_round(self, row: SheetRow) -> bool:
        """Say whether a row only opens a round, and remember which."""
        number = _round_line(row)
        if number is None:
            return False
        self.values = {"round": number}
        return True

    def tell(self) -> None:
        """Say which empty cells were filled from above."""
        if self.taken:
            more = SCHEDULE_TAKEN_FROM_ABOVE.warning(where=self.taken[0], count=len(self.taken))
            self.reading.faults.append((0, more))


def _read_seats(reading: Reading, rows: Sequence[SheetRow], header: Header) -> None:
    above = _Above(reading)
    who, seat, number = _who_column(header), header.index_of("seat"), header.index_of("number")
    for row in rows:
        if row.number <= header.row or above.opens_round(row) or SCHEDULE.suits([row]):
            continue
        place = above.place(row, header)
        wind = _wind(reading, row, seat)
        text = cell_of(row, who)
        if not text:
            reading.fault(row, SCHEDULE_NOBODY(where=cell_name(row, who)))
        if place is None or wind is None or not text:
            continue
        beside = cell_of(row, number) if number not in (-1, who) else ""
        reading.take(SeatText(row.number, cell_name(row, who), *place, wind, text, beside))
        reading.note(row)
    above.tell()


def _wind(reading: Reading, row: SheetRow, index: int) -> str | None:
    """Return the wind of a row, "" where the sheet has none; None, and a problem, where it cannot be read."""
    text = cell_of(row, index)
    if not text:
        return ""
    wind = read_wind(text)
    if wind is None:
        where, given = cell_name(row, index), printable(text)
        reading.fault(row, _date_in(text, where) or SCHEDULE_WIND_UNKNOWN(where=where, given=given))
    return wind


def _date_in(text: str, where: str) -> Problem | None:
    """Return that a spreadsheet made a date of a cell, which explains why it cannot be read."""
    return SCHEDULE_CELL_DATE(where=where, given=printable(text)) if is_date(text) else None


def _read_tables(reading: Reading, rows: Sequence[SheetRow], header: Header) -> None:
    above = _Above(reading)
    for row in rows:
        if above.opens_round(row) or row.number <= header.row:
            continue
        repeated = _BLOCKS.find([row])
        if repeated is not None:
            header = repeated
        else:
            _take_table_row(reading, above, row, header)
    above.tell()


def _take_table_row(reading: Reading, above: _Above, row: SheetRow, header: Header) -> None:
    """Take the seats of one row of a table."""
    columns = [(seat, index) for seat, name in enumerate(_WINDS) if (index := header.index_of(name)) >= 0]
    seats = [(seat, index) for seat, index in columns if not is_nothing(cell_of(row, index))]
    table = header.index_of("table")
    if not seats and not cell_of(row, table):
        reading.fault(row, SCHEDULE_ROW_LEFT_OUT.warning(row=row.number))
        return
    if not seats:
        reading.fault(row, SCHEDULE_TABLE_EMPTY(where=cell_name(row, table)))
        return
    place = above.place(row, header)
    if place is None:
        return
    reading.note(row)
    for seat, index in seats:
        letter = WIND_LETTERS[seat]
        reading.take(SeatText(row.number, cell_name(row, index), *place, letter, cell_of(row, index)))


def _read_matrix(reading: Reading, rows: Sequence[SheetRow], header: Header) -> None:
    who, number = _who_column(header), header.index_of("number")
    rounds = [(column.index, int(column.meaning)) for column in header.columns if column.meaning.isdigit()]
    for row in (row for row in rows if row.number > header.row):
        text = cell_of(row, who)
        if not text:
            unread = SCHEDULE_ROW_LEFT_OUT.warning(row=row.number)
            stray = SCHEDULE_NOBODY(where=cell_name(row, who))
            reading.fault(row, stray if any(cell_of(row, index) for index, _ in rounds) else unread)
            continue
        reading.note(row)
        beside = cell_of(row, number) if number != who else ""
        for index, round_ in rounds:
            cell = cell_of(row, index)
            if is_nothing(cell):
                continue
            place = read_place(cell)
            if place is None:
                where, given = cell_name(row, index), printable(cell)
                reading.fault(row, _date_in(cell, where) or SCHEDULE_PLACE_UNKNOWN(where=where, given=given))
                continue
            reading.take(SeatText(row.number, cell_name(row, index), round_, *place, text, beside))
