"""A table as CSV that no spreadsheet takes for formulas."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

FORMULA_SIGNS: Final = (*"=+-@＝＋－＠", "\t", "\r", "\n")  # what a text begins with that a spreadsheet would run


def csv_file(headings: Sequence[str], rows: Iterable[Sequence[str | float | None]]) -> bytes:
    """Make a csv, with the mark by which spreadsheets know UTF-8; as a text, a number below 0 would get a quote."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(headings)
    for row in rows:
        writer.writerow([escape_formula(cell) if isinstance(cell, str) else cell for cell in row])
    return file.getvalue().encode("utf-8-sig")


def escape_formula(text: str) -> str:
    """Make a text safe in a csv: a spreadsheet would run what begins like a formula.

    >>> escape_formula("=1+1"), escape_formula("Moss")
    ("'=1+1", 'Moss')
    """
    return f"'{text}" if text.startswith(FORMULA_SIGNS) else text
