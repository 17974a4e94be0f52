"""The threads that serve requests, and who goes first: the desk, then phones, then those who knock without a session.

A released round lets every phone in the hall fetch its page; the referee who types meanwhile must not wait behind
five hundred of them, and neither waits behind somebody who guesses passwords. Nothing that waits is dropped.
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from enum import IntEnum

THREADS = 8  # more only queue for SQLite's one writer and Python's one running thread


class Lane(IntEnum):
    """Whose request it is, the first to be served first."""

    DESK = 0  # signed in
    CLAIM = 1  # shows a session that nobody has looked up yet
    PHONE = 2  # reads what everybody may read
    DOOR = 3  # sends something without being signed in: a password, a PIN, a link


# Of Python's threads one runs at a time, so a third phone adds nothing but a longer wait for the desk. One at the door,
# because a password's hash takes 100 MB and all that a processor can do.
AT_ONCE = {Lane.DESK: THREADS, Lane.CLAIM: 1, Lane.PHONE: 2, Lane.DOOR: 1}

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


class Lanes:
    """Threads with a queue of several lanes; `run` may be called by any thread."""

    def __init__(self, threads: int = THREADS) -> None:
        """Start the threads."""
        self.waiting = {lane: Waiting() for lane in Lane}
        self.serving = dict.fromkeys(Lane, 0)
        self.changed = threading.Condition()
        self.stopping = False
        self.threads = [
            threading.Thread(target=self._serve, name=f"desk-{number}", daemon=True) for number in range(threads)
        ]
        for thread in self.threads:
            thread.start()

    def run(self, lane: Lane, work: Work, address: str = "") -> None:
        """Let a thread do some work, which raises nothing, when its turn comes."""
        with self.changed:
            self.waiting[lane].append(work, address)
            self.changed.notify()

    def count_waiting(self, lane: Lane) -> int:
        """Count what waits in a lane."""
        return self.waiting[lane].count

    def stop(self, seconds: float) -> None:
        """End the threads when what they do is done; what still waits is given up."""
        with self.changed:
            self.stopping = True
            self.changed.notify_all()
        for thread in self.threads:
            thread.join(seconds)

    def _serve(self) -> None:
        while True:
            with self.changed:
                while (lane := self._next()) is None:
                    if self.stopping:
                        return
                    self.changed.wait()
                if self.stopping:
                    return
                work = self.waiting[lane].popleft()
                self.serving[lane] += 1
            try:
                work()
            finally:
                with self.changed:  # nobody else is woken: this thread looks for what may begin now
                    self.serving[lane] -= 1

    def _next(self) -> Lane | None:
        """Return the first lane with work that may begin now, None for none."""
        return next((lane for lane in Lane if self.waiting[lane].count and self.serving[lane] < AT_ONCE[lane]), None)
