"""What every drawn schedule owes: everybody once a round, winds at the bound, the same again from the same seed."""

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.table_test import tabled
from tournament.seating.search import annealing
from tournament.seating.search.draw import Schedule, draw_schedule
from tournament.seating.search.quality import assess, count_winds
from tournament.seating.search.schedule import SeatingError

pytestmark = pytest.mark.whole_run


def relabelled(schedule: Schedule, names: list[int]) -> list[list[list[int]]]:
    return [[[names[player] for player in table] for table in tables] for tables in schedule.rounds]


@given(
    table_size=st.sampled_from([3, 4]),
    tables=st.integers(1, 12),
    rounds=st.integers(1, 6),
    seed=st.integers(0, 2**32),
    data=st.data(),
)
@settings(max_examples=25)
def test_everybody_sits_once_a_round_and_relabelling_changes_no_figure(table_size, tables, rounds, seed, data):
    players = table_size * tables
    schedule = draw_schedule(players=players, table_size=table_size, rounds=rounds, seed=seed, time_limit=0.3)
    for drawn in schedule.rounds:
        assert sorted(player for table in drawn for player in table) == list(range(players))
        assert {len(table) for table in drawn} == {table_size}
    assert len(schedule.rounds) == rounds
    assert schedule.report.winds_spread <= schedule.report.winds_least
    blocks = (schedule.rounds[at : at + table_size] for at in range(0, rounds, table_size))
    assert all(max(count_winds(block).values()) == 1 for block in blocks)
    names = data.draw(st.permutations(range(players)))
    report = schedule.report
    again = assess(
        relabelled(schedule, list(names)), players, table_size, method=report.method, cut_short=report.cut_short
    )
    assert again == report


# From the field's benchmark: size, players, rounds, the fewest repeats known. All of it is in test_benchmark.
ROWS = [(3, 9, 10, 72), (3, 24, 6, 0), (4, 16, 12, 216), (4, 24, 7, 0), (4, 24, 10, 84)]


@pytest.mark.parametrize(("size", "players", "rounds", "best"), ROWS)
def test_the_benchmark_row_is_reached_with_its_winds(size, players, rounds, best):
    report = draw_schedule(players=players, table_size=size, rounds=rounds, seed=2026).report
    assert report.repeats == best
    assert report.repeats_least == best
    assert report.winds_spread == (0 if rounds % size == 0 else 1)


@pytest.mark.parametrize(
    ("size", "players", "rounds"), [(4, 32, 7), (4, 40, 9), (4, 100, 12), (4, 1000, 12), (3, 30, 9)]
)
def test_nobody_comes_to_a_table_again(size, players, rounds):
    report = draw_schedule(players=players, table_size=size, rounds=rounds, seed=1).report
    assert (report.repeats, report.tables_most, report.tables_spread, report.tables_kept) == (0, 1, 1, 0)


@pytest.mark.parametrize(("size", "players", "rounds"), [(4, 24, 6), (3, 24, 6), (4, 8, 3), (4, 16, 6)])
def test_a_seed_repeats_its_schedule_and_another_does_not(size, players, rounds):
    def drawn(seed: int) -> Schedule:
        return draw_schedule(players=players, table_size=size, rounds=rounds, seed=seed, time_limit=2)

    first, again, other = map(drawn, (7, 7, 8))
    assert first == again
    assert first.rounds != other.rounds


def test_a_known_seed_gives_the_schedule_that_it_always_gave():
    """Changing this is changing every draw that was announced with its seed: say so in the changelog."""
    schedule = draw_schedule(players=9, table_size=3, rounds=2, seed=5)
    assert schedule.rounds == (((7, 5, 1), (6, 0, 4), (8, 3, 2)), ((5, 2, 0), (4, 7, 3), (1, 6, 8)))


# Each is stored or by formula: of so many rounds, nothing is searched but the numbers of tables.
STOCK = [
    *((4, players, rounds) for players in (4, 16, 24, 40, 44, 52, 60, 64, 100, 160) for rounds in (3, 5, 8, 11, 13)),
    *((4, players, rounds) for players in (20, 32) for rounds in (3, 5, 8, 11, 12)),
    *((3, players, rounds) for players in (3, 9, 15, 24, 27, 45, 63, 90) for rounds in (4, 6, 9, 11, 13)),
]


def test_a_hundred_draws_of_stored_sizes_are_what_they_always_were(monkeypatch):
    """The clock is held still, so that it cuts no search. The digest is older than `longest_rounds`."""
    monkeypatch.setattr(annealing, "thread_time", lambda: 0.0)
    digest = sha256()
    for size, players, rounds in STOCK:
        drawn = draw_schedule(players=players, table_size=size, rounds=rounds, seed=2026, time_limit=0.5)
        digest.update(repr(drawn.rounds).encode())
    assert len(STOCK) == 100
    assert digest.hexdigest() == "a05648d68ed63aa5cb1a4c61b80903e0b1f13f579e56497c96c6e33915321d9d"


def test_the_clock_cuts_a_search_and_the_report_says_so():
    report = draw_schedule(players=36, table_size=4, rounds=30, seed=1, time_limit=0.001).report
    assert report.cut_short
    assert report.method.endswith(", cut short by the clock")
    assert report.winds_spread == 1


BAD = [
    ({"players": 23}, "seating.not_a_multiple"),
    ({"players": 3}, "seating.too_few"),
    ({"players": 0}, "seating.too_few"),
    ({"players": 4_000_000}, "seating.too_many"),
    ({"table_size": 5}, "seating.table_size_unknown"),
    ({"rounds": 0}, "seating.rounds_too_few"),
    ({"rounds": 1000}, "seating.rounds_too_many"),
    ({"time_limit": 0}, "seating.time_limit_too_short"),
    ({"time_limit": float("nan")}, "seating.time_limit_too_short"),
    ({"fixed_tables": {24: 0}}, "seating.fixed_player_unknown"),
    ({"fixed_tables": {-1: 0}}, "seating.fixed_player_unknown"),
    ({"fixed_tables": {0: 6}}, "seating.fixed_table_unknown"),
    ({"fixed_tables": dict.fromkeys(range(5), 0)}, "seating.fixed_table_full"),
]


@tabled("change, code", BAD)
def test_a_wish_that_cannot_be_met_is_refused_in_words(change, code):
    wish = {"players": 24, "table_size": 4, "rounds": 6, "seed": 1} | change
    with pytest.raises(SeatingError) as raised:
        draw_schedule(**wish)
    assert raised.value.problem.code == code
    assert str(raised.value).endswith(".")


def test_the_refusal_of_an_odd_field_says_which_numbers_would_do():
    with pytest.raises(SeatingError) as raised:
        draw_schedule(players=22, table_size=4, rounds=6, seed=1)
    assert str(raised.value) == (
        "22 players do not fill tables of 4: 2 would be left over. "
        "Ask for 20 or 24 players, with substitutes if need be."
    )
    assert raised.value.problem.params == {"players": 22, "table_size": 4, "spare": 2, "below": 20, "above": 24}
