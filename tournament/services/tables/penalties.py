"""Verbs on the penalty register: give a penalty by hand, cancel one. By the catalogue they are given in `fouls`."""

from uuid import UUID

from scoring.problems import error
from tournament.models import Account, LedgerEntry, Penalty, PenaltyKind, Player, Round
from tournament.refusal import Refused
from tournament.services.core.writing import Change, writing
from tournament.services.tables.foul_hands import take_chombo_back

MOST_POINTS = 100_000
MOST_REASON = 300


def give_penalty(
    *,
    player: Player,
    points: int,
    reason: str,
    client_id: UUID,
    round_: Round | None = None,
    clause: str = "",
    by: Account,
) -> Penalty:
    """Take points off a player's tournament total, after uma; nobody receives them. Of 0 points it is a warning.

    A known `client_id` changes nothing and returns its penalty. Raises Refused without a reason or with an amount that
    cannot be.
    """
    with writing(player.event, "penalty_given", by=by) as change:
        known = Penalty.objects.filter(client_id=client_id).first()
        if known:
            change.nothing_new()
            return known
        if not reason.strip():
            raise Refused(error("penalty.reason_missing"))
        if not 0 <= points <= MOST_POINTS:
            raise Refused(error("penalty.points_out_of_range", points=points, most=MOST_POINTS))
        penalty = Penalty.objects.create(
            event=change.event,
            player=player,
            round=round_,
            client_id=client_id,
            kind=PenaltyKind.POINTS if points else PenaltyKind.WARNING,
            points=points,
            reason=reason.strip()[:MOST_REASON],
            clause=clause.strip()[:60],
            given_by=change.by,
            given_at=change.at,
        )
        change.details = {"player": player.number, "points": points, "reason": penalty.reason}
    return penalty


def cancel_penalty(*, penalty: Penalty, reason: str, by: Account) -> None:
    """Cancel a penalty; its row stays with the reason. A chombo leaves its table's ledger in the same act.

    Raises Refused without a reason, and where the ledger takes no correction now: at a signed table.
    """
    with writing(penalty.event, "penalty_cancelled", by=by) as change:
        current = Penalty.objects.select_related("player", "table__round").get(pk=penalty.pk)
        if current.cancelled_at:
            change.nothing_new()
            return
        if not reason.strip():
            raise Refused(error("penalty.reason_missing"))
        written = take_chombo_back(change, current, reason) if current.kind == PenaltyKind.CHOMBO else None
        current.cancelled_at, current.cancelled_by = change.at, change.by
        current.cancel_reason = reason.strip()[:MOST_REASON]
        current.save(update_fields=["cancelled_at", "cancelled_by", "cancel_reason"])
        change.details = _cancel_details(change, current, written)


def _cancel_details(change: Change, penalty: Penalty, written: LedgerEntry | None) -> dict[str, object]:
    """Return what the audit row says: who, how much, why, and the row of the ledger that was written, if any."""
    ledger = change.event.ruleset.chombo_points if penalty.kind == PenaltyKind.CHOMBO else 0
    said = {"player": penalty.player.number, "points": penalty.points + ledger, "reason": penalty.cancel_reason}
    if written is None:
        return said
    return {**said, "round": written.table.round.number, "table": written.table.number, "seq": written.seq}
