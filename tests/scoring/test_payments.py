"""What one winner is paid: every number is written by hand from the printed tables, none is computed.

Dealer is seat 0 (player 1) throughout; player 2 wins as a non-dealer, player 3 discards.
"""

import pytest

from rules.books import load
from scoring.entries import Win
from scoring.payments import Transfer, deltas_of
from scoring.value import base_points, limit_name
from tests.scoring.table import deltas, paid
from tests.table_test import tabled

# SanMatsuri payments, worked by hand from its rules (tsumo loss, kiriage). None: such a hand cannot be won that way.
# value as typed: (other's ron, S/W pays, E pays), (East's ron, each pays)
SANMATSURI = {
    "130": ((1000, 300, 500), (1500, 500)),
    "140": ((1300, 400, 700), (2000, 700)),
    "220": ((None, 400, 700), (None, 700)),
    "230": ((2000, 500, 1000), (2900, 1000)),
    "240": ((2600, 700, 1300), (3900, 1300)),
    "320": ((None, 700, 1300), (None, 1300)),
    "330": ((3900, 1000, 2000), (5800, 2000)),
    "340": ((5200, 1300, 2600), (7700, 2600)),
    "350": ((6400, 1600, 3200), (9600, 3200)),
    "420": ((None, 1300, 2600), (None, 2600)),
    "425": ((6400, 1600, 3200), (9600, 3200)),
    "m": ((8000, 2000, 4000), (12_000, 4000)),
    "360": ((8000, 2000, 4000), (12_000, 4000)),
    "430": ((8000, 2000, 4000), (12_000, 4000)),
    "h": ((12_000, 3000, 6000), (18_000, 6000)),
    "7": ((12_000, 3000, 6000), (18_000, 6000)),
    "b": ((16_000, 4000, 8000), (24_000, 8000)),
    "10": ((16_000, 4000, 8000), (24_000, 8000)),
    "s": ((24_000, 6000, 12_000), (36_000, 12_000)),
    "13": ((24_000, 6000, 12_000), (36_000, 12_000)),
    "y": ((32_000, 8000, 16_000), (48_000, 16_000)),
    "y2": ((32_000, 8000, 16_000), (48_000, 16_000)),
}


@tabled("value", [value for value, (other, _) in SANMATSURI.items() if other[0] is not None])
def test_sanmatsuri_ron(value: str) -> None:
    other, east = SANMATSURI[value][0][0], SANMATSURI[value][1][0]
    assert other is not None
    assert east is not None
    assert deltas("sanmatsuri-2026", f"2r3 {value}") == (0, other, -other)
    assert deltas("sanmatsuri-2026", f"1r3 {value}") == (east, 0, -east)


@tabled("value", SANMATSURI)
def test_sanmatsuri_tsumo(value: str) -> None:
    (_, west, dealer), (_, each) = SANMATSURI[value]
    assert deltas("sanmatsuri-2026", f"2t {value}") == (-dealer, west + dealer, -west)
    assert deltas("sanmatsuri-2026", f"1t {value}") == (2 * each, -each, -each)


@pytest.mark.states("printed")
def test_the_four_examples_that_the_event_prints() -> None:
    assert deltas("sanmatsuri-2026", "1r2 m") == (12_000, -12_000, 0)
    assert deltas("sanmatsuri-2026", "1t m") == (8000, -4000, -4000)
    assert deltas("sanmatsuri-2026", "2r1 330") == (-3900, 3900, 0)
    assert deltas("sanmatsuri-2026", "2t 330") == (-2000, 3000, -1000)


# The printed table of four players (E25 p.43), kiriage included: (other's ron, others pay, East pays), (East's ron,
# each pays). 1 han 110 is not in it: no hand is worth that where a double wind pair has 2 fu.
YONMA = {
    "130": ((1000, 300, 500), (1500, 500)),
    "140": ((1300, 400, 700), (2000, 700)),
    "150": ((1600, 400, 800), (2400, 800)),
    "160": ((2000, 500, 1000), (2900, 1000)),
    "170": ((2300, 600, 1200), (3400, 1200)),
    "180": ((2600, 700, 1300), (3900, 1300)),
    "190": ((2900, 800, 1500), (4400, 1500)),
    "1100": ((3200, 800, 1600), (4800, 1600)),
    "225": ((1600, None, None), (2400, None)),
    "230": ((2000, 500, 1000), (2900, 1000)),
    "240": ((2600, 700, 1300), (3900, 1300)),
    "250": ((3200, 800, 1600), (4800, 1600)),
    "260": ((3900, 1000, 2000), (5800, 2000)),
    "270": ((4500, 1200, 2300), (6800, 2300)),
    "280": ((5200, 1300, 2600), (7700, 2600)),
    "290": ((5800, 1500, 2900), (8700, 2900)),
    "2100": ((6400, 1600, 3200), (9600, 3200)),
    "2110": ((7100, 1800, 3600), (10_600, 3600)),
    "325": ((3200, 800, 1600), (4800, 1600)),
    "330": ((3900, 1000, 2000), (5800, 2000)),
    "340": ((5200, 1300, 2600), (7700, 2600)),
    "350": ((6400, 1600, 3200), (9600, 3200)),
    "360": ((8000, 2000, 4000), (12_000, 4000)),
    "370": ((8000, 2000, 4000), (12_000, 4000)),
    "425": ((6400, 1600, 3200), (9600, 3200)),
    "430": ((8000, 2000, 4000), (12_000, 4000)),
    "440": ((8000, 2000, 4000), (12_000, 4000)),
    "5": ((8000, 2000, 4000), (12_000, 4000)),
    "6": ((12_000, 3000, 6000), (18_000, 6000)),
    "8": ((16_000, 4000, 8000), (24_000, 8000)),
    "11": ((24_000, 6000, 12_000), (36_000, 12_000)),
    "12": ((24_000, 6000, 12_000), (36_000, 12_000)),
    "y": ((32_000, 8000, 16_000), (48_000, 16_000)),
}
PINFU_TSUMO = {
    "220": ((400, 700), 700),
    "320": ((700, 1300), 1300),
    "420": ((1300, 2600), 2600),
}


@tabled("key", ["ema-2025", "wrc-2025", "rakkii-nomi-2026"])
@tabled("value", YONMA)
def test_ron_of_four(key: str, value: str) -> None:
    other, east = YONMA[value][0][0], YONMA[value][1][0]
    assert deltas(key, f"2r3 {value}") == (0, other, -other, 0)
    assert deltas(key, f"2r1 {value}") == (-other, other, 0, 0)
    assert deltas(key, f"1r3 {value}") == (east, 0, -east, 0)


@tabled("key", ["ema-2025", "wrc-2025", "rakkii-nomi-2026"])
@tabled("value", [value for value, (other, _) in YONMA.items() if other[1] is not None])
def test_tsumo_of_four(key: str, value: str) -> None:
    (_, small, large), (_, each) = YONMA[value]
    assert small is not None
    assert large is not None
    assert each is not None
    assert deltas(key, f"2t {value}") == (-large, 2 * small + large, -small, -small)
    assert deltas(key, f"1t {value}") == (3 * each, -each, -each, -each)


@pytest.mark.parametrize("value", PINFU_TSUMO)
def test_pinfu_tsumo_of_four(value: str) -> None:
    (small, large), each = PINFU_TSUMO[value]
    assert deltas("ema-2025", f"2t {value}") == (-large, 2 * small + large, -small, -small)
    assert deltas("ema-2025", f"1t {value}") == (3 * each, -each, -each, -each)


# Without kiriage 4 han 30 and 3 han 60 stop short of mangan (Tenhou), for the dealer and the others.
@pytest.mark.parametrize("value", ["430", "360"])
def test_without_kiriage(value: str) -> None:
    assert deltas("tenhou-yonma", f"2r3 {value}") == (0, 7700, -7700, 0)
    assert deltas("tenhou-yonma", f"1r3 {value}") == (11_600, 0, -11_600, 0)
    assert deltas("tenhou-yonma", f"2t {value}") == (-3900, 7900, -2000, -2000)
    assert deltas("tenhou-yonma", f"1t {value}") == (11_700, -3900, -3900, -3900)
    assert deltas("tenhou-sanma", f"2t {value}") == (-3900, 5900, -2000)
    assert deltas("tenhou-sanma", f"1t {value}") == (7800, -3900, -3900)


# 13 han: EMA stays at sanbaiman (E25 4.1.2), WRC has 8,000 base points (11.2), Tenhou a counted yakuman.
@pytest.mark.parametrize(
    ("key", "points"),
    [
        ("ema-2025", 24_000),
        ("sanmatsuri-2026", 24_000),
        ("wrc-2025", 32_000),
        ("rakkii-nomi-2026", 32_000),
        ("tenhou-yonma", 32_000),
        ("tenhou-sanma", 32_000),
    ],
)
def test_thirteen_han(key: str, points: int) -> None:
    assert deltas(key, "2r1 13")[:2] == (-points, points)


# Two yakuman at once: one in EMA (4.2.6), both elsewhere (WRC 9.1; Tenhou).
@pytest.mark.parametrize(
    ("key", "points"),
    [("ema-2025", 32_000), ("sanmatsuri-2026", 32_000), ("wrc-2025", 64_000), ("tenhou-sanma", 64_000)],
)
def test_two_yakuman(key: str, points: int) -> None:
    assert deltas(key, "2r1 y2")[:2] == (-points, points)


# Two counters and one deposit on the table; player 2 wins, player 1 deals and had riichi too.
@pytest.mark.parametrize(
    ("key", "line", "gains"),
    [
        ("ema-2025", "2r3 330", (0, 3900 + 600 + 1000, -3900 - 600, 0)),
        ("ema-2025", "2r3 330/1", (-1000, 3900 + 600 + 2000, -3900 - 600, 0)),
        ("ema-2025", "2r3 330/2", (0, 3900 + 600 + 1000, -3900 - 600, 0)),
        ("ema-2025", "2t 330/1", (-2000 - 200 - 1000, 4000 + 600 + 2000, -1000 - 200, -1000 - 200)),
        ("sanmatsuri-2026", "2r3 330", (0, 3900 + 400 + 1000, -3900 - 400)),
        ("sanmatsuri-2026", "2r3 330/3", (0, 3900 + 400 + 2000, -3900 - 400 - 1000)),
        ("sanmatsuri-2026", "2t 330", (-2000 - 200, 3000 + 400 + 1000, -1000 - 200)),
        ("sanmatsuri-2026", "1t m/123", (8000 + 400 + 3000, -4000 - 200 - 1000, -4000 - 200 - 1000)),
        ("tenhou-sanma", "2r3 330", (0, 3900 + 400 + 1000, -3900 - 400)),
    ],
)
def test_counters_and_deposits(key: str, line: str, gains: tuple[int, ...]) -> None:
    assert deltas(key, line, honba=2, sticks=1) == gains


def test_every_payment_says_why() -> None:
    assert paid("ema-2025", "2t 330/4", honba=1, sticks=2) == [
        Transfer(3, None, 1000, "deposit"),
        Transfer(2, 1, 1000, "hand"),
        Transfer(2, 1, 100, "honba"),
        Transfer(3, 1, 1000, "hand"),
        Transfer(3, 1, 100, "honba"),
        Transfer(0, 1, 2000, "hand"),
        Transfer(0, 1, 100, "honba"),
        Transfer(None, 1, 3000, "deposit"),
    ]


def test_no_payment_is_made_of_nothing() -> None:
    assert paid("ema-2025", "2r3 330") == [Transfer(2, 1, 3900, "hand")]
    assert paid("ema-2025", "d") == []
    assert paid("ema-2025", "c1/1") == []


def test_a_payment_to_oneself_changes_nothing() -> None:
    assert deltas_of([Transfer(0, 0, 500, "hand"), Transfer(None, 2, 1000, "deposit")], 3) == (0, 0, 1000)


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("ema-2025", {4: None, 5: "mangan", 6: "haneman", 7: "haneman", 8: "baiman", 11: "sanbaiman", 13: "sanbaiman"}),
        ("wrc-2025", {4: None, 5: "mangan", 7: "haneman", 10: "baiman", 12: "sanbaiman", 13: "yakuman", 26: "yakuman"}),
    ],
)
def test_the_name_of_a_limit(key: str, names: dict[int, str | None]) -> None:
    rules = load(key)
    assert {han: limit_name(base_points(Win(seat=0, han=han, fu=25), rules), rules) for han in names} == names
    assert limit_name(base_points(Win(seat=0, yakuman=1), rules), rules) == "yakuman"
