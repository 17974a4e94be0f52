"""Enter a game that was played online at its table: seats as in the log, its hands, its signature; all or nothing."""

from collections.abc import Sequence
from uuid import uuid4

from django.db import transaction

from scoring.entries import Entry
from scoring.game import fold
from tournament.accounts.models import Account
from tournament.core.errors import DomainError
from tournament.core.transaction import event_transaction
from tournament.imports.actions import IMPORT_EVENT_CHANGED, begin_game, check_new_file
from tournament.imports.listing import Source
from tournament.imports.queries import GAME_IMPORTED
from tournament.seating.seat_actions import SeatAssignment, swap_seats
from tournament.sheets.actions import sign_table
from tournament.tables.actions import HandRequest, write_hand
from tournament.tables.models import Table


def take_online_game(
    *, table: Table, players: Sequence[int], entries: Sequence[Entry], source: Source, sign: bool, by: Account
) -> int:
    """Enter the hands of a log at a table without valid hands; return how many.

    `players` are their numbers by seat: who sits elsewhere at this table is moved there. With `sign` the sheet of a
    game that is over is signed. Raises DomainError for a log that was taken already, where others sit at the table, and
    as `take_game`.
    """
    rules, reason = table.round.event.ruleset, source.filename
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
