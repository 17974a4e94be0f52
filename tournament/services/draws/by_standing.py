"""Verbs on rounds by standing: draw the next one, with a cut before it if one is asked for; cancel a cut."""

from uuid import UUID

from django.db.models import ProtectedError

from scoring.problems import error
from tournament.core.acts import Act
from tournament.draws.by_standing import NextAsked, NextPlan, plan_next
from tournament.models import Account, Cut, Event, Round
from tournament.refusal import Refused
from tournament.selectors.draws.redraws import get_standing_field
from tournament.services.core.writing import Change, is_done, require_text, sent_as, writing
from tournament.services.draws.redraws import DRAWN, ROUND_DRAWN_BY_STANDING, write_round
from tournament.services.people.people import bring_substitutes

CUT_CANCELLED = Act("cut_cancelled", "took the cut after round {after_round} back: {reason}")


def take_round(*, event: Event, asked: NextAsked, seen: str, drop: bool = False, client_id: UUID, by: Account) -> bool:
    """Write the round that `plan_next` draws, unpublished; `drop` deletes the present unpublished rounds.

    `seen` is the fingerprint of the plan that the caller has seen. Returns whether anything was written: a known
    `client_id` changes nothing. Raises Refused while a round is not released, and for a stale `seen`.
    """
    if is_done(event, client_id, *DRAWN):
        return False
    plan = plan_next(get_standing_field(event), asked)  # may take seconds: before the transaction
    if plan.fingerprint != seen:
        raise Refused(error("redraw.moved_on"))
    with writing(event, ROUND_DRAWN_BY_STANDING, by=by) as change:
        if is_done(event, client_id, *DRAWN):
            change.nothing_new()
            return False
        field = get_standing_field(change.event)
        if field.fingerprint != plan.field:
            raise Refused(error("redraw.moved_on"))
        if field.drawn and not drop:
            raise Refused(error("next.rounds_drawn", rounds=field.drawn))
        _drop(change.event, field.drawn)
        cut = _make_cut(change, plan, client_id)
        players = {player.number: player for player in change.event.players.all()}
        players |= bring_substitutes(change, plan.substitutes)
        round_ = Round.objects.create(event=change.event, number=plan.number, drawn=_how(plan))
        write_round(round_, plan.tables, players)
        change.event.rounds_planned = max(change.event.rounds_planned, plan.number)
        change.event.save(update_fields=["rounds_planned"])
        change.details = {**sent_as(client_id), **_details(plan), "dropped": list(field.drawn), "cut": bool(cut)}
    return True


def _drop(event: Event, numbers: tuple[int, ...]) -> None:
    try:
        event.rounds.filter(number__in=numbers, published_at=None).delete()
    except ProtectedError as wrong:
        raise Refused(error("redraw.table_in_use", round=min(numbers))) from wrong


def _how(plan: NextPlan) -> dict[str, object]:
    asked = plan.asked
    return {"by": "standing", "seed": asked.seed, "method": asked.method, "step": asked.step, "finals": plan.finals}


def _details(plan: NextPlan) -> dict[str, object]:
    asked, cut = plan.asked, plan.asked.cut
    details: dict[str, object] = {
        "round": plan.number,
        "seed": asked.seed,
        "method": asked.method,
        "step": asked.step,
        "numbering": asked.numbering,
        "apart": list(asked.apart),
        "repeats": plan.report.repeats,
        "substitutes": list(plan.substitutes),
    }
    if cut:
        through = [each.number for each in plan.through]
        details |= {"top": cut.top, "carry": cut.carry, "others": cut.others, "through": through}
    return details


def _make_cut(change: Change, plan: NextPlan, client_id: UUID) -> Cut | None:
    """Write the cut of a plan within a change; None where none is asked for."""
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
    """Cancel a cut: points and ranks are again those without it.

    Raises Refused without a reason, once seats of a later round are published, and while a later cut is in force.
    """
    with writing(cut.event, CUT_CANCELLED, by=by) as change:
        current = change.event.cuts.get(pk=cut.pk)
        if current.cancelled_at:
            change.nothing_new()
            return
        reason = require_text(reason, "cut.reason_missing")
        later = change.event.rounds.filter(number__gt=current.after_round, published_at__isnull=False).first()
        if later:
            raise Refused(error("cut.round_published", round=later.number))
        if change.event.cuts.filter(after_round__gt=current.after_round, cancelled_at=None).exists():
            raise Refused(error("cut.later_stands"))
        change.cancel(current, reason)
        change.details = {"after_round": current.after_round, "reason": reason}
