"""Hands that must not pass: rows 1 to 5 and 11 to 20 of the shared list, each with its code. A code in brackets is a
warning, which wants a reason and stops nothing. Rows 6 to 10, 21 and 22: test_check_win and test_win_tiles; row 23:
test_reconcile; row 24: test_entries and test_strict_json.
"""

import dataclasses
import json
from typing import Any

import pytest

from rules.books import load
from scoring.check import problems
from scoring.entries import Correction, Entry, Nagashi, Ron, Totals, Tsumo, Win, from_json
from scoring.problems import InvalidInput
from scoring.shorthand import parse
from scoring.strict_json import parse as parse_json
from tests.scoring.table import state
from tests.table_test import tabled


def codes(key: str, entry: Entry, **changes: Any) -> list[str]:
    """Return the codes of what is wrong, warnings in brackets."""
    found = problems(entry, state(key, **changes), load(key))
    return [problem.code if problem.severity == "error" else f"({problem.code})" for problem in found]


def yaku_win(han: int, fu: int, *yaku: str) -> Tsumo:
    return Tsumo(winners=(Win(seat=0, han=han, fu=fu, yaku=yaku),))


EMA, WRC, RAKKII, SAN, T4, T3 = (
    "ema-2025",
    "wrc-2025",
    "rakkii-nomi-2026",
    "sanmatsuri-2026",
    "tenhou-yonma",
    "tenhou-sanma",
)
ROWS: list[tuple[str, str, str | Entry, list[str]]] = [
    # 1: not at the table
    ("1", EMA, "5r1 330", ["seat.not_at_table"]),
    ("1", SAN, "4r1 330", ["seat.not_at_table"]),
    ("1", SAN, "1r4 330", ["seat.not_at_table"]),
    ("1", SAN, "4t m", ["seat.not_at_table"]),
    ("1", SAN, "1r2 330/4", ["seat.not_at_table"]),
    ("1", SAN, "d14", ["seat.not_at_table"]),
    ("1", SAN, "n4", ["seat.not_at_table"]),
    ("1", SAN, "c4", ["seat.not_at_table"]),
    ("1", SAN, "1t y p4", ["seat.not_at_table"]),
    ("1", SAN, "n1 d4", ["seat.not_at_table"]),
    ("1", SAN, "7r8 330/9", ["seat.not_at_table"] * 3),
    ("1", EMA, Ron(loser=0, winners=(Win(seat=-1, han=3, fu=30),)), ["seat.not_at_table"]),
    ("1", SAN, Ron(loser=0, winners=(Win(seat=1, han=3, fu=30),), announced={3: 0}), ["seat.not_at_table"]),
    ("1", SAN, "=100,-100,0,0 x", ["points.not_for_each_seat"]),
    ("1", EMA, "*30000,30000,30000,0", ["points.not_for_each_seat"]),
    # 2: off himself
    ("2", EMA, "2r2 330", ["win.winner_is_discarder"]),
    ("2", SAN, "1r1 y", ["win.winner_is_discarder"]),
    # 3: fu that no such hand has
    ("3", EMA, "2r3 337", ["win.fu_impossible"]),
    ("3", EMA, "2r3 320", ["win.fu_impossible"]),
    ("3", EMA, "1t 120", ["win.fu_impossible"]),
    ("3", EMA, "2r3 125", ["win.fu_impossible"]),
    ("3", EMA, "1t 125", ["win.fu_impossible"]),
    # riichi is a han of its own, and so is the tsumo of a closed hand
    ("3", EMA, "1t 130/1", ["win.riichi_tsumo_han"]),
    ("3", EMA, "1t 220/1", ["win.fu_impossible"]),
    ("3", EMA, "1t 325/1", ["win.fu_impossible"]),
    ("3", EMA, "2r3 225/2", ["win.fu_impossible"]),
    ("3", EMA, "1t 230/1", []),
    ("3", EMA, "1t 320/1", []),
    ("3", EMA, "2r3 325/2", []),
    ("3", EMA, "1t 225", ["win.fu_impossible"]),
    ("3", EMA, "2r3 1110", ["win.fu_impossible"]),
    ("3", T4, "2r3 1110", []),  # a double wind pair of 4 fu
    ("3", EMA, "2r3 2.10", ["win.fu_impossible"]),
    ("3", EMA, "2r3 5.37", ["win.fu_impossible"]),
    ("3", SAN, "2r3 3.200", ["win.fu_impossible"]),
    ("3", EMA, yaku_win(3, 25, "riichi", "tanyao", "menzen_tsumo"), ["win.fu_without_seven_pairs"]),
    ("3", EMA, yaku_win(3, 25, "chiitoitsu", "menzen_tsumo"), []),
    ("3", EMA, "1t 325", []),
    ("3", EMA, "2r3 225", []),
    ("3", EMA, "1t 220", []),
    # 4: han
    ("4", EMA, "1t 0.30", ["win.han_zero"]),
    ("4", EMA, "1t 0", ["win.han_zero"]),
    ("4", EMA, Tsumo(winners=(Win(seat=0, han=-3, fu=30),)), ["win.han_zero"]),
    ("4", EMA, "1t 40.30", ["win.han_too_many"]),
    ("4", T4, "1t 40.30", ["win.han_too_many"]),
    ("4", EMA, "1t 14.0", []),
    ("4", EMA, "1t 39.0", []),
    # 5: fu missing
    ("5", EMA, "2r3 3", ["win.fu_missing"]),
    ("5", EMA, "2r3 3.0", ["win.fu_missing"]),
    ("5", SAN, "1t 4", ["win.fu_missing"]),
    ("5", EMA, "2r3 5", []),
    # 11: pao
    ("11", EMA, "2r3 y p2", ["pao.by_winner"]),
    ("11", EMA, "2t y p2", ["pao.by_winner"]),
    ("11", EMA, "2r3 y p3", ["pao.by_discarder"]),
    ("11", EMA, "2r3 330 p1", ["pao.not_liable"]),
    ("11", WRC, "2r3 13 p1", ["pao.not_liable"]),  # a counted yakuman is an ordinary hand
    ("11", EMA, Tsumo(winners=(Win(seat=1, yakuman=1, yaku=("suukantsu",), pao=2),)), ["pao.not_liable"]),
    ("11", WRC, Tsumo(winners=(Win(seat=1, yakuman=1, yaku=("suukantsu",), pao=2),)), []),
    ("11", EMA, Tsumo(winners=(Win(seat=1, yakuman=1, yaku=("kokushi_musou",), pao=2),)), ["pao.not_liable"]),
    ("11", EMA, Tsumo(winners=(Win(seat=1, yakuman=1, yaku=("daisangen",), pao=2),)), []),
    ("11", EMA, "2r3 y p1", []),
    # 12: winners
    ("12", EMA, "2r3 330+2 340", ["win.winner_twice"]),
    ("12", EMA, "2r3 330+3 340", ["win.winner_is_discarder"]),
    ("12", WRC, "2r3 330+4 340", ["win.head_bump"]),
    ("12", SAN, "1r2 330+3 330+2 330", ["win.winner_is_discarder"]),
    ("12", SAN, "1r2 330+3 330+4 330", ["seat.not_at_table"]),
    ("12", SAN, "1r2 330+3 330+3 330", ["win.winner_twice"]),
    ("12", T4, "1r2 330+3 330+4 330", ["win.triple_ron_aborts"]),
    ("12", EMA, Ron(loser=0, winners=()), ["win.no_winner"]),
    ("12", EMA, Tsumo(winners=()), ["win.tsumo_has_one_winner"]),
    ("12", EMA, Tsumo(winners=(Win(seat=0, han=5), Win(seat=1, han=5))), ["win.tsumo_has_one_winner"]),
    ("12", EMA, "1r2 330+3 330+4 330", []),
    ("12", SAN, "1r2 330+3 330", []),
    # 13: riichi and noten
    ("13", EMA, "d1/2", ["(draw.riichi_noten)"]),
    ("13", SAN, "d/123", ["(draw.riichi_noten)"] * 3),
    ("13", T4, "n1/2", ["(draw.riichi_noten)"]),  # a nagashi that is a draw
    ("13", EMA, "d12/2", []),
    ("13", EMA, "d1 x2/2", []),  # a dead hand after a valid riichi pays noten and is no chombo (E25 3.3.14)
    # a dead hand neither wins nor is tenpai
    ("-", EMA, "2r3 340 x2", ["dead.wins"]),
    ("-", EMA, "2r3 340 x4", []),
    ("-", SAN, "d12 x2", ["dead.tenpai"]),
    ("-", SAN, "d1 x4", ["seat.not_at_table"]),
    ("-", SAN, "n2 x2", ["dead.wins"]),
    ("-", EMA, "d1 x33", ["dead.twice"]),
    # 14: twice in a list
    ("14", EMA, "2r3 330/22", ["riichi.twice"]),
    ("14", EMA, "d1/11", ["riichi.twice"]),
    ("14", EMA, "d11", ["draw.tenpai_twice"]),
    ("14", SAN, "c11", ["chombo.offender_twice"]),
    ("14", SAN, "n22", ["win.winner_twice"]),
    ("14", SAN, "n2 d33", ["draw.tenpai_twice"]),
    # 16: nagashi
    ("16", EMA, "n1", ["nagashi.not_in_rules"]),
    ("16", WRC, "n1", ["nagashi.not_in_rules"]),
    ("16", RAKKII, "n1", ["(nagashi.closed_hand)"]),
    ("16", RAKKII, "n1/1", []),  # in riichi a hand is closed
    ("16", SAN, "n1", []),
    ("16", T3, "n1", []),
    ("16", SAN, Nagashi(winners=()), ["win.no_winner"]),
    # 17: chombo
    ("17", EMA, "c", ["chombo.no_offender"]),
    ("17", SAN, "c12", []),
    # 6 to 10, 21, 22 by name, where it takes two names or the counters to see it (the rest: test_check_win)
    ("8", EMA, yaku_win(3, 40, "haku", "hatsu", "chun"), ["yaku.are_yakuman"]),
    ("10", EMA, yaku_win(3, 30, "menzen_tsumo", "toitoi"), ["yaku.are_yakuman"]),
    ("10", EMA, yaku_win(3, 40, "menzen_tsumo", "honroutou"), ["yaku.needs_other"]),
    ("21", SAN, yaku_win(6, 30, "chun", *["kita"] * 5), ["yaku.dora_too_many"]),
    ("22", RAKKII, yaku_win(5, 30, "chun", *["red"] * 4), ["yaku.dora_too_many"]),
    ("22", RAKKII, yaku_win(4, 30, "chun", *["red"] * 3), []),
    # beside the list: what else the rules do not know
    ("-", EMA, "ak", ["abort.not_in_rules"]),
    ("-", T3, "aw", ["abort.not_in_rules"]),
    ("-", T3, "ak", []),
    ("-", EMA, "1t y2", ["(win.yakuman_counted_once)"]),
    ("-", WRC, "1t y2", []),
    ("-", WRC, "1t y7", ["win.yakuman_count"]),
    ("-", EMA, "=100,0,0,0 x", ["correction.not_zero"]),
    ("-", EMA, "=0,0,0,0 x", ["correction.nothing"]),
    ("-", EMA, "=100,-100,0,0", ["correction.no_reason"]),
    ("-", EMA, Correction(deltas=(1, -1, 0, 0), reason="x", riichi=(0,)), ["(riichi.outside_hand)"]),
    ("-", EMA, "*30000,30000,30000,30000,0", []),
    ("-", EMA, "*31000,30000,30000,30000,0", ["totals.sum"]),
    ("-", WRC, "*29000,30000,30000,30000,1000", []),
    ("-", EMA, "*29000,30000,30000,30000,1000", ["totals.leftover_has_owner"]),
    ("-", EMA, "*33333,33333,33333,20000,1", []),
    ("-", EMA, "*40000,30000,29500,20000,500", ["totals.leftover_odd"]),
    ("-", WRC, "*29500,30000,30000,30000,500", ["totals.leftover_odd"]),
    ("-", WRC, "*31000,30000,30000,30000,-1000", ["totals.leftover_negative"]),
    ("-", EMA, Totals(scores=(30_000,) * 4, riichi=(0,)), ["(riichi.outside_hand)"]),
]


@pytest.mark.states("wrong_hand")
@tabled("key, entry, wanted", [row[1:] for row in ROWS])
def test_a_wrong_hand(key: str, entry: str | Entry, wanted: list[str]) -> None:
    assert codes(key, parse(entry) if isinstance(entry, str) else entry) == wanted


@pytest.mark.parametrize(
    ("key", "score", "wanted"),
    [
        (EMA, 1000, []),
        (EMA, 900, ["(riichi.short)"]),
        (EMA, -5000, ["(riichi.short)"]),
        (SAN, 900, ["(riichi.short)"]),
        (WRC, -5000, []),
        (RAKKII, 900, []),
        (T4, 900, ["riichi.short"]),
        (T3, 0, ["riichi.short"]),
    ],
)
def test_row_15_riichi_with_less_than_the_deposit(key: str, score: int, wanted: list[str]) -> None:
    scores = (30_000, score, *[30_000] * (load(key).players - 2))
    assert codes(key, parse("2r1 m/2"), scores=scores) == wanted
    assert codes(key, parse("2r1 m"), scores=scores) == []


NAGASHI_WITH_A_WIN = [
    {"kind": "nagashi", "winners": [{"seat": 1, "han": 3, "fu": 30}]},
    {"kind": "nagashi", "winners": [{"seat": 1}], "loser": 2},
    {"kind": "ron", "loser": 2, "winners": [{"seat": 1, "han": 3, "fu": 30}], "tenpai": [1]},
]


@pytest.mark.parametrize("value", NAGASHI_WITH_A_WIN)
def test_row_16_nagashi_together_with_a_win(value: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        from_json(value)
    assert {problem.code for problem in refused.value.problems} == {"entry.unknown_key"}


@pytest.mark.parametrize("key", ["dealer", "honba", "round_wind", "sticks", "score"])
def test_row_18_what_the_client_says_of_the_table_is_refused(key: str) -> None:
    value = parse_json(json.dumps({"kind": "draw", "tenpai": [], key: 1}))
    with pytest.raises(InvalidInput) as refused:
        from_json(value)
    assert [problem.code for problem in refused.value.problems] == ["entry.derived_key"]


@pytest.mark.parametrize("line", ["2r3 330", "1t m", "d12", "n1", "c1", "*30000,30000,30000,0"])
def test_row_19_a_hand_after_the_end(line: str) -> None:
    assert codes(SAN, parse(line), ended=True) == ["game.ended"]


def test_a_correction_may_still_come_after_the_end() -> None:
    assert codes(SAN, parse("=+100,-100,0 dropped stick"), ended=True) == []


@pytest.mark.parametrize(
    "changes",
    [{"honba": 1}, {"dealer": 1}, {"round": 1}, {"sticks": 1}, {"scores": (31_000, 29_000, 30_000, 30_000)}],
)
def test_totals_are_for_a_table_without_hands(changes: dict[str, Any]) -> None:
    assert codes(EMA, parse("*30000,30000,30000,30000,0"), **changes) == ["totals.after_hands"]


# Row 20. Player 1 deals, two counters and a deposit lie on the table; 2 wins 3 han 30 off 3: 3,900 + 600 (+ 1,000).
ANNOUNCED = [
    ({1: 4500}, []),
    ({1: 5500}, []),  # with the deposit is right too
    ({2: -4500}, []),
    ({0: 0, 1: 5500, 2: -4500, 3: 0}, []),
    ({1: 3900}, ["(payment.announced_differs)"]),  # counters forgotten
    ({1: 5800}, ["(payment.announced_differs)"]),
    ({1: 4500, 2: -4400}, ["(payment.announced_differs)"]),
    ({3: -100}, ["(payment.announced_differs)"]),
    ({}, []),
]


@pytest.mark.parametrize(("announced", "wanted"), ANNOUNCED)
def test_row_20_what_was_announced(announced: dict[int, int], wanted: list[str]) -> None:
    entry = Ron(loser=2, winners=(Win(seat=1, han=3, fu=30),), announced=announced)
    assert codes(EMA, entry, honba=2, sticks=1) == wanted


def test_row_20_says_whose_payment_and_what_it_is() -> None:
    entry = Ron(loser=2, winners=(Win(seat=1, han=3, fu=30),), announced={1: 3900, 2: -4500})
    [problem] = problems(entry, state(EMA, honba=2, sticks=1), load(EMA))
    assert problem.params == {"seat": 1, "announced": 3900, "computed": 4500, "causes": ("honba_forgotten",)}


def test_row_20_is_not_judged_where_the_hand_itself_is_wrong() -> None:
    entry = Ron(loser=2, winners=(Win(seat=2, han=3, fu=30),), announced={1: 3900})
    assert codes(EMA, entry) == ["win.winner_is_discarder"]


def test_an_announced_draw_and_an_own_deposit() -> None:
    # player 1 tenpai with riichi: +3,000, or +2,000 with the deposit
    for points, wanted in ((3000, []), (2000, []), (1000, ["(payment.announced_differs)"])):
        entry = from_json({"kind": "draw", "tenpai": [0], "riichi": [0], "announced": {"0": points}})
        assert codes(EMA, entry) == wanted


def test_a_problem_names_what_it_is_about() -> None:
    def params(key: str, line: str, **changes: Any) -> dict[str, Any]:
        return dict(problems(parse(line), state(key, **changes), load(key))[0].params)

    assert params(SAN, "4r1 330") == {"seat": 3, "players": 3}
    assert params(EMA, "2r3 337") == {"fu": 37, "han": 3, "how": "ron", "possible": (25, *range(30, 111, 10))}
    assert params(T4, "2r1 m/2", scores=(1, 900, 1, 1)) == {"seat": 1, "score": 900, "deposit": 1000}
    assert params(EMA, "2r3 330 p1") == {"yaku": ("daisangen", "daisuushii")}
    assert params(T3, "aw") == {"reason": "suufon_renda", "known": ("kyuushu_kyuuhai", "suukaikan")}
    assert params(EMA, "*31000,30000,30000,30000,0") == {
        "total": 121_000,
        "leftover": 0,
        "wanted": 120_000,
        "gap": 1000,
        "deposit": 1000,
    }


def test_errors_come_before_warnings() -> None:
    assert codes(EMA, parse("d1/223")) == ["riichi.twice", "(draw.riichi_noten)", "(draw.riichi_noten)"]


@pytest.mark.states("two_han")
@pytest.mark.parametrize(
    ("line", "honba", "found"),
    [
        ("2r3 130", 3, []),
        ("2r3 130", 4, ["win.two_han_needed"]),
        ("1t 130", 4, ["win.two_han_needed"]),
        ("2r3 230", 4, []),
        ("2r3 y", 7, []),
    ],
)
def test_no_hand_of_one_han_wins_from_four_counters(line: str, honba: int, found: list[str]) -> None:
    """The sanma rule book asks for two han of yaku then (S4 11), and no hand of one han in all has them."""
    assert codes("sanma-rule-book", parse(line), honba=honba) == found
    assert codes("mcgill-sanma", parse(line), honba=honba) == []


def test_no_hand_is_dead_outside_a_hand() -> None:
    correction = Correction(deltas=(1000, -1000, 0, 0), reason="miscounted", dead=(1,))
    assert codes(EMA, correction) == ["dead.outside_hand"]


def test_the_ninth_deal_in_a_row_asks_for_paarenchan() -> None:
    def ninth(line: str, straight: int) -> list[str]:
        return codes("sanma-rule-book", parse(line), straight=straight, honba=straight)

    assert (ninth("1t 330", 8), ninth("1t 330", 7), ninth("2t 330", 8)) == (["(win.paarenchan)"], [], [])


def test_nobody_is_liable_where_the_rules_know_no_liability() -> None:
    rules = dataclasses.replace(load(EMA), pao=())
    found = problems(parse("2t y p3"), state(EMA), rules)
    assert [(problem.code, problem.severity) for problem in found] == [("pao.not_in_rules", "error")]
