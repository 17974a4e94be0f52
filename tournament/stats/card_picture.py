"""The picture of a card that players share: letters, tiles and colours, drawn with Pillow.

Loaded at the first picture alone.
"""

import io
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, Literal, NamedTuple

from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont, PngImagePlugin

from tournament.pdf.drawings import SPRITE, STATIC_DIR
from tournament.stats.cards import EventCard, PlayerCard

SIZE: Final = (1200, 630)
MARGIN: Final = 56
BAR: Final = 84
RIGHT: Final = SIZE[0] - MARGIN
MIDDLE: Final = 620  # where the right half begins
COLOURS: Final = 64
SHARP: Final = 3  # lines are drawn larger and made smaller: Pillow's have steps
TILE: Final = (45, 60)
MIN_SIZE: Final = 18

Family = Literal["Regular", "Bold"]
Colour = Literal[
    "ground", "ink", "soft", "felt", "on-felt", "red", "line", "edge", "red-wash", "on-bar", "bar",
    "gold", "gold-wash", "silver", "silver-wash", "bronze", "bronze-wash",
]  # fmt: skip
MEDALS: Final[Mapping[int, tuple[Colour, Colour]]] = {
    1: ("gold", "gold-wash"), 2: ("silver", "silver-wash"), 3: ("bronze", "bronze-wash"),
}  # fmt: skip
INTER: Final[Mapping[Family, str]] = {"Regular": "Inter-Regular.ttf", "Bold": "Inter-Bold.ttf"}
JAPANESE: Final = "BIZUDPGothic-Regular.ttf"
SIGNS: Final[Mapping[int, Colour]] = {1: "felt", -1: "red", 0: "ink"}


class _Run(NamedTuple):
    text: str
    japanese: bool


def draw_player(card: PlayerCard) -> bytes:
    """Draw a player's card as a PNG file."""
    sheet = _Sheet(card.event, card.fresh)
    sheet.write(card.name, (MARGIN, 178), 68, "Bold", room=RIGHT - MARGIN)
    sheet.write(card.about, (MARGIN, 222), 28, colour="soft", room=RIGHT - MARGIN)
    if card.place:
        size, inset = (96, 26) if card.medal else (116, 0)
        if card.medal:
            wide = sheet.width_of(card.place, size, "Bold") + 2 * inset
            sheet.medal(MEDALS[card.medal], (MARGIN, 270, MARGIN + wide, 388))
        beside = sheet.write(card.place, (MARGIN + inset, 364 if card.medal else 372), size, "Bold", room=400) + inset
        sheet.write(card.of, (beside + 14, 372), 32, colour="soft", room=MIDDLE - beside - 34)
        sheet.write(card.total, (MARGIN, 446), 56, "Bold", SIGNS[card.sign], room=MIDDLE - MARGIN - 40)
    if len(card.totals) > 1:
        sheet.line(card.totals, card.ticks, (MIDDLE, 262, RIGHT, 452))
    if sum(count for _place, count in card.placements):
        sheet.parts(card.placements, (MARGIN, 468, RIGHT, 504))
    if card.best:
        tiles = len(card.tiles) * TILE[0] + 14
        room = RIGHT - MARGIN - (tiles + 24 if card.tiles else 0)
        sheet.write(card.best, (MARGIN, 564), 36, "Bold", room=room)
        sheet.write(card.where, (MARGIN, 600), 26, colour="soft", room=room)
        sheet.tiles(card.tiles, RIGHT - tiles, 540)
    return sheet.png()


def draw_event(card: EventCard) -> bytes:
    """Draw an event's card as a PNG file."""
    sheet = _Sheet("Hanchan Desk", card.fresh)
    sheet.write(card.event, (MARGIN, 196), 72, "Bold", room=RIGHT - MARGIN)
    sheet.write(card.about, (MARGIN, 246), 30, colour="soft", room=RIGHT - MARGIN)
    for at, (place, name, total) in enumerate(card.best):
        line = 362 + 92 * at
        sheet.write(place, (MARGIN, line), 48, "Bold", "felt", room=150)
        start = sheet.width_of(total, 44, "Bold")
        sheet.write(name, (MARGIN + 170, line), 48, "Bold", room=RIGHT - MARGIN - 200 - start)
        sheet.write(total, (RIGHT - start, line), 44, "Bold", room=400)
        sheet.rule(line + 30)
    for at, (rank, part) in enumerate(card.bars):
        left, top = MARGIN + 170, 378 + 92 * at
        if part:
            sheet.bar((left, top, left + (RIGHT - left) * part, top + 12), MEDALS[rank][0])
    return sheet.png()


def is_writable(text: str) -> bool:
    """Tell whether the bundled fonts have every letter of a text."""
    return all(letter.isspace() or _has(letter) for letter in text)


class _Sheet:
    """A picture in the making; it keeps its words."""

    def __init__(self, left: str, right: str) -> None:
        self.image = Image.new("RGB", SIZE, _colour("ground"))
        self.pen = ImageDraw.Draw(self.image)
        self.words: list[str] = []
        self.pen.rectangle((0, 0, SIZE[0], BAR), fill=_colour("bar"))
        beside = self.width_of(right, 26) if right else 0
        self.write(left, (MARGIN, 54), 32, "Bold", "on-bar", room=RIGHT - MARGIN - beside - 30)
        self.write(right, (RIGHT - beside, 53), 26, colour="on-bar", room=RIGHT - MARGIN)

    def write(
        self,
        text: str,
        at: tuple[float, float],
        size: int,
        family: Family = "Regular",
        colour: Colour = "ink",
        *,
        room: float,
    ) -> float:
        """Write a text from its left end on its base line, smaller or cut to fit; return where it ends."""
        text = "".join(letter for letter in text if letter.isspace() or _has(letter))
        while size > MIN_SIZE and self.width_of(text, size, family) > room:
            size -= 2
        while text and self.width_of(text, size, family) > room:
            text = f"{text.removesuffix('…')[:-1]}…"
        self.words += [text] if text else []
        x, y = at
        for run in _runs(text):
            font = _font(family, size, japanese=run.japanese)
            bold = size / 34 if run.japanese and family == "Bold" else 0
            self.pen.text((x, y), run.text, _colour(colour), font, anchor="ls", stroke_width=bold)
            x += font.getlength(run.text)
        return x

    def width_of(self, text: str, size: int, family: Family = "Regular") -> float:
        """Measure a text in pixels."""
        return sum(_font(family, size, japanese=run.japanese).getlength(run.text) for run in _runs(text))

    def medal(self, colours: tuple[Colour, Colour], box: tuple[float, float, float, float]) -> None:
        """Draw the ground of a place on the podium: its edge and its inside."""
        edge, inside = map(_colour, colours)
        self.pen.rounded_rectangle(box, (box[3] - box[1]) / 2, inside, edge, 6)

    def bar(self, box: tuple[float, float, float, float], colour: Colour) -> None:
        """Draw a bar of the race."""
        self.pen.rectangle(box, _colour(colour))

    def rule(self, y: int) -> None:
        """Draw a quiet rule."""
        self.pen.line((MARGIN, y, RIGHT, y), _colour("line"), 2)

    def line(self, values: Sequence[int], ticks: Sequence[str], box: tuple[int, int, int, int]) -> None:
        """Draw a line over rounds with its zero line."""
        left, top, right, bottom = box
        low, high = min(*values, 0), max(*values, 1)
        step = (right - left - 30) / (len(values) - 1)
        points = [
            (15 + at * step, 12 + (high - value) / (high - low) * (bottom - top - 48))
            for at, value in enumerate(values)
        ]
        zero = 12 + high / (high - low) * (bottom - top - 48)
        large = Image.new("RGB", ((right - left) * SHARP, (bottom - top) * SHARP), _colour("ground"))
        pen = ImageDraw.Draw(large)
        pen.line((0, zero * SHARP, large.width, zero * SHARP), _colour("edge"), 2 * SHARP)
        pen.line([(x * SHARP, y * SHARP) for x, y in points], _colour("felt"), 5 * SHARP, joint="curve")
        for x, y in points:
            pen.circle((x * SHARP, y * SHARP), 8 * SHARP, _colour("felt"), _colour("ground"), 2 * SHARP)
        self.image.paste(large.resize((right - left, bottom - top), Image.Resampling.LANCZOS), (left, top))
        shown = max(1, -(-len(ticks) // 10))
        for (x, _y), tick in list(zip(points, ticks, strict=True))[::shown]:
            self.write(tick, (left + x - self.width_of(tick, 20) / 2, bottom - 4), 20, colour="soft", room=80)

    def parts(self, parts: Sequence[tuple[str, int]], box: tuple[int, int, int, int]) -> None:
        """Draw a row of parts, each as wide as its count, with its name and count where there is room."""
        left, top, right, bottom = box
        whole, x = sum(count for _name, count in parts), float(left)
        for at, (name, count) in enumerate(parts):
            wide = (right - left) * count / whole
            if not count:
                continue
            paper = _mixed(at, len(parts))
            self.pen.rectangle((x, top, x + wide - 3, bottom), fill=paper)
            text = f"{name} × {count}"
            dark = sum(paper) < 360
            if self.width_of(text, 22, "Bold") < wide - 16:
                self.write(text, (x + 12, bottom - 10), 22, "Bold", "on-felt" if dark else "ink", room=wide)
            x += wide

    def tiles(self, tiles: Sequence[str], x: float, y: int) -> None:
        """Draw a hand, its last tile apart."""
        faces, places = _faces()
        for at, tile in enumerate(tiles):
            left = int(x) + at * TILE[0] + (14 if at == len(tiles) - 1 else 0)
            from_left = places[tile] * TILE[0]
            face = faces.crop((from_left, 0, from_left + TILE[0], TILE[1]))
            self.image.paste(face, (left, y), face)
        self.words += [" ".join(tiles)] if tiles else []

    def png(self) -> bytes:
        """Return the file, few colours and its words in it."""
        told = PngImagePlugin.PngInfo()
        told.add_itxt("Description", " · ".join(self.words))
        out = io.BytesIO()
        few = self.image.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(out, "PNG", optimize=True, pnginfo=told)
        return out.getvalue()


@cache
def _letters(file: str) -> frozenset[int]:
    with TTFont(STATIC_DIR / "fonts" / file, lazy=True) as font:
        return frozenset(font.getBestCmap())


def _has(letter: str) -> bool:
    return ord(letter) in _letters(INTER["Bold"]) or ord(letter) in _letters(JAPANESE)


@cache
def _font(family: Family, size: int, *, japanese: bool) -> ImageFont.FreeTypeFont:
    file = JAPANESE if japanese else INTER[family]
    return ImageFont.truetype(str(STATIC_DIR / "fonts" / file), size, layout_engine=ImageFont.Layout.BASIC)


def _runs(text: str) -> list[_Run]:
    """Cut a text into runs of one font each."""
    runs: list[_Run] = []
    latin = _letters(INTER["Bold"])
    for letter in text:
        japanese = ord(letter) not in latin
        if runs and runs[-1].japanese == japanese:
            runs[-1] = _Run(runs[-1].text + letter, japanese)
        else:
            runs.append(_Run(letter, japanese))
    return runs


@cache
def _tokens() -> Mapping[str, tuple[int, int, int]]:
    """Return the colours of the pages by light."""
    style = (STATIC_DIR / "css" / "tokens.css").read_text(encoding="utf-8")
    found: dict[str, tuple[int, int, int]] = {}
    for name, red, green, blue in re.findall(r"--([\w-]+): #(..)(..)(..);", style):
        found.setdefault(name, (int(red, 16), int(green, 16), int(blue, 16)))
    return found


def _colour(name: Colour) -> tuple[int, int, int]:
    return _tokens()[name]


def _mixed(at: int, parts: int) -> tuple[int, int, int]:
    """Return the colour of a part: felt, lighter for each place, and red for the last."""
    if at == parts - 1:
        return _colour("red-wash")
    share = (1, 0.55, 0.2)[min(at, 2)]
    felt, ground = _colour("felt"), _colour("ground")
    red, green, blue = (round(one * share + other * (1 - share)) for one, other in zip(felt, ground, strict=True))
    return red, green, blue


@cache
def _faces() -> tuple[Image.Image, Mapping[str, int]]:
    """Return the picture of all faces (scripts/draw_tiles.py) and where in it each is."""
    names = re.findall(r'<symbol id="tile-([^"]+)"', SPRITE.read_text(encoding="utf-8"))
    with Image.open(SPRITE.with_suffix(".png")) as picture:
        return picture.convert("RGBA"), {name: at for at, name in enumerate(names)}
