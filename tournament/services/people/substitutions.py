"""Verbs on substitutes: put one in for a player at a table, take one out again, name one.

No seat and no hand ever moves: a substitution says only who is counted for the seat.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid5

from scoring.placement import When
from scoring.problems import error
from tournament.history import resolve
from tournament.models import Account, Event, Player, Round, Seat, Substitution, Table
from tournament.refusal import Refused
from tournament.services.core.writing import writing

MOST_REASON = 300
MOST_NAME = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """What is to be written: when the substitute comes in, at which `hand` during the game, by what name, and why.

    `hand` counts those that stand from 1; None where nobody knows. An empty `name` is somebody nobody has named, or
    nobody at all. `later` puts the same substitute in at the player's tables of all later published rounds, too.
    """

    when: When
    reason: str
    name: str = ""
    hand: int | None = None
    later: bool = False


def put_substitute_in(
    *, table: Table, player: Player, replacement: Replacement, client_id: UUID, by: Account
) -> list[Substitution]:
    """Let somebody else play a ranked player's seat at a table, whose seats are public; also after it was signed.

    A known `client_id` changes nothing and returns its rows. Raises Refused for who does not sit there, is not ranked
    or replaced already, for a substitute who is ranked or plays elsewhere, and without a reason.
    """
    with writing(table.round.event, "substitute_put_in", by=by) as change:
        known = _known(client_id, table, player)
        if known:
            change.nothing_new()
            return known
        rows = _rows(change.event, table, player, replacement)
        for index, row in enumerate(rows):
            row.client_id = uuid5(client_id, str(index)) if index else client_id
            row.given_by, row.given_at = change.by, change.at
            row.save()
        change.details = {
            "player": player.number,
            "table": table.number,
            "rounds": [row.table.round.number for row in rows],
            "when": replacement.when,
            "seq": rows[0].seq,
            "reason": rows[0].reason,
        }
    return rows


def check_substitute(*, table: Table, player: Player, replacement: Replacement) -> None:
    """Raise Refused where a substitute could not be put in so; nothing is written."""
    _rows(table.round.event, table, player, replacement)


def take_substitute_out(*, substitution: Substitution, reason: str, by: Account) -> None:
    """Take a substitute back: the game is the player's own again, the row stays. Raises Refused without a reason."""
    with writing(substitution.event, "substitute_taken_out", by=by) as change:
        current = _current(substitution)
        if current.cancelled_at:
            change.nothing_new()
            return
        if not reason.strip():
            raise Refused(error("substitute.reason_missing"))
        current.cancelled_at, current.cancelled_by = change.at, change.by
        current.cancel_reason = reason.strip()[:MOST_REASON]
        current.save(update_fields=["cancelled_at", "cancelled_by", "cancel_reason"])
        change.details = {**_place(current), "reason": current.cancel_reason}


def name_substitute(*, substitution: Substitution, name: str, by: Account) -> None:
    """Call a substitute by another name, or by none; the trail keeps no name. Raises Refused as putting one in does."""
    with writing(substitution.event, "substitute_named", by=by) as change:
        current = _current(substitution)
        before = current.substitute_id, current.name
        current.substitute, current.name = _who(change.event, current.table.round, name, except_for=current)
        change.details = _place(current)
        if (current.substitute_id, current.name) == before:
            change.nothing_new()
            return
        current.save(update_fields=["substitute", "name"])


def _current(substitution: Substitution) -> Substitution:
    return Substitution.objects.select_related("player", "table__round").get(pk=substitution.pk)


def _place(row: Substitution) -> dict[str, object]:
    return {"player": row.player.number, "round": row.table.round.number, "table": row.table.number}


def _known(client_id: UUID, table: Table, player: Player) -> list[Substitution]:
    """Return the rows that this act has written already."""
    first = Substitution.objects.filter(client_id=client_id).first()
    if first is None:
        return []
    if (first.table_id, first.player_id) != (table.pk, player.pk):
        raise Refused(error("entry.client_id_used"))
    rounds = Round.objects.filter(event=first.event_id).count()
    ids = [client_id, *(uuid5(client_id, str(index)) for index in range(1, rounds))]
    return list(Substitution.objects.filter(client_id__in=ids).order_by("pk"))


def _rows(event: Event, table: Table, player: Player, replacement: Replacement) -> list[Substitution]:
    """Return what is to be written, the table itself first; raises Refused where it cannot be."""
    _check_replaced(table, player, replacement)
    later = _later_tables(event, table, player) if replacement.later else []
    rows = [
        Substitution(
            event=event, table=each, player=player, when="before", reason=replacement.reason.strip()[:MOST_REASON]
        )
        for each in (table, *later)
    ]
    rows[0].when, rows[0].seq = replacement.when, _first_row(table, replacement)
    for row in rows:
        row.substitute, row.name = _who(event, row.table.round, replacement.name)
    return rows


# ---------------------------------------------------------------- what cannot be


def _check_replaced(table: Table, player: Player, replacement: Replacement) -> None:
    if not replacement.reason.strip():
        raise Refused(error("substitute.reason_missing"))
    current = Player.objects.get(pk=player.pk)
    if table.round.published_at is None:
        raise Refused(error("round.not_published", round=table.round.number))
    if not Seat.objects.filter(table=table, player=player).exists():
        raise Refused(error("substitute.not_at_table", number=player.number, table=table.number))
    if not current.ranked:
        raise Refused(error("substitute.not_ranked", number=player.number))
    if Substitution.objects.filter(table=table, player=player, cancelled_at=None).exists():
        raise Refused(error("substitute.there_already", number=player.number, round=table.round.number))


def _first_row(table: Table, replacement: Replacement) -> int | None:
    """Return the `seq` of the hand at which a substitute came in: one that stands, or the next."""
    if replacement.when == "before" or replacement.hand is None:
        return None
    rows = list(table.ledger.order_by("seq"))
    standing = [item.seq for item in resolve(rows) if item.entry is not None]
    if not 1 <= replacement.hand <= len(standing) + 1:
        raise Refused(error("substitute.hand_unknown", number=replacement.hand, last=len(standing) + 1))
    return [*standing, rows[-1].seq + 1 if rows else 1][replacement.hand - 1]


def _later_tables(event: Event, table: Table, player: Player) -> Sequence[Table]:
    """Return the player's tables in later published rounds where nobody replaces them yet."""
    mine = Table.objects.filter(
        round__event=event,
        round__number__gt=table.round.number,
        round__published_at__isnull=False,
        seats__player=player,
    )
    replaced = Substitution.objects.filter(player=player, cancelled_at=None).values("table")
    return list(mine.exclude(pk__in=replaced).select_related("round").order_by("round__number"))


def _who(
    event: Event, round_: Round, name: str, *, except_for: Substitution | None = None
) -> tuple[Player | None, str]:
    """Return the substitute of that name: a player who is not ranked, or None with the free name.

    Raises Refused for a ranked player, and for somebody who plays in that round already.
    """
    called = " ".join(name.split())
    if len(called) > MOST_NAME:
        raise Refused(error("substitute.name_too_long", most=MOST_NAME))
    if not called:
        return None, ""
    same = [each for each in event.players.select_related("person") if _like(each.person.preferred_name, called)]
    if any(each.ranked for each in same):
        raise Refused(error("substitute.ranked_player", name=called))
    person = same[0] if same else None
    others = Substitution.objects.filter(table__round=round_, cancelled_at=None).select_related("table")
    taken = [_table_of(round_, person), *_tables_as_substitute(others, person, called, except_for)]
    busy = next((table for table in taken if table is not None), None)
    if busy is not None:
        raise Refused(error("substitute.plays_elsewhere", name=called, round=round_.number, table=busy.number))
    return (person, "") if person else (None, called)


def _table_of(round_: Round, person: Player | None) -> Table | None:
    seat = Seat.objects.filter(round=round_, player=person).select_related("table").first() if person else None
    return seat.table if seat else None


def _tables_as_substitute(
    others: Iterable[Substitution], person: Player | None, called: str, except_for: Substitution | None
) -> list[Table]:
    return [
        each.table
        for each in others
        if each != except_for and (each.substitute_id == person.pk if person else _like(each.name, called))
    ]


def _like(name: str, other: str) -> bool:
    return name.casefold() == other.casefold()
