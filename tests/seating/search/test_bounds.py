"""Lower bounds against the field's table, against brute force on a tiny field, and under fixed tables."""

from itertools import combinations, combinations_with_replacement, permutations, product

import pytest

from tournament.seating.search.draw import draw_schedule
from tournament.seating.search.quality import (
    FEWER_THAN_ROUNDS,
    NOTHING,
    SOME_OF_EACH,
    TableBounds,
    assess,
    even_repeats,
    least_repeats,
    table_bounds,
)
from tournament.seating.search.schedule import Field

# table size, players, rounds 4.., the bounds of the field study
TABLES = [
    (4, 12, [18, 30, 45, 63, 90, 126, 162, 198, 252]),
    (4, 16, [0, 0, 24, 48, 72, 96, 120, 168, 216]),
    (4, 20, [0, 0, 1, 20, 50, 80, 110, 140, 170]),
    (4, 24, [0, 0, 0, 0, 12, 48, 84, 120, 156]),
    (4, 28, [0, 0, 0, 0, 0, 0, 42, 84, 126]),
    (4, 32, [0, 0, 0, 0, 0, 0, 0, 32, 80]),
    (4, 36, [0, 0, 0, 0, 0, 0, 0, 0, 18]),
    (3, 9, [0, 9, 18, 27, 36, 54, 72]),
    (3, 12, [0, 3, 7, 18, 30, 42, 54]),
    (3, 15, [0, 0, 0, 0, 15, 30, 45]),
    (3, 18, [0, 0, 0, 0, 0, 9, 27]),
]


@pytest.mark.parametrize(("size", "players", "bounds"), TABLES)
def test_the_bounds_are_those_of_the_field_study(size, players, bounds):
    assert [least_repeats(players, size, rounds) for rounds in range(4, 4 + len(bounds))] == bounds


def test_an_even_spread_is_the_least():
    for meetings, others in product(range(9), range(1, 5)):
        spreads = [counts for counts in product(range(meetings + 1), repeat=others) if sum(counts) == meetings]
        least = min(sum(times * (times - 1) // 2 for times in counts) for counts in spreads)
        assert even_repeats(meetings, others) == least


def every_round_of_six() -> list[list[list[int]]]:
    tables = [list(table) for table in combinations(range(6), 3) if 0 in table]
    return [[table, sorted(set(range(6)) - set(table))] for table in tables]


@pytest.mark.parametrize("rounds", [1, 2, 3, 4])
def test_six_sanma_players_by_brute_force(rounds):
    everything = combinations_with_replacement(every_round_of_six(), rounds)  # repeats know no order of rounds
    least = min(assess(schedule, 6, 3).repeats for schedule in everything)
    assert least_repeats(6, 3, rounds) == least


@pytest.mark.parametrize("fixed", [{0: 0, 1: 0}, {0: 0, 1: 1}, {0: 0, 1: 0, 2: 1}, {0: 0, 1: 0, 2: 0}])
def test_fixed_tables_never_push_the_bound_above_the_truth(fixed):
    sides = [seats for each in every_round_of_six() for seats in (each, each[::-1])]
    allowed = [seats for seats in sides if all(player in seats[table] for player, table in fixed.items())]
    least = min(assess(schedule, 6, 3).repeats for schedule in product(allowed, repeat=3))
    assert least_repeats(6, 3, 3, fixed) <= least


def test_two_at_one_fixed_table_meet_in_every_round():
    assert least_repeats(100, 4, 8, {3: 5, 9: 5}) == 28


def test_those_at_fixed_tables_of_their_own_never_meet():
    """Four of 40 sit apart for 13 rounds: each meets 39 among the other 36, three of them again, and 12 / 2 is 6."""
    assert least_repeats(40, 4, 13, {player: player for player in range(4)}) == 6


# What forces people to a table again, held against every numbering of small schedules.
ROUNDS = [
    [[0, 1, 2], [3, 4, 5], [6, 7, 8]],
    [[0, 3, 6], [1, 4, 7], [2, 5, 8]],
    [[0, 4, 8], [1, 5, 6], [2, 3, 7]],
]


@pytest.mark.parametrize("rounds", [2, 3])
def test_nine_sanma_players_cannot_all_change_tables(rounds):
    numberings = product(*(list(permutations(tables)) for tables in ROUNDS[:rounds]))
    reports = [assess(numbered, 9, 3) for numbered in numberings]
    assert {report.tables_kept for report in reports} == {3 * (rounds - 1)}
    assert {(report.tables_least, report.tables_kept_least, report.tables_note) for report in reports} == {
        (2, 3 * (rounds - 1), SOME_OF_EACH)
    }
    assert min(report.tables_most for report in reports) == 2


@pytest.mark.parametrize(
    ("wish", "repeats", "bounds"),
    [
        (Field(16, 4, 5), 0, TableBounds(2, 16, SOME_OF_EACH)),
        (Field(16, 4, 5), 1, TableBounds(2, 0, FEWER_THAN_ROUNDS)),
        (Field(16, 4, 4), 1, TableBounds(1, 0, NOTHING)),
        (Field(16, 4, 1), 0, TableBounds(1, 0, NOTHING)),
        (Field(12, 4, 2), 3, TableBounds(2, 3, SOME_OF_EACH)),
        (Field(8, 4, 3), 12, TableBounds(2, 8, SOME_OF_EACH)),
        (Field(4, 4, 3), 18, TableBounds(3, 8, SOME_OF_EACH)),
        (Field(40, 4, 10), 0, TableBounds(1, 0, NOTHING)),
        (Field(40, 4, 21), 0, TableBounds(3, 0, FEWER_THAN_ROUNDS)),
        (Field(16, 4, 4, {0: 1}), 0, TableBounds(1, 0, NOTHING)),
    ],
)
def test_the_reason_and_its_figures(wish, repeats, bounds):
    assert table_bounds(wish, repeats) == bounds


@pytest.mark.parametrize(("size", "players", "rounds"), [(4, 16, 4), (3, 9, 3), (4, 12, 2), (4, 16, 2), (4, 8, 2)])
def test_a_draw_has_no_more_stays_than_it_must(size, players, rounds):
    report = draw_schedule(players=players, table_size=size, rounds=rounds, seed=4).report
    assert (report.tables_most, report.tables_kept) == (report.tables_least, report.tables_kept_least)
