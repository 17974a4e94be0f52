"""The frame of every thread of this program: an exception is logged and noted for health, and ends no thread.

What health shows is of this process, and names the class of an exception alone: its text may hold names or secrets.
"""

import datetime as dt
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from django.db import connections
from django.utils import timezone

FIRST_PAUSE, LONGEST_PAUSE = 0.2, 15.0  # seconds after a failure; it doubles with each one that follows
MAX_DOUBLED: Final = 10

log = logging.getLogger("hanchan.threads")


@dataclass(frozen=True, slots=True)
class Failures:
    """How often a thread has failed, when last and by which class of exception; `failing` until it succeeds again."""

    name: str
    count: int
    last_at: dt.datetime
    error: str
    failing: bool = True


_noted: dict[str, Failures] = {}
_noting = threading.Lock()


def list_failures() -> list[Failures]:
    """List the threads of this process that have failed since it started, by name."""
    with _noting:
        return sorted(_noted.values(), key=lambda each: each.name)


def note_failure(name: str, wrong: BaseException) -> None:
    """Log an exception with its traceback, and note it for health."""
    log.error("The thread %s failed and goes on.", name, exc_info=wrong)
    with _noting:
        count = _noted[name].count + 1 if name in _noted else 1
        _noted[name] = Failures(name, count, timezone.now(), type(wrong).__name__)


def attempt(name: str, work: Callable[[], object]) -> bool:
    """Do the work of a thread of this name; return False where it raised. Only Ctrl-C in the main thread is raised."""
    try:
        work()
    except BaseException as wrong:  # whatever it is: nobody starts the thread again
        is_main = threading.current_thread() is threading.main_thread()
        if isinstance(wrong, KeyboardInterrupt) and is_main:  # a command that runs a loop is ended
            raise
        note_failure(name, wrong)
        return False
    if name in _noted:
        with _noting:
            _noted[name] = replace(_noted[name], failing=False)
    return True


def start_thread(name: str, work: Callable[[], object]) -> threading.Thread:
    """Do some work once in a thread of its own, and close its connections afterwards."""

    def run() -> None:
        attempt(name, work)
        attempt(name, connections.close_all)

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    return thread


class LoopThread(threading.Thread):
    """Calls `run_once` until it is stopped; after an exception it pauses, longer with each that follows."""

    def __init__(self, name: str) -> None:
        """Prepare to run; `name` is what health shows."""
        super().__init__(name=name, daemon=True)
        self.stopping = threading.Event()

    def run_once(self) -> None:
        """Wait for the next round of the work and do it; overridden."""
        raise NotImplementedError

    def stop(self) -> None:
        """End the thread after its current round; a pause ends at once."""
        self.stopping.set()

    def run(self) -> None:
        """Run until stopped."""
        failures = 0
        while not self.stopping.is_set():
            if attempt(self.name, self.run_once):
                failures = 0
                continue
            attempt(self.name, connections.close_all)
            self.stopping.wait(pause_after(failures))
            failures += 1
        attempt(self.name, connections.close_all)


def pause_after(failures: int) -> float:
    """Return the seconds to wait after a failure that follows so many.

    >>> [pause_after(failures) for failures in (0, 1, 6, 999)]
    [0.2, 0.4, 12.8, 15.0]
    """
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(failures, MAX_DOUBLED))
