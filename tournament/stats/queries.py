"""Statistics of players and of a whole event, records and meetings, from the rounds that the public may see.

A hand belongs to the person who played it, be it a substitute: see `PlayedHands`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import NamedTuple

from scoring.entries import Ron, Tsumo, Win
from scoring.player_stats import (
    HeadToHead,
    Moment,
    PlayerStats,
    add_head_to_head,
    add_stats,
    has_hands,
    is_played,
    value_of,
    winners_of,
)
from scoring.records import EventGame, Kind, RecordPlace, records_of
from scoring.state import TableState
from tournament.events.models import Event
from tournament.publication.names import name_of
from tournament.publication.queries import by_public_state
from tournament.standings.queries import PlayedHands, sittings_of
from tournament.tables.queries import LoadedTable, list_public_tables

LIVE_SECONDS = 60  # a hand at least, on average: what is typed from paper is quicker


@dataclass(frozen=True, slots=True)
class HandAt:
    """A hand by its place: round, table, number among the hands that stand, and the state before it, None for none.

    `who` are those whom it is about, (number or None, name); `figure` is what it is shown for.
    """

    round: int
    table: int
    number: int | None
    state: TableState | None
    who: tuple[tuple[int | None, str], ...]
    figure: int


@dataclass(frozen=True, slots=True)
class Opponent:
    """Another player of the event who sat at the same table, and how often."""

    number: int
    name: str
    tables: int


@dataclass(frozen=True, slots=True)
class Feeder:
    """Somebody who dealt in to a player, how often and for how much; `number` is None for who is no player."""

    number: int | None
    name: str
    times: int
    points: int


@dataclass(frozen=True, slots=True)
class Lead:
    """The hands at whose start a player led the table alone, of how many, and for how long.

    `minutes` are those between two entries, None where no table was entered while it played.
    """

    hands: int
    of: int
    minutes: int | None


@dataclass(frozen=True, slots=True)
class HandStory:
    """What one player's released hands come to.

    `totals_only` counts games known by their final scores alone; `replaced` are rounds of which a substitute played
    hands, `unsure` those of which nobody knows from which hand on. `whole` says that every hand of each game is known.
    `best_win` is the win that made the best hand, None where that was no win. `feeders` dealt in most, those who share
    that place by number.
    """

    story: PlayerStats
    best: HandAt | None
    best_win: Win | None
    worst: HandAt | None
    longest: HandAt | None
    totals_only: int
    replaced: tuple[int, ...]
    unsure: tuple[int, ...]
    whole: bool
    met: tuple[Opponent, ...]
    feeders: tuple[Feeder, ...] = ()
    lead: Lead = Lead(0, 0, None)


@dataclass(frozen=True, slots=True)
class RecordRow:
    """One record of the event with every place where it was set."""

    kind: Kind
    figure: int
    found: tuple[HandAt, ...]


@dataclass(frozen=True, slots=True)
class Records:
    """The records of an event; `tables` counts those that are known hand by hand, `totals_only` the others."""

    rows: tuple[RecordRow, ...]
    tables: int
    totals_only: int


@dataclass(frozen=True, slots=True)
class SharedTable:
    """A table at which two players sat together, with scores and places as they count.

    `ahead` is 1 where the one ended with the better place, -1 the other, 0 for neither, None where one of them did not
    play the game whole. `told` is what went between them, None where only final scores are known.
    """

    round: int
    table: int
    scores: tuple[int, int]
    places: tuple[int | None, int | None]
    ahead: int | None
    told: HeadToHead | None


@dataclass(frozen=True, slots=True)
class HeadToHeadTables:
    """What two players had of each other: names, their tables in order, and the sum over those known by hands."""

    names: tuple[str, str]
    tables: tuple[SharedTable, ...]
    total: HeadToHead

    def count_ahead(self, who: int) -> int:
        """Count the tables at which the one (1) or the other (-1) was ahead."""
        return sum(table.ahead == who for table in self.tables)


def get_records(event: Event) -> Records:
    """Return the records of the released rounds."""
    return by_public_state(event, "records", lambda: read_records(event))


def get_hand_story(event: Event, number: int) -> HandStory | None:
    """Return what a player's hands come to; None where no released game has any part of his."""
    tables = _tables_by_player(event).get(number, [])
    mine, met, feeders = list[PlayedHands](), dict[int, Opponent](), dict[tuple[int | None, str], Feeder]()
    replaced, unsure = set[int](), set[int]()
    for table in tables:
        everybody = sittings_of(table)
        own = [sitting for sitting in everybody if sitting.number == number]
        mine += own
        _meet(met, own, everybody)
        _feed(feeders, own, everybody)
        if any(player.number == number and player.seat in table.replaced for player in table.seats):
            known = any(table.seats[sitting.seat].number == number for sitting in everybody)
            (replaced if known else unsure).add(table.round)
    if not tables:
        return None
    story = add_stats([sitting.stats for sitting in mine])
    return HandStory(
        story=story,
        best=_moment(story.best, mine),
        best_win=_win_at(story.best, mine),
        worst=_moment(story.worst, mine),
        longest=_moment(story.longest, mine),
        totals_only=sum(bool(sitting.table.game.hands) and not has_hands(sitting.table.game) for sitting in mine),
        replaced=tuple(sorted(replaced)),
        unsure=tuple(sorted(unsure)),
        whole=all(sitting.whole for sitting in mine if has_hands(sitting.table.game)),
        met=tuple(sorted(met.values(), key=lambda each: (-each.tables, each.name.casefold(), each.number))),
        feeders=_most(feeders.values()),
        lead=_lead([sitting for sitting in mine if has_hands(sitting.table.game)]),
    )


def read_records(event: Event) -> Records:
    """Work out the records from every released table."""
    tables = list_public_tables(event)
    found = records_of([_event_game(table) for table in tables])
    rows = [
        RecordRow(record.kind, record.figure, tuple(_found_at(each, tables) for each in record.found))
        for record in found
    ]
    told = sum(has_hands(table.game) for table in tables)
    return Records(tuple(rows), told, len(tables) - told)


def get_meeting(event: Event, one: int, other: int) -> HeadToHeadTables | None:
    """Return what two players had of each other; None where one of them is not in the event."""
    people = event.players.filter(number__in=[one, other]).values_list("number", name_of())
    names = dict(people)
    if one == other or not {one, other} <= set(names):
        return None
    return read_meeting(event, (one, names[one]), (other, names[other]))


def read_meeting(event: Event, mine: tuple[int, str], theirs: tuple[int, str]) -> HeadToHeadTables:
    """Return what two players, given by number and name, had of each other at the public tables."""
    (one, name), (other, other_name) = mine, theirs
    met = {table.id for table in _tables_by_player(event).get(other, ())}
    shared = [
        row
        for table in _tables_by_player(event).get(one, ())
        if table.id in met
        for own, their in permutations(sittings_of(table), 2)
        if own.number == one and their.number == other and (row := _shared(own, their))
    ]
    return HeadToHeadTables((name, other_name), tuple(shared), add_head_to_head(row.told for row in shared if row.told))


def _tables_by_player(event: Event) -> dict[int, list[LoadedTable]]:
    """Return the public tables at which each player sat, as player or as substitute."""

    def make() -> dict[int, list[LoadedTable]]:
        found: dict[int, list[LoadedTable]] = {}
        for table in list_public_tables(event):
            for number in {*table.player_numbers(), *(each.person for each in table.substitutes if each.person)}:
                found.setdefault(number, []).append(table)
        return found

    return by_public_state(event, "tables-by-player", make)


def _meet(met: dict[int, Opponent], own: Iterable[PlayedHands], everybody: Iterable[PlayedHands]) -> None:
    """Count whom a player sat with at a table, each once."""
    others = {
        each.number: each.name
        for each in everybody
        for mine in own
        if each.number is not None and each.seat != mine.seat and _together(mine, each)
    }
    for number, name in others.items():
        before = met[number].tables if number in met else 0
        met[number] = Opponent(number, name, before + 1)


def _feed(
    feeders: dict[tuple[int | None, str], Feeder], own: Iterable[PlayedHands], everybody: Sequence[PlayedHands]
) -> None:
    """Count who dealt in to a player at a table; a hand of which nobody knows who played it is left out."""
    for sitting in own:
        for index in sitting.hands:
            hand = sitting.table.game.hands[index]
            if not (isinstance(hand.entry, Ron) and sitting.seat in winners_of(hand.entry)):
                continue
            for each in everybody:
                if each.seat == hand.entry.loser and index in each.hands:
                    key = (each.number, each.name)
                    before = feeders.get(key, Feeder(*key, 0, 0))
                    points = before.points + value_of(hand, sitting.seat)
                    feeders[key] = replace(before, times=before.times + 1, points=points)


def _most(feeders: Iterable[Feeder]) -> tuple[Feeder, ...]:
    """Return who dealt in most often, of those who did for the most points."""
    order = sorted(feeders, key=lambda each: (-each.times, -each.points, each.number or 0))
    return tuple(each for each in order if (each.times, each.points) == (order[0].times, order[0].points))


def _lead(sittings: Iterable[PlayedHands]) -> Lead:
    """Count the hands that a player led, and the minutes of those at tables that were entered while they played."""
    led = of = 0
    seconds, timed = 0.0, False
    for sitting in sittings:
        table, hands = sitting.table, sitting.table.game.hands
        entered = {line.seq: line.at for line in table.lines}
        ends = [entered[item.seq].timestamp() for item in table.items if item.entry is not None]
        live = len(ends) > 1 and ends[-1] - ends[0] >= LIVE_SECONDS * (len(ends) - 1)
        ahead = [index for index in sitting.hands if _leads(hands[index].before.scores, sitting.seat)]
        led += sum(is_played(hands[index].entry) for index in ahead)
        of, timed = of + sitting.stats.hands, timed or live
        seconds += sum(max(0, ends[index] - ends[index - 1]) for index in ahead if live and index)
    return Lead(led, of, round(seconds / 60) if timed else None)


def _leads(scores: Sequence[int], seat: int) -> bool:
    return all(scores[seat] > score for other, score in enumerate(scores) if other != seat)


def _together(one: PlayedHands, other: PlayedHands) -> range | None:
    """Return the hands that both played, None where they never sat together; a whole game has none to be counted."""
    hands = range(max(one.first, other.first), min(one.hands.stop, other.hands.stop))
    return hands if hands or (one.whole and other.whole) else None


def _shared(one: PlayedHands, other: PlayedHands) -> SharedTable | None:
    hands = _together(one, other)
    if hands is None:
        return None
    table, seats = one.table, (one.seat, other.seat)
    games = [table.seat_games[seat] for seat in seats]
    scores, places = table.final.scores, table.final.places
    ahead = (places[seats[0]] < places[seats[1]]) - (places[seats[0]] > places[seats[1]])
    return SharedTable(
        round=table.round,
        table=table.number,
        scores=(scores[seats[0]], scores[seats[1]]),
        places=(games[0].taken, games[1].taken),
        ahead=ahead if one.whole and other.whole else None,
        told=table.results.head_to_head_of(*seats, hands),
    )


def _event_game(table: LoadedTable) -> EventGame:
    at = {line.seq: line.at for line in table.lines}
    late = frozenset(seat for seat, each in table.replaced.items() if each.when == "during")
    entered = [at[item.seq] for item in table.items if item.entry is not None]
    return EventGame(table.game, table.rules, table.round, entered, late)


def _moment(moment: Moment | None, parts: Sequence[PlayedHands]) -> HandAt | None:
    if moment is None:
        return None
    sitting = parts[moment.part]
    return _hand_at(sitting.table, moment.hand, ((sitting.number, sitting.name),), moment.figure)


def _win_at(moment: Moment | None, parts: Sequence[PlayedHands]) -> Win | None:
    if moment is None:
        return None
    sitting = parts[moment.part]
    entry = sitting.table.game.hands[moment.hand].entry
    wins = entry.winners if isinstance(entry, Ron | Tsumo) else ()
    return next((win for win in wins if win.seat == sitting.seat), None)


def _found_at(found: RecordPlace, tables: Sequence[LoadedTable]) -> HandAt:
    table = tables[found.table]
    sittings = sittings_of(table)
    who = tuple(_who(table, seat, found.hand, sittings) for seat in found.seats)
    return _hand_at(table, found.hand, who, found.figure)


def _who(table: LoadedTable, seat: int, hand: int | None, sittings: Iterable[PlayedHands]) -> tuple[int | None, str]:
    """Return who played a hand in a seat; of a whole game, or where nobody knows, the player whose seat it is."""
    player = table.seats[seat]
    playing = (each for each in sittings if each.seat == seat and hand is not None and hand in each.hands)
    return next(((each.number, each.name) for each in playing), (player.number, player.name))


def _hand_at(table: LoadedTable, hand: int | None, who: tuple[tuple[int | None, str], ...], figure: int) -> HandAt:
    state = None if hand is None else table.game.hands[hand].before
    return HandAt(table.round, table.number, None if hand is None else hand + 1, state, who, figure)


class Score(NamedTuple):
    """A player's final score at a table."""

    points: int
    number: int
    round: int
    table: int


@dataclass(frozen=True, slots=True)
class EventStats:
    """Statistics by the number of a player, and of `everybody` together, substitutes too; `hands` of all tables."""

    by_player: Mapping[int, PlayerStats]
    everybody: PlayerStats
    hands: int


@dataclass(frozen=True, slots=True)
class Recap:
    """An event in figures.

    `values` counts wins by their points, without honba and riichi sticks. `placements` is by the number of a player,
    `by_seat` by the seat at the start; each has how often the first place was taken, the second and so on.
    `scores` are the final scores of whole games, the highest first.
    """

    stats: EventStats
    values: Mapping[int, int]
    placements: Mapping[int, tuple[int, ...]]
    by_seat: tuple[tuple[int, ...], ...]
    scores: tuple[Score, ...]


def get_recap(event: Event) -> Recap:
    """Return the event in figures, as far as the public may see it."""
    return by_public_state(event, "recap", lambda: read_recap(event))


def read_recap(event: Event) -> Recap:
    """Work the figures out from every public table."""
    tables = list_public_tables(event)
    seats = range(max(event.rulesets))
    places: dict[int, list[int]] = defaultdict(lambda: [0 for _ in seats])
    by_seat = [[0 for _ in seats] for _ in seats]
    for table in tables:
        for game in table.seat_games:
            if game.place is not None:
                places[game.player.number][game.place - 1] += 1
                by_seat[game.player.seat][game.place - 1] += 1
    return Recap(
        stats=_stats(tables),
        values=Counter(points for table in tables for points in table.results.win_points),
        placements={number: tuple(counts) for number, counts in places.items()},
        by_seat=tuple(tuple(counts) for counts in by_seat),
        scores=_scores(tables),
    )


def _stats(tables: Iterable[LoadedTable]) -> EventStats:
    parts: dict[int, list[PlayerStats]] = defaultdict(list)
    everybody: list[PlayerStats] = []
    hands = 0
    for table in tables:
        hands += table.results.stats_of(0).hands
        everybody += [table.results.stats_of(player.seat) for player in table.seats]
        for sitting in sittings_of(table):
            if sitting.number is not None:
                parts[sitting.number].append(sitting.stats)
    return EventStats({number: add_stats(own) for number, own in parts.items()}, add_stats(everybody), hands)


def _scores(tables: Iterable[LoadedTable]) -> tuple[Score, ...]:
    found = [
        Score(game.score, game.player.number, table.round, table.number)
        for table in tables
        for game in table.seat_games
        if game.place is not None
    ]
    return tuple(sorted(found, key=lambda each: (-each.points, each.round, each.table)))
