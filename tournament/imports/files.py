"""Read an uploaded xlsx, csv or text file into rows of strings, with the row numbers that a spreadsheet shows.

The content decides what a file is; its name only helps to word a refusal. A file that is too big or too long, or has
formulas or macros, is refused whole. Encoding and separator of csv are guessed. Knows no column: see listing.py.
"""

import codecs
import csv
import datetime as dt
import io
import re
import unicodedata
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice
from typing import Any, Literal, Self

from scoring.problems import InvalidInput, Problem, ProblemType
from tournament.core.limits import BYTES_LIMIT

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

LINE_LIMIT = 20_000  # bytes: the widest row with long texts has fewer; one of up to twice that may pass
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # .xls, and any Office file with a password
_DELIMITERS = ("\t", ";", ",")  # in this order where all else is equal: a comma is also a decimal mark
_SAMPLE_LINES = 100
_DECLARED = re.compile(r'\A\s*"?sep=([,;\t|])"?[ \t]*(?:\r\n|\r|\n)', re.IGNORECASE)
_MADE_HARMLESS = ("=", "+", "-", "@")  # with an apostrophe before it, as our own files have it
_TEXT_AS_FORMULA = re.compile(r'\A="([^"]*)"\Z')
_MARKUP = (b"<html", b"<!doctype", b"<?xml", b"<table", b"insert into", b"create table")
_NOT_TABLES = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"Rar!", b"7z\xbc\xaf", b"\x1f\x8b")


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row that is not empty: its number in the sheet from 1, and its stripped cells up to the last filled one."""

    number: int
    cells: tuple[str, ...]


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

    def corrected(self, cells: Mapping[tuple[int, int], str]) -> Self:
        """Return the sheet with some cells, by row number and column from 0, replaced."""
        rows = {row.number: list(row.cells) for row in self.rows}
        for (number, index), text in cells.items():
            if number in rows and index < COLUMN_LIMIT:
                rows[number] += [""] * (index + 1 - len(rows[number]))
                rows[number][index] = text
        return replace(self, rows=tuple(SheetRow(number, _without_tail(tuple(row))) for number, row in rows.items()))

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
    suffix = filename.rpartition(".")[2].casefold()
    if data.startswith(_OLD_OFFICE):
        # the same container holds old workbooks and new ones with a password
        raise InvalidInput([(IMPORT_OLD_WORKBOOK if suffix != "xlsx" else IMPORT_PASSWORD)()])
    if data.startswith(b"PK") and suffix in {"xlsm", "xltm"}:
        raise InvalidInput([IMPORT_MACROS()])
    if data.startswith(_NOT_TABLES):
        raise InvalidInput([IMPORT_NOT_TABLE()])
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:15].lower().startswith(_MARKUP):
        raise InvalidInput([IMPORT_NOT_TABLE()])
    if data.startswith(b"PK"):
        return _read_workbook(data, wanted, titles, most_rows)
    return _read_text(data, filename, most_rows)


def read_worksheets(data: bytes, filename: str) -> list[Sheet]:
    """Read all visible worksheets that hold anything, or the csv. Raises InvalidInput as `read_sheet`."""
    first = read_sheet(data, filename)
    if first.kind == "csv":
        return [first]
    with open_worksheets(data) as worksheets:
        filled = [worksheet for worksheet in worksheets if not worksheet.hidden and _holds_anything(worksheet)]
        return [Sheet("xlsx", _keep_rows(each.iter_rows(), ROW_LIMIT), worksheet=each.name) for each in filled]


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


@dataclass(frozen=True, slots=True)
class Worksheet:
    """One worksheet's name and where its rows can be read."""

    name: str
    source: Any  # openpyxl's worksheet of a workbook that is only read
    hidden: bool = False

    def iter_rows(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield (row number from 1, cells as text); raises InvalidInput for formulas, errors and runaway sheets."""
        self.source.reset_dimensions()  # a wrong size written in the file would silently cut rows off
        with _words_for_damage():
            for number, cells in enumerate(self.source.rows, start=1):
                if number > _LAST_ROW:
                    raise InvalidInput([IMPORT_SHEET_TOO_LONG(limit=_LAST_ROW)])
                yield number, tuple(_as_text(cell, number, column) for column, cell in enumerate(cells))


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
        if filled := _without_tail(cells):
            yield SheetRow(number, filled)


def _without_tail(cells: tuple[str, ...]) -> tuple[str, ...]:
    """Drop the empty cells at the end of a row."""
    width = len(cells)
    while width and not cells[width - 1]:
        width -= 1
    return cells[:width]


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


IMPORT_CELL_TOO_LONG = ProblemType(
    "import.cell_too_long", "A cell of this workbook holds more text than a list needs. Copy the list to a new file."
)
IMPORT_UNPACKS_TOO_BIG = ProblemType(
    "import.unpacks_too_big",
    "This workbook unpacks to an unreasonable size (at most {megabytes} MB is read). Copy the list into a new "
    "workbook.",
)
IMPORT_SHEET_TOO_LONG = ProblemType(
    "import.sheet_too_long", "A worksheet of this file goes down past row {limit}. Copy only the list into a new file."
)
IMPORT_TOO_MANY_CELLS = ProblemType(
    "import.too_many_cells", "The workbook holds more than {limit} filled cells. Copy only the list into a new file."
)
IMPORT_MACROS = ProblemType(
    "import.macros", "Workbooks with macros are not opened. Save it as .xlsx (without macros) or as csv."
)
IMPORT_OTHER_SPREADSHEET = ProblemType(
    "import.other_spreadsheet",
    "This is another program's spreadsheet (ods, xlsb, Numbers). Save it as .xlsx or as csv.",
)
IMPORT_NOT_WORKBOOK = ProblemType("import.not_workbook", "This is a zip file, but not an Excel workbook.")
IMPORT_WORKBOOK_DAMAGED = ProblemType(
    "import.workbook_damaged",
    "This workbook is damaged or cut off. Open it in a spreadsheet program and save it again as .xlsx.",
)
IMPORT_FORMULA = ProblemType(
    "import.formula", "Cell {cell} holds a formula. Copy the list and paste it as values only."
)
IMPORT_CELL_ERROR = ProblemType("import.cell_error", "Cell {cell} shows the error {value}. Correct or empty it.")

UNPACKED_LIMIT = 50 * 1024 * 1024
_FREE_UNPACKED = 5 * 1024 * 1024  # below this no ratio is dangerous
_RATIO_LIMIT = 200  # a sheet of 100,000 equal rows packs 1 : 60, a bomb 1 : 1000
_PARTS_LIMIT = 1_000
_LAST_ROW = 20_000  # counted with the empty rows between
_CELLS_LIMIT = 200_000  # over all worksheets; also for the list of texts that they share
_CHUNK = 1024 * 1024
_LONGEST_TEXT = 256 * 1024  # bytes; a whole part of a chunk without a tag
_ROW_TAG = re.compile(rb"<(?:\w+:)?row[\s/>]")
_CELL_TAG = re.compile(rb"<(?:\w+:)?(?:c|si)[\s/>]")


@contextmanager
def _words_for_damage() -> Iterator[None]:
    try:
        yield
    except InvalidInput:
        raise
    except Exception as damage:  # a damaged file makes openpyxl, zipfile and zlib raise nearly anything
        raise InvalidInput([IMPORT_WORKBOOK_DAMAGED()]) from damage


def _as_text(cell: object, row: int, column: int) -> str:
    value = getattr(cell, "value", None)
    kind = getattr(cell, "data_type", "n")
    if kind == "f":
        raise InvalidInput([IMPORT_FORMULA(cell=f"{column_letter(column)}{row}")])
    if kind == "e":
        raise InvalidInput([IMPORT_CELL_ERROR(cell=f"{column_letter(column)}{row}", value=str(value))])
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return f"{value:.15g}"  # what Excel shows: 33300.000000000004 is 33300
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    return str(value).strip()


def column_letter(index: int) -> str:
    """Name a column, counted from 0, as spreadsheets do.

    >>> column_letter(0), column_letter(27)
    ('A', 'AB')
    """
    letters = ""
    number = index + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


@contextmanager
def open_worksheets(data: bytes) -> Iterator[tuple[Worksheet, ...]]:
    """Open the worksheets of a workbook; raises InvalidInput for anything that is not a plain, sound xlsx."""
    # loaded when a file is read, not with the desk: a tenth of its start
    from openpyxl import DEFUSEDXML, load_workbook

    if not DEFUSEDXML:  # pragma: no cover - a broken installation, not a state of the program
        msg = "defusedxml is missing: openpyxl would read strangers' XML unguarded"
        raise ImportError(msg)
    with _words_for_damage(), zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
    names = {part.filename.casefold() for part in parts}
    unpacked = sum(part.file_size for part in parts)  # zipfile never unpacks more than it says here
    if unpacked > UNPACKED_LIMIT or len(parts) > _PARTS_LIMIT:
        raise InvalidInput([IMPORT_UNPACKS_TOO_BIG(megabytes=UNPACKED_LIMIT // 1024**2)])
    if unpacked > _FREE_UNPACKED and unpacked > _RATIO_LIMIT * len(data):
        raise InvalidInput([IMPORT_UNPACKS_TOO_BIG(megabytes=UNPACKED_LIMIT // 1024**2)])
    if any(name.endswith("vbaproject.bin") for name in names):
        raise InvalidInput([IMPORT_MACROS()])
    if "xl/workbook.bin" in names or "content.xml" in names or "index/document.iwa" in names:
        raise InvalidInput([IMPORT_OTHER_SPREADSHEET()])
    if "[content_types].xml" not in names or not any(name.startswith("xl/") for name in names):
        raise InvalidInput([IMPORT_NOT_WORKBOOK()])
    _check_length(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl warns of drawings and styles that it leaves out: we do not want them
        with _words_for_damage():
            book = load_workbook(io.BytesIO(data), read_only=True, data_only=False, keep_links=False)
            # a hidden one is named, never read: nobody would see what came of it
            sheets = [Worksheet(sheet.title, sheet, sheet.sheet_state != "visible") for sheet in book.worksheets]
        try:
            yield tuple(sheets)
        finally:
            book.close()


def _check_length(data: bytes) -> None:
    """Count rows and cells in the raw text first: openpyxl reads some files to their end before it gives a row."""
    cells = 0
    with _words_for_damage(), zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            if not name.casefold().startswith(("xl/worksheets/", "xl/sharedstrings")):
                continue
            rows = 0
            with archive.open(name) as part:
                while chunk := part.read(_CHUNK):
                    _refuse_long_cell(chunk)
                    rows += len(_ROW_TAG.findall(chunk))
                    cells += len(_CELL_TAG.findall(chunk))
                    if rows > _LAST_ROW:
                        raise InvalidInput([IMPORT_SHEET_TOO_LONG(limit=_LAST_ROW)])
                    if cells > _CELLS_LIMIT:
                        raise InvalidInput([IMPORT_TOO_MANY_CELLS(limit=_CELLS_LIMIT)])


def _refuse_long_cell(chunk: bytes) -> None:
    """Refuse a text that fills a whole block: a cell holds 32,767 characters, and parsers copy it many times over."""
    blocks = (chunk[start : start + _LONGEST_TEXT] for start in range(0, len(chunk) - _LONGEST_TEXT + 1, _LONGEST_TEXT))
    if any(b"<" not in block for block in blocks):
        raise InvalidInput([IMPORT_CELL_TOO_LONG()])


IMPORT_NOT_TEXT = ProblemType(
    "import.not_text",
    "This file is neither an Excel workbook nor text in a known encoding. Save it as .xlsx or as csv in UTF-8.",
)

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_SAMPLE = 200_000  # bytes; enough to tell the encodings apart
_CONTROLS = re.compile("[\x00-\x08\x0e-\x19\x1b-\x1f\x7f-\x84\x86-\x9f]")


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A file's text; `guessed` where another encoding would have fitted as well."""

    text: str
    encoding: str
    guessed: bool


def decode_text(data: bytes) -> DecodedText:
    """Decode a text file.

    Raises InvalidInput (`import.not_text`) for anything that is not text in a known encoding.

    >>> decode_text("Zoë".encode("cp1252")).encoding
    'Windows-1252'
    >>> decode_text("選手,国".encode("cp932")).encoding
    'Shift-JIS'
    """
    decoded = _with_mark(data) or _without_mark(data)
    if decoded is None or _is_noise(decoded.text):
        raise InvalidInput([IMPORT_NOT_TEXT()])
    return decoded


def _with_mark(data: bytes) -> DecodedText | None:
    for mark, codec, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            text = _try(data, codec)
            return None if text is None else DecodedText(text, name, guessed=False)
    return None


def _without_mark(data: bytes) -> DecodedText | None:
    if b"\0" in data:
        # a separator or line end is one zero byte and one ASCII byte: the zero comes second in little-endian files
        zeros = data[0::2].count(0), data[1::2].count(0)
        if zeros[0] == zeros[1]:
            return None
        text = _try(data, "utf-16-le" if zeros[1] > zeros[0] else "utf-16-be")
        return None if text is None else DecodedText(text, "UTF-16", guessed=True)
    text = _try(data, "utf-8")
    if text is not None:
        return DecodedText(text, "UTF-8", guessed=False)
    western, japanese = _try(data, "cp1252"), _try(data, "cp932")
    if japanese is not None and (western is None or _looks_japanese(data[:_SAMPLE])):
        return DecodedText(japanese, "Shift-JIS", guessed=True)
    return None if western is None else DecodedText(western, "Windows-1252", guessed=True)


def _looks_japanese(data: bytes) -> bool:
    """Weigh double bytes that no Western word has against single accented letters among plain ones."""
    double_bytes = accented = index = 0
    while index < len(data):
        byte = data[index]
        follower = data[index + 1] if index + 1 < len(data) else 0x20
        if 0x81 <= byte <= 0x9F and follower >= 0x40:
            double_bytes += 1  # kana and the common kanji; in Windows-1252 a quotation mark before a letter
            index += 2
        elif byte >= 0xA1:
            end = index
            while end < len(data) and data[end] >= 0xA1:
                end += 1
            run = end - index
            double_bytes += run // 2 if run > 2 else 0  # rarer kanji or half-width kana stand in rows
            accented += run <= 2
            index += run
        else:
            index += 1
    return double_bytes > accented


def _is_noise(text: str) -> bool:
    controls = sum(1 for _ in _CONTROLS.finditer(text))
    return "\0" in text or (controls > 3 and controls * 100 > len(text))


def _try(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return None


_MINUS = str.maketrans(dict.fromkeys("−–—‒‐‑﹣－▲△", "-"))
_PLAIN = re.compile(r"[+-]?[0-9]+")
_PARTED = re.compile(r"[+-]?[0-9]{1,3}(?:([,.' ])[0-9]{3})(?:\1[0-9]{3})*")
_IN_BRACKETS = re.compile(r"\(([0-9][^()]*)\)")
_LONGEST = 15  # signs; more is no score, and int() of a million digits takes its time
_IN_THOUSANDS = re.compile(r"([+-]?[0-9]{1,3})(?:[.,]([0-9]{1,2}))?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?: .*)?|[0-9]{2}:[0-9]{2}:[0-9]{2}")
_YEAR_FIRST = re.compile(r"(?P<y>[0-9]{4})[-/](?P<m>[0-9]{1,2})[-/](?P<d>[0-9]{1,2})(?:[ T].*)?")
_DAY_FIRST = re.compile(r"(?P<d>[0-9]{1,2})[./] ?(?P<m>[0-9]{1,2})[./] ?(?P<y>[0-9]{4})")


def cell_name(row: SheetRow, index: int) -> str:
    """Name a cell as spreadsheets do.

    >>> cell_name(SheetRow(7, ()), 1)
    'B7'
    """
    return f"{column_letter(index)}{row.number}"


def cell_at(row: SheetRow, index: int) -> str:
    """Return the text of a cell, "" where the row ends before it."""
    return row.cells[index] if 0 <= index < len(row.cells) else ""


def is_date(text: str) -> bool:
    """Say whether a spreadsheet took a text such as 5-1 for a day or an hour."""
    return bool(_DATE.fullmatch(text))


def read_day(text: str) -> dt.date | None:
    """Read a day as a spreadsheet writes it, or with the day first; None if it is not one.

    >>> [str(read_day(text)) for text in ("2026-09-12 00:00:00", "2026/9/12", "12.9.2026", "31/2/2026")]
    ['2026-09-12', '2026-09-12', '2026-09-12', 'None']
    """
    found = _YEAR_FIRST.fullmatch(text.strip()) or _DAY_FIRST.fullmatch(text.strip())
    try:
        return dt.date(*(int(found[part]) for part in "ymd")) if found else None
    except ValueError:
        return None


_NUMBERS = re.compile(r"([0-9]{1,4})[-/. ]{1,2}([0-9]{1,2})[-/. ]{1,2}([0-9]{2}|[0-9]{4})[-/.]?")


def read_days(texts: Collection[str]) -> dict[str, dt.date | None]:
    """Read the days of a column in the one order in which all can be read, none of them for one that is not clear.

    >>> [str(day) for day in read_days(["9/13/2024", "9/6/2024"]).values()]
    ['2024-09-13', '2024-09-06']
    >>> read_days(["2024年1月2日"]), read_days(["1/2/24"])
    ({'2024年1月2日': datetime.date(2024, 1, 2)}, {'1/2/24': None})
    """
    plain = {text: re.sub("[年月日]", "-", unicodedata.normalize("NFKC", text)) for text in texts}
    found = {text: read_day(each.removesuffix("-")) for text, each in plain.items()}
    if None not in found.values():
        return found
    parts = {text: match.groups() for text, each in plain.items() if (match := _NUMBERS.fullmatch(each.strip()))}
    latest = dt.date.today() + dt.timedelta(days=1)  # noqa: DTZ011  # a day anywhere on earth
    readings = []
    for order in ("ymd", "dmy", "mdy"):
        days = {text: _day_in(order, numbers) for text, numbers in parts.items()}
        if all(day and day <= latest for day in days.values()):
            readings.append(days)
    return found | (readings[0] if len(readings) == 1 else {})


def _day_in(order: str, numbers: Sequence[str]) -> dt.date | None:
    """Return the day of these numbers in an order; a year of two digits is of this century."""
    given = dict(zip(order, numbers, strict=True))
    if len(given["y"]) not in {2, 4} or len(given["m"]) > 2 or len(given["d"]) > 2:
        return None
    try:
        return dt.date(int(given["y"]) + (2000 if len(given["y"]) == 2 else 0), int(given["m"]), int(given["d"]))
    except ValueError:
        return None


def read_whole_number(text: str) -> int | None:
    """Read a whole number, None if it is not one.

    >>> [read_whole_number(text) for text in ("30,000", "30.000", "30 000", "−1,200", "(500)", "30.5")]
    [30000, 30000, 30000, -1200, -500, None]
    """
    plain = plain_number(text)
    if len(plain) > _LONGEST or not (_PLAIN.fullmatch(plain) or _PARTED.fullmatch(plain)):
        return None
    return int(re.sub(r"[,.' ]", "", plain))


def plain_number(text: str) -> str:
    """Return what may be a number with a plain minus in front and single spaces, its marks as they were.

    >>> plain_number("− 1 200"), plain_number("(500)")
    ('-1 200', '-500')
    """
    signs = unicodedata.normalize("NFKC", text.translate(_MINUS)).replace("’", "'")
    plain = " ".join(signs.split())
    bracketed = _IN_BRACKETS.fullmatch(plain)
    if bracketed:
        plain = f"-{bracketed[1]}"  # bookkeepers' minus
    return re.sub(r"^([+-]) ", r"\1", plain)


def is_in_thousands(texts: Iterable[str]) -> bool:
    """Say whether a column holds thousands: nothing in it has more than three digits before its mark, or two behind.

    A column of nothing but noughts does not say.

    >>> is_in_thousands(["34,1", "-5,3", "30"]), is_in_thousands(["30.000", "-500"]), is_in_thousands(["0", ""])
    (True, False, False)
    """
    numbers = [plain for text in texts if (plain := plain_number(text))]
    matches = [_IN_THOUSANDS.fullmatch(number) for number in numbers]
    return all(matches) and any(match and match[0].strip("+-0.,") for match in matches)


def read_points(text: str, *, thousands: bool) -> int | None:
    """Read points, None for what is no such number.

    >>> read_points("−5,3", thousands=True), read_points("30.000", thousands=False), read_points("x", thousands=True)
    (-5300, 30000, None)
    """
    if not thousands:
        return read_whole_number(text)
    match = _IN_THOUSANDS.fullmatch(plain_number(text))
    return int(Decimal(f"{match[1]}.{match[2] or 0}") * 1000) if match else None
