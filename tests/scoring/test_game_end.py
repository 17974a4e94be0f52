"""The end of a game by the rules that clubs play: at zero, by the dealer's win, by tenpai, or as the dealer chooses."""

import dataclasses
from typing import Any

import pytest

from rules.books import load
from scoring.check import problems
from scoring.dealer import may_stop
from scoring.entries import Chombo
from scoring.game import play
from scoring.shorthand import parse, write
from scoring.state import TableState

TENHOU = load("tenhou-yonma")
LAST = TableState((20_000, 20_000, 20_000, 40_000), dealer=3, round=1)


@pytest.mark.parametrize(
    ("agari", "tenpai", "ends"),
    [
        (True, True, (True, True)),
        (True, False, (True, False)),
        (False, True, (False, True)),
        (False, False, (False,) * 2),
    ],
)
def test_a_leading_dealer_ends_the_game_by_a_win_or_in_tenpai_as_the_rules_say(
    agari: bool, tenpai: bool, ends: tuple[bool, bool]
) -> None:
    rules = dataclasses.replace(TENHOU, agari_yame=agari, tenpai_yame=tenpai)
    assert tuple(play(parse(line), LAST, rules).after.ended for line in ("4t 230", "d4")) == ends
    assert not play(parse("ak"), LAST, rules).after.ended


CHOICE = dataclasses.replace(TENHOU, yame_choice=True)


@pytest.mark.parametrize("line", ["4t 230", "4r1 340", "d4", "d34"])
def test_where_the_dealer_chooses_the_game_goes_on_until_he_ends_it(line: str) -> None:
    assert not play(parse(line), LAST, CHOICE).after.ended
    assert play(parse(f"{line} e"), LAST, CHOICE).after.ended
    assert problems(parse(f"{line} e"), LAST, CHOICE) == []
    assert write(parse(f"{line}e")) == f"{line} e"


@pytest.mark.parametrize(
    ("line", "state", "code"),
    [
        ("1r4 340 e", LAST, "game.cannot_stop"),  # not the dealer
        ("d1 e", LAST, "game.cannot_stop"),  # the deal passes
        ("ak e", LAST, "game.cannot_stop"),
        ("4t 230 e", LAST._replace(dealer=2), "game.cannot_stop"),
        ("4t 110 e", LAST._replace(scores=(45_000, 20_000, 20_000, 15_000)), "win.fu_impossible"),
        ("4t 230 e", LAST._replace(scores=(45_000, 20_000, 20_000, 15_000)), "game.cannot_stop"),
        ("=+100,-100,0,0 x e", LAST, ""),  # a correction's reason may end in any letter
        ("c4 e", LAST, "game.cannot_stop"),
    ],
)
def test_a_dealer_who_may_not_end_the_game_is_refused(line: str, state: TableState, code: str) -> None:
    assert [each.code for each in problems(parse(line), state, CHOICE)] == ([code] if code else [])


def test_without_the_choice_nobody_ends_a_game() -> None:
    assert [each.code for each in problems(parse("4t 230 e"), LAST, TENHOU)] == ["game.no_choice"]
    assert not may_stop(parse("4t 230"), LAST, TENHOU)


@pytest.mark.parametrize(("score", "at_zero", "ended"), [(1500, True, True), (1500, False, False), (1400, False, True)])
def test_a_game_ends_at_exactly_zero_where_the_rules_say_so(score: int, at_zero: bool, ended: bool) -> None:
    rules = dataclasses.replace(TENHOU, bust_at_zero=at_zero)
    state = TableState((100_000 - 50_000 - score, 25_000, score, 25_000), dealer=1)
    hand = play(parse("2r3 130"), state, rules)
    assert hand.deltas == (0, 1500, -1500, 0)
    assert hand.after.ended is ended


@pytest.mark.parametrize("rule", ["tenpai", "always", "never"])
def test_when_the_dealer_stays_on_a_draw(rule: Any) -> None:
    rules = dataclasses.replace(load("ema-2025"), dealer_on_draw=rule)
    state = TableState((30_000,) * 4)
    assert [play(parse(line), state, rules).after.dealer for line in ("d", "d1", "d2")] == {
        "tenpai": [1, 0, 1],
        "always": [0, 0, 0],
        "never": [1, 1, 1],
    }[rule]
    assert play(parse("1t 230"), state, rules).after.dealer == 0


MANGAN = dataclasses.replace(load("ema-2025"), chombo_pays="mangan")


@pytest.mark.parametrize(
    ("offenders", "deltas"),
    [
        ((0,), (-12_000, 4000, 4000, 4000)),
        ((1,), (4000, -8000, 2000, 2000)),
        ((0, 1), (-8000, -4000, 6000, 6000)),
    ],
)
def test_a_chombo_may_pay_a_mangan_the_other_way_round(offenders: tuple[int, ...], deltas: tuple[int, ...]) -> None:
    state = TableState((30_000,) * 4, honba=2, sticks=1)
    hand = play(Chombo(offenders=offenders, riichi=(2,)), state, MANGAN)
    assert hand.deltas == deltas
    assert {each.why for each in hand.transfers} == {"chombo"}
    assert hand.after._replace(scores=state.scores) == state
    assert play(Chombo(offenders=offenders), state, load("ema-2025")).transfers == ()


@pytest.mark.parametrize(("bust", "ended"), [(True, True), (False, False)])
def test_a_chombo_that_is_paid_can_end_the_game(bust: bool, ended: bool) -> None:
    rules = dataclasses.replace(MANGAN, bust=bust)
    assert play(Chombo(offenders=(1,)), TableState((40_000, 7900, 36_000, 36_100)), rules).after.ended is ended


def test_in_sanma_a_chombo_pays_what_a_tsumo_would() -> None:
    shares: dict[Any, Any] = {"lost": (4000, -6000, 2000), "halved": (5000, -8000, 3000), "even": (4000, -8000, 4000)}
    for share, wanted in shares.items():
        rules = dataclasses.replace(load("sanmatsuri-2026"), chombo_pays="mangan", north_share=share)
        assert play(Chombo(offenders=(1,)), TableState((30_000,) * 3), rules).deltas == wanted
