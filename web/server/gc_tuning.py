"""Tune Python's search for reference cycles: nearly all that the desk makes stays or is freed at once."""

import gc

# At Python's own 700, to look takes a quarter of each start and of each migration: what is loaded stays, and is walked
# time and again. A gathering of 50,000 is some megabytes.
SELDOM = (50_000, 20, 100)


def tune_gc() -> None:
    """Look for rings of forgotten objects after 50,000 new ones; to be called before anything is loaded."""
    gc.set_threshold(*SELDOM)
