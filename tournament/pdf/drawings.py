"""Pictures on paper as SVG: codes for phones, and tile faces in black and grey.

Paper follows no reference into another file, so the sprite of the pages is read once and its faces are written out.
"""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import segno
from django.utils.safestring import SafeString, mark_safe

STATIC_DIR = Path(__file__).resolve().parents[2] / "static"
# An origin that cannot exist (RFC 2606), so that even a fetcher gone wrong would reach nobody.
BASE_URL = "https://paper.invalid/static/"
CODES_URL = f"{BASE_URL}codes/"  # an address after it: its code
QUIET = 2  # squares left white around a code: half of what the norm wants, the paper around it is white
MASK = 2  # trying all eight takes ten times as long, and every reader reads every one of them


@functools.lru_cache(maxsize=500)  # of a hall's tables, some 20 kB each: they stand on sheets of several kinds
def code_strokes(address: str) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    """Return how many squares wide an address's code is, and its dark strokes (x, y, width), a square high.

    Raises segno's DataOverflowError past some 2,300 letters.
    """
    rows = [list(row) for row in segno.make(address, error="m", micro=False, mask=MASK).matrix_iter(border=QUIET)]
    return len(rows), tuple((x, y, width) for y, row in enumerate(rows) for x, width in _runs(row))


def code_svg(address: str) -> SafeString:
    """Draw an address as a code for a screen; raises as code_strokes."""
    size, strokes = code_strokes(address)
    drawn = "".join(f"M{x} {y}.5h{width}" for x, y, width in strokes)
    # numbers alone: the address itself does not stand in the markup
    return mark_safe(  # noqa: S308
        f'<svg class="code" viewBox="0 0 {size} {size}"><path fill="none" stroke="#000" d="{drawn}"/></svg>'
    )


def _runs(row: list[int]) -> Iterator[tuple[int, int]]:
    """Yield where the dark squares of a row begin and how many touch."""
    start = None
    for x, dark in enumerate([*row, 0]):
        if dark and start is None:
            start = x
        if not dark and start is not None:
            yield start, x - start
            start = None


@dataclass(frozen=True, slots=True)
class CodeImage:
    """A code as WeasyPrint draws an image: straight into the PDF, a fifth of the work of reading its SVG."""

    address: str

    def get_intrinsic_size(self, resolution: float, _font_size: float) -> tuple[float, float, float]:
        """Return width, height and their ratio."""
        size = code_strokes(self.address)[0] / resolution
        return size, size, 1

    def draw(self, stream: Any, width: float, height: float, style: Any) -> None:
        """Fill the strokes in the colour of the text."""
        size, strokes = code_strokes(self.address)
        stream.transform(a=width / size, d=height / size)
        stream.set_color(style["color"])
        for x, y, run in strokes:
            stream.rectangle(x, y, run, 1)
        stream.fill()


class Images(dict[str, Any]):
    """WeasyPrint's cache of a document's images, which has every code from the beginning."""

    def __contains__(self, url: object) -> bool:
        """Tell whether nothing need be fetched."""
        return str(url).startswith(CODES_URL) or super().__contains__(url)

    def __missing__(self, url: str) -> CodeImage:
        """Make a code."""
        return CodeImage(unquote(url.removeprefix(CODES_URL)))


SPRITE = STATIC_DIR / "tiles" / "tiles.svg"
WIDTH, HEIGHT = 30, 40
_SYMBOL = re.compile(r'<symbol id="tile-([^"]+)"[^>]*>(.*?)</symbol>', re.DOTALL)
_COLOUR = re.compile(r"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})\b")
_EDGE = f'<rect x=".5" y=".5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="3" fill="#fff" stroke="#000"/>'


@dataclass(frozen=True, slots=True)
class Face:
    """One tile as it lies: its name in notation or "back", turned if it was called, with the tile added to it."""

    tile: str
    turned: bool = False
    added: str = ""


def drawn(face: Face) -> SafeString:
    """Draw a tile; raises KeyError for what is no tile."""
    if not face.turned:
        return _image("face", WIDTH, HEIGHT, _face(face.tile))
    lying = [_lying(tile, row) for row, tile in enumerate(filter(None, (face.added, face.tile)))]
    return _image("face stacked" if face.added else "face turned", HEIGHT, WIDTH * len(lying), "".join(lying))


@cache
def face_file(name: str) -> bytes:
    """Return an upright tile as a file of its own, "1p.svg", for sheets of many tiles: it is read once for all of them.

    Raises KeyError for what is no tile.
    """
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{_face(name.removesuffix(".svg"))}</svg>'.encode()


def _lying(tile: str, row: int) -> str:
    return f'<g transform="translate(0 {WIDTH * (row + 1)}) rotate(-90)">{_face(tile)}</g>'


def _image(kind: str, width: int, height: int, inside: str) -> SafeString:
    # our own sprite and numbers alone: what a person typed only chooses among the faces
    size = f'class="{kind}" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return mark_safe(f"<svg {size}>{inside}</svg>")  # noqa: S308


def _face(tile: str) -> str:
    return _EDGE + _faces()[tile]


@cache
def _faces() -> dict[str, str]:
    text = SPRITE.read_text(encoding="utf-8")
    return {name: _COLOUR.sub(_grey, inside) for name, inside in _SYMBOL.findall(text)}


def _grey(colour: "re.Match[str]") -> str:
    """Return the grey that is as light as a colour; what is nearly black is black.

    >>> _COLOUR.sub(_grey, "#1b211e #ffffff")
    '#000000 #ffffff'
    """
    red, green, blue = (int(part, 16) for part in colour.groups())
    light = (299 * red + 587 * green + 114 * blue) // 1000
    return f"#{light if light > 64 else 0:02x}" + f"{light if light > 64 else 0:02x}" * 2


def corner_svg() -> SafeString:
    """Draw the ornament of a certificate's upper left corner, in the colour of the text around it."""
    bars = "".join(
        f'<rect x="{4 + at * 4}" y="{4 + at * 4}" width="{70 - at * 16}" height="1.4"/>'
        f'<rect x="{4 + at * 4}" y="{4 + at * 4}" width="1.4" height="{70 - at * 16}"/>'
        for at in range(4)
    )
    dots = "".join(f'<circle cx="{30 + at * 9}" cy="{30 + at * 9}" r="{3.4 - at}"/>' for at in range(3))
    return mark_safe(f'<svg viewBox="0 0 80 80" fill="currentColor" aria-hidden="true">{bars}{dots}</svg>')  # noqa: S308


STACK, HIGH, GAP = 26, 16, 22  # a stack's width, a tile's height and the gap of a wall, as drawn


def wall_svg(stacks: int, indicator: int) -> SafeString:
    """Draw a dead wall as its owner sees it: the gap, so many stacks, and the wall's end beside them.

    Replacement tiles have their order on them, the indicator is filled. Drawn in the colour of the text around it.
    """
    dead = [_stack(2 * STACK + GAP + at * STACK, at + 1, indicator) for at in range(stacks)]
    after = 2 * STACK + GAP + stacks * STACK
    ends = "".join(_tile(x, y, ' stroke-dasharray="3 2"') for x in (0, STACK, after + 8) for y in (0, HIGH))
    arrow = f'<path d="M{2 * STACK - 4} {2 * HIGH + 9}H8m5-4-5 4 5 4" stroke-width="1.2"/>'
    numbers = 'font-size="10" font-family="Desk Latin, sans-serif" text-anchor="middle"'
    return mark_safe(  # noqa: S308 - numbers alone
        f'<svg class="wall-picture" viewBox="-1 -1 {after + STACK + 10} {2 * HIGH + 16}" fill="none" '
        f'stroke="currentColor" aria-hidden="true">{ends}{arrow}<g {numbers}>{"".join(dead)}</g></svg>'
    )


def _stack(x: int, number: int, indicator: int) -> str:
    upper, lower = _tile(x, 0, ' fill="currentColor"' if number == indicator else ""), _tile(x, HIGH, "")
    if number >= indicator:
        return upper + lower
    words = (
        f'<text x="{x + STACK // 2}" y="{y + 12}" fill="currentColor" stroke="none">{order}</text>'
        for y, order in ((0, 2 * number - 1), (HIGH, 2 * number))
    )
    return upper + lower + "".join(words)


def _tile(x: int, y: int, more: str) -> str:
    return f'<rect x="{x}.5" y="{y}.5" width="{STACK - 2}" height="{HIGH - 1}" rx="2"{more}/>'
