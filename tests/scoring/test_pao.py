"""Liability: who pays what when a yakuman was fed, by tsumo and by ron, for three and for four. By hand."""

import dataclasses

import pytest

from rules.books import load
from scoring.check import problems
from scoring.entries import Ron, Tsumo, Win
from scoring.game import play
from scoring.shorthand import parse
from tests.scoring.table import deltas, paid, state
from tests.table_test import tabled

# Player 3 is liable. Tsumo: he pays the whole tsumo total and all counters (E25 3.3.7; decisions).
# Ron off another: half each, the discarder pays the counters. Two counters on the table, player 1 deals.
CASES = [
    ("ema-2025", "2t y p3", (0, 32_000 + 600, -32_000 - 600, 0)),
    ("ema-2025", "1t y p3", (48_000 + 600, 0, -48_000 - 600, 0)),
    ("ema-2025", "2r4 y p3", (0, 32_000 + 600, -16_000, -16_000 - 600)),
    ("ema-2025", "2r1 y p3", (-16_000 - 600, 32_000 + 600, -16_000, 0)),
    ("ema-2025", "1r4 y p3", (48_000 + 600, 0, -24_000, -24_000 - 600)),
    ("sanmatsuri-2026", "2t y p3", (0, 24_000 + 400, -24_000 - 400)),
    ("sanmatsuri-2026", "1t y p3", (32_000 + 400, 0, -32_000 - 400)),
    ("sanmatsuri-2026", "2r1 y p3", (-16_000 - 400, 32_000 + 400, -16_000)),
    ("sanmatsuri-2026", "1r2 y p3", (48_000 + 400, -24_000 - 400, -24_000)),
    ("wrc-2025", "2t y p3", (0, 32_000 + 600, -32_000 - 600, 0)),
    ("wrc-2025", "2r4 y p3", (0, 32_000 + 600, -16_000, -16_000 - 600)),
    ("rakkii-nomi-2026", "1t y p3", (48_000 + 600, 0, -48_000 - 600, 0)),
    ("tenhou-sanma", "2t y p3", (0, 24_000 + 400, -24_000 - 400)),
    ("tenhou-sanma", "2r1 y p3", (-16_000, 32_000 + 400, -16_000 - 400)),
    ("tenhou-yonma", "2r4 y p3", (0, 32_000 + 600, -16_000 - 600, -16_000)),
    # rinshan after an open kan: the whole tsumo
    ("jpml-a", "2t340 p3", (0, 1300 + 1300 + 2600 + 600, -5200 - 600, 0)),
    ("jpml-a", "1t m p3", (12_000 + 600, 0, -12_000 - 600, 0)),
]


@tabled("key, line, gains", CASES)
def test_one_yakuman(key: str, line: str, gains: tuple[int, ...]) -> None:
    assert deltas(key, line, honba=2) == gains


# Two yakuman in one hand: one counts in EMA, and the liable pay for the whole hand; elsewhere they pay for their part.
SEVERAL = [
    ("ema-2025", "2t y2 p3", (0, 32_000 + 300, -32_000 - 300, 0)),
    ("ema-2025", "2r4 y2 p3", (0, 32_000 + 300, -16_000, -16_000 - 300)),
    ("sanmatsuri-2026", "2t y2 p3", (0, 24_000 + 200, -24_000 - 200)),
    ("wrc-2025", "2t y2 p3", (-16_000, 64_000 + 300, -32_000 - 8000 - 300, -8000)),
    ("wrc-2025", "1t y2 p3", (96_000 + 300, -16_000, -48_000 - 16_000 - 300, -16_000)),
    ("wrc-2025", "2r4 y2 p3", (0, 64_000 + 300, -16_000, -16_000 - 32_000 - 300)),
    ("rakkii-nomi-2026", "1r4 y3 p3", (144_000 + 300, 0, -24_000, -24_000 - 96_000 - 300)),
    ("tenhou-sanma", "2t y2 p3", (0, 48_000 + 200, -48_000 - 200)),
]


@pytest.mark.parametrize(("key", "line", "gains"), SEVERAL)
def test_several_yakuman(key: str, line: str, gains: tuple[int, ...]) -> None:
    assert deltas(key, line, honba=1) == gains


def test_the_whole_hand_may_be_more_than_one_yakuman() -> None:
    # no book has both, an event may: yakuman add up, and the liable pay for all of them
    rules = dataclasses.replace(load("wrc-2025"), pao_part="whole_hand")
    hand = play(parse("2t y2 p3"), state("wrc-2025", honba=1), rules)
    assert hand.deltas == (0, 64_000 + 300, -64_000 - 300, 0)


def test_two_liable_yakuman_in_one_hand_are_both_paid_for() -> None:
    # the named yaku tell how much of the hand is liable: suukantsu is in WRC (9.1.1)
    win = Win(seat=1, yakuman=2, yaku=("daisangen", "suukantsu"), pao=2)
    assert deltas("wrc-2025", Tsumo(winners=(win,))) == (0, 64_000, -64_000, 0)
    part = dataclasses.replace(load("wrc-2025"), pao=("daisangen",))
    assert play(Tsumo(winners=(win,)), state("wrc-2025"), part).deltas == (-16_000, 64_000, -40_000, -8000)
    assert deltas("wrc-2025", Ron(loser=3, winners=(win,))) == (0, 64_000, -32_000, -32_000)


@tabled(
    "key, line, codes",
    [
        ("jpml-a", "2t340 p3", []),
        ("jpml-a", "2t y p3", []),
        ("jpml-a", "2r4 340 p3", ["pao.not_liable"]),
        ("wrc-2025", "2t340 p3", ["pao.not_liable"]),
    ],
)
def test_a_tsumo_of_some_han_has_a_liable_player_only_where_rinshan_does(key: str, line: str, codes: list[str]) -> None:
    assert [each.code for each in problems(parse(line), state(key), load(key))] == codes


def test_a_named_yaku_says_whether_a_tsumo_was_by_rinshan() -> None:
    for yaku, codes in ((("menzen_tsumo", "riichi", "tanyao"), ["pao.not_liable"]), (("rinshan", "haku", "chun"), [])):
        win = Win(seat=1, han=3, fu=40, yaku=yaku, pao=2)
        entry = Tsumo(winners=(win,), riichi=(1,) if "riichi" in yaku else ())
        found = [each.code for each in problems(entry, state("jpml-a"), load("jpml-a"))]
        assert [code for code in found if code.startswith("pao")] == codes


def test_the_deposits_go_to_the_winner_whoever_is_liable() -> None:
    assert deltas("ema-2025", "2t y p3/34", sticks=1) == (0, 32_000 + 3000, -32_000 - 1000, -1000)


def test_a_multiple_ron_splits_only_the_liable_winners_hand() -> None:
    # player 4 discards to 1 (East, 3 han 30) and to 2 (yakuman, player 3 liable); counters to 1, next in turn (RK 2.3)
    gains = deltas("rakkii-nomi-2026", "2r4 y p3+1 330", honba=1)
    assert gains == (5800 + 300, 32_000, -16_000, -16_000 - 5800 - 300)
    # EMA: counters to each, both from the discarder (3.4.4, 3.3.7)
    assert deltas("ema-2025", "2r4 y p3+1 330", honba=1) == (6100, 32_300, -16_000, -16_000 - 5800 - 600)


def test_the_liable_player_may_win_on_the_same_discard() -> None:
    assert deltas("ema-2025", "2r4 y p3+3 330") == (0, 32_000, 3900 - 16_000, -16_000 - 3900)


def test_what_the_liable_player_pays_is_called_so() -> None:
    assert {(t.payer, t.why) for t in paid("ema-2025", "2r4 y p3", honba=1)} == {(2, "pao"), (3, "hand"), (3, "honba")}
    assert {(t.payer, t.why) for t in paid("ema-2025", "2t y p3", honba=1)} == {(2, "pao"), (2, "honba")}
