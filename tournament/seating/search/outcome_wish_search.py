"""Search rounds by ranked wishes: turn wishes into costs of pairs, improve, compare in the organiser's order, repeat.

Weights only guide the local search. Draws compare lexicographically: the better one misses the first wish less, then
the second … The first wish that is missed weighs more in the next phase.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import comb
from typing import Final

from tournament.seating.search.annealing_local_search import UNIT, Costs, Past, Prices, Shape, Task, improve
from tournament.seating.search.annealing_search_budget import Best, SearchBudget
from tournament.seating.search.outcome_1 import Outcome, judge_wishes
from tournament.seating.search.quality_bounds import even_repeats
from tournament.seating.search.schedule_1 import Lines, Seats
from tournament.seating.search.schedule_rng import Rng
from tournament.seating.search.wishes_1 import PAIRS, REPEATS, Kind, Wish, Wishes

PHASE: Final = 98_304  # steps of a phase, which cools once from hot to cold
PHASES: Final = 4  # at least, however few steps there are
HEAVIEST: Final = 8 * UNIT
TURN: Final = 6 * UNIT  # even rests come before every wish
MOST_TURN: Final = 15 * UNIT


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
            budget.best = Best(tuple((outcome.wish.key, outcome.missed) for outcome in outcomes))
        turn = min(MOST_TURN, 2 * turn) if uneven else turn
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
    costs = Costs(
        repeat=weights[repeats.wish],
        turn=turn,
        visit=UNIT if above else 0,
        thrice=_may_avoid_thrice(frame, len(lines)),
        prices=price_pairs(weights, frame.shape.players, numbers),
    )
    task = Task(lines, frame.shape, costs, frame.past, frame.pinned)
    return replace(task, goal=_goal(task, weights, outcomes, numbers))


def _may_avoid_thrice(frame: Frame, rounds: int) -> bool:
    """Whether there are enough people that no two need to meet three times."""
    return (rounds + len(frame.played)) * (frame.shape.table_size - 1) <= 2 * (frame.shape.players - 1)


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
