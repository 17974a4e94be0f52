"""The judge: figures of schedules counted by hand, and every fault named in words."""

from itertools import permutations

import pytest

from tournament.seating.search.quality import assess
from tournament.seating.search.schedule import SeatingError

PLANE = [
    [[0, 1, 2], [3, 4, 5], [6, 7, 8]],
    [[0, 3, 6], [1, 4, 7], [2, 5, 8]],
    [[0, 4, 8], [1, 5, 6], [2, 3, 7]],
    [[0, 5, 7], [1, 3, 8], [2, 4, 6]],
]


def test_nine_players_who_all_meet_once():
    report = assess(PLANE, 9, 3)
    assert (report.repeats, report.repeats_least, report.met_most, report.pairs_never) == (0, 0, 1, 0)
    assert (report.pairs_again, report.pairs_thrice, report.shared_least) == (0, 0, None)
    assert (report.winds_spread, report.winds_least) == (4, 1)  # 0 is East four times
    assert (report.tables_spread, report.tables_most, report.tables_kept) == (4, 4, 9)  # and keeps table 0
    assert (report.method, report.cut_short, report.seconds) == ("given", False, 0.0)


def test_the_same_round_three_times():
    report = assess(PLANE[:1] * 3, 9, 3)
    assert (report.repeats, report.met_most, report.pairs_again, report.pairs_thrice) == (27, 3, 9, 9)
    assert (report.pairs_never, report.shared_least) == (27, 0)
    assert (report.winds_spread, report.tables_spread, report.tables_kept) == (3, 3, 18)


def test_two_rounds_leave_pairs_that_share_opponents():
    report = assess(PLANE[:2], 9, 3)
    assert (report.pairs_never, report.shared_least) == (18, 2)


def test_fixed_tables_are_left_out_of_the_table_figures():
    report = assess([[[0, 1, 2], [3, 4, 5]], [[0, 3, 4], [1, 2, 5]]], 6, 3, fixed_tables={0: 0, 5: 1})
    assert (report.tables_spread, report.tables_most, report.tables_kept) == (0, 1, 0)


ROUND = [[0, 1, 2], [3, 4, 5]]
FAULTS = [
    ([ROUND, [[0, 1, 2], [3, 4, 4]]], "seating.player_twice", "Round 2: player 4 sits twice."),
    ([ROUND, [[0, 1, 2], [3, 0, 5]]], "seating.player_twice", "Round 2: player 0 sits twice."),
    ([[[0, 1, 2], [3, 4]]], "seating.table_wrong_size", "Round 1, table 1: 2 players sit where 3 should."),
    ([[[0, 1, 2, 5], [3, 4]]], "seating.table_wrong_size", "Round 1, table 0: 4 players sit where 3 should."),
    ([[[0, 1, 2], [3, 4, 6]]], "seating.player_unknown", "Round 1, table 1: there is no player 6, only 0 to 5."),
    ([[[0, 1, 2], [3, 4, -1]]], "seating.player_unknown", "Round 1, table 1: there is no player -1, only 0 to 5."),
    ([ROUND, ROUND[:1]], "seating.tables_wrong_number", "Round 2 has 1 tables where 2 are needed."),
    ([], "seating.rounds_too_few", "There must be at least one round, not 0."),
]


@pytest.mark.parametrize(("rounds", "code", "words"), FAULTS)
def test_a_faulty_schedule_is_refused_in_words(rounds, code, words):
    with pytest.raises(SeatingError) as raised:
        assess(rounds, 6, 3)
    assert (raised.value.problem.code, str(raised.value)) == (code, words)


def test_a_left_fixed_table_is_named():
    with pytest.raises(SeatingError) as raised:
        assess([ROUND, [[3, 1, 2], [0, 4, 5]]], 6, 3, fixed_tables={0: 0})
    assert str(raised.value) == "Round 2: player 0 sits at table 1, not at the fixed table 0."


def test_the_order_of_rounds_changes_nothing_about_meetings():
    reports = [assess(list(order), 9, 3) for order in permutations(PLANE)]
    assert {report.repeats for report in reports} == {0}
