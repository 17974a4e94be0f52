"""Signed sheets against entered hands (wrong-hands.md, row 23): differences and what explains them."""

from typing import Any

import pytest

from rules.books import load
from scoring.game import Game, fold
from scoring.paper_sheet import reconcile
from scoring.shorthand import parse

LINES = ["2r3 330", "d14/4", "1t 230", "4r1 m/4"]
# By hand, from 30,000 each. 1: 3,900 off player 3, the deal passes to 2. 2: players 1 and 4 tenpai, a deposit; the deal
# passes to 3 with a counter. 3: player 1 takes 1,000 + 100 from East, 500 + 100 from each other, and the deposit; the
# deal passes to 4. 4: East wins 12,000 off player 1 with a deposit.
AFTER = [
    (30_000, 33_900, 26_100, 30_000),
    (31_500, 32_400, 24_600, 30_500),
    (34_800, 31_800, 23_500, 29_900),
    (22_800, 31_800, 23_500, 41_900),
]


def game(key: str = "ema-2025", *lines: str) -> Game:
    return fold([parse(line) for line in lines or LINES], load(key))


def found(paper: tuple[int, ...], leftover: int = 0, key: str = "ema-2025", *lines: str) -> list[tuple[str, Any]]:
    return [(p.code, dict(p.params)) for p in reconcile(game(key, *lines), paper, leftover, load(key))]


def test_the_numbers_of_this_test_are_those_of_the_fold() -> None:
    assert [hand.after.scores for hand in game().hands] == AFTER


def test_a_right_sheet() -> None:
    assert found(AFTER[-1]) == []


def test_a_sum_that_is_wrong() -> None:
    assert found((22_800, 31_800, 23_500, 42_900)) == [
        ("sheet.sum", {"total": 121_000, "wanted": 120_000, "gap": 1000, "deposit": 1000}),
        ("sheet.total_differs", {"seat": 3, "paper": 42_900, "computed": 41_900}),
    ]


def test_totals_that_differ_without_a_cause_that_we_know() -> None:
    assert found((22_700, 31_900, 23_500, 41_900)) == [
        ("sheet.total_differs", {"seat": 0, "paper": 22_700, "computed": 22_800}),
        ("sheet.total_differs", {"seat": 1, "paper": 31_900, "computed": 31_800}),
    ]


def test_totals_that_were_swapped() -> None:
    assert found((31_800, 22_800, 23_500, 41_900))[-1] == ("sheet.totals_swapped", {"seats": (0, 1)})
    assert found((41_900, 31_800, 22_800, 23_500))[-1] == ("sheet.totals_swapped", {"seats": (0, 2, 3)})


def test_a_last_hand_that_is_not_on_the_sheet() -> None:
    assert found(AFTER[2])[-1] == ("sheet.agrees_before_hand", {"hand": 3})


def test_a_sheet_that_stops_earlier() -> None:
    assert found(AFTER[0])[-1] == ("sheet.agrees_before_hand", {"hand": 1})
    assert found((30_000,) * 4)[-1] == ("sheet.agrees_before_hand", {"hand": 0})


def test_of_hands_that_moved_nothing_the_last_one_parts_them() -> None:
    lines = ["2r3 330", "d1234", "1t 230"]
    before = (30_000, 33_900, 26_100, 30_000)
    assert found(before, 0, "ema-2025", *lines)[-1] == ("sheet.agrees_before_hand", {"hand": 2})


def test_a_hand_too_many_among_the_entries() -> None:
    # by hand, without the draw: the tsumo is paid 1,000 by player 2 (East), 500 by the others, and no deposit; the deal
    # passes to 3, and player 4 wins 8,000 off player 1
    assert found((24_000, 32_900, 25_600, 37_500))[-1] == ("sheet.agrees_without_hand", {"hand": 1})


def test_deposits_that_differ() -> None:
    # one deposit left: it goes to player 1, first with 33,000
    lines = ["1t 230", "d2/2"]
    scores = (33_000 - 1000 + 1000, 29_000 + 3000 - 1000, 28_000, 28_000)
    assert found(scores, 1000, "ema-2025", *lines) == []
    assert found(scores, 0, "ema-2025", *lines) == [("sheet.leftover_differs", {"paper": 0, "computed": 1000})]
    assert found(scores, 2000, "ema-2025", *lines) == [("sheet.leftover_differs", {"paper": 2000, "computed": 1000})]


def test_lost_deposits_stay_out_of_the_totals() -> None:
    lines = ["1t 230", "d2/2"]
    assert found((32_000, 31_000, 28_000, 28_000), 1000, "wrc-2025", *lines) == []


@pytest.mark.parametrize("paper", [(), (30_000,) * 3, (24_000,) * 5])
def test_a_sheet_for_another_number_of_players(paper: tuple[int, ...]) -> None:
    assert found(paper) == [("points.not_for_each_seat", {"given": len(paper), "players": 4})]


def test_a_sheet_of_three() -> None:
    lines = ["2r3 330", "d1/1"]
    assert found((31_000 - 1000, 32_900, 25_100), 1000, "sanmatsuri-2026", *lines)[0][0] == "sheet.sum"
    assert found((32_000 - 1000, 32_900 + 1000, 25_100), 1000, "sanmatsuri-2026", *lines) == []


def test_deposits_may_lie_on_the_table_or_be_given_out() -> None:
    # by hand: the draw moves 1,000 from 2 and 3 each to 1 and 4 as 1,500 each, and the deposit of 4 stays on the table
    lines = ["2r3 330", "d14/4"]
    assert found((31_500, 32_400, 24_600, 30_500), 1000, "ema-2025", *lines) == []
    assert found((31_500, 33_400, 24_600, 30_500), 1000, "ema-2025", *lines) == []
    assert [code for code, _ in found((31_500, 32_400, 24_600, 31_500), 1000, "ema-2025", *lines)] == [
        "sheet.total_differs",
        "sheet.total_differs",
    ]


def test_a_wrong_sheet_is_compared_with_the_scores_that_the_table_shows() -> None:
    """A stick is left: 32,400 on the page, 33,400 once it is given out. A sheet that fits neither gets one number."""
    hands = LINES[:2]
    assert found((31_500, 33_400, 24_600, 30_500), 1000, "ema-2025", *hands) == []
    assert found(AFTER[1], 1000, "ema-2025", *hands) == []
    differs = [
        params for code, params in found((31_500, 31_400, 24_600, 30_500), 1000, "ema-2025", *hands) if "total_" in code
    ]
    assert differs == [{"seat": 1, "paper": 31_400, "computed": 32_400}]
