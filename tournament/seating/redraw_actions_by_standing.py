"""Verbs on rounds by standing: draw the next one, with a cut before it if one is asked for; cancel a cut."""

from uuid import UUID

from django.db.models import ProtectedError

from scoring.problems import ProblemType
from tournament.core.acts import Act
from tournament.core.errors import Refused
from tournament.core.transaction import Change, is_done, require_text, sent_as, writing
from tournament.models.access import Account
from tournament.models.event import Event
from tournament.models.rounds import Cut, Round
from tournament.players.actions import REDRAW_MOVED_ON, bring_substitutes
from tournament.seating.queries_redraws import get_standing_field
from tournament.seating.redraw_actions_redraws import DRAWN, REDRAW_TABLE_IN_USE, ROUND_DRAWN_BY_STANDING, write_round
from tournament.seating.redraw_plan_by_standing import NextAsked, NextPlan, plan_next

NEXT_ROUNDS_DRAWN = ProblemType("next.rounds_drawn", "Rounds {rounds} are drawn already: tick that they are discarded.")
CUT_THERE_ALREADY = ProblemType("cut.there_already", "There is a cut after round {round} already: take it back first.")
CUT_REASON_MISSING = ProblemType("cut.reason_missing", "Taking a cut back needs a reason.")
CUT_ROUND_PUBLISHED = ProblemType(
    "cut.round_published", "The seats of round {round} are published: the cut before it stays."
)
CUT_LATER_STANDS = ProblemType("cut.later_stands", "There is a later cut: take that one back first.")

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
        raise Refused(REDRAW_MOVED_ON())
    with writing(event, ROUND_DRAWN_BY_STANDING, by=by) as change:
        if is_done(event, client_id, *DRAWN):
            change.nothing_new()
            return False
        field = get_standing_field(change.event)
        if field.fingerprint != plan.field:
            raise Refused(REDRAW_MOVED_ON())
        if field.drawn and not drop:
            raise Refused(NEXT_ROUNDS_DRAWN(rounds=field.drawn))
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
        raise Refused(REDRAW_TABLE_IN_USE(round=min(numbers))) from wrong


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
        raise Refused(CUT_THERE_ALREADY(round=after))
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
        reason = require_text(reason, CUT_REASON_MISSING)
        later = change.event.rounds.filter(number__gt=current.after_round, published_at__isnull=False).first()
        if later:
            raise Refused(CUT_ROUND_PUBLISHED(round=later.number))
        if change.event.cuts.filter(after_round__gt=current.after_round, cancelled_at=None).exists():
            raise Refused(CUT_LATER_STANDS())
        change.cancel(current, reason)
        change.details = {"after_round": current.after_round, "reason": reason}
