"""Players as pages show them: the list, and the way of one or of all through the event."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from django.db.models import OuterRef, Subquery

from tournament.core.acts import Act, Group, list_act_names
from tournament.core.prepared import Prepared
from tournament.events.models import Event
from tournament.incidents.models import Disqualification
from tournament.players.models import Player
from tournament.publication.names import is_open, name_of
from tournament.publication.queries import by_public_state
from tournament.tables.rows import SeatedPlayer
from tournament.text.names import alphabetical, fold

MAX_CLUB_COLOURS = 8  # as static/players/clubs.css has
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


class SeatedTable(Protocol):
    """A table with its seats, and who is replaced by seat."""

    @property
    def seats(self) -> Sequence[SeatedPlayer]: ...
    @property
    def replaced(self) -> Mapping[int, Any]: ...


@dataclass(frozen=True, slots=True)
class Presence:
    """How many players are checked in, of how many; `absent` are the numbers of the others.

    As long as nobody is checked in, the event does not use check-in, and nobody is absent.
    """

    here: int
    players: int
    absent: Collection[int] = ()

    def missing_at(self, table: SeatedTable) -> list[SeatedPlayer]:
        """List who has a seat at a table and is not here; not who is replaced there."""
        return [each for each in table.seats if each.number in self.absent and each.seat not in table.replaced]


_OUT = Subquery(Disqualification.objects.filter(player=OuterRef("pk"), cancelled_at=None).values("shown")[:1])


def list_players(event: Event) -> list[PlayerRow]:
    """List the players of an event by number; one query."""
    person = ("legal_name", "ema_number", "country", "club")
    whose = ("pk", "number", name_of(), *(f"person__{column}" for column in person))
    columns = ("withdrawn_at", "ranked", "checked_in_at", _OUT, "team", "shown_by_name")
    return [
        PlayerRow(
            pk,
            number,
            name,
            legal_name,
            ema_number,
            country if is_open(shown) else "",
            club if is_open(shown) else "",
            withdrawn is not None,
            ranked,
            here is not None,
            out or "",
            team,
        )
        for pk, number, name, legal_name, ema_number, country, club, withdrawn, ranked, here, out, team, shown in (
            event.players.order_by("number").values_list(*whose, *columns)
        )
    ]


class ClubColour(NamedTuple):
    """A club with a colour, numbered from 1."""

    colour: int
    name: str


def colour_clubs(clubs: Mapping[int, str]) -> dict[int, ClubColour]:
    """Return the club with its colour by player, where it has one; both sides by player number.

    Clubs with two players or more have a colour, the largest first, at most eight; one such club alone has none. A
    player without a club, or whose club the reader may not see, has "".

    >>> colour_clubs({1: "Kan", 2: "Chi", 3: "Pon", 4: "pon", 5: "Chi", 6: ""})
    {2: ClubColour(colour=1, name='Chi'), 5: ClubColour(colour=1, name='Chi'), \
3: ClubColour(colour=2, name='Pon'), 4: ClubColour(colour=2, name='Pon')}
    """
    members = defaultdict[str, list[int]](list)
    for number, club in clubs.items():
        if club:
            members[fold(club)].append(number)
    large = [(clubs[numbers[0]], numbers) for numbers in members.values() if len(numbers) > 1]
    large.sort(key=lambda club: (-len(club[1]), alphabetical(club[0])))
    if len(large) < 2:
        return {}
    coloured = enumerate(large[:MAX_CLUB_COLOURS], start=1)
    return {number: ClubColour(colour, name) for colour, (name, numbers) in coloured for number in numbers}


def get_club_colours(event: Event) -> dict[int, ClubColour]:
    """Return `colour_clubs` of the players of an event; one query for each public state."""
    return by_public_state(
        event, "club-colours", lambda: colour_clubs({row.number: row.club for row in list_players(event)})
    )


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


_TICKS = Prepared(
    lambda event: Player.objects.filter(event=event, withdrawn_at=None).values_list("number", "checked_in_at")
)


def get_presence(event: Event) -> Presence:
    """Return who is checked in of the players who have not withdrawn; one query."""
    ticks = list(_TICKS(event.pk))
    absent = frozenset(number for number, tick in ticks if tick is None)
    here = len(ticks) - len(absent)
    return Presence(here, len(ticks), absent if here else ())
