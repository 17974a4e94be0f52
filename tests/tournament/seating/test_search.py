"""The searches by themselves: what they promise about the rounds that they are given, and that they get anywhere."""

from collections import Counter

import pytest

from tournament.seating.anneal import Scope, anneal
from tournament.seating.chance import Chance
from tournament.seating.cyclic import Cycle
from tournament.seating.effort import Effort
from tournament.seating.heat import chances
from tournament.seating.lines import count_repeats, tables_of
from tournament.seating.numbering import number_tables
from tournament.seating.starters import Quest, _Search, find_starters

NO_CLOCK = 3600.0


def lines_by_chance(players: int, rounds: int) -> list[list[int]]:
    chance = Chance(11)
    return [chance.shuffled(range(players)) for _ in range(rounds)]


def test_annealing_reaches_a_perfect_schedule_and_leaves_its_input_alone():
    begun = lines_by_chance(16, 5)
    before = [list(line) for line in begun]
    found = anneal(begun, Scope(4), 600_000, Chance(1), Effort(NO_CLOCK))
    assert count_repeats(found, 4) == 0
    assert begun == before


def test_annealing_touches_no_frozen_round_and_no_fixed_place():
    begun = lines_by_chance(24, 6)
    free = [place for place in range(24) if place not in {0, 9}]
    found = anneal(begun, Scope(3, first_round=2, places=free), 40_000, Chance(1), Effort(NO_CLOCK))
    assert found[:2] == begun[:2]
    assert [(line[0], line[9]) for line in found] == [(line[0], line[9]) for line in begun]
    assert count_repeats(found, 3) < count_repeats(begun, 3)


def test_a_starter_makes_a_perfect_schedule():
    cycle = Cycle(24, 4, order=7, orbits=3)
    starters = find_starters(Quest(cycle), 400_000, Chance(1), Effort(NO_CLOCK))
    assert starters is not None
    whole = cycle.develop(starters, tabled=False)
    assert (len(whole), count_repeats(whole, 4)) == (7, 0)


def test_a_starter_with_tables_brings_nobody_to_a_table_again():
    cycle = Cycle(18, 3, order=5, orbits=3)
    starters = find_starters(Quest(cycle, tabled=True), 400_000, Chance(1), Effort(NO_CLOCK))
    assert starters is not None
    whole = cycle.develop(starters, tabled=True)
    visits = Counter((player, place // 3) for line in whole for place, player in enumerate(line))
    assert (count_repeats(whole, 3), max(visits.values())) == (0, 1)


@pytest.mark.parametrize(
    ("order", "orbits", "starters"), [(1, 12, 4), (2, 5, 3), (3, 4, 2), (4, 2, 1), (5, 2, 1), (6, 1, 2), (6, 2, 1)]
)
def test_the_cost_of_starters_is_the_repeats_of_the_whole(order, orbits, starters):
    """Half turns and points that stay make kinds of pairs with weights of their own: a wrong one shows here."""
    cycle = Cycle(12, 3, order=order, orbits=orbits)
    search = _Search(Quest(cycle, starters, goal=-1), Chance(order))
    for _ in range(5):
        search.walk(range(200), chances(1, 2))
        assert search.cost * order == 2 * count_repeats(cycle.develop(search.lines, tabled=False), 3)


def test_numbering_moves_whole_tables_and_keeps_fixed_ones():
    begun = lines_by_chance(24, 6)
    numbered = number_tables(begun, 4, {2}, 30_000, Chance(1), Effort(NO_CLOCK))
    for before, after in zip(begun, numbered, strict=True):
        assert sorted(map(tuple, tables_of(before, 4))) == sorted(map(tuple, tables_of(after, 4)))
        assert tables_of(before, 4)[2] == tables_of(after, 4)[2]
