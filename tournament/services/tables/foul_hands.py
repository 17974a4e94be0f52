"""What a foul does at its table: a chombo as a hand of the ledger, the hand that a dead hand belongs to, and back.

Parts of an act, within its transaction; the act itself is in `fouls` and `penalties`.
"""

from uuid import UUID, uuid5

from scoring.entries import Chombo
from scoring.game import fold
from scoring.problems import error
from tournament.history import resolve, standing_entries
from tournament.models import LedgerEntry, Penalty, Seat, Table
from tournament.refusal import Refused
from tournament.services.core.writing import Change
from tournament.services.tables.hands import HandAct, append_within, check_open


def append_chombo(
    change: Change, *, table: Table, seat: int, note: str, client_id: UUID, expected_seq: int
) -> LedgerEntry:
    """Append a chombo of one seat to the table's ledger; raises Stale and Refused as any hand does."""
    if LedgerEntry.objects.filter(client_id=client_id).exists():
        raise Refused(error("entry.client_id_used"))
    check_playing(change, table, expected_seq)
    entry = Chombo(offenders=(seat,), note=note)
    return append_within(change, HandAct("foul_given", table, entry, None, client_id, expected_seq, ""))


def check_playing(change: Change, table: Table, expected_seq: int) -> None:
    """Refuse a table where no hand is being played, or that has moved on since the caller looked."""
    rows = list(table.ledger.order_by("seq"))
    check_open(table, rows, expected_seq)
    if fold(standing_entries(rows), change.event.ruleset).state.ended:
        raise Refused(error("foul.game_over", table=table.number))


def take_chombo_back(change: Change, penalty: Penalty, reason: str) -> LedgerEntry | None:
    """Take a chombo of the register out of its ledger: its hand, or this player alone where others share it.

    Returns the row that says so; None where the hand is no chombo of the player any more, which stays as it is. Raises
    Refused as a correction does.
    """
    table = penalty.table
    if table is None or penalty.seq is None:
        return None
    rows = list(table.ledger.order_by("seq"))
    entry = next((item.entry for item in resolve(rows) if item.seq == penalty.seq), None)
    seat = Seat.objects.filter(table=table, player=penalty.player).values_list("seat", flat=True).first()
    if not isinstance(entry, Chombo) or seat not in entry.offenders:
        return None
    others = tuple(other for other in entry.offenders if other != seat)
    left = Chombo(offenders=others, riichi=entry.riichi, dead=entry.dead, note=entry.note) if others else None
    client_id = uuid5(penalty.client_id, "taken back")
    return append_within(
        change, HandAct("penalty_cancelled", table, left, penalty.seq, client_id, rows[-1].seq, reason.strip())
    )
