"""The search by swaps: its running cost is the plain one, and it never touches what it must not."""

from collections import Counter
from itertools import combinations, product
from math import comb

import pytest

from tournament.seating.chance import Chance
from tournament.seating.effort import Effort
from tournament.seating.fitting import Frame, fit, price_pairs
from tournament.seating.heat import chances
from tournament.seating.lines import count_repeats
from tournament.seating.tailor import Costs, Past, Shape, Suit, _Search, cost_of, tailor
from tournament.seating.wishes import keep_apart, preset

NO_CLOCK = 3600.0
SHAPES = [
    Shape((4, 4, 4), 4),
    Shape((4, 3, 3, 3), 4),
    Shape((4, 0, 4, 4), 4),
    Shape((3, 3, 3), 3, rests=2),
    Shape((3, 3, 4), 3),
]


def lines_by_chance(players: int, rounds: int) -> list[list[int]]:
    chance = Chance(5)
    return [chance.shuffled(range(players)) for _ in range(rounds)]


def suit_for(shape: Shape, *, visit: int = 0) -> Suit:
    wish = keep_apart("club", [(0, 1, 2), (4, 7)], rounds=(1, 3))
    prices = price_pairs({wish: 6}, shape.players, range(1, 6))
    past = Past({(0, 1): 2, (3, 4): 1}, {0: 1, 5: 2}, {(0, 0): 1, (2, 1): 3})
    return Suit(lines_by_chance(shape.players, 5), shape, Costs(visit=visit, prices=prices), past, goal=-999)


def plain_cost(suit: Suit, lines: list[list[int]]) -> int:
    """Count what the docstrings promise, from nothing but the lines."""
    met, turns, visits = Counter(suit.past.met), Counter(suit.past.turns), Counter(suit.past.visits)
    wished = 0
    for line, prices in zip(lines, suit.costs.prices, strict=True):
        tables = suit.shape.tables_of(line)
        turns.update(suit.shape.aside(line))
        visits.update((player, len(tables)) for player in suit.shape.resting(line))
        for at, table in enumerate(tables):
            visits.update((player, at) for player in table)
            for one, other in combinations(sorted(table), 2):
                met[one, other] += 1
                wished += prices[one][other] if prices else 0
    return (
        wished
        + paid(met, suit.past.met, lambda times: suit.costs.repeat * (comb(times, 2) + max(0, times - 2)))
        + paid(turns, suit.past.turns, lambda times: suit.costs.turn * comb(times, 2))
        + paid(visits, suit.past.visits, lambda times: suit.costs.visit * comb(times, 2))
    )


def paid(after, before, price) -> int:
    return sum(map(price, after.values())) - sum(map(price, before.values()))


@pytest.mark.parametrize(("shape", "visit"), list(product(SHAPES, [0, 3])))
def test_the_running_cost_is_the_plain_one(shape, visit):
    suit = suit_for(shape, visit=visit)
    search = _Search(suit, Chance(2))
    assert search.cost == cost_of(suit) == plain_cost(suit, search.lines)
    for _ in range(4):
        search.walk(range(150), chances(7, 8))
        assert search.cost == plain_cost(suit, search.lines)
        assert search.best_cost == plain_cost(suit, search.best)
    assert [sorted(line) for line in search.lines] == [list(range(shape.players))] * 5


def test_the_pinned_never_move_and_the_given_lines_stay():
    suit = suit_for(SHAPES[0])
    before = [list(line) for line in suit.lines]
    pinned = Suit(suit.lines, suit.shape, suit.costs, suit.past, pinned={0, 7}, goal=-999)
    found = tailor(pinned, 20_000, Chance(1), Effort(NO_CLOCK))
    assert [(line.index(0), line.index(7)) for line in found] == [(line.index(0), line.index(7)) for line in before]
    assert suit.lines == before
    assert found != before


def test_fitting_never_gives_worse_rounds_than_it_was_given():
    begun = lines_by_chance(24, 5)
    wishes = preset("meetings", [keep_apart("teams", [range(at, at + 4) for at in range(0, 24, 4)])])
    frame = Frame(Shape((4,) * 6, 4), wishes)
    tight = fit(begun, frame, 500, Chance(1), Effort(NO_CLOCK))
    loose = fit(begun, frame, 120_000, Chance(1), Effort(NO_CLOCK))
    assert count_repeats(loose, 4) <= count_repeats(tight, 4) <= count_repeats(begun, 4)
    assert loose == fit(begun, frame, 120_000, Chance(1), Effort(NO_CLOCK))
