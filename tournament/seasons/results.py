"""What events give their seasons: the games of their public rounds, read from signed sheets for many events at once."""

import functools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from operator import itemgetter
from typing import Final

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from rules.ruleset import RulesBySize
from scoring.seasons import GameColumns
from tournament.events.models import Event
from tournament.penalties.queries import count_points_by_round, list_fined_tables, read_registers
from tournament.players.models import Player
from tournament.publication.queries import keep, list_public_rounds, public_state
from tournament.tables.queries import LoadedTable, load_tables_of
from tournament.tables.sheet_games import CHUNK, SEATS, SheetGames, read_sheet_games

MOST_KEPT: Final = 4_000  # events, each of some 60 games


@dataclass(frozen=True, slots=True)
class EventResult:
    """What an event gives its seasons, by row of people: points of each game with uma and penalties, and places.

    `games` and `places` are of ranked players, in the order of the event's tables, with `seats` players each; who was
    replaced has no place. `seated` has the person of each seat, None for who is not ranked, and its place, or 0.
    `people` are the rows of people by the number of the player, without the forgotten, whose games still count for a
    team and for base ranks; `hidden` are those of them who are not shown by name, `forgotten` the rows of the others.
    `mark` is the public state of an event that changed while this was kept, "" before that.
    """

    version: int
    mark: str
    games: GameColumns[int, int]
    seated: tuple[Sequence[int | None], Sequence[int]]
    seats: Sequence[int]
    people: Mapping[int, int]
    hidden: Sequence[int]
    forgotten: Mapping[int, int]

    @property
    def places(self) -> GameColumns[int, int]:
        """The place of each ranked player; no table of a season asks for it."""
        who, places = self.seated
        placed = [person if place else None for person, place in zip(who, places, strict=True)]
        return GameColumns(placed, places, [SEATS] * len(self.games))


def list_people(results: Iterable[EventResult]) -> Iterator[int]:
    """List the rows of people of these results, without the forgotten."""
    return chain.from_iterable(result.people.values() for result in results)


def count_events(events: Sequence[Event]) -> dict[int, EventResult]:
    """Return by event what each gives its seasons, kept until its public state changes.

    Nine queries for those that are not kept, and some for each of them that has a chombo, a substitute or a penalty.
    """
    kept = keep("season-results", dict[int, EventResult])
    found: dict[int, EventResult] = {}
    marks: dict[int, tuple[Event, str]] = {}  # of those to read
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
            marks[event.pk] = event, mark
    if marks:
        found |= (read := _read_events(marks))
        if len(kept) > MOST_KEPT:
            kept.clear()
        kept.update(read)
    return found


@functools.lru_cache(maxsize=64)
def _read_rules(own: str, second: str) -> RulesBySize:
    return Event(rules=json.loads(own), second_rules=json.loads(second)).rulesets


def _read_events(marks: Mapping[int, tuple[Event, str]]) -> dict[int, EventResult]:
    as_text = (Cast(column, TextField()) for column in ("rules", "second_rules"))
    events = {pk: _read_rules(*rules) for pk, *rules in Event.objects.filter(pk__in=marks).values_list("pk", *as_text)}
    rounds = list_public_rounds([marks[pk][0] for pk in events])
    people: dict[int, dict[int, int]] = {pk: {} for pk in events}
    hidden: dict[int, list[int]] = {pk: [] for pk in events}
    ranked: dict[int, dict[int, int]] = {pk: {} for pk in events}  # row of people by number, with the forgotten
    person_of: dict[int | None, int] = {}  # by player, if ranked
    players = Player.objects.filter(event__in=events).order_by("event")
    columns = ("event", "pk", "number", "person")
    listed = players.values_list(*columns).iterator(CHUNK)
    for event, rows in groupby(listed, key=itemgetter(0)):
        _event, ids, numbers, persons = zip(*rows, strict=True)
        person_of.update(zip(ids, persons, strict=True))
        people[event] = dict(zip(numbers, persons, strict=True))
        ranked[event] = people[event].copy()
    special = players.filter(Q(shown_by_name=False) | Q(ranked=False) | Q(person__forgotten_at__isnull=False))
    # of few, as reading these columns takes long
    for event, player, number, person, *facts in special.values_list(
        *columns, "shown_by_name", "ranked", "person__forgotten_at"
    ):
        shown, is_ranked, forgotten = facts
        if not is_ranked:
            del person_of[player], ranked[event][number]
        if forgotten:
            del people[event][number]
        elif not shown:
            hidden[event].append(person)
    sheets = read_sheet_games(events, rounds)
    fined = list_fined_tables(events)
    registers = read_registers(events)
    by_hands = {
        table: pk
        for pk, games in sheets.items()
        for table in (games.untold.union(fined.intersection(games.tables)) if fined else games.untold)
    }
    whole = Event.objects.in_bulk({*by_hands.values(), *(pk for pk, register in registers.items() if register)})
    loaded = load_tables_of(whole, by_hands)
    found = {}
    for pk in events:
        games = sheets.get(pk) or SheetGames()
        who = list(map(person_of.get, games.players))
        tables = loaded.get(pk, [])
        _count_hands(games, who, tables)
        if pk in whole:
            # the register knows other rounds, too
            penalties = count_points_by_round(whole[pk], tables, rounds=rounds[pk], register=registers[pk])
            _take_penalties(games, who, penalties, ranked[pk])
        found[pk] = EventResult(
            marks[pk][0].version,
            marks[pk][1],
            GameColumns(who, games.points, [SEATS] * len(games.tables)),
            (who, games.places),
            games.sizes,
            people[pk],
            hidden[pk],
            {number: row for number, row in ranked[pk].items() if number not in people[pk]},
        )
    return found


def _count_hands(games: SheetGames, who: list[int | None], tables: Sequence[LoadedTable]) -> None:
    """Count these tables by their hands; one that sheet and hands do not tell of was deleted since it was listed."""
    by_hands = {table.id: table.counted for table in tables}
    for at in (at for at, table in enumerate(games.tables) if table in by_hands or table in games.untold):
        if counted := by_hands.get(games.tables[at]):
            for seat, (points, place) in enumerate(zip(counted.results, counted.places, strict=True), start=at * SEATS):
                games.points[seat], games.places[seat] = points, place or 0
        else:
            who[at * SEATS : (at + 1) * SEATS] = [None] * SEATS


def _take_penalties(
    games: SheetGames,
    who: Sequence[int | None],
    penalties: Mapping[int, Mapping[int | None, int]],
    ranked: Mapping[int, int],
) -> None:
    """Take penalties off the game of their round; those of none, or of one without a game, off the player's last."""
    for number, by_round in penalties.items():
        person = ranked.get(number, 0)
        mine = {games.rounds[at // SEATS]: at for at, each in enumerate(who) if each == person}
        for round_, points in by_round.items() if mine else ():
            games.points[mine.get(round_ or 0, mine[max(mine)])] -= points
