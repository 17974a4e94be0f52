"""The standings as JSON, the same from API and command."""

from typing import Any

from tournament.models import Event
from tournament.selectors.public.standings import Standings


def standings_json(event: Event, standings: Standings) -> dict[str, Any]:
    """Return the ranking in the form of the contract, best first, totals in points."""
    return {
        "event": event.slug,
        "rows": [
            {
                "rank": row.rank,
                "player": row.name,
                "total": row.total,
                "games": row.games,
                "penalties": row.penalties,
                "results": list(row.results),
                "tie_break": row.tie_break,
            }
            for row in standings.rows
        ],
    }
