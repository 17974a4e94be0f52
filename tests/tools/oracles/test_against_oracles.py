"""Random winning hands against two other engines: every figure the same, but for differences that are meant.

HANCHAN_ORACLE_HANDS and HANCHAN_ORACLE_SEED make the run bigger or another; `python -m tools.oracles` is the big one.
"""

import os
from typing import Any

import pytest

from rules.books import load
from scoring.hand import read_hand
from tools.oracles.answer import agree
from tools.oracles.compare import ORACLES, Asked, compare, compare_wins
from tools.oracles.differences import DIFFERENCES, Difference, Oracle, excuse
from tools.oracles.hands import some_hands, texts_of
from tools.oracles.ours import answer_of
from tools.oracles.tiles136 import kinds

HANDS = int(os.environ.get("HANCHAN_ORACLE_HANDS", "600"))
SEED = int(os.environ.get("HANCHAN_ORACLE_SEED", "2026"))
BOOKS = ("tenhou-yonma", "tenhou-sanma")
YAKU = {
    "riichi", "double_riichi", "ippatsu", "menzen_tsumo", "pinfu", "iipeikou", "tanyao", "haku", "hatsu", "chun",
    "seat_wind", "round_wind", "rinshan", "chankan", "haitei", "houtei", "chiitoitsu", "sanshoku_doukou", "ittsu",
    "chanta", "toitoi", "sanankou", "sankantsu", "shousangen", "honroutou", "honitsu", "junchan", "ryanpeikou",
    "chinitsu", "kokushi_musou", "chuuren_poutou", "tenhou", "chiihou", "suuankou", "suukantsu", "ryuuiisou",
    "chinroutou", "tsuuiisou", "daisangen", "shousuushii", "daisuushii",
}  # fmt: skip


def oracle(name: Oracle) -> Asked:
    if name not in ORACLES:
        pytest.skip(f"{name} is not installed: there is no wheel of it for this system")
    return ORACLES[name]


@pytest.mark.parametrize("name", ["mahjong", "riichienv"])
def test_both_oracles_are_asked(name: Oracle) -> None:
    assert oracle(name) is ORACLES[name]


@pytest.mark.slow
@pytest.mark.parametrize("key", BOOKS)
def test_random_hands_are_worth_what_two_other_engines_say(key: str) -> None:
    rules = load(key)
    report = compare(rules, seed=SEED, count=HANDS)
    assert not report.found, "\n".join(str(each) for each in report.found)  # whole hands, as JSON
    assert report.kinds.total() == HANDS
    # every yaku that the book knows was among them, and hands without any
    assert set(report.yaku) == YAKU | {"none"} | ({"sanshoku_doujun"} if rules.players == 4 else set())


@pytest.mark.slow
@pytest.mark.parametrize("key", BOOKS)
def test_what_is_no_winning_hand_is_none_for_anybody(key: str) -> None:
    verdicts, disputed = compare_wins(load(key), seed=SEED, count=HANDS // 2)
    assert disputed == []
    assert verdicts.total() == HANDS // 2
    assert min(verdicts[True], verdicts[False]) > HANDS // 100


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda each: each.name)
def test_where_we_differ_the_oracle_still_says_what_we_do_not(difference: Difference) -> None:
    hand: dict[str, Any] = dict(difference.example)
    ours, theirs = answer_of(hand, load("tenhou-yonma")), oracle(difference.oracle).answer_of(hand, 4)
    assert ours is not None
    assert agree(ours, difference.ours)
    assert theirs == difference.theirs
    assert not agree(ours, theirs)
    assert excuse(difference.oracle, hand, ours, theirs) == difference


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda each: each.name)
def test_the_other_oracle_says_what_we_say(difference: Difference) -> None:
    other: Oracle = "mahjong" if difference.oracle == "riichienv" else "riichienv"
    hand: dict[str, Any] = dict(difference.example)
    assert agree(answer_of(hand, load("tenhou-yonma")), oracle(other).answer_of(hand, 4))


@pytest.mark.parametrize("key", BOOKS)
def test_the_same_seed_makes_the_same_hands_and_another_seed_others(key: str) -> None:
    assert some_hands(load(key), 7, 20) == some_hands(load(key), 7, 20)
    assert some_hands(load(key), 7, 20) != some_hands(load(key), 8, 20)


@pytest.mark.parametrize("key", ["tenhou-yonma", "tenhou-sanma", "ema-2025", "sanmatsuri-2026"])
def test_made_up_hands_could_be_played(key: str) -> None:
    rules = load(key)
    for made in some_hands(rules, SEED, 300):
        hand = made.hand
        read_hand(hand, rules)
        tiles = [tile for text in texts_of(hand) for tile in kinds(text)]
        assert max(tiles.count((kind, False)) + tiles.count((kind, True)) for kind, _ in tiles) <= 4
        assert all(tiles.count((kind, True)) <= 1 for kind, _ in tiles)


def test_an_answer_is_held_against_all_that_an_oracle_says() -> None:
    difference = DIFFERENCES[0]
    assert agree(difference.ours, difference.ours)
    assert agree(None, None)
    assert not agree(difference.ours, None)
    assert not agree(difference.ours, difference.theirs)


def test_an_excuse_does_not_cover_what_it_does_not_foretell() -> None:
    for each in DIFFERENCES:
        plain = dict(each.example) | {"tiles": "123m456p789s44z111m", "win": "4z"}
        assert excuse(each.oracle, each.example, each.ours, each.ours) is None
        assert excuse(each.oracle, plain, each.theirs, each.ours) is None
