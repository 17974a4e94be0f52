"""Text with separators (csv) → rows of cells, the separator guessed.

Quotes are honoured and must close; a formula is refused like in a workbook. It never drops a row: blank ones come back
empty.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from scoring.problems import InvalidInput, error
from tournament.imports.cells import column_letter

_DELIMITERS = ("\t", ";", ",")  # in this order where all else is equal: a comma is also a decimal mark
_SAMPLE_LINES = 100
_DECLARED = re.compile(r'\A\s*"?sep=([,;\t|])"?[ \t]*(?:\r\n|\r|\n)', re.IGNORECASE)
_MADE_HARMLESS = ("=", "+", "-", "@")  # with an apostrophe before it, as our own files have it
_TEXT_AS_FORMULA = re.compile(r'\A="([^"]*)"\Z')


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
        raise InvalidInput([error("import.csv_broken", row=number + 1)]) from broken


def _plain(cell: str, row: int, column: int) -> str:
    text = cell.strip()
    if text.startswith("'") and text[1:].startswith(_MADE_HARMLESS):
        return text[1:]
    if not text.startswith("="):
        return text
    wrapped = _TEXT_AS_FORMULA.match(text)  # ="0416…" is how zeros are kept for Excel
    if wrapped is None:
        raise InvalidInput([error("import.formula", cell=f"{column_letter(column)}{row}")])
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
