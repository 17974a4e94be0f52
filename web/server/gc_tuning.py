"""Tune Python's search for reference cycles: nearly all that the desk makes stays or is freed at once."""

import gc

# At Python's own 700, to look takes a quarter of each start and of each migration: what is loaded stays, and is walked
# time and again. A gathering of 50,000 is some megabytes.
SELDOM = (50_000, 20, 100)
# A request leaves a ring of some 60 objects. A look at 50,000 stops all threads for 36 ms: one hand in a hundred.
SERVING = (2_000, 50, 100)


def tune_gc() -> None:
    """Look for rings of forgotten objects after 50,000 new ones; to be called before anything is loaded."""
    gc.set_threshold(*SELDOM)


def settle_gc() -> None:
    """Look at what comes from here on alone, and a little at a time; to be called when all is loaded."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SERVING)
