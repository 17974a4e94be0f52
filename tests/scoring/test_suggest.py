"""Suggested tables: everybody once, the longest waiting first, those together who met least, and better than chance."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.suggest import BUCKET, WaitingPlayer, count_meetings, part_players, sort_waiting, suggest_tables
from tools.bench.open_nights import measure

PLAYERS = st.lists(
    st.builds(
        WaitingPlayer,
        key=st.integers(1, 60),
        minutes=st.integers(0, 200),
        games=st.integers(0, 6),
        rested=st.integers(0, 500),
        winds=st.lists(st.integers(0, 9), max_size=4).map(tuple),
    ),
    max_size=26,
    unique_by=lambda player: player.key,
)
MEETINGS = st.dictionaries(
    st.tuples(st.integers(1, 60), st.integers(1, 60)).filter(lambda pair: pair[0] < pair[1]), st.integers(1, 9)
)


@settings(max_examples=60, deadline=None)
@given(PLAYERS, MEETINGS, st.sampled_from([(3,), (4,), (4, 3), (3, 4)]))
def test_everybody_is_seated_once_or_rests(waiting, meetings, sizes):
    found = suggest_tables(waiting, meetings, sizes=sizes)
    keys = [*(key for table in found.tables for key in table), *found.resting]
    assert sorted(keys) == sorted(player.key for player in waiting)
    assert all(len(table) in sizes for table in found.tables)
    assert [len(table) for table in found.tables] == part_players(len(waiting), sizes)
    assert found == suggest_tables(waiting[::-1], meetings, sizes=sizes)


@pytest.mark.parametrize("sizes", [(4, 3), (3, 4)])
@pytest.mark.parametrize("players", range(3, 41))
def test_with_two_sizes_nobody_rests_but_of_five_and_as_few_tables_as_can_be_have_the_other(players, sizes):
    tables = part_players(players, sizes)
    assert players - sum(tables) == {5: 1}.get(players, 0)
    fewer = range(tables.count(sizes[1]))
    assert all((players - count * sizes[1]) % sizes[0] for count in fewer if players != 5)


def test_17_people_fill_two_tables_of_four_and_three_of_three():
    assert part_players(17, (4, 3)) == [4, 4, 3, 3, 3]
    assert part_players(17, (4,)) == [4, 4, 4, 4]


@settings(max_examples=60, deadline=None)
@given(PLAYERS, MEETINGS)
def test_nobody_rests_who_waited_longer_than_somebody_who_sits(waiting, meetings):
    found = suggest_tables(waiting, meetings, sizes=(4,))
    order = [player.key for player in sort_waiting(waiting)]
    assert list(found.resting) == order[len(order) - len(found.resting) :]
    minutes = {player.key: player.minutes // BUCKET for player in waiting}
    seated = [minutes[key] for table in found.tables for key in table]
    assert all(minutes[key] <= min(seated, default=0) for key in found.resting if seated)


@settings(max_examples=60, deadline=None)
@given(PLAYERS, MEETINGS)
def test_no_swap_of_two_players_makes_fewer_meetings(waiting, meetings):
    tables = [list(table) for table in suggest_tables(waiting, meetings, sizes=(4,)).tables]
    cost = sum(count_meetings(table, meetings) for table in tables)
    for one, other in combinations(tables, 2):
        for left, right in [(left, right) for left in range(4) for right in range(4)]:
            one[left], other[right] = other[right], one[left]
            assert sum(count_meetings(table, meetings) for table in tables) >= cost
            one[left], other[right] = other[right], one[left]


def test_eight_who_played_in_two_fours_are_mixed():
    before = [(1, 2, 3, 4), (5, 6, 7, 8)]
    meetings = dict.fromkeys((pair for table in before for pair in combinations(table, 2)), 1)
    found = suggest_tables([WaitingPlayer(key) for key in range(1, 9)], meetings, sizes=(4,))
    assert [count_meetings(table, meetings) for table in found.tables] == [2, 2]


def test_each_sits_in_the_wind_that_is_rare_for_them():
    winds = [(0, 3, 3, 3), (3, 0, 3, 3), (3, 3, 0, 3), (3, 3, 3, 0)]
    waiting = [WaitingPlayer(key, winds=winds[key - 1]) for key in (4, 3, 2, 1)]
    assert suggest_tables(waiting, {}, sizes=(4,)).tables == ((1, 2, 3, 4),)


@pytest.mark.parametrize("people", [13, 14, 18])
def test_those_who_are_too_many_rest_in_turn(people):
    """Whole rounds of an hour: who has rested sits in the next one, and all rest equally often."""
    waiting = {key: WaitingPlayer(key) for key in range(people)}
    rests = dict.fromkeys(waiting, 0)
    for _round in range(people):
        found = suggest_tables(list(waiting.values()), {}, sizes=(4,))
        for key, before in list(waiting.items()):
            rests_now = key in found.resting
            assert not (rests_now and before.minutes)
            rests[key] += rests_now
            waiting[key] = WaitingPlayer(
                key,
                60 if rests_now else 0,
                before.games + (not rests_now),
                before.rested + (60 if rests_now else 0),
            )
    assert set(rests.values()) == {people % 4}


def test_suggested_nights_repeat_fewer_meetings_and_share_rests_better_than_chance():
    """The short form of `python -m tools.bench.open_nights`."""
    suggested, chance = measure(25, 17, "suggest"), measure(25, 17, "chance")
    assert suggested["repeats_a_night"] < 0.85 * chance["repeats_a_night"]
    assert suggested["met_deviation"] < 0.6 * chance["met_deviation"]
    assert suggested["rest_deviation"] < 0.5 * chance["rest_deviation"]
    assert suggested["winds_spread"] < 0.3 * chance["winds_spread"]
