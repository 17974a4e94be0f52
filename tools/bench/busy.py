"""The yardstick: how often a fixed loop runs in one second, so that figures of two machines, or hours, can be compared.

It must never change: older figures would lose their meaning.
"""

import time

ROUNDS_AT_ONCE = 1_000


def busy_loop_per_second(*, seconds: float = 1) -> int:
    """Count how often the loop's body runs in one second of the clock on the wall, looking at so much of one."""
    done, number, end = 0, 0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        for step in range(ROUNDS_AT_ONCE):
            number = (number * 31 + step) % 1_000_003
        done += ROUNDS_AT_ONCE
    return round(done / seconds)
