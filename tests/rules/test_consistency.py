"""Uma and numbers that cannot be played are refused, each with a message."""

import dataclasses
import re
from typing import Any

import pytest

from rules.books import book_keys, from_json, load
from rules.consistency import contradictions
from rules.ruleset import RulesetError
from tests.table_test import tabled


def refusal(book: str, **change: Any) -> str:
    """Return what a book with these values is refused with."""
    with pytest.raises(RulesetError) as refused:
        from_json(load(book).as_json() | change)
    return re.sub(r"^rule set: ", "", str(refused.value))


@pytest.mark.parametrize("key", book_keys())
def test_no_book_contradicts_itself(key: str) -> None:
    assert list(contradictions(load(key))) == []


@pytest.mark.parametrize(
    ("book", "uma", "said"),
    [
        ("ema-2025", [15_000, 0, -15_000], "has 3 places for 4 players"),
        ("sanmatsuri-2026", [15_000, 5000, -5000, -15_000], "has 4 places for 3 players"),
        ("ema-2025", [], "has 0 places for 4 players"),
        ("ema-2025", [15_000, 5000, -5000, -10_000], "sums to 5,000 and must sum to 0: what some gain others lose"),
        ("sanmatsuri-2026", [15_000, -5000, -15_000], "sums to −5,000 and must sum to 0: what some gain others lose"),
        ("ema-2025", [5000, 15_000, -5000, -15_000], "rises from place 1 (5,000) to place 2 (15,000)"),
        ("sanmatsuri-2026", [15_000, -15_000, 0], "rises from place 2 (−15,000) to place 3 (0)"),
        ("ema-2025", [2_000_000, 0, 0, -2_000_000], "must lie between −1,000,000 and 1,000,000, not 2,000,000"),
    ],
)
def test_uma_that_cannot_be(book: str, uma: list[int], said: str) -> None:
    assert refusal(book, uma=uma) == f"key 'uma': {said}"


@pytest.mark.parametrize(
    ("book", "uma"),
    [
        ("ema-2025", [0, 0, 0, 0]),  # no uma at all
        ("ema-2025", [30_000, 10_000, -10_000, -30_000]),
        ("ema-2025", [15_000, 0, 0, -15_000]),  # two places may be worth the same
        ("sanmatsuri-2026", [20_000, -10_000, -10_000]),
    ],
)
def test_uma_that_can_be(book: str, uma: list[int]) -> None:
    assert from_json(load(book).as_json() | {"uma": uma}).uma == tuple(uma)


@tabled(
    "change, said",
    [
        ({"start_points": 1_000_001}, "key 'start_points': must be at most 1,000,000, not 1,000,001"),
        ({"honba_ron": 2_000_000}, "key 'honba_ron': must be at most 1,000,000, not 2,000,000"),
        ({"noten_pool": 6_000_000}, "key 'noten_pool': must be at most 1,000,000, not 6,000,000"),
        ({"chombo_points": 10**9}, "key 'chombo_points': must be at most 1,000,000, not 1,000,000,000"),
        ({"late_points": 10**9}, "key 'late_points': must be at most 1,000,000, not 1,000,000,000"),
        ({"replaced_points": 10**9}, "key 'replaced_points': must be at most 1,000,000, not 1,000,000,000"),
        ({"riichi_deposit": 10**7}, "key 'riichi_deposit': must be at most 1,000,000, not 10,000,000"),
        ({"yakuman_base": 10**7}, "key 'yakuman_base': must be at most 1,000,000, not 10,000,000"),
        ({"minutes": 601}, "key 'minutes': must be at most 600, not 601"),
        ({"late_minutes": 601}, "key 'late_minutes': must be at most 600, not 601"),
        ({"extra_hands": 21}, "key 'extra_hands': must be at most 20, not 21"),
        ({"rounds": 5}, "key 'rounds': must be at most 4, not 5"),
        ({"two_han_from_honba": 100}, "key 'two_han_from_honba': must be at most 99, not 100"),
        ({"riichi_tiles_left": 71}, "key 'riichi_tiles_left': must be at most 70, not 71"),
        ({"double_wind_pair_fu": 12}, "key 'double_wind_pair_fu': must be at most 10, not 12"),
        ({"limits": [[5, 2000], [100, 8000]]}, "key 'limits': must end at 99 han at most, not 100"),
    ],
)
def test_a_number_that_is_too_large(change: dict[str, Any], said: str) -> None:
    assert refusal("ema-2025", **change) == said


@pytest.mark.parametrize(
    ("book", "change", "said"),
    [
        (
            "sanmatsuri-2026",
            {"rounds": 4},
            "key 'rounds': with 'extra_rounds' (0) there are more winds than 'players' (3)",
        ),
        (
            "tenhou-sanma",
            {"rounds": 3},
            "key 'rounds': with 'extra_rounds' (1) there are more winds than 'players' (3)",
        ),
        (
            "tenhou-yonma",
            {"rounds": 4},
            "key 'rounds': with 'extra_rounds' (1) there are more winds than 'players' (4)",
        ),
    ],
)
def test_no_more_rounds_than_winds(book: str, change: dict[str, Any], said: str) -> None:
    assert refusal(book, **change) == said


def test_a_number_at_its_bound_can_be() -> None:
    change = {"minutes": 600, "extra_hands": 20, "honba_ron": 1_000_000, "rounds": 4}
    assert from_json(load("ema-2025").as_json() | change).minutes == 600


def test_all_that_is_wrong_is_named() -> None:
    rules = load("ema-2025")
    made = type(rules)(**{f: getattr(rules, f) for f in rules.as_json()} | {"uma": (1, 2, 3, 4), "minutes": 10**6})
    assert [name for name, _ in contradictions(made)] == ["minutes", "uma", "uma"]


@pytest.mark.parametrize(
    ("uma", "said"),
    [
        ((30_000, 10_000, 0), ["has 3 places for 4 players"]),
        ((2_000_000, 0, 0, 0), ["must lie between −1,000,000 and 1,000,000, not 2,000,000"]),
    ],
)
def test_of_uma_that_cannot_be_read_the_sum_is_not_judged(uma: tuple[int, ...], said: list[str]) -> None:
    made = dataclasses.replace(load("ema-2025"), uma=uma)
    assert list(contradictions(made)) == [("uma", text) for text in said]


def test_a_part_of_the_liable_needs_a_liable_player() -> None:
    said = "key 'pao_part': says what is paid for the yakuman of 'pao', and there are none"
    assert refusal("wrc-2025", pao=[]) == said
    assert from_json(load("ema-2025").as_json() | {"pao": []}).pao == ()  # who is liable pays for the whole hand


FLOATING = [[12_000, -1000, -3000, -8000], [8000, 4000, -4000, -8000], [8000, 3000, 1000, -12_000]]


@tabled(
    "change, message",
    [
        ({"floating_uma": FLOATING[:2]}, "key 'floating_uma': must have 3 rows, one for each number of players above"),
        ({"floating_uma": [[1, 0, -1]] * 3}, "key 'floating_uma': has 3 places for 4 players"),
        ({"floating_uma": [[2, 1, 0, 0]] * 3}, "key 'floating_uma': sums to 3 and must sum to 0"),
        ({"float_at_return": True}, "key 'float_at_return': says something of 'floating_uma'"),
        ({"suuankou_tanki": [0, 0]}, "key 'suuankou_tanki': must be worth no less than 'suuankou'"),
        ({"suuankou": [0, 0]}, "key 'suuankou_tanki': must be worth no less than 'suuankou', and nothing where"),
        ({"ura_dora": False}, "key 'kan_ura': says something of ura, which 'ura_dora' does not allow"),
        ({"kan_dora": "none"}, "key 'kan_ura': needs the indicators of kan, which 'kan_dora' does not turn"),
        ({"bust_at_zero": True}, "key 'bust_at_zero': says something of the end that 'bust' does not play"),
        ({"yame_choice": True}, "key 'yame_choice': leaves nothing to choose without 'agari_yame'"),
        ({"chip_red": 1}, "key 'chip_red': says something of chips, which 'chip_points' (0) does not play"),
        ({"chip_points": 1000, "chip_red": 100}, "key 'chip_red': must be at most 99, not 100"),
    ],
)
def test_rules_that_clubs_play_are_consistent_too(change: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesetError, match=re.escape(message)):
        from_json(load("ema-2025").as_json() | change)
    assert from_json(load("ema-2025").as_json() | {"floating_uma": FLOATING}).floating_uma[2][3] == -12_000
