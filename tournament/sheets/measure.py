"""How wide a text is set in the fonts of paper, where it breaks, and the largest letters in which it fits its room.

A font's own widths are read; kerning is left out, and a letter that our fonts lack counts as a full square.
"""

import math
import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, lru_cache

from tournament.sheets.svg import STATIC_DIR

POINT = 25.4 / 72  # mm
LATIN, JAPANESE = ("Inter-Regular", "Inter-Bold"), ("BIZUDPGothic-Regular", "BIZUDPGothic-Bold")
SURE = 1.02  # the setter may round each letter up
STEP = 0.5  # of a point, between two sizes that are tried
ONE_LINE = 0.7  # of the largest letters: rather one line of these than two of larger ones


@dataclass(frozen=True, slots=True)
class Room:
    """Where a text goes: millimetres, and its largest and smallest letters in points; `leading` is CSS' line-height."""

    width: float
    height: float
    largest: float
    least: float = 5.5
    bold: bool = False
    leading: float = 1.1


def fit(text: str, room: Room) -> str:
    """Return the CSS size of the largest letters in which a text fits, "14pt", or the smallest allowed.

    >>> fit("Ada Moss", Room(40, 6, 14)), fit("Bartholomäus-Ferdinand Oberhuber", Room(40, 6, 14))
    ('14pt', '7.5pt')
    """
    return f"{_fitting(text, room):g}pt"


@lru_cache(maxsize=4096)
def _fitting(text: str, room: Room) -> float:
    sizes = [room.largest - STEP * step for step in range(int((room.largest - room.least) / STEP) + 1)]
    line = width_of(text, bold=room.bold) * POINT
    for size in sizes:
        if size >= ONE_LINE * room.largest and line * size <= room.width and size * POINT * room.leading <= room.height:
            return size
    for size in sizes:
        lines = len(broken(text, room.width / (size * POINT), bold=room.bold))
        if lines * size * POINT * room.leading <= room.height:
            return size
    return room.least


def broken(text: str, width: float, *, bold: bool = False) -> list[str]:
    """Break a text at its spaces and hyphens, and within what is still too long, into lines of `width` ems.

    >>> broken("one two three", 4)
    ['one two', 'three']
    """
    lines, line = [], ""
    for piece in _pieces(text, width, bold):
        if line and width_of((line + piece).rstrip(), bold=bold) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece
    return [*lines, line.rstrip()]


def _pieces(text: str, width: float, bold: bool) -> list[str]:
    """Split a text into words with the spaces after them, and words without a space in them into letters."""
    pieces: list[str] = []
    for word in re.findall(r"[^\s-]*-|[^\s-]+\s*|\s+", text):
        whole = width_of(word.rstrip(), bold=bold) <= width and not any(ord(letter) >= 0x2E80 for letter in word)
        pieces += [word] if whole else list(word)
    return pieces


def width_of(text: str, *, bold: bool = False) -> float:
    """Return how wide a text is in ems, a little more rather than less.

    >>> round(width_of("東山"), 1), width_of("W") > width_of("i")
    (2.0, True)
    """
    latin, japanese = _advances(LATIN[bold]), _advances(JAPANESE[bold])
    return SURE * math.fsum(latin.get(letter) or japanese.get(letter, 1.0) for letter in text)


def letters_without_font(letters: AbstractSet[str]) -> set[str]:
    """Return those of some letters that none of our own fonts has."""
    known = _advances(LATIN[0]).keys() | _advances(JAPANESE[0]).keys()
    return {letter for letter in letters - known if letter.isprintable() and not letter.isspace()}


@cache
def _advances(font: str) -> dict[str, float]:
    from fontTools.ttLib import TTFont  # only paper needs it, and it takes its time

    with TTFont(STATIC_DIR / "fonts" / f"{font}.ttf", lazy=True) as loaded:
        widths, em = loaded["hmtx"].metrics, loaded["head"].unitsPerEm
        return {chr(code): widths[glyph][0] / em for code, glyph in loaded.getBestCmap().items()}
