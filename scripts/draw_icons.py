"""Draw the icons of static/icons that a phone's home screen wants as PNG: the mark of favicon.svg, in its sizes.

`python scripts/draw_icons.py` writes them. Shapes are the numbers of favicon.svg, whose square has 32 units a side.
"""

from pathlib import Path

from PIL import Image, ImageDraw

FOLDER = Path(__file__).resolve().parent.parent / "static" / "icons"
UNITS = 32
FINER = 8  # times, while it is drawn: Pillow's edges have steps
COLOURS = 64  # edges included
FELT, IVORY, RED = "#17493a", "#fbf8ee", "#c03a22"
# name, pixels a side, radius of the corners in units, how much of the square the stick takes: launchers cut a bleeding
# icon to a circle of 80 hundredths
ICONS = (
    ("desk-192.png", 192, 7.0, 1.0),
    ("desk-512.png", 512, 7.0, 1.0),
    ("desk-bleed-512.png", 512, 0.0, 0.8),
    ("desk-180.png", 180, 0.0, 0.9),
)


def draw(size: int, corner: float, part: float) -> Image.Image:
    """Return an icon."""
    unit = size * FINER / UNITS
    icon = Image.new("RGBA", (size * FINER, size * FINER))
    pen = ImageDraw.Draw(icon)

    def box(width: float, height: float) -> tuple[float, float, float, float]:
        middle = UNITS / 2
        sides = (middle - width / 2, middle - height / 2, middle + width / 2, middle + height / 2)
        left, top, right, bottom = (side * unit for side in sides)
        return left, top, right - 1, bottom - 1

    pen.rounded_rectangle(box(UNITS, UNITS), corner * unit, FELT)
    pen.rounded_rectangle(box(24 * part, 7 * part), 2 * part * unit, IVORY)
    pen.ellipse(box(4.6 * part, 4.6 * part), RED)
    return icon.reduce(FINER).quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


if __name__ == "__main__":
    for name, size, corner, part in ICONS:
        draw(size, corner, part).save(FOLDER / name, optimize=True)
