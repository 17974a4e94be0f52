"""Write csv and worksheets that people can sort: title, frozen header, widths, filter, true numbers.

Text stays text: what begins like a formula is stored as a string and cannot run.
"""

import datetime as dt
import io
import math
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE, Cell
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

Kind = Literal["text", "sentence", "count", "points", "result", "moment"]
Value = str | int | dt.datetime | None

_FORMATS: dict[Kind, str] = {
    "text": "@",
    "sentence": "@",
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


def add_sheet(
    book: Workbook,
    title: str,
    lines: tuple[str, str],
    columns: Sequence[SheetColumn],
    rows: Sequence[Sequence[Value | Place]],
    *,
    frozen_columns: int,
) -> None:
    """Add one worksheet: two lines of title, the header, the rows."""
    sheet: Worksheet = book.create_sheet(title)
    write_text(cell_at(sheet, 1, 1), lines[0]).font = Font(name=FONT, bold=True, size=14)
    write_text(cell_at(sheet, 2, 1), lines[1])
    for index, column in enumerate(columns, start=1):
        _write_heading(cell_at(sheet, HEADER_ROW, index), column)
    for row_number, values in enumerate(rows, start=HEADER_ROW + 1):
        for index, (column, value) in enumerate(zip(columns, values, strict=True), start=1):
            _write(cell_at(sheet, row_number, index), column.kind, value)
    sheet.freeze_panes = f"{get_column_letter(frozen_columns + 1)}{HEADER_ROW + 1}"
    sheet.auto_filter.ref = f"A{HEADER_ROW}:{get_column_letter(len(columns))}{HEADER_ROW + max(len(rows), 1)}"
    width = _set_widths(sheet, columns, rows)
    set_up_print(sheet, heading_row=HEADER_ROW, pages_across=math.ceil(width / _PAGE))
    if frozen_columns:
        sheet.print_title_cols = f"A:{get_column_letter(frozen_columns)}"


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


def cell_at(sheet: Worksheet, row: int, column: int) -> Cell:
    """Return a cell by row and column, from 1."""
    return cast("Cell", sheet.cell(row, column))  # nothing is merged here


def write_text(cell: Cell, text: str) -> Cell:
    """Store text as text, and return the cell: openpyxl would take "=…" for a formula and "#N/A" for an error."""
    clean = ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", text)[:_LONGEST_TEXT]
    cell.value = clean
    cell.data_type = "s"
    cell.number_format = _FORMATS["text"]
    if clean.startswith(FORMULA_SIGNS):
        cell.quotePrefix = True  # or a spreadsheet that re-reads the cell would make a formula of it
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


def _write(cell: Cell, kind: Kind, value: Value | Place) -> None:
    if value is None:
        return
    if isinstance(value, Place):  # the cell holds the number, and shows "=3" where it is shared
        cell.value = value.number
        cell.number_format = '"="0' if value.shared else "0"
        cell.alignment = _NUMBER
    elif isinstance(value, str):
        write_text(cell, value)
        cell.alignment = _TEXT
    else:
        cell.value = value
        cell.number_format = _FORMATS[kind]


def _write_heading(cell: Cell, column: SheetColumn) -> None:
    write_text(cell, column.heading)
    cell.font = Font(name=FONT, bold=True)
    cell.border = Border(bottom=Side(style="medium"))
    cell.alignment = _TEXT if column.kind in ("text", "sentence") else _NUMBER


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
