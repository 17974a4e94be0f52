"""Players as pages show them: the list, and the way of one or of all through the event."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from tournament.core.acts import Act, Group, list_act_names
from tournament.core.prepared import Prepared
from tournament.events.models import Event
from tournament.incidents.models import Disqualification
from tournament.players.models import Player
from tournament.publication.names import shown_club, shown_country, shown_name

PLAYERS_ADDED = Act("players_added", "added players {numbers}", groups=Group.PLAYER_LIST)


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player in a list; of somebody `disqualified` it says what the public reads, "" for everybody else."""

    id: int
    number: int
    name: str
    legal_name: str
    ema_number: str
    country: str
    club: str
    withdrawn: bool
    ranked: bool
    here: bool
    disqualified: str = ""
    team: str = ""


@dataclass(frozen=True, slots=True)
class Presence:
    """How many players are checked in, of how many."""

    here: int
    players: int


_OUT = Subquery(Disqualification.objects.filter(player=OuterRef("pk"), cancelled_at=None).values("shown")[:1])


def list_players(event: Event) -> list[PlayerRow]:
    """List the players of an event by number; one query."""
    return [
        PlayerRow(
            player.pk,
            player.number,
            shown_name(player),
            player.person.legal_name,
            player.person.ema_number,
            shown_country(player),
            shown_club(player),
            player.withdrawn_at is not None,
            player.ranked,
            player.checked_in_at is not None,
            player.out or "",
            player.team,
        )
        for player in event.players.select_related("person").annotate(out=_OUT).order_by("number")
    ]


def list_added_last(event: Event, rows: Sequence[PlayerRow]) -> list[int]:
    """Return the numbers of those of these players who were added last, several in one act; one query.

    None once anything else has been done to the list: then each is taken out by hand.
    """
    newest = event.audit.filter(verb__in=list_act_names(Group.PLAYER_LIST)).order_by("-seq").first()
    numbers = json.loads(newest.details)["numbers"] if newest and newest.verb == PLAYERS_ADDED.name else []
    tail = [row.number for row in rows][-len(numbers) :]
    return list(numbers) if len(numbers) > 1 and tail == numbers else []


def get_renumbered_until(event: Event) -> int:
    """Return the trail's last row after which numbers were others than now, 0 for none; one query."""
    gone = event.audit.filter(verb__in=list_act_names(Group.RENUMBERING))
    return gone.order_by("-seq").values_list("seq", flat=True).first() or 0


_TICKS = Prepared(lambda event: Player.objects.filter(event=event, withdrawn_at=None).values_list("checked_in_at"))


def count_here(event: Event) -> Presence:
    """Count the players who have not withdrawn, and those of them who are checked in; one query."""
    ticks = _TICKS(event.pk)
    return Presence(sum(tick is not None for (tick,) in ticks), len(ticks))
