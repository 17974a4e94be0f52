"""Every row of the field's benchmark: as few repeats as anybody reached, and winds at the bound in every block."""

import pytest

from tools.bench.seating_rows import FIRST, LAST, PLAYERS, every_row
from tournament.seating.search.draw import draw_schedule
from tournament.seating.search.quality import Report

pytestmark = pytest.mark.whole_run
FIELDS = [
    pytest.param(size, players, marks=pytest.mark.nightly if players == 1000 else ())
    for size, of_size in PLAYERS.items()
    for players in of_size
]
# Where the field reached it, and beyond: nobody meets twice, and nobody comes to a table twice.
NEW_TABLES = [
    (4, 20, 5), (4, 24, 5), (4, 28, 7), (4, 32, 7), (4, 36, 8), (4, 40, 9), (4, 44, 11), (4, 48, 11), (4, 52, 13),
    *((4, players, 13) for players in (56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 120, 132, 160, 200, 400)),
    (3, 15, 5), (3, 18, 5), (3, 21, 7), (3, 24, 7), (3, 27, 9), (3, 30, 9),
    *((3, players, 11) for players in (33, 36, 39, 42, 45, 48, 51, 54, 57, 60, 66, 72, 81, 90, 99, 120)),
]  # fmt: skip
# The worst-off two who never meet share so many opponents.
INDIRECT = [(4, 60, 10, 12), (4, 80, 10, 8), (4, 100, 8, 3), (4, 120, 10, 5), (4, 160, 10, 3), (3, 60, 10, 5)]


def drawn(size: int, players: int, rounds: int, seed: int = 11) -> Report:
    """Draw with a second's steps, which is less than the desk takes: repeats and winds need no more.

    The report is made by `quality.assess`, which counts the bare rounds and shares no code with any search.
    """
    return draw_schedule(players=players, table_size=size, rounds=rounds, seed=seed, time_limit=1).report


@pytest.mark.parametrize(("size", "players"), FIELDS)
def test_every_row_has_as_few_repeats_as_known_and_its_winds_in_every_block(size, players):
    best = [row.best for row in every_row() if (row.table_size, row.players) == (size, players)]
    reports = [drawn(size, players, rounds) for rounds in range(FIRST, LAST[size] + 1)]
    assert [report.repeats for report in reports] == best
    assert [report.winds_spread for report in reports] == [report.winds_least for report in reports]


@pytest.mark.parametrize(("size", "players", "rounds"), NEW_TABLES)
def test_nobody_meets_twice_and_nobody_comes_to_a_table_twice(size, players, rounds):
    report = drawn(size, players, rounds)
    assert (report.repeats, report.tables_most, report.tables_note) == (0, 1, "")


@pytest.mark.parametrize(("size", "players", "rounds", "least"), INDIRECT)
def test_those_who_never_meet_share_opponents(size, players, rounds, least):
    report = drawn(size, players, rounds)
    assert (report.repeats, report.tables_most, report.shared_least) == (0, 1, least)


# More rounds than the benchmark has, with the repeats allowed in a second's steps; the proved least beside them.
LONG = [
    *((4, 52, rounds, 0, 0) for rounds in (14, 15, 16, 17)),
    *(
        (4, 64, 21, 0, 0),
        (4, 48, 15, 0, 0),
        (4, 60, 16, 0, 0),
        (4, 60, 19, 0, 0),
        (4, 80, 20, 0, 0),
        (4, 104, 20, 0, 0),
    ),
    *((3, 33, 16, 0, 0), (3, 39, 19, 0, 0), (3, 54, 20, 0, 0), (3, 66, 20, 0, 0), (3, 30, 16, 60, 45)),
    *((4, 44, 14, 34, 0), (4, 48, 16, 60, 24), (4, 36, 20, 480, 450)),
]


@pytest.mark.parametrize(("size", "players", "rounds", "most", "least"), LONG)
def test_long_draws_begin_with_rounds_without_a_repeat(size, players, rounds, most, least):
    report = drawn(size, players, rounds)
    assert (report.repeats <= most, report.repeats_least) == (True, least)


# Beyond the benchmark: rounds without a repeat, or at the bound, that took a search of their own.
@pytest.mark.parametrize(
    ("size", "players", "rounds", "best"),
    [(4, 40, 13, 0), (4, 24, 13, 192), (3, 12, 11, 66), (3, 24, 12, 12), (3, 24, 13, 36), (4, 44, 13, 0)],
)
def test_more_rounds_than_the_benchmark_has(size, players, rounds, best):
    report = drawn(size, players, rounds)
    assert (report.repeats, report.repeats_least) == (best, best)
