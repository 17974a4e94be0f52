"""Possible fu by han, against printed tables and the words of the rules. By hand."""

from dataclasses import replace
from typing import Any

import pytest

from rules.books import load
from scoring.check import problems
from scoring.entries import Tsumo, Win
from scoring.fu import possible_fu
from scoring.next_keys import next_keys
from scoring.paid import readings
from scoring.problems import errors_of
from scoring.shorthand import parse
from scoring.state import opening
from tests.table_test import tabled

EMA = load("ema-2025")


def ron(han: int, pair: int = 2) -> list[int]:
    return sorted(possible_fu(han, replace(EMA, double_wind_pair_fu=pair), tsumo=False))


def tsumo(han: int, pair: int = 2) -> list[int]:
    return sorted(possible_fu(han, replace(EMA, double_wind_pair_fu=pair), tsumo=True))


def test_one_han() -> None:
    # E25 p.43: no 1 han 110, since a double wind pair has 2 fu; pinfu by tsumo is 2 han at least, seven pairs too
    assert ron(1) == [30, 40, 50, 60, 70, 80, 90, 100]
    assert tsumo(1) == [30, 40, 50, 60, 70, 80, 90, 100]


def test_one_han_110_is_there_where_a_double_wind_pair_has_4_fu() -> None:
    assert ron(1, pair=4) == [30, 40, 50, 60, 70, 80, 90, 100, 110]
    assert tsumo(1, pair=4) == [30, 40, 50, 60, 70, 80, 90, 100]


def test_two_han() -> None:
    # E25 p.43 has 2 han 110; 20 fu is pinfu by tsumo (4.2.1); seven pairs by tsumo are 3 han
    assert ron(2) == [25, 30, 40, 50, 60, 70, 80, 90, 100, 110]
    assert tsumo(2) == [20, 30, 40, 50, 60, 70, 80, 90, 100, 110]


def test_three_han() -> None:
    assert ron(3) == [25, 30, 40, 50, 60, 70, 80, 90, 100, 110]
    assert tsumo(3) == [20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110]


@tabled("han", range(1, 40))
def test_twenty_fu_is_pinfu_by_tsumo_and_nothing_else(han: int) -> None:
    assert (20 in ron(han)) is False
    assert (20 in tsumo(han)) is (han >= 2)


@tabled("han", range(1, 40))
def test_twenty_five_fu_is_seven_pairs(han: int) -> None:
    assert (25 in ron(han)) is (han >= 2)
    assert (25 in tsumo(han)) is (han >= 3)


@tabled("han", range(1, 13))
def test_more_han_never_allow_less_and_all_fu_are_round(han: int) -> None:
    for fu in (ron, tsumo):
        assert set(fu(han)) <= set(fu(han + 1))
        assert [value for value in fu(han) if value % 10 and value != 25] == []


# Hands with known fu, from the fu table of E25 4.1.1: groups, pair, wait, by which way.
HANDS = [
    (
        "three concealed quads of honours, a sequence, value pair, single wait, closed ron",
        4,
        False,
        2,
        130,
    ),  # 20+10+96+2+2
    ("the same with a double wind pair of 4 fu", 4, False, 4, 140),
    ("the same with an open triplet of honours that the ron completes", 6, False, 4, 140),  # 20+10+96+4+4
    ("the same called, by tsumo", 6, True, 2, 130),  # 20+2+96+4+2
    (
        "two concealed quads of honours, one triplet of honours, a sequence, closed ron",
        2,
        False,
        2,
        110,
    ),  # 20+10+64+8+2+2
    ("an open hand of sequences, ron", 1, False, 2, 30),
    ("an open hand of sequences, tsumo", 1, True, 2, 30),
    ("closed sequences with a value pair, ron", 1, False, 2, 40),
    ("closed sequences with a value pair, tsumo", 1, True, 2, 30),
    ("pinfu by ron", 1, False, 2, 30),
    ("four closed triplets but one, the last by ron: sanankou and toitoi", 4, False, 2, 60),  # 20+10+24+4
]


@pytest.mark.parametrize(
    ("han", "by_tsumo", "pair", "fu"), [case[1:] for case in HANDS], ids=[case[0] for case in HANDS]
)
def test_a_hand_that_is_possible(han: int, by_tsumo: bool, pair: int, fu: int) -> None:
    assert fu in possible_fu(han, replace(EMA, double_wind_pair_fu=pair), tsumo=by_tsumo)


# Shapes whose own yaku are worth more han than claimed.
TOO_CHEAP = [
    (1, False, 2, 110),
    (3, False, 2, 120),  # three quads or three concealed triplets, and more: sanankou with sankantsu
    (3, True, 4, 120),
    (2, True, 2, 120),
    (1, True, 4, 110),
    (5, False, 2, 150),
    (39, False, 2, 150),  # four quads or four concealed triplets: a yakuman
    (39, True, 4, 150),
]


@pytest.mark.parametrize(("han", "by_tsumo", "pair", "fu"), TOO_CHEAP)
def test_a_hand_that_is_impossible(han: int, by_tsumo: bool, pair: int, fu: int) -> None:
    assert fu not in possible_fu(han, replace(EMA, double_wind_pair_fu=pair), tsumo=by_tsumo)


@tabled("fu", [0, 1, 10, 15, 21, 22, 24, 26, 32, 35, 37, 45, 105, 150, 160, 1000, -30])
def test_no_hand_has_such_fu(fu: int) -> None:
    both = {value for han in range(1, 40) for value in (*ron(han, 4), *tsumo(han, 4))}
    assert fu not in both


def typed_bare() -> set[tuple[int, int]]:
    """Return the possible (han, fu) that are typed without a dot: 100 fu of five han and more read as points."""
    possible = {(han, fu) for han in range(1, 14) for fu in {*ron(han, 4), *tsumo(han, 4)}}
    return {(han, fu) for han, fu in possible if fu < 100 or han < 5}


def test_every_possible_value_can_be_typed_without_a_dot() -> None:
    # otherwise the line would be read as other han and fu, and pay something else
    for han, fu in typed_bare():
        assert (parsed(f"{han}{fu}").han, parsed(f"{han}{fu}").fu) == (han, fu)
    assert (parsed("7.100").han, parsed("7.100").fu) == (7, 100)


def test_a_typed_value_is_never_taken_for_another_possible_one() -> None:
    possible = typed_bare()
    for digits in {f"{han}{fu}" for han, fu in possible}:
        readings = [(int(digits[:cut]), int(digits[cut:])) for cut in range(1, len(digits)) if digits[cut] != "0"]
        assert [reading for reading in readings if reading in possible] == [(parsed(digits).han, parsed(digits).fu)]


def parsed(digits: str) -> Win:
    """Return the win of a typed value."""
    entry = parse(f"1t {digits}")
    assert isinstance(entry, Tsumo)
    return entry.win


@pytest.mark.parametrize("changes", [{"pinfu_tsumo": False}, {"pinfu": (0, 0)}])
def test_where_pinfu_is_lost_on_a_tsumo_no_caller_takes_20_fu(changes: dict[str, Any]) -> None:
    rules = replace(EMA, **changes)
    state = opening(rules)
    found = problems(parse("2t220"), state, rules)
    assert [problem.code for problem in errors_of(found)] == ["win.fu_impossible"]
    assert not errors_of(problems(parse("2t230"), state, rules))
    assert all(key.fu != 20 for key in next_keys("2t2", rules).keys)
    read = readings((400, 700), state, 1, tsumo=True, rules=rules)
    assert [(win.han, win.fu) for win in read] == [(1, 40)]
