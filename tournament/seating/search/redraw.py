"""Changes after the start: redraw the rounds that are left, swap two players of a round, put one in another's seats.

Rounds that were played or published stay as they are. A redraw begins with as much of the old plan as still fits.
People keep their numbers; substitutes get new ones.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

from scoring.problems import ProblemType
from tournament.seating.search.annealing import NO_CALLBACKS, Past, SearchBudget, SearchCallbacks, Shape
from tournament.seating.search.draw import UnevenOption, UnevenSeating, apart_from_each_other, option_for, options_for
from tournament.seating.search.outcome import Frame, Outcome, judge_wishes, search_by_wishes
from tournament.seating.search.placing import renumber_tables, seat_after
from tournament.seating.search.quality import SEATING_PLAYER_TWICE, Tally, tally
from tournament.seating.search.schedule import NOBODY, Rng, Round, Rounds, SeatingError, Seats, check_fixed
from tournament.seating.search.wishes import Kind, Wishes

SEATING_PLAYER_MISSING = ProblemType("seating.player_missing", "Round {round}: player {player} has no seat.")
SEATING_ROUND_UNKNOWN = ProblemType("seating.round_unknown", "There is no round {round}, only 1 to {last}.")
SEATING_FIXED_TABLES_TOO_MANY = ProblemType(
    "seating.fixed_tables_too_many", "{fixed} tables are kept for somebody, but only {tables} are needed."
)

TIME_LIMIT: Final = 2.0  # seconds: people are waiting in the hall
# A redraw is shown, then drawn again and written if it is the same: the clock, which never stops two searches at the
# same step, must not stop them on a machine that is slow or busy.
PATIENCE: Final = 20
NUMBERING: Final = 120  # steps for each table of each round
PLAIN: Final = Wishes()


@dataclass(frozen=True, slots=True)
class Remainder:
    """What is left of an event: the rounds played, who goes on, how to fill the tables, how many rounds to draw.

    `players` are all who take part from now on, newcomers included, by their own numbers (any whole numbers from 0).
    `planned`: the old plan for the rounds left, if there is one. `fixed`: the table that a player keeps. `rested`: how
    often players have rested so far. An empty table in a round is closed.
    """

    played: Rounds
    players: tuple[int, ...]
    table_size: int
    rounds: int
    way: UnevenSeating = UnevenSeating.SUBSTITUTES
    planned: Rounds = ()
    fixed: Mapping[int, int] = field(default_factory=lambda: NOBODY)
    rested: Mapping[int, int] = field(default_factory=lambda: NOBODY)

    @property
    def option(self) -> UnevenOption:
        """The way to seat those who go on; full tables if they fill them."""
        size = (len(self.players), self.table_size, self.rounds)
        first = options_for(*size)[0]
        return first if first.way == UnevenSeating.FULL else option_for(self.way, *size)


@dataclass(frozen=True, slots=True)
class Redrawn:
    """The whole event after a redraw, played rounds first.

    `resting`: who rests in each of the new rounds. `substitutes`: their numbers.
    """

    rounds: Rounds
    resting: tuple[tuple[int, ...], ...]
    substitutes: tuple[int, ...]
    cut_short: bool = False


def redraw(
    rest: Remainder,
    *,
    seed: int,
    wishes: Wishes = PLAIN,
    time_limit: float = TIME_LIMIT,
    watch: SearchCallbacks = NO_CALLBACKS,
) -> Redrawn:
    """Return the event with its remaining rounds redrawn; played rounds are the same objects as given.

    Wishes name people by their own numbers, and rounds by their number in the whole event. Raises SeatingError if the
    players left cannot be seated in the chosen way, or a fixed table or a played round is invalid.
    """
    _check(rest)
    rng, budget = Rng(seed), SearchBudget(time_limit, watch, patience=PATIENCE)
    option, fixed = rest.option, {**wishes.fixed, **rest.fixed}
    people = _People.of(rest, option)
    fixed_here = {people.here[player]: table for player, table in fixed.items() if people.goes_on(player)}
    shape = _shape(option, rest, fixed_here)
    frame = Frame(
        shape,
        people.translate(wishes),
        people.rename(rest.played),
        _past(rest, people, shape),
        fixed_here,
        apart_from_each_other(tuple(range(len(rest.players), len(people.names)))),
    )
    planned: Rounds = (*rest.planned, *((),) * rest.rounds)[: rest.rounds]  # an empty round where there is no plan
    lines = [_begin(tables, shape, fixed_here, rng) for tables in people.rename(planned)]
    lines = search_by_wishes(lines, frame, budget.steps, rng, budget)
    tables = [shape.tables_of(line) for line in lines]
    steps = min(budget.steps // 4, NUMBERING * len(lines) * len(shape.sizes))
    tables = renumber_tables(tables, frame.played, frame.pinned, wishes.rooms, steps, rng, budget)
    seated = people.back(seat_after(tables, frame.played, rng))
    resting = tuple(tuple(sorted(people.names[player] for player in shape.resting(line))) for line in lines)
    return Redrawn((*rest.played, *seated), resting, people.names[len(rest.players) :], budget.cut_short)


@dataclass(frozen=True, slots=True)
class _People:
    """Dense numbers 0..: first those who go on, then the substitutes, last those who left, as the past names them."""

    names: tuple[int, ...]  # own numbers of those who go on and the substitutes, by dense number
    here: Mapping[int, int]  # the dense number of everybody who ever took part

    @classmethod
    def of(cls, rest: Remainder, option: UnevenOption) -> "_People":
        everybody = {player for tables in (*rest.played, *rest.planned) for table in tables for player in table}
        going = sorted(rest.players)
        first = max([*everybody, *going]) + 1
        names = (*going, *range(first, first + option.substitutes))
        gone = sorted(everybody - set(going))
        return cls(names, {player: number for number, player in enumerate((*names, *gone))})

    def rename(self, rounds: Seats) -> list[list[list[int]]]:
        return [[[self.here[player] for player in table] for table in tables] for tables in rounds]

    def back(self, rounds: Rounds) -> Rounds:
        return tuple(tuple(tuple(self.names[player] for player in table) for table in tables) for tables in rounds)

    def translate(self, wishes: Wishes) -> Wishes:
        """Return the wishes about those who go on, under their dense numbers."""
        order = []
        for wish in wishes.order:
            groups = tuple(tuple(self.here[who] for who in group if self.goes_on(who)) for group in wish.groups)
            places = tuple((self.here[who], at) for who, at in wish.places if self.goes_on(who))
            order.append(replace(wish, groups=groups, places=places if wish.kind == Kind.FIXED else wish.places))
        return Wishes(tuple(order))

    def goes_on(self, player: int) -> bool:
        """Return whether a player still takes part; those who left have numbers too."""
        return self.here.get(player, len(self.names)) < len(self.names)


def _check(rest: Remainder) -> None:
    if len(set(rest.players)) != len(rest.players):
        twice = next(player for player, times in Counter(rest.players).items() if times > 1)
        raise SeatingError(SEATING_PLAYER_TWICE(round=len(rest.played) + 1, player=twice))
    for number, tables in enumerate(rest.played, start=1):
        seats = Counter(player for table in tables for player in table)
        for player, times in seats.items():
            if times > 1:
                raise SeatingError(SEATING_PLAYER_TWICE(round=number, player=player))


def _shape(option: UnevenOption, rest: Remainder, fixed: Mapping[int, int]) -> Shape:
    """Return the tables that stay open: fixed ones, then the lowest numbers. The last ones get the other size.

    Raises SeatingError for a fixed table that does not exist, or for too many of them.
    """
    had = max((len(tables) for tables in (*rest.played, *rest.planned)), default=0)
    most = max(had, len(option.sizes))
    check_fixed(fixed, most, option.table_size)
    kept = set(fixed.values())
    if len(kept) > len(option.sizes):
        raise SeatingError(SEATING_FIXED_TABLES_TOO_MANY(fixed=len(kept), tables=len(option.sizes)))
    order = sorted(range(most), key=lambda table: (table not in kept, table))[: len(option.sizes)]
    size_of = dict(zip(order, option.sizes, strict=True))
    return Shape(tuple(size_of.get(table, 0) for table in range(max(order) + 1)), option.table_size, option.rests)


def _past(rest: Remainder, people: _People, shape: Shape) -> Past:
    """Count meetings, turns and table visits in the played rounds of those who go on."""
    going = set(range(len(people.names)))
    met: Counter[tuple[int, int]] = Counter()
    visits: Counter[tuple[int, int]] = Counter()
    turns = Counter({people.here[who]: times for who, times in rest.rested.items() if who in rest.players})
    for tables in people.rename(rest.played):
        for at, table in enumerate(tables):
            mates = sorted(going & set(table))
            met.update(combinations(mates, 2))
            visits.update((player, at) for player in mates if at < len(shape.sizes))
            if not shape.rests and len(table) not in {0, shape.table_size}:
                turns.update(mates)
    return Past(dict(met), dict(turns), dict(visits))


def _begin(tables: Sequence[Sequence[int]], shape: Shape, fixed: Mapping[int, int], rng: Rng) -> list[int]:
    """Return a line to begin with: the planned tables without those who left, filled up by those without a seat.

    Players with a fixed table sit there; those of a closed table need a seat.
    """
    seated: list[list[int]] = [[] for _ in shape.sizes]
    for player, table in sorted(fixed.items()):
        seated[table].append(player)
    placed = set(fixed)
    for size, table_here, players in zip(shape.sizes, seated, _whole_tables(tables, shape), strict=True):
        stay = [player for player in players if player not in placed][: size - len(table_here)]
        table_here.extend(stay)
        placed.update(stay)
    waiting = rng.shuffled([player for player in range(shape.players) if player not in placed])
    for size, table_here in zip(shape.sizes, seated, strict=True):
        table_here.extend([waiting.pop() for _ in range(size - len(table_here))])
    return [player for table_here in seated for player in table_here] + waiting


def _whole_tables(tables: Sequence[Sequence[int]], shape: Shape) -> list[list[int]]:
    """Return the planned tables under the same numbers, and closed ones in the place of smaller open ones."""
    left = [[player for player in table if player < shape.players] for table in tables]
    kept: list[list[int]] = [left[at] if at < len(left) and size else [] for at, size in enumerate(shape.sizes)]
    spare = sorted(
        (table for at, table in enumerate(left) if at >= len(shape.sizes) or not shape.sizes[at]), key=len, reverse=True
    )
    for table in spare:
        smallest = min((at for at, size in enumerate(shape.sizes) if size), key=lambda at: len(kept[at]))
        if len(kept[smallest]) < len(table):
            kept[smallest] = table
    return kept


def count_new_repeats(rounds: Seats, played: int) -> int:
    """Return the repeats that the rounds after the first `played` add: for each meeting, how often the two had met."""
    met: Counter[frozenset[int]] = Counter()
    added = 0
    for number, tables in enumerate(rounds):
        for table in tables:
            for pair in map(frozenset, combinations(table, 2)):
                added += met[pair] if number >= played else 0
                met[pair] += 1
    return added


@dataclass(frozen=True, slots=True)
class SwapEffect:
    """Rounds after a swap, the figures and wishes before and after it, and who meets again.

    `again`: for each of the two, the people at the new table whom they meet in another round too.
    """

    rounds: Rounds
    before: Tally
    after: Tally
    outcomes_before: tuple[Outcome, ...]
    outcomes_after: tuple[Outcome, ...]
    again: tuple[tuple[int, ...], tuple[int, ...]]


def swap(rounds: Rounds, number: int, one: int, other: int) -> Rounds:
    """Return the rounds with two people swapped in a round (from 1); one of them may have no seat in it.

    Raises SeatingError for an unknown round, or if neither has a seat.

    >>> swap((((0, 1, 2), (3, 4, 5)),), 1, 2, 3)
    (((0, 1, 3), (2, 4, 5)),)
    """
    if not 1 <= number <= len(rounds):
        raise SeatingError(SEATING_ROUND_UNKNOWN(round=number, last=len(rounds)))
    seated = {player for table in rounds[number - 1] for player in table}
    if not seated & {one, other}:
        raise SeatingError(SEATING_PLAYER_MISSING(round=number, player=one))
    becomes = {one: other, other: one}
    swapped: Round = tuple(tuple(becomes.get(player, player) for player in table) for table in rounds[number - 1])
    return (*rounds[: number - 1], swapped, *rounds[number:])


def try_swap(
    rounds: Rounds,
    number: int,
    one: int,
    other: int,
    *,
    table_size: int,
    wishes: Wishes = PLAIN,
    among: Collection[int] | None = None,
) -> SwapEffect:
    """Return a swap and its effect; `among` are the people whose winds, tables and rests count."""
    swapped = swap(rounds, number, one, other)
    return SwapEffect(
        rounds=swapped,
        before=tally(rounds, table_size, among),
        after=tally(swapped, table_size, among),
        outcomes_before=judge_wishes(rounds, wishes, table_size),
        outcomes_after=judge_wishes(swapped, wishes, table_size),
        again=(_met_again(swapped, number, one), _met_again(swapped, number, other)),
    )


def put_in(rounds: Rounds, first: int, leaver: int, joiner: int) -> Rounds:
    """Return the rounds with `joiner` in every seat of `leaver` from a round (from 1) on.

    Raises SeatingError if the joiner already has a seat in one of them.

    >>> put_in((((0, 1, 2),), ((2, 0, 1),)), 2, 0, 7)
    (((0, 1, 2),), ((2, 7, 1),))
    """
    for number, tables in enumerate(rounds[first - 1 :], start=first):
        if any(joiner in table for table in tables):
            raise SeatingError(SEATING_PLAYER_TWICE(round=number, player=joiner))
    later = (
        tuple(tuple(joiner if player == leaver else player for player in table) for table in tables)
        for tables in rounds[first - 1 :]
    )
    return (*rounds[: first - 1], *later)


def _met_again(rounds: Rounds, number: int, player: int) -> tuple[int, ...]:
    here = {mate for table in rounds[number - 1] if player in table for mate in table} - {player}
    elsewhere = {
        mate
        for at, tables in enumerate(rounds, start=1)
        for table in tables
        if at != number and player in table
        for mate in table
    }
    return tuple(sorted(here & elsewhere))
