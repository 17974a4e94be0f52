"""What likely slips add: hints beside a typed hand, and beside a sheet that was refused."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tournament.models import Event
from web.hands.hooks import HINTS, Hints

if TYPE_CHECKING:
    from tournament.selectors.tables.tables import LoadedTable
    from web.hands.hand_draft import Draft


def _of_draft(event: Event, table: "LoadedTable", draft: "Draft") -> Sequence[Any]:
    from web.hands.likely_slips import slips_of_draft

    return slips_of_draft(event, table, draft)


def _of_sheet(event: Event, table: "LoadedTable", totals: Sequence[int], leftover: int) -> Sequence[Any]:
    from web.hands.likely_slips import slips_of_sheet

    return slips_of_sheet(event, table, totals, leftover)


HINTS.append(Hints(_of_draft, _of_sheet))
