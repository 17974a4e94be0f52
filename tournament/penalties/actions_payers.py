"""Verbs on who pays for a foul at a replaced seat: the substitute who did it, or by a written act the player."""

from uuid import uuid4

from scoring.entries import Chombo
from scoring.problems import ProblemType
from tournament.core.acts import Act
from tournament.core.errors import Refused
from tournament.core.limits import MOST_REASON
from tournament.core.transaction import Change, place_of, require_text, writing
from tournament.models.access import Account
from tournament.models.people import Player
from tournament.models.referee import Penalty, PenaltyKind
from tournament.models.rounds import Seat, Table
from tournament.penalties.queries_fouls import find_substitution
from tournament.tables.history_1 import resolve

PENALTY_CHARGED = Act(
    "penalty_charged", "decided that {payer} pays for a penalty at the seat of player {player}: {reason}"
)

PENALTY_CHARGE_REASON_MISSING = ProblemType("penalty.charge_reason_missing", "To decide who pays needs a reason.")
PENALTY_NO_SUCH_CHOMBO = ProblemType(
    "penalty.no_such_chombo", "This hand of table {table} is no longer a chombo of that player."
)
PENALTY_NOBODY_REPLACED = ProblemType(
    "penalty.nobody_replaced", "Player {number} was replaced by nobody there: the player pays."
)

CHOMBO = "Chombo"


def charge(change: Change, row: Penalty, reason: str) -> None:
    """Charge a substitute's foul to the replaced player; the caller saves the row."""
    row.charged_by, row.charged_at = change.by, change.at
    row.charge_reason = require_text(reason, PENALTY_CHARGE_REASON_MISSING)


def set_payer(*, penalty: Penalty, to_player: bool, reason: str, by: Account) -> None:
    """Charge what a substitute did to the replaced player, or take that back.

    What was given to a player who was replaced becomes the substitute's by the same act. Raises Refused without a
    reason, and where nobody was replaced.
    """
    with writing(penalty.event, PENALTY_CHARGED, by=by) as change:
        current = Penalty.objects.select_related("player", "round", "table", "substitution").get(pk=penalty.pk)
        _set_payer(change, current, to_player=to_player, reason=reason)
        current.save()


def set_payer_of_chombo(*, table: Table, seq: int, player: Player, to_player: bool, reason: str, by: Account) -> None:
    """Do as `set_payer` for a chombo that was typed as a hand, named by its `seq`: it comes into the register.

    Raises Refused, too, where that hand is no chombo of the player.
    """
    with writing(table.round.event, PENALTY_CHARGED, by=by) as change:
        known = Penalty.objects.filter(table=table, seq=seq, player=player, kind=PenaltyKind.CHOMBO, cancelled_at=None)
        item = next((each for each in resolve(list(table.ledger.order_by("seq"))) if each.seq == seq), None)
        entry, seat = (item.entry if item else None), Seat.objects.filter(table=table, player=player).first()
        if not isinstance(entry, Chombo) or seat is None or seat.seat not in entry.offenders:
            raise Refused(PENALTY_NO_SUCH_CHOMBO(table=table.number))
        row = known.first() or Penalty(
            event=change.event,
            player=player,
            round=table.round,
            table=table,
            seq=seq,
            substitution=find_substitution(player, table=table),
            client_id=uuid4(),
            kind=PenaltyKind.CHOMBO,
            points=0,
            reason=(entry.note or CHOMBO)[:MOST_REASON],
            given_by=change.by,
            given_at=change.at,
        )
        _set_payer(change, row, to_player=to_player, reason=reason)
        row.save()


def _set_payer(change: Change, row: Penalty, *, to_player: bool, reason: str) -> None:
    """Set who pays; nothing new where it is so already. Raises Refused."""
    playing = row.substitution if row.substitution and not row.substitution.cancelled_at else None
    if playing is None:
        where = {"table": row.table} if row.table else {"table__round": row.round}
        playing = find_substitution(row.player, **where) if row.round else None
    if playing is None or row.cancelled_at:
        raise Refused(PENALTY_NOBODY_REPLACED(number=row.player.number))
    reason = require_text(reason, PENALTY_CHARGE_REASON_MISSING)
    if to_player == (row.substitution_id != playing.pk or row.charged_at is not None) and row.pk:
        change.nothing_new()
        return
    row.substitution, row.charged_by, row.charged_at, row.charge_reason = playing, "", None, ""
    if to_player:
        charge(change, row, reason)
    at = place_of(row.table) if row.table else {"round": row.round.number if row.round else None}
    change.details = {
        "player": row.player.number,
        "payer": "player" if to_player else "substitute",
        "reason": reason,
        **at,
    }
