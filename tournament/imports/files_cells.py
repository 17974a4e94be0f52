"""Rows of a sheet and what stands in one cell: its name, whole numbers, points, dates."""

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

_MINUS = str.maketrans(dict.fromkeys("−–—‒‐‑﹣－▲△", "-"))
_PLAIN = re.compile(r"[+-]?[0-9]+")
_PARTED = re.compile(r"[+-]?[0-9]{1,3}(?:([,.' ])[0-9]{3})(?:\1[0-9]{3})*")
_IN_BRACKETS = re.compile(r"\(([0-9][^()]*)\)")
_LONGEST = 15  # signs; more is no score, and int() of a million digits takes its time
_IN_THOUSANDS = re.compile(r"([+-]?[0-9]{1,3})(?:[.,]([0-9]{1,2}))?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?: .*)?|[0-9]{2}:[0-9]{2}:[0-9]{2}")
_YEAR_FIRST = re.compile(r"(?P<y>[0-9]{4})[-/](?P<m>[0-9]{1,2})[-/](?P<d>[0-9]{1,2})(?:[ T].*)?")
_DAY_FIRST = re.compile(r"(?P<d>[0-9]{1,2})[./] ?(?P<m>[0-9]{1,2})[./] ?(?P<y>[0-9]{4})")


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row that is not empty: its number in the sheet from 1, and its stripped cells up to the last filled one."""

    number: int
    cells: tuple[str, ...]


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


def cell_name(row: SheetRow, index: int) -> str:
    """Name a cell as spreadsheets do.

    >>> cell_name(SheetRow(7, ()), 1)
    'B7'
    """
    return f"{column_letter(index)}{row.number}"


def cell_of(row: SheetRow, index: int) -> str:
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
