"""The phones of players, which the club's code let in: whose one is, where its player sits, and what was refused."""

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from tournament.accounts.models import Account, TableDevice
from tournament.accounts.queries import AuditFilter, AuditLine, list_audit
from tournament.core.acts import Act
from tournament.events.models import Event
from tournament.phone_signing.models import SeatCode
from tournament.phone_signing.queries import list_batch
from tournament.players.models import Player
from tournament.publication.names import list_names
from tournament.tables.models import Table
from tournament.tables.queries import LoadedTable, SeatGame, load_tables

MOST_REFUSED = 20  # rows that the desk's page shows


def get_phone(user: Any, event: Event) -> TableDevice | None:
    """Return the phone of a player of this event that somebody is signed in as; None for anything else."""
    phone = user.device if isinstance(user, Account) else None
    return phone if phone and phone.player_id and phone.event_id == event.pk else None


def list_active_players(event: Event) -> QuerySet[Player, Player]:
    """Return the players who have neither left nor been forgotten."""
    return event.players.filter(withdrawn_at=None, person__forgotten_at=None)


def list_free_names(event: Event) -> list[tuple[int, str]]:
    """List (number, name) of the players who may let a phone in, as none is in yet, by name; two queries."""
    live = event.devices.filter(player__isnull=False, revoked_at=None, expires_at__gt=timezone.now())
    free = set(list_active_players(event).exclude(pk__in=live.values("player")).values_list("number", flat=True))
    return [(number, name) for number, name in list_names(event) if number in free]


def find_table(event: Event, player: Player) -> LoadedTable | None:
    """Return the table at which a player sits now: the first that is published, not signed and not released.

    None where somebody else plays in that seat.
    """
    rows = Table.objects.filter(round__event=event, seats__player=player, round__published_at__isnull=False)
    ids = rows.filter(round__released_at=None).order_by("round__number").values_list("pk", flat=True)
    for table in load_tables(event, ids=list(ids)) if ids else ():
        if not table.signed:
            return table if seat_of(table, player) is not None else None
    return None


def seat_of(table: LoadedTable, player: Player) -> int | None:
    """Return the seat in which a player plays at a table, None where somebody else does."""
    seat = next((each.seat for each in table.seats if each.number == player.number), None)
    return None if seat is None or seat in table.replaced else seat


def has_started(event: Event, round_: int) -> bool:
    """Tell whether a round is played, as far as a clock says so; one query, none without a clock."""
    return not event.ruleset.minutes or event.rounds.filter(number=round_, started_at__isnull=False).exists()


def find_last_game(event: Event, player: Player) -> SeatGame | None:
    """Return the player's part of the game that they said yes to last, None for none and while it is not signed."""
    code = SeatCode.objects.filter(player=player, answer=SeatCode.Answer.YES).order_by("-pk").first()
    for table in load_tables(event, ids=[code.table_id]) if code else ():
        if table.signed:
            return next((game for game in table.seat_games if game.player.number == player.number), None)
    return None


def find_code_of(table: int, player: Player) -> SeatCode | None:
    """Return the newest code for a player's seat at a table; one query."""
    return next((row for row in list_batch(table) if row.player_id == player.pk), None)


def list_refused(event: Event, acts: list[Act]) -> list[AuditLine]:
    """List the newest refusals of phones, the last first; two queries."""
    return list_audit(event, most=MOST_REFUSED, wanted=AuditFilter(acts=[act.name for act in acts]))
