"""Season standings: the games of many events to one table, by a declared rule. People are opaque keys; all is exact.

Nothing is rounded before `printed`. A rule has seven fields: five here, the weight of each event and the head starts.
"""

import functools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, compress, islice, repeat
from operator import mul
from random import Random
from typing import Any, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from scoring.mers import exact_base_rank
from scoring.problems import CommandProblemType, InvalidInput, Problem, printable_excerpt
from scoring.strict_json import ENTRY_LIST_TOO_LONG, ENTRY_NEGATIVE, ENTRY_WRONG_TYPE, MAX_NUMBER, Reader, Shape

Key = TypeVar("Key", bound=Hashable)
Number = TypeVar("Number", bound="Points")
Unit: TypeAlias = Literal["game", "evening"]
Measure: TypeAlias = Literal["points", "base_rank"]
Carry: TypeAlias = Literal["all", "half", "head_start"]
Gather: TypeAlias = Literal["sum", "mean"]
Points: TypeAlias = int | Fraction

SEASON_UNKNOWN_CHOICE = CommandProblemType("season.unknown_choice", "'{key}' is {known}, not '{given}'.")
SEASON_NOT_A_NUMBER = CommandProblemType(
    "season.not_a_number",
    "'{key}' must be a number of at most {most}, such as 12, -3.5 or \"1/2\".",
)
SEASON_EMPTY = CommandProblemType("season.empty", "'{key}' is empty.")
SEASON_NO_NAME = CommandProblemType("season.no_name", "'{key}' has a person without a name.")
SEASON_BEST_NONE = CommandProblemType("season.best_none", "'{key}' must be 1 or more, or null where all count.")
SEASON_CARRIED_WITHOUT_GAME = CommandProblemType(
    "season.carried_without_game", "{person} has a head start and no game: there is no row."
)

MAX_EVENTS: Final = 2000
MAX_GAMES: Final = 20_000  # of an event
MAX_PEOPLE: Final = 1000  # of a game
MAX_CHARACTERS: Final = 20_000_000  # of a season as JSON
MAX_PROBLEMS: Final = 100
DECIMALS: Final = 9  # of a printed figure
HEAD_STARTS: Final = (120_000, 70_000, 30_000)  # of teams by rank; the others begin with 0
WITHIN_90: Final = 1.645  # standard errors of half the 90 % interval of a mean


@dataclass(frozen=True, slots=True)
class SeasonRule:
    """What counts: each game or each evening, by points or base rank; all values or the `best`, summed or averaged.

    Who has fewer than `least` games is not ranked.
    """

    unit: Unit = "game"
    measure: Measure = "points"
    gather: Gather = "mean"
    best: int | None = None
    least: int = 1


class GameColumns(Sequence[Mapping[Key, Number]]):
    """Games in two columns, the people and a number of each, game by game with so many people as `sizes` has.

    Thousands are counted column by column; a game is a mapping where one is asked for. Without who is None.

    >>> list(GameColumns(["a", "b", "a", None], [5, -5, 7, 0], [2, 2]))
    [{'a': 5, 'b': -5}, {'a': 7}]
    """

    def __init__(self, people: Sequence[Key | None], numbers: Sequence[Number], sizes: Sequence[int]) -> None:
        if None in people:
            known = [person is not None for person in people]
            people, numbers = list(compress(people, known)), list(compress(numbers, known))
            seats = iter(known)
            sizes = [sum(islice(seats, size)) for size in sizes]
        self.people: Sequence[Key] = people  # type: ignore[assignment] # no None
        self.numbers = numbers
        self.sizes = sizes

    def with_keys(self, keys: Mapping[Key, int]) -> "GameColumns[int, Number]":
        """Return the games by other keys, without who has none."""
        return GameColumns(list(map(keys.get, self.people)), self.numbers, self.sizes)

    @functools.cached_property
    def _games(self) -> list[Mapping[Key, Number]]:
        seats = zip(self.people, self.numbers, strict=True)
        return [dict(islice(seats, size)) for size in self.sizes]

    def __getitem__(self, at: Any) -> Any:
        return self._games[at]

    def __iter__(self) -> Iterator[Mapping[Key, Number]]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self.sizes)


class SeasonEvent(NamedTuple, Generic[Key]):
    """An event: the points of its games by person, uma and penalties counted, and what each point weighs.

    The `forgotten` have a place among the others where base ranks count, and no row; games by points leave them out.
    """

    games: Sequence[Mapping[Key, Points]]
    weight: Points = 1
    forgotten: frozenset[Key] = frozenset()

    @property
    def columns(self) -> tuple[Sequence[Key], Sequence[Points]]:
        """The people of all games, one game after the other, and the points of each."""
        if isinstance(self.games, GameColumns):
            return self.games.people, self.games.numbers
        return list(chain.from_iterable(self.games)), [points for game in self.games for points in game.values()]

    @property
    def totals(self) -> dict[Key, Points]:
        """The points of each person."""
        return _totals(*self.columns)


class SeasonRow(NamedTuple, Generic[Key]):
    """A row; `rank` is None short of the least games, `counted` the number of values in the figure.

    `spread` is half the 90 % interval of a mean, None for a sum or a single value.
    """

    rank: int | None
    person: Key
    figure: Points
    games: int
    counted: int
    spread: float | None


def season_table(
    events: Iterable[SeasonEvent[Key]], rule: SeasonRule, carried: Mapping[Key, Points] | None = None
) -> list[SeasonRow[Key]]:
    """Rank people over a season, best first; equal figures share the better rank, unranked people follow.

    A weight multiplies points and no base rank. The best are those of the highest weighted value. `carried` points are
    added to the sum, before a mean is taken of it.

    >>> tuesdays = [SeasonEvent([{"a": 10, "b": -10}]), SeasonEvent([{"a": -4, "c": 4}], weight=Fraction(1, 2))]
    >>> [(row.rank, row.person, str(row.figure)) for row in season_table(tuesdays, SeasonRule(least=2), {"a": 1})]
    [(1, 'a', '9/2'), (None, 'c', '2'), (None, 'b', '-10')]
    """
    events = list(events)
    games = count_games(events) if rule.unit == "evening" else {}
    units, scale = _scale_units(events, rule)
    values = defaultdict[Key, list[int]](list)
    for mine, factor in units:
        _gather(values, mine, factor)
    start = carried or {}
    return rank_rows(
        make_row(person, mine, scale, games.get(person, len(mine)), rule, start.get(person, 0))
        for person, mine in values.items()
    )


def count_games(events: Iterable[SeasonEvent[Key]]) -> Counter[Key]:
    """Count the games of each person."""
    return Counter(chain.from_iterable(event.columns[0] for event in events))


def figures_by_event(
    events: Sequence[SeasonEvent[Key]],
    rule: SeasonRule,
    people: Iterable[Key],
    carried: Mapping[Key, Points] | None = None,
) -> dict[Key, list[Points | None]]:
    """Return what the figures of these people were after each event, None before their first one.

    >>> figures_by_event([SeasonEvent([{"a": 4}]), SeasonEvent([{"a": 1, "b": 3}])], SeasonRule(), "ab")
    {'a': [Fraction(4, 1), Fraction(5, 2)], 'b': [None, Fraction(3, 1)]}
    """
    people = list(people)
    by_event, scale = list_values(games_of(people, events) if rule.measure == "points" else events, rule)
    found: dict[Key, list[Points | None]] = {}
    for person in people:
        values, start = list[int](), (carried or {}).get(person, 0)
        figure: Points | None = None
        found[person] = []
        for each in by_event:
            if person in each:
                values += each[person]
                figure = _figure(values, scale, rule, start)[0]
            found[person].append(figure)
    return found


def games_of(people: Collection[Key], events: Iterable[SeasonEvent[Key]]) -> list[SeasonEvent[Key]]:
    """Return what these events have of some people, each seat as a game of its own: a sum of points needs no others."""
    wanted, found = frozenset(people), list[SeasonEvent[Key]]()
    for event in events:
        who, points = event.columns
        mine = [] if wanted.isdisjoint(who) else [at for at, person in enumerate(who) if person in wanted]
        columns = GameColumns([who[at] for at in mine], [points[at] for at in mine], [1] * len(mine))
        found.append(SeasonEvent(columns, event.weight))
    return found


def rank_rows(rows: Iterable[SeasonRow[Key]]) -> list[SeasonRow[Key]]:
    """Rank rows by their figures, best first; those without a rank follow."""
    rows = list(rows)
    scale = _denominator(row.figure for row in rows)  # whole numbers are compared ten times as fast as fractions
    keys = [row.figure.numerator * (scale // row.figure.denominator) for row in rows]
    place, before = 0, None
    ranked, others = list[SeasonRow[Key]](), list[SeasonRow[Key]]()
    for at in sorted(range(len(rows)), key=keys.__getitem__, reverse=True):
        row = rows[at]
        if row.rank is None:
            others.append(row)
            continue
        if keys[at] != before:
            place, before = len(ranked) + 1, keys[at]
        ranked.append(SeasonRow(place, *row[1:]))
    return ranked + others


def replay_wins(
    events: Sequence[SeasonEvent[Key]],
    rule: SeasonRule,
    carried: Mapping[Key, Points] | None = None,
    *,
    times: int,
    seed: int = 1,
) -> dict[Key, Fraction]:
    """Return the part of replays of a season that each person wins: in each, evenings are drawn from it by chance.

    As many evenings are drawn as there were, one may come several times (a bootstrap of whole evenings, which keeps
    together what was played together). Only who has a rank in the season itself can win; who shares the first rank
    shares the win. Raises ValueError for no replay.

    >>> replay_wins([SeasonEvent([{"a": 3, "b": 1}]), SeasonEvent([{"a": 2, "b": 1}])], SeasonRule(), times=10)
    {'a': Fraction(1, 1)}
    """
    if times < 1:
        raise ValueError("a season is replayed at least once")
    chance = Random(seed)  # noqa: S311 - no secret
    by_event, scale = list_values(events, rule)
    people = list(dict.fromkeys(chain.from_iterable(by_event)))
    index = {person: at for at, person in enumerate(people)}
    games = [count_games([event]) for event in events]
    drawn = [
        [(index[person], mine, sum(mine), games[at][person]) for person, mine in found.items()]
        for at, found in enumerate(by_event)
    ]
    all_games = count_games(events)  # a sum of counters adds all of the first once for each of the others
    ranked = [at for at, person in enumerate(people) if all_games[person] >= rule.least]
    start = [float(Fraction((carried or {}).get(person, 0)) * scale) for person in people]
    wins: dict[Key, Fraction] = defaultdict(Fraction)
    for _ in range(times):
        totals, counts, played = start[:], [0] * len(people), [0] * len(people)
        values: list[list[int]] = [[] for _person in people] if rule.best else []
        for evening, repeated in Counter(chance.choices(range(len(drawn)), k=len(drawn))).items():
            for at, mine, total, count in drawn[evening]:
                if rule.best:
                    values[at] += mine * repeated
                else:
                    totals[at] += total * repeated
                    counts[at] += len(mine) * repeated
                played[at] += count * repeated
        for at, mine in enumerate(values):
            totals[at] = start[at] + sum(sorted(mine, reverse=True)[: rule.best])
            counts[at] = min(len(mine), rule.best or 0)
        figures = {
            at: totals[at] / counts[at] if rule.gather == "mean" else totals[at]
            for at in ranked
            if played[at] >= max(rule.least, 1)
        }
        best = max(figures.values(), default=None)
        first = [at for at, figure in figures.items() if figure == best]
        for at in first:
            wins[people[at]] += Fraction(1, len(first) * times)
    return dict(wins)


def list_values(events: Sequence[SeasonEvent[Key]], rule: SeasonRule) -> tuple[list[dict[Key, list[int]]], int]:
    """Return by event the values of each person as whole numbers, and the scale that they are multiplied by."""
    units, scale = _scale_units(events, rule)
    return [_gather(defaultdict(list), mine, factor) for mine, factor in units], scale


_Columns: TypeAlias = tuple[Iterable[Key], Iterable[int]]  # people, and a number of each


def _scale_units(
    events: Sequence[SeasonEvent[Key]], rule: SeasonRule
) -> tuple[Iterable[tuple[Sequence[_Columns[Key]], int]], int]:
    """Return by event the points of its games, or of the evening, with their factor, and the scale of their products.

    All are whole numbers: sums of fractions take ten times as long.
    """
    columns = [event.columns for event in events]
    points_scale = _denominator(set(chain.from_iterable(points for _people, points in columns)))
    scaled = [(people, _scaled(points, points_scale)) for people, points in columns]
    evenings = [_totals(*each) for each in scaled] if rule.unit == "evening" else []
    if rule.measure == "points":
        weight_scale = _denominator(event.weight for event in events)
        factors = [int(Fraction(event.weight) * weight_scale) for event in events]
        units: Iterable[_Columns[Key]] = map(_in_columns, evenings) if evenings else scaled
        return zip(([each] for each in units), factors, strict=True), points_scale * weight_scale
    games: Sequence[Sequence[Mapping[Key, Points]]] = [[each] for each in evenings] or [event.games for event in events]
    scale = math.lcm(*{max(len(points) - 1, 1) for mine in games for points in mine})
    return [
        ([_in_columns(_ranked(points, scale, event.forgotten)) for points in mine], 1)
        for mine, event in zip(games, events, strict=True)
    ], scale


def _gather(found: dict[Key, list[int]], units: Iterable[_Columns[Key]], factor: int) -> dict[Key, list[int]]:
    """Add the values of each person in these units, each multiplied, to those that are `found`."""
    for people, values in units:
        for person, value in zip(people, values, strict=True):
            found[person].append(value * factor)
    return found


def _in_columns(points: Mapping[Key, int]) -> _Columns[Key]:
    return points.keys(), points.values()


def _ranked(points: Mapping[Key, Points], scale: int, forgotten: frozenset[Key]) -> dict[Key, int]:
    """Return the scaled base rank of each person by their points, among all but not of the forgotten."""
    worth: dict[Points, int] = {}
    for place, each in enumerate(sorted(points.values(), reverse=True), start=1):
        if each not in worth:
            worth[each] = int(exact_base_rank(place, len(points)) * scale)
    return {person: worth[each] for person, each in points.items() if person not in forgotten}


def _denominator(numbers: Iterable[Points]) -> int:
    return math.lcm(*{number.denominator for number in numbers})


def _scaled(points: Sequence[Points], scale: int) -> Sequence[int]:
    if scale == 1:
        return points  # type: ignore[return-value] # all are whole
    return [each.numerator * (scale // each.denominator) for each in points]


def _totals(people: Iterable[Key], points: Iterable[Any]) -> dict[Key, Any]:
    totals: dict[Key, Any] = {}
    for person, each in zip(people, points, strict=True):
        totals[person] = totals.get(person, 0) + each
    return totals


def make_row(
    person: Key, values: Sequence[Points], scale: int, games: int, rule: SeasonRule, start: Points
) -> SeasonRow[Key]:
    """Return the row of a person from scaled values; the rank is 1 for who has enough games, None for others."""
    figure, counted = _figure(values, scale, rule, start)
    mean = rule.gather == "mean" and len(values) > 1
    spread = half_interval(values, scale) if mean else None
    return SeasonRow(1 if games >= rule.least else None, person, figure, games, counted, spread)


def _figure(values: Sequence[Points], scale: int, rule: SeasonRule, start: Points) -> tuple[Points, int]:
    """Return the figure of scaled values, and how many of them are in it."""
    taken = sorted(values, reverse=True)[: rule.best] if rule.best else values
    total, parts = sum(taken) + (start * scale if start else 0), len(taken) if rule.gather == "mean" else 1
    return (total if scale == 1 and rule.gather == "sum" else Fraction(total, scale * parts)), len(taken)


def half_interval(values: Sequence[Points], scale: int = 1) -> float:
    """Return half the 90 % interval of the mean of scaled values, the best ones and the others."""
    count, total = len(values), sum(values)
    squares = count * sum(map(mul, values, values)) - total * total  # exact: of whole numbers
    return WITHIN_90 * math.sqrt(squares / (count * count * (count - 1) * scale * scale))


@dataclass(frozen=True, slots=True)
class TeamRule:
    """What a team takes into the next phase: all points, half of them, or the head start of its rank.

    A member plays from `least` to `most` games of the first phase; that ranks nobody.
    """

    carry: Carry = "all"
    least: int = 1
    most: int | None = None


class LeagueTeam(NamedTuple, Generic[Key]):
    """A team: `points` are its own, phase and points each, a penalty below 0; after `last_phase` it plays no more."""

    members: Sequence[Key]
    points: Sequence[tuple[int, Points]] = ()
    last_phase: int | None = None


class MemberRow(NamedTuple, Generic[Key]):
    """What a member has played for the team: all games, those of the first phase, and points."""

    person: Key
    games: int = 0
    first_games: int = 0
    points: Points = 0


class TeamRow(NamedTuple, Generic[Key]):
    """A row: `carried` into the team's newest phase, members by points, those without a game last.

    `after` are the figures after each event, phase by phase, None of a phase that the team did not play.
    """

    rank: int
    team: int
    figure: Points
    carried: Points
    members: tuple[MemberRow[Key], ...]
    after: tuple[Points | None, ...] = ()


def team_table(
    phases: Sequence[Sequence[SeasonEvent[Key]]], teams: Mapping[int, LeagueTeam[Key]], rule: TeamRule
) -> list[TeamRow[Key]]:
    """Rank teams by the points of their members' games and their own, best first; equal figures share the better rank.

    `phases` are the events of each phase. Teams that a later phase has rank before those that it has not. Half of the
    points is rounded to the tenth of a P, half a tenth up, as M-League does. Equal teams share their head starts.

    >>> teams = {1: LeagueTeam("ab", [(1, -300)]), 2: LeagueTeam("c")}
    >>> played = [SeasonEvent([{"a": 500, "c": -500}])], [SeasonEvent([{"b": 100, "c": -100}])]
    >>> [(row.team, str(row.figure)) for row in team_table(played, teams, TeamRule("half"))]
    [(1, '200'), (2, '-300')]
    """
    sums: dict[int, Points] = dict.fromkeys(teams, 0)
    carried = sums.copy()
    played = {number: {person: MemberRow(person) for person in team.members} for number, team in teams.items()}
    after: dict[int, list[Points | None]] = {number: [] for number in teams}
    for phase, events in enumerate(phases, start=1):
        here = [number for number, team in teams.items() if phase <= (team.last_phase or phase)]
        if phase > 1:
            carried |= _carried({number: sums[number] for number in here}, rule)
        for number in here:
            rows = played[number]
            sums[number] = carried[number] + sum(points for own, points in teams[number].points if own == phase)
            for event in events:
                for game in event.games:
                    for person, points in ((person, game[person] * event.weight) for person in game if person in rows):
                        _person, count, first, before = rows[person]
                        rows[person] = MemberRow(person, count + 1, first + (phase == 1), before + points)
                        sums[number] += points
                after[number].append(sums[number])
        for number in teams.keys() - here:
            after[number] += [None] * len(events)
    keys = {number: (min(team.last_phase or len(phases), len(phases)), sums[number]) for number, team in teams.items()}
    best = sorted(keys.values(), reverse=True)
    return [
        TeamRow(
            best.index(key) + 1,
            number,
            sums[number],
            carried[number],
            _by_points(played[number].values()),
            tuple(after[number]),
        )
        for number, key in sorted(keys.items(), key=lambda each: best.index(each[1]))
    ]


def _by_points(members: Iterable[MemberRow[Key]]) -> tuple[MemberRow[Key], ...]:
    return tuple(sorted(members, key=lambda row: (not row.games, -row.points)))


def _carried(sums: Mapping[int, Points], rule: TeamRule) -> dict[int, Points]:
    """Return what each of these teams takes into the next phase."""
    if rule.carry == "all":
        return dict(sums)
    if rule.carry == "half":
        return {number: math.floor(Fraction(points) / 200 + Fraction(1, 2)) * 100 for number, points in sums.items()}
    starts = zip(sorted(sums.values(), reverse=True), chain(HEAD_STARTS, repeat(0)), strict=False)
    shared = defaultdict[Points, list[int]](list)
    for points, start in starts:
        shared[points].append(start)
    return {number: Fraction(sum(shared[points]), len(shared[points])) for number, points in sums.items()}


def halved_weights(phases: Sequence[int]) -> list[Fraction]:
    """Return the weight of each event by its phase, where half of all points is carried into the next phase (M-League).

    >>> [str(weight) for weight in halved_weights([1, 1, 2, 3])]
    ['1/4', '1/4', '1/2', '1']
    """
    last = max(phases, default=0)
    return [Fraction(1, 2 ** (last - phase)) for phase in phases]


def printed(figure: Points) -> int | float:
    """Return a figure as a number of JSON: whole, or rounded to nine decimals, halves away from zero.

    >>> printed(Fraction(-5, 2)), printed(Fraction(2000, 3)), printed(Fraction(6, 2))
    (-2.5, 666.666666667, 3)
    """
    scaled = math.floor(abs(Fraction(figure)) * 10**DECIMALS + Fraction(1, 2))
    exact = Fraction(scaled if figure >= 0 else -scaled, 10**DECIMALS)
    return exact.numerator if exact.denominator == 1 else float(exact)


# ---------------------------------------------------------------- JSON


class Season(NamedTuple):
    """A season as read: its rule, its events, head starts by person, and warnings."""

    rule: SeasonRule
    events: list[SeasonEvent[str]]
    carried: dict[str, Points]
    warnings: list[Problem]


def read_season(value: object) -> Season:
    """Return the season of parsed JSON in the contract's form; raises InvalidInput with the first problems."""
    reader = Reader(value, "season")
    values = reader.read(_SEASON)
    reader.finish()
    if reader.problems:
        raise InvalidInput(reader.problems[:MAX_PROBLEMS])
    events, carried = values["events"], values.get("carried", {})
    played = {person for event in events for game in event.games for person in game}
    warnings = [
        SEASON_CARRIED_WITHOUT_GAME.warning(person=printable_excerpt(person))
        for person in carried
        if person not in played
    ]
    return Season(values.get("rule", SeasonRule()), events, carried, warnings)


def rows_json(rows: Iterable[SeasonRow[str]]) -> list[dict[str, Any]]:
    """Return the contract's rows, figures printed."""
    return [
        {
            **row._asdict(),
            "figure": printed(row.figure),
            "spread": None if row.spread is None else round(row.spread, DECIMALS),
        }
        for row in rows
    ]


def _read_rule(reader: Reader, key: str, value: Any) -> SeasonRule:
    child = Reader(value, reader.path(key), reader.problems)
    values = child.read(_RULE)
    child.finish()
    return SeasonRule(**values)


def _read_choice(reader: Reader, key: str, value: Any) -> Any:
    if value not in (known := _CHOICES[key]):
        given = printable_excerpt(value if isinstance(value, str) else str(value))
        reader.add(SEASON_UNKNOWN_CHOICE(key=reader.path(key), known=" or ".join(known), given=given))
    return value


def _read_best(reader: Reader, key: str, value: Any) -> Any:
    if reader.check_count(key, value) == 0:
        reader.add(SEASON_BEST_NONE(key=reader.path(key)))
    return value


def _read_weight(reader: Reader, key: str, value: Any) -> Points:
    weight = _number(reader, key, value)
    if weight < 0:
        reader.add(ENTRY_NEGATIVE(key=reader.path(key)))
    return weight


def _read_points(reader: Reader, key: str, value: Any) -> dict[str, Points]:
    """Return points by person."""
    if not isinstance(value, dict):
        reader.add(ENTRY_WRONG_TYPE(key=reader.path(key), wanted="an object of points by person"))
        return {}
    if "" in value:
        reader.add(SEASON_NO_NAME(key=reader.path(key)))
    points = {}
    for person, each in value.items():
        reader.check_text(key, person)
        points[person] = each if type(each) is int else _number(reader, f"{key}.{printable_excerpt(person)}", each)
    return points


def _read_games(reader: Reader, key: str, value: Any) -> list[dict[str, Points]]:
    games = []
    for index, game in enumerate(_items(reader, key, value, MAX_GAMES)):
        place = f"{key}[{index}]"
        if isinstance(game, dict) and not 0 < len(game) <= MAX_PEOPLE:
            path = reader.path(place)
            reader.add(ENTRY_LIST_TOO_LONG(key=path, most=MAX_PEOPLE) if game else SEASON_EMPTY(key=path))
        else:
            games.append(_read_points(reader, place, game))
    return games


def _read_events(reader: Reader, key: str, value: Any) -> list[SeasonEvent[str]]:
    events = []
    for index, each in enumerate(_items(reader, key, value, MAX_EVENTS)):
        child = Reader(each, reader.path(f"{key}[{index}]"), reader.problems)
        values = child.read(_EVENT)
        child.finish()
        events.append(SeasonEvent(values.get("games", []), values.get("weight", 1)))
    return events


def _items(reader: Reader, key: str, value: Any, most: int) -> list[Any]:
    """Return the value if it is a list that is not too long."""
    if not isinstance(value, list):
        reader.add(ENTRY_WRONG_TYPE(key=reader.path(key), wanted="a list"))
    elif len(value) > most:
        reader.add(ENTRY_LIST_TOO_LONG(key=reader.path(key), most=most))
    else:
        return value
    return []


def _number(reader: Reader, key: str, value: Any) -> Points:
    """Return a number given as a whole one, as a decimal, or as a text of either or of a fraction."""
    number: Any = read_number(value) if isinstance(value, str) else value
    if type(number) not in (int, Fraction) or abs(number) > MAX_NUMBER:
        reader.add(SEASON_NOT_A_NUMBER(key=reader.path(key), most=MAX_NUMBER))
        return 0
    found: Points = _whole(number)
    return found


def _whole(number: Points) -> Points:
    return number.numerator if number.denominator == 1 else number


def read_number(text: str) -> Points | None:
    """Return the number that a text has: whole, a decimal or a fraction; None for any other text.

    >>> read_number("-3.5"), read_number("1/2"), read_number("12"), read_number("1/0")
    (Fraction(-7, 2), Fraction(1, 2), 12, None)
    """
    return _whole(Fraction(text)) if _NUMBER.fullmatch(text) else None


_NUMBER = re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,20}|/[1-9][0-9]{0,2})?")
_CHOICES = {"unit": get_args(Unit), "measure": get_args(Measure), "gather": get_args(Gather)}
_RULE: Shape = {
    **dict.fromkeys(_CHOICES, (_read_choice, False)),
    "best": (_read_best, False),
    "least": (Reader.check_count, False),
}
_EVENT: Shape = {
    "name": (Reader.check_text, False),
    "weight": (_read_weight, False),
    "games": (_read_games, True),
}
_SEASON: Shape = {"rule": (_read_rule, False), "carried": (_read_points, False), "events": (_read_events, True)}
