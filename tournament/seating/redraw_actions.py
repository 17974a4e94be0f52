"""Actions on rounds after the start: redraw the remaining ones, draw the next one by standing, cancel a cut.

Never touches a round that has begun, and a published one only where the organiser named it, with a reason.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models import ProtectedError

from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act
from tournament.core.audit import client_id_details, has_act
from tournament.core.errors import DomainError
from tournament.core.limits import MAX_REASON
from tournament.core.transaction import EventChange, event_transaction, require_text
from tournament.events.models import Event
from tournament.incidents.models import Substitution
from tournament.players.actions import REDRAW_MOVED_ON, bring_substitutes
from tournament.players.models import Player
from tournament.seating.queries import get_redraw_field, get_standing_field
from tournament.seating.redraw_plan import (
    NextAsked,
    NextPlan,
    RedrawAsked,
    RedrawPlan,
    plan_next,
    plan_redraw,
)
from tournament.seating.search.schedule import Round as Drawn
from tournament.standings.models import Cut
from tournament.tables.models import Round, Seat, Table

REDRAW_REASON_MISSING = ProblemType("redraw.reason_missing", "Published seats of rounds {rounds} would move: say why.")
REDRAW_SUBSTITUTE_IN_ROUND = ProblemType(
    "redraw.substitute_in_round", "Round {round}, table {table}: somebody is replaced there; take that back first."
)
REDRAW_TABLE_IN_USE = ProblemType(
    "redraw.table_in_use", "Round {round} cannot be redrawn: something is written about one of its tables."
)

ROUNDS_REDRAWN = Act(
    "rounds_redrawn", "filled or redrew rounds {rounds} ({fill}, seed {seed}, {new_repeats} new repeats): {reason}"
)
ROUND_DRAWN_BY_STANDING = Act(
    "round_drawn_by_standing", "drew round {round} by standing ({method}, seed {seed}, {repeats} repeats)"
)

DRAWN = (ROUNDS_REDRAWN, ROUND_DRAWN_BY_STANDING)


def redraw_rounds(
    *,
    event: Event,
    asked: RedrawAsked,
    seen: str,
    client_id: UUID,
    names: Sequence[str] = (),
    reason: str = "",
    by: Account,
) -> bool:
    """Replace the remaining rounds as `plan_redraw` says; note who has left by it and who is back.

    `seen` is the fingerprint of the plan that the caller has seen, `names` those of new substitutes. Returns whether
    anything was written: a known `client_id` changes nothing. Raises DomainError for a stale `seen`, a published round
    without a reason, and a round with a substitution.
    """
    if has_act(event, client_id, *DRAWN):
        return False
    field = get_redraw_field(event)
    plan = plan_redraw(field, asked)  # may take seconds: before the transaction
    if plan.fingerprint != seen:
        raise DomainError(REDRAW_MOVED_ON())
    with event_transaction(event, ROUNDS_REDRAWN, by=by) as change:
        if has_act(event, client_id, *DRAWN):
            return change.mark_unchanged()
        if get_redraw_field(change.event).fingerprint != plan.field:
            raise DomainError(REDRAW_MOVED_ON())
        moved = tuple(each.number for each in field.rounds if each.stage == "published" and each.number in plan.rounds)
        if moved and not reason.strip():
            raise DomainError(REDRAW_REASON_MISSING(rounds=moved))
        players = {player.number: player for player in change.event.players.all()}
        players |= bring_substitutes(change, plan.substitutes, names)
        for number in (*plan.left, *plan.returned):
            players[number].withdrawn_at = change.at if number in plan.left else None
            players[number].save(update_fields=["withdrawn_at"])
        write_rounds(
            change.event,
            plan.rounds,
            players,
            {} if plan.pairs else {"by": "redraw", "seed": plan.asked.seed, "fill": plan.asked.fill},
        )
        change.details = {
            **client_id_details(client_id),
            "reason": reason.strip()[:MAX_REASON],
            **_redraw_details(plan),
        }
    return True


def write_rounds(
    event: Event, rounds: Mapping[int, Drawn], players: Mapping[int, Player], drawn: Mapping[str, object]
) -> None:
    """Replace the seats of rounds within a change; raises DomainError for a round with a substitution."""
    found = {round_.number: round_ for round_ in event.rounds.filter(number__in=list(rounds))}
    bound = Substitution.objects.filter(table__round__in=found.values(), cancelled_at=None).select_related(
        "table__round"
    )
    if held := bound.first():
        raise DomainError(REDRAW_SUBSTITUTE_IN_ROUND(round=held.table.round.number, table=held.table.number))
    for number, tables in rounds.items():
        write_round(found[number], tables, players)
        if drawn:
            found[number].drawn = dict(drawn)
            found[number].save(update_fields=["drawn"])


def write_round(round_: Round, drawn: Drawn, players: Mapping[int, Player]) -> None:
    """Replace the seats of one round within a change; a table that remains keeps its row."""
    there = {table.number: table for table in round_.tables.all()}
    wanted = {number for number, seats in enumerate(drawn, start=1) if seats}
    round_.seats.all().delete()
    try:
        round_.tables.exclude(number__in=wanted).delete()
    except ProtectedError as wrong:
        raise DomainError(REDRAW_TABLE_IN_USE(round=round_.number)) from wrong
    new = Table.objects.bulk_create([Table(round=round_, number=number) for number in sorted(wanted - there.keys())])
    tables = there | {table.number: table for table in new}
    Seat.objects.bulk_create(
        Seat(round=round_, table=tables[number], seat=seat, player=players[who])
        for number, seats in enumerate(drawn, start=1)
        for seat, who in enumerate(seats)
    )


def _redraw_details(plan: RedrawPlan) -> dict[str, object]:
    """Return the audit row's part on a plan: enough to repeat it, and its cost."""
    return {
        "seed": plan.asked.seed,
        "fill": plan.asked.fill,
        "rounds": sorted(plan.rounds),
        "left": list(plan.left),
        "returned": list(plan.returned),
        "pairs": [list(pair) for pair in plan.pairs],
        "substitutes": list(plan.substitutes),
        "new_repeats": plan.new_repeats,
        "before": {"repeats": plan.before.repeats, "winds_spread": plan.before.winds_spread},
        "after": {"repeats": plan.after.repeats, "winds_spread": plan.after.winds_spread},
    }


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
    `client_id` changes nothing. Raises DomainError while a round is not released, and for a stale `seen`.
    """
    if has_act(event, client_id, *DRAWN):
        return False
    plan = plan_next(get_standing_field(event), asked)  # may take seconds: before the transaction
    if plan.fingerprint != seen:
        raise DomainError(REDRAW_MOVED_ON())
    with event_transaction(event, ROUND_DRAWN_BY_STANDING, by=by) as change:
        if has_act(event, client_id, *DRAWN):
            return change.mark_unchanged()
        field = get_standing_field(change.event)
        if field.fingerprint != plan.field:
            raise DomainError(REDRAW_MOVED_ON())
        if field.drawn and not drop:
            raise DomainError(NEXT_ROUNDS_DRAWN(rounds=field.drawn))
        try:
            change.event.rounds.filter(number__in=field.drawn, published_at=None).delete()
        except ProtectedError as wrong:
            raise DomainError(REDRAW_TABLE_IN_USE(round=min(field.drawn))) from wrong
        cut = _make_cut(change, plan, client_id)
        players = {player.number: player for player in change.event.players.all()}
        players |= bring_substitutes(change, plan.substitutes)
        round_ = Round.objects.create(event=change.event, number=plan.number, drawn=_next_round_origin(plan))
        write_round(round_, plan.tables, players)
        change.event.rounds_planned = max(change.event.rounds_planned, plan.number)
        change.event.save(update_fields=["rounds_planned"])
        change.details = {
            **client_id_details(client_id),
            **_next_round_details(plan),
            "dropped": list(field.drawn),
            "cut": bool(cut),
        }
    return True


def _next_round_origin(plan: NextPlan) -> dict[str, object]:
    asked = plan.asked
    return {"by": "standing", "seed": asked.seed, "method": asked.method, "step": asked.step, "finals": plan.finals}


def _next_round_details(plan: NextPlan) -> dict[str, object]:
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
    if plan.resting:
        details["resting"] = list(plan.resting)
    if cut:
        through = [each.number for each in plan.through]
        details |= {"top": cut.top, "carry": cut.carry, "others": cut.others, "through": through}
    return details


def _make_cut(change: EventChange, plan: NextPlan, client_id: UUID) -> Cut | None:
    """Write the cut of a plan within a change; None where none is asked for."""
    asked = plan.asked.cut
    if asked is None:
        return None
    after = plan.number - 1
    if change.event.cuts.filter(after_round=after, cancelled_at=None).exists():
        raise DomainError(CUT_THERE_ALREADY(round=after))
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

    Raises DomainError without a reason, once seats of a later round are published, and while a later cut is in force.
    """
    with event_transaction(cut.event, CUT_CANCELLED, by=by) as change:
        current = change.event.cuts.get(pk=cut.pk)
        if current.cancelled_at:
            change.mark_unchanged()
            return
        reason = require_text(reason, CUT_REASON_MISSING)
        later = change.event.rounds.filter(number__gt=current.after_round, published_at__isnull=False).first()
        if later:
            raise DomainError(CUT_ROUND_PUBLISHED(round=later.number))
        if change.event.cuts.filter(after_round__gt=current.after_round, cancelled_at=None).exists():
            raise DomainError(CUT_LATER_STANDS())
        change.cancel(current, reason)
        change.details = {"after_round": current.after_round, "reason": reason}
