"""How much is going on at this desk, for whoever watches the machine; four counts, and nothing of any person."""

from dataclasses import dataclass

from tournament.models import Event, LedgerEntry, RefereeCall, Round


@dataclass(frozen=True, slots=True)
class Load:
    """Counts over all events; a round runs from its clock's start to its release."""

    events: int
    rounds_running: int
    ledger_rows: int
    calls_open: int


def get_load() -> Load:
    """Count; four queries."""
    return Load(
        events=Event.objects.count(),
        rounds_running=Round.objects.filter(started_at__isnull=False, released_at=None).count(),
        ledger_rows=LedgerEntry.objects.count(),
        calls_open=RefereeCall.objects.filter(closed_at=None).count(),
    )
