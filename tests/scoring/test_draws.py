"""Exhaustive draws for every pattern of tenpai players, nagashi mangan both ways, and abortive draws. By hand."""

import pytest

from tests.scoring.table import deltas, paid, played
from tests.table_test import tabled

# Pool 3,000 (E25 3.4.2; WRC 9.2)
YONMA = {
    "d": (0, 0, 0, 0),
    "d1": (3000, -1000, -1000, -1000),
    "d2": (-1000, 3000, -1000, -1000),
    "d3": (-1000, -1000, 3000, -1000),
    "d4": (-1000, -1000, -1000, 3000),
    "d12": (1500, 1500, -1500, -1500),
    "d13": (1500, -1500, 1500, -1500),
    "d14": (1500, -1500, -1500, 1500),
    "d23": (-1500, 1500, 1500, -1500),
    "d24": (-1500, 1500, -1500, 1500),
    "d34": (-1500, -1500, 1500, 1500),
    "d123": (1000, 1000, 1000, -3000),
    "d124": (1000, 1000, -3000, 1000),
    "d134": (1000, -3000, 1000, 1000),
    "d234": (-3000, 1000, 1000, 1000),
    "d1234": (0, 0, 0, 0),
}
# Pool 2,000 (S0, Noten Payments)
SANMA = {
    "d": (0, 0, 0),
    "d1": (2000, -1000, -1000),
    "d2": (-1000, 2000, -1000),
    "d3": (-1000, -1000, 2000),
    "d12": (1000, 1000, -2000),
    "d13": (1000, -2000, 1000),
    "d23": (-2000, 1000, 1000),
    "d123": (0, 0, 0),
}


@tabled("line", YONMA)
@tabled("key", ["ema-2025", "wrc-2025", "rakkii-nomi-2026", "tenhou-yonma"])
def test_noten_payments_of_four(key: str, line: str) -> None:
    assert deltas(key, line) == YONMA[line]


@tabled("line", SANMA)
@tabled("key", ["sanmatsuri-2026", "tenhou-sanma"])
def test_noten_payments_of_three(key: str, line: str) -> None:
    assert deltas(key, line) == SANMA[line]


@pytest.mark.parametrize(("key", "line"), [("ema-2025", "d14/14"), ("sanmatsuri-2026", "d13/13")])
def test_deposits_stay_on_the_table_and_a_counter_is_added(key: str, line: str) -> None:
    after = played(key, line, honba=1, sticks=1).after
    assert (after.sticks, after.honba, after.dealer) == (3, 2, 0)


@tabled("line, dealer", [("d", 1), ("d1", 0), ("d2", 1), ("d23", 1), ("d12", 0), ("d123", 0)])
@tabled("key", ["ema-2025", "sanmatsuri-2026", "rakkii-nomi-2026", "tenhou-sanma"])
def test_east_stays_when_tenpai_and_the_counter_comes_either_way(key: str, line: str, dealer: int) -> None:
    after = played(key, line, honba=4).after
    assert (after.dealer, after.honba) == (dealer, 5)


# ---------------------------------------------------------------- nagashi as a tsumo (S0; RK 3.1)


@pytest.mark.states("nagashi_3")
@pytest.mark.parametrize(
    ("line", "gains", "dealer", "honba"),
    [
        ("n2", (-4000 - 100, 6000 + 200 + 1000, -2000 - 100), 1, 0),
        ("n3", (-4000 - 100, -2000 - 100, 6000 + 200 + 1000), 1, 0),
        ("n1", (8000 + 200 + 1000, -4000 - 100, -4000 - 100), 0, 2),
        ("n2/3", (-4000 - 100, 6000 + 200 + 2000, -2000 - 100 - 1000), 1, 0),
        ("n2 d13", (-4000 - 100, 6000 + 200 + 1000, -2000 - 100), 1, 0),  # no noten payments, the deal as after a win
    ],
)
def test_nagashi_under_sanmatsuri(line: str, gains: tuple[int, ...], dealer: int, honba: int) -> None:
    hand = played("sanmatsuri-2026", line, honba=1, sticks=1)
    assert hand.deltas == gains
    assert (hand.after.dealer, hand.after.honba, hand.after.sticks) == (dealer, honba, 0)


@pytest.mark.states("nagashi_4")
@pytest.mark.parametrize(
    ("line", "gains", "dealer", "honba"),
    [
        ("n2", (-4100, 8000 + 300 + 2000, -2100, -2100), 1, 0),
        ("n1", (12_000 + 300 + 2000, -4100, -4100, -4100), 0, 2),
        ("n4 d1", (-4100, -2100, -2100, 8000 + 300 + 2000), 1, 0),
    ],
)
def test_nagashi_under_rakkii(line: str, gains: tuple[int, ...], dealer: int, honba: int) -> None:
    hand = played("rakkii-nomi-2026", line, honba=1, sticks=2)
    assert hand.deltas == gains
    assert (hand.after.dealer, hand.after.honba, hand.after.sticks) == (dealer, honba, 0)


def test_two_nagashi_at_once_under_sanmatsuri() -> None:
    # each is paid a mangan tsumo with the counter; the deposit to player 2, first in turn from the dealer (decisions)
    hand = played("sanmatsuri-2026", "n32", honba=1, sticks=1)
    assert hand.deltas == (-4100 - 4100, 6200 + 1000 - 2100, 6200 - 2100)
    assert (hand.after.dealer, hand.after.honba, hand.after.sticks) == (1, 0, 0)


def test_all_deposits_go_to_the_first_of_two_nagashi() -> None:
    # also the deposit of the second winner: own deposits go back on a multiple ron only (E25 3.3.10; decisions)
    assert deltas("sanmatsuri-2026", "n23/3") == (-8000, 6000 - 2000 + 1000, 6000 - 2000 - 1000)


def test_two_nagashi_with_the_dealer_among_them() -> None:
    hand = played("sanmatsuri-2026", "n13", dealer=2, honba=0, sticks=1)
    # player 3 deals: 4,000 from each; player 1: 4,000 from the dealer, 2,000 from player 2; the deposit to the dealer
    assert hand.deltas == (6000 - 4000, -2000 - 4000, 8000 - 4000 + 1000)
    assert (hand.after.dealer, hand.after.honba) == (2, 1)


def test_two_nagashi_under_rakkii_pay_counters_to_the_first_only() -> None:
    # RK 2.3: with several winners only one receives counters and deposits
    gains = deltas("rakkii-nomi-2026", "n42", honba=1, sticks=2)
    assert gains == (-4100 - 4000, 8300 + 2000 - 2000, -2100 - 2000, 8000 - 2100)


def test_the_turn_of_two_nagashi_is_counted_from_the_dealer() -> None:
    # player 2 deals, so player 3 is first and player 1 last; two counters and a deposit go to player 3
    gains = deltas("rakkii-nomi-2026", "n13", dealer=1, honba=2, sticks=1)
    assert gains == (8000 - 2200, -4200 - 4000, 8600 + 1000 - 2000, -2200 - 2000)


# ---------------------------------------------------------------- nagashi as a draw (Tenhou)


@pytest.mark.parametrize(
    ("key", "line", "gains", "dealer"),
    [
        ("tenhou-yonma", "n2", (-4000, 8000, -2000, -2000), 1),
        ("tenhou-yonma", "n2 d1", (-4000, 8000, -2000, -2000), 0),
        ("tenhou-yonma", "n1", (12_000, -4000, -4000, -4000), 1),
        ("tenhou-yonma", "n1 d1", (12_000, -4000, -4000, -4000), 0),
        ("tenhou-yonma", "n23", (-8000, 6000, 6000, -4000), 1),
        ("tenhou-sanma", "n2", (-4000, 6000, -2000), 1),
        ("tenhou-sanma", "n1 d1", (8000, -4000, -4000), 0),
    ],
)
def test_nagashi_as_a_draw(key: str, line: str, gains: tuple[int, ...], dealer: int) -> None:
    hand = played(key, line, honba=2, sticks=1)
    assert hand.deltas == gains
    assert (hand.after.dealer, hand.after.honba, hand.after.sticks) == (dealer, 3, 1)
    assert {transfer.why for transfer in hand.transfers} == {"hand"}


# ---------------------------------------------------------------- abortive draws


@pytest.mark.parametrize("line", ["ak", "aw", "aq", "a3"])
def test_an_abortive_draw_pays_nothing_and_is_dealt_again_with_a_counter(line: str) -> None:
    hand = played("tenhou-yonma", line, dealer=2, honba=1, sticks=1)
    assert hand.deltas == (0, 0, 0, 0)
    assert (hand.after.dealer, hand.after.round, hand.after.honba, hand.after.sticks) == (2, 0, 2, 1)


def test_the_deposits_of_an_abortive_draw_stay() -> None:
    hand = played("tenhou-yonma", "ar/1234", sticks=1)
    assert hand.deltas == (-1000,) * 4
    assert (hand.after.sticks, hand.after.honba) == (5, 1)
    assert [t.why for t in paid("tenhou-yonma", "ar/1234")] == ["deposit"] * 4
