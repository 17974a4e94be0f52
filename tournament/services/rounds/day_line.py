"""Verbs of the morning and of a round's beginning: who is here, and which tables are ready. Neither moves anybody."""

from collections.abc import Sequence

from scoring.problems import error
from tournament.models import Account, Player, Round
from tournament.refusal import Refused
from tournament.services.core.writing import writing


def check_in(*, player: Player, here: bool, by: Account) -> bool:
    """Tick a player as here, or take the tick away; return whether that was new.

    An absent tick removes nobody: seats, draw and withdrawal are other verbs. Raises Refused for who has withdrawn.
    """
    with writing(player.event, "player_checked_in" if here else "player_checked_out", by=by) as change:
        current = change.event.players.select_related("person").get(pk=player.pk)
        if current.withdrawn_at and here:
            raise Refused(error("check_in.withdrawn", name=current.person.preferred_name))
        if bool(current.checked_in_at) == here:
            change.nothing_new()
            return False
        current.checked_in_at = change.at if here else None
        current.save(update_fields=["checked_in_at"])
        change.details = {"number": current.number}
    return True


def set_ready(*, round_: Round, tables: Sequence[int], ready: bool, by: Account) -> bool:
    """Tick tables of a round, given by number, as ready for the clock, or take the ticks away; return if any was new.

    Raises Refused before the seats are published, once the clock has started, and for a table that is not there.
    """
    with writing(round_.event, "tables_ready" if ready else "tables_not_ready", by=by) as change:
        current = Round.objects.get(pk=round_.pk)
        if current.published_at is None:
            raise Refused(error("round.not_published", round=current.number))
        if current.started_at:
            raise Refused(error("ready.clock_runs", round=current.number))
        found = {row.number: row for row in current.tables.filter(number__in=list(tables))}
        for number in tables:
            if number not in found:
                raise Refused(error("ready.no_table", table=number, round=current.number))
        moved = [row for row in found.values() if bool(row.ready_at) != ready]
        if not moved:
            change.nothing_new()
            return False
        for row in moved:
            row.ready_at = change.at if ready else None
            row.save(update_fields=["ready_at"])
        change.details = {"round": current.number, "tables": sorted(row.number for row in moved)}
    return True
