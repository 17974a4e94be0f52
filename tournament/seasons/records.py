"""Records over many events: the best games, evenings and hands, and the longest run without a last place.

Who is not shown by name sets none: an event's own page may have the name beside the same hand.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter

from rules.ruleset import Ruleset
from scoring.entries import Ron, Tsumo, Win
from scoring.player_stats import has_hands, value_of
from tournament.events.models import Event
from tournament.moments.queries import YakumanHand, list_yakuman, prepare_yakuman
from tournament.people.queries import human_keys
from tournament.publication.names import names_mark
from tournament.publication.queries import by_public_state, keep
from tournament.seasons.models import SeasonEvent
from tournament.seasons.queries import SeasonView
from tournament.seasons.results import count_events, list_people
from tournament.standings.queries import sittings_of
from tournament.tables.queries import EVENTS_AT_ONCE, list_public_tables

BEST_HANDS = 3  # of each player of an event
LEAST_RUN = 5  # games: a shorter run is no record


_Set = tuple[int, int, Event | None, "WonHand | None"]  # figure, key of a human being, and where it was set


class RecordKind(StrEnum):
    """What is recorded."""

    GAME = "game"
    EVENING = "evening"
    HAND = "hand"
    NO_LAST = "no_last"


@dataclass(frozen=True, slots=True)
class WonHand:
    """A win: `player` is the winner's number, `value` is without honba and riichi sticks, `number` counts from 1."""

    player: int
    value: int
    round: int
    table: int
    number: int
    win: Win
    rules: Ruleset


@dataclass(frozen=True, slots=True)
class SeasonRecord:
    """A record: points or a number of games, and who set it; `event` and `hand` where it was one."""

    kind: RecordKind
    figure: int
    names: tuple[str, ...]
    event: Event | None = None
    hand: WonHand | None = None


@dataclass(frozen=True, slots=True)
class SeasonRecords:
    """The records of some events, and every yakuman with its event and the winner's name, the newest first."""

    rows: tuple[SeasonRecord, ...]
    yakuman: tuple[tuple[Event, YakumanHand, str], ...]


def list_wins(event: Event) -> tuple[WonHand, ...]:
    """Return the best hands of each player of an event in public rounds, the best first."""
    return by_public_state(event, "season-wins", lambda: tuple(_read_wins(event)))


def _read_wins(event: Event) -> Iterator[WonHand]:
    by_player: dict[int, list[WonHand]] = defaultdict(list)
    for table in list_public_tables(event):
        for sitting in sittings_of(table) if has_hands(table.game) else ():
            for index in sitting.hands if sitting.number is not None else ():
                entry = table.game.hands[index].entry
                wins = entry.winners if isinstance(entry, Ron | Tsumo) else ()
                for win in wins:
                    if win.seat == sitting.seat:
                        value = value_of(table.game.hands[index], win.seat)
                        found = WonHand(
                            sitting.number or 0, value, table.round, table.number, index + 1, win, table.rules
                        )
                        by_player[found.player].append(found)
    best = [hand for wins in by_player.values() for hand in sorted(wins, key=_value, reverse=True)[:BEST_HANDS]]
    yield from sorted(best, key=_value, reverse=True)


_value = attrgetter("value")


def get_season_records(view: SeasonView) -> SeasonRecords:
    """Return the records of a season by those whom it shows by name; no query while nothing changes."""
    names = {line.row.person: line.name for line in view.lines if not line.number}

    def read() -> SeasonRecords:
        slugs = [evening.slug for evening in view.evenings]
        rows = SeasonEvent.objects.filter(season=view.season, event__slug__in=slugs).select_related("event")
        return read_records([row.event for row in rows], names)

    return keep(f"season-records {view.season.pk} {names_mark()}", read, mark=view.mark)


def read_records(events: Sequence[Event], names: Mapping[int, str]) -> SeasonRecords:
    """Work out the records of events in their order by people with these names, by the key of a human being."""
    by_event = count_events(events)
    results = [by_event[event.pk] for event in events]
    keys = human_keys(list_people(results))
    games: list[_Set] = []
    evenings: list[_Set] = []
    hands: list[_Set] = []
    yakuman: list[tuple[Event, YakumanHand, str]] = []
    runs, longest = defaultdict[int, int](int), defaultdict[int, int](int)
    for at, (event, result) in enumerate(zip(events, results, strict=True)):
        if at % EVENTS_AT_ONCE == 0:
            prepare_yakuman(events[at : at + EVENTS_AT_ONCE])
        shown = {pk: keys[pk] for pk in result.people.values() if keys[pk] in names}
        totals: dict[int, int] = defaultdict(int)
        for game, places, seats in zip(result.games, result.places, result.seats, strict=True):
            for pk in game.keys() & shown.keys():
                totals[shown[pk]] += game[pk]
                games.append((game[pk], shown[pk], event, None))
            for pk in places.keys() & shown.keys():
                key = shown[pk]
                runs[key] = runs[key] + 1 if places[pk] < seats else 0
                longest[key] = max(longest[key], runs[key])
        evenings += [(points, key, event, None) for key, points in totals.items()]
        by_number = {number: shown[pk] for number, pk in result.people.items() if pk in shown}
        hands += [
            (each.value, by_number[each.player], event, each) for each in list_wins(event) if each.player in by_number
        ]
        won = [each for each in list_yakuman(event) if each.player in by_number]
        yakuman += [(event, each, names[by_number[each.player]]) for each in won if each.player]
    runs_of: list[_Set] = [(length, key, None, None) for key, length in longest.items() if length >= LEAST_RUN]
    found = {
        RecordKind.GAME: games,
        RecordKind.EVENING: evenings,
        RecordKind.HAND: hands,
        RecordKind.NO_LAST: runs_of,
    }
    rows = [row for kind, each in found.items() if (row := _best(kind, each, names))]
    return SeasonRecords(tuple(rows), tuple(sorted(yakuman, key=lambda each: each[1].at, reverse=True)))


def _best(kind: RecordKind, found: Sequence[_Set], names: Mapping[int, str]) -> SeasonRecord | None:
    """Return the highest of these, with all who share it; the first of them is the one that is shown."""
    top = max((each[0] for each in found), default=0)
    first = [each for each in found if each[0] == top]
    if top <= 0:
        return None
    keys = dict.fromkeys(key for _points, key, *_where in first)
    return SeasonRecord(kind, top, tuple(names[key] for key in keys), *first[0][2:])
