"""Draw the icons of static/icons that a phone's home screen wants as PNG: the mark of favicon.svg, in its sizes.

`python scripts/draw_icons.py` writes them; the standard library is enough. Shapes are the numbers of favicon.svg, whose
square has 32 units a side.
"""

import struct
import zlib
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "static" / "icons"
UNITS = 32
FELT, IVORY, RED = (0x17, 0x49, 0x3A), (0xFB, 0xF8, 0xEE), (0xC0, 0x3A, 0x22)
# name, pixels a side, radius of the corners in units, how much of the square the stick takes: launchers cut a bleeding
# icon to a circle of 80 hundredths
ICONS = (
    ("desk-192.png", 192, 7.0, 1.0),
    ("desk-512.png", 512, 7.0, 1.0),
    ("desk-bleed-512.png", 512, 0.0, 0.8),
    ("desk-180.png", 180, 0.0, 0.9),
)


def rounded(x: float, y: float, width: float, height: float, radius: float) -> float:
    """Return how far a point is outside of a rounded rectangle around the origin; negative inside."""
    dx, dy = abs(x) - width / 2 + radius, abs(y) - height / 2 + radius
    outside: float = (max(dx, 0) ** 2 + max(dy, 0) ** 2) ** 0.5
    return outside + min(max(dx, dy), 0) - radius


def pixel(x: float, y: float, step: float, corner: float, part: float) -> tuple[int, int, int, int]:
    """Return the colour at a point, counted in units from the middle; edges are mixed over one pixel."""

    def cover(distance: float) -> float:
        return min(1.0, max(0.0, 0.5 - distance / step))

    colour: tuple[float, ...] = FELT
    shapes = (
        (IVORY, rounded(x / part, y / part, 24, 7, 2) * part),
        (RED, ((x**2 + y**2) ** 0.5 / part - 2.3) * part),
    )
    for paint, distance in shapes:
        share = cover(distance)
        colour = tuple(old + (new - old) * share for old, new in zip(colour, paint, strict=True))
    red, green, blue = (round(value) for value in colour)
    return red, green, blue, round(255 * cover(rounded(x, y, UNITS, UNITS, corner) if corner else -1.0))


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def draw(size: int, corner: float, part: float) -> bytes:
    """Return an icon as a PNG file."""
    step = UNITS / size
    at = [(index + 0.5) * step - UNITS / 2 for index in range(size)]
    rows = b"".join(b"\0" + bytes(value for x in at for value in pixel(x, y, step, corner, part)) for y in at)
    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", head),
            chunk(b"IDAT", zlib.compress(rows, 9)),
            chunk(b"IEND", b""),
        )
    )


if __name__ == "__main__":
    for name, size, corner, part in ICONS:
        (FOLDER / name).write_bytes(draw(size, corner, part))
