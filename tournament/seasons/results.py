"""What events give their seasons: the games of their public rounds, read from signed sheets for many events at once."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q

from tournament.events.models import Event
from tournament.penalties.models import Penalty
from tournament.penalties.queries import count_points_by_round, list_fined_tables
from tournament.players.models import Player
from tournament.publication.queries import keep, list_public_rounds, public_state
from tournament.standings.queries import games_of
from tournament.tables.queries import LoadedTable, load_tables
from tournament.tables.sheet_games import CHUNK, SheetGame, read_sheet_games

MOST_KEPT: Final = 4_000  # events, each of some 60 games


@dataclass(frozen=True, slots=True)
class EventResult:
    """What an event gives its seasons, by row of people: points of each game with uma and penalties, and places.

    `games` and `places` are of ranked players, in the order of the event's tables, with `seats` players each; who was
    replaced has no place.
    `names` are None for who is not shown by name, and without who was forgotten: those games still count for a team.
    `people` are the rows of people by the number of the player, without the forgotten as well.
    `mark` is the public state of an event that changed while this was kept, "" before that.
    """

    version: int
    mark: str
    games: Sequence[Mapping[int, int]]
    places: Sequence[Mapping[int, int]]
    seats: Sequence[int]
    names: Mapping[int, str | None]
    people: Mapping[int, int]


def count_events(events: Sequence[Event]) -> dict[int, EventResult]:
    """Return by event what each gives its seasons, kept until its public state changes.

    Eight queries for those that are not kept, and some for each of them that has a chombo, a substitute or a penalty.
    """
    kept = keep("season-results", dict[int, EventResult])
    found: dict[int, EventResult] = {}
    marks: dict[int, str] = {}  # of those to read
    for event in events:
        known = kept.get(event.pk)
        if known and known.version == event.version:
            found[event.pk] = known
            continue
        # Each hand moves the version of an event in play. One that did not move yet need not be asked for its state.
        mark = public_state(event).mark if known else ""
        if known and mark == known.mark:
            found[event.pk] = known
        else:
            marks[event.pk] = mark
    if marks:
        found |= (read := _read_events(marks))
        if len(kept) > MOST_KEPT:
            kept.clear()
        kept.update(read)
    return found


# that the games of an event depend on; the other columns are many and long
_OF_EVENT = (
    "version", "rules", "second_rules", "kept_amounts", "redactions", "rounds_planned",
    "live_tables", "live_others", "hold", "shown_through",
)  # fmt: skip


_USUAL = (True, True, None)


def _read_events(marks: Mapping[int, str]) -> dict[int, EventResult]:
    events = Event.objects.only(*_OF_EVENT).in_bulk(marks)
    rounds = list_public_rounds(events.values())
    names: defaultdict[int, dict[int, str | None]] = defaultdict(dict)
    people: defaultdict[int, dict[int, int]] = defaultdict(dict)
    ranked: defaultdict[int, dict[int, int]] = defaultdict(dict)  # row of people by number, with the forgotten
    person_of: dict[int, int] = {}  # by player, if ranked
    players = Player.objects.filter(event__in=events)
    special = Q(shown_by_name=False) | Q(ranked=False) | Q(person__forgotten_at__isnull=False)
    columns = ("pk", "shown_by_name", "ranked", "person__forgotten_at")  # of few, as reading them takes long
    exceptions = {pk: facts for pk, *facts in players.filter(special).values_list(*columns)}
    listed = players.values_list("event", "pk", "number", "person", "person__preferred_name")
    for pk, player, number, person, name in listed.iterator(CHUNK):
        shown, is_ranked, forgotten = exceptions.get(player, _USUAL)
        if is_ranked:
            ranked[pk][number] = person_of[player] = person
        if forgotten is None:
            people[pk][number] = person
            names[pk][person] = name if shown else None
    sheets: defaultdict[int, list[SheetGame]] = defaultdict(list)
    for sheet in read_sheet_games(events, rounds):
        sheets[sheet.event].append(sheet)
    fined = list_fined_tables(events)
    with_register = set(Penalty.objects.filter(event__in=events).order_by().values_list("event", flat=True).distinct())
    found = {}
    for pk, event in events.items():
        by_hands = [sheet.table for sheet in sheets[pk] if sheet.result is None or sheet.table in fined]
        tables = load_tables(event, ids=by_hands) if by_hands else []
        loaded = {table.id: table for table in tables}
        games: list[dict[int, int]] = []
        places: list[dict[int, int]] = []
        for sheet in sheets[pk]:
            game, place = _count_game(sheet, loaded.get(sheet.table), ranked[pk], person_of)
            games.append(game)
            places.append(place)
        if tables or pk in with_register:
            points = count_points_by_round(event, tables, rounds=rounds[pk])  # the register knows other rounds, too
            _take_penalties(games, [sheet.round for sheet in sheets[pk]], points, ranked[pk])
        seats = [sheet.size for sheet in sheets[pk]]
        found[pk] = EventResult(event.version, marks[pk], games, places, seats, names[pk], people[pk])
    return found


def _count_game(
    sheet: SheetGame, loaded: LoadedTable | None, ranked: Mapping[int, int], person_of: Mapping[int, int]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return points without penalties and places of a game; of a `loaded` table by its hands."""
    if loaded:
        placed = [each for each in games_of(loaded) if each.player in ranked]
        points = {ranked[each.player]: each.result for each in placed}
        return points, {ranked[each.player]: each.place for each in placed if each.place}
    if sheet.result is None:  # deleted since it was listed
        return {}, {}
    who: list[Any] = [person_of.get(player or 0) for player in sheet.players]
    results: dict[Any, int] = dict(zip(who, sheet.result.results, strict=False))  # three play on four seats
    places: dict[Any, int] = dict(zip(who, sheet.result.places, strict=False))
    results.pop(None, None)  # who is not ranked
    places.pop(None, None)
    return results, places


def _take_penalties(
    games: Sequence[dict[int, int]],
    rounds: Sequence[int],
    penalties: Mapping[int, Mapping[int | None, int]],
    ranked: Mapping[int, int],
) -> None:
    """Take penalties off the game of their round; those of none, or of one without a game, off the player's last."""
    for number, by_round in penalties.items():
        person = ranked.get(number, 0)
        mine = {round_: game for round_, game in zip(rounds, games, strict=True) if person in game}
        for round_, points in by_round.items() if mine else ():
            mine.get(round_ or 0, mine[max(mine)])[person] -= points
