"""Places, uma and results: leftover riichi sticks, ties of every form for three and four players. By hand."""

import dataclasses
import itertools
import random
from operator import sub

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules.books import book_keys, load
from scoring.game import play
from scoring.placement import (
    Final,
    count_sheets,
    finish,
    finish_sheet,
    give_leftover,
    payment_unit,
    places_of,
    settle,
    uma_of,
    with_substitutes,
)
from scoring.shorthand import parse
from scoring.state import TableState
from tests.scoring.table import state
from tests.table_test import tabled

# Scores best first, their places, and the uma of each (E25 3.7.1; WRC 10.3): tied places share equally.
YONMA = [
    ((40_000, 33_000, 27_000, 20_000), (1, 2, 3, 4), (15_000, 5000, -5000, -15_000)),
    ((35_000, 35_000, 30_000, 20_000), (1, 1, 3, 4), (10_000, 10_000, -5000, -15_000)),
    ((40_000, 30_000, 30_000, 20_000), (1, 2, 2, 4), (15_000, 0, 0, -15_000)),
    ((40_000, 30_000, 25_000, 25_000), (1, 2, 3, 3), (15_000, 5000, -10_000, -10_000)),
    ((35_000, 35_000, 25_000, 25_000), (1, 1, 3, 3), (10_000, 10_000, -10_000, -10_000)),
    ((32_000, 32_000, 32_000, 24_000), (1, 1, 1, 4), (5000, 5000, 5000, -15_000)),
    ((36_000, 28_000, 28_000, 28_000), (1, 2, 2, 2), (15_000, -5000, -5000, -5000)),
    ((30_000, 30_000, 30_000, 30_000), (1, 1, 1, 1), (0, 0, 0, 0)),
]
SANMA = [
    ((40_000, 30_000, 20_000), (1, 2, 3), (15_000, 0, -15_000)),
    ((35_000, 35_000, 20_000), (1, 1, 3), (7500, 7500, -15_000)),
    ((40_000, 25_000, 25_000), (1, 2, 2), (15_000, -7500, -7500)),
    ((30_000, 30_000, 30_000), (1, 1, 1), (0, 0, 0)),
]


@tabled("scores, places, uma", YONMA)
@tabled("key", ["ema-2025", "wrc-2025", "rakkii-nomi-2026"])
def test_four_whoever_sits_where(
    key: str, scores: tuple[int, ...], places: tuple[int, ...], uma: tuple[int, ...]
) -> None:
    for order in itertools.permutations(range(4)):
        final = finish(state(key, scores=tuple(scores[i] for i in order)), load(key))
        assert final.places == tuple(places[i] for i in order)
        assert final.uma == tuple(uma[i] for i in order)
        assert final.results == tuple(scores[i] - 30_000 + uma[i] for i in order)


@pytest.mark.states("places_3")
@pytest.mark.parametrize(("scores", "places", "uma"), SANMA, ids=["".join(map(str, case[1])) for case in SANMA])
def test_three_whoever_sits_where(scores: tuple[int, ...], places: tuple[int, ...], uma: tuple[int, ...]) -> None:
    for order in itertools.permutations(range(3)):
        final = finish(state("sanmatsuri-2026", scores=tuple(scores[i] for i in order)), load("sanmatsuri-2026"))
        assert final.places == tuple(places[i] for i in order)
        assert final.uma == tuple(uma[i] for i in order)
        assert final.results == tuple(scores[i] - 30_000 + uma[i] for i in order)


def test_a_whole_result_under_ema() -> None:
    assert finish(state("ema-2025", scores=(26_300, 41_000, 19_700, 33_000)), load("ema-2025")) == Final(
        scores=(26_300, 41_000, 19_700, 33_000),
        leftover=0,
        places=(3, 1, 4, 2),
        uma=(-5000, 15_000, -15_000, 5000),
        results=(-8700, 26_000, -25_300, 8000),
    )


def test_a_whole_result_under_tenhou_with_oka_and_seat_order() -> None:
    # start 25,000, return 30,000: 20,000 for the first on top of 20-10-(-10)-(-20); equal scores go by seat
    final = finish(state("tenhou-yonma", scores=(20_000, 30_000, 30_000, 20_000)), load("tenhou-yonma"))
    assert final.places == (3, 1, 2, 4)
    assert final.uma == (-10_000, 40_000, 10_000, -20_000)
    assert final.results == (-20_000, 40_000, 10_000, -30_000)
    assert sum(final.results) == 0


def test_a_whole_result_under_tenhou_of_three() -> None:
    final = finish(state("tenhou-sanma", scores=(35_000, 35_000, 35_000)), load("tenhou-sanma"))
    assert final.places == (1, 2, 3)
    assert final.uma == (35_000, 0, -20_000)
    assert final.results == (30_000, -5000, -25_000)


# ---------------------------------------------------------------- leftover deposits (E25 3.7; RK 2.2; WRC 10.2)


@tabled(
    "key, scores, sticks, given, leftover",
    [
        ("ema-2025", (29_000, 40_000, 30_000, 20_000), 1, (29_000, 41_000, 30_000, 20_000), 0),
        ("ema-2025", (29_000, 38_000, 30_000, 20_000), 3, (29_000, 41_000, 30_000, 20_000), 0),
        ("ema-2025", (35_000, 35_000, 29_000, 20_000), 1, (35_500, 35_500, 29_000, 20_000), 0),
        ("ema-2025", (33_000, 20_000, 33_000, 33_000), 1, (33_333, 20_000, 33_333, 33_333), 1),
        ("ema-2025", (32_000, 22_000, 32_000, 32_000), 2, (32_666, 22_000, 32_666, 32_666), 2),
        ("ema-2025", (29_000, 29_000, 29_000, 30_000), 3, (29_000, 29_000, 29_000, 33_000), 0),
        ("ema-2025", (29_750, 29_750, 29_750, 29_750), 1, (30_000, 30_000, 30_000, 30_000), 0),
        ("rakkii-nomi-2026", (35_000, 35_000, 29_000, 20_000), 1, (35_500, 35_500, 29_000, 20_000), 0),
        ("rakkii-nomi-2026", (33_000, 33_000, 33_000, 20_000), 1, (33_333, 33_333, 33_333, 20_000), 1),
        ("wrc-2025", (29_000, 40_000, 30_000, 20_000), 1, (29_000, 40_000, 30_000, 20_000), 1000),
        ("wrc-2025", (35_000, 35_000, 28_000, 20_000), 2, (35_000, 35_000, 28_000, 20_000), 2000),
        ("sanmatsuri-2026", (40_000, 29_000, 20_000), 1, (41_000, 29_000, 20_000), 0),
        ("sanmatsuri-2026", (29_500, 30_000, 29_500), 1, (29_500, 31_000, 29_500), 0),
        ("sanmatsuri-2026", (35_000, 35_000, 19_000), 1, (35_500, 35_500, 19_000), 0),
        ("sanmatsuri-2026", (29_000, 29_000, 29_000), 3, (30_000, 30_000, 30_000), 0),
        ("sanmatsuri-2026", (29_600, 29_700, 29_700), 1, (29_600, 30_200, 30_200), 0),
        ("tenhou-yonma", (20_000, 30_000, 30_000, 19_000), 1, (20_000, 31_000, 30_000, 19_000), 0),
        ("tenhou-sanma", (34_000, 34_000, 34_000), 3, (37_000, 34_000, 34_000), 0),
    ],
)
def test_leftover_deposits(
    key: str, scores: tuple[int, ...], sticks: int, given: tuple[int, ...], leftover: int
) -> None:
    final = finish(state(key, scores=scores, sticks=sticks), load(key))
    assert (final.scores, final.leftover) == (given, leftover)


@pytest.mark.states("placement")
@tabled(
    "key, scores, missing, given, leftover",
    [
        ("ema-2025", (29_000, 40_000, 30_000, 20_000), 1_000, (29_000, 41_000, 30_000, 20_000), 0),
        ("rakkii-nomi-2026", (35_000, 35_000, 29_000, 20_000), 1_000, (35_500, 35_500, 29_000, 20_000), 0),
        ("rakkii-nomi-2026", (33_333, 33_333, 33_333, 20_000), 1, (33_333, 33_333, 33_333, 20_000), 1),
        ("sanmatsuri-2026", (40_000, 29_000, 20_000), 1_000, (41_000, 29_000, 20_000), 0),
        ("sanmatsuri-2026", (29_666, 29_666, 29_666), 2, (29_666, 29_666, 29_666), 2),
        ("wrc-2025", (29_000, 40_000, 29_000, 20_000), 2_000, (29_000, 40_000, 29_000, 20_000), 2_000),
        ("tenhou-yonma", (20_000, 30_000, 30_000, 19_000), 1_000, (20_000, 31_000, 30_000, 19_000), 0),
        # no riichi stick, and no share of one: still missing
        ("ema-2025", (29_500, 40_000, 30_000, 20_000), 500, (29_500, 40_000, 30_000, 20_000), 0),
        ("ema-2025", (31_000, 40_000, 30_000, 20_000), -1_000, (31_000, 40_000, 30_000, 20_000), 0),
        ("wrc-2025", (29_500, 40_000, 30_000, 20_000), 500, (29_500, 40_000, 30_000, 20_000), 0),
    ],
)
def test_points_missing_from_final_scores_go_where_the_book_says(
    key: str, scores: tuple[int, ...], missing: int, given: tuple[int, ...], leftover: int
) -> None:
    assert settle(scores, missing, load(key)) == (given, leftover)
    assert settle(given, leftover, load(key)) == (given, leftover)


def test_three_share_a_thousand_and_one_point_is_lost() -> None:
    final = finish(state("sanmatsuri-2026", scores=(29_000,) * 3, sticks=1), load("sanmatsuri-2026"))
    assert final == Final(
        scores=(29_333,) * 3, leftover=1, places=(1, 1, 1), uma=(0, 0, 0), results=(29_333 - 30_000,) * 3
    )


@pytest.mark.states("before_uma")
def test_leftover_deposits_come_before_uma_and_move_no_place() -> None:
    final = finish(state("ema-2025", scores=(39_000, 33_000, 27_000, 20_000), sticks=1), load("ema-2025"))
    assert final.places == (1, 2, 3, 4)
    assert final.results == (40_000 - 30_000 + 15_000, 8000, -8000, -25_000)


def test_points_that_were_lost_before_stay_lost() -> None:
    table = TableState((45_000, 30_000, 25_000, 18_000), lost=2000, ended=True)
    assert give_leftover(table, load("wrc-2025")) == ((45_000, 30_000, 25_000, 18_000), 2000)
    assert give_leftover(table, load("ema-2025")) == ((45_000, 30_000, 25_000, 18_000), 2000)


def test_points_lost_before_and_now_add_up() -> None:
    table = TableState((29_000, 29_000, 29_000), sticks=1, lost=2000)
    assert give_leftover(table, load("sanmatsuri-2026")) == ((29_333, 29_333, 29_333), 2001)
    assert give_leftover(table, load("wrc-2025")) == ((29_000, 29_000, 29_000), 3000)


def test_of_uma_that_does_not_divide_the_odd_hundreds_go_by_seat() -> None:
    rules = dataclasses.replace(load("ema-2025"), uma=(20_000, 10_000, -10_000, -20_000))
    assert uma_of((1, 1, 1, 4), rules) == (6700, 6700, 6600, -20_000)
    assert uma_of((2, 1, 2, 2), rules) == (-6600, 20_000, -6700, -6700)
    odd = dataclasses.replace(rules, uma=(10_001, 0, -1, -10_000))
    assert uma_of((1, 1, 3, 4), odd) == (5001, 5000, -1, -10_000)


# Busted players pay 10,000 of the result to the player of the hand; of several, to the next after them (KD).
@tabled(
    "line, scores, prizes",
    [
        ("2r1 m", (1000, 40_000, 64_000), (-10_000, 10_000, 0)),  # he need not lead
        ("2t h", (1000, 40_000, 64_000), (-10_000, 10_000, 0)),
        ("2t y", (1000, 94_000, 10_000), (-10_000, 20_000, -10_000)),
        ("2r1 m+3 m", (1000, 40_000, 64_000), (-10_000, 10_000, 0)),
        ("2r3 m+1 m", (40_000, 64_000, 1000), (10_000, 0, -10_000)),
        ("d23", (500, 40_000, 64_500), (-10_000, 10_000, 0)),
        ("d13", (40_000, 500, 64_500), (0, -10_000, 10_000)),
        ("2r1 m", (8000, 40_000, 57_000), (-10_000, 10_000, 0)),  # exactly zero
        ("2r1 m", (8100, 40_000, 56_900), (0, 0, 0)),
    ],
)
def test_who_busts_pays_a_prize(line: str, scores: tuple[int, ...], prizes: tuple[int, ...]) -> None:
    rules = load("kansai-sanma")
    after = play(parse(line), state("kansai-sanma", scores=scores), rules).after
    final = finish(after, rules)
    plain = finish(after, dataclasses.replace(rules, bust_prize=0))
    assert tuple(a - b for a, b in zip(final.results, plain.results, strict=True)) == prizes
    assert tuple(a - b for a, b in zip(final.uma, plain.uma, strict=True)) == prizes
    assert (final.places, after.ended) == (plain.places, any(prizes))


def test_of_a_game_known_by_its_scores_the_first_place_gets_the_prize() -> None:
    final = finish(state("kansai-sanma", scores=(-1000, 45_000, 61_000)), load("kansai-sanma"))
    assert final.uma == (-10_000 - 10_000, 0, 10_000 + 10_000 + 15_000)
    assert sum(final.results) == 0


def test_a_prize_is_paid_beside_a_substitute_who_takes_no_place() -> None:
    rules = dataclasses.replace(load("kansai-sanma"), substitute="ema")
    final = finish(state("kansai-sanma", scores=(-1000, 45_000, 61_000)), rules)
    assert with_substitutes(final, {1: "during"}, rules).uma[0] == -10_000 - 10_000


# Scores with many ties, whole hundreds, and sticks left: results add up to what nobody got, penalties apart.
@tabled("key", book_keys())
@given(chance=st.randoms(use_true_random=False))
def test_results_of_a_game_add_up_to_nothing(key: str, chance: random.Random) -> None:
    rules = load(key)
    sticks = chance.choice((0, 0, 1, 2, 3))
    points = rules.start_points * rules.players - sticks * rules.riichi_deposit
    tied = chance.randint(1, rules.players)
    each = chance.randrange(0, points // tied // 100) * 100
    others = [chance.randrange(-300, 600) * 100 for _ in range(rules.players - tied)]
    scores = [each] * tied + others
    scores[-1] += points - sum(scores) if others else 0
    left = points - sum(scores)  # all tied: what does not divide is left over
    chance.shuffle(scores)
    final = finish(TableState(tuple(scores), sticks=sticks, lost=left), rules)
    assert sum(final.results) == -final.leftover
    assert rules.leftover_deposits == "lost" or 0 <= final.leftover - left < rules.players


@tabled("key", book_keys())
@given(chance=st.randoms(use_true_random=False))
def test_a_signed_sheet_says_what_its_hands_make(key: str, chance: random.Random) -> None:
    """Whether its totals are from before or after leftover sticks were given out; not where chips or prizes count."""
    rules = load(key)
    unit = payment_unit(rules)
    sticks = chance.choice((0, 0, 1, 2, 3))
    points = rules.start_points * rules.players - sticks * rules.riichi_deposit
    tied = chance.choice((0, 0, 2, 3))
    scores = [chance.randrange(200, 500) * unit] * tied
    scores += [chance.randrange(-300, 600) * unit for _ in range(rules.players - len(scores) - 1)]
    scores += [points - sum(scores)] * (len(scores) < rules.players)
    assume(sum(scores) == points)
    chance.shuffle(scores)
    ended = TableState(tuple(scores), sticks=sticks)
    final = finish(ended, rules)
    for totals in (ended.scores, final.scores):
        found = finish_sheet(totals, rules)
        if rules.chip_points or rules.bust_prize:
            assert found is None
        else:
            assert found is not None
            assert (found.scores, found.places, found.results) == (final.scores, final.places, final.results)
        (first, again) = count_sheets([totals, list(totals)], rules)
        assert first == again == (found and (tuple(map(sub, found.results, totals)), found.places))


@pytest.mark.parametrize("totals", [(40_000, 33_000, 27_000, 20_100), (40_000, 33_000, 27_000, 19_900)])
def test_a_sheet_that_does_not_add_up_tells_nothing(totals: tuple[int, ...]) -> None:
    assert finish_sheet(totals, load("ema-2025")) is None


def test_tied_places_share_the_oka_too() -> None:
    rules = dataclasses.replace(load("ema-2025"), oka=20_000)
    assert uma_of((1, 1, 3, 4), rules) == (20_000, 20_000, -5000, -15_000)


@pytest.mark.parametrize(
    ("scores", "places"),
    [((-2000, 0, 122_000, 0), (4, 2, 1, 2)), ((0, 0, 0, 0), (1, 1, 1, 1)), ((1, 2, 3, 4), (4, 3, 2, 1))],
)
def test_places_of_any_scores(scores: tuple[int, ...], places: tuple[int, ...]) -> None:
    assert places_of(scores, load("ema-2025")) == places
