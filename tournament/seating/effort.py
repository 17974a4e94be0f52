"""How long a search may go on: a count of steps that decides, and a clock that only pulls the brake.

Counting steps keeps a draw the same on every machine; what the clock cuts short is marked, and reported as such.
"""

from collections.abc import Iterator
from time import monotonic
from typing import Final

from tournament.seating.errors import SeatingError

STEPS_PER_SECOND: Final = 60_000  # an eighth of what a plain laptop does, so that its clock hardly ever matters
SLICE: Final = 4096  # steps between two looks at the clock


class Effort:
    """The steps that `time_limit` seconds buy, on any machine alike. Raises SeatingError if there is no time at all."""

    __slots__ = ("cut_short", "deadline", "started", "steps")

    def __init__(self, time_limit: float) -> None:
        if not time_limit > 0:
            raise SeatingError("seating.time_limit_too_short", {"time_limit": time_limit})
        self.started = monotonic()
        self.deadline = self.started + time_limit
        self.steps = int(min(time_limit, 86_400) * STEPS_PER_SECOND)
        self.cut_short = False

    @property
    def seconds(self) -> float:
        return monotonic() - self.started

    def slices(self, steps: int) -> Iterator[range]:
        """Yield `steps` steps in slices, and fewer only if the clock has run out."""
        for begun in range(0, steps, SLICE):
            if monotonic() > self.deadline:
                self.cut_short = True
                return
            yield range(min(SLICE, steps - begun))
