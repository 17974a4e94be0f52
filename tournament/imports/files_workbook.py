"""Read the worksheets of an xlsx workbook as rows of text.

Zip bombs, macros, formulas and old formats are refused before or while reading; XML is read through defusedxml, which
openpyxl takes where it is installed.
"""

import datetime as dt
import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from scoring.problems import InvalidInput, ProblemType
from tournament.imports.files_cells import column_letter

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


@contextmanager
def open_worksheets(data: bytes) -> Iterator[tuple[Worksheet, ...]]:
    """Open the worksheets of a workbook; raises InvalidInput for anything that is not a plain, sound xlsx."""
    # loaded when a file is read, not with the desk: a tenth of its start
    from openpyxl import DEFUSEDXML, load_workbook

    if not DEFUSEDXML:  # pragma: no cover - a broken installation, not a state of the program
        msg = "defusedxml is missing: openpyxl would read strangers' XML unguarded"
        raise ImportError(msg)
    _check_archive(data)
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


@contextmanager
def _words_for_damage() -> Iterator[None]:
    try:
        yield
    except InvalidInput:
        raise
    except Exception as damage:  # a damaged file makes openpyxl, zipfile and zlib raise nearly anything
        raise InvalidInput([IMPORT_WORKBOOK_DAMAGED()]) from damage


def _check_archive(data: bytes) -> None:
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
                    _refuse_length(rows, cells)


def _refuse_length(rows: int, cells: int) -> None:
    if rows > _LAST_ROW:
        raise InvalidInput([IMPORT_SHEET_TOO_LONG(limit=_LAST_ROW)])
    if cells > _CELLS_LIMIT:
        raise InvalidInput([IMPORT_TOO_MANY_CELLS(limit=_CELLS_LIMIT)])


def _refuse_long_cell(chunk: bytes) -> None:
    """Refuse a text that fills a whole block: a cell holds 32,767 characters, and parsers copy it many times over."""
    blocks = (chunk[start : start + _LONGEST_TEXT] for start in range(0, len(chunk) - _LONGEST_TEXT + 1, _LONGEST_TEXT))
    if any(b"<" not in block for block in blocks):
        raise InvalidInput([IMPORT_CELL_TOO_LONG()])


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
