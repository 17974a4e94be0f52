"""The quality report of a draw, counted from its seats alone: figures, and the result of each wish. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from math import comb
from typing import Any, Final, TypeAlias

from tournament.seating.plan_wishes import PLAIN, Asked, Entrant, wishes_of
from tournament.seating.search.draw_uneven import apart_from_each_other
from tournament.seating.search.outcome_1 import Outcome, judge_wishes
from tournament.seating.search.quality_1 import assess, tally
from tournament.seating.search.quality_bounds import FEWER_THAN_ROUNDS, even_repeats
from tournament.seating.search.schedule_errors import SeatingError
from tournament.seating.search.wishes_1 import REPEATS, Wishes

Seats: TypeAlias = Sequence[Sequence[Sequence[int]]]  # rounds of tables of player numbers in seat order
PROVED: Final = "meetings_do_not_fit"  # why a bound holds that is proved for the field as a whole
MOST_PLACES: Final = 60  # of one wish that are kept by place; the count is always whole


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a draw, named as in `seating.schedule.Report`; `…_least` is a lower bound for any draw.

    `pairs_again` and `pairs_thrice` count pairs who meet twice or more, three times or more; `rests_…` the rounds in
    which one player has no seat. `shared_least` is None where all meet or it was not counted.
    """

    repeats: int
    repeats_least: int
    met_most: int
    pairs_never: int
    pairs_again: int
    pairs_thrice: int
    shared_least: int | None
    winds_spread: int
    winds_least: int
    tables_most: int
    tables_least: int
    tables_kept: int
    tables_kept_least: int
    tables_note: str
    rests_least: int
    rests_most: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where a wish is missed: round and table from 1, 0 for none, and the players concerned."""

    round: int
    table: int
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """The result of one wish: how often it is missed, the least for any draw and why, and where."""

    key: str
    missed: int
    least: int
    why: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class DrawReport:
    """The figures of a draw and its wishes in the organiser's order."""

    figures: Figures
    wishes: tuple[Judged, ...]

    @property
    def missed(self) -> tuple[int, ...]:
        """The misses of each wish, in order: of two draws for the same wishes the lesser tuple is better."""
        return tuple(wish.missed for wish in self.wishes)

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return asdict(self)


def report_from_json(value: Mapping[str, Any]) -> DrawReport:
    """Read what `as_json` wrote."""
    wishes = (
        Judged(**{**row, "places": tuple(Place(**{**at, "players": tuple(at["players"])}) for at in row["places"])})
        for row in value["wishes"]
    )
    return DrawReport(Figures(**value["figures"]), tuple(wishes))


def report_on(
    rounds: Seats,
    table_size: int,
    *,
    asked: Asked = PLAIN,
    entrants: Sequence[Entrant] = (),
    substitutes: Collection[int] = (),
) -> DrawReport:
    """Count a draw of at least one seat; wishes are judged only with `entrants`, the event's own players."""
    numbers = sorted({who for tables in rounds for table in tables for who in table} | {e.number for e in entrants})
    place = {number: at for at, number in enumerate(numbers)}
    seats = [[[place[who] for who in table] for table in tables] for tables in rounds]
    strangers = apart_from_each_other(tuple(place[number] for number in sorted(substitutes) if number in place))
    most = max(len(tables) for tables in rounds)
    wishes = Wishes((*strangers, *wishes_of(asked, entrants, place, most).order))
    figures = _figures(seats, len(numbers), table_size, wishes.fixed)
    judged = (_judged(each, numbers) for each in judge_wishes(seats, wishes, table_size))
    return DrawReport(figures, tuple(_with_bound(each, figures) for each in judged))


def _with_bound(judged: Judged, figures: Figures) -> Judged:
    """Return the result of a wish with the better of two bounds: for repeats that of the figures."""
    if judged.key == REPEATS.key and figures.repeats_least > judged.least:
        return replace(judged, least=figures.repeats_least, why=judged.why or PROVED)
    return judged


def meetings(rounds: Seats, numbers: Sequence[int] = ()) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the rounds (from 1, or by `numbers`) in which each two players meet, the lower player first."""
    found: dict[tuple[int, int], list[int]] = {}
    for number, tables in zip(numbers or range(1, len(rounds) + 1), rounds, strict=True):
        for table in tables:
            for pair in combinations(sorted(table), 2):
                found.setdefault(pair, []).append(number)
    return {pair: tuple(when) for pair, when in sorted(found.items())}


def _figures(seats: Seats, players: int, table_size: int, fixed: Mapping[int, int]) -> Figures:
    for kept in (fixed, {}):  # after a swap by hand a player may sit away from a fixed table
        try:
            return _full(seats, players, table_size, kept)
        except SeatingError:
            continue
    return _uneven(seats, players, table_size)


def _full(seats: Seats, players: int, table_size: int, fixed: Mapping[int, int]) -> Figures:
    report = assess(seats, players, table_size, fixed_tables=fixed)
    return Figures(
        repeats=report.repeats,
        repeats_least=report.repeats_bound,
        met_most=report.met_most,
        pairs_never=report.pairs_never_met,
        pairs_again=report.pairs_met_again,
        pairs_thrice=report.pairs_met_thrice,
        shared_least=report.shared_opponents_least,
        winds_spread=report.winds_spread,
        winds_least=report.winds_bound,
        tables_most=report.tables_most,
        tables_least=report.tables_least,
        tables_kept=report.tables_kept,
        tables_kept_least=report.tables_kept_least,
        tables_note=report.tables_note,
        rests_least=0,
        rests_most=0,
    )


def _uneven(seats: Seats, players: int, table_size: int) -> Figures:
    """Count rounds that do not seat every player, with bounds that hold for any shape."""
    counted = tally(seats, table_size, range(players))
    met = sum(comb(len(table), 2) for tables in seats for table in tables)
    pairs = comb(players, 2)
    games = [len(seats) - counted.rests_most, len(seats) - counted.rests_least]
    least = -(-games[1] // max(1, *(len(tables) for tables in seats)))
    never = pairs - len(meetings(seats))
    return Figures(
        repeats=counted.repeats,
        repeats_least=even_repeats(met, pairs),
        met_most=counted.met_most,
        pairs_never=never,
        pairs_again=counted.pairs_met_again,
        pairs_thrice=counted.pairs_met_thrice,
        shared_least=None,
        winds_spread=counted.winds_spread,
        winds_least=int(any(each % table_size for each in range(games[0], games[1] + 1))),
        tables_most=counted.tables_most,
        tables_least=least,
        tables_kept=counted.tables_kept,
        tables_kept_least=0,
        tables_note=FEWER_THAN_ROUNDS if least > 1 else "",
        rests_least=counted.rests_least,
        rests_most=counted.rests_most,
    )


def _judged(outcome: Outcome, numbers: Sequence[int]) -> Judged:
    places = (
        Place(max(miss.round, 0), max(miss.table + 1, 0), tuple(numbers[who] for who in miss.players))
        for miss in outcome.where[:MOST_PLACES]
    )
    return Judged(outcome.wish.key, outcome.missed, outcome.least, outcome.why, tuple(places))


def wind_counts(rounds: Seats, table_size: int) -> dict[int, tuple[int, ...]]:
    """Return how often each player begins as each wind."""
    counts: dict[int, list[int]] = {who: [0] * table_size for _, _, _, who in _seats(rounds)}
    for _, _, seat, who in _seats(rounds):
        counts[who][seat] += 1
    return {who: tuple(each) for who, each in sorted(counts.items())}


def table_paths(rounds: Seats) -> dict[int, tuple[int, ...]]:
    """Return the table (from 1) of each player in each round, 0 in a round without a seat."""
    paths: dict[int, list[int]] = {who: [0] * len(rounds) for _, _, _, who in _seats(rounds)}
    for number, table, _, who in _seats(rounds):
        paths[who][number] = table + 1
    return {who: tuple(path) for who, path in sorted(paths.items())}


def _seats(rounds: Seats) -> Iterable[tuple[int, int, int, int]]:
    for number, tables in enumerate(rounds):
        for at, table in enumerate(tables):
            for seat, who in enumerate(table):
                yield number, at, seat, who
