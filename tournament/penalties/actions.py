"""Actions on the penalty register: give a foul or a penalty, cancel one, change foul amounts, decide who pays.

A foul is one act: register rows, the chombo in the table's ledger and the audit row are written together or not at all.
At a replaced seat the substitute pays for what he did, unless a written act makes the player pay.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4, uuid5

from rules.foul_books import catalogue
from rules.fouls import FoulError, amounts, with_amounts
from scoring.entries import Chombo
from scoring.game import fold
from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act, Group
from tournament.core.errors import DomainError
from tournament.core.limits import MAX_PENALTY, MAX_REASON
from tournament.core.transaction import (
    ENTRY_CLIENT_ID_USED,
    EventChange,
    event_transaction,
    require_text,
    row_id,
    table_details,
)
from tournament.events.models import Event
from tournament.incidents.models import Substitution
from tournament.penalties.models import Penalty, PenaltyKind
from tournament.penalties.queries import Offence, Proposal, find_substitution, get_proposal
from tournament.players.models import Player
from tournament.tables.actions import HandRequest, append_in_transaction, check_open
from tournament.tables.history import resolve, standing_entries
from tournament.tables.models import LedgerEntry, Round, Seat, Table
from tournament.tables.queries import amounts_at, read_kept

FOUL_TABLE_MISSING = ProblemType(
    "foul.table_missing", "This belongs to a table, and the player sits at none that is being played."
)
FOUL_NOT_AT_TABLE = ProblemType("foul.not_at_table", "Player {player} does not sit at table {table}.")
FOUL_GAME_OVER = ProblemType(
    "foul.game_over", "The game at table {table} is over: no hand is being played. Give the points by hand instead."
)
FOUL_AMOUNT_REASON_MISSING = ProblemType(
    "foul.amount_reason_missing", "{usual} points are usual here; {points} need a reason."
)
FOUL_AMOUNTS_REASON_MISSING = ProblemType("foul.amounts_reason_missing", "Play has begun: say why the amounts change.")
FOUL_AMOUNTS_UNUSABLE = ProblemType("foul.amounts_unusable", "These amounts cannot be used: {why}.")
FOUL_POINTS_MISSING = ProblemType("foul.points_missing", "Say how many points.")
PENALTY_REASON_MISSING = ProblemType("penalty.reason_missing", "A penalty, and cancelling one, needs a reason.")
PENALTY_POINTS_OUT_OF_RANGE = ProblemType(
    "penalty.points_out_of_range", "{points} points is not possible; 0 to {most} are."
)

PENALTY_GIVEN = Act("penalty_given", "gave player {player} {points} points: {reason}")
PENALTY_CANCELLED = Act(
    "penalty_cancelled", "cancelled {points} points of player {player}: {reason}", groups=Group.REGISTER
)
FOUL_GIVEN = Act("foul_given", "gave players {players} {points} points ({kind}): {reason}", groups=Group.REGISTER)
FOUL_AMOUNTS_CHANGED = Act(
    "foul_amounts_changed",
    "changed amounts of fouls: {amounts} ({reason})",
    without_reason="changed amounts of fouls: {amounts}",
)


def give_penalty(
    *,
    player: Player,
    points: int,
    reason: str,
    client_id: UUID,
    round_: Round | None = None,
    clause: str = "",
    to_player: bool = False,
    by: Account,
) -> Penalty:
    """Take points off a player's tournament total, after uma; nobody receives them. 0 points are a warning.

    For a round in which the player was replaced it is the substitute's, unless it is given `to_player`. A known
    `client_id` changes nothing and returns its penalty. Raises DomainError without a reason, and for an amount out of
    range.
    """
    with event_transaction(player.event, PENALTY_GIVEN, by=by) as change:
        known = change.find_by_client_id(Penalty.objects, client_id)
        if known:
            return known
        reason = require_text(reason, PENALTY_REASON_MISSING)
        _check_points(points)
        penalty = Penalty.objects.create(
            event=change.event,
            player=player,
            round=round_,
            client_id=client_id,
            kind=PenaltyKind.POINTS if points else PenaltyKind.WARNING,
            points=points,
            reason=reason,
            clause=clause.strip()[:60],
            substitution=None if round_ is None or to_player else find_substitution(player, table__round=round_),
            given_by=change.by,
            given_at=change.at,
        )
        change.details = {"player": player.number, "points": points, "reason": penalty.reason}
        if penalty.substitution:
            change.details["substitute"] = True
    return penalty


def cancel_penalty(*, penalty: Penalty, reason: str, by: Account) -> None:
    """Cancel a penalty; a chombo leaves its table's ledger in the same act.

    Raises DomainError without a reason, and for a chombo at a signed table.
    """
    with event_transaction(penalty.event, PENALTY_CANCELLED, by=by) as change:
        current = Penalty.objects.select_related("player", "table__round").get(pk=penalty.pk)
        if current.cancelled_at:
            change.mark_unchanged()
            return
        cancel_reason = require_text(reason, PENALTY_REASON_MISSING)
        written = _take_chombo_back(change, current, reason) if current.kind == PenaltyKind.CHOMBO else None
        change.cancel(current, cancel_reason)
        rules = current.table.rules_in(change.event) if current.table else change.event.ruleset
        kept = read_kept(change.event.kept_amounts) if rules == change.event.ruleset else ()
        amounts_then = amounts_at(rules, kept, current.given_at)
        ledger = amounts_then.chombo_points if current.kind == PenaltyKind.CHOMBO else 0
        change.details = {
            "player": current.player.number,
            "points": current.points + ledger,
            "reason": current.cancel_reason,
            **({**table_details(written.table), "seq": written.seq} if written else {}),
        }


def _check_points(points: int) -> None:
    if not 0 <= points <= MAX_PENALTY:
        raise DomainError(PENALTY_POINTS_OUT_OF_RANGE(points=points, most=MAX_PENALTY))


@dataclass(frozen=True, slots=True)
class GivenFoul:
    """The register's rows of a foul; `repeated` where an earlier request wrote them under the same `client_id`."""

    rows: Sequence[Penalty]
    repeated: bool


def give_foul(
    *, player: Player, table: Table | None, offence: Offence, client_id: UUID, expected_seq: int = 0, by: Account
) -> GivenFoul:
    """Give a player the catalogue's penalty: the register's rows and, for a chombo, a hand of the table's ledger.

    `expected_seq`, for a chombo and a dead hand, is the table's last `seq` that the caller has seen. A known
    `client_id` changes nothing and returns its rows. Raises DomainError, StaleTableError.
    """
    with event_transaction(player.event, FOUL_GIVEN, by=by) as change:
        known = list_given(player.event, client_id)
        if known:
            change.mark_unchanged()
            return GivenFoul(known, repeated=True)
        # a substitute's seat is the replaced player's
        plays = player.substitutions.filter(table=table, cancelled_at=None).select_related("player__event").first()
        player = plays.player if table and plays else player
        proposal = get_proposal(change.event, player, offence, table=table.pk if table else None)
        points = _points(proposal, offence)
        seats = _seats(table, player)
        seq = _hand(change, proposal, table, seats.get(player.pk, 0), client_id, expected_seq)
        offenders = list(seats) if proposal.case.each_player else [player.pk]
        rows = [_row(change, proposal, offence, table, seq, points) for _ in offenders]
        playing = {player.pk: proposal.offender}
        if proposal.case.each_player:
            playing = {each.player_id: each for each in Substitution.objects.filter(table=table, cancelled_at=None)}
        for number, (row, offender) in enumerate(zip(rows, offenders, strict=True)):
            row.player_id, row.client_id = offender, row_id(client_id, number)
            row.substitution = playing.get(offender)
            if row.substitution and offence.charge.strip():
                charge(change, row, offence.charge)
            row.save()
        change.details = _details(proposal, rows, points, table)
        return GivenFoul(rows, repeated=False)


def change_foul_amounts(*, event: Event, values: Mapping[str, int], reason: str = "", by: Account) -> bool:
    """Set amounts of the event's catalogue, in points by key; an amount equal to the book's is no longer its own.

    Returns whether anything changed. Raises DomainError, also without a reason once the first round has started.
    """
    with event_transaction(event, FOUL_AMOUNTS_CHANGED, by=by) as change:
        current = change.event
        printed = _printed_amounts(current, values)
        wanted = {
            key: points for key, points in {**current.foul_amounts, **values}.items() if points != printed.get(key)
        }
        amounts_changed = _changes(current.foul_amounts, wanted, printed)
        if wanted != current.foul_amounts and current.rules_frozen_at:
            require_text(reason, FOUL_AMOUNTS_REASON_MISSING)
        change.details = {"reason": reason.strip()[:MAX_REASON], "amounts": amounts_changed}
        return change.set_event(foul_amounts=wanted)


def _append_chombo(
    change: EventChange, *, table: Table, seat: int, note: str, client_id: UUID, expected_seq: int
) -> LedgerEntry:
    """Append a chombo of one seat to the table's ledger; raises StaleTableError and DomainError as any hand does."""
    if LedgerEntry.objects.filter(client_id=client_id).exists():
        raise DomainError(ENTRY_CLIENT_ID_USED())
    _check_playing(change, table, expected_seq)
    entry = Chombo(offenders=(seat,), note=note)
    return append_in_transaction(change, HandRequest(table, entry, client_id, expected_seq)).row


def _check_playing(change: EventChange, table: Table, expected_seq: int) -> None:
    """Raise DomainError for a table where no hand is being played, StaleTableError for one that has moved on."""
    rows = list(table.ledger.order_by("seq"))
    check_open(table, rows, expected_seq)
    if fold(standing_entries(rows), table.rules_in(change.event)).state.ended:
        raise DomainError(FOUL_GAME_OVER(table=table.number))


def _take_chombo_back(change: EventChange, penalty: Penalty, reason: str) -> LedgerEntry | None:
    """Take a chombo of the register out of its ledger: its hand, or this player alone where others share it.

    Returns the new row; None where the hand is no longer a chombo of the player. Raises DomainError as a correction.
    """
    table = penalty.table
    if table is None or penalty.seq is None:
        return None
    rows = list(table.ledger.order_by("seq"))
    entry = next((item.entry for item in resolve(rows) if item.seq == penalty.seq), None)
    seat = Seat.objects.filter(table=table, player=penalty.player).values_list("seat", flat=True).first()
    if not isinstance(entry, Chombo) or seat not in entry.offenders:
        return None
    others = tuple(other for other in entry.offenders if other != seat)
    left = Chombo(offenders=others, riichi=entry.riichi, dead=entry.dead, note=entry.note) if others else None
    client_id = uuid5(penalty.client_id, "taken back")
    return append_in_transaction(
        change, HandRequest(table, left, client_id, rows[-1].seq, hand=penalty.seq, reason=reason)
    ).row


# ---------------------------------------------------------------- giving


def list_given(event: Event, client_id: UUID) -> list[Penalty]:
    """Return the register's rows that an act with this `client_id` has written.

    Raises DomainError for another event's.
    """
    first = Penalty.objects.filter(client_id=client_id).select_related("player__person").first()
    if first is None:
        return []
    if first.event_id != event.pk:
        raise DomainError(ENTRY_CLIENT_ID_USED())
    ids = [row_id(client_id, number) for number in range(max(event.rulesets))]
    return list(Penalty.objects.filter(client_id__in=ids).select_related("player__person").order_by("pk"))


def _points(proposal: Proposal, offence: Offence) -> int:
    """Return the points that each offender pays, as the referee decides.

    Raises DomainError for an unexplained amount.
    """
    points = proposal.points if offence.points is None else offence.points
    _check_points(points)
    if proposal.is_free and proposal.kind == PenaltyKind.POINTS:
        if not points and offence.decision:
            raise DomainError(FOUL_POINTS_MISSING())
        return points
    if not proposal.points <= points <= proposal.most and not offence.amount_reason.strip():
        raise DomainError(FOUL_AMOUNT_REASON_MISSING(points=points, usual=proposal.points))
    return points


def _seats(table: Table | None, player: Player) -> dict[int, int]:
    """Return the seat of each player of the table, by player.

    Raises DomainError where the player does not sit there.
    """
    if table is None:
        return {}
    seats = dict(Seat.objects.filter(table=table).order_by("seat").values_list("player", "seat"))
    if player.pk not in seats:
        raise DomainError(FOUL_NOT_AT_TABLE(player=player.number, table=table.number))
    # the named player comes first: that row has the act's own `client_id`
    return {player.pk: seats[player.pk], **seats}


def _hand(
    change: EventChange, proposal: Proposal, table: Table | None, seat: int, client_id: UUID, expected_seq: int
) -> int | None:
    """Return the `seq` of the foul's hand, which is written for a chombo; None for a foul of no hand."""
    bound = proposal.kind in (PenaltyKind.CHOMBO, PenaltyKind.DEAD_HAND)
    if table is None:
        if bound or proposal.case.each_player:
            raise DomainError(FOUL_TABLE_MISSING())
        return None
    if not bound:
        return None
    if proposal.kind == PenaltyKind.CHOMBO:
        note = proposal.foul.what
        return _append_chombo(
            change, table=table, seat=seat, note=note, client_id=client_id, expected_seq=expected_seq
        ).seq
    _check_playing(change, table, expected_seq)
    return expected_seq + 1


def _row(
    change: EventChange, proposal: Proposal, offence: Offence, table: Table | None, seq: int | None, points: int
) -> Penalty:
    words = (proposal.foul.what, proposal.case.when, offence.note.strip())
    return Penalty(
        event=change.event,
        round=table.round if table else None,
        table=table,
        seq=seq,
        kind=proposal.kind,
        foul=proposal.foul.key,
        case=proposal.case.key,
        minutes=proposal.minutes,
        points=points - proposal.ledger,
        reason=": ".join(part for part in words if part)[:MAX_REASON],
        amount_reason=offence.amount_reason.strip()[:MAX_REASON] if points != proposal.points else "",
        clause=proposal.penalty.clause[:60],
        given_by=change.by,
        given_at=change.at,
    )


def _details(proposal: Proposal, rows: Sequence[Penalty], points: int, table: Table | None) -> dict[str, object]:
    numbers = dict(Player.objects.filter(pk__in=[row.player_id for row in rows]).values_list("pk", "number"))
    where = table_details(table) if table else {}
    return {
        "players": [numbers[row.player_id] for row in rows],
        "foul": proposal.foul.key,
        "case": proposal.case.key,
        "kind": str(proposal.kind),
        "points": points,
        "usual": proposal.points,
        "reason": rows[0].reason,
        "amount_reason": rows[0].amount_reason,
        **where,
        **({"seq": rows[0].seq} if proposal.kind == PenaltyKind.CHOMBO else {}),
        **({"charge": rows[0].charge_reason} if rows[0].charged_at else {}),
    }


# ---------------------------------------------------------------- amounts


def _printed_amounts(event: Event, values: Mapping[str, int]) -> dict[str, int]:
    """Return the amounts of the event's book as printed; raises DomainError for values that it cannot have."""
    for points in values.values():
        _check_points(points)
    rules = event.ruleset
    book = catalogue(rules)
    try:
        with_amounts(book, values)
    except FoulError as wrong:
        raise DomainError(FOUL_AMOUNTS_UNUSABLE(why=str(wrong))) from wrong
    return amounts(book)


def _changes(
    before: Mapping[str, int], after: Mapping[str, int], printed: Mapping[str, int]
) -> list[dict[str, object]]:
    """List the changes for the audit row, in the book's order, then keys that the book no longer has."""
    return [
        {"field": key, "before": before.get(key, printed.get(key)), "after": after.get(key, printed.get(key))}
        for key in dict.fromkeys([*printed, *before])
        if before.get(key) != after.get(key)
    ]


# ---------------------------------------------------------------- who pays at a replaced seat


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


def charge(change: EventChange, row: Penalty, reason: str) -> None:
    """Charge a substitute's foul to the replaced player; the caller saves the row."""
    row.charged_by, row.charged_at = change.by, change.at
    row.charge_reason = require_text(reason, PENALTY_CHARGE_REASON_MISSING)


def set_payer(*, penalty: Penalty, to_player: bool, reason: str, by: Account) -> None:
    """Charge what a substitute did to the replaced player, or take that back.

    What was given to a player who was replaced becomes the substitute's by the same act. Raises DomainError without a
    reason, and where nobody was replaced.
    """
    with event_transaction(penalty.event, PENALTY_CHARGED, by=by) as change:
        current = Penalty.objects.select_related("player", "round", "table", "substitution").get(pk=penalty.pk)
        _set_payer(change, current, to_player=to_player, reason=reason)
        current.save()


def set_payer_of_chombo(*, table: Table, seq: int, player: Player, to_player: bool, reason: str, by: Account) -> None:
    """Do as `set_payer` for a chombo that was typed as a hand, named by its `seq`: it comes into the register.

    Raises DomainError, too, where that hand is no chombo of the player.
    """
    with event_transaction(table.round.event, PENALTY_CHARGED, by=by) as change:
        known = Penalty.objects.filter(table=table, seq=seq, player=player, kind=PenaltyKind.CHOMBO, cancelled_at=None)
        item = next((each for each in resolve(list(table.ledger.order_by("seq"))) if each.seq == seq), None)
        entry, seat = (item.entry if item else None), Seat.objects.filter(table=table, player=player).first()
        if not isinstance(entry, Chombo) or seat is None or seat.seat not in entry.offenders:
            raise DomainError(PENALTY_NO_SUCH_CHOMBO(table=table.number))
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
            reason=(entry.note or CHOMBO)[:MAX_REASON],
            given_by=change.by,
            given_at=change.at,
        )
        _set_payer(change, row, to_player=to_player, reason=reason)
        row.save()


def _set_payer(change: EventChange, row: Penalty, *, to_player: bool, reason: str) -> None:
    """Set who pays; nothing new where it is so already. Raises DomainError."""
    playing = row.substitution if row.substitution and not row.substitution.cancelled_at else None
    if playing is None:
        where = {"table": row.table} if row.table else {"table__round": row.round}
        playing = find_substitution(row.player, **where) if row.round else None
    if playing is None or row.cancelled_at:
        raise DomainError(PENALTY_NOBODY_REPLACED(number=row.player.number))
    reason = require_text(reason, PENALTY_CHARGE_REASON_MISSING)
    if to_player == (row.substitution_id != playing.pk or row.charged_at is not None) and row.pk:
        change.mark_unchanged()
        return
    row.substitution, row.charged_by, row.charged_at, row.charge_reason = playing, "", None, ""
    if to_player:
        charge(change, row, reason)
    at = table_details(row.table) if row.table else {"round": row.round.number if row.round else None}
    change.details = {
        "player": row.player.number,
        "payer": "player" if to_player else "substitute",
        "reason": reason,
        **at,
    }
