"""Charts as shapes of an SVG: lines over rounds or hands, bars, and the race of a tournament.

We draw them ourselves: a page, a printed page and a PDF take the same drawing, without inline styles or scripts, which
the content policy refuses. Classes give colour, dash and mark, so that black and white is as clear. Every chart has a
table with its figures; `hits` are the areas that tell the figures to a pointer (static/stats/charts.js).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from typing import Any, Final, Literal
from unicodedata import east_asian_width

from tournament.text.languages import colon
from tournament.text.numbers import say_place

WIDTH: Final = 360  # units of the drawing; on a phone about a pixel each
CHART_TOP, CHART_BOTTOM, CHART_LEFT, CHART_RIGHT = 22, 26, 50, 18
NAMES: Final = 98  # at the right, where lines carry names
MAX_NAMES: Final = 0.3  # of the width of a wide drawing
LINE: Final = 13  # from one line of text to the next
INSET: Final = 10  # of the first and last mark from the edge
UNDER, OVER = 17, 9  # from a point to its figure
LETTER: Final = 6.8  # a digit's width, generously
GAP: Final = 4  # between two texts of a line
LONGEST: Final = 12  # letters of a name; those of East Asia are two wide
MAX_RULES: Final = 4
MIN_PLACES: Final = 4
KINDS: Final = 8  # of dashes and marks

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a drawing in its units; a `wide` one is for pages with room, and cuts no name that fits."""

    width: int
    height: int
    wide: bool = False


PHONE: Final = Size(WIDTH, 196)
WIDE: Final = Size(880, 300, wide=True)


@dataclass(frozen=True, slots=True)
class Label:
    """A text with its position."""

    x: float
    y: float
    text: str
    anchor: Anchor = "middle"


@dataclass(frozen=True, slots=True)
class Hit:
    """An area of the drawing, from `x` over `width` units in its whole height, and what it tells."""

    x: float
    width: float
    text: str


@dataclass(frozen=True, slots=True)
class Curve:
    """The values of a line from the left, None for a gap.

    `name` is written at its end where there are several lines, `texts` at the points of a single one.
    """

    values: Sequence[int | None]
    name: str = ""
    texts: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class DrawnCurve:
    """A drawn curve: `kind` gives dash and mark, `marks` is one path, `labels` are the figures at points."""

    kind: int
    line: str
    marks: str
    labels: tuple[Label, ...]
    name: Label | None


@dataclass(frozen=True, slots=True)
class LineChart:
    """A chart of lines; `zero` is the path of the zero line, "" where it is out of range; ``hits` tell its figures."""

    width: int
    height: int
    rules: str
    zero: str
    scale: tuple[Label, ...]
    ticks: tuple[Label, ...]
    curves: tuple[DrawnCurve, ...]
    hits: tuple[Hit, ...] = ()
    wide: bool = False
    band: str = ""


@dataclass(frozen=True, slots=True)
class FigureChart:
    """Lines for a phone and for a page with room, and their figures as a table.

    `names` are the heads of its columns; `rows` has each point in time with its figures in words.
    """

    phone: LineChart
    wide: LineChart
    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class _Plot:
    """The scale of a chart: the values at the bottom and at the top, the number of points, the right edge."""

    low: int
    high: int
    count: int
    right: int
    size: Size = PHONE

    def x(self, at: int) -> float:
        if self.count < 2:
            return (CHART_LEFT + self.right) / 2
        return round(CHART_LEFT + INSET + at * self.step, 1)

    @property
    def step(self) -> float:
        return (self.right - CHART_LEFT - 2 * INSET) / max(1, self.count - 1)

    def y(self, value: int) -> float:
        part = (value - self.low) / (self.high - self.low)
        return round(self.bottom - part * (self.bottom - CHART_TOP), 1)

    @property
    def bottom(self) -> int:
        return self.size.height - CHART_BOTTOM


def line_chart(
    curves: Sequence[Curve],
    ticks: Sequence[str],
    say: Callable[[int], str],
    *,
    hits: Sequence[str] = (),
    with_zero: bool = False,
    size: Size = PHONE,
    band: Sequence[tuple[int, int]] = (),
) -> LineChart:
    """Draw lines over points in time, each with a tick ("" for none); `with_zero` includes the zero line.

    `say` writes the scale; `hits` are what each point in time tells. A single line has figures at its points where
    there is room; several have names. A `band` is drawn from the lower to the upper of two values at each point.
    """
    values = [value for curve in curves for value in curve.values if value is not None] or [0]
    values += chain.from_iterable(band)
    extremes = [*values, 0] if with_zero else values
    rules = _rules(min(extremes), max(extremes))
    plot = _Plot(rules[0], rules[-1], len(ticks), size.width - _beside(curves, size), size)
    edge = [(at, low) for at, (low, _high) in enumerate(band)]
    edge += [(at, high) for at, (_low, high) in reversed(list(enumerate(band)))]
    path = "M" + "L".join(f"{plot.x(at):g} {plot.y(value):g}" for at, value in edge) + "z" if edge else ""
    return replace(_chart(curves, ticks, plot, [(value, say(value)) for value in rules], hits), band=path)


def phone_and_wide(*drawing: Any, **options: Any) -> dict[str, LineChart]:
    """Draw lines as `line_chart` does for a phone ("phone") and for a page with room ("wide")."""
    return {name: line_chart(*drawing, size=size, **options) for name, size in (("phone", PHONE), ("wide", WIDE))}


def figure_chart(
    curves: Sequence[Curve], points: Sequence[str], ticks: Sequence[str], say: Callable[[int], str], **options: Any
) -> FigureChart:
    """Draw curves that have a name and texts, as `line_chart` does; `points` are the names of the points in time."""
    rows = tuple((point, tuple(curve.texts[at] for curve in curves)) for at, point in enumerate(points))
    names = tuple(curve.name for curve in curves)
    hits = [
        f"{point}{colon()}" + " · ".join(f"{name} {text}" for name, text in zip(names, texts, strict=True))
        for point, texts in rows
    ]
    drawn = phone_and_wide(curves, ticks, say, hits=hits, **options)
    return FigureChart(drawn["phone"], drawn["wide"], names, rows)


def place_chart(
    places: Sequence[int], texts: Sequence[str], players: int, ticks: Sequence[str], hits: Sequence[str] = ()
) -> LineChart:
    """Draw places over rounds, the best at the top, in the range that they take; `texts` are the places in words."""
    best, worst = _place_range(places, players)
    plot = _Plot(-worst, -best, len(ticks), WIDTH - CHART_RIGHT)
    scale = [(-best, str(best)), (-worst, str(worst))]
    return _chart([Curve([-place for place in places], texts=texts)], ticks, plot, scale, hits)


def _place_range(places: Sequence[int], players: int) -> tuple[int, int]:
    """Return the best and the worst place of a scale: those taken, with room for at least some.

    >>> _place_range([10, 30, 28], 32), _place_range([2, 2], 32), _place_range([31, 32], 32), _place_range([1], 2)
    ((10, 30), (1, 4), (29, 32), (1, 2))
    """
    best, worst = min(places), max(places)
    if best <= MIN_PLACES:
        best = 1
    worst = min(max(worst, best + MIN_PLACES - 1), max(players, 2))
    return max(1, min(best, worst - MIN_PLACES + 1)), worst


def _beside(curves: Sequence[Curve], size: Size) -> int:
    """Return the room at the right: that of the names where there are several lines."""
    if len(curves) < 2:
        return CHART_RIGHT
    if not size.wide:
        return NAMES
    longest = max(sum(_widths(curve.name)) for curve in curves)
    return round(min(longest * LETTER + 10, size.width * MAX_NAMES))


def short(name: str, longest: int = LONGEST) -> str:
    """Cut a name to what fits beside a line: so many letters, of which those of East Asia are two wide.

    >>> short("Akelei"), short("Maximiliane-Theodora von Hohenwaldenburg"), short("朝霧すずめの山")
    ('Akelei', 'Maximiliane…', '朝霧すずめ…')
    """
    wide = _widths(name)
    if sum(wide) <= longest:
        return name
    fits = sum(total < longest for total in accumulate(wide))
    return f"{name[:fits].rstrip()}…"


def _widths(name: str) -> list[int]:
    return [1 + (east_asian_width(letter) in "WF") for letter in name]


def _chart(
    curves: Sequence[Curve], ticks: Sequence[str], plot: _Plot, scale: Sequence[tuple[int, str]], hits: Sequence[str]
) -> LineChart:
    ends = _apart([plot.y(_last(curve)) for curve in curves], plot.size.height)
    several = len(curves) > 1
    zero = plot.low <= 0 <= plot.high
    longest = int((plot.size.width - plot.right - 4) / LETTER) if plot.size.wide else LONGEST
    return LineChart(
        width=plot.size.width,
        height=plot.size.height,
        rules="".join(f"M{CHART_LEFT} {plot.y(value):g}H{plot.right}" for value, _ in scale if value),
        zero=f"M{CHART_LEFT} {plot.y(0):g}H{plot.right}" if zero else "",
        scale=tuple(Label(CHART_LEFT - 6, plot.y(value) + 4, text, "end") for value, text in scale),
        ticks=_thinned([Label(plot.x(at), plot.size.height - 8, text) for at, text in enumerate(ticks) if text]),
        curves=tuple(
            DrawnCurve(
                kind=at % KINDS,
                line=_path(curve, plot),
                marks="".join(_mark(at % KINDS, x, y) for x, y in _points(curve, plot)),
                labels=() if several else _figures(curve, plot),
                name=Label(plot.right + 2, ends[at] + 4, short(curve.name, longest), "start") if several else None,
            )
            for at, curve in enumerate(curves)
        ),
        hits=tuple(_hit(at, text, plot) for at, text in enumerate(hits)),
        wide=plot.size.wide,
    )


def _hit(at: int, text: str, plot: _Plot) -> Hit:
    """Return the area around a point in time, which ends where the drawing ends."""
    left = max(0.0, plot.x(at) - plot.step / 2)
    right = min(float(plot.size.width), plot.x(at) + plot.step / 2)
    return Hit(round(left, 1), round(right - left, 1), text)


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
        if last - first <= MAX_RULES:
            return [number * step for number in range(first, last + 1)]
        size, factor = (size * 10, 0) if factor == 2 else (size, factor + 1)


def _points(curve: Curve, plot: _Plot) -> list[tuple[float, float]]:
    return [(plot.x(at), plot.y(value)) for at, value in enumerate(curve.values) if value is not None]


def _path(curve: Curve, plot: _Plot) -> str:
    """Return the path of the line, which crosses gaps."""
    points = _points(curve, plot)
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) if points else ""


def _mark(kind: int, x: float, y: float) -> str:
    """Draw a disc, a square, a triangle or a lozenge around a point; the second four are hollow by their colours."""
    kind %= 4
    if kind == 0:
        return f"M{x - 3:g} {y:g}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z"
    if kind == 1:
        return f"M{x - 3:g} {y - 3:g}h6v6h-6z"
    if kind == 2:
        return f"M{x:g} {y - 4:g}l4 7h-8z"
    return f"M{x:g} {y - 4.5:g}l4 4.5l-4 4.5l-4 -4.5z"


def _last(curve: Curve) -> int:
    return next((value for value in reversed(curve.values) if value is not None), 0)


def _apart(heights: Sequence[float], height: int) -> list[float]:
    """Move overlapping names apart by as little as possible, within the chart.

    >>> _apart([50, 52, 100], 196)
    [50, 63, 100]
    >>> _apart([180, 180, 180], 196)
    [164, 177, 190]
    """
    order = sorted(range(len(heights)), key=lambda at: (heights[at], at))
    placed: dict[int, float] = {}
    least = 0.0
    for at in order:
        placed[at] = max(heights[at], least)
        least = placed[at] + LINE
    most = height - 6.0
    for at in reversed(order):
        placed[at] = min(placed[at], most)
        most = placed[at] - LINE
    return [round(placed[at]) if placed[at] == round(placed[at]) else placed[at] for at in range(len(heights))]


def _thinned(labels: Sequence[Label]) -> tuple[Label, ...]:
    """Leave out labels that would touch the one before."""
    kept: list[Label] = []
    for label in labels:
        if not kept or label.x - kept[-1].x >= (len(label.text) + len(kept[-1].text)) / 2 * LETTER + GAP:
            kept.append(label)
    return tuple(kept)


def _figures(curve: Curve, plot: _Plot) -> tuple[Label, ...]:
    """Return figures for the last, the highest, the lowest and the first point, then others where there is room.

    Where a figure is wider than the step to the next point, the others would cover the line and are left out.
    """
    known = [(at, value) for at, value in enumerate(curve.values) if value is not None]
    by_value = sorted(known, key=lambda each: each[1])
    kept: dict[int, Label] = {}
    wide = max((len(text) for text in curve.texts), default=0) * LETTER + GAP > plot.step
    others = known[:1] if wide else known
    for at, value in dict.fromkeys([*known[-1:], *by_value[-1:], *by_value[:1], *others]):
        y = plot.y(value)
        under = _dips(curve, at) and y + UNDER <= plot.bottom  # or it would lie on the ticks
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
    width = (len(label.text) + len(other.text)) / 2 * LETTER + GAP
    return abs(label.x - other.x) >= width or abs(label.y - other.y) >= LINE


BAR_HEIGHT: Final = 40  # of a bar with its name
BAR: Final = 14
NUMBERS: Final = 62  # room for a number at either end
SLIM: Final = 24  # of a row with its name beside the bar
NAME: Final = 120  # room for a name at the left
BAR_NAME_LETTERS: Final = 15  # of a name at the left
ROW_LETTERS: Final = 48  # of a name above its row
MIN_SEEN: Final = 14  # units: a narrower part has no figure in it


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of a bar chart: points paid to the left of zero, won to the right."""

    name: str
    won: int
    paid: int
    won_text: str
    paid_text: str


@dataclass(frozen=True, slots=True)
class Count:
    """A row of a chart of counts."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class RowChart:
    """A chart of rows: a path for the first part of every row, one for the second and so on, and the texts.

    Of bars to both sides the first part is what was won, the second what was paid; `zero` is the path between them.
    `hits` are what each row tells, `step` is how high a row is.
    """

    width: int
    height: int
    parts: tuple[str, ...]
    names: tuple[Label, ...]
    figures: tuple[Label, ...]
    hits: tuple[str, ...]
    step: int
    zero: str = ""


def bar_chart(bars: Sequence[Bar]) -> RowChart:
    """Draw points won and paid, a row for each source; the longest bar fills the width."""
    middle = WIDTH // 2
    longest = max([1, *(max(bar.won, bar.paid) for bar in bars)])
    room = middle - NUMBERS
    won, paid, names, figures = [], [], [], []
    for at, bar in enumerate(bars):
        top, text = at * BAR_HEIGHT + 20, at * BAR_HEIGHT + 20 + BAR - 3
        names.append(Label(2, at * BAR_HEIGHT + LINE, bar.name, "start"))
        right, left = (round(points * room / longest, 1) for points in (bar.won, bar.paid))
        won += [f"M{middle} {top}h{right:g}v{BAR}h-{right:g}z"] if bar.won else []
        paid += [f"M{middle} {top}h-{left:g}v{BAR}h{left:g}z"] if bar.paid else []
        figures.append(Label(middle + right + 5, text, bar.won_text, "start"))
        figures.append(Label(middle - left - 5, text, bar.paid_text, "end"))
    zero = "".join(f"M{middle} {at * BAR_HEIGHT + 18}v{BAR + 4}" for at in range(len(bars)))
    parts = ("".join(won), "".join(paid))
    hits = tuple(f"{bar.name}{colon()}{bar.paid_text} · {bar.won_text}" for bar in bars)
    return RowChart(WIDTH, len(bars) * BAR_HEIGHT + 2, parts, tuple(names), tuple(figures), hits, BAR_HEIGHT, zero)


def count_chart(rows: Sequence[Count]) -> RowChart:
    """Draw counts as bars, a row each; the largest fills the width."""
    most = max([1, *(row.count for row in rows)])
    room = WIDTH - NAME - NUMBERS / 2
    wide = [round(row.count * room / most, 1) for row in rows]
    bars = "".join(f"M{NAME} {at * SLIM + 5}h{each:g}v{BAR}h-{each:g}z" for at, each in enumerate(wide) if each)
    figures = tuple(
        Label(NAME + each + 5, at * SLIM + 16, str(row.count), "start")
        for at, (row, each) in enumerate(zip(rows, wide, strict=True))
    )
    hits = tuple(f"{row.name}{colon()}{row.count}" for row in rows)
    return RowChart(WIDTH, len(rows) * SLIM + 2, (bars,), _names([row.name for row in rows]), figures, hits, SLIM)


def share_chart(rows: Sequence[tuple[str, Sequence[int]]]) -> RowChart:
    """Draw rows of counts by place, each filling the width, in parts as large as the counts; long names are above."""
    longest = max((sum(_widths(name)) for name, _counts in rows), default=0)
    above = longest > BAR_NAME_LETTERS
    start, step, under = (0, BAR_HEIGHT, SLIM - 8) if above else (NAME if longest else 0, SLIM, 0)
    room = WIDTH - start
    parts = ["" for _ in (rows[0][1] if rows else ())]
    figures = []
    for at, (_name, counts) in enumerate(rows):
        left, whole = float(start), max(1, sum(counts))
        for kind, count in enumerate(counts):
            wide = round(count * room / whole, 1)
            if count:
                parts[kind] += f"M{left:g} {at * step + under + 3}h{wide:g}v{BAR + 4}h-{wide:g}z"
            if wide >= MIN_SEEN:
                figures.append(Label(round(left + wide / 2, 1), at * step + under + 16, str(count)))
            left = round(left + wide, 1)
    names = _names([name for name, _ in rows], above=above)
    hits = tuple(
        (f"{name}{colon()}" if name else "")
        + " · ".join(f"{say_place(place)} {count}" for place, count in enumerate(counts, start=1))
        for name, counts in rows
    )
    return RowChart(WIDTH, len(rows) * step + 2, tuple(parts), names, tuple(figures), hits, step)


def _names(names: Sequence[str], *, above: bool = False) -> tuple[Label, ...]:
    step, line, most = (BAR_HEIGHT, LINE, ROW_LETTERS) if above else (SLIM, 16, BAR_NAME_LETTERS)
    return tuple(Label(2, at * step + line, short(name, most), "start") for at, name in enumerate(names))


@dataclass(frozen=True, slots=True)
class Runner:
    """A player of the race: place and total after each round, both in words, too; the last are those now.

    `bar` is the path of the last total, from nought to the left or to the right; what runs draws the others.
    """

    number: int
    name: str
    places: Sequence[int]
    place_texts: Sequence[str]
    totals: Sequence[int]
    texts: Sequence[str]

    @property
    def bar(self) -> str:
        """The path of the bar, one unit high."""
        return f"M0 0h{self.totals[-1]}v1H0z"


@dataclass(frozen=True, slots=True)
class Race:
    """The race in the order of the standings; every bar is drawn from `low`, `width` units wide."""

    ticks: tuple[str, ...]
    runners: tuple[Runner, ...]
    low: int
    width: int


def race(runners: Sequence[Runner], ticks: Sequence[str]) -> Race:
    """Return the race of these players, given in the order of the standings."""
    totals = [total for runner in runners for total in runner.totals]
    low = min(0, *totals)
    return Race(tuple(ticks), tuple(runners), low, max(1, *totals) - low)
