"""Read an uploaded file, xlsx or csv, into rows of strings with the row numbers that a spreadsheet shows.

The content tells what a file is; its name only helps to word a refusal. A file that is too big or too long, or has
formulas or macros, is refused whole. For csv the separator is guessed; quotes must close. What columns mean is found
out in columns.py.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, Self

from scoring.problems import InvalidInput, Problem, ProblemType
from tournament.imports.files_cells import SheetRow, column_letter
from tournament.imports.files_encoding import decode_text
from tournament.imports.files_workbook import (
    IMPORT_FORMULA,
    IMPORT_MACROS,
    IMPORT_WORKBOOK_DAMAGED,
    Worksheet,
    open_worksheets,
)

IMPORT_LINE_TOO_LONG = ProblemType(
    "import.line_too_long",
    "One line of this file is longer than {limit} bytes: it is not a list with one row per line. Is it the right file?",
)
IMPORT_HIDDEN_WORKSHEETS = ProblemType("import.hidden_worksheets", "Hidden worksheets were not read: {names}.")
IMPORT_FILE_EMPTY = ProblemType("import.file_empty", "The file is empty.")
IMPORT_FILE_TOO_BIG = ProblemType(
    "import.file_too_big",
    "The file is larger than {megabytes} MB. A list for one event is far smaller: save only that sheet.",
)
IMPORT_TOO_MANY_ROWS = ProblemType("import.too_many_rows", "There are more than {limit} rows. Is this the right file?")
IMPORT_TOO_MANY_COLUMNS = ProblemType(
    "import.too_many_columns", "Row {row} has more than {limit} columns. Is this the right file?"
)
IMPORT_OLD_WORKBOOK = ProblemType(
    "import.old_workbook", "This is an old Excel file (.xls). Save it as .xlsx or as csv."
)
IMPORT_PASSWORD = ProblemType(
    "import.password", "This workbook has a password or is an old Excel file. Save it without a password as .xlsx."
)
IMPORT_NOT_TABLE = ProblemType(
    "import.not_table", "This is not a table (a PDF, a picture or a web page). Save the list as .xlsx or csv."
)
IMPORT_CSV_BROKEN = ProblemType(
    "import.csv_broken", "Near row {row} a quotation mark is not closed or is in a wrong place."
)
IMPORT_ENCODING_GUESSED = ProblemType(
    "import.encoding_guessed",
    "The file does not say how its letters are stored; {encoding} was assumed. Check names with accents.",
)
IMPORT_OTHER_WORKSHEETS = ProblemType(
    "import.other_worksheets", "The worksheet “{worksheet}” was read; not read: {others}."
)

ROW_LIMIT = 5_000
COLUMN_LIMIT = 200
BYTES_LIMIT = 10 * 1024 * 1024

LINE_LIMIT = 20_000  # bytes: the widest row with long texts has fewer; one of up to twice that may pass
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # .xls, and any Office file with a password
_DELIMITERS = ("\t", ";", ",")  # in this order where all else is equal: a comma is also a decimal mark
_SAMPLE_LINES = 100
_DECLARED = re.compile(r'\A\s*"?sep=([,;\t|])"?[ \t]*(?:\r\n|\r|\n)', re.IGNORECASE)
_MADE_HARMLESS = ("=", "+", "-", "@")  # with an apostrophe before it, as our own files have it
_TEXT_AS_FORMULA = re.compile(r'\A="([^"]*)"\Z')
_NOT_TABLES = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"Rar!", b"7z\xbc\xaf", b"\x1f\x8b")


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet as read, with how it was read; `problems` holds warnings only."""

    kind: Literal["xlsx", "csv"]
    rows: tuple[SheetRow, ...]
    worksheet: str = ""
    other_worksheets: tuple[str, ...] = ()
    encoding: str = ""
    delimiter: str = ""
    problems: tuple[Problem, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the sheet as plain values, so that a page can carry it from the first look to the confirmation."""
        return {
            "kind": self.kind,
            "rows": [[row.number, *row.cells] for row in self.rows],
            "worksheet": self.worksheet,
            "other_worksheets": self.other_worksheets,
            "encoding": self.encoding,
            "delimiter": self.delimiter,
            "problems": [[each.code, dict(each.params), each.severity] for each in self.problems],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Return the sheet that `as_json` turned into these values; nothing is checked, so they must be signed."""
        return cls(
            kind=value["kind"],
            rows=tuple(SheetRow(number, tuple(cells)) for number, *cells in value["rows"]),
            worksheet=value["worksheet"],
            other_worksheets=tuple(value["other_worksheets"]),
            encoding=value["encoding"],
            delimiter=value["delimiter"],
            problems=tuple(Problem(code, params, severity) for code, params, severity in value["problems"]),
        )


Wanted = Callable[[Sequence[SheetRow]], bool]


def read_sheet(
    data: bytes,
    filename: str,
    *,
    wanted: Wanted | None = None,
    titles: Collection[str] = (),
    most_rows: int = ROW_LIMIT,
) -> Sheet:
    """Read the first visible worksheet that `wanted` likes (else the first that holds anything), or the csv.

    Worksheets called one of the `titles`, given in lower case, are asked first: a list of penalties has the columns of
    results as well. Raises InvalidInput with what is wrong.
    """
    if not data.strip(b" \t\r\n"):
        raise InvalidInput([IMPORT_FILE_EMPTY()])
    if len(data) > BYTES_LIMIT:
        raise InvalidInput([IMPORT_FILE_TOO_BIG(megabytes=BYTES_LIMIT // 1024**2)])
    _refuse_by_content(data, filename)
    if data.startswith(b"PK"):
        return _read_workbook(data, wanted, titles, most_rows)
    return _read_text(data, filename, most_rows)


def _refuse_by_content(data: bytes, filename: str) -> None:
    suffix = filename.rpartition(".")[2].casefold()
    if data.startswith(_OLD_OFFICE):
        # the same container holds old workbooks and new ones with a password
        raise InvalidInput([(IMPORT_OLD_WORKBOOK if suffix != "xlsx" else IMPORT_PASSWORD)()])
    if data.startswith(b"PK") and suffix in {"xlsm", "xltm"}:
        raise InvalidInput([IMPORT_MACROS()])
    if data.startswith(_NOT_TABLES):
        raise InvalidInput([IMPORT_NOT_TABLE()])
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:15].lower().startswith((b"<html", b"<!doctype", b"<?xml", b"<table")):
        raise InvalidInput([IMPORT_NOT_TABLE()])


def _read_workbook(data: bytes, wanted: Wanted | None, titles: Collection[str], most_rows: int) -> Sheet:
    with open_worksheets(data) as worksheets:
        hidden = tuple(worksheet.name for worksheet in worksheets if worksheet.hidden)
        filled = [worksheet for worksheet in worksheets if not worksheet.hidden and _holds_anything(worksheet)]
        if not filled:
            raise InvalidInput([IMPORT_FILE_EMPTY()])
        filled.sort(key=lambda worksheet: worksheet.name.strip().casefold() not in titles)
        name, rows = _choose(filled, wanted, most_rows)
    others = tuple(worksheet.name for worksheet in filled if worksheet.name != name)
    told = [IMPORT_OTHER_WORKSHEETS.warning(worksheet=name, others=", ".join(others))] if others else []
    told += [IMPORT_HIDDEN_WORKSHEETS.warning(names=", ".join(hidden))] if hidden else []
    return Sheet("xlsx", rows, worksheet=name, other_worksheets=others, problems=tuple(told))


def _holds_anything(worksheet: Worksheet) -> bool:
    try:
        return next(_filled_rows(worksheet.iter_rows()), None) is not None
    except InvalidInput:
        return True  # what is wrong with it matters only if it is the sheet that is wanted


def _choose(worksheets: list[Worksheet], wanted: Wanted | None, most_rows: int) -> tuple[str, tuple[SheetRow, ...]]:
    """Take the first wanted worksheet and read no further; without one the first decides, its refusal included."""
    first: tuple[str, tuple[SheetRow, ...]] | InvalidInput | None = None
    for worksheet in worksheets:
        try:
            found = worksheet.name, _keep_rows(worksheet.iter_rows(), most_rows)
        except InvalidInput as refusal:
            first = first or refusal
            continue
        if wanted is None or wanted(found[1]):
            return found
        first = first or found
    if isinstance(first, tuple):
        return first
    raise first or InvalidInput([IMPORT_FILE_EMPTY()])


def _read_text(data: bytes, filename: str, most_rows: int) -> Sheet:
    if _has_endless_line(data):  # before anything takes it apart: a million cells in one line fill the memory
        raise InvalidInput([IMPORT_LINE_TOO_LONG(limit=LINE_LIMIT)])
    try:
        decoded = decode_text(data)
    except InvalidInput as refusal:
        if filename.casefold().endswith((".xlsx", ".xlsm", ".xls")):
            raise InvalidInput([IMPORT_WORKBOOK_DAMAGED()]) from refusal
        raise
    text, declared = split_declared(decoded.text)
    delimiter = declared or guess_delimiter(text)
    rows = _keep_rows(iter_rows(text, delimiter), most_rows)
    if not rows:
        raise InvalidInput([IMPORT_FILE_EMPTY()])
    guessed = (IMPORT_ENCODING_GUESSED.warning(encoding=decoded.encoding),) if decoded.guessed else ()
    return Sheet("csv", rows, encoding=decoded.encoding, delimiter=delimiter, problems=guessed)


def _has_endless_line(data: bytes) -> bool:
    """Say whether a line fills a whole block of that length; one twice as long always does."""
    parts = (data[start : start + LINE_LIMIT] for start in range(0, len(data) - LINE_LIMIT + 1, LINE_LIMIT))
    return any(b"\n" not in part and b"\r" not in part for part in parts)


def _keep_rows(numbered: Iterable[tuple[int, tuple[str, ...]]], most: int) -> tuple[SheetRow, ...]:
    """Drop empty rows, and stop at once where there are too many."""
    kept: list[SheetRow] = []
    for row in _filled_rows(numbered):
        if len(kept) == most:
            raise InvalidInput([IMPORT_TOO_MANY_ROWS(limit=most)])
        if len(row.cells) > COLUMN_LIMIT:
            raise InvalidInput([IMPORT_TOO_MANY_COLUMNS(row=row.number, limit=COLUMN_LIMIT)])
        kept.append(row)
    return tuple(kept)


def _filled_rows(numbered: Iterable[tuple[int, tuple[str, ...]]]) -> Iterator[SheetRow]:
    for number, cells in numbered:
        width = len(cells)
        while width and not cells[width - 1]:
            width -= 1
        if width:
            yield SheetRow(number, cells[:width])


def split_declared(text: str) -> tuple[str, str]:
    """Take Excel's own first line `sep=;` off a text, if it is there: (rest, separator or nothing)."""
    declared = _DECLARED.match(text)
    return (text[declared.end() :], declared[1]) if declared else (text, "")


def guess_delimiter(text: str) -> str:
    r"""Find the separator under which most lines have the same number of cells.

    >>> guess_delimiter("Name;Punkte\nAnna;30,5\nBo;29,5\n")
    ';'
    """
    lines = [line for line in islice(io.StringIO(text, newline=None), _SAMPLE_LINES) if line.strip()]
    candidates = [sign for sign in _DELIMITERS if not (sign == "," and _commas_belong_to_names(lines))]
    return max(candidates, key=lambda sign: _agreement(lines, sign), default=",")


def iter_rows(text: str, delimiter: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield (row number from 1, cells) as a spreadsheet would number them.

    Raises InvalidInput: `import.csv_broken` for a quote that does not close, `import.formula` for a formula.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    number = 0
    try:
        for number, cells in enumerate(reader, start=1):
            yield number, tuple(_plain(cell, number, column) for column, cell in enumerate(cells))
    except csv.Error as broken:
        raise InvalidInput([IMPORT_CSV_BROKEN(row=number + 1)]) from broken


def _plain(cell: str, row: int, column: int) -> str:
    text = cell.strip()
    if text.startswith("'") and text[1:].startswith(_MADE_HARMLESS):
        return text[1:]
    if not text.startswith("="):
        return text
    wrapped = _TEXT_AS_FORMULA.match(text)  # ="0416…" is how zeros are kept for Excel
    if wrapped is None:
        raise InvalidInput([IMPORT_FORMULA(cell=f"{column_letter(column)}{row}")])
    return wrapped[1].strip()


def _agreement(lines: list[str], delimiter: str) -> tuple[int, int]:
    """Rate a separator: (lines that share the commonest width above one, that width)."""
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    try:
        widths = Counter(len(cells) for cells in reader if len(cells) > 1)
    except csv.Error:
        return 0, 0
    return max(((count, width) for width, count in widths.items()), default=(0, 0))


def _commas_belong_to_names(lines: list[str]) -> bool:
    """Say whether this is one column of names written "LAST, First" under a heading without a comma."""
    if not lines or "," in lines[0]:
        return False
    return all(line.count(",") <= 1 for line in lines) and not any(re.search(r",\S", line) for line in lines)
