"""What a person did over the events of this desk, as far as the public sees them, and the hall of fame of the site.

An event at which the person is not shown by name is left out of a career. Others are named as the strictest of these
events does.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db.models import Subquery
from django.utils import timezone

from scoring.player_stats import add_stats, has_hands, head_to_head
from scoring.seasons import half_interval
from tournament.events.models import Event, Visibility
from tournament.moments.queries import YakumanHand, list_yakuman, prepare_yakuman
from tournament.people.models import KnownPerson
from tournament.people.queries import human_keys, people_marks
from tournament.players.models import Player
from tournament.publication.names import names_mark
from tournament.publication.queries import by_public_state, get_public_view, keep, list_public_states
from tournament.seasons.models import Season
from tournament.seasons.queries import SeasonNames, SeasonView, list_season_views
from tournament.seasons.records import BEST_HANDS, SeasonRecords, WonHand, list_wins, read_records
from tournament.seasons.results import EventResult, count_events, list_people
from tournament.standings.columns import StandingRow
from tournament.standings.queries import list_standings, sittings_of
from tournament.tables.queries import list_public_tables

MOST_MET = 12  # people


@dataclass(frozen=True, slots=True)
class PlayedAt:
    """An event of a person: rank among so many (None for who is not ranked), the total, points and places of games.

    `seats` are the players at the table of each place.

    `over` says that all results are public; an open event is over on the day after it.
    """

    event: Event
    number: int
    rank: int | None
    of: int
    total: int
    points: Sequence[int]
    places: Sequence[int]
    seats: Sequence[int]
    over: bool


class Met(NamedTuple):
    """Another person at the same tables: games together, how often the person of the page was ahead, points between.

    `points` are what the other paid less what the other got, None where no game is known by its hands.
    """

    name: str
    uid: UUID | None
    games: int
    ahead: int
    points: int | None


class Feats(NamedTuple):
    """What hands prove of games: most hands in a row as dealer, games without a deal-in, the lowest score before a win.

    `low` is None without a game that was won.
    """

    dealer: int = 0
    safe: int = 0
    low: int | None = None


class Against(NamedTuple):
    """Two players at one table: the other's number, whether the one was ahead, and the points between, if known."""

    number: int
    ahead: bool
    points: int | None


@dataclass(frozen=True, slots=True)
class Career:
    """What is on the page of a person; `means` are the mean of games after each event with half its 90 % interval."""

    name: str
    played: tuple[PlayedAt, ...]
    means: tuple[tuple[float, float], ...]
    met: tuple[Met, ...]
    hands: tuple[tuple[Event, WonHand], ...]
    yakuman: tuple[tuple[Event, YakumanHand], ...]
    feats: Feats
    seasons: tuple[tuple[Season, int | None, int], ...]

    @property
    def places(self) -> list[int]:
        """The place of each game, in order."""
        return [place for each in self.played for place in each.places]

    @property
    def counts(self) -> list[int]:
        """How often each place was taken; empty without games."""
        counts = Counter(self.places)
        seats = max((max(each.event.rulesets) for each in self.played), default=0)
        return [counts[place] for place in range(1, seats + 1)] if counts else []


def get_career(known: KnownPerson) -> Career | None:
    """Return what a person who agreed to a page did, None for any other; two queries while nothing changes."""
    if not known.agreed_at:
        return None
    found = Player.objects.filter(person__known=known, person__forgotten_at=None, shown_by_name=True)
    found = found.filter(event__visibility=Visibility.PUBLIC).annotate(mark=Subquery(people_marks()))
    players = list(found.select_related("event", "person").order_by("event__date", "event"))
    if not players:
        return None
    events = [player.event_id for player in players]
    views = list_season_views(events__event__in=events, visibility=Visibility.PUBLIC)
    views.sort(key=lambda view: view.season.created_at, reverse=True)
    states = list_public_states(player.event for player in players)
    marks = [
        f"{each.event_id} {each.event.name} {each.event.rounds_planned} {each.person.preferred_name} "
        f"{states[each.event_id].mark}"
        for each in players
    ]
    first = f"{getattr(players[0], 'mark', '')} {timezone.localdate()}"  # an open event is over on the day after it
    mark = "|".join([first, *marks, *(view.mark for view in views)])
    return keep(f"career {known.pk} {names_mark()}", lambda: _read_career(known, players, views), mark=mark)


def _read_career(known: KnownPerson, players: Sequence[Player], views: Sequence[SeasonView]) -> Career:
    events = [player.event for player in players]
    results, standings = count_events(events), list_standings(events)
    played = tuple(
        each for player in players if (each := _at(player, results[player.event_id], standings[player.event_id].rows))
    )
    prepare_yakuman(events)
    values, means = list[int](), list[tuple[float, float]]()
    for each in played:
        values += each.points
        means.append((sum(values) / len(values), half_interval(values) if len(values) > 1 else 0.0))
    hands = [(each.event, hand) for each in players for hand in list_wins(each.event) if hand.player == each.number]
    won = [(each.event, hand) for each in players for hand in list_yakuman(each.event) if hand.player == each.number]
    feats = [_get_part(player.event, player.number)[0] for player in players]
    lows = [each.low for each in feats if each.low is not None]
    lines = [(view.season, next((line for line in view.lines if line.row.person == known.pk), None)) for view in views]
    return Career(
        players[-1].person.preferred_name,
        played,
        tuple(means),
        tuple(_list_met(known, players, results)),
        tuple(sorted(hands, key=lambda each: -each[1].value)[:BEST_HANDS]),
        tuple(sorted(won, key=lambda each: each[1].at, reverse=True)),
        Feats(max(each.dealer for each in feats), sum(each.safe for each in feats), min(lows, default=None)),
        tuple((season, line.row.rank, line.row.games) for season, line in lines if line and line.name),
    )


def _at(player: Player, result: EventResult, rows: Sequence[StandingRow]) -> PlayedAt | None:
    """Return what the person did at an event, None before a first public game."""
    event = player.event
    points = [game[player.person_id] for game in result.games if player.person_id in game]
    if not points:
        return None
    row = next((row for row in rows if row.number == player.number), None)
    over = event.ends_with(len(get_public_view(event).rounds)) or (event.is_open and event.date < timezone.localdate())
    return PlayedAt(
        event,
        player.number,
        row.rank if row else None,
        len(rows),
        row.total if row else 0,
        points,
        [game[player.person_id] for game in result.places if player.person_id in game],
        [seats for game, seats in zip(result.places, result.seats, strict=True) if player.person_id in game],
        over,
    )


def _get_part(event: Event, number: int) -> tuple[Feats, tuple[Against, ...]]:
    return by_public_state(event, f"season-part-{number}", lambda: _read_part(event, number))


def _read_part(event: Event, number: int) -> tuple[Feats, tuple[Against, ...]]:
    """Read the tables that a player of an event played from the first hand to the last."""
    against: list[Against] = []
    stats, safe, lows = [], 0, []
    for table in list_public_tables(event):
        sittings = [each for each in sittings_of(table) if each.whole and each.number is not None]
        mine = next((each for each in sittings if each.number == number), None)
        if mine is None:
            continue
        game, told, places = table.game, has_hands(table.game), table.final.places
        for other in sittings:
            if other.number is not None and other is not mine:
                seats = mine.seat, other.seat
                between = head_to_head(game, *seats, mine.hands) if told else None
                points = between.to_one - between.to_other if between else None
                against.append(Against(other.number, places[mine.seat] < places[other.seat], points))
        if told:
            stats.append(mine.stats)
            safe += mine.stats.hands > 0 and not mine.stats.deal_ins
            if places[mine.seat] == 1 and places.count(1) == 1:
                lows.append(min(hand.before.scores[mine.seat] for hand in game.hands))
    longest = add_stats(stats).longest
    return Feats(longest.figure if longest else 0, safe, min(lows, default=None)), tuple(against)


def _list_met(known: KnownPerson, players: Sequence[Player], by_event: Mapping[int, EventResult]) -> list[Met]:
    """List those with whom the person shared most games, who are shown by name at each of these events."""
    results = [by_event[player.event_id] for player in players]
    keys = human_keys(list_people(results))
    names = SeasonNames(results, keys)
    met: dict[int, list[Against]] = defaultdict(list)
    for player, result in zip(players, results, strict=True):
        for each in _get_part(player.event, player.number)[1]:
            pk = result.people.get(each.number)
            if pk is not None and names[keys[pk]] and keys[pk] != known.pk:
                met[keys[pk]].append(each)
    pages = KnownPerson.objects.filter(pk__in=met, agreed_at__isnull=False).values_list("pk", "uid")
    uids = dict(pages)
    rows = [
        Met(names[key], uids.get(key), len(games), sum(each.ahead for each in games), _sum_known(games))
        for key, games in met.items()
    ]
    return sorted(rows, key=lambda each: (-each.games, each.name.casefold()))[:MOST_MET]


def _sum_known(games: Iterable[Against]) -> int | None:
    known = [each.points for each in games if each.points is not None]
    return sum(known) if known else None


class HallOfFame(NamedTuple):
    """Closed seasons, the newest first, and the records of all public events."""

    seasons: Sequence[SeasonView]
    records: SeasonRecords


def get_hall_of_fame() -> HallOfFame:
    """Return who is in the hall of fame, by those whom each public event shows by name; two queries when kept."""
    views = list_season_views(visibility=Visibility.PUBLIC, closed_at__isnull=False)
    found = Event.objects.filter(visibility=Visibility.PUBLIC).annotate(mark=Subquery(people_marks()))
    events = list(found.order_by("date", "pk"))
    states = list_public_states(events)
    marks = [f"{event.pk} {event.name} {states[event.pk].mark}" for event in events]
    mark = "|".join([*(str(event.mark) for event in events[:1]), *marks])
    records = keep(f"hall-of-fame {names_mark()}", lambda: read_records(events, _names_of(events)), mark=mark)
    newest = sorted(views, key=lambda view: str(view.season.closed_at), reverse=True)
    return HallOfFame([view for view in newest if view.champions], records)


def _names_of(events: Sequence[Event]) -> Mapping[int, str]:
    by_event = count_events(events)
    results = [by_event[event.pk] for event in events]
    names = SeasonNames(results, human_keys(list_people(results)))
    return {key: name for key, name in names.items() if name}
