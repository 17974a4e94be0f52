"""Bars as shapes of an SVG: points won and paid, how often each figure came, and shares of a whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tournament.stats.charts_1 import LINE, WIDTH, Label, short

ROW: Final = 40  # of a bar with its name
BAR: Final = 14
NUMBERS: Final = 62  # room for a number at either end
SLIM: Final = 24  # of a row with its name beside the bar
NAME: Final = 120  # room for a name at the left
LETTERS: Final = 15  # of a name at the left
LEAST_SEEN: Final = 14  # units: a narrower part has no figure in it


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
class Count:
    """A row of a chart of counts."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class CountChart:
    """A chart of counts: one path for all bars, and the texts."""

    width: int
    height: int
    bars: str
    names: tuple[Label, ...]
    figures: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class ShareChart:
    """A chart of shares: a path for the first part of every row, one for the second and so on, and the texts."""

    width: int
    height: int
    parts: tuple[str, ...]
    names: tuple[Label, ...]
    figures: tuple[Label, ...]


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


def count_chart(rows: Sequence[Count]) -> CountChart:
    """Draw counts as bars, a row each; the largest fills the width."""
    most = max([1, *(row.count for row in rows)])
    room = WIDTH - NAME - NUMBERS / 2
    wide = [round(row.count * room / most, 1) for row in rows]
    return CountChart(
        width=WIDTH,
        height=len(rows) * SLIM + 2,
        bars="".join(f"M{NAME} {at * SLIM + 5}h{each:g}v{BAR}h-{each:g}z" for at, each in enumerate(wide) if each),
        names=_names([row.name for row in rows]),
        figures=tuple(
            Label(NAME + each + 5, at * SLIM + 16, str(row.count), "start")
            for at, (row, each) in enumerate(zip(rows, wide, strict=True))
        ),
    )


def share_chart(rows: Sequence[tuple[str, Sequence[int]]]) -> ShareChart:
    """Draw rows of counts, each filling the width, in parts as large as the counts."""
    start = NAME if any(name for name, _counts in rows) else 0
    room = WIDTH - start
    parts = ["" for _ in (rows[0][1] if rows else ())]
    figures = []
    for at, (_name, counts) in enumerate(rows):
        left, whole = float(start), max(1, sum(counts))
        for kind, count in enumerate(counts):
            wide = round(count * room / whole, 1)
            if count:
                parts[kind] += f"M{left:g} {at * SLIM + 3}h{wide:g}v{BAR + 4}h-{wide:g}z"
            if wide >= LEAST_SEEN:
                figures.append(Label(round(left + wide / 2, 1), at * SLIM + 16, str(count)))
            left = round(left + wide, 1)
    return ShareChart(WIDTH, len(rows) * SLIM + 2, tuple(parts), _names([name for name, _ in rows]), tuple(figures))


def _names(names: Sequence[str]) -> tuple[Label, ...]:
    return tuple(Label(2, at * SLIM + 16, short(name, LETTERS), "start") for at, name in enumerate(names))
