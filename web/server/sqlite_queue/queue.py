"""A line in which threads wait for their turn, first come, first served.

It knows nothing of databases. Whoever holds the turn gives it back; of one whose thread has died it is taken away.
"""

import threading
import time
from collections import deque

LOOK_AGAIN = 1.0  # seconds after which one who waits looks whether the thread before is still alive


class Turn:
    """A place in the line, of the thread that made it; `come` is set when it is that thread's turn."""

    __slots__ = ("come", "thread")

    def __init__(self) -> None:
        """Belong to the thread that runs."""
        self.thread = threading.current_thread()
        self.come = threading.Event()


class Line:
    """One turn, and who waits for it."""

    def __init__(self) -> None:
        """Let nobody wait."""
        self._mutex = threading.Lock()
        self._holder: Turn | None = None
        self._waiting: deque[Turn] = deque()

    def take(self, seconds: float) -> Turn:
        """Wait so long for the turn, and return it; raises TimeoutError where it does not come.

        A thread that holds it already does not wait for itself: its second place is one outside of the line.
        """
        turn = Turn()
        with self._mutex:
            if self._holder is None:
                self._holder = turn
            if self._holder.thread is turn.thread:
                return turn
            self._waiting.append(turn)
        try:
            self._wait(turn, time.monotonic() + seconds)
        except BaseException:
            self.give_back(turn)
            raise
        return turn

    def give_back(self, turn: Turn) -> None:
        """Let the next one go; a place outside of the line, or one that was given back before, is nothing."""
        with self._mutex:
            if turn is self._holder:
                self._holder = None
                self._let_next()
            elif turn in self._waiting:
                self._waiting.remove(turn)

    def count_waiting(self) -> int:
        """Count who waits."""
        with self._mutex:
            return len(self._waiting)

    def _wait(self, turn: Turn, until: float) -> None:
        while not turn.come.wait(max(0.0, min(LOOK_AGAIN, until - time.monotonic()))):
            with self._mutex:
                if self._holder is not None and not self._holder.thread.is_alive():
                    self._holder = None
                    self._let_next()
            if not turn.come.is_set() and time.monotonic() >= until:
                raise TimeoutError

    def _let_next(self) -> None:
        if self._waiting:
            self._holder = self._waiting.popleft()
            self._holder.come.set()
