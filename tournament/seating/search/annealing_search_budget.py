"""How long a search may run: a count of steps decides, and a clock only stops machines too slow for them.

Counting steps keeps a draw the same on every machine; a search that the clock ended is marked and reported.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Final

from scoring.problems import ProblemType
from tournament.seating.search.annealing_1 import Acceptance
from tournament.seating.search.schedule_errors import SeatingError

SEATING_TIME_LIMIT_TOO_SHORT = ProblemType(
    "seating.time_limit_too_short", "The time limit must be more than 0 seconds, not {time_limit}."
)

STEPS_PER_SECOND: Final = 60_000  # an eighth of what a plain laptop does, so that its clock hardly ever matters
SLICE: Final = 4096  # steps between two looks at the clock


def _never() -> bool:
    return False


def _silently(_best: "Best | None", _share: int) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Best:
    """The best so far: how often each wish is missed, in the organiser's order, by the wish's key."""

    missed: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Watch:
    """Callbacks of an onlooker: `progress` gets the best so far and the share done in thousandths, 15 times a second.

    Once `stopped` returns true ("good enough"), the search ends and returns its best.
    """

    progress: Callable[[Best | None, int], None] = _silently
    stopped: Callable[[], bool] = _never


NOBODY_WATCHES: Final = Watch()


class SearchBudget:
    """The steps that `time_limit` seconds buy, the same on any machine. Raises SeatingError unless it is above 0.

    `cut_short` is set when the clock or the onlooker ended a search before its steps did, `stopped` when the onlooker
    did. The clock stops a search after `patience` times the seconds that bought the steps.
    """

    __slots__ = ("best", "cut_short", "deadline", "started", "steps", "stopped", "used", "watch")

    def __init__(self, time_limit: float, watch: Watch = NOBODY_WATCHES, *, patience: int = 1) -> None:
        if not time_limit > 0:
            raise SeatingError(SEATING_TIME_LIMIT_TOO_SHORT(time_limit=str(time_limit)))
        self.started = monotonic()
        self.deadline = self.started + time_limit * patience
        self.steps = int(min(time_limit, 86_400) * STEPS_PER_SECOND)
        self.cut_short = False
        self.stopped = False
        self.watch = watch
        self.best: Best | None = None
        self.used = 0

    @property
    def seconds(self) -> float:
        return monotonic() - self.started

    @property
    def ending(self) -> str:
        """What follows the method in a report: nothing, or what ended the search early."""
        if self.stopped:
            return ", stopped by hand"
        return ", cut short by the clock" if self.cut_short else ""

    def slices(self, steps: int) -> Iterator[range]:
        """Yield `steps` steps in slices; fewer only if the clock or the onlooker ends the search."""
        for begun in range(0, steps, SLICE):
            if self._is_over():
                return
            self.used += min(SLICE, steps - begun)
            self.watch.progress(self.best, min(999, 500 * self.used // max(1, self.steps)))
            yield range(min(SLICE, steps - begun))

    def cooled(self, steps: int, acceptances: Iterator[Acceptance]) -> Iterator[tuple[range, Acceptance]]:
        """Yield the slices of a search with the acceptance of each, as `annealing.anneal` takes them."""
        return zip(self.slices(steps), acceptances, strict=False)

    def _is_over(self) -> bool:
        self.stopped = self.stopped or self.watch.stopped()
        self.cut_short = self.cut_short or self.stopped or monotonic() > self.deadline
        return self.cut_short
