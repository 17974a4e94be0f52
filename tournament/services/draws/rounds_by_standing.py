"""The verb that writes the next round by standing, unpublished, with the cut before it if there is one."""

from uuid import UUID

from django.db.models import ProtectedError

from scoring.problems import error
from tournament.draws.by_standing import NextAsked, NextPlan, plan_next
from tournament.models import Account, Event, Round
from tournament.refusal import Refused
from tournament.selectors.draws.redraws import get_standing_field
from tournament.services.core.writing import writing
from tournament.services.draws.cuts import make_cut
from tournament.services.draws.redraws import bring_substitutes, is_done, write_round


def take_round(*, event: Event, asked: NextAsked, seen: str, drop: bool = False, client_id: UUID, by: Account) -> bool:
    """Write the round that `plan_next` draws, not published; rounds drawn and not published go, if `drop` says so.

    `seen` is the fingerprint of the plan that was looked at. Returns whether anything was written: a known `client_id`
    changes nothing. Raises Refused while a round is not released, and where anything is another than it was seen.
    """
    if is_done(event, client_id):
        return False
    plan = plan_next(get_standing_field(event), asked)  # may take seconds: before the transaction
    if plan.fingerprint != seen:
        raise Refused(error("redraw.moved_on"))
    with writing(event, "round_drawn_by_standing", by=by) as change:
        if is_done(event, client_id):
            change.nothing_new()
            return False
        field = get_standing_field(change.event)
        if field.fingerprint != plan.field:
            raise Refused(error("redraw.moved_on"))
        if field.drawn and not drop:
            raise Refused(error("next.rounds_drawn", rounds=field.drawn))
        _drop(change.event, field.drawn)
        cut = make_cut(change, plan, client_id)
        players = {player.number: player for player in change.event.players.all()}
        players |= bring_substitutes(change, plan.substitutes)
        round_ = Round.objects.create(event=change.event, number=plan.number, drawn=_how(plan))
        write_round(round_, plan.tables, players)
        change.event.rounds_planned = max(change.event.rounds_planned, plan.number)
        change.event.save(update_fields=["rounds_planned"])
        change.details = {"client_id": str(client_id), **_details(plan), "dropped": list(field.drawn), "cut": bool(cut)}
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
    told: dict[str, object] = {
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
        told |= {"top": cut.top, "carry": cut.carry, "others": cut.others, "through": through}
    return told
