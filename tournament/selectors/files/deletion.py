"""What an event has, before it is deleted."""

from tournament.models import Event, LedgerEntry, Penalty, SheetRow


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
