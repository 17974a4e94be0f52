"""The longest schedules without a repeat, and the choice among spare rounds: never worse than what chance drew."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.table_test import tabled
from tournament.seating.search.quality import assess
from tournament.seating.search.rotations import choose_rounds, longest_rounds, merit, starters_for, transversal_rounds
from tournament.seating.search.schedule import MAX_ROUNDS, Field, Rng, tables_of


@given(st.integers(0, 99), st.integers(2, 8))
def test_the_choice_is_of_these_rounds_and_no_worse_than_chance(seed, rounds):
    lines = starters_for(32, 4)[-1].lines()
    chosen = choose_rounds(lines, Field(32, 4, rounds), Rng(seed))
    by_lot = Rng(seed).shuffled(lines)[:rounds]
    assert sorted(set(map(tuple, chosen)) - set(map(tuple, lines))) == []
    assert len(set(map(tuple, chosen))) == rounds
    assert merit(chosen, 4) >= merit(by_lot, 4)


@given(st.integers(0, 99), st.integers(1, 6))
def test_the_worst_off_pair_is_that_of_the_judge(seed, rounds):
    rng = Rng(seed)
    lines = [rng.shuffled(range(24)) for _ in range(rounds)]
    report = assess([tables_of(line, 3) for line in lines], 24, 3)
    least, so_few = merit(lines, 3)
    assert (report.shared_least, 0 <= -so_few <= report.pairs_never) == (least, True)


def test_many_players_are_taken_as_chance_draws_them():
    lines = [list(range(at, 120)) + list(range(at)) for at in range(5)]
    assert choose_rounds(lines, Field(120, 4, 3), Rng(1)) == Rng(1).shuffled(lines)[:3]


FIELDS = [(size, players) for size in (3, 4) for players in (*range(size, 205, size), 500 * size)]


@tabled("size, players", FIELDS)
def test_nobody_meets_twice_in_the_longest_rounds_known(size, players):
    longest = longest_rounds(players, size)
    report = assess([tables_of(line, size) for line in longest], players, size)
    assert (report.repeats, len(longest) <= MAX_ROUNDS) == (0, True)


# Beside each, the rounds that no schedule without a repeat can exceed: (players - 1) // (size - 1).
LONGEST = [
    *((4, 16, 5, 5), (4, 28, 9, 9), (4, 40, 13, 13), (4, 52, 17, 17), (4, 64, 21, 21), (4, 112, 37, 37)),
    *((4, 128, 42, 42), (4, 256, 60, 85), (3, 9, 4, 4), (3, 27, 13, 13), (3, 33, 16, 16), (3, 39, 19, 19)),
    *(
        (3, 45, 22, 22),
        (3, 51, 25, 25),
        (3, 63, 31, 31),
        (3, 81, 40, 40),
        (4, 48, 15, 15),
        (4, 60, 19, 19),
        (4, 56, 17, 18),
    ),
]


@pytest.mark.parametrize(("size", "players", "rounds", "most"), LONGEST)
def test_the_longest_rounds_known_and_the_most_possible(size, players, rounds, most):
    assert (len(longest_rounds(players, size)), (players - 1) // (size - 1)) == (rounds, most)


@pytest.mark.parametrize(
    ("tables", "size", "rounds"), [(6, 3, 0), (6, 4, 0), (9, 4, 9), (10, 3, 0), (15, 3, 15), (15, 4, 0)]
)
def test_products_of_fields_reach_where_each_prime_power_has_a_row_for_each_seat(tables, size, rounds):
    assert len(transversal_rounds(tables, size)) == rounds
