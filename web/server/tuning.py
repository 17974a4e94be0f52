"""When Python looks for rings of forgotten objects, and how often threads change."""

import gc
import sys

# At Python's own 700, to look takes a quarter of each start and of each migration: what is loaded stays, and is walked
# time and again. A gathering of 50,000 is some megabytes.
SELDOM = (50_000, 20, 100)
# A request leaves a ring of some 60 objects. A look at 50,000 stops all threads for 36 ms: one hand in a hundred.
SERVING = (2_000, 50, 100)
# Seconds until a thread at work lets another go on. An answer gives Python away at each query and each send, and has to
# get it back: at the 5 ms that Python gives, a phone's answer of 2 ms took 50 beside referees who send hands. At 0.2 ms
# threads on two processors hand it to and fro, and the last phone has its page after a release in twice the time.
SWITCH = 0.001


def tune_gc() -> None:
    """Look for rings of forgotten objects after 50,000 new ones; to be called before anything is loaded."""
    gc.set_threshold(*SELDOM)


def settle() -> None:
    """Look at what comes from here on alone, and a little at a time, and let threads take turns; when all is loaded."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SERVING)
    sys.setswitchinterval(SWITCH)
