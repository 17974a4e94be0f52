"""Hook points of the desk: a feature adds itself in the module that `tournament.features` names; else nothing runs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from tournament.accounts.models import Account
from tournament.core.threads import LoopThread
from tournament.events.models import Event
from tournament.tables.models import Table


class Housekeeping(NamedTuple):
    """Rows that are kept for a limited time.

    `list_due` yields what `forget_expired` prints of each event with rows that are due; `forget` deletes those rows.
    """

    list_due: Callable[[], Iterable[Mapping[str, Any]]]
    forget: Callable[[], None]


HOUSEKEEPING: Final[list[Housekeeping]] = []
LIVE_MARKS: Final[list[Callable[[Event, Sequence[int | None]], Mapping[int | None, str]]]] = []
"""Return by followed player a mark that changes with what is live on that player's pages."""
PEOPLE_ERASED: Final[list[Callable[[Event, Path], object]]] = []
"""Delete what holds the erased names in a data folder; may raise OSError."""
THREADS: Final[list[Callable[[Callable[[], str]], LoopThread | None]]] = []
"""Return a thread of a serving desk, or None where the settings need none; gets what returns the hall's address."""
SHEET_SIGNED: Final[list[Callable[[Table, Account | None], object]]] = []
"""Called with a table whose sheet was signed or confirmed and who did it, in the same transaction, after its act."""
