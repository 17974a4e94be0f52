"""Standings after a cut, worked by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.standings import Carried, Carry, CutOff, PlacedGame, Step, rank_after_cuts, rank_round_by_round


def games(**results: tuple[int, ...]) -> list[PlacedGame[str]]:
    return [
        PlacedGame(player, number, result, 1)
        for player, of_player in results.items()
        for number, result in enumerate(of_player, start=1)
    ]


# after round 2: a 30,001, b 20,000, c 10,000, d −60,001; round 3 is the final of a and b
PLAYED = games(a=(20_001, 10_000, -9_000), b=(10_000, 10_000, 9_000), c=(15_000, -5_000), d=(-45_001, -15_000))


@pytest.mark.parametrize(
    ("carry", "lines"),
    [
        ("whole", [("b", 1, 29_000), ("a", 2, 21_001), ("c", 3, 10_000), ("d", 4, -60_001)]),
        ("halved", [("b", 1, 19_000), ("a", 2, 6_000), ("c", 3, 10_000), ("d", 4, -60_001)]),
        ("cleared", [("b", 1, 9_000), ("a", 2, -9_000), ("c", 3, 10_000), ("d", 4, -60_001)]),
    ],
)
def test_those_through_carry_their_points_and_stand_above_the_others(carry: Carry, lines: list[tuple[str, int, int]]):
    ranked = rank_after_cuts("abcd", PLAYED, {}, [CutOff(2, "ab", carry)], rounds=3)
    assert [(row.standing.player, row.standing.rank, row.standing.total) for row in ranked] == lines
    assert [row.group for row in ranked] == [0, 0, 1, 1]


def test_a_row_says_what_was_carried_of_how_much():
    ranked = rank_after_cuts("abcd", PLAYED, {}, [CutOff(2, "ab", "halved")], rounds=3)
    assert {row.standing.player: row.carried for row in ranked} == {
        "b": (Carried(2, 10_000, 20_000),),
        "a": (Carried(2, 15_000, 30_001),),
        "c": (),
        "d": (),
    }


def test_half_of_what_is_lost_is_rounded_down_too():
    (row,) = rank_after_cuts("d", games(d=(-45_001, -15_000)), {}, [CutOff(2, "d", "halved")], rounds=2)
    assert (row.standing.total, row.carried) == (-30_001, (Carried(2, -30_001, -60_001),))


def test_a_penalty_before_the_cut_is_halved_with_the_rest_and_one_of_no_round_never():
    penalties = {"a": {1: 4_000, 3: 500, None: 1_000}}
    (row,) = rank_after_cuts("a", games(a=(20_000, 10_000, 0)), penalties, [CutOff(2, "a", "halved")], rounds=3)
    assert (row.standing.total, row.standing.penalties) == (13_000 - 500 - 1_000, 5_500)


def test_a_second_cut_takes_what_the_first_one_left():
    cuts = [CutOff(1, "abc", "halved"), CutOff(2, "ab", "cleared")]
    ranked = rank_after_cuts("abcd", PLAYED, {}, cuts, rounds=3)
    assert [(row.standing.player, row.standing.total, row.group) for row in ranked] == [
        ("b", 9_000, 0),
        ("a", -9_000, 0),
        ("c", 2_500, 1),
        ("d", -60_001, 2),
    ]
    assert ranked[1].carried == (Carried(1, 10_000, 20_001), Carried(2, 0, 20_000))


def test_without_a_cut_it_is_the_plain_ranking():
    ranked = rank_after_cuts("abcd", PLAYED, {"a": {1: 1}}, [], rounds=3)
    assert [(row.standing.player, row.standing.total) for row in ranked] == [
        ("b", 29_000),
        ("a", 21_000),
        ("c", 10_000),
        ("d", -60_001),
    ]


PLAYERS, LAST = range(6), 5
SOME_POINTS = st.integers(-3, 3).map(lambda points: points * 1001)  # few values, so that totals are equal


@given(
    results=st.dictionaries(st.tuples(st.sampled_from(PLAYERS), st.integers(1, LAST)), SOME_POINTS),
    penalties=st.dictionaries(
        st.sampled_from(PLAYERS), st.dictionaries(st.none() | st.integers(1, LAST), st.integers(0, 2000))
    ),
    cuts=st.lists(
        st.builds(
            CutOff,
            st.integers(1, LAST),
            st.frozensets(st.sampled_from(PLAYERS)),
            st.sampled_from(("whole", "halved", "cleared")),
        ),
        unique_by=lambda cut: cut.after_round,
        max_size=3,
    ),
    rounds=st.sets(st.integers(1, LAST)).map(sorted),
)
def test_one_pass_over_the_rounds_gives_the_rankings_after_each_of_them(
    results: dict[tuple[int, int], int],
    penalties: dict[int, dict[int | None, int]],
    cuts: list[CutOff[int]],
    rounds: list[int],
):
    games = [PlacedGame(who, at, points, 1) for (who, at), points in results.items() if at in rounds]
    wanted: dict[int, list[Step]] = {player: [] for player in PLAYERS}
    for last in rounds:
        counted = {None, *(number for number in rounds if number <= last)}
        for row in rank_after_cuts(
            PLAYERS,
            [game for game in games if game.round <= last],
            {who: {at: off for at, off in by.items() if at in counted} for who, by in penalties.items()},
            [cut for cut in cuts if cut.after_round <= last],
            rounds=last,
        ):
            line = row.standing
            wanted[line.player].append(Step(last, line.results[last - 1], line.total, line.rank, line.shared))
    assert rank_round_by_round(PLAYERS, games, penalties, cuts, rounds=rounds) == wanted


def test_who_has_had_no_game_yet_comes_last_where_places_begin_with_one():
    games = [PlacedGame(1, 1, 5, 1), PlacedGame(2, 1, -5, 2), PlacedGame(3, 2, -9, 1)]
    steps = rank_round_by_round((1, 2, 3), games, {}, [], rounds=(1, 2), from_first_game=True)
    assert {player: [step.rank for step in way] for player, way in steps.items()} == {1: [1, 1], 2: [2, 2], 3: [3, 3]}
    assert [step.rank for step in rank_round_by_round((1, 2, 3), games, {}, [], rounds=(1, 2))[3]] == [2, 3]
