"""The standings as JSON, the same from API and command."""

from typing import Any

from tournament.models import Event
from tournament.selectors.public.standings import Standings
from tournament.sheets.columns import json_row


def standings_json(event: Event, standings: Standings) -> dict[str, Any]:
    """Return the ranking in the form of the contract, best first, totals in points."""
    return {"event": event.slug, "rows": [json_row(row) for row in standings.rows]}
