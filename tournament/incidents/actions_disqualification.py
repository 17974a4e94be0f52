"""Verbs on disqualification: take a player out of the ranking for good, take that back, say what the public reads.

Games played stay as they are, for the others too; no seat moves.
"""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from scoring.problems import ProblemType
from tournament.core.acts import Act
from tournament.core.errors import Refused
from tournament.core.transaction import require_text, row_id, writing
from tournament.incidents.actions_substitutions import Replacement, put_substitute_in
from tournament.models.access import Account
from tournament.models.people import Disqualification, Player
from tournament.models.rounds import Table

PLAYER_DISQUALIFIED = Act("player_disqualified", "disqualified player {number} ({shown}): {reason}")
DISQUALIFICATION_LIFTED = Act("disqualification_lifted", "took the disqualification of player {number} back: {reason}")
DISQUALIFICATION_SHOWN = Act(
    "disqualification_shown", "set what the public reads of the disqualification of player {number}: {shown}"
)

DISQUALIFY_ALREADY = ProblemType("disqualify.already", "Player {number} is disqualified already.")
DISQUALIFY_REASON_MISSING = ProblemType(
    "disqualify.reason_missing", "To disqualify a player, or to take it back, needs a reason."
)
DISQUALIFY_SHOWN_UNKNOWN = ProblemType("disqualify.shown_unknown", "Choose what the public reads.")

Shown = Disqualification.Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Why somebody is disqualified, by which clause, and what the public reads of it."""

    reason: str
    clause: str = ""
    shown: str = Shown.NOTHING


def disqualify(
    *,
    player: Player,
    verdict: Verdict,
    client_id: UUID,
    table: Table | None = None,
    replacement: Replacement | None = None,
    by: Account,
) -> Disqualification:
    """Take a player out of the ranking and of later draws; given `table` and `replacement`, put a substitute in.

    A known `client_id` changes nothing and returns its row. Raises Refused without a reason, for a player who is
    disqualified already, and as `put_substitute_in`.
    """
    with transaction.atomic():
        if table and replacement:
            seat = row_id(client_id, 1)
            put_substitute_in(table=table, player=player, replacement=replacement, client_id=seat, by=by)
        with writing(player.event, PLAYER_DISQUALIFIED, by=by) as change:
            known = change.known(Disqualification.objects, client_id, player_id=player.pk)
            if known:
                return known
            current = change.event.players.get(pk=player.pk)
            if current.disqualifications.filter(cancelled_at=None).exists():
                raise Refused(DISQUALIFY_ALREADY(number=current.number))
            released = change.event.rounds.filter(released_at__isnull=False).aggregate(last=Max("number"))["last"]
            row = Disqualification.objects.create(
                event=change.event,
                player=current,
                after_round=released or 0,
                reason=require_text(verdict.reason, DISQUALIFY_REASON_MISSING),
                clause=verdict.clause.strip()[:60],
                shown=_shown(verdict.shown),
                was_ranked=current.ranked,
                was_withdrawn=current.withdrawn_at is not None,
                client_id=client_id,
                given_by=change.by,
                given_at=change.at,
            )
            change.set(current, ranked=False, withdrawn_at=current.withdrawn_at or change.at)
            change.changed = True
            change.details = {"number": current.number, "reason": row.reason, "shown": row.shown}
    return row


def lift_disqualification(*, disqualification: Disqualification, reason: str, by: Account) -> None:
    """Take a disqualification back: the player is ranked and drawn again as before; substitutes stay where they are.

    Raises Refused without a reason.
    """
    with writing(disqualification.event, DISQUALIFICATION_LIFTED, by=by) as change:
        row = Disqualification.objects.select_related("player").get(pk=disqualification.pk)
        if row.cancelled_at:
            change.nothing_new()
            return
        change.cancel(row, require_text(reason, DISQUALIFY_REASON_MISSING))
        withdrawn = row.player.withdrawn_at if row.was_withdrawn else None
        change.set(row.player, ranked=row.was_ranked, withdrawn_at=withdrawn)
        change.changed = True
        change.details = {"number": row.player.number, "reason": row.cancel_reason}


def show_disqualification(*, disqualification: Disqualification, shown: str, by: Account) -> None:
    """Set what the public reads of a disqualification. Raises Refused for what is no such choice."""
    with writing(disqualification.event, DISQUALIFICATION_SHOWN, by=by) as change:
        row = Disqualification.objects.select_related("player").get(pk=disqualification.pk)
        change.details = {"number": row.player.number, "shown": _shown(shown)}
        change.set(row, shown=shown)


def _shown(shown: str) -> str:
    if shown not in Shown.values:
        raise Refused(DISQUALIFY_SHOWN_UNKNOWN())
    return shown
