"""The prize giving: the places of the released rounds from last to first, and how many of them are revealed.

It reads past a hold, and so is for the desk; a public page takes from it what `revealed` gives and nothing else.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from tournament.models import Event
from tournament.selectors.public.standings import Standings, get_released_standings
from tournament.selectors.public.wall import get_wall
from tournament.sheets.columns import StandingRow


@dataclass(frozen=True, slots=True)
class PrizeStep:
    """What one press reveals: a place with everybody who shares it."""

    place: int
    shared: bool
    rows: tuple[StandingRow, ...]


@dataclass(frozen=True, slots=True)
class Prizes:
    """A prize giving: `steps` in the order in which they are revealed, the last place first, `shown` of them so far.

    `moved` says that the results are others than those it was begun with; then nothing is revealed.
    """

    open: bool
    top: int
    shown: int
    steps: tuple[PrizeStep, ...]
    moved: bool
    mark: str = ""

    @property
    def revealed(self) -> tuple[PrizeStep, ...]:
        """The steps that everybody may see, the newest and best place first."""
        return () if self.moved or not self.open else tuple(reversed(self.steps[: self.shown]))

    @property
    def next_step(self) -> PrizeStep | None:
        """What the next press reveals; None at the end."""
        return self.steps[self.shown] if self.shown < len(self.steps) else None


def get_prizes(event: Event) -> Prizes:
    """Return the prize giving of an event as it stands."""
    wall = get_wall(event)
    standings = get_released_standings(event)
    steps = list_steps(standings.rows, wall.prizes_top) if standings.rounds else ()
    mark = mark_of(standings) if standings.rounds else ""
    return Prizes(
        open=wall.prizes_open,
        top=wall.prizes_top,
        shown=min(wall.prizes_step, len(steps)),
        steps=steps,
        moved=wall.prizes_open and wall.prizes_mark != mark,
        mark=mark,
    )


def list_steps(rows: Sequence[StandingRow], top: int) -> tuple[PrizeStep, ...]:
    """Return the places to reveal from last to first, shared ones as one; with `top` only places up to that one."""
    places = [tuple(each) for _rank, each in groupby(rows, key=lambda row: row.rank)]
    wanted = [each for each in places if not top or each[0].rank <= top]
    return tuple(PrizeStep(each[0].rank, each[0].shared, each) for each in reversed(wanted))


def mark_of(standings: Standings) -> str:
    """Return what tells these results from any others: places, players and totals of these rounds."""
    facts = (standings.rounds, [(row.rank, row.shared, row.number, row.total) for row in standings.rows])
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:20]
