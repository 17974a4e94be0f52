"""Run one target over many cases and note what must not be: an exception, a second of work, much memory.

A case is made from target, seed and number alone; the same three make it again, on any machine.
"""

import contextlib
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

SLOW = 1.0  # seconds of work for one case
HANGS = 20  # seconds of anything: such a case is broken off
MAX_NOTED = 20


@dataclass(frozen=True, slots=True)
class Target:
    """Something that reads: `make` draws a case, `call` gives it to the reader and raises only where that is wrong."""

    name: str
    make: Callable[[Random], Any]
    call: Callable[[Any], object]
    slow: float = SLOW


@dataclass
class Found:
    """What came of it; times in seconds, memory in megabytes above what the process had at the start."""

    target: str
    calls: int = 0
    slowest: float = 0.0
    slowest_case: int = 0
    grown_mb: float = 0.0
    wrong: list[dict[str, Any]] = field(default_factory=list)


class Hangs(Exception):  # noqa: N818  (named for what the case does)
    """A case took longer than anybody waits."""


def case_of(target: Target, seed: int, number: int) -> Any:
    """Make a case again."""
    return target.make(Random(f"{seed}:{target.name}:{number}"))


def hunt(target: Target, seed: int, *, calls: int = 0, seconds: float = 0.0, first: int = 0) -> Found:
    """Run so many cases, or for so long; the same fault is noted once, by where it was raised."""
    found, seen = Found(target.name), set[str]()
    until, before = time.monotonic() + seconds, memory_mb()
    number = first
    while found.calls < calls or (seconds and time.monotonic() < until):
        case = case_of(target, seed, number)
        took, fault = try_once(target, case)
        if took > found.slowest:
            found.slowest, found.slowest_case = took, number
        if took > target.slow and not fault:
            fault = (f"took {took:.1f} s", f"slow: {int(took)} s")
        if fault and fault[1] not in seen and len(found.wrong) < MAX_NOTED:
            seen.add(fault[1])
            found.wrong.append({"case": number, "why": fault[0], "where": fault[1], "input": repr(case)[:2_000]})
        found.calls += 1
        number += 1
    found.grown_mb = memory_mb() - before
    return found


def try_once(target: Target, case: Any) -> tuple[float, tuple[str, str] | None]:
    """Run one case; return seconds of work, and what was raised and where."""
    start = time.process_time()
    try:
        with broken_off(HANGS):
            target.call(case)
    except Exception as fault:  # noqa: BLE001  (to find any is what this is for)
        return time.process_time() - start, (f"{type(fault).__name__}: {fault}"[:500], _where(fault))
    return time.process_time() - start, None


@contextlib.contextmanager
def broken_off(seconds: float) -> Iterator[None]:
    """Raise Hangs after so long, where the system can."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_signal: int, _frame: object) -> None:
        raise Hangs(f"not done after {seconds} s")

    former = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


def _where(fault: Exception) -> str:
    last = traceback.extract_tb(fault.__traceback__)[-3:]
    return " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in reversed(last))


def memory_mb() -> float:
    """Return the most memory that this process has held so far; 0 where the system does not say."""
    if sys.platform == "win32":
        return 0.0
    import resource

    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held / 1024**2 if sys.platform == "darwin" else held / 1024
