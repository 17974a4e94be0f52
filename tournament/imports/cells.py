"""The rows that every reader of a file hands on, and how a spreadsheet names a cell."""

from dataclasses import dataclass


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
