"""What lets somebody in, and no backup holds: sessions, one-time links, and the tries that are counted.

A backup lies on sticks and shares. A session in it would sign in a finder, and a restore would open again what was
closed since.
"""

from collections.abc import Callable
from typing import Any

TABLES = (
    "tournament_desksession",
    "tournament_entrylink",
    "tournament_tries",
    "axes_accessattempt",  # of a desk that is not migrated yet
    "axes_accessattemptexpiration",
    "axes_accesslog",
    "axes_accessfailurelog",
)


def delete_sign_ins(execute: Callable[[str], Any], tables: set[str]) -> None:
    """Empty those of TABLES that a database has, by its `execute`."""
    for name in TABLES:
        if name in tables:
            execute(f"DELETE FROM {name}")  # noqa: S608 - our own names
