"""Searches that begin with repeats behind them: they go on until no swap helps, and do not avoid what must happen."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from tournament.seating.search.annealing import Past, SearchBudget, Shape
from tournament.seating.search.draw import draw_schedule
from tournament.seating.search.outcome import Frame, search_by_wishes
from tournament.seating.search.schedule import Rng, Seats

pytestmark = pytest.mark.whole_run


def meetings(rounds: Seats) -> Counter[tuple[int, int]]:
    return Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("players", "first", "before", "rounds", "least"),
    [
        (8, 3, 3, 2, 64),  # one seating three times: its repeats are no reason to stop early
        (12, 1, 4, 4, 92),  # eight rounds of twelve: some pairs meet three times, which then must not cost extra
    ],
)
def test_rounds_after_repeats_spread_the_meetings(players, first, before, rounds, least, seed):
    drawn = draw_schedule(players=players, table_size=4, rounds=before, seed=1).rounds
    played = (drawn[0],) * first + tuple(drawn[first:])
    shape = Shape((4,) * (players // 4), 4)
    frame = Frame(shape, played=played, past=Past(met=dict(meetings(played))))
    chance = Random(seed)
    lines = [chance.sample(range(players), players) for _ in range(rounds)]
    found = search_by_wishes(lines, frame, 200_000, Rng(seed), SearchBudget(20))
    met = meetings([*played, *(shape.tables_of(line) for line in found)])
    assert sum(times * (times - 1) // 2 for times in met.values()) <= least
