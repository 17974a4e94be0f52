"""The threads that serve requests, and who goes first: hands, pages of the desk, phones, those without a session.

Fifty tables open their pages at once when a round starts, and a released round lets every phone in the hall fetch its
page: the referee who types meanwhile must wait for neither, and nobody waits behind somebody who guesses passwords.
Nothing that waits is dropped. With one queue in their place a preview amid 300 phones took 560 and 2,499 ms in the
median, with lanes 58 and 130 (docs/developer/load.md, "Own parts, taken away").
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum

from tournament.core.threads import attempt, start_thread

THREADS = 10  # all that other lanes may take, and one for a hand; more only queue for Python's one running thread


class PriorityClass(IntEnum):
    """Whose request it is, the first to be served first."""

    ACT = 0  # signed in, sends or previews something: a hand, a tick
    DESK = 1  # signed in, reads
    CLAIM = 2  # shows a session that nobody has looked up yet
    PHONE = 3  # reads what everybody may read
    DOOR = 4  # sends something without being signed in: a password, a PIN, a link


# Of Python's threads one runs at a time, so a fourth page or a third phone adds nothing but a longer wait for the hand
# beside them. One at the door, because a password's hash takes 100 MB and all that a processor can do.
AT_ONCE = {
    PriorityClass.ACT: THREADS,
    PriorityClass.DESK: 3,
    PriorityClass.CLAIM: 1,
    PriorityClass.PHONE: 2,
    PriorityClass.DOOR: 1,
}
# Seconds for which all else waits for hands that are served: a page that comes ten milliseconds later is as good, and a
# hand beside two pages takes three times as long. What takes longer is no hand.
HANDS_FIRST = 0.1
ASIDE = 2  # requests that wait for another process, and let others compute in their place

Work = Callable[[], None]


class Waiting:
    """What waits in a lane: one of each address in turn, so that a thousand requests of one do not all come first."""

    def __init__(self) -> None:
        self.by_address: OrderedDict[str, deque[Work]] = OrderedDict()
        self.count = 0

    def append(self, work: Work, address: str) -> None:
        """Put work at the end of what its address wants."""
        self.by_address.setdefault(address, deque()).append(work)
        self.count += 1

    def popleft(self) -> Work:
        """Take the oldest work of the address that waits longest; raises KeyError where nothing waits."""
        address, works = self.by_address.popitem(last=False)
        work = works.popleft()
        if works:
            self.by_address[address] = works  # at the end
        self.count -= 1
        return work


_here = threading.local()


@contextmanager
def yield_priority() -> Iterator[None]:
    """Let another request of the lane be served while this one waits for another process.

    It does nothing outside the threads of `Lanes`, and where as many stand aside as may.
    """
    lanes: Lanes | None = getattr(_here, "lanes", None)
    if lanes is None:
        yield
        return
    aside = lanes.step_aside(_here.lane)
    try:
        yield
    finally:
        if aside:
            lanes.step_back(_here.lane)


class Lanes:
    """Threads with a queue of several lanes; `run` may be called by any thread."""

    def __init__(self, threads: int = THREADS) -> None:
        """Start the threads."""
        self.waiting = {lane: Waiting() for lane in PriorityClass}
        self.serving = dict.fromkeys(PriorityClass, 0)
        self.aside = 0
        self.rush_until = 0.0
        self.changed = threading.Condition()
        self.stopping = False
        self.threads = [start_thread(f"desk-{number}", self._serve) for number in range(threads)]

    def run(self, lane: PriorityClass, work: Work, address: str = "") -> None:
        """Let a thread do some work when its turn comes; what it raises is logged."""
        with self.changed:
            self.waiting[lane].append(work, address)
            self.changed.notify()

    def count_waiting(self, lane: PriorityClass) -> int:
        """Count what waits in a lane."""
        return self.waiting[lane].count

    def step_aside(self, lane: PriorityClass) -> bool:
        """Give the place of a request to another one of its lane; False where as many have as may."""
        with self.changed:
            if self.aside >= ASIDE:
                return False
            self.aside += 1
            self.serving[lane] -= 1
            self.changed.notify()
            return True

    def step_back(self, lane: PriorityClass) -> None:
        """Take a place again, where all are taken one more."""
        with self.changed:
            self.aside -= 1
            self.serving[lane] += 1

    def stop(self, seconds: float) -> None:
        """End the threads when what they do is done; what still waits is given up."""
        with self.changed:
            self.stopping = True
            self.changed.notify_all()
        deadline = time.monotonic() + seconds
        for thread in self.threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _serve(self) -> None:
        _here.lanes = self
        while True:
            with self.changed:
                while (lane := self._next()) is None:
                    if self.stopping:
                        return
                    waits = any(waiting.count for waiting in self.waiting.values())
                    self.changed.wait(HANDS_FIRST if waits else None)  # nobody says when a rush is over
                if self.stopping:
                    return
                work = self.waiting[lane].popleft()
                if lane is PriorityClass.ACT and not self.serving[lane]:
                    self.rush_until = time.monotonic() + HANDS_FIRST
                self.serving[lane] += 1
                if self._next() is not None:  # two may begin where a hand has ended
                    self.changed.notify()
                _here.lane = lane
            attempt("requests", work)
            del work  # a thread that waits keeps no request
            with self.changed:  # nobody else is woken: this thread looks for what may begin now
                self.serving[lane] -= 1

    def _next(self) -> PriorityClass | None:
        """Return the first lane with work that may begin now, None for none."""
        return next((lane for lane in PriorityClass if self.waiting[lane].count and self._may_begin(lane)), None)

    def _may_begin(self, lane: PriorityClass) -> bool:
        rush = self.serving[PriorityClass.ACT] and time.monotonic() < self.rush_until
        return self.serving[lane] < AT_ONCE[lane] and (lane is PriorityClass.ACT or not rush)
