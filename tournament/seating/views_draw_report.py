"""The report of a draw: figures, wishes, who meets whom as a matrix and in words, starting winds, tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.core.paginator import Paginator

from tournament.seating.messages_draw import TABLE_NOTES, figure_lines, say_outcome, say_place, say_wish
from tournament.seating.plan_report import DrawReport, Judged, Seats, meetings, table_paths, wind_counts

CELL: Final = 10  # units of the drawing
WIDEST: Final = 900  # pixels
LARGEST: Final = 22  # pixels of a cell where few play
FONT: Final = 12  # pixels that a number should have
PICTURED: Final = 300  # players
AT_ONCE: Final = 100  # players on a page

Pairs = Mapping[tuple[int, int], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Label:
    """A number at the edge of the picture."""

    x: int
    y: int
    text: int


@dataclass(frozen=True, slots=True)
class Picture:
    """Shapes of an SVG without colours, which CSS adds: a path for pairs who meet once, twice, more often."""

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


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a wish, in words; `unavoidable` if no draw could miss it less often."""

    name: str
    met: bool
    unavoidable: bool
    said: str
    places: list[str]


def figures_context(rounds: Seats, report: DrawReport, names: Mapping[int, str]) -> dict[str, Any]:
    """Return what every page of a draw shows: figures, what came of each wish, who meets again."""
    return {
        "figures": figure_lines(report),
        "tables_note": TABLE_NOTES.get(report.figures.tables_note, ""),
        "outcomes": [_outcome(report, wish, names) for wish in report.wishes],
        "meetings": [
            (names.get(one, str(one)), names.get(other, str(other)), when)
            for (one, other), when in meetings(rounds).items()
            if len(when) > 1
        ],
    }


def report_context(
    rounds: Seats,
    table_size: int,
    report: DrawReport,
    names: Mapping[int, str],
    resting: Sequence[Sequence[int]] = (),
    *,
    page: str = "",
) -> dict[str, Any]:
    """Return the context of seating/seating_report.html; `resting` has the players without a seat in each round.

    Players are listed a page at a time. Of very many there is no picture: its squares would be too small to be seen.
    """
    pairs = meetings(rounds)
    seated = sorted({who for tables in rounds for table in tables for who in table})
    shown = Paginator(seated, AT_ONCE).get_page(page)
    called = {number: names.get(number, str(number)) for number in shown}
    return {
        **figures_context(rounds, report, names),
        "page": shown,
        "picture": picture_of(seated, pairs) if len(seated) <= PICTURED else None,
        "met": words_of(called, pairs),
        "winds": range(table_size),
        "wind_rows": [
            (who, called[who], counts, max(counts) - min(counts) > 1)
            for who, counts in wind_counts(rounds, table_size).items()
            if who in called
        ],
        "path_rows": [(who, called[who], path) for who, path in table_paths(rounds).items() if who in called],
        "round_numbers": range(1, len(rounds) + 1),
        "rests": [
            (number, [names.get(who, str(who)) for who in who_rest])
            for number, who_rest in enumerate(resting, start=1)
            if who_rest
        ],
    }


def _outcome(report: DrawReport, wish: Judged, names: Mapping[int, str]) -> Outcome:
    # what forces people to a table again is shown as a note, not as a fault
    note = str(TABLE_NOTES.get(report.figures.tables_note, "")) if wish.key == "tables" and wish.missed else ""
    return Outcome(
        name=say_wish(wish.key),
        met=not wish.missed,
        unavoidable=bool(wish.missed) and (wish.missed <= wish.least or bool(note)),
        said=say_outcome(wish) + (f". {note}" if note else ""),
        places=[say_place(place, names) for place in wish.places],
    )


def picture_of(numbers: Sequence[int], pairs: Pairs) -> Picture:
    """Return the matrix of these players, in this order; `pairs` gives the rounds in which two meet."""
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


def words_of(names: Mapping[int, str], pairs: Pairs) -> list[tuple[int, str, list[int], list[tuple[int, int]]]]:
    """Return of each player in order: number, name, who is met once, and (who, times) of those met more often."""
    met: dict[int, list[tuple[int, int]]] = {number: [] for number in names}
    for pair, rounds in pairs.items():
        for who, other in (pair, pair[::-1]):
            if who in met:
                met[who].append((other, len(rounds)))
    return [
        (
            number,
            names[number],
            [other for other, times in sorted(found) if times == 1],
            [(other, times) for other, times in sorted(found) if times > 1],
        )
        for number, found in sorted(met.items())
        if found
    ]


def _square(margin: int, column: int, row: int) -> str:
    return f"M{margin + column * CELL} {margin + row * CELL}h9v9h-9z"


def _line(margin: int, at: int, side: int) -> str:
    here = margin + at * CELL
    return f"M{here - 0.5:g} {margin}V{side}M{margin} {here - 0.5:g}H{side}"
