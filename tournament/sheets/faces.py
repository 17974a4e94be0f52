"""Tile faces for paper, from the same sprite as the pages: black and grey, each an image of its own.

The sheets' setter follows no reference into another file, so the sprite is read once and its faces are written out.
"""

import re
from dataclasses import dataclass
from functools import cache

from django.utils.safestring import SafeString, mark_safe

from tournament.sheets.render import STATIC_DIR

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
