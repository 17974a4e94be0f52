"""Files for the importers, made on the spot."""

import io
from collections.abc import Callable, Sequence

import pytest
from openpyxl import Workbook

MakeXlsx = Callable[..., bytes]


@pytest.fixture
def make_xlsx() -> MakeXlsx:
    """Make a workbook from rows, or from several worksheets by keyword."""

    def make(rows: Sequence[Sequence[object]] = (), **worksheets: Sequence[Sequence[object]]) -> bytes:
        book = Workbook()
        book.remove(book.worksheets[0])
        for name, lines in (worksheets or {"Sheet1": rows}).items():
            sheet = book.create_sheet(name)
            for line in lines:
                sheet.append(list(line))
        file = io.BytesIO()
        book.save(file)
        return file.getvalue()

    return make
