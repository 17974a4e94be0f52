"""An open evening as its page shows it: who waits, plays or is not here, and who met whom in the season."""

import datetime as dt
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from django.db.models import Q

from scoring.suggest import WaitingPlayer
from tournament.events.models import Event, Play
from tournament.people.queries import human_key
from tournament.publication.names import name_of
from tournament.seasons.models import SeasonEvent
from tournament.tables.models import Seat


@dataclass(frozen=True, slots=True)
class PresentPlayer:
    """Somebody who is here: `since` when the player waits, with what counts for the next table."""

    number: int
    name: str
    since: dt.datetime
    waiting: WaitingPlayer


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table that is played at: numbers and names in seat order, first East first."""

    round: int
    number: int
    started_at: dt.datetime | None
    players: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class OpenEvening:
    """An open event now: `waiting` from the longest on, `away` who is not here, by number.

    `meetings` are those of the season, tonight's among them; `tonight` those alone.
    """

    waiting: tuple[PresentPlayer, ...]
    playing: tuple[OpenTable, ...]
    away: tuple[tuple[int, str], ...]
    meetings: Counter[tuple[int, int]]
    tonight: Counter[tuple[int, int]]

    @property
    def weights(self) -> Counter[tuple[int, int]]:
        """What a meeting costs: to meet twice in one evening is worse than on two."""
        return self.meetings + self.tonight


@dataclass(frozen=True, slots=True)
class _Sitting:
    """A seat that was taken: whose, at which table of which event, from when until when."""

    human: int
    event: int
    table: int
    seat: int
    started_at: dt.datetime | None
    ended_at: dt.datetime | None


def get_evening(event: Event, at: dt.datetime) -> OpenEvening:
    """Return an open event at a moment, with names as the reader may see them; three queries."""
    rows = list(
        event.players.filter(withdrawn_at=None)
        .order_by("number")
        .values_list("number", name_of(), "person_id", "person__known_id", "checked_in_at")
    )
    humans = {number: human_key(person, known) for number, _name, person, known, _here in rows}
    sittings = _list_sittings(event)
    tonight = [each for each in sittings if each.event == event.pk]
    playing = _list_playing(event)
    busy = {number for table in playing for number, _name in table.players}
    ended: dict[int, dt.datetime] = {}
    by_human: defaultdict[int, list[_Sitting]] = defaultdict(list)
    for each in sittings:
        by_human[each.human].append(each)
        if each.event == event.pk and each.ended_at:
            ended[each.human] = max(each.ended_at, ended.get(each.human, each.ended_at))
    waiting = []
    for number, name, _person, _known, here in rows:
        if here and number not in busy:
            since = max(here, ended.get(humans[number]) or here)
            own = by_human[humans[number]]
            games = sum(each.event == event.pk for each in own)
            minutes = int((at - since).total_seconds() // 60)
            counted = WaitingPlayer(number, minutes, games, _rested(own), _winds(own, max(event.rulesets)))
            waiting.append(PresentPlayer(number, str(name), since, counted))
    return OpenEvening(
        waiting=tuple(sorted(waiting, key=lambda each: (each.since, each.number))),
        playing=playing,
        away=tuple((number, str(name)) for number, name, *_more, here in rows if not here and number not in busy),
        meetings=_count_meetings(sittings, humans),
        tonight=_count_meetings(tonight, humans),
    )


def waiting_mark(event: Event) -> str:
    """Return what changes when somebody comes or leaves; one query."""
    here = event.players.filter(checked_in_at__isnull=False).values_list("number", "checked_in_at")
    return hashlib.sha256(repr(sorted(here)).encode()).hexdigest()[:16]


def _list_sittings(event: Event) -> list[_Sitting]:
    """List the seats of this event and of the open events of its seasons, in order of time; one query."""
    together = SeasonEvent.objects.filter(season__events__event=event, event__play=Play.OPEN).values("event")
    found = Seat.objects.filter(Q(round__event=event) | Q(round__event__in=together)).order_by(
        "round__started_at", "round_id", "seat"
    )
    columns = (
        "player__person_id", "player__person__known_id", "round__event_id", "table_id", "seat", "round__started_at",
        "round__released_at",
    )  # fmt: skip
    return [_Sitting(human_key(person, known), *more) for person, known, *more in found.values_list(*columns)]


def _list_playing(event: Event) -> tuple[OpenTable, ...]:
    """List the tables that are not released, by number; one query."""
    found = Seat.objects.filter(round__event=event, round__released_at=None).order_by("table__number", "seat")
    tables: dict[int, OpenTable] = {}
    columns = ("round__number", "table__number", "round__started_at", "player__number", name_of("player__"))
    for round_, table, started_at, number, name in found.values_list(*columns):
        known = tables.get(round_) or OpenTable(round_, table, started_at, ())
        tables[round_] = replace(known, players=(*known.players, (number, str(name))))
    return tuple(tables.values())


def _count_meetings(sittings: Iterable[_Sitting], humans: Mapping[int, int]) -> Counter[tuple[int, int]]:
    """Count how often players of this event, by number, have sat at one table."""
    numbers = {human: number for number, human in humans.items()}
    tables: defaultdict[int, list[int]] = defaultdict(list)
    for each in sittings:
        if each.human in numbers:
            tables[each.table].append(numbers[each.human])
    return Counter(pair for table in tables.values() for pair in combinations(sorted(table), 2))


def _rested(own: Sequence[_Sitting]) -> int:
    """Sum the minutes between the games of one person, evening by evening."""
    gaps = (
        (after.started_at - before.ended_at).total_seconds()
        for before, after in pairwise(own)
        if before.event == after.event and before.ended_at and after.started_at
    )
    return int(sum(max(gap, 0) for gap in gaps) // 60)


def _winds(own: Sequence[_Sitting], size: int) -> tuple[int, ...]:
    """Count the games of one person by first wind."""
    seats = Counter(each.seat for each in own)
    return tuple(seats[wind] for wind in range(size))
