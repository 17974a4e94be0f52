"""Base rank, weight and ranking of MERS, against what EMA has published where that was at hand."""

import datetime as dt
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.mers import (
    PastResult,
    austrian_points,
    austrian_ranking,
    base_rank,
    day_results,
    ranking,
    uk_ranking,
    weight_in_halves,
)

ON = dt.date(2026, 9, 13)
YEAR = dt.timedelta(days=366)


@given(st.integers(2, 400).flatmap(lambda players: st.tuples(st.just(players), st.integers(1, players))))
def test_base_ranks_are_the_nearest_whole_number(drawn: tuple[int, int]):
    players, place = drawn
    exact = Fraction(1000 * (players - place), players - 1)
    assert abs(base_rank(place, players) - exact) <= Fraction(1, 2)
    assert (base_rank(1, players), base_rank(players, players)) == (1000, 0)


# halves come up only where one less than the players is a multiple of 16: docs/decisions/0031-base-ranks.md
HALVES = {
    (17, 2): 938, (17, 4): 812, (17, 8): 562, (17, 12): 312, (17, 16): 62, (33, 31): 62, (49, 46): 62, (65, 61): 62,
    (81, 2): 988, (81, 4): 962, (81, 76): 62, (81, 80): 12, (97, 91): 62,
}  # fmt: skip


def test_a_half_goes_to_the_even_number():
    assert {(players, place): base_rank(place, players) for players, place in HALVES} == HALVES
    # tables of four without a substitute: no half at all
    for players in range(4, 401, 4):
        assert not [place for place in range(1, players) if 2000 * (players - place) / (players - 1) % 2 == 1]


def test_base_ranks_are_those_that_ema_printed():
    """Of TR_RCR_161 (40 players) and TR_RCR_76 (36): the nearest whole number, not the next below."""
    assert [base_rank(27, 40), base_rank(28, 36), base_rank(29, 36)] == [333, 229, 200]


def test_there_is_no_place_beyond_the_last():
    with pytest.raises(ValueError, match="no place 5 among 4"):
        base_rank(5, 4)


@pytest.mark.parametrize(
    ("days", "players", "countries", "qualified", "halves"),
    [
        (1, 40, 5, False, 2), (1, 41, 5, False, 3), (1, 80, 6, False, 4), (2, 81, 9, False, 7),
        (3, 81, 10, True, 12), (4, 1, 1, False, 6),
        # as EMA published them: Twickenham 2023 (TR_RCR_287), and Hatsumi Taikai 2024, at 33 entries and at 84
        (2, 64, 10, False, 7), (2, 33, 4, False, 4), (2, 84, 10, False, 8),
    ],
)  # fmt: skip
def test_weights_step_where_the_federation_says(days: int, players: int, countries: int, qualified: bool, halves: int):
    assert weight_in_halves(days=days, players=players, countries=countries, qualified=qualified) == halves


def past(*bases: int, halves: int = 2, ended: dt.date = ON) -> list[PastResult]:
    """Make results of the same weight and day."""
    return [PastResult(base, halves, ended) for base in bases]


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        # fewer than two: none
        ([], None), (past(900), None), ([*past(900), *past(900, ended=ON - 3 * YEAR)], None),
        # two, filled up to five with nothing: (1500 / 5 + 1500 / 4) / 2
        (past(1000, 500), Fraction(675, 2)),
        # ten: nine of them (5 + 80 % of 5), and the four best
        (past(*range(1000, 0, -100)), (Fraction(5400, 9) + Fraction(3400, 4)) / 2),
        # six: 5 + 80 % of 1, rounded up, are all six
        (past(600, 500, 400, 300, 200, 100), (Fraction(2100, 6) + Fraction(1800, 4)) / 2),
        # a real last place, 500 days old, goes before the filler
        (
            [*past(900, 800, 700), *past(0, ended=ON - dt.timedelta(days=500))],
            (Fraction(4800, 9) + Fraction(4800, 7)) / 2,
        ),
        # weights and age: 1000 with weight 2 a year old weighs 1
        ([*past(1000, halves=4, ended=ON - YEAR), *past(*[500] * 4)], (Fraction(3000, 5) + Fraction(2500, 4)) / 2),
        # the day itself a year ago still counts whole; a result of tomorrow not yet
        (past(1000, 500, ended=dt.date(2025, 9, 13)), Fraction(675, 2)),
        (past(1000, 500, ended=ON + dt.timedelta(days=1)), None),
        # of two 500s the one that weighs more is among the four best
        (
            [*past(1000, 900, 800, 500), *past(500, halves=6)],
            (Fraction(4700, 7) + Fraction(4200, 6)) / 2,
        ),
        # who wins everything has 1000, from five results on
        (past(*[1000] * 5), Fraction(1000)),
    ],
)  # fmt: skip
def test_a_ranking_is_half_the_best_results_and_half_the_four_best(
    results: list[PastResult], expected: Fraction | None
):
    assert ranking(results, ON) == expected


def test_a_leap_day_has_its_day_before():
    assert ranking(past(1000, 500, ended=dt.date(2027, 2, 28)), dt.date(2028, 2, 29)) == Fraction(675, 2)


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(2, 12)), min_size=2, max_size=30), st.randoms())
def test_a_ranking_lies_between_nothing_and_the_best_result_in_any_order(drawn: list[tuple[int, int]], rng):
    results = [PastResult(base, halves, ON) for base, halves in drawn]
    found = ranking(results, ON)
    assert found is not None
    assert 0 <= found <= max(base for base, _ in drawn)
    rng.shuffle(results)
    assert ranking(results, ON) == found


# ---------------------------------------------------------------- national lists


@pytest.mark.parametrize(
    ("events", "wanted"),
    [
        # base rank and days of each event; days short of ten are 0, and of nine tenths rounded up the last goes
        ([(1000, 3)], (Fraction(3000, 9) + Fraction(3000, 8)) / 2),
        ([(900, 3), (600, 2)], (Fraction(3900, 9) + Fraction(3900, 8)) / 2),
        ([(500, 3)] * 4 + [(100, 1)], (Fraction(6000, 12) + 500) / 2),
        ([(500, 3)] * 6 + [(100, 3)], (Fraction(9100, 19) + 500) / 2),
        ([], 0),
    ],
)
def test_the_uk_list_takes_days_and_halves_both_means(events: list[tuple[int, int]], wanted: Fraction):
    assert uk_ranking([day for base, days in events for day in day_results(base, days)]) == wanted


def test_the_austrian_list_gives_points_to_the_upper_half():
    assert [austrian_points(place, 7) for place in range(1, 8)] == [1000, 714, 429, 143, 0, 0, 0]
    assert [austrian_points(place, 40) for place in (1, 2, 11, 20, 21, 40)] == [1000, 950, 500, 50, 0, 0]


def test_the_austrian_list_takes_all_at_home_and_three_abroad():
    assert austrian_ranking([950, 50, 0, 500], [100, 700, 300, 200]) == 1500 + 1200
    assert (austrian_ranking([], []), austrian_ranking([], [10])) == (0, 10)


def restated_ranking(results: list[tuple[int, float, int]]) -> float | None:
    """Return a ranking step by step as EMA's page tells it: (base rank, weight, age in days) of each result.

    Written from the page "Basics for ranking system", not from the program, and in decimals.
    """
    counted = [[base, weight * (0.5 if age > 365 else 1.0)] for base, weight, age in results if age <= 730]
    if len(counted) < 2:
        return None
    counted.sort(key=lambda each: (each[0], each[1]), reverse=True)
    while len(counted) < 5:
        counted.append([0, 1.0])
    more = len(counted) - 5
    part_a = counted[: 5 + -(-more * 4 // 5)]
    part_b = counted[:4]

    def mean(part: list[list[float]]) -> float:
        return sum(base * weight for base, weight in part) / sum(weight for _base, weight in part)

    return (mean(part_a) + mean(part_b)) / 2


def test_a_ranking_equals_the_restated_rule_for_20_000_random_people():
    chance = Random(20_000)
    on, ranked = dt.date(2026, 9, 13), 0
    for _ in range(20_000):
        results = [
            (chance.choice((0, 1000, chance.randint(0, 1000))), chance.randint(2, 10) / 2, chance.randint(0, 900))
            for _result in range(chance.randint(0, 12))
        ]
        past = [PastResult(base, int(weight * 2), on - dt.timedelta(days=age)) for base, weight, age in results]
        wanted, found = restated_ranking(results), ranking(past, on)
        assert (wanted is None) == (found is None)
        if wanted is not None and found is not None:
            ranked += 1
            assert float(found) == pytest.approx(wanted, abs=1e-9)
    assert ranked > 15_000
