"""The race of all players: the place of everybody after each round, as shapes of an SVG.

Names are at the right in the order of the standings. The best have a colour; others are picked by a pointer
(static/js/charts.js).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tournament.stats.charts_1 import WIDTH, Label, short

ROW: Final = 20  # from one place to the next
TOP: Final = 22
LEFT: Final = 26  # room for the places
GAP: Final = 8  # between the last mark and the name
COLOURED: Final = 3
RIGHT: Final = round(WIDTH * 0.64)  # of the last round; names beyond

LETTERS: Final = 34  # of a name; a phone shows those that fit


@dataclass(frozen=True, slots=True)
class Runner:
    """A player with a place after each round; `told` is what the line tells without scripts."""

    number: int
    name: str
    places: Sequence[int]
    told: str


@dataclass(frozen=True, slots=True)
class Lane:
    """A drawn player: `kind` is 1 to 3 for the best, 0 for others."""

    number: int
    kind: int
    line: str
    name: Label
    told: str


@dataclass(frozen=True, slots=True)
class Race:
    """The drawing: vertical `rules` at the rounds with `ticks`, places at the left, a lane for each player."""

    width: int
    height: int
    rules: str
    ticks: tuple[Label, ...]
    places: tuple[Label, ...]
    lanes: tuple[Lane, ...]
    first: float
    last: float


def race(runners: Sequence[Runner], ticks: Sequence[str]) -> Race:
    """Draw the race of these players, given in the order of the standings; players who share a place lie side by side.

    A lane is the rank within a round by place, then by the final order, so that no two lines end in one point.
    """
    rounds = range(len(ticks))
    lanes = [_lanes([runner.places[at] for runner in runners]) for at in rounds]
    step = (RIGHT - LEFT) / max(1, len(ticks) - 1)
    xs = [round(LEFT + at * step, 1) for at in rounds]
    height = TOP + len(runners) * ROW + 4
    return Race(
        width=WIDTH,
        height=height,
        rules="".join(f"M{x:g} {TOP - 4}V{height - 4}" for x in xs),
        ticks=tuple(Label(x, 12, text) for x, text in zip(xs, ticks, strict=True)),
        places=tuple(
            Label(LEFT - 8, _y(at) + 4, str(place), "end")
            for at, place in enumerate(sorted(runner.places[-1] for runner in runners))
        ),
        lanes=tuple(
            Lane(
                runner.number,
                at + 1 if at < COLOURED else 0,
                "M" + "L".join(f"{x:g} {_y(lanes[when][at]):g}" for when, x in zip(rounds, xs, strict=True)),
                Label(RIGHT + GAP, _y(at) + 4, short(runner.name, LETTERS), "start"),
                runner.told,
            )
            for at, runner in enumerate(runners)
        ),
        first=xs[0],
        last=xs[-1],
    )


def _y(lane: int) -> float:
    return TOP + (lane + 0.5) * ROW


def _lanes(places: Sequence[int]) -> list[int]:
    """Return the lane of each of these places, from 0.

    >>> _lanes([2, 1, 2])
    [1, 0, 2]
    """
    order = sorted(range(len(places)), key=lambda at: (places[at], at))
    return [order.index(at) for at in range(len(places))]
