"""How long a search may go on: a count of steps that decides, and a clock that only pulls the brake.

Counting steps keeps a draw the same on every machine; what the clock cuts short is marked, and reported as such.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Final

from tournament.seating.errors import SeatingError

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
    """Who looks on: `progress` is told the best so far and the share done in thousandths, about 15 times a second.

    Once `stopped` answers yes ("good enough"), the search ends and gives the best that it has.
    """

    progress: Callable[[Best | None, int], None] = _silently
    stopped: Callable[[], bool] = _never


NOBODY_WATCHES: Final = Watch()


class Effort:
    """The steps that `time_limit` seconds buy, on any machine alike. Raises SeatingError if there is no time at all.

    `cut_short` is set when the clock or the onlooker ended a search before its steps did; `stopped` by the latter. The
    clock does so after `patience` times the seconds that bought the steps.
    """

    __slots__ = ("best", "cut_short", "deadline", "started", "steps", "stopped", "used", "watch")

    def __init__(self, time_limit: float, watch: Watch = NOBODY_WATCHES, *, patience: int = 1) -> None:
        if not time_limit > 0:
            raise SeatingError("seating.time_limit_too_short", {"time_limit": time_limit})
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
        """What is said behind the method of a draw: nothing, or who ended it early."""
        if self.stopped:
            return ", stopped by hand"
        return ", cut short by the clock" if self.cut_short else ""

    def slices(self, steps: int) -> Iterator[range]:
        """Yield `steps` steps in slices, and fewer only if the clock has run out."""
        for begun in range(0, steps, SLICE):
            if self._is_over():
                return
            self.used += min(SLICE, steps - begun)
            self.watch.progress(self.best, min(999, 500 * self.used // max(1, self.steps)))
            yield range(min(SLICE, steps - begun))

    def _is_over(self) -> bool:
        self.stopped = self.stopped or self.watch.stopped()
        self.cut_short = self.cut_short or self.stopped or monotonic() > self.deadline
        return self.cut_short
