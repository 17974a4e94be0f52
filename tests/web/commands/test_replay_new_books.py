"""A game under each book that extends another one: entries to results, every number worked out by hand."""

from typing import Any

import pytest

from scoring.entries import to_json
from scoring.shorthand import parse
from web.management.commands.replay import replay

CHIPS = {
    "kind": "ron",
    "loser": 2,
    "winners": [{"seat": 1, "han": 5, "yaku": ["riichi", "ippatsu", "pinfu", "ura", "red"]}],
    "riichi": [1],
}
# rules, (line or entry, the scores after it) …, places, uma, results, leftover, chips
GAMES: dict[str, tuple[Any, ...]] = {
    "ema-2025-red": (
        [
            ("1t 5", (37_000, 21_000, 21_000, 21_000)),  # 4,000 all
            ("2r3 5/2", (37_000, 29_300, 12_700, 21_000)),  # 8,000 and a honba
            ("d2", (36_000, 32_300, 11_700, 20_000)),
            ("2r3 8", (36_000, 56_600, -12_600, 20_000)),  # 24,000 and a honba: below zero, the end
        ],
        (2, 1, 4, 3),
        (5000, 35_000, -15_000, -5000),
        (11_000, 61_600, -57_600, -15_000),
        0,
    ),
    "wrc-2022": (
        [
            ("1r2 13", (66_000, -6000, 30_000, 30_000)),  # a sanbaiman of the dealer
            ("3t 430/3", (61_900, -8100, 38_300, 27_900)),  # 2,000 and 4,000, rounded up, and a honba each
            ("d4/4", (60_900, -9100, 37_300, 29_900)),  # 3,000 from three, and a riichi stick that nobody gets
        ],
        (1, 4, 2, 3),
        (15_000, -15_000, 5000, -5000),
        (45_900, -54_100, 12_300, -5100),
        1000,
    ),
    "m-league": (
        [
            ("4r1 340/4", (19_800, 25_000, 25_000, 30_200)),
            ("2t 6", (13_800, 43_000, 19_000, 24_200)),  # 6,000 all
            ("3t y2", (-2300, 10_900, 83_300, 8100)),  # 16,000 and 32,000, and a honba each
            ("d1/1", (-300, 9900, 83_300, 7100)),  # riichi below zero is allowed; the riichi stick goes to the first
        ],
        (4, 2, 1, 3),
        (-30_000, 10_000, 50_000, -10_000),
        (-60_300, -10_100, 103_300, -32_900),
        0,
    ),
    "jpml-a": (
        [
            ("2r1 430", (22_300, 37_700, 30_000, 30_000)),  # 7,700, not rounded up
            ("3t 5/3", (20_300, 33_700, 38_000, 28_000)),
            ("3r4 y2", (20_300, 33_700, 86_000, -20_000)),  # two yakuman count as one: 48,000
            ("d3", (19_300, 32_700, 89_000, -21_000)),
        ],
        (3, 2, 1, 4),
        (-4000, 4000, 8000, -8000),  # two are above 30,000
        (-14_700, 6700, 67_000, -59_000),
        0,
    ),
    "saikouisen-classic": (
        [
            ("d1", (30_000, 30_000, 30_000, 30_000)),  # no payments, and the dealer in tenpai passes
            ("2r3 430/2", (30_000, 41_900, 18_100, 30_000)),  # the next dealer: 11,600 and a honba
            ("4t 230", (29_300, 40_700, 17_400, 32_600)),  # 500 and 1,000, and two honba each
            ("d34/4", (29_300, 40_700, 17_400, 31_600)),
        ],
        (3, 1, 4, 2),
        (-4000, 12_000, -12_000, 4000),
        (-4700, 22_700, -24_600, 5600),
        1000,
    ),
    "kansai-sanma": (
        [
            (CHIPS, (35_000, 43_000, 27_000)),  # 8,000, and a chip each for ippatsu and ura
            ("2t 6 c1", (26_000, 61_000, 18_000)),  # 9,000 each: half of the ron of 18,000
            ("c3", (29_000, 66_000, 10_000)),  # 3,000, and 5,000 to the dealer
            ("1t 340", (35_200, 62_300, 7500)),  # 2,000 and 3,200, and 500 each for the honba
            ("d1", (37_200, 61_300, 6500)),
        ],
        (2, 1, 3),
        (-10_000, 35_000, -10_000),  # one is not below 40,000
        (-13_800, 60_300, -46_500),  # with −1, +4 and −3 chips of 1,000
        0,
    ),
}


@pytest.mark.parametrize("key", GAMES)
def test_a_game_by_hand(key: str) -> None:
    hands, places, uma, results, leftover = GAMES[key]
    entries = [to_json(parse(line)) if isinstance(line, str) else line for line, _ in hands]
    answer = replay({"id": 1, "rules": key, "entries": entries, "ended": True})
    played = [tuple(hand["scores"]) for hand in answer["hands"]]
    if leftover == 0:
        played[-1] = tuple(answer["scores"])  # with the riichi sticks that the first place gets
    assert played == [scores for _, scores in hands]
    assert (tuple(answer["places"]), tuple(answer["uma"])) == (places, uma)
    assert (tuple(answer["results"]), answer["leftover"]) == (results, leftover)
    assert answer.get("chips") == ([-1, 4, -3] if key == "kansai-sanma" else None)


@pytest.mark.parametrize(
    ("scores", "results"),
    [
        ((45_000, 35_000, 31_000, 9000), [23_000, 8000, 2000, -33_000]),
        ((60_000, 25_000, 20_000, 15_000), [42_000, -6000, -13_000, -23_000]),
        ((30_000, 30_000, 30_000, 30_000), [0, 0, 0, 0]),
    ],
)
def test_the_uma_of_jpml_a_floats(scores: tuple[int, ...], results: list[int]) -> None:
    entry = {"kind": "totals", "scores": list(scores), "leftover": 0}
    assert replay({"id": 1, "rules": "jpml-a", "entries": [entry], "ended": True})["results"] == results
