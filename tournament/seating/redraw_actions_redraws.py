"""The verb that redraws the remaining rounds after a player left, came late or returned.

It never touches a round that has begun, and a published one only where the organiser named it, with a reason.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models import ProtectedError

from scoring.problems import ProblemType
from tournament.core.acts import Act
from tournament.core.errors import Refused
from tournament.core.limits import MOST_REASON
from tournament.core.transaction import Change, is_done, sent_as, writing
from tournament.models.access import Account
from tournament.models.event import Event
from tournament.models.people import Player, Substitution
from tournament.models.rounds import Round, Seat, Table
from tournament.players.actions import REDRAW_MOVED_ON, bring_substitutes
from tournament.seating.queries_redraws import get_field
from tournament.seating.redraw_plan_redraw import FieldNow, RedrawAsked, RedrawPlan, plan_redraw
from tournament.seating.search.schedule_1 import Round as Drawn

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
    anything was written: a known `client_id` changes nothing. Raises Refused for a stale `seen`, a published round
    without a reason, and a round with a substitution.
    """
    if is_done(event, client_id, *DRAWN):
        return False
    field = get_field(event)
    plan = plan_redraw(field, asked)  # may take seconds: before the transaction
    if plan.fingerprint != seen:
        raise Refused(REDRAW_MOVED_ON())
    with writing(event, ROUNDS_REDRAWN, by=by) as change:
        if is_done(event, client_id, *DRAWN):
            change.nothing_new()
            return False
        if get_field(change.event).fingerprint != plan.field:
            raise Refused(REDRAW_MOVED_ON())
        _check_published(field, plan, reason)
        players = {player.number: player for player in change.event.players.all()}
        players |= bring_substitutes(change, plan.substitutes, names)
        _note_who_left(change, plan, players)
        write_rounds(change.event, plan.rounds, players, _how(plan))
        change.details = {**sent_as(client_id), "reason": reason.strip()[:MOST_REASON], **_details(plan)}
    return True


def write_rounds(
    event: Event, rounds: Mapping[int, Drawn], players: Mapping[int, Player], drawn: Mapping[str, object]
) -> None:
    """Replace the seats of rounds within a change; raises Refused for a round with a substitution."""
    found = {round_.number: round_ for round_ in event.rounds.filter(number__in=list(rounds))}
    bound = Substitution.objects.filter(table__round__in=found.values(), cancelled_at=None).select_related(
        "table__round"
    )
    if held := bound.first():
        raise Refused(REDRAW_SUBSTITUTE_IN_ROUND(round=held.table.round.number, table=held.table.number))
    for number, tables in rounds.items():
        write_round(found[number], tables, players)
        if drawn:
            found[number].drawn = dict(drawn)
            found[number].save(update_fields=["drawn"])


def _check_published(field: FieldNow, plan: RedrawPlan, reason: str) -> None:
    moved = tuple(each.number for each in field.rounds if each.stage == "published" and each.number in plan.rounds)
    if moved and not reason.strip():
        raise Refused(REDRAW_REASON_MISSING(rounds=moved))


def _note_who_left(change: Change, plan: RedrawPlan, players: Mapping[int, Player]) -> None:
    for number in (*plan.left, *plan.returned):
        players[number].withdrawn_at = change.at if number in plan.left else None
        players[number].save(update_fields=["withdrawn_at"])


def write_round(round_: Round, drawn: Drawn, players: Mapping[int, Player]) -> None:
    """Replace the seats of one round within a change; a table that remains keeps its row."""
    there = {table.number: table for table in round_.tables.all()}
    wanted = {number for number, seats in enumerate(drawn, start=1) if seats}
    round_.seats.all().delete()
    try:
        round_.tables.exclude(number__in=wanted).delete()
    except ProtectedError as wrong:
        raise Refused(REDRAW_TABLE_IN_USE(round=round_.number)) from wrong
    new = Table.objects.bulk_create([Table(round=round_, number=number) for number in sorted(wanted - there.keys())])
    tables = there | {table.number: table for table in new}
    Seat.objects.bulk_create(
        Seat(round=round_, table=tables[number], seat=seat, player=players[who])
        for number, seats in enumerate(drawn, start=1)
        for seat, who in enumerate(seats)
    )


def _how(plan: RedrawPlan) -> dict[str, object]:
    """Return the origin of the new seats; {} where substitutes only fill seats of the old draw."""
    return {} if plan.pairs else {"by": "redraw", "seed": plan.asked.seed, "fill": plan.asked.fill}


def _details(plan: RedrawPlan) -> dict[str, object]:
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
