"""What forces people to a table again: held against every numbering of small schedules."""

from itertools import permutations, product

import pytest

from tournament.seating.draw import draw_schedule
from tournament.seating.field import Field
from tournament.seating.quality import assess
from tournament.seating.table_bounds import FEWER_THAN_ROUNDS, NOTHING, SOME_OF_EACH, TableBounds, table_bounds

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
