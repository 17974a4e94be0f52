"""What a whole event comes to: statistics of every player beside the event's, places taken, who met whom.

All of it comes from the rounds that the public may see.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rules.ruleset import Ruleset
from scoring.player_stats import Part, PlayerStats, has_hands, is_played, player_stats, value_of, winners_of
from tournament.models.event import Event
from tournament.publication.queries import by_public_state, read_seen
from tournament.stats.queries_stories import StandIns, list_stand_ins, sittings_of
from tournament.tables.queries_tables import LoadedTable, load_tables


class Ahead(NamedTuple):
    """How often two players met at a table, and at how many of those tables the one had the better place."""

    tables: int = 0
    ahead: int = 0


class Score(NamedTuple):
    """A player's final score at a table."""

    points: int
    number: int
    round: int
    table: int


@dataclass(frozen=True, slots=True)
class EventStats:
    """Statistics by the number of a player, and of `everybody` together, substitutes too."""

    by_player: Mapping[int, PlayerStats]
    everybody: PlayerStats


@dataclass(frozen=True, slots=True)
class Recap:
    """An event in figures.

    `values` counts wins by their points, without honba and riichi sticks. `placements` is by the number of a player,
    `by_seat` by the seat at the start; each has how often the first place was taken, the second and so on. `met` is by
    (one player, other player), both ways. `scores` are the final scores of whole games, the highest first.
    """

    stats: EventStats
    values: Mapping[int, int]
    placements: Mapping[int, tuple[int, ...]]
    by_seat: tuple[tuple[int, ...], ...]
    met: Mapping[tuple[int, int], Ahead]
    scores: tuple[Score, ...]


def get_recap(event: Event) -> Recap:
    """Return the event in figures, as far as the public may see it."""
    return by_public_state(event, "recap", lambda: read_recap(event))


def read_recap(event: Event) -> Recap:
    """Work the figures out from every public table; seven queries."""
    tables = load_tables(event, rounds=read_seen(event).rounds)
    seats = range(event.ruleset.players)
    places: dict[int, list[int]] = defaultdict(lambda: [0 for _ in seats])
    by_seat = [[0 for _ in seats] for _ in seats]
    for table in tables:
        for game in table.seat_games:
            if game.place is not None:
                places[game.player.number][game.place - 1] += 1
                by_seat[game.player.seat][game.place - 1] += 1
    return Recap(
        stats=_stats(tables, list_stand_ins(tables), event.ruleset),
        values=_values(tables),
        placements={number: tuple(counts) for number, counts in places.items()},
        by_seat=tuple(tuple(counts) for counts in by_seat),
        met=_met(tables),
        scores=_scores(tables),
    )


def _stats(tables: Sequence[LoadedTable], stand_ins: StandIns, rules: Ruleset) -> EventStats:
    parts: dict[int, list[Part]] = defaultdict(list)
    everybody: list[Part] = []
    for table in tables:
        everybody += [Part(table.game, player.seat) for player in table.seats]
        for sitting in sittings_of(table, stand_ins):
            if sitting.number is not None:
                parts[sitting.number].append(sitting.part)
    by_player = {number: player_stats(own, rules) for number, own in parts.items()}
    return EventStats(by_player, player_stats(everybody, rules))


def _values(tables: Iterable[LoadedTable]) -> Mapping[int, int]:
    told = (hand for table in tables if has_hands(table.game) for hand in table.game.hands if is_played(hand.entry))
    return dict(Counter(value_of(hand, seat) for hand in told for seat in winners_of(hand.entry)))


def _met(tables: Iterable[LoadedTable]) -> Mapping[tuple[int, int], Ahead]:
    """Count the tables that two players both played whole."""
    met: dict[tuple[int, int], Ahead] = {}
    for table in tables:
        places = {
            player.number: table.final.places[player.seat]
            for player in table.seats
            if player.seat not in table.replaced
        }
        for one, mine in places.items():
            for other, theirs in places.items():
                if one != other:
                    known = met.get((one, other), Ahead())
                    met[one, other] = Ahead(known.tables + 1, known.ahead + (mine < theirs))
    return met


def _scores(tables: Iterable[LoadedTable]) -> tuple[Score, ...]:
    found = [
        Score(game.score, game.player.number, table.round, table.number)
        for table in tables
        for game in table.seat_games
        if game.place is not None
    ]
    return tuple(sorted(found, key=lambda each: (-each.points, each.round, each.table)))
