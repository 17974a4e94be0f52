"""The picture of who meets whom: a matrix of players by players as shapes of an SVG, and the same in words.

Shapes only, without a colour: classes give those, in light and dark. It counts nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

CELL: Final = 10  # units of the drawing
WIDEST: Final = 900  # pixels
LARGEST: Final = 22  # pixels of a cell where few play
FONT: Final = 12  # pixels that a number should have

Pairs = Mapping[tuple[int, int], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Label:
    """A number at the edge of the picture."""

    x: int
    y: int
    text: int


@dataclass(frozen=True, slots=True)
class Picture:
    """The shapes: one path for pairs who meet once, one for twice, one for more, one for the diagonal and the lines."""

    view: str
    width: int
    once: str
    twice: str
    more: str
    own: str
    lines: str
    font: int
    left: tuple[Label, ...]
    top: tuple[Label, ...]


def picture_of(numbers: Sequence[int], pairs: Pairs) -> Picture:
    """Return the picture for these players, in this order; `pairs` gives the rounds in which two meet."""
    count = len(numbers)
    scale = min(LARGEST, WIDEST / count) / CELL
    step = 1 if count <= 40 else 5 if count <= 100 else 10
    font = max(7, round(FONT / scale)) if step > 1 else 7
    margin = font * 2 + 2
    place = {number: at for at, number in enumerate(numbers)}
    cells: dict[int, list[str]] = {1: [], 2: [], 3: []}
    for (one, other), rounds in pairs.items():
        for row, column in ((one, other), (other, one)):
            cells[min(len(rounds), 3)].append(_square(margin, place[column], place[row]))
    shown = [at for at in range(count) if step == 1 or not at or (at + 1) % step == 0]
    side = margin + count * CELL
    return Picture(
        view=f"0 0 {side + font} {side + 2}",  # the last number at the top is wider than its cell
        width=round((side + font) * scale),
        once="".join(cells[1]),
        twice="".join(cells[2]),
        more="".join(cells[3]),
        own="".join(_square(margin, at, at) for at in range(count)),
        lines="".join(_line(margin, at, side) for at in range(0, count + 1, 5 if count <= 100 else 10)),
        font=font,
        left=tuple(Label(margin - 3, margin + at * CELL + (CELL + font) // 2 - 1, numbers[at]) for at in shown),
        top=tuple(Label(margin + at * CELL + CELL // 2, margin - 3, numbers[at]) for at in shown),
    )


def words_of(names: Mapping[int, str], pairs: Pairs) -> list[dict[str, Any]]:
    """Return for each player whom they meet, in the order of numbers: the same as the picture, in words."""
    met: dict[int, list[tuple[int, Sequence[int]]]] = {number: [] for number in names}
    for (one, other), rounds in pairs.items():
        met.setdefault(one, []).append((other, rounds))
        met.setdefault(other, []).append((one, rounds))
    return [
        {
            "number": number,
            "name": names.get(number, ""),
            "once": [other for other, rounds in sorted(found) if len(rounds) == 1],
            "again": [{"number": other, "times": len(rounds)} for other, rounds in sorted(found) if len(rounds) > 1],
        }
        for number, found in sorted(met.items())
        if found
    ]


def _square(margin: int, column: int, row: int) -> str:
    return f"M{margin + column * CELL} {margin + row * CELL}h9v9h-9z"


def _line(margin: int, at: int, side: int) -> str:
    here = margin + at * CELL
    return f"M{here - 0.5:g} {margin}V{side}M{margin} {here - 0.5:g}H{side}"
