"""Rules of tiles that some clubs play: no ura, no dora of quads, all fives red, North as a wind of all, even shares."""

import dataclasses
from typing import Any

import pytest

from rules.books import book_keys, load
from scoring.check_win import yaku_problems
from scoring.entries import Win
from scoring.explain import explain, score_json
from scoring.payments import payment_at
from tests.scoring.hand_table import counted, hand_of, refused

EMA, SANMA = load("ema-2025"), load("sanmatsuri-2026")
HAND = "234m567p666789s99s r"


@pytest.mark.parametrize(
    ("change", "dora", "ura", "code"),
    [
        ({}, "d1z2z", "u1z2z", ""),
        ({"ura_dora": False, "kan_ura": False}, "d1z", "", ""),
        ({"ura_dora": False, "kan_ura": False}, "d1z", "u1z", "yaku.not_in_rules"),
        ({"kan_ura": False}, "d1z2z", "u1z", ""),
        ({"kan_ura": False}, "d1z2z", "u1z2z", "hand.too_many_indicators"),
        ({"kan_dora": "none", "kan_ura": False}, "d1z", "u1z", ""),
        ({"kan_dora": "none", "kan_ura": False}, "d1z2z", "u1z", "hand.too_many_indicators"),
    ],
)
def test_indicators_that_the_rules_do_not_turn_are_refused(
    change: dict[str, Any], dora: str, ura: str, code: str
) -> None:
    assert refused(f"{HAND} {dora} {ura}", dataclasses.replace(EMA, **change)) == code


def test_a_kita_may_turn_an_indicator_where_quads_turn_none() -> None:
    rules = dataclasses.replace(SANMA, kan_dora="none", kan_ura=False, kita_turns_dora=True)
    assert refused("111p234567p66678s k1 d1z2z", rules) in ("", "hand.no_yaku")


def test_without_ura_nobody_names_them() -> None:
    rules = dataclasses.replace(EMA, ura_dora=False, kan_ura=False)
    win = Win(seat=1, han=3, fu=30, yaku=("riichi", "tanyao", "ura"))
    for book, codes in ((EMA, []), (rules, ["yaku.not_in_rules"])):
        found = yaku_problems(win, win.yaku or (), book, tsumo=False, riichi=True)
        assert [each.code for each in found] == codes


@pytest.mark.parametrize("key", [key for key in book_keys() if load(key).chii])
def test_ippatsu_is_refused_where_it_is_not_played(key: str) -> None:
    rules = load(key)
    played = key not in ("jpml-a", "saikouisen-classic")
    assert any(rules.ippatsu) is played
    assert refused(f"{HAND} i", rules) == ("" if played else "yaku.not_in_rules")
    assert refused(HAND, rules) == ""


def test_jpml_asks_for_a_green_dragon_among_the_green_tiles() -> None:
    jpml, wrc = load("jpml-a"), load("wrc-2025")
    with_it, without = "223344666888s66z", "22334444666888s"
    assert [dict(counted(line, jpml).yaku).get("ryuuiisou") for line in (with_it, without)] == [13, None]
    assert [dict(counted(line, wrc).yaku).get("ryuuiisou") for line in (with_it, without)] == [13, 13]
    assert counted(f"{without} wES", jpml).limit == "baiman"


@pytest.mark.parametrize(
    ("reds", "line", "red"),
    [
        (("5p", "5s"), "055p234567s78999p r", 1),
        (("5p",) * 4 + ("5s",) * 4, "555p234567s78999p r", 4),
        (("5p",) * 4 + ("5s",) * 4, "055p234067s78999p r", 4),
        (("5p",) * 4 + ("5s",), "055p234067s78999p r", 4),
        (("5p",) * 4 + ("5s",), "055p234567s78999p r", 3),
    ],
)
def test_where_every_five_is_red_it_is_red_however_it_is_written(reds: Any, line: str, red: int) -> None:
    rules = dataclasses.replace(load("mcgill-sanma"), red_fives=reds)
    assert counted(line, rules).dora.red == red


NORTH = dataclasses.replace(SANMA, north_value="everybody")


def test_a_triplet_of_north_is_a_yaku_of_everybody() -> None:
    line = "444z123678p1s1s 777s"
    assert refused(line, SANMA) == "hand.no_yaku"
    found = counted(line, NORTH)
    assert (found.yaku, found.fu) == ((("north", 1),), 40)


@pytest.mark.parametrize(("tsumo", "fu"), [("", 40), (" t", 30)])
def test_a_pair_of_north_is_worth_fu_and_takes_pinfu_away(tsumo: str, fu: int) -> None:
    line = f"44z234567p12378s9s{tsumo} r"
    plain, north = counted(line, SANMA), counted(line, NORTH)
    assert "pinfu" in dict(plain.yaku)
    assert "pinfu" not in dict(north.yaku)
    assert ("north_pair", 2) in [(item.why, item.fu) for item in north.fu_items]
    assert (north.fu, plain.fu) == (fu, 20 if tsumo else 30)
    assert score_json(explain(hand_of(line, NORTH), NORTH), hand_of(line, NORTH), NORTH)["fu"] == fu


def test_north_is_named_like_any_wind() -> None:
    win = Win(seat=1, han=1, fu=30, yaku=("north",))
    codes = [
        [each.code for each in yaku_problems(win, ("north",), book, tsumo=False, riichi=False)]
        for book in (SANMA, NORTH)
    ]
    assert codes == [["yaku.not_in_rules"], []]


@pytest.mark.parametrize(
    ("share", "base", "deals", "paid"),
    [
        ("lost", 2000, False, [2000, 4000]),
        ("halved", 2000, False, [3000, 5000]),
        ("even", 2000, False, [4000, 4000]),
        ("even", 2000, True, [6000]),
        ("even", 960, False, [2000, 2000]),  # half of 3,900
        ("even", 240, True, [800]),  # half of 1,500
    ],
)
def test_a_tsumo_without_a_north_is_paid_as_the_rules_say(share: Any, base: int, deals: bool, paid: list[int]) -> None:
    rules = dataclasses.replace(SANMA, north_share=share)
    assert payment_at(base, rules, tsumo=True, deals=deals).as_json() == {"tsumo": paid}
