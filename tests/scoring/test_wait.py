"""Rules that ask for something of the whole wait, under the sanma rule book (S4): its pictures and more hands."""

import dataclasses
from typing import Any

import pytest

from rules.books import load
from scoring.count import count
from scoring.hand import WinningHand
from scoring.problems import InvalidInput
from tests.scoring.hand_table import hand_of, load_by_tile, rows_of
from tests.table_test import tabled

BOOK = load("sanma-rule-book")
NO_YAKU, NO_TWO_HAN = "hand.wait_without_yaku", "hand.wait_without_two_han"

# what is shown | the hand | its yaku, or the code and the tile of the wait that lacks something
TABLE = """
9.3, first picture: one tile, and it makes iipeikou | 22344s567p888p11m3s            | iipeikou
9.3, second picture: 2p makes it, 5p does not       | 23344p567888s11m2p             | hand.wait_without_yaku 5p
    the same with the other tile has no yaku at all | 23344p567888s11m5p             | hand.no_yaku
    by tsumo it may be won                          | 23344p567888s11m2p t           | menzen_tsumo iipeikou
    with riichi too, but iipeikou does not count    | 23344p567888s11m2p r           | riichi
    a wait of which the hand holds all four         | 23344p888s11m2p x5555p         | iipeikou
    a hidden yaku allows any tile                   | 23344p567s11m777z5p            | chun
tanyao by one tile of two                           | 234567p44478s22s6s             | hand.wait_without_yaku 9s
    with riichi tanyao counts, only three do not    | 234567p44478s22s6s r           | riichi tanyao
    by tsumo                                        | 234567p44478s22s6s t           | menzen_tsumo tanyao
an open hand waits on one dragon and one terminal   | 234567p99m55z5z 444s           | hand.wait_without_yaku 9m
a dragon made by ron is no yaku of 9.3              | 234567p444s55z66z5z            | hand.wait_without_yaku 5z
    nor is a wind                                   | 234567p444s11z22z1z wES        | hand.wait_without_yaku 1z
    nor a wind that is no seat's                    | 234567p444s33z66z6z            | hand.wait_without_yaku 3z
    a drawn one is                                  | 234567p444s55z66z5z t          | menzen_tsumo haku
    beside a yaku it counts                         | 234567p777z55z66z5z            | haku chun shousangen honitsu
seven pairs wait on one tile                        | 1199m2277p33s557z7z            | chiitoitsu
thirteen waits                                      | 19m19p19s12345677z             | kokushi_musou
12 chanta note: 1p makes it, 4p does not            | 23p789p99s111m333z1p           | hand.wait_without_yaku 4p
    beside a yaku it does not count                 | 23p789p99s111m777z1p           | chun
    one tile                                        | 12p789p99s111m333z3p           | chanta
    by tsumo                                        | 23p789p99s111m777z1p t         | menzen_tsumo chun chanta
12 ittsu note: 9p makes it, 6p does not             | 12345678p999s33z9p             | hand.wait_without_yaku 3p
    beside a yaku it does not count                 | 12345678p777z99s9p             | chun
    one tile                                        | 12345679p999s33z8p             | ittsu
    complete before, and no tile without it         | 123456789p4499s4s              | ittsu
ryanpeikou with the other tile is iipeikou and more | 223344p66778s99p5s             | pinfu iipeikou
11, first picture: with hatsu two, with South one   | 234p567s22z66z6z 777z h4       | hand.wait_without_two_han 2z
    by tsumo as well                                | 234p567s22z66z6z 777z t h4     | hand.wait_without_two_han 2z
    with South itself too few                       | 234p567s22z66z2z 777z h4       | hand.two_han_needed
    South is the own wind                           | 234p567s22z66z6z 777z h4 wES   | hatsu chun
    before the fourth counter                       | 234p567s22z66z6z 777z h3       | hatsu chun
11, second picture: hidden, with riichi             | 234p567s777z22z66z6z r h4      | riichi hatsu chun
    by tsumo                                        | 234p567s777z22z66z6z t h4      | menzen_tsumo hatsu chun
    by ron without riichi                           | 234p567s777z22z66z6z h4        | hand.wait_without_two_han 2z
    hidden by tsumo, one tile with two and one less | 234567p44478s22s6s t h4        | menzen_tsumo tanyao
"""


def told(hand: WinningHand) -> str:
    """Return the yaku of a hand under the book, or the code and the tile with which it is refused."""
    try:
        return " ".join(name for name, _ in count(hand, BOOK).yaku)
    except InvalidInput as wrong:
        [problem] = wrong.problems
        return f"{problem.code} {problem.params.get('tile', '')}".strip()


@pytest.mark.states("wait")
@tabled("what, line, wanted", rows_of(TABLE))
def test_what_the_whole_wait_gives(what: str, line: str, wanted: str) -> None:
    assert (what, told(hand_of(line, BOOK))) == (what, wanted)


TWO_SIDED, SOUTH_TOO, CHANTA = "23344p567888s11m2p", "234p567s22z66z6z 777z h4", "23p789p99s111m777z1p"
FIELDS: list[tuple[str, dict[str, Any], str]] = [
    (TWO_SIDED, {"ron_on_whole_wait": False, "whole_wait_yaku": ()}, "iipeikou"),
    (TWO_SIDED, {"ron_on_whole_wait": False}, "hand.no_yaku"),  # iipeikou does not count, and there is no other
    (TWO_SIDED, {"whole_wait_yaku": ()}, "hand.wait_without_yaku"),
    (CHANTA, {"whole_wait_yaku": ("iipeikou", "ittsu")}, "chun chanta"),
    (SOUTH_TOO, {"two_han_whole_wait": False}, "hatsu chun"),
    (SOUTH_TOO, {"two_han_from_honba": 5}, "hatsu chun"),
]


@tabled("line, changes, wanted", FIELDS)
def test_each_field_acts_alone(line: str, changes: dict[str, Any], wanted: str) -> None:
    rules = dataclasses.replace(BOOK, **changes)
    try:
        found = " ".join(name for name, _ in count(hand_of(line, rules), rules).yaku)
    except InvalidInput as wrong:
        found = wrong.problems[0].code
    assert found == wanted


@pytest.mark.parametrize("line", [TWO_SIDED, SOUTH_TOO, CHANTA])
def test_without_these_rules_the_winning_tile_alone_counts(line: str) -> None:
    by_tile = load_by_tile("sanma-rule-book")
    assert count(hand_of(line, by_tile), by_tile) == count(hand_of(line, load("tenhou-sanma")), by_tile)


def test_a_yakuman_by_one_tile_of_the_wait_needs_a_yaku_with_the_others_too() -> None:
    # the red dragon makes daisangen, 9m shousangen
    assert told(hand_of("234p55566677z99m7z", BOOK)) == "daisangen"
    assert told(hand_of("234p55566677z99m9m", BOOK)) == "haku hatsu shousangen"
    # each of the nine tiles makes a full flush at least
    assert told(hand_of("11123456789995p", BOOK)) == "chuuren_poutou"
