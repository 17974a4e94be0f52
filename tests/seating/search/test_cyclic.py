"""The search for starters: what it finds makes whole schedules, and its cost is what they cost."""

from collections import Counter

import pytest

from scripts.find_schedules import StarterSearch, _Swaps, find_starters
from tournament.seating.search.annealing import SearchBudget, anneal, metropolis
from tournament.seating.search.rotations import Cycle
from tournament.seating.search.schedule import Rng, count_repeats

NO_CLOCK = 3600.0


def test_a_starter_makes_a_perfect_schedule():
    cycle = Cycle(24, 4, order=7, orbits=3)
    starters = find_starters(StarterSearch(cycle), 400_000, Rng(1), SearchBudget(NO_CLOCK))
    assert starters is not None
    whole = cycle.develop(starters, tabled=False)
    assert (len(whole), count_repeats(whole, 4)) == (7, 0)


def test_a_starter_with_tables_brings_nobody_to_a_table_again():
    cycle = Cycle(18, 3, order=5, orbits=3)
    starters = find_starters(StarterSearch(cycle, tabled=True), 400_000, Rng(1), SearchBudget(NO_CLOCK))
    assert starters is not None
    whole = cycle.develop(starters, tabled=True)
    visits = Counter((player, place // 3) for line in whole for place, player in enumerate(line))
    assert (count_repeats(whole, 3), max(visits.values())) == (0, 1)


@pytest.mark.parametrize(
    ("order", "orbits", "starters"), [(1, 12, 4), (2, 5, 3), (3, 4, 2), (4, 2, 1), (5, 2, 1), (6, 1, 2), (6, 2, 1)]
)
def test_the_cost_of_starters_is_the_repeats_of_the_whole(order, orbits, starters):
    """Half turns and points that stay make differences with weights of their own: a wrong one shows here."""
    cycle = Cycle(12, 3, order=order, orbits=orbits)
    swaps = _Swaps(StarterSearch(cycle, starters), Rng(order))
    for _ in range(5):
        anneal(swaps, [(range(200), metropolis(1, 2))], goal=-1)
        assert swaps.cost * order == 2 * count_repeats(cycle.develop(swaps.lines, tabled=False), 3)
