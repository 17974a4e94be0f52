"""Verbs on fouls: give one by the catalogue, change the event's amounts.

A foul is one act: the register's rows, the chombo in the table's ledger and the audit row stand or fall together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid5

from rules.foul_books import catalogue
from rules.fouls import FoulError, amounts, with_amounts
from scoring.problems import error
from tournament.models import Account, Event, Penalty, PenaltyKind, Player, Seat, Table
from tournament.refusal import Refused
from tournament.selectors.tables.fouls import Offence, Proposal, get_proposal
from tournament.services.core.writing import Change, writing
from tournament.services.tables.foul_hands import append_chombo, check_playing
from tournament.services.tables.penalties import MOST_POINTS, MOST_REASON


@dataclass(frozen=True, slots=True)
class Given:
    """The rows of the register that an act wrote; `repeated` says that they were there under this `client_id`."""

    rows: Sequence[Penalty]
    repeated: bool


def give_foul(
    *, player: Player, table: Table | None, offence: Offence, client_id: UUID, expected_seq: int = 0, by: Account
) -> Given:
    """Give a player what the catalogue asks for: the register's rows and, for a chombo, a hand of the table's ledger.

    `expected_seq` is the table's last `seq` that the caller has seen; it matters for a chombo and a dead hand, which
    belong to the hand being played. A known `client_id` changes nothing and returns its rows. Raises Refused, Stale.
    """
    with writing(player.event, "foul_given", by=by) as change:
        known = _known(client_id, player.event)
        if known:
            change.nothing_new()
            return Given(known, repeated=True)
        proposal = get_proposal(change.event, player, offence)
        points = _points(proposal, offence)
        seats = _seats(table, player)
        seq = _hand(change, proposal, table, seats.get(player.pk, 0), client_id, expected_seq)
        offenders = list(seats) if proposal.case.each_player else [player.pk]
        rows = [_row(change, proposal, offence, table, seq, points) for _ in offenders]
        for number, (row, offender) in enumerate(zip(rows, offenders, strict=True)):
            row.player_id, row.client_id = offender, _row_id(client_id, number)
            row.save()
        change.details = _details(proposal, rows, points, table)
        return Given(rows, repeated=False)


def change_foul_amounts(*, event: Event, values: Mapping[str, int], reason: str = "", by: Account) -> bool:
    """Set amounts of the event's catalogue, in points by their key; what equals the book's is its own no more.

    Once the first round has started a reason is needed. Returns whether anything changed. Raises Refused.
    """
    with writing(event, "foul_amounts_changed", by=by) as change:
        current = change.event
        printed = _printed_amounts(current, values)
        wanted = {
            key: points for key, points in {**current.foul_amounts, **values}.items() if points != printed.get(key)
        }
        if wanted == current.foul_amounts:
            change.nothing_new()
            return False
        if current.rules_frozen_at and not reason.strip():
            raise Refused(error("foul.amounts_reason_missing"))
        amounts_changed = _changes(current.foul_amounts, wanted, printed)
        change.details = {"reason": reason.strip()[:MOST_REASON], "amounts": amounts_changed}
        current.foul_amounts = wanted
        current.save(update_fields=["foul_amounts"])
    event.foul_amounts = wanted
    return True


# ---------------------------------------------------------------- giving


def _known(client_id: UUID, event: Event) -> list[Penalty]:
    """Return the rows that this act has written already."""
    first = Penalty.objects.filter(client_id=client_id).select_related("player__person").first()
    if first is None:
        return []
    if first.event_id != event.pk:
        raise Refused(error("entry.client_id_used"))
    size = event.ruleset.players
    ids = [_row_id(client_id, number) for number in range(size)]
    return list(Penalty.objects.filter(client_id__in=ids).select_related("player__person").order_by("pk"))


def _row_id(client_id: UUID, number: int) -> UUID:
    return uuid5(client_id, str(number)) if number else client_id


def _points(proposal: Proposal, offence: Offence) -> int:
    """Return what it costs each who pays, as the referee decides; another amount than the book's needs a reason."""
    points = proposal.points if offence.points is None else offence.points
    if not 0 <= points <= MOST_POINTS:
        raise Refused(error("penalty.points_out_of_range", points=points, most=MOST_POINTS))
    if proposal.is_free and proposal.kind == PenaltyKind.POINTS:
        if not points and offence.decision:
            raise Refused(error("foul.points_missing"))
        return points
    if not proposal.points <= points <= proposal.most and not offence.amount_reason.strip():
        raise Refused(error("foul.amount_reason_missing", points=points, usual=proposal.points))
    return points


def _seats(table: Table | None, player: Player) -> dict[int, int]:
    """Return the seat of each player of the table, by player; raises Refused where the player does not sit there."""
    if table is None:
        return {}
    seats = dict(Seat.objects.filter(table=table).order_by("seat").values_list("player", "seat"))
    if player.pk not in seats:
        raise Refused(error("foul.not_at_table", player=player.number, table=table.number))
    # the one who was named comes first: the act's own number is that row's
    return {player.pk: seats[player.pk], **seats}


def _hand(
    change: Change, proposal: Proposal, table: Table | None, seat: int, client_id: UUID, expected_seq: int
) -> int | None:
    """Return the `seq` of the hand that it belongs to, written where it is a chombo; None where it belongs to none."""
    bound = proposal.kind in (PenaltyKind.CHOMBO, PenaltyKind.DEAD_HAND)
    if table is None:
        if bound or proposal.case.each_player:
            raise Refused(error("foul.table_missing"))
        return None
    if not bound:
        return None
    if proposal.kind == PenaltyKind.CHOMBO:
        note = proposal.foul.what
        return append_chombo(
            change, table=table, seat=seat, note=note, client_id=client_id, expected_seq=expected_seq
        ).seq
    check_playing(change, table, expected_seq)
    return expected_seq + 1


def _row(
    change: Change, proposal: Proposal, offence: Offence, table: Table | None, seq: int | None, points: int
) -> Penalty:
    return Penalty(
        event=change.event,
        round=table.round if table else None,
        table=table,
        seq=seq,
        kind=proposal.kind,
        foul=proposal.foul.key,
        case=proposal.case.key,
        points=points - proposal.ledger,
        reason=_reason(proposal, offence.note.strip()),
        amount_reason=offence.amount_reason.strip()[:MOST_REASON] if points != proposal.points else "",
        clause=proposal.penalty.clause[:60],
        given_by=change.by,
        given_at=change.at,
    )


def _reason(proposal: Proposal, note: str) -> str:
    """Return the book's own words for what was done, and what the referee noted."""
    parts = [proposal.foul.what, proposal.case.when, note]
    return ": ".join(part for part in parts if part)[:MOST_REASON]


def _details(proposal: Proposal, rows: Sequence[Penalty], points: int, table: Table | None) -> dict[str, object]:
    numbers = dict(Player.objects.filter(pk__in=[row.player_id for row in rows]).values_list("pk", "number"))
    where = {"round": table.round.number, "table": table.number} if table else {}
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
        # the row of the ledger that this act wrote
        **({"seq": rows[0].seq} if proposal.kind == PenaltyKind.CHOMBO else {}),
    }


# ---------------------------------------------------------------- amounts


def _printed_amounts(event: Event, values: Mapping[str, int]) -> dict[str, int]:
    """Return the amounts of the event's book as printed; raises Refused where it cannot have these values."""
    for points in values.values():
        if not 0 <= points <= MOST_POINTS:
            raise Refused(error("penalty.points_out_of_range", points=points, most=MOST_POINTS))
    rules = event.ruleset
    book = catalogue(rules.key, chombo_points=rules.chombo_points)
    try:
        with_amounts(book, values)
    except FoulError as wrong:
        raise Refused(error("foul.amounts_unusable", why=str(wrong))) from wrong
    return amounts(book)


def _changes(
    before: Mapping[str, int], after: Mapping[str, int], printed: Mapping[str, int]
) -> list[dict[str, object]]:
    """List what changes as the audit row says it, in the book's order, then what the book no longer has."""
    return [
        {"field": key, "before": before.get(key, printed.get(key)), "after": after.get(key, printed.get(key))}
        for key in dict.fromkeys([*printed, *before])
        if before.get(key) != after.get(key)
    ]
