"""Turns wishes in an order into costs of pairs, searches by them, and keeps the best rounds in the organiser's order.

Weights guide the search and never decide: of two draws the better one misses the first wish less, then the second …
What is missed first is weighed more in the next phase.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import comb
from typing import Final

from tournament.seating.bounds import even_repeats
from tournament.seating.chance import Chance
from tournament.seating.effort import Best, Effort
from tournament.seating.lines import Lines
from tournament.seating.outcome import Outcome, judge_wishes
from tournament.seating.tailor import UNIT, Costs, Past, Prices, Shape, Suit, tailor
from tournament.seating.tally import Seats
from tournament.seating.wishes import PAIRS, REPEATS, Kind, Wish, Wishes

PHASE: Final = 98_304  # steps of a phase: one course from hot to cold
PHASES: Final = 4  # at least, however few steps there are
HEAVIEST: Final = 8 * UNIT
TURN: Final = 6 * UNIT  # fairness about rests goes before every wish
MOST_TURN: Final = 15 * UNIT


@dataclass(frozen=True, slots=True)
class Frame:
    """What rounds are drawn into: their shape, the wishes, the rounds before them, and the players who never move.

    `extra` are pairs that the organiser need not name, such as two substitutes, apart in every round.
    """

    shape: Shape
    wishes: Wishes = field(default_factory=Wishes)
    played: Seats = ()
    past: Past = field(default_factory=Past)
    pinned: Collection[int] = ()
    extra: tuple[Wish, ...] = ()

    @property
    def first(self) -> int:
        """The number of the first round that is drawn."""
        return len(self.played) + 1

    @property
    def ranked(self) -> list[Wish]:
        """The wishes that moving players between tables can meet, in order; repeats are always among them."""
        order = [*self.extra, *self.wishes.of(*PAIRS, Kind.REPEATS)]
        return order if REPEATS.kind in {wish.kind for wish in order} else [*order, REPEATS]

    def unevenness(self, lines: Lines) -> int:
        """Return by how much rests, or visits to tables of another size, are above an even share for everybody.

        Counted as n(n - 1)/2 for a player with n of them, what was before included.
        """
        turns = Counter(self.past.turns)
        for line in lines:
            turns.update(self.shape.aside(line))
        return sum(comb(times, 2) for times in turns.values()) - even_repeats(turns.total(), self.shape.players)

    def judge(self, lines: Lines) -> tuple[Outcome, ...]:
        rounds = [*self.played, *(self.shape.tables_of(line) for line in lines)]
        wishes = Wishes((*self.ranked, *self.wishes.of(Kind.FIXED)))
        return judge_wishes(rounds, wishes, self.shape.table_size)[: len(self.ranked)]


def fit(lines: Lines, frame: Frame, steps: int, chance: Chance, effort: Effort) -> list[list[int]]:
    """Return the rounds that miss least of the wishes in their order, found within the steps; never worse ones."""
    weights = weigh(frame.ranked)
    best = [list(line) for line in lines]
    outcomes, uneven, turn = frame.judge(best), frame.unevenness(best), TURN
    phases = max(PHASES, steps // PHASE)
    for _ in range(phases):
        if effort.cut_short or (all(outcome.is_least for outcome in outcomes) and not uneven):
            break
        suit = _suit(best, frame, weights, outcomes, turn)
        found = tailor(suit, steps // phases, chance, effort)
        judged, turns = frame.judge(found), frame.unevenness(found)
        if (turns, _missed(judged)) <= (uneven, _missed(outcomes)):
            best, outcomes, uneven = found, judged, turns
            effort.best = Best(tuple((outcome.wish.key, outcome.missed) for outcome in outcomes))
        turn = min(MOST_TURN, 2 * turn) if uneven else turn
        _weigh_more(weights, outcomes)
    return best


def weigh(ranked: Sequence[Wish]) -> dict[Wish, int]:
    """Return the weight of each wish: the last is worth a repeat, each before it half a repeat more.

    >>> list(weigh([Wish(Kind.APART, "clubs"), REPEATS, Wish(Kind.APART, "countries")]).values())
    [8, 6, 4]
    """
    last = len(ranked) - 1
    return {wish: min(HEAVIEST, UNIT + UNIT // 2 * (last - at)) for at, wish in enumerate(ranked)}


def price_pairs(weights: Mapping[Wish, int], players: int, rounds: Iterable[int]) -> list[Prices | None]:
    """Return for each round, by its number, what each pair costs at one table; None where no wish speaks of it."""
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


def _suit(lines: Lines, frame: Frame, weights: Mapping[Wish, int], outcomes: Sequence[Outcome], turn: int) -> Suit:
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
    suit = Suit(lines, frame.shape, costs, frame.past, frame.pinned)
    return replace(suit, goal=_goal(suit, weights, outcomes, numbers))


def _may_avoid_thrice(frame: Frame, rounds: int) -> bool:
    """Whether there are people enough that nobody need be met three times."""
    return (rounds + len(frame.played)) * (frame.shape.table_size - 1) <= 2 * (frame.shape.players - 1)


def _goal(suit: Suit, weights: Mapping[Wish, int], outcomes: Sequence[Outcome], numbers: range) -> int:
    """Return a cost that stands for every wish missed as little as can be, and rests as even as can be."""
    before = sum(comb(times, 2) for times in suit.past.met.values())
    if suit.costs.visit:
        return -(1 << 60)  # what visits must cost is not known, so the search goes on
    owed = _least_turns(suit)
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


def _least_turns(suit: Suit) -> int:
    turns = suit.past.turns.values()
    total = sum(turns) + len(suit.lines) * len(suit.shape.aside(range(suit.shape.players)))
    return suit.costs.turn * (even_repeats(total, suit.shape.players) - sum(comb(times, 2) for times in turns))


def _weigh_more(weights: dict[Wish, int], outcomes: Sequence[Outcome]) -> None:
    for outcome in outcomes:
        if not outcome.is_least:
            weights[outcome.wish] = min(HEAVIEST, UNIT // 2 + weights[outcome.wish])
            return


def _missed(outcomes: Iterable[Outcome]) -> tuple[int, ...]:
    return tuple(outcome.missed for outcome in outcomes)
