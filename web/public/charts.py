"""Charts as shapes of an SVG: lines over rounds or hands, and bars of points won and paid.

Classes give colour, dash and mark, so that black and white is as clear. Beside every chart is a table with its figures.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Literal
from unicodedata import east_asian_width

WIDTH: Final = 360  # units of the drawing; on a phone about a pixel each
HEIGHT: Final = 196
TOP, BOTTOM, LEFT, RIGHT = 22, 26, 50, 18
NAMES: Final = 98  # at the right, where lines carry names
LINE: Final = 13  # from one line of text to the next
INSET: Final = 10  # of the first and last mark from the edge
UNDER, OVER = 17, 9  # from a point to its figure
LETTER: Final = 6.8  # a digit's width, generously
LONGEST: Final = 12  # letters of a name; those of East Asia are two wide
MOST_RULES: Final = 4
LEAST_PLACES: Final = 4
KINDS: Final = 4  # of dashes and marks

ROW: Final = 40  # of a bar with its name
BAR: Final = 14
NUMBERS: Final = 62  # room for a number at either end

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Label:
    """A text with its position."""

    x: float
    y: float
    text: str
    anchor: Anchor = "middle"


@dataclass(frozen=True, slots=True)
class Curve:
    """The values of a line from the left, None for a gap.

    `name` is written at its end where there are several lines, `texts` at the points of a single one.
    """

    values: Sequence[int | None]
    name: str = ""
    texts: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn curve: `kind` gives dash and mark, `marks` is one path, `labels` are the figures at points."""

    kind: int
    line: str
    marks: str
    labels: tuple[Label, ...]
    name: Label | None


@dataclass(frozen=True, slots=True)
class LineChart:
    """A chart of lines; `zero` is the path of the zero line, "" where it is out of range."""

    width: int
    height: int
    rules: str
    zero: str
    scale: tuple[Label, ...]
    ticks: tuple[Label, ...]
    curves: tuple[Drawn, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of a bar chart: points paid to the left of zero, won to the right."""

    name: str
    won: int
    paid: int
    won_text: str
    paid_text: str


@dataclass(frozen=True, slots=True)
class BarChart:
    """A chart of bars: one path for all points won, one for all points paid, and the texts."""

    width: int
    height: int
    zero: str
    won: str
    paid: str
    names: tuple[Label, ...]
    figures: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class _Plot:
    """The scale of a chart: the values at the bottom and at the top, the number of points, the right edge."""

    low: int
    high: int
    count: int
    right: int

    def x(self, at: int) -> float:
        if self.count < 2:
            return (LEFT + self.right) / 2
        return round(LEFT + INSET + at * self.step, 1)

    @property
    def step(self) -> float:
        return (self.right - LEFT - 2 * INSET) / max(1, self.count - 1)

    def y(self, value: int) -> float:
        part = (value - self.low) / (self.high - self.low)
        return round(HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM), 1)


def line_chart(
    curves: Sequence[Curve], ticks: Sequence[str], say: Callable[[int], str], *, with_zero: bool = False
) -> LineChart:
    """Draw lines over points in time, each with a tick ("" for none); `with_zero` includes the zero line.

    `say` writes the scale. A single line has figures at its points where there is room; several have names.
    """
    values = [value for curve in curves for value in curve.values if value is not None] or [0]
    extremes = [*values, 0] if with_zero else values
    rules = _rules(min(extremes), max(extremes))
    plot = _Plot(rules[0], rules[-1], len(ticks), WIDTH - (NAMES if len(curves) > 1 else RIGHT))
    return _chart(curves, ticks, plot, [(value, say(value)) for value in rules])


def place_chart(places: Sequence[int], texts: Sequence[str], players: int, ticks: Sequence[str]) -> LineChart:
    """Draw places over rounds, the first at the top, down to the worst of them; `texts` are the places in words."""
    worst = min(max([*places, LEAST_PLACES]), max(players, 2))
    plot = _Plot(-worst, -1, len(ticks), WIDTH - RIGHT)
    return _chart([Curve([-place for place in places], texts=texts)], ticks, plot, [(-1, "1"), (-worst, str(worst))])


def bar_chart(bars: Sequence[Bar]) -> BarChart:
    """Draw points won and paid, a row for each source; the longest bar fills the width."""
    middle = WIDTH // 2
    longest = max([1, *(max(bar.won, bar.paid) for bar in bars)])
    room = middle - NUMBERS
    won, paid, names, figures = [], [], [], []
    for at, bar in enumerate(bars):
        top, text = at * ROW + 20, at * ROW + 20 + BAR - 3
        names.append(Label(2, at * ROW + LINE, bar.name, "start"))
        right, left = (round(points * room / longest, 1) for points in (bar.won, bar.paid))
        won += [f"M{middle} {top}h{right:g}v{BAR}h-{right:g}z"] if bar.won else []
        paid += [f"M{middle} {top}h-{left:g}v{BAR}h{left:g}z"] if bar.paid else []
        figures.append(Label(middle + right + 5, text, bar.won_text, "start"))
        figures.append(Label(middle - left - 5, text, bar.paid_text, "end"))
    height = len(bars) * ROW + 2
    return BarChart(
        width=WIDTH,
        height=height,
        zero="".join(f"M{middle} {at * ROW + 18}v{BAR + 4}" for at in range(len(bars))),
        won="".join(won),
        paid="".join(paid),
        names=tuple(names),
        figures=tuple(figures),
    )


def short(name: str) -> str:
    """Cut a name to what fits beside a line.

    >>> short("Akelei"), short("Maximiliane-Theodora von Hohenwaldenburg"), short("朝霧すずめの山")
    ('Akelei', 'Maximiliane…', '朝霧すずめ…')
    """
    wide = [1 + (east_asian_width(letter) in "WF") for letter in name]
    if sum(wide) <= LONGEST:
        return name
    fits = sum(total < LONGEST for total in accumulate(wide))
    return f"{name[:fits].rstrip()}…"


def _chart(curves: Sequence[Curve], ticks: Sequence[str], plot: _Plot, scale: Sequence[tuple[int, str]]) -> LineChart:
    ends = _apart([plot.y(_last(curve)) for curve in curves])
    several = len(curves) > 1
    zero = plot.low <= 0 <= plot.high
    return LineChart(
        width=WIDTH,
        height=HEIGHT,
        rules="".join(f"M{LEFT} {plot.y(value):g}H{plot.right}" for value, _ in scale if value),
        zero=f"M{LEFT} {plot.y(0):g}H{plot.right}" if zero else "",
        scale=tuple(Label(LEFT - 6, plot.y(value) + 4, text, "end") for value, text in scale),
        ticks=_thinned([Label(plot.x(at), HEIGHT - 8, text) for at, text in enumerate(ticks) if text]),
        curves=tuple(
            Drawn(
                kind=at % KINDS,
                line=_path(curve, plot),
                marks="".join(_mark(at % KINDS, x, y) for x, y in _points(curve, plot)),
                labels=() if several else _figures(curve, plot),
                name=Label(plot.right + 2, ends[at] + 4, short(curve.name), "start") if several else None,
            )
            for at, curve in enumerate(curves)
        ),
    )


def _rules(low: int, high: int) -> list[int]:
    """Return round values for the horizontal lines, from below `low` to above `high`.

    >>> _rules(-54100, 0), _rules(0, 0), _rules(21000, 41500)
    ([-60000, -40000, -20000, 0], [-1000, -500, 0, 500, 1000], [20000, 30000, 40000, 50000])
    """
    if low == high:
        low, high = low - 1000, high + 1000
    size, factor = 1, 0
    while True:
        step = size * (1, 2, 5)[factor]
        first, last = low // step, -(-high // step)
        if last - first <= MOST_RULES:
            return [number * step for number in range(first, last + 1)]
        size, factor = (size * 10, 0) if factor == 2 else (size, factor + 1)


def _points(curve: Curve, plot: _Plot) -> list[tuple[float, float]]:
    return [(plot.x(at), plot.y(value)) for at, value in enumerate(curve.values) if value is not None]


def _path(curve: Curve, plot: _Plot) -> str:
    """Return the path of the line, which crosses gaps."""
    points = _points(curve, plot)
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) if points else ""


def _mark(kind: int, x: float, y: float) -> str:
    """Draw a disc, a square, a triangle or a lozenge around a point."""
    if kind == 0:
        return f"M{x - 3:g} {y:g}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z"
    if kind == 1:
        return f"M{x - 3:g} {y - 3:g}h6v6h-6z"
    if kind == 2:
        return f"M{x:g} {y - 4:g}l4 7h-8z"
    return f"M{x:g} {y - 4.5:g}l4 4.5l-4 4.5l-4 -4.5z"


def _last(curve: Curve) -> int:
    return next((value for value in reversed(curve.values) if value is not None), 0)


def _apart(heights: Sequence[float]) -> list[float]:
    """Move overlapping names apart by as little as possible, within the chart.

    >>> _apart([50, 52, 100])
    [50, 63, 100]
    >>> _apart([180, 180, 180])
    [164, 177, 190]
    """
    order = sorted(range(len(heights)), key=lambda at: (heights[at], at))
    placed: dict[int, float] = {}
    least = 0.0
    for at in order:
        placed[at] = max(heights[at], least)
        least = placed[at] + LINE
    most = HEIGHT - 6.0
    for at in reversed(order):
        placed[at] = min(placed[at], most)
        most = placed[at] - LINE
    return [round(placed[at]) if placed[at] == round(placed[at]) else placed[at] for at in range(len(heights))]


def _thinned(labels: Sequence[Label]) -> tuple[Label, ...]:
    """Leave out labels that would touch the one before."""
    kept: list[Label] = []
    for label in labels:
        if not kept or label.x - kept[-1].x >= (len(label.text) + len(kept[-1].text)) / 2 * LETTER + 4:
            kept.append(label)
    return tuple(kept)


def _figures(curve: Curve, plot: _Plot) -> tuple[Label, ...]:
    """Return figures for the last, the highest, the lowest and the first point, then others where there is room.

    Where a figure is wider than the step to the next point, the others would cover the line and are left out.
    """
    known = [(at, value) for at, value in enumerate(curve.values) if value is not None]
    by_value = sorted(known, key=lambda each: each[1])
    kept: dict[int, Label] = {}
    wide = max((len(text) for text in curve.texts), default=0) * LETTER > plot.step
    others = known[:1] if wide else known
    for at, value in dict.fromkeys([*known[-1:], *by_value[-1:], *by_value[:1], *others]):
        y = plot.y(value)
        under = _dips(curve, at) and y + UNDER <= HEIGHT - BOTTOM  # or it would lie on the ticks
        label = Label(plot.x(at), y + UNDER if under else y - OVER, curve.texts[at])
        if all(_clear(label, other) for other in kept.values()):
            kept[at] = label
    return tuple(kept[at] for at in sorted(kept))


def _dips(curve: Curve, at: int) -> bool:
    """Return whether a point lies below its neighbours, so that its figure goes under it.

    >>> [_dips(Curve([3, 1, 2, 2]), at) for at in range(4)]
    [False, True, False, False]
    """
    here = curve.values[at]
    around = (*curve.values[max(0, at - 1) : at], *curve.values[at + 1 : at + 2])
    near = [value for value in around if value is not None]
    return here is not None and any(value > here for value in near) and all(value >= here for value in near)


def _clear(label: Label, other: Label) -> bool:
    width = (len(label.text) + len(other.text)) / 2 * LETTER
    return abs(label.x - other.x) >= width or abs(label.y - other.y) >= LINE
