"""Enter a game that was played online at its table: seats as in the log, its hands, its signature; all or nothing."""

from collections.abc import Sequence
from typing import Any
from uuid import NAMESPACE_OID, uuid4, uuid5

from django.db import transaction

from scoring.entries import Entry
from scoring.game import fold
from tournament.accounts.models import Account
from tournament.core.audit import lock_audit_trail
from tournament.core.errors import DomainError
from tournament.core.transaction import event_transaction
from tournament.events.models import Event
from tournament.imports.actions import IMPORT_EVENT_CHANGED, begin_game, check_new_file
from tournament.imports.listing import Source
from tournament.imports.queries import GAME_IMPORTED
from tournament.online_logs.queries import LOG_TAKEN_ALREADY, list_taken
from tournament.open_play.actions import seat_table
from tournament.players.actions import check_in
from tournament.seating.seat_actions import SeatAssignment, swap_seats
from tournament.sheets.actions import sign_table
from tournament.tables.actions import HandRequest, write_hand
from tournament.tables.models import Table


def take_open_game(*, event: Event, players: Sequence[int], source: Source, by: Account, **more: Any) -> Table:
    """Enter the hands of a log at a table of its own in an open event; return the table. See `take_online_game`.

    Who was not here is so again after the game. The same log has the same table, also after its import was undone.
    Raises DomainError for a log that another event of its seasons has, and as `seat_table`.
    """
    with transaction.atomic():
        lock_audit_trail(event)
        if file := list_taken(event).get(source.digest):
            raise DomainError(LOG_TAKEN_ALREADY(file=file))
        found = {player.number: player for player in event.players.filter(number__in=players)}
        seats = [found[number] for number in players if number in found]
        away = [player for player in seats if not player.checked_in_at]
        for player in away:
            check_in(player=player, here=True, by=by)
        client_id = uuid5(NAMESPACE_OID, f"{event.slug} {source.digest}")
        table = seat_table(event=event, seats=seats, hall_table=None, client_id=client_id, by=by)
        take_online_game(table=table, players=players, source=source, by=by, **more)
        for player in away:
            check_in(player=player, here=False, by=by)
    return table


def take_online_game(
    *, table: Table, players: Sequence[int], entries: Sequence[Entry], source: Source, sign: bool, by: Account
) -> int:
    """Enter the hands of a log at a table without valid hands; return how many.

    `players` are their numbers by seat: who sits elsewhere at this table is moved there. With `sign` the sheet of a
    game that is over is signed. Raises DomainError for a log that was taken already, where others sit at the table, and
    as `take_game`.
    """
    rules, reason = table.rules_in(table.round.event), source.filename
    with transaction.atomic():
        with event_transaction(table.round.event, GAME_IMPORTED, by=by) as change:
            check_new_file(change.event, "game", source)
            game = fold(entries, rules)
            over = sign and game.state.ended
            seen = begin_game(change, table, len(entries), {**source.details(), **({"signed": True} if over else {})})
        _sit_down(table, players, seen, reason, by)
        for number, entry in enumerate(entries, start=seen):
            write_hand(HandRequest(table, entry, uuid4(), number, reason=reason), by=by)
        if over:
            sign_table(
                table=table,
                totals=game.final(rules).scores,
                leftover=game.state.sticks * rules.riichi_deposit,
                expected_seq=seen + len(entries),
                here=True,
                by=by,
            )
    return len(entries)


def _sit_down(table: Table, players: Sequence[int], seen: int, reason: str, by: Account) -> None:
    """Exchange seats until each player has the one of the log."""
    sitting = dict(table.seats.values_list("seat", "player__number"))
    if sorted(sitting.values()) != sorted(players):
        raise DomainError(IMPORT_EVENT_CHANGED())
    for seat, wanted in enumerate(players):
        there = sitting[seat]
        if there == wanted:
            continue
        other = next(each for each, player in sitting.items() if player == wanted)
        swap_seats(
            one=SeatAssignment(table, seat, there),
            other=SeatAssignment(table, other, wanted),
            hands="stay",
            expected={table.number: seen},
            client_id=uuid4(),
            reason=reason,
            by=by,
        )
        sitting[seat], sitting[other] = wanted, there
