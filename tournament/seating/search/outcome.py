"""Search rounds by ranked wishes, and judge each wish: how often it is missed, where, the proved minimum and why.

The judge counts the bare rounds, of any shape, and shares no code with the searches.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from math import comb
from typing import Final

from tournament.seating.search.annealing import UNIT, BestSoFar, Costs, Past, Prices, SearchBudget, Shape, Task, improve
from tournament.seating.search.quality import count_visits, count_winds, even_repeats
from tournament.seating.search.schedule import Lines, Rng, Seats
from tournament.seating.search.wishes import PAIRS, REPEATS, Kind, Wish, Wishes

ANY: Final = -1  # for a round or a table that cannot be named


@dataclass(frozen=True, slots=True)
class Miss:
    """A place where a wish is missed: round (from 1) and table (from 0), or ANY, and the players concerned."""

    round: int
    table: int
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How often a wish is missed, a lower bound of that for any draw, its reason, and places.

    `why` is the code of what forces `least`: group_larger_than_tables, fixed_together, fixed_apart, group_too_large,
    meetings_exceed_players, or "" where nothing is proved. `where` need not list every place; `missed` counts all.
    """

    wish: Wish
    missed: int
    least: int = 0
    why: str = ""
    where: tuple[Miss, ...] = ()

    @property
    def met(self) -> bool:
        return self.missed == 0

    @property
    def is_least(self) -> bool:
        """Whether no draw could do better."""
        return self.missed <= self.least


def judge_wishes(rounds: Seats, wishes: Wishes, table_size: int) -> tuple[Outcome, ...]:
    """Return the outcome of each wish, in the order of the wishes."""
    return tuple(_JUDGES[wish.kind](rounds, wish, wishes, table_size) for wish in wishes.order)


def _judge_apart(rounds: Seats, wish: Wish, wishes: Wishes, _table_size: int) -> Outcome:
    where = [
        Miss(number, at, tuple(sorted(found)))
        for number, tables in _meant(rounds, wish)
        for at, table in enumerate(tables)
        for group in wish.groups
        if len(found := set(group) & set(table)) > 1
    ]
    missed = sum(comb(len(miss.players), 2) for miss in where)
    least, why = _least_apart(rounds, wish, wishes.fixed)
    return Outcome(wish, missed, least, why, tuple(where))


def _least_apart(rounds: Seats, wish: Wish, fixed: Mapping[int, int]) -> tuple[int, str]:
    """Bound by groups with more players than tables, or by pairs fixed to one table."""
    meant = list(_meant(rounds, wish))
    crowded = sum(
        even_repeats(sum(player in group for table in tables for player in table), sum(map(bool, tables)))
        for _, tables in meant
        for group in wish.groups
    )
    bound = sum(one in fixed and fixed[one] == fixed.get(other) for one, other in wish.pairs()) * len(meant)
    if bound > crowded:
        return bound, "fixed_together"
    return crowded, "group_larger_than_tables" if crowded else ""


def _judge_together(rounds: Seats, wish: Wish, wishes: Wishes, table_size: int) -> Outcome:
    where = []
    missed = 0
    for number, tables in _meant(rounds, wish):
        at = {player: table for table, players in enumerate(tables) for player in players}
        for group in wish.groups:
            split = sum(at.get(one) != at.get(other) for one, other in combinations(group, 2))
            missed += split
            if split:
                where.append(Miss(number, ANY, tuple(group)))
    least, why = _least_together(rounds, wish, wishes.fixed, table_size)
    return Outcome(wish, missed, least, why, tuple(where))


def _least_together(rounds: Seats, wish: Wish, fixed: Mapping[int, int], table_size: int) -> tuple[int, str]:
    meant = len(list(_meant(rounds, wish)))
    parted = sum(one in fixed and other in fixed and fixed[one] != fixed[other] for one, other in wish.pairs())
    large = sum(_split_pairs(len(group), table_size) for group in wish.groups)
    if parted > large:
        return parted * meant, "fixed_apart"
    return large * meant, "group_too_large" if large else ""


def _split_pairs(players: int, table_size: int) -> int:
    """Return how many pairs of a group are split if it fills as many tables as it can."""
    whole, more = divmod(players, table_size)
    return comb(players, 2) - whole * comb(table_size, 2) - comb(more, 2)


def _judge_fixed(rounds: Seats, wish: Wish, _wishes: Wishes, _table_size: int) -> Outcome:
    fixed = dict(wish.places)
    where = [
        Miss(number, at, (player,))
        for number, tables in enumerate(rounds, start=1)
        for at, table in enumerate(tables)
        for player in table
        if fixed.get(player, at) != at
    ]
    return Outcome(wish, len(where), where=tuple(where))


def _judge_repeats(rounds: Seats, wish: Wish, wishes: Wishes, _table_size: int) -> Outcome:
    met: dict[frozenset[int], list[tuple[int, int]]] = {}
    for number, tables in enumerate(rounds, start=1):
        for at, table in enumerate(tables):
            for pair in combinations(table, 2):
                met.setdefault(frozenset(pair), []).append((number, at))
    where = [Miss(*seats[-1], tuple(sorted(pair))) for pair, seats in met.items() if len(seats) > 1]
    missed = sum(comb(len(seats), 2) for seats in met.values())
    least = _least_repeats(rounds, wishes)
    why = "meetings_exceed_players" if least else ""
    return Outcome(wish, missed, least, why, tuple(sorted(where, key=lambda miss: (miss.round, miss.players))))


def _least_repeats(rounds: Seats, wishes: Wishes) -> int:
    """Bound by the meetings of each player, spread over all whom no wish for the whole event keeps apart.

    Holds for every draw with as many meetings of each player that meets those wishes.
    """
    meetings = Counter(player for tables in rounds for table in tables for player in table for _ in table[1:])
    away: dict[int, set[int]] = {player: {player} for player in meetings}
    for wish in wishes.of(Kind.APART):
        if len(list(_meant(rounds, wish))) == len(rounds):
            for one, other in wish.pairs():
                away.setdefault(one, set()).add(other)
                away.setdefault(other, set()).add(one)
    bound = sum(
        even_repeats(times, len(meetings) - len(away[player] & meetings.keys())) for player, times in meetings.items()
    )
    return -(-bound // 2)


def _judge_winds(rounds: Seats, wish: Wish, _wishes: Wishes, table_size: int) -> Outcome:
    """Count by how much the winds of each player spread more than the number of games forces."""
    winds = count_winds(rounds)
    where = []
    missed = 0
    for player in sorted({player for player, _ in winds}):
        counts = [winds[player, seat] for seat in range(table_size)]
        over = max(counts) - min(counts) - (1 if sum(counts) % table_size else 0)
        missed += over
        if over:
            where.append(Miss(ANY, ANY, (player,)))
    return Outcome(wish, missed, where=tuple(where))


def _judge_tables(rounds: Seats, wish: Wish, wishes: Wishes, _table_size: int) -> Outcome:
    """Count visits of a player to a table beyond rounds / tables, rounded up; fixed players do not count."""
    visits = count_visits(rounds)
    open_tables = max((sum(map(bool, tables)) for tables in rounds), default=1)
    fair = -(-len(rounds) // open_tables)
    over = {key: times - fair for key, times in sorted(visits.items()) if times > fair and key[0] not in wishes.fixed}
    where = tuple(Miss(ANY, table, (player,)) for player, table in over)
    return Outcome(wish, sum(over.values()), where=where)


def _judge_rooms(rounds: Seats, wish: Wish, wishes: Wishes, _table_size: int) -> Outcome:
    """Count players who, over three rounds or more, change rooms never or every time; fixed ones do not count."""
    rooms = dict(wish.places)
    stays: dict[int, list[int]] = {}
    for tables in rounds:
        for at, table in enumerate(tables):
            for player in table:
                stays.setdefault(player, []).append(rooms.get(at, ANY))
    several = len(set(rooms.values())) > 1
    wrong = [
        player for player, path in sorted(stays.items()) if several and player not in wishes.fixed and _is_stale(path)
    ]
    return Outcome(wish, len(wrong), where=tuple(Miss(ANY, ANY, (player,)) for player in wrong))


def _is_stale(path: Sequence[int]) -> bool:
    changes = sum(before != after for before, after in pairwise(path))
    return len(path) > 2 and changes in {0, len(path) - 1}


def _judge_indirect(rounds: Seats, wish: Wish, _wishes: Wishes, _table_size: int) -> Outcome:
    """Count the pairs who never meet and share fewer opponents than wished."""
    opponents: dict[int, set[int]] = {}
    for table in (table for tables in rounds for table in tables):
        for player in table:
            opponents.setdefault(player, set()).update(table)
    wrong = [
        (one, other)
        for one, other in combinations(sorted(opponents), 2)
        if other not in opponents[one] and len(opponents[one] & opponents[other]) < wish.least
    ]
    return Outcome(wish, len(wrong), where=tuple(Miss(ANY, ANY, pair) for pair in wrong))


def _meant(rounds: Seats, wish: Wish) -> Iterator[tuple[int, Sequence[Sequence[int]]]]:
    """Yield the rounds that a wish applies to, with their numbers."""
    return ((number, tables) for number, tables in enumerate(rounds, start=1) if wish.holds_in(number))


_JUDGES: Final = {
    Kind.FIXED: _judge_fixed,
    Kind.TOGETHER: _judge_together,
    Kind.APART: _judge_apart,
    Kind.SEEDS: _judge_apart,
    Kind.REPEATS: _judge_repeats,
    Kind.WINDS: _judge_winds,
    Kind.TABLES: _judge_tables,
    Kind.ROOMS: _judge_rooms,
    Kind.INDIRECT: _judge_indirect,
}

PHASE: Final = 98_304  # steps of a phase, which cools once from hot to cold
PHASES: Final = 4  # at least, however few steps there are
HEAVIEST: Final = 8 * UNIT
TURN: Final = 6 * UNIT  # even rests come before every wish
MAX_TURN: Final = 15 * UNIT


@dataclass(frozen=True, slots=True)
class Frame:
    """The problem: the shape of the rounds, the wishes, the rounds before, and the players who never move.

    `extra` are wishes beside those of the organiser, such as substitutes apart in every round.
    """

    shape: Shape
    wishes: Wishes = field(default_factory=Wishes)
    played: Seats = ()
    past: Past = field(default_factory=Past)
    pinned: Collection[int] = ()
    extra: tuple[Wish, ...] = ()

    @property
    def first(self) -> int:
        """The number of the first round to draw."""
        return len(self.played) + 1

    @property
    def ranked(self) -> list[Wish]:
        """The wishes that swaps of players can meet, in order; repeats are always among them."""
        order = [*self.extra, *self.wishes.of(*PAIRS, Kind.REPEATS)]
        return order if REPEATS.kind in {wish.kind for wish in order} else [*order, REPEATS]

    def unevenness(self, lines: Lines) -> int:
        """Return by how much rests, or visits to tables of another size, exceed an even share, the past included.

        Counted as n(n - 1)/2 for a player with n of them.
        """
        turns = Counter(self.past.turns)
        for line in lines:
            turns.update(self.shape.aside(line))
        return sum(comb(times, 2) for times in turns.values()) - even_repeats(turns.total(), self.shape.players)

    def judge(self, lines: Lines) -> tuple[Outcome, ...]:
        rounds = [*self.played, *(self.shape.tables_of(line) for line in lines)]
        wishes = Wishes((*self.ranked, *self.wishes.of(Kind.FIXED)))
        return judge_wishes(rounds, wishes, self.shape.table_size)[: len(self.ranked)]


def search_by_wishes(lines: Lines, frame: Frame, steps: int, rng: Rng, budget: SearchBudget) -> list[list[int]]:
    """Return the rounds that miss least of the wishes in their order, found within the steps; never worse ones."""
    weights = weigh(frame.ranked)
    best = [list(line) for line in lines]
    outcomes, uneven, turn = frame.judge(best), frame.unevenness(best), TURN
    phases = max(PHASES, steps // PHASE)
    for _ in range(phases):
        if budget.cut_short or (all(outcome.is_least for outcome in outcomes) and not uneven):
            break
        task = _task(best, frame, weights, outcomes, turn)
        found = improve(task, steps // phases, rng, budget)
        judged, turns = frame.judge(found), frame.unevenness(found)
        if (turns, _missed(judged)) <= (uneven, _missed(outcomes)):
            best, outcomes, uneven = found, judged, turns
            budget.best = BestSoFar(tuple((outcome.wish.key, outcome.missed) for outcome in outcomes))
        turn = min(MAX_TURN, 2 * turn) if uneven else turn
        _weigh_more(weights, outcomes)
    return best


def weigh(ranked: Sequence[Wish]) -> dict[Wish, int]:
    """Return the weight of each wish: one repeat for the last, half a repeat more for each one before it.

    >>> list(weigh([Wish(Kind.APART, "clubs"), REPEATS, Wish(Kind.APART, "countries")]).values())
    [8, 6, 4]
    """
    last = len(ranked) - 1
    return {wish: min(HEAVIEST, UNIT + UNIT // 2 * (last - at)) for at, wish in enumerate(ranked)}


def price_pairs(weights: Mapping[Wish, int], players: int, rounds: Iterable[int]) -> list[Prices | None]:
    """Return for each round number the cost of each pair at one table; None where no wish applies."""
    made: dict[tuple[Wish, ...], Prices] = {}
    prices: list[Prices | None] = []
    for number in rounds:
        meant = tuple(wish for wish in weights if wish.kind in PAIRS and wish.groups and wish.holds_in(number))
        if meant and meant not in made:
            made[meant] = _price(meant, weights, players)
        prices.append(made.get(meant))
    return prices


def _price(meant: Iterable[Wish], weights: Mapping[Wish, int], players: int) -> Prices:
    price = [[0] * players for _ in range(players)]
    for wish in meant:
        weight = -weights[wish] if wish.kind == Kind.TOGETHER else weights[wish]
        for one, other in wish.pairs():
            price[one][other] += weight
            price[other][one] += weight
    return price


def _task(lines: Lines, frame: Frame, weights: Mapping[Wish, int], outcomes: Sequence[Outcome], turn: int) -> Task:
    numbers = range(frame.first, frame.first + len(lines))
    above = frame.wishes.rank(Kind.TABLES) < frame.wishes.rank(Kind.REPEATS)
    repeats = next(outcome for outcome in outcomes if outcome.wish.kind == Kind.REPEATS)
    meetings = (len(lines) + len(frame.played)) * (frame.shape.table_size - 1)
    costs = Costs(
        repeat=weights[repeats.wish],
        turn=turn,
        visit=UNIT if above else 0,
        thrice=meetings <= 2 * (frame.shape.players - 1),  # else some two must meet three times
        prices=price_pairs(weights, frame.shape.players, numbers),
    )
    task = Task(lines, frame.shape, costs, frame.past, frame.pinned)
    return replace(task, goal=_goal(task, weights, outcomes, numbers))


def _goal(task: Task, weights: Mapping[Wish, int], outcomes: Sequence[Outcome], numbers: range) -> int:
    """Return the cost of rounds that miss every wish as little as possible and have even rests."""
    before = sum(comb(times, 2) for times in task.past.met.values())
    if task.costs.visit:
        return -(1 << 60)  # the least cost of visits is unknown: never stop early
    owed = _least_turns(task)
    for outcome in outcomes:
        wish, weight = outcome.wish, weights[outcome.wish]
        if wish.kind == Kind.REPEATS:
            owed += weight * max(0, outcome.least - before)
        elif wish.kind == Kind.TOGETHER:
            refunds = sum(map(wish.holds_in, numbers)) * len(list(wish.pairs()))
            owed += weight * (outcome.least - refunds)
        else:
            owed += weight * outcome.least
    return owed


def _least_turns(task: Task) -> int:
    turns = task.past.turns.values()
    total = sum(turns) + len(task.lines) * len(task.shape.aside(range(task.shape.players)))
    return task.costs.turn * (even_repeats(total, task.shape.players) - sum(comb(times, 2) for times in turns))


def _weigh_more(weights: dict[Wish, int], outcomes: Sequence[Outcome]) -> None:
    for outcome in outcomes:
        if not outcome.is_least:
            weights[outcome.wish] = min(HEAVIEST, UNIT // 2 + weights[outcome.wish])
            return


def _missed(outcomes: Iterable[Outcome]) -> tuple[int, ...]:
    return tuple(outcome.missed for outcome in outcomes)
