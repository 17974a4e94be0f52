"""Substitutes, players who leave or come back, and disqualification.

No seat and no hand moves: a substitution only records who plays for the seat's player. All can be undone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from scoring.placement import When
from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act
from tournament.core.errors import DomainError
from tournament.core.limits import MAX_NAME, MAX_REASON
from tournament.core.transaction import (
    ENTRY_CLIENT_ID_USED,
    check_published,
    event_transaction,
    require_text,
    row_id,
    table_details,
)
from tournament.events.models import Event
from tournament.incidents.models import Disqualification, Substitution
from tournament.players.actions import return_player, withdraw_player
from tournament.players.models import Player
from tournament.sheets.models import SheetRow
from tournament.tables.history import resolve
from tournament.tables.models import LedgerEntry, Round, Seat, Table

SUBSTITUTE_PUT_IN = Act("substitute_put_in", "put a substitute in for player {player} in rounds {rounds}: {reason}")
SUBSTITUTE_TAKEN_OUT = Act(
    "substitute_taken_out", "took the substitute for player {player} out of round {round}, table {table}: {reason}"
)
SUBSTITUTE_NAMED = Act(
    "substitute_named", "changed the name of the substitute for player {player} in round {round}, table {table}"
)

SUBSTITUTE_REASON_MISSING = ProblemType(
    "substitute.reason_missing", "To put a substitute in, or to take one out, needs a reason."
)
SUBSTITUTE_NOT_AT_TABLE = ProblemType("substitute.not_at_table", "Player {number} does not sit at table {table}.")
SUBSTITUTE_NOT_RANKED = ProblemType(
    "substitute.not_ranked", "Player {number} is not ranked: the person there is scored as usual, without a substitute."
)
SUBSTITUTE_THERE_ALREADY = ProblemType(
    "substitute.there_already", "Player {number} is replaced in round {round} already; take that substitute out first."
)
SUBSTITUTE_HAND_UNKNOWN = ProblemType(
    "substitute.hand_unknown", "There is no hand {number} yet: 1 to {last} can be the first of a substitute."
)
SUBSTITUTE_NAME_TOO_LONG = ProblemType(
    "substitute.name_too_long", "The substitute's name is too long: at most {most} letters."
)
SUBSTITUTE_RANKED_PLAYER = ProblemType(
    "substitute.ranked_player", "{name} is a ranked player of this event and cannot be a substitute."
)
SUBSTITUTE_PLAYS_ELSEWHERE = ProblemType(
    "substitute.plays_elsewhere", "{name} plays at table {table} in round {round} already."
)
SUBSTITUTE_NOT_THEIRS = ProblemType("substitute.not_theirs", "This substitute does not play for player {number}.")
SUBSTITUTE_GAME_BEGUN = ProblemType(
    "substitute.game_begun", "Play has begun at table {table} of round {round}: take that substitute out at the table."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """A substitution asked for: when the substitute comes in, at which `hand` during the game, by what name, and why.

    `hand` counts valid hands from 1, None where unknown. `name` "" is an unnamed substitute or an empty seat. `later`
    puts the same substitute in at the player's tables of all later published rounds, too.
    """

    when: When
    reason: str
    name: str = ""
    hand: int | None = None
    later: bool = False


def put_substitute_in(
    *, table: Table, player: Player, replacement: Replacement, client_id: UUID, by: Account
) -> list[Substitution]:
    """Put a substitute into a ranked player's seat at a table whose seats are public, also after it was signed.

    A known `client_id` changes nothing and returns its rows. Raises DomainError for a player who does not sit there, is
    not ranked or is replaced already, for a substitute who is ranked or plays elsewhere, and without a reason.
    """
    with event_transaction(table.round.event, SUBSTITUTE_PUT_IN, by=by) as change:
        known = _known(client_id, table, player)
        if known:
            change.mark_unchanged()
            return known
        rows = _rows(change.event, table, player, replacement)
        for index, row in enumerate(rows):
            row.client_id = row_id(client_id, index)
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
    """Raise DomainError where a substitute could not be put in so; nothing is written."""
    _rows(table.round.event, table, player, replacement)


def take_substitute_out(*, substitution: Substitution, reason: str, by: Account) -> None:
    """Cancel a substitution: the game is the player's own again. Raises DomainError without a reason."""
    with event_transaction(substitution.event, SUBSTITUTE_TAKEN_OUT, by=by) as change:
        current = _current(substitution)
        if current.cancelled_at:
            change.mark_unchanged()
            return
        change.cancel(current, require_text(reason, SUBSTITUTE_REASON_MISSING))
        change.details = {**_place(current), "reason": current.cancel_reason}


def name_substitute(*, substitution: Substitution, name: str, by: Account) -> None:
    """Rename a substitute, "" for no name; the trail keeps no name. Raises DomainError as `put_substitute_in`."""
    with event_transaction(substitution.event, SUBSTITUTE_NAMED, by=by) as change:
        current = _current(substitution)
        substitute, free_name = _who(change.event, current.table.round, name, except_for=current)
        change.details = _place(current)
        change.set_columns(current, substitute=substitute, name=free_name)


def leave(
    *, player: Player, reason: str, table: Table | None, replacement: Replacement | None, client_id: UUID, by: Account
) -> list[Substitution]:
    """Note that a player has left and, given `table` and `replacement`, put a substitute in; all of it or nothing."""
    with transaction.atomic():
        withdraw_player(player=player, reason=reason, by=by)
        if table is None or replacement is None:
            return []
        return put_substitute_in(table=table, player=player, replacement=replacement, client_id=client_id, by=by)


def come_back(*, player: Player, reason: str, substitutions: Sequence[Substitution], by: Account) -> None:
    """Note that a player is back, and take these substitutes out; all of it or nothing.

    Raises DomainError without a reason, and for a substitute at whose table play has begun.
    """
    with transaction.atomic():
        return_player(player=player, reason=reason, by=by)
        for row in substitutions:
            if row.player_id != player.pk:
                raise DomainError(SUBSTITUTE_NOT_THEIRS(number=player.number))
            if has_begun(row.table):
                raise DomainError(SUBSTITUTE_GAME_BEGUN(round=row.table.round.number, table=row.table.number))
            take_substitute_out(substitution=row, reason=reason, by=by)


def has_begun(table: Table) -> bool:
    """Tell whether anything is written at a table: a hand or a sheet."""
    return LedgerEntry.objects.filter(table=table).exists() or SheetRow.objects.filter(table=table).exists()


def _current(substitution: Substitution) -> Substitution:
    return Substitution.objects.select_related("player", "table__round").get(pk=substitution.pk)


def _place(row: Substitution) -> dict[str, object]:
    return {"player": row.player.number, **table_details(row.table)}


def _known(client_id: UUID, table: Table, player: Player) -> list[Substitution]:
    """Return the rows that this act has written already."""
    first = Substitution.objects.filter(client_id=client_id).first()
    if first is None:
        return []
    if (first.table_id, first.player_id) != (table.pk, player.pk):
        raise DomainError(ENTRY_CLIENT_ID_USED())
    rounds = Round.objects.filter(event=first.event_id).count()
    ids = [row_id(client_id, index) for index in range(max(1, rounds))]
    return list(Substitution.objects.filter(client_id__in=ids).order_by("pk"))


def _rows(event: Event, table: Table, player: Player, replacement: Replacement) -> list[Substitution]:
    """Return the rows to write, that of the table itself first; raises DomainError."""
    require_text(replacement.reason, SUBSTITUTE_REASON_MISSING)
    current = Player.objects.get(pk=player.pk)
    check_published(table.round)
    if not Seat.objects.filter(table=table, player=player).exists():
        raise DomainError(SUBSTITUTE_NOT_AT_TABLE(number=player.number, table=table.number))
    if not (current.ranked or current.disqualifications.filter(cancelled_at=None).exists()):
        raise DomainError(SUBSTITUTE_NOT_RANKED(number=player.number))
    if Substitution.objects.filter(table=table, player=player, cancelled_at=None).exists():
        raise DomainError(SUBSTITUTE_THERE_ALREADY(number=player.number, round=table.round.number))
    later = _later_tables(event, table, player) if replacement.later else []
    rows = [
        Substitution(
            event=event,
            table=each,
            player=player,
            when="before",
            answers=True,
            reason=replacement.reason.strip()[:MAX_REASON],
        )
        for each in (table, *later)
    ]
    rows[0].when, rows[0].seq = replacement.when, _first_row(table, replacement)
    for row in rows:
        row.substitute, row.name = _who(event, row.table.round, replacement.name)
    return rows


def _first_row(table: Table, replacement: Replacement) -> int | None:
    """Return the `seq` of the hand at which a substitute came in: a valid one, or the next."""
    if replacement.when == "before" or replacement.hand is None:
        return None
    rows = list(table.ledger.order_by("seq"))
    standing = [item.seq for item in resolve(rows) if item.entry is not None]
    if not 1 <= replacement.hand <= len(standing) + 1:
        raise DomainError(SUBSTITUTE_HAND_UNKNOWN(number=replacement.hand, last=len(standing) + 1))
    return [*standing, rows[-1].seq + 1 if rows else 1][replacement.hand - 1]


def _later_tables(event: Event, table: Table, player: Player) -> Sequence[Table]:
    """Return the player's tables in later published rounds without a substitution."""
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
    """Return the substitute of that name: an unranked player, or None with the free name.

    Raises DomainError for a ranked player, and for a substitute who plays in that round already.
    """
    called = " ".join(name.split())
    if len(called) > MAX_NAME:
        raise DomainError(SUBSTITUTE_NAME_TOO_LONG(most=MAX_NAME))
    if not called:
        return None, ""
    same = [each for each in event.players.select_related("person") if _like(each.person.preferred_name, called)]
    if any(each.ranked for each in same):
        raise DomainError(SUBSTITUTE_RANKED_PLAYER(name=called))
    person = same[0] if same else None
    others = Substitution.objects.filter(table__round=round_, cancelled_at=None).select_related("table")
    seats = Seat.objects.filter(round=round_, player=person).select_related("table") if person else ()
    busy = [seat.table for seat in seats] + [
        each.table
        for each in others
        if each != except_for and (each.substitute_id == person.pk if person else _like(each.name, called))
    ]
    if busy:
        raise DomainError(SUBSTITUTE_PLAYS_ELSEWHERE(name=called, round=round_.number, table=busy[0].number))
    return (person, "") if person else (None, called)


def _like(name: str, other: str) -> bool:
    return name.casefold() == other.casefold()


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
class DisqualificationReason:
    """Why somebody is disqualified, by which clause, and what the public reads of it."""

    reason: str
    clause: str = ""
    shown: str = Shown.NOTHING


def disqualify(
    *,
    player: Player,
    verdict: DisqualificationReason,
    client_id: UUID,
    table: Table | None = None,
    replacement: Replacement | None = None,
    by: Account,
) -> Disqualification:
    """Take a player out of the ranking and of later draws; given `table` and `replacement`, put a substitute in.

    A known `client_id` changes nothing and returns its row. Raises DomainError without a reason, for a player who is
    disqualified already, and as `put_substitute_in`.
    """
    with transaction.atomic():
        if table and replacement:
            seat = row_id(client_id, 1)
            put_substitute_in(table=table, player=player, replacement=replacement, client_id=seat, by=by)
        with event_transaction(player.event, PLAYER_DISQUALIFIED, by=by) as change:
            known = change.find_by_client_id(Disqualification.objects, client_id, player_id=player.pk)
            if known:
                return known
            current = change.event.players.get(pk=player.pk)
            if current.disqualifications.filter(cancelled_at=None).exists():
                raise DomainError(DISQUALIFY_ALREADY(number=current.number))
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
            change.set_columns(current, ranked=False, withdrawn_at=current.withdrawn_at or change.at)
            change.changed = True
            change.details = {"number": current.number, "reason": row.reason, "shown": row.shown}
    return row


def lift_disqualification(*, disqualification: Disqualification, reason: str, by: Account) -> None:
    """Take a disqualification back: the player is ranked and drawn again as before; substitutes stay where they are.

    Raises DomainError without a reason.
    """
    with event_transaction(disqualification.event, DISQUALIFICATION_LIFTED, by=by) as change:
        row = Disqualification.objects.select_related("player").get(pk=disqualification.pk)
        if row.cancelled_at:
            change.mark_unchanged()
            return
        change.cancel(row, require_text(reason, DISQUALIFY_REASON_MISSING))
        withdrawn = row.player.withdrawn_at if row.was_withdrawn else None
        change.set_columns(row.player, ranked=row.was_ranked, withdrawn_at=withdrawn)
        change.changed = True
        change.details = {"number": row.player.number, "reason": row.cancel_reason}


def show_disqualification(*, disqualification: Disqualification, shown: str, by: Account) -> None:
    """Set what the public reads of a disqualification. Raises DomainError for what is no such choice."""
    with event_transaction(disqualification.event, DISQUALIFICATION_SHOWN, by=by) as change:
        row = Disqualification.objects.select_related("player").get(pk=disqualification.pk)
        change.details = {"number": row.player.number, "shown": _shown(shown)}
        change.set_columns(row, shown=shown)


def _shown(shown: str) -> str:
    if shown not in Shown.values:
        raise DomainError(DISQUALIFY_SHOWN_UNKNOWN())
    return shown
