"""Verbs on cuts: make one within the act that draws the round after it, take one back with a reason."""

from uuid import UUID

from scoring.problems import error
from tournament.draws.by_standing import NextPlan
from tournament.models import Account, Cut
from tournament.refusal import Refused
from tournament.services.core.writing import Change, writing
from tournament.services.people.people import MOST_REASON


def make_cut(change: Change, plan: NextPlan, client_id: UUID) -> Cut | None:
    """Write the cut of a plan within a change, None where it asks for none."""
    asked = plan.asked.cut
    if asked is None:
        return None
    after = plan.number - 1
    if change.event.cuts.filter(after_round=after, cancelled_at=None).exists():
        raise Refused(error("cut.there_already", round=after))
    return Cut.objects.create(
        event=change.event,
        after_round=after,
        through=[each.number for each in plan.through],
        carry=asked.carry,
        others=asked.others,
        client_id=client_id,
        made_by=change.by,
        made_at=change.at,
    )


def cancel_cut(*, cut: Cut, reason: str, by: Account) -> None:
    """Take a cut back: points and ranks are what they were without it; the row stays.

    Raises Refused without a reason, once the seats of a round after it are published, and while a later cut stands.
    """
    with writing(cut.event, "cut_cancelled", by=by) as change:
        current = change.event.cuts.get(pk=cut.pk)
        if current.cancelled_at:
            change.nothing_new()
            return
        if not reason.strip():
            raise Refused(error("cut.reason_missing"))
        later = change.event.rounds.filter(number__gt=current.after_round, published_at__isnull=False).first()
        if later:
            raise Refused(error("cut.round_published", round=later.number))
        if change.event.cuts.filter(after_round__gt=current.after_round, cancelled_at=None).exists():
            raise Refused(error("cut.later_stands"))
        current.cancelled_at, current.cancelled_by = change.at, change.by
        current.cancel_reason = reason.strip()[:MOST_REASON]
        current.save(update_fields=["cancelled_at", "cancelled_by", "cancel_reason"])
        change.details = {"after_round": current.after_round, "reason": current.cancel_reason}
