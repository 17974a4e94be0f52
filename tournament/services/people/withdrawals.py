"""The verbs on somebody who leaves for good or comes back: the note and the seats in one transaction.

No published seat moves by them: a substitute plays it, or nobody.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from scoring.problems import error
from tournament.models import Account, LedgerEntry, Player, SheetRow, Substitution, Table
from tournament.refusal import Refused
from tournament.services.people.people import return_player, withdraw_player
from tournament.services.people.substitutions import Replacement, put_substitute_in, take_substitute_out


def leave(
    *, player: Player, reason: str, table: Table | None, replacement: Replacement | None, client_id: UUID, by: Account
) -> list[Substitution]:
    """Note that a player has left, and put a substitute in at `table` as `replacement` says; all of it or nothing.

    Without a table or a replacement no seat is touched. Raises Refused as `withdraw_player` and `put_substitute_in` do.
    """
    with transaction.atomic():
        withdraw_player(player=player, reason=reason, by=by)
        if table is None or replacement is None:
            return []
        return put_substitute_in(table=table, player=player, replacement=replacement, client_id=client_id, by=by)


def come_back(*, player: Player, reason: str, substitutions: Sequence[Substitution], by: Account) -> None:
    """Note that a player is back, and take these substitutes for the player out; all of it or nothing.

    Raises Refused without a reason, and for a substitute at whose table play has begun: that game stays as it is.
    """
    with transaction.atomic():
        return_player(player=player, reason=reason, by=by)
        for row in substitutions:
            if row.player_id != player.pk:
                raise Refused(error("substitute.not_theirs", number=player.number))
            if has_begun(row.table):
                raise Refused(error("substitute.game_begun", round=row.table.round.number, table=row.table.number))
            take_substitute_out(substitution=row, reason=reason, by=by)


def has_begun(table: Table) -> bool:
    """Tell whether anything is written at a table: a hand or a sheet."""
    return LedgerEntry.objects.filter(table=table).exists() or SheetRow.objects.filter(table=table).exists()
