"""A file that somebody brought, xlsx or csv → rows of strings with the row numbers that a spreadsheet shows.

A file's content tells what it is; its name only helps to word a refusal. It never guesses what a column means
(columns.py). Too big, too long, formulas, macros: such a file is refused whole.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from scoring.problems import InvalidInput, Problem, error, warning
from tournament.imports.cells import SheetRow
from tournament.imports.delimited import guess_delimiter, iter_rows, split_declared
from tournament.imports.encoding import decode_text
from tournament.imports.workbook import Worksheet, open_worksheets

ROW_LIMIT = 5_000
COLUMN_LIMIT = 200
BYTES_LIMIT = 10 * 1024 * 1024

LINE_LIMIT = 20_000  # bytes: the widest row with long texts has fewer; one of up to twice that may pass
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # .xls, and any Office file with a password
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


Wanted = Callable[[Sequence[SheetRow]], bool]


def read_sheet(data: bytes, filename: str, *, wanted: Wanted | None = None, titles: Collection[str] = ()) -> Sheet:
    """Read the first visible worksheet that `wanted` likes (else the first that holds anything), or the csv.

    Worksheets called one of the `titles`, given in lower case, are asked first: a list of penalties has the columns of
    results as well. Raises InvalidInput with what is wrong.
    """
    if not data.strip(b" \t\r\n"):
        raise InvalidInput([error("import.file_empty")])
    if len(data) > BYTES_LIMIT:
        raise InvalidInput([error("import.file_too_big", megabytes=BYTES_LIMIT // 1024**2)])
    _refuse_by_content(data, filename)
    if data.startswith(b"PK"):
        return _read_workbook(data, wanted, titles)
    return _read_text(data, filename)


def _refuse_by_content(data: bytes, filename: str) -> None:
    suffix = filename.rpartition(".")[2].casefold()
    if data.startswith(_OLD_OFFICE):
        # the same container holds old workbooks and new ones with a password
        raise InvalidInput([error("import.old_workbook" if suffix != "xlsx" else "import.password")])
    if data.startswith(b"PK") and suffix in {"xlsm", "xltm"}:
        raise InvalidInput([error("import.macros")])
    if data.startswith(_NOT_TABLES):
        raise InvalidInput([error("import.not_table")])
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:15].lower().startswith((b"<html", b"<!doctype", b"<?xml", b"<table")):
        raise InvalidInput([error("import.not_table")])


def _read_workbook(data: bytes, wanted: Wanted | None, titles: Collection[str]) -> Sheet:
    with open_worksheets(data) as worksheets:
        hidden = tuple(worksheet.name for worksheet in worksheets if worksheet.hidden)
        filled = [worksheet for worksheet in worksheets if not worksheet.hidden and _holds_anything(worksheet)]
        if not filled:
            raise InvalidInput([error("import.file_empty")])
        filled.sort(key=lambda worksheet: worksheet.name.strip().casefold() not in titles)
        name, rows = _choose(filled, wanted)
    others = tuple(worksheet.name for worksheet in filled if worksheet.name != name)
    told = [warning("import.other_worksheets", worksheet=name, others=", ".join(others))] if others else []
    told += [warning("import.hidden_worksheets", names=", ".join(hidden))] if hidden else []
    return Sheet("xlsx", rows, worksheet=name, other_worksheets=others, problems=tuple(told))


def _holds_anything(worksheet: Worksheet) -> bool:
    try:
        return next(_filled_rows(worksheet.iter_rows()), None) is not None
    except InvalidInput:
        return True  # what is wrong with it matters only if it is the sheet that is wanted


def _choose(worksheets: list[Worksheet], wanted: Wanted | None) -> tuple[str, tuple[SheetRow, ...]]:
    """Take the first wanted worksheet and read no further; without one the first decides, its refusal included."""
    first: tuple[str, tuple[SheetRow, ...]] | InvalidInput | None = None
    for worksheet in worksheets:
        try:
            found = worksheet.name, _keep_rows(worksheet.iter_rows())
        except InvalidInput as refusal:
            first = first or refusal
            continue
        if wanted is None or wanted(found[1]):
            return found
        first = first or found
    if isinstance(first, tuple):
        return first
    raise first or InvalidInput([error("import.file_empty")])


def _read_text(data: bytes, filename: str) -> Sheet:
    if _has_endless_line(data):  # before anything takes it apart: a million cells in one line fill the memory
        raise InvalidInput([error("import.line_too_long", limit=LINE_LIMIT)])
    try:
        decoded = decode_text(data)
    except InvalidInput as refusal:
        if filename.casefold().endswith((".xlsx", ".xlsm", ".xls")):
            raise InvalidInput([error("import.workbook_damaged")]) from refusal
        raise
    text, declared = split_declared(decoded.text)
    delimiter = declared or guess_delimiter(text)
    rows = _keep_rows(iter_rows(text, delimiter))
    if not rows:
        raise InvalidInput([error("import.file_empty")])
    guessed = (warning("import.encoding_guessed", encoding=decoded.encoding),) if decoded.guessed else ()
    return Sheet("csv", rows, encoding=decoded.encoding, delimiter=delimiter, problems=guessed)


def _has_endless_line(data: bytes) -> bool:
    """Say whether a line fills a whole block of that length; one twice as long always does."""
    parts = (data[start : start + LINE_LIMIT] for start in range(0, len(data) - LINE_LIMIT + 1, LINE_LIMIT))
    return any(b"\n" not in part and b"\r" not in part for part in parts)


def _keep_rows(numbered: Iterable[tuple[int, tuple[str, ...]]]) -> tuple[SheetRow, ...]:
    """Drop empty rows, and stop at once where there are too many."""
    kept: list[SheetRow] = []
    for row in _filled_rows(numbered):
        if len(kept) == ROW_LIMIT:
            raise InvalidInput([error("import.too_many_rows", limit=ROW_LIMIT)])
        if len(row.cells) > COLUMN_LIMIT:
            raise InvalidInput([error("import.too_many_columns", row=row.number, limit=COLUMN_LIMIT)])
        kept.append(row)
    return tuple(kept)


def _filled_rows(numbered: Iterable[tuple[int, tuple[str, ...]]]) -> Iterator[SheetRow]:
    for number, cells in numbered:
        width = len(cells)
        while width and not cells[width - 1]:
            width -= 1
        if width:
            yield SheetRow(number, cells[:width])
