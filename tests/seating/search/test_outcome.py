"""What is said about wishes: counted by hand, counted again by brute force, and impossible only where it is."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tournament.seating.search.outcome import ANY, Miss, judge_wishes
from tournament.seating.search.wishes import (
    REPEATS,
    TABLES,
    WINDS,
    Wish,
    Wishes,
    bring_together,
    keep_apart,
    keep_tables,
    mix_rooms,
    share_opponents,
)

TWO = [[[0, 1, 2], [3, 4, 5], [6, 7, 8]], [[1, 0, 3], [2, 4, 6], [5, 7, 8]]]


def judge(wish: Wish, rounds=TWO, *others: Wish):
    return judge_wishes(rounds, Wishes((wish, *others)), 3)[0]


def test_apart_says_where_and_who():
    outcome = judge(keep_apart("club", [(0, 1, 2)]))
    assert (outcome.missed, outcome.least, outcome.met) == (4, 0, False)
    assert outcome.where == (Miss(1, 0, (0, 1, 2)), Miss(2, 0, (0, 1)))
    assert judge(keep_apart("club", [(0, 1, 2)], rounds=(2,))).missed == 1


def test_a_club_larger_than_the_number_of_tables_cannot_be_split():
    outcome = judge(keep_apart("club", [(0, 1, 2, 3, 4)]))
    assert (outcome.least, outcome.why) == (4, "group_larger_than_tables")


def test_two_kept_at_one_table_cannot_be_apart():
    outcome = judge(keep_apart("never", [(0, 1)]), TWO, keep_tables({0: 0, 1: 0}))
    assert (outcome.missed, outcome.least, outcome.why, outcome.is_least) == (2, 2, "fixed_together", True)


def test_together():
    assert judge(bring_together("friends", [(0, 1)], (1, 2))).met
    outcome = judge(bring_together("friends", [(0, 3)], (1, 2)))
    assert (outcome.missed, outcome.where) == (1, (Miss(1, ANY, (0, 3)),))
    assert judge(bring_together("five", [range(5)], (1,))).least == 6
    parted = judge(bring_together("friends", [(0, 3)], (1,)), TWO, keep_tables({0: 0, 3: 1}))
    assert (parted.least, parted.why) == (1, "fixed_apart")


def test_repeats_name_the_pair_and_its_second_meeting():
    outcome = judge(REPEATS)
    assert (outcome.missed, outcome.least) == (2, 0)
    assert outcome.where == (Miss(2, 0, (0, 1)), Miss(2, 2, (7, 8)))


def test_repeats_are_forced_by_those_who_must_never_meet():
    everybody_apart = keep_apart("club", [(0, 1, 2, 3, 4, 5)])
    assert judge(REPEATS, TWO, everybody_apart).least == 3  # six of them have four meetings, with three others


def test_tables_winds_and_fixed():
    assert judge(TABLES).where == tuple(
        Miss(ANY, *miss) for miss in [(0, (0,)), (0, (1,)), (1, (4,)), (2, (7,)), (2, (8,))]
    )
    assert judge(WINDS, [TWO[0]] * 3).missed == 27
    assert judge(keep_tables({0: 0, 6: 2})).where == (Miss(2, 1, (6,)),)


def test_rooms_are_neither_kept_nor_changed_all_day():
    rounds = [[[0], [1]], [[0], [1]], [[0], [1]]]
    assert judge(mix_rooms({0: 0, 1: 1}), rounds).missed == 2
    changing = [[[0], [1]], [[1], [0]], [[0], [1]]]
    assert judge(mix_rooms({0: 0, 1: 1}), changing).missed == 2
    assert judge(mix_rooms({0: 0, 1: 1}), rounds[:2] + changing[1:2]).met
    assert judge(mix_rooms({0: 0, 1: 0}), rounds).met


def test_indirect_meetings():
    outcome = judge(share_opponents(1))
    assert outcome.missed == 4
    assert outcome.where == tuple(Miss(ANY, ANY, pair) for pair in [(0, 7), (0, 8), (1, 7), (1, 8)])


@st.composite
def any_rounds(draw: st.DrawFn) -> list[list[list[int]]]:
    size, tables, rounds = draw(st.sampled_from([3, 4])), draw(st.integers(2, 5)), draw(st.integers(1, 5))
    orders = [draw(st.permutations(range(size * tables))) for _ in range(rounds)]
    return [[list(order[at : at + size]) for at in range(0, len(order), size)] for order in orders]


@given(any_rounds(), st.data())
def test_misses_are_those_of_a_plain_count(rounds, data):
    size, players = len(rounds[0][0]), sum(map(len, rounds[0]))
    pairs = data.draw(st.sets(st.sampled_from(list(combinations(range(players), 2))), min_size=1, max_size=5))
    meant = data.draw(st.sets(st.integers(1, len(rounds)), min_size=1))
    together = [
        sum(any(one in table and other in table for table in tables) for one, other in pairs)
        for number, tables in enumerate(rounds, start=1)
        if number in meant
    ]
    wishes = Wishes((keep_apart("apart", sorted(pairs), meant), bring_together("together", sorted(pairs), meant)))
    missed = [outcome.missed for outcome in judge_wishes(rounds, wishes, size)]
    assert missed == [sum(together), len(pairs) * len(meant) - sum(together)]
