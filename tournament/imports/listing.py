"""A list with headings, of whatever kind → its header and the rows below it: what every importer of lists begins with.

Columns are guessed, and an organiser's choice wins over the guess. It reads no cell below the headings.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scoring.problems import Problem, error, warning
from tournament.imports.cells import SheetRow
from tournament.imports.columns import (
    Column,
    Grade,
    Header,
    Vocabulary,
    all_columns,
    find_header,
    likely_header,
    list_headings,
)
from tournament.imports.sheet import Sheet, read_sheet

Chosen = Mapping[int, str]  # column, counted from 0 → meaning, "" for none


def _as_found(header: Header) -> Header:
    return header


def _columns_missing(wanted: Sequence[str], seen: frozenset[str], rows: Sequence[SheetRow]) -> Problem:
    missing = ", ".join(meaning for meaning in wanted if meaning not in seen)
    return error("import.columns_missing", missing=missing, columns=list_headings(rows))


@dataclass(frozen=True, slots=True)
class ListKind:
    """A kind of list: what its columns can mean, and which of them it cannot do without.

    `settle` may change what a header was taken for; `complete` and `lacking` replace "all of `wanted`"; `titles` are
    names of worksheets that hold such a list, with | between them.
    """

    vocabulary: Vocabulary
    wanted: tuple[str, ...]
    settle: Callable[[Header], Header] = _as_found
    complete: Callable[[frozenset[str]], bool] | None = None
    lacking: Callable[[frozenset[str], Sequence[SheetRow]], Problem] | None = None
    titles: str = ""

    def read(self, data: bytes, filename: str) -> Sheet:
        """Read the sheet of a file that holds such a list, else the first. Raises InvalidInput with what is wrong."""
        return read_sheet(data, filename, wanted=self.suits, titles=self.titles.casefold().split("|"))

    def suits(self, rows: Sequence[SheetRow]) -> bool:
        """Say whether these rows hold such a list."""
        return self.find(rows) is not None

    def is_complete(self, meanings: frozenset[str]) -> bool:
        """Say whether these columns are enough."""
        return self.complete(meanings) if self.complete else meanings.issuperset(self.wanted)

    def find(self, rows: Sequence[SheetRow]) -> Header | None:
        """Find the headings."""
        found = find_header(rows, self.vocabulary, complete=self.is_complete)
        return self.settle(found) if found else None

    def say_lacking(self, meanings: frozenset[str], rows: Sequence[SheetRow]) -> Problem:
        """Say which columns are missing."""
        return self.lacking(meanings, rows) if self.lacking else _columns_missing(self.wanted, meanings, rows)


@dataclass(frozen=True, slots=True)
class Listing:
    """A list found in a sheet: without a `header` it cannot be read, and `columns` are what might be chosen from."""

    header: Header | None
    columns: tuple[Column, ...]
    rows: tuple[SheetRow, ...]
    problems: tuple[Problem, ...]

    @property
    def header_row(self) -> int | None:
        return self.header.row if self.header else None


def list_in(sheet: Sheet, kind: ListKind, *, chosen: Chosen | None = None) -> Listing:
    """Find the list in a sheet; what keeps it from being one is among the problems."""
    found = kind.find(sheet.rows)
    nearest = found or find_header(sheet.rows, kind.vocabulary, complete=bool) or likely_header(sheet.rows)
    header = found
    nearest = all_columns(nearest, sheet.rows)
    if chosen is not None:
        nearest = choose(nearest, chosen)
        header = _without_tail(nearest) if kind.is_complete(nearest.meanings) else None
    if header is None:
        lacking = kind.say_lacking(nearest.meanings, sheet.rows)
        return Listing(None, nearest.columns, (), (*sheet.problems, lacking))
    rows = tuple(row for row in sheet.rows if row.number > header.row)
    doubles = (warning("import.column_twice", column=one.text, meaning=one.meaning) for one in header.doubles)
    empty = () if rows else (error("import.no_rows", row=header.row),)
    return Listing(header, nearest.columns, rows, (*sheet.problems, *doubles, *empty))


def _without_tail(header: Header) -> Header:
    """Drop columns at the end that nothing is said of: in text a row that reaches there has too many separators."""
    last = max((column.index for column in header.columns if column.heading or column.used), default=-1)
    return dataclasses.replace(header, columns=header.columns[: last + 1])


def choose(header: Header, chosen: Chosen) -> Header:
    """Take the columns of a header for what somebody chose; of two for the same meaning the first one is used."""
    first: dict[str, int] = {}
    for column in header.columns:
        first.setdefault(chosen.get(column.index, ""), column.index)
    columns = tuple(
        dataclasses.replace(
            column,
            meaning=meaning,
            used=bool(meaning) and first[meaning] == column.index,
            grade=Grade.KNOWN if meaning else Grade.NONE,
        )
        for column in header.columns
        for meaning in (chosen.get(column.index, ""),)
    )
    return Header(header.row, columns, tuple(column for column in columns if column.meaning and not column.used))
