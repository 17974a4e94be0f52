"""What work costs in runs of a fixed loop that is measured right before and after it: a ratio holds on any machine."""

import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

BODY = 100_000  # about 8 ms on a calm machine of 2024


def _loop() -> float:
    began, number = time.process_time(), 0
    for step in range(BODY):
        number = (number * 31 + step) % 1_000_003
    return time.process_time() - began


def count_loops(work: Callable[[], Result]) -> tuple[Result, float]:
    """Do the work once; return its result and how many runs of the loop took as much time of the processor."""
    before = _loop()
    began = time.process_time()
    result = work()
    spent = time.process_time() - began
    return result, spent / max(before, _loop())
