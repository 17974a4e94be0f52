"""How wide a text is set in the fonts of paper, where it breaks, and the largest letters in which it fits its room.

A font's own widths are read; kerning is left out, and a letter that our fonts lack counts as a full square.
"""

import math
import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, lru_cache

from tournament.pdf.drawings import STATIC_DIR

POINT = 25.4 / 72  # mm
LATIN, JAPANESE = ("Inter-Regular", "Inter-Bold"), ("BIZUDPGothic-Regular", "BIZUDPGothic-Bold")
SURE = 1.02  # the setter may round each letter up
STEP = 0.5  # of a point, between two sizes that are tried
LETTER, SPACE = "(?:[^\\s-]|[\u00a0\u202f])", "[^\\S\u00a0\u202f]"
WORD = re.compile(f"{LETTER}*-|{LETTER}+{SPACE}*|{SPACE}+")  # what a line ends after
FULL_WIDTH = re.compile("[\u2e80-\U0010ffff]")  # letters between which a line may end
OPENING, CLOSING = "(（「『【", ")）」』】、。，．：；！？・ー"  # which end no line, and begin none
RUN = re.compile(f"[{OPENING}]*(?:[\u2e80-\U0010ffff]|[^{OPENING}{CLOSING}\u2e80-\U0010ffff]+)[{CLOSING}]*|.")
NEW_LINE = "\n"


@dataclass(frozen=True, slots=True)
class Room:
    """Where a text goes: millimetres, and its largest and smallest letters in points; `leading` is CSS' line-height.

    `one_line`: one line of so much of the largest letters is better than two lines of larger ones.
    """

    width: float
    height: float
    largest: float
    least: float = 5.5
    bold: bool = False
    leading: float = 1.1
    one_line: float = 0.7


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
        if (
            size >= room.one_line * room.largest
            and line * size <= room.width
            and size * POINT * room.leading <= room.height
        ):
            return size
    words = [word.rstrip() for word in WORD.findall(text) if not FULL_WIDTH.search(word)]
    longest = max((width_of(word, bold=room.bold) * POINT for word in words), default=0)
    unbroken = [size for size in sizes if longest * size <= room.width]
    for size in (*unbroken, *sizes):  # rather smaller letters than a word in two parts
        lines = len(broken(text, room.width / (size * POINT), bold=room.bold))
        if lines * size * POINT * room.leading <= room.height:
            return size
    return room.least


def broken(text: str, width: float, *, bold: bool = False) -> list[str]:
    """Break a text at its spaces and hyphens, and within what is still too long, into lines of `width` ems.

    What is too long for a line begins a new one, as browsers and WeasyPrint have it.

    >>> broken("one two three", 4), broken("a Schifffahrt", 4)
    (['one two', 'three'], ['a', 'Schifffa', 'hrt'])
    """
    lines, line = [], ""
    for piece in _pieces(text, width, bold):
        if line and (piece == NEW_LINE or width_of((line + piece).rstrip(), bold=bold) > width):
            lines.append(line.rstrip())
            line = ""
        line += piece.removeprefix(NEW_LINE)
    return [*lines, line.rstrip()]


def _pieces(text: str, width: float, bold: bool) -> list[str]:
    """Split a text into words with the spaces after them; full-width text, and what no line holds, into letters."""
    pieces: list[str] = []
    for word in WORD.findall(text):
        if FULL_WIDTH.search(word):
            for run in RUN.findall(word):
                pieces += [run] if width_of(run.rstrip(), bold=bold) <= width else run
        elif width_of(word.rstrip(), bold=bold) <= width:
            pieces.append(word)
        else:
            pieces += [NEW_LINE, *word]
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
