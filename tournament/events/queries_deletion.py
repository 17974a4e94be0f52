"""What an event has, before it is deleted."""

from tournament.models.event import Event
from tournament.models.ledger import LedgerEntry, SheetRow
from tournament.models.referee import Penalty


def count_what_goes(event: Event) -> dict[str, int]:
    """Count what a deletion takes along; seven queries."""
    return {
        "players": event.players.count(),
        "rounds": event.rounds.count(),
        "hands": LedgerEntry.objects.filter(table__round__event=event).count(),
        "sheets": SheetRow.objects.filter(table__round__event=event).count(),
        "penalties": Penalty.objects.filter(event=event).count(),
        "roles": event.memberships.count(),
        "acts": event.audit.count(),
    }
