"""Fields that fill no table: the ways offered, their cost, and draws that keep what was told before."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.seating.search.draw import UnevenDraw, UnevenOption, UnevenSeating, draw_uneven, option_for, options_for
from tournament.seating.search.quality import Tally, tally
from tournament.seating.search.schedule import SeatingError
from tournament.seating.search.wishes import keep_apart, preset


def ways(players: int, table_size: int, rounds: int = 8) -> list[tuple[str, int, int, int]]:
    return [
        (option.way.value, option.substitutes, option.rests, sum(size != table_size for size in option.sizes))
        for option in options_for(players, table_size, rounds)
    ]


def test_the_ways_offered():
    assert ways(40, 4) == [("full", 0, 0, 0)]
    assert ways(41, 4) == [("substitutes", 3, 0, 0), ("other_tables", 0, 0, 3), ("rests", 0, 1, 0)]
    assert ways(43, 4) == [("substitutes", 1, 0, 0), ("other_tables", 0, 0, 1), ("rests", 0, 3, 0)]
    assert ways(25, 3) == [("substitutes", 2, 0, 0), ("other_tables", 0, 0, 1), ("rests", 0, 1, 0)]
    assert ways(5, 4) == [("substitutes", 3, 0, 0), ("rests", 0, 1, 0)]  # no tables of three and four make five


def test_the_cost_is_told_before():
    _, threes, rests = options_for(41, 4, 8)
    assert (threes.other_least, threes.other_most, threes.repeats_bound) == (1, 2, 0)
    assert (rests.rests_least, rests.rests_most, rests.repeats_bound) == (0, 1, 0)
    assert [option.repeats_bound for option in options_for(13, 4, 6)] == [24, 12, 30]


def test_a_closed_way_and_too_few_players_are_refused():
    with pytest.raises(SeatingError) as raised:
        option_for(UnevenSeating.OTHER_TABLES, 5, 4, 5)
    assert raised.value.problem.code == "seating.way_closed"
    with pytest.raises(SeatingError) as raised:
        options_for(2, 3, 4)
    assert raised.value.problem.code == "seating.too_few"


def check(option: UnevenOption, drawn: UnevenDraw) -> Tally:
    everybody = list(range(option.players + option.substitutes))
    games: Counter[int] = Counter()
    met: Counter[tuple[int, int]] = Counter()
    for tables, resting in zip(drawn.rounds, drawn.resting, strict=True):
        assert sorted([*(player for table in tables for player in table), *resting]) == everybody
        assert [len(table) for table in tables] == list(option.sizes)
        assert len(resting) == option.rests
        games.update(player for table in tables for player in table)
        met.update(pair for table in tables for pair in combinations(sorted(table), 2))
    figures = tally(drawn.rounds, option.table_size, range(option.players))
    assert figures.repeats == sum(comb(times, 2) for times in met.values()) >= option.repeats_bound
    rests = [option.rounds - games[player] for player in range(option.players)]
    assert (min(rests), max(rests)) == (option.rests_least, option.rests_most)
    return figures


@given(
    table_size=st.sampled_from([3, 4]),
    players=st.integers(9, 30),
    rounds=st.integers(1, 6),
    seed=st.integers(0, 99),
    data=st.data(),
)
@settings(max_examples=12, deadline=None)
def test_everybody_sits_or_rests_and_rests_are_even(table_size, players, rounds, seed, data):
    option = data.draw(st.sampled_from(options_for(players, table_size, rounds)))
    check(option, draw_uneven(option, seed=seed, time_limit=0.5))


ODD = [(41, 4, 8), (42, 4, 8), (25, 3, 6), (26, 3, 6)]
WAYS = (UnevenSeating.OTHER_TABLES, UnevenSeating.RESTS)
BY_TURNS = [(*ODD[1], UnevenSeating.RESTS), (*ODD[3], UnevenSeating.OTHER_TABLES)]


@pytest.mark.parametrize(
    ("players", "size", "rounds", "way"),
    [
        pytest.param(*field, way, marks=() if (*field, way) in BY_TURNS else pytest.mark.nightly)
        for field in ODD
        for way in WAYS
    ],
)
def test_nobody_meets_twice_and_the_odd_seats_are_shared(players, size, rounds, way):
    option = option_for(way, players, size, rounds)
    drawn = draw_uneven(option, seed=1, time_limit=20)
    figures = check(option, drawn)
    others = Counter(who for tables in drawn.rounds for table in tables if len(table) != size for who in table)
    counts = [others[who] for who in range(players)]
    assert figures.repeats == 0
    assert (min(counts), max(counts)) == (option.other_least, option.other_most)
    assert figures.winds_spread <= 2


def test_substitutes_meet_nobody_twice_and_never_each_other():
    option = options_for(41, 4, 8)[0]
    drawn = draw_uneven(option, seed=1)
    assert check(option, drawn).repeats == 0
    assert drawn.substitutes == (41, 42, 43)
    assert all(len(set(table) & {41, 42, 43}) < 2 for tables in drawn.rounds for table in tables)


@pytest.mark.parametrize("way", list(UnevenSeating)[1:])
def test_wishes_and_fixed_tables_hold_in_odd_fields(way):
    wishes = preset("apart", [keep_apart("club", [range(9)], (1, 2))])
    option = option_for(way, 41, 4, 3)
    drawn = draw_uneven(option, seed=2, time_limit=20, fixed_tables={20: 3}, wishes=wishes)
    check(option, drawn)
    assert all(len(set(table) & set(range(9))) < 2 for tables in drawn.rounds[:2] for table in tables)
    assert {at for tables in drawn.rounds for at, table in enumerate(tables) if 20 in table} == {3}


@pytest.mark.parametrize("way", list(UnevenSeating)[1:])
def test_a_seed_repeats_its_draw(way):
    option = option_for(way, 41, 4, 3)
    first, again, other = (draw_uneven(option, seed=seed, time_limit=20) for seed in (3, 3, 4))
    assert first == again
    assert first.rounds != other.rounds
