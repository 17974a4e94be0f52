"""Verbs on the penalty register: give a penalty, cancel one. A chombo is a hand of a table's ledger instead."""

from uuid import UUID

from scoring.problems import error
from tournament.models import Account, Penalty, Player, Round
from tournament.refusal import Refused
from tournament.services.writing import writing

MOST_POINTS = 100_000


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
    """Take points off a player's tournament total, after uma; nobody receives them.

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
            points=points,
            reason=reason.strip()[:300],
            clause=clause.strip()[:60],
            given_by=change.by,
            given_at=change.at,
        )
        change.details = {"player": player.number, "points": points, "reason": penalty.reason}
    return penalty


def cancel_penalty(*, penalty: Penalty, reason: str, by: Account) -> None:
    """Cancel a penalty; its row stays with the reason."""
    with writing(penalty.event, "penalty_cancelled", by=by) as change:
        current = Penalty.objects.get(pk=penalty.pk)
        if current.cancelled_at:
            change.nothing_new()
            return
        if not reason.strip():
            raise Refused(error("penalty.reason_missing"))
        current.cancelled_at, current.cancelled_by = change.at, change.by
        current.cancel_reason = reason.strip()[:300]
        current.save(update_fields=["cancelled_at", "cancelled_by", "cancel_reason"])
        change.details = {"player": current.player.number, "points": current.points, "reason": current.cancel_reason}
