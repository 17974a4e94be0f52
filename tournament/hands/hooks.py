"""Hook points of a table's page: a feature adds itself in the module that `tournament.features` names."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tournament.events.models import Event

if TYPE_CHECKING:
    from tournament.hands.draft import Draft
    from tournament.tables.queries import LoadedTable


class Hints(NamedTuple):
    """Rows that are shown beside a typed hand, and beside a sheet (its totals and leftover) that was refused."""

    of_draft: Callable[[Event, "LoadedTable", "Draft"], Sequence[Any]]
    of_sheet: Callable[[Event, "LoadedTable", Sequence[int], int], Sequence[Any]]


HINTS: Final[list[Hints]] = []


def list_draft_hints(event: Event, table: "LoadedTable", draft: "Draft") -> list[Any]:
    """Return the hints beside a typed hand."""
    return [row for hints in HINTS for row in hints.of_draft(event, table, draft)]


def list_sheet_hints(event: Event, table: "LoadedTable", totals: Sequence[int], leftover: int) -> list[Any]:
    """Return the hints beside a refused sheet."""
    return [row for hints in HINTS for row in hints.of_sheet(event, table, totals, leftover)]
