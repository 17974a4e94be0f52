"""What likely slips add: hints beside a typed hand, and beside a sheet that was refused."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tournament.events.models import Event
from tournament.hands.hooks import HINTS, Hints

if TYPE_CHECKING:
    from tournament.hands.draft import Draft
    from tournament.tables.queries import LoadedTable


def _of_draft(event: Event, table: "LoadedTable", draft: "Draft") -> Sequence[Any]:
    from tournament.slips.views import slips_of_draft

    return slips_of_draft(event, table, draft)


def _of_sheet(event: Event, table: "LoadedTable", totals: Sequence[int], leftover: int) -> Sequence[Any]:
    from tournament.slips.views import slips_of_sheet

    return slips_of_sheet(event, table, totals, leftover)


HINTS.append(Hints(_of_draft, _of_sheet))
