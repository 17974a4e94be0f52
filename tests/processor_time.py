"""What work costs in runs of a fixed loop that is measured right before and after it: a ratio holds on any machine.

Only the own thread counts, and no garbage collection: that of a long test run visits the objects of all earlier tests.
"""

import contextlib
import gc
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

Result = TypeVar("Result")

BODY = 100_000  # about 8 ms on a calm machine of 2024


def _loop() -> float:
    began, number = time.thread_time(), 0
    for step in range(BODY):
        number = (number * 31 + step) % 1_000_003
    return time.thread_time() - began


def count_loops(work: Callable[[], Result]) -> tuple[Result, float]:
    """Do the work once; return its result and how many runs of the loop took as much time of the processor."""
    with _without_collections():
        before = _loop()
        began = time.thread_time()
        result = work()
        spent = time.thread_time() - began
        return result, spent / max(before, _loop())


@contextlib.contextmanager
def _without_collections() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
