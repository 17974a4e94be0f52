"""The picture of a card that players share, and the moving race: letters, tiles and colours, drawn with Pillow.

Loaded at the first picture alone.
"""

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Final, Literal, NamedTuple

from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont, ImageOps, PngImagePlugin

from tournament.pages.charts import Runner
from tournament.pdf.drawings import SPRITE, STATIC_DIR
from tournament.stats.rows import EventCard, PlayerCard, RaceCard, Shape

SIZES: Final[Mapping[Shape, tuple[int, int]]] = {"wide": (1200, 630), "square": (1080, 1080), "story": (1080, 1920)}
RACE_SIZES: Final[Mapping[Shape, tuple[int, int]]] = {"wide": (960, 504), "square": (720, 720), "story": (720, 1280)}
RACE_ROWS: Final[Mapping[Shape, int]] = {"wide": 6, "square": 8, "story": 12}
RACE_STEPS: Final = 72  # pictures between rounds, all together: they are most of the file
RACE_TICK, RACE_ROUND, RACE_NAME, RACE_END = 80, 500, 450, 6000  # milliseconds: a step, a round, a name, the end
MARGIN: Final = 56
BAR: Final = 84
MIDDLE: Final = 620  # where the right half of a wide one begins
HEAD, GAP = 290, 80  # of a tall one: where its blocks begin, and what is between them at most
COLOURS: Final = 64
SHARP: Final = 3  # lines are drawn larger and made smaller: Pillow's have steps
TILE: Final = (90, 120)  # of the picture of all faces
SMALL, LARGE, APART = 45, 72, 14  # how wide a tile is, and how far the winning one is from the others
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


def draw_player(card: PlayerCard, shape: Shape = "wide") -> bytes:
    """Draw a player's card as a PNG file."""
    sheet = _Sheet(card.event, card.fresh, SIZES[shape])
    (_draw_wide if shape == "wide" else _draw_tall)(sheet, card)
    return sheet.png()


def _draw_wide(sheet: "_Sheet", card: PlayerCard) -> None:
    right, room = sheet.right, sheet.right - MARGIN
    sheet.write(card.name, (MARGIN, 178), 68, "Bold", room=room)
    _write_title(sheet, card, 226, 34)
    left = MIDDLE - MARGIN - 40 if len(card.values) > 1 else room
    _write_figure(sheet, card, 372, 116, left)
    sheet.write(card.second, (MARGIN, 446), 56, "Bold", SIGNS[card.sign], room=left)
    if len(card.values) > 1:
        sheet.line(card, (MIDDLE, 262, right, 600 if card.texts else 452))
    if sum(count for _place, count in card.placements):
        sheet.parts(card.placements, (MARGIN, 468, right, 504))
    tile = SMALL if card.best else min(LARGE, _tile_room(card, room))
    tiles = len(card.tiles) * tile + APART
    if card.best:
        room -= tiles + 24 if card.tiles else 0
        sheet.write(card.best, (MARGIN, 564), 36, "Bold", room=room)
    sheet.write(card.where, (MARGIN, 600), 26, colour="soft", room=room)
    sheet.tiles(card.tiles, right - tiles if card.best else MARGIN, 540 if card.best else 474, tile)


def _draw_tall(sheet: "_Sheet", card: PlayerCard) -> None:
    """Draw the name at the top, and the other blocks below one another in the middle of what is left."""
    right, room, tall = sheet.right, sheet.right - MARGIN, sheet.bottom > sheet.right + MARGIN
    sheet.write(card.name, (MARGIN, 200), 76, "Bold", room=room)
    _write_title(sheet, card, 262, 40)
    size, chart, tile = 220 if tall else 170, 560 if tall else 230, _tile_room(card, room)
    blocks: list[tuple[int, Callable[[int], object]]] = []
    write = partial(sheet.write, card.second, size=64, family="Bold", colour=SIGNS[card.sign], room=room)
    end = sheet.width_of(card.second, 64, "Bold") if card.beside else 0  # a total ends the line of the place

    def figure(top: int) -> None:
        _write_figure(sheet, card, top + size - 30, size, room - end - 40)
        if end:
            write(at=(right - end, top + size - 30))

    if card.figure:
        blocks.append((size, figure))
    if card.second and not end:
        blocks.append((80, lambda top: write(at=(MARGIN, top + 64))))
    if len(card.values) > 1:
        blocks.append((chart, lambda top: sheet.line(card, (MARGIN, top, right, top + chart))))
    if sum(count for _place, count in card.placements):
        blocks.append((48, lambda top: sheet.parts(card.placements, (MARGIN, top, right, top + 48))))
    if card.best:
        blocks.append((44, lambda top: sheet.write(card.best, (MARGIN, top + 40), 46, "Bold", room=room)))
    if card.tiles:
        blocks.append((tile * 4 // 3, lambda top: sheet.tiles(card.tiles, MARGIN, top, tile)))
    if card.where:
        blocks.append((36, lambda top: sheet.write(card.where, (MARGIN, top + 28), 32, colour="soft", room=room)))
    free = sheet.bottom - HEAD - 30 - sum(high for high, _draw in blocks)
    gap = min(GAP if tall else GAP // 2, free // (len(blocks) + 1))
    top = HEAD + (free - gap * (len(blocks) - 1)) // 2
    for high, draw in blocks:
        draw(top)
        top += high + gap


def _write_title(sheet: "_Sheet", card: PlayerCard, line: int, size: int) -> None:
    """Say below the name what the card tells, else where the player is from."""
    room = sheet.right - MARGIN
    if card.title:
        sheet.write(card.title, (MARGIN, line), size, "Bold", "felt", room=room)
    else:
        sheet.write(card.about, (MARGIN, line - 4), size - 6, colour="soft", room=room)


def _write_figure(sheet: "_Sheet", card: PlayerCard, line: int, size: int, room: float) -> None:
    """Write the figure and what is beside it; on the ground of a medal where there is one."""
    if not card.figure:
        return
    size, inset = (size * 5 // 6, size // 4) if card.medal else (size, 0)
    beside = sheet.width_of(card.beside, size // 3) + size // 8 if card.beside else 0
    most = room - beside - 2 * inset
    if card.medal:
        line -= size // 12
        size = sheet.fits(card.figure, size, "Bold", most)
        wide = min(sheet.width_of(card.figure, size, "Bold"), most) + 2 * inset
        sheet.medal(MEDALS[card.medal], (MARGIN, line - size, MARGIN + wide, line + size // 4))
    end = sheet.write(card.figure, (MARGIN + inset, line), size, "Bold", room=most) + inset
    sheet.write(card.beside, (end + size // 8, line), size // 3, colour="soft", room=beside)


def _tile_room(card: PlayerCard, room: float) -> int:
    """Return how wide a tile of a card is at most, so that all are in one row."""
    return min(TILE[0], int((room - APART) / max(1, len(card.tiles))))


def draw_event(card: EventCard) -> bytes:
    """Draw an event's card as a PNG file."""
    sheet = _Sheet("Hanchan Desk", card.fresh, SIZES["wide"])
    right = sheet.right
    room = right - MARGIN
    if card.photo and card.best:
        sheet.photo(card.photo, (right - 360, BAR + 20, right, BAR + 200))
        room -= 390
    elif card.photo:
        sheet.photo(card.photo, (MARGIN, 276, right, sheet.bottom - 30))
    sheet.write(card.event, (MARGIN, 196), 72, "Bold", room=room)
    sheet.write(card.about, (MARGIN, 246), 30, colour="soft", room=room)
    size = min((sheet.fits(place, 48, "Bold", 140) for place, _name, _total in card.best), default=0)
    for at, (place, name, total) in enumerate(card.best):
        line = 362 + 92 * at
        sheet.write(place, (MARGIN, line), size, "Bold", "felt", room=140)
        start = sheet.width_of(total, 44, "Bold")
        sheet.write(name, (MARGIN + 170, line), 48, "Bold", room=right - MARGIN - 200 - start)
        sheet.write(total, (right - start, line), 44, "Bold", room=400)
        sheet.rule(line + 30)
    for at, (rank, part) in enumerate(card.bars):
        left, top = MARGIN + 170, 378 + 92 * at
        if part:
            sheet.box((left, top, left + (right - left) * part, top + 12), MEDALS[rank][0])
    return sheet.png()


def draw_race(card: RaceCard, shape: Shape, _progress: object = None) -> bytes:
    """Draw the race as a GIF file: bars without names that overtake round by round, then the names from the last on.

    The first picture is the first round, the last one has all names; its words are in the file, too.
    """
    sheet = _Sheet(card.event, card.fresh, RACE_SIZES[shape])
    runners = card.runners[: RACE_ROWS[shape]]
    order = [sorted(runners, key=lambda each: each.places[at]) for at in range(len(card.ticks))]
    slots = [[each.index(runner) for each in order] for runner in runners]
    last = len(card.ticks) - 1
    steps = max(2, min(12, RACE_STEPS // max(1, last)))
    moments = [(0.0, len(runners), 2 * RACE_ROUND)]
    for at in range(last):
        moments += [(at + step / steps, len(runners), RACE_TICK) for step in range(1, steps)]
        moments.append((at + 1.0, len(runners), RACE_ROUND))
    moments += [(float(last), hidden, RACE_NAME) for hidden in range(len(runners) - 1, 0, -1)]
    moments.append((float(last), 0, RACE_END))
    rows = list(zip(runners, slots, strict=True))
    _draw_moment(sheet, card, rows, last, 0)
    told = " · ".join([card.event, card.fresh, *sheet.words])
    _draw_moment(sheet, card, rows, last, len(runners))
    swatches: Sequence[Colour] = ("red", "gold", "silver", "bronze")
    for at, colour in enumerate(swatches):
        sheet.box((at * MARGIN, sheet.bottom - 8, (at + 1) * MARGIN, sheet.bottom), colour)
    few = sheet.image.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)

    def pictures() -> Iterator[Image.Image]:
        for at, hidden, _shown in moments:
            _draw_moment(sheet, card, rows, at, hidden)
            yield sheet.image.quantize(palette=few, dither=Image.Dither.NONE)

    pages = pictures()
    out = io.BytesIO()
    shown = [milliseconds for _at, _hidden, milliseconds in moments]
    next(pages).save(out, "GIF", save_all=True, append_images=pages, duration=shown, loop=0, comment=told)
    return out.getvalue()


def _draw_moment(
    sheet: "_Sheet", card: RaceCard, runners: Sequence[tuple[Runner, Sequence[int]]], at: float, hidden: int
) -> None:
    """Draw the bars between two rounds, and the names of all but the first `hidden` of the standings."""
    done, part = int(at), at % 1
    sheet.clear()
    sheet.write(card.title, (MARGIN, BAR + 52), 36, "Bold", room=sheet.right - MARGIN - 160)
    tick = card.ticks[done]
    sheet.write(tick, (sheet.right - sheet.width_of(tick, 36, "Bold"), BAR + 52), 36, "Bold", "felt", room=160)
    totals = [total for runner, _slots in runners for total in runner.totals]
    low = min(0, *totals)
    scale = (sheet.right - MARGIN) / (max(1, *totals) - low)
    top = BAR + 76
    high = (sheet.bottom - top - 16) / len(runners)

    def mixed(values: Sequence[int], share: float) -> float:
        return values[done] + (values[done + 1] - values[done]) * share if part else values[done]

    eased = part * part * (3 - 2 * part)
    rows = [(mixed(slots, eased), index) for index, (_runner, slots) in enumerate(runners)]
    for slot, index in sorted(rows, reverse=True):  # who is ahead lies over who is overtaken
        runner = runners[index][0]
        y, size = top + slot * high, min(34, int(high * 0.42))
        line = y + high * 0.48
        sheet.box((MARGIN - 8, y, sheet.right + 8, y + high - 1), "ground")
        sheet.write(runner.place_texts[done], (MARGIN, line), size, "Bold", "felt", room=70)
        text = runner.texts[done]
        start = sheet.right - sheet.width_of(text, size, "Bold")
        sheet.write(text, (start, line), size, "Bold", room=300)
        if index >= hidden:
            sheet.write(runner.name, (MARGIN + 76, line), size, "Bold", room=start - MARGIN - 100)
        total, nought = mixed(runner.totals, part) * scale, MARGIN - low * scale
        place = runner.places[-1] if index >= hidden else 0
        colour: Colour = MEDALS[place][0] if place in MEDALS else "felt" if total >= 0 else "red"
        left, right = sorted((nought, nought + total))
        sheet.box((left, line + high * 0.12, max(right, left + 1), y + high * 0.9), colour)


def is_writable(text: str) -> bool:
    """Tell whether the bundled fonts have every letter of a text."""
    return all(letter.isspace() or _has(letter) for letter in text)


class _Sheet:
    """A picture in the making; it keeps its words."""

    def __init__(self, left: str, right: str, size: tuple[int, int]) -> None:
        width, self.bottom = size
        self.right = width - MARGIN
        self.image = Image.new("RGB", size, _colour("ground"))
        self.pen = ImageDraw.Draw(self.image)
        self.words: list[str] = []
        self.colours = COLOURS
        self.pen.rectangle((0, 0, width, BAR), fill=_colour("bar"))
        small = min(26, width // 36)  # less than the event's name has in a narrow race
        beside = self.width_of(right, small) if right else 0
        self.write(left, (MARGIN, 54), 32, "Bold", "on-bar", room=self.right - MARGIN - beside - 30)
        self.write(right, (self.right - beside, 53), small, colour="on-bar", room=self.right - MARGIN)

    def write(
        self,
        text: str,
        at: tuple[float, float],
        size: int,
        family: Family = "Regular",
        colour: Colour = "ink",
        *,
        room: float,
        edge: int = 0,
    ) -> float:
        """Write a text from its left end on its base line, smaller or cut to fit; return where it ends.

        An `edge` of the ground, so many pixels wide, keeps a line under the text apart from it.
        """
        text = "".join(letter for letter in text if letter.isspace() or _has(letter))
        size = self.fits(text, size, family, room)
        while text and self.width_of(text, size, family) > room:
            text = f"{text.removesuffix('…')[:-1]}…"
        self.words += [text] if text else []
        x, y = at
        for run in _runs(text):
            font = _font(family, size, japanese=run.japanese)
            if edge:
                ground = _colour("ground")
                self.pen.text((x, y), run.text, ground, font, anchor="ls", stroke_width=edge, stroke_fill=ground)
            bold = size / 34 if run.japanese and family == "Bold" else 0
            self.pen.text((x, y), run.text, _colour(colour), font, anchor="ls", stroke_width=bold)
            x += font.getlength(run.text)
        return x

    def fits(self, text: str, size: int, family: Family, room: float) -> int:
        """Return the size at which a text fits into its room, the least size where it does not."""
        while size > MIN_SIZE and self.width_of(text, size, family) > room:
            size -= 2
        return size

    def width_of(self, text: str, size: int, family: Family = "Regular") -> float:
        """Measure a text in pixels."""
        return sum(_font(family, size, japanese=run.japanese).getlength(run.text) for run in _runs(text))

    def medal(self, colours: tuple[Colour, Colour], box: tuple[float, float, float, float]) -> None:
        """Draw the ground of a place on the podium: its edge and its inside."""
        edge, inside = map(_colour, colours)
        self.pen.rounded_rectangle(box, (box[3] - box[1]) / 2, inside, edge, 6)

    def box(self, box: tuple[float, float, float, float], colour: Colour) -> None:
        """Draw a box: a bar, or what lies over something else."""
        self.pen.rectangle(box, _colour(colour))

    def photo(self, webp: bytes, box: tuple[int, int, int, int]) -> None:
        """Draw a picture into a box, cut where its shape differs."""
        with Image.open(io.BytesIO(webp)) as picture:
            self.image.paste(ImageOps.fit(picture.convert("RGB"), (box[2] - box[0], box[3] - box[1])), box)
        self.colours = 256

    def clear(self) -> None:
        """Take away all below the bar at the top."""
        self.words.clear()
        self.box((0, BAR + 1, self.image.width, self.bottom), "ground")

    def rule(self, y: int) -> None:
        """Draw a quiet rule."""
        self.pen.line((MARGIN, y, self.right, y), _colour("line"), 2)

    def line(self, card: PlayerCard, box: tuple[int, int, int, int]) -> None:
        """Draw the line of a card over rounds: places with their texts, points with the zero line."""
        left, top, right, bottom = box
        values, ticks = card.values, card.ticks
        over = 46 if card.texts else 12  # room above the highest point
        low, high = (min(values), max(values)) if card.texts else (min(*values, 0), max(*values, 1))
        high += low == high
        step = (right - left - 30) / (len(values) - 1)
        points = [
            (15 + at * step, over + (high - value) / (high - low) * (bottom - top - over - 36))
            for at, value in enumerate(values)
        ]
        zero = over + high / (high - low) * (bottom - top - over - 36)
        large = Image.new("RGB", ((right - left) * SHARP, (bottom - top) * SHARP), _colour("ground"))
        pen = ImageDraw.Draw(large)
        if not card.texts:
            pen.line((0, zero * SHARP, large.width, zero * SHARP), _colour("edge"), 2 * SHARP)
        pen.line([(x * SHARP, y * SHARP) for x, y in points], _colour("felt"), 5 * SHARP, joint="curve")
        for x, y in points:
            pen.circle((x * SHARP, y * SHARP), 8 * SHARP, _colour("felt"), _colour("ground"), 2 * SHARP)
        self.image.paste(large.resize((right - left, bottom - top), Image.Resampling.LANCZOS), (left, top))
        shown = max(1, -(-len(ticks) // 10))
        for (x, _y), tick in list(zip(points, ticks, strict=True))[::shown]:
            self.write(tick, (left + x - self.width_of(tick, 20) / 2, bottom - 4), 20, colour="soft", room=80)
        for (x, y), text in list(zip(points, card.texts, strict=False))[::shown]:
            self.write(
                text, (left + x - self.width_of(text, 28, "Bold") / 2, top + y - 18), 28, "Bold", room=80, edge=4
            )

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

    def tiles(self, tiles: Sequence[str], x: float, y: int, wide: int) -> None:
        """Draw a hand of tiles so wide, its last tile apart."""
        faces, places = _faces()
        for at, tile in enumerate(tiles):
            from_left = places[tile] * TILE[0]
            face = faces.crop((from_left, 0, from_left + TILE[0], TILE[1]))
            face = face.resize((wide, wide * 4 // 3), Image.Resampling.LANCZOS)
            self.image.paste(face, (int(x) + at * wide + (APART if at == len(tiles) - 1 else 0), y), face)
        self.words += [" ".join(tiles)] if tiles else []

    def png(self) -> bytes:
        """Return the file, few colours and its words in it."""
        told = PngImagePlugin.PngInfo()
        told.add_itxt("Description", " · ".join(self.words))
        out = io.BytesIO()
        few = self.image.quantize(self.colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
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
