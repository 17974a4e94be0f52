"""Write workbooks that people can sort: title, frozen header, widths, filter, true numbers.

Text stays text: what begins like a formula is stored as a string and cannot run. No model is loaded: the process that
prints makes large ones.
"""

import datetime as dt
import io
import math
import re
import zipfile
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, cast

from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE, Cell, WriteOnlyCell
from openpyxl.styles import Alignment, Border, Font, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.header_footer import HeaderFooterItem
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from tournament.pages.csv_files import FORMULA_SIGNS
from tournament.text.numbers import Place, text_width

HEADER_ROW = 3  # below the event's name and a line that says what this is
_WIDTHS = (6, 46)
_WIDEST_SENTENCE = 90  # nothing is wrapped: not every program makes a row as high as its lines
_PAGE = 190  # characters across A4 that can still be read
_ROOM = 5  # for the filter's arrow beside a heading, and the indent
FONT = "Calibri"  # openpyxl's own for all other cells
_LONGEST_TEXT = 32_767  # the format's own limit
_MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")

_TEXT = Alignment(horizontal="left", indent=1)  # air behind the number to the left
_NUMBER = Alignment(horizontal="right")

# "blank" is text to be filled in: an empty cell is text, too, or a spreadsheet makes a date of 5-1
Kind = Literal["text", "sentence", "blank", "count", "points", "result", "moment"]
Value = str | int | dt.datetime | None

_FORMATS: dict[Kind, str] = {
    "text": "@",
    "sentence": "@",
    "blank": "@",
    "count": "0",
    "points": '#,##0;"−"#,##0',
    "result": '"+"#,##0;"−"#,##0;0',
    "moment": "yyyy-mm-dd hh:mm",
}


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A heading and the kind of the values below it."""

    heading: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Sheet:
    """A worksheet: its title, the two lines above its table, and the table, whose first columns stay in view."""

    title: str
    lines: tuple[str, str]
    columns: Sequence[SheetColumn]
    rows: Collection[Sequence[Value | Place]]
    frozen_columns: int = 0

    @property
    def cells(self) -> int:
        """How many cells the table has."""
        return len(self.rows) * len(self.columns)


def make_book(
    sheets: Sequence[Sheet], made_at: dt.datetime, progress: Callable[[int, int], None] | None = None
) -> bytes:
    """Make a workbook; `progress` is called after each worksheet with how many of how many are written."""
    book = Workbook(write_only=True)
    book.properties.title, book.properties.creator = sheets[0].lines[0], "Hanchan Desk"
    for done, sheet in enumerate(sheets, start=1):
        _add_sheet(book, sheet)
        if progress:
            progress(done, len(sheets))
    return save_book(book, made_at)


def _add_sheet(book: Workbook, sheet: Sheet) -> None:
    page: Worksheet = book.create_sheet(sheet.title)
    columns, rows, frozen = sheet.columns, list(sheet.rows), sheet.frozen_columns
    # what stands before the rows in the file must be known before the first of them is written
    page.freeze_panes = f"{get_column_letter(frozen + 1)}{HEADER_ROW + 1}"
    page.auto_filter.ref = f"A{HEADER_ROW}:{get_column_letter(len(columns))}{HEADER_ROW + max(len(rows), 1)}"
    width = _set_widths(page, columns, rows)
    set_up_print(page, heading_row=HEADER_ROW, pages_across=math.ceil(width / _PAGE))
    if frozen:
        page.print_title_cols = f"A:{get_column_letter(frozen)}"
    title = write_text(WriteOnlyCell(page), sheet.lines[0])
    title.font = Font(name=FONT, bold=True, size=14)
    page.append([title])
    page.append([write_text(WriteOnlyCell(page), sheet.lines[1])])
    page.append([_heading(page, column) for column in columns])

    @cache
    def styled(number_format: str, alignment: Alignment | None, *, quoted: bool = False) -> Cell:
        """Return the one cell of a style: a generator's cell is written before the next one is asked for."""
        cell = WriteOnlyCell(page)
        cell.number_format = number_format
        if alignment:
            cell.alignment = alignment
        if quoted:
            cell.quotePrefix = True
        return cell

    def cell_of(kind: Kind, value: Value | Place) -> Cell | None:
        if isinstance(value, str):
            text = _clean(value)
            return _set_text(styled("@", _TEXT, quoted=text.startswith(FORMULA_SIGNS)), text)
        if isinstance(value, Place):  # the cell holds the number, and shows "=3" where it is shared
            cell = styled('"="0' if value.shared else "0", _NUMBER)
            cell.value = value.number
        elif value is None and kind != "blank":
            return None
        else:
            cell = styled(_FORMATS[kind], None)
            cell.value = value
        return cell

    for row in rows:
        written = (cell_of(column.kind, value) for column, value in zip(columns, row, strict=True))
        page.append(cast("Any", written))  # its types know no generator of cells


def save_book(book: Workbook, made_at: dt.datetime) -> bytes:
    """Give the file's bytes; the same content and time give the same bytes."""
    stamp = made_at.astimezone(dt.UTC).replace(tzinfo=None, microsecond=0)
    book.properties.created = stamp
    raw = io.BytesIO()
    book.save(raw)
    raw.seek(0)
    even = io.BytesIO()
    with zipfile.ZipFile(raw) as parts, zipfile.ZipFile(even, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in parts.namelist():
            content = parts.read(name)
            if name == "docProps/core.xml":
                # openpyxl always writes the time of saving
                content = _MODIFIED.sub(rb"\g<1>" + f"{stamp.isoformat()}Z".encode(), content)
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return even.getvalue()


def write_text(cell: Cell, text: str) -> Cell:
    """Store text as text, and return the cell."""
    clean = _clean(text)
    cell.number_format = _FORMATS["text"]
    if clean.startswith(FORMULA_SIGNS):
        cell.quotePrefix = True  # or a spreadsheet that re-reads the cell would make a formula of it
    return _set_text(cell, clean)


def _clean(text: str) -> str:
    return ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", text)[:_LONGEST_TEXT]


def _set_text(cell: Cell, text: str) -> Cell:
    cell.value = text
    cell.data_type = "s"  # openpyxl would take "=…" for a formula and "#N/A" for an error
    return cell


def set_up_print(sheet: Worksheet, *, heading_row: int, pages_across: int = 1) -> None:
    """Print across A4, the heading on every page, with page numbers; a wide sheet goes on beside."""
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = 9  # A4
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = pages_across, 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.print_title_rows = f"{heading_row}:{heading_row}"
    footer = sheet.HeaderFooter.oddFooter = HeaderFooterItem()
    footer.center.text = "&A – &P / &N"


def _heading(sheet: Worksheet, column: SheetColumn) -> Cell:
    cell = write_text(WriteOnlyCell(sheet), column.heading)
    cell.font = Font(name=FONT, bold=True)
    cell.border = Border(bottom=Side(style="medium"))
    cell.alignment = _TEXT if _FORMATS[column.kind] == "@" else _NUMBER
    return cell


def _set_widths(sheet: Worksheet, columns: Sequence[SheetColumn], rows: Sequence[Sequence[Value | Place]]) -> int:
    """Make columns as wide as their values; return their total width."""
    least, most = _WIDTHS
    together = 0
    for index, column in enumerate(columns):
        widest = max((_shown_width(row[index]) for row in rows), default=0)
        width = max(least, text_width(column.heading) + _ROOM, widest + 3)
        limit = _WIDEST_SENTENCE if column.kind == "sentence" else most
        sheet.column_dimensions[get_column_letter(index + 1)].width = min(width, limit)
        together += min(width, limit)
    return together


def _shown_width(value: Value | Place) -> int:
    if isinstance(value, str):
        return text_width(value)
    if isinstance(value, int):
        return len(f"{value:+,}")
    return 16 if isinstance(value, dt.datetime) else 4
