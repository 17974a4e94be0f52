"""Plain tables for a terminal, aligned also where names are written in Japanese."""

import unicodedata
from collections.abc import Iterator, Sequence


def width_of(text: str) -> int:
    """Count the columns that a text takes in a terminal.

    >>> width_of("a東é")
    4
    """
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def text_table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, right: str = "") -> Iterator[str]:
    """Yield the lines of a table; `right` has an "r" for each column that is aligned to the right.

    >>> list(text_table(["name", "points"], [["東", "12"]], right=" r"))
    ['name  points', '東        12']
    """
    lines = [heads, *rows]
    widths = [max(width_of(line[column]) for line in lines) for column in range(len(heads))]
    for line in lines:
        cells = (_padded(cell, widths[at], at_right=right[at : at + 1] == "r") for at, cell in enumerate(line))
        yield "  ".join(cells).rstrip()


def _padded(text: str, width: int, *, at_right: bool) -> str:
    gap = " " * (width - width_of(text))
    return gap + text if at_right else text + gap
