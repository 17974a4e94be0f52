"""How often Python looks for objects that hold each other: seldom, for what the desk makes stays or is let go alone.

It knows nothing of the desk. What it does not look for is freed as ever, as soon as nobody holds it.
"""

import gc

# At Python's own 700, to look takes a quarter of each start and of each migration: what is loaded stays, and is walked
# time and again. A gathering of 50,000 is some megabytes.
SELDOM = (50_000, 20, 100)


def look_seldom() -> None:
    """Look for rings of forgotten objects after 50,000 new ones; to be called before anything is loaded."""
    gc.set_threshold(*SELDOM)
