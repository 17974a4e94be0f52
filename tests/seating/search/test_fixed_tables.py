"""Fixed tables are kept in every round, and cost nobody a repeat where strangers can be found for them."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.seating.search.draw import draw_schedule
from tournament.seating.search.quality import least_repeats


@given(
    table_size=st.sampled_from([3, 4]),
    tables=st.integers(2, 8),
    rounds=st.integers(1, 6),
    seed=st.integers(0, 1000),
    data=st.data(),
)
@settings(max_examples=25)
def test_fixed_players_keep_their_tables(table_size, tables, rounds, seed, data):
    seats = [table for table in range(tables) for _ in range(table_size)]
    wanted = data.draw(st.permutations(seats))
    fixed = dict(enumerate(wanted[: data.draw(st.integers(1, len(seats)))]))
    schedule = draw_schedule(
        players=len(seats), table_size=table_size, rounds=rounds, seed=seed, time_limit=0.2, fixed_tables=fixed
    )
    kept = [
        {player: at for at, table in enumerate(drawn) for player in table if player in fixed}
        for drawn in schedule.rounds
    ]
    assert kept == [fixed] * rounds
    assert schedule.report.winds_spread <= schedule.report.winds_least
    assert schedule.report.repeats >= schedule.report.repeats_least


def test_two_fixed_tables_cost_forty_players_no_repeat():
    report = draw_schedule(players=40, table_size=4, rounds=8, seed=3, fixed_tables={0: 0, 17: 4}).report
    assert (report.repeats, report.winds_spread) == (0, 0)


def test_three_fixed_tables_cost_sanma_no_repeat():
    report = draw_schedule(players=24, table_size=3, rounds=6, seed=3, fixed_tables={1: 0, 2: 1, 3: 2}).report
    assert (report.repeats, report.winds_spread) == (0, 0)


def test_two_at_one_fixed_table_cost_only_their_own_meetings():
    report = draw_schedule(players=40, table_size=4, rounds=4, seed=3, fixed_tables={0: 2, 1: 2}).report
    assert report.repeats_least == least_repeats(40, 4, 4, {0: 2, 1: 2}) == 6
    assert (report.repeats, report.met_most) == (6, 4)
