"""Entries as JSON: the form of each kind, the code of each refusal, and the round trip."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.entries import (
    KINDS,
    Abort,
    Chombo,
    Correction,
    Draw,
    Entry,
    Nagashi,
    Ron,
    Totals,
    Tsumo,
    Win,
    from_json,
    to_json,
)
from scoring.problems import InvalidInput
from scoring.strict_json import MAX_NUMBER
from tests.scoring.strategies import NUMBERS, hand_of, json_values, totals_of
from tests.table_test import tabled

# The contract's own forms (DESIGN, section 4), one or more of every kind.
FORMS: list[tuple[dict[str, Any], Entry]] = [
    (
        {"kind": "ron", "loser": 2, "winners": [{"seat": 1, "han": 3, "fu": 40}], "riichi": [1]},
        Ron(loser=2, winners=(Win(seat=1, han=3, fu=40),), riichi=(1,)),
    ),
    (
        {"kind": "ron", "loser": 0, "winners": [{"seat": 1, "han": 5}, {"seat": 3, "yakuman": 1, "pao": 2}]},
        Ron(loser=0, winners=(Win(seat=1, han=5), Win(seat=3, yakuman=1, pao=2))),
    ),
    (
        {
            "kind": "tsumo",
            "winners": [{"seat": 0, "han": 2, "fu": 30, "yaku": ["riichi", "menzen_tsumo"]}],
            "riichi": [0],
        },
        Tsumo(winners=(Win(seat=0, han=2, fu=30, yaku=("riichi", "menzen_tsumo")),), riichi=(0,)),
    ),
    (
        {"kind": "tsumo", "winners": [{"seat": 0, "han": 6, "hand": {"tiles": "123m", "melds": [{"from": None}]}}]},
        Tsumo(winners=(Win(seat=0, han=6, hand={"tiles": "123m", "melds": [{"from": None}]}),)),
    ),
    ({"kind": "draw", "tenpai": []}, Draw()),
    ({"kind": "draw", "tenpai": [0, 2], "riichi": [2], "note": "東"}, Draw(tenpai=(0, 2), riichi=(2,), note="東")),
    ({"kind": "nagashi", "winners": [{"seat": 1}]}, Nagashi(winners=(1,))),
    ({"kind": "nagashi", "winners": [{"seat": 1}, {"seat": 2}], "tenpai": [0]}, Nagashi(winners=(1, 2), tenpai=(0,))),
    ({"kind": "abort", "reason": "suufon_renda"}, Abort(reason="suufon_renda")),
    ({"kind": "chombo", "offenders": [3], "riichi": [0]}, Chombo(offenders=(3,), riichi=(0,))),
    (
        {"kind": "correction", "deltas": [1000, -1000, 0], "reason": "dropped stick"},
        Correction(deltas=(1000, -1000, 0), reason="dropped stick"),
    ),
    (
        {"kind": "totals", "scores": [45_000, -1000, 46_000], "leftover": 0},
        Totals(scores=(45_000, -1000, 46_000), leftover=0),
    ),
    (
        {"kind": "draw", "tenpai": [], "announced": {"0": -1000, "3": 0}},
        Draw(announced={0: -1000, 3: 0}),
    ),
]


@tabled("plain, entry", FORMS)
def test_the_form_of_the_contract(plain: dict[str, Any], entry: Entry) -> None:
    assert from_json(plain) == entry
    assert to_json(entry) == plain
    assert json.loads(json.dumps(to_json(entry))) == plain


def test_every_kind_has_a_form_here() -> None:
    assert {plain["kind"] for plain, _ in FORMS} == set(KINDS)


RON = {"kind": "ron", "loser": 2, "winners": [{"seat": 1, "han": 3, "fu": 40}]}


def ron_with(**win: Any) -> dict[str, Any]:
    """Return a ron whose winner has these keys; None takes one out."""
    whole = {"seat": 1, "han": 3, "fu": 40, **win}
    return {**RON, "winners": [{key: value for key, value in whole.items() if value is not OUT}]}


OUT = object()
REFUSED: list[tuple[str, Any, list[str]]] = [
    ("no object", [RON], ["entry.wrong_type", "entry.missing_key"]),
    ("nothing", None, ["entry.wrong_type", "entry.missing_key"]),
    ("not a kind", {"loser": 2}, ["entry.missing_key"]),
    ("a kind that is null", {**RON, "kind": None}, ["entry.missing_key"]),
    ("a kind that is a number", {**RON, "kind": 1}, ["entry.wrong_type"]),
    ("unknown kind", {**RON, "kind": "steal"}, ["entry.unknown_kind"]),
    ("unknown key", {**RON, "colour": "red"}, ["entry.unknown_key"]),
    ("unknown key of a winner", ron_with(colour="red"), ["entry.unknown_key"]),
    ("no loser", {"kind": "ron", "winners": []}, ["entry.missing_key"]),
    ("loser null", {**RON, "loser": None}, ["entry.missing_key"]),
    ("loser true", {**RON, "loser": True}, ["entry.wrong_type"]),
    ("loser in words", {**RON, "loser": "2"}, ["entry.wrong_type"]),
    ("loser below zero", {**RON, "loser": -1}, ["entry.negative"]),
    ("loser a float", {**RON, "loser": 2.0}, ["entry.wrong_type"]),
    ("no winners", {"kind": "ron", "loser": 2}, ["entry.missing_key"]),
    ("winners null", {**RON, "winners": None}, ["entry.missing_key"]),
    ("winners an object", {**RON, "winners": {"seat": 1}}, ["entry.wrong_type"]),
    (
        "winners as seats",
        {"kind": "tsumo", "winners": [1]},
        ["entry.wrong_type", "entry.missing_key", "win.han_or_yakuman"],
    ),
    ("too many winners", {**RON, "winners": RON["winners"] * 201}, ["entry.list_too_long"]),  # type: ignore[operator]
    ("seat false", ron_with(seat=False), ["entry.wrong_type"]),
    ("no seat", ron_with(seat=OUT), ["entry.missing_key"]),
    ("han zero", ron_with(han=0), ["win.han_zero"]),
    ("han below zero", ron_with(han=-3), ["entry.negative"]),
    ("han a float", ron_with(han=3.5), ["entry.wrong_type"]),
    ("han true", ron_with(han=True), ["entry.wrong_type"]),
    ("neither han nor yakuman", ron_with(han=OUT, fu=OUT), ["win.han_or_yakuman"]),
    ("both han and yakuman", ron_with(yakuman=1, fu=OUT), ["win.han_or_yakuman"]),
    ("fu with a yakuman", ron_with(han=OUT, yakuman=1), ["win.fu_with_yakuman"]),
    ("yakuman zero", ron_with(han=OUT, fu=OUT, yakuman=0), ["win.yakuman_zero"]),
    ("fu below zero", ron_with(fu=-30), ["entry.negative"]),
    ("fu NaN", ron_with(fu=float("nan")), ["entry.wrong_type"]),
    ("fu infinite", ron_with(fu=float("inf")), ["entry.wrong_type"]),
    ("han of 10,001 digits", ron_with(han=10**10_000), ["json.number_too_large"]),
    ("pao below zero", ron_with(pao=-1), ["entry.negative"]),
    ("yaku as a text", ron_with(yaku="riichi"), ["entry.wrong_type"]),
    ("yaku as numbers", ron_with(yaku=[1]), ["entry.wrong_type"]),
    ("a yaku of 41 letters", ron_with(yaku=["x" * 41]), ["entry.text_too_long"]),
    ("half a character among the yaku", ron_with(yaku=["\ud800"]), ["entry.control_character"]),
    ("hand as a list", ron_with(hand=[]), ["entry.wrong_type"]),
    ("a float in the hand", ron_with(hand={"honba": 1.5}), ["json.float"]),
    ("a huge number in the hand", ron_with(hand={"melds": [{"tiles": 10**9}]}), ["json.number_too_large"]),
    ("half a character in the hand", ron_with(hand={"\ud800": 1}), ["entry.control_character"]),
    ("a nul in the hand", ron_with(hand={"tiles": "1\x002m"}), ["entry.control_character"]),
    ("riichi null is no riichi, a number is wrong", {**RON, "riichi": 1}, ["entry.wrong_type"]),
    ("riichi of truth values", {**RON, "riichi": [True]}, ["entry.wrong_type"]),
    ("riichi below zero", {**RON, "riichi": [-1]}, ["entry.negative"]),
    ("riichi of 201", {**RON, "riichi": [0] * 201}, ["entry.list_too_long"]),
    ("announced as a list", {**RON, "announced": [0, 1]}, ["entry.wrong_type"]),
    ("announced by wind", {**RON, "announced": {"E": 1000}}, ["entry.wrong_type"]),
    ("announced for seat ²", {**RON, "announced": {"²": 1000}}, ["entry.wrong_type"]),
    ("announced in words", {**RON, "announced": {"0": "1000"}}, ["entry.wrong_type"]),
    ("announced a float", {**RON, "announced": {"0": 1000.0}}, ["json.float", "entry.wrong_type"]),
    ("a note of 501 letters", {**RON, "note": "x" * 501}, ["entry.text_too_long"]),
    ("a note with a line break", {**RON, "note": "a\nb"}, ["entry.control_character"]),
    ("a note with half a character", {**RON, "note": "\udfff"}, ["entry.control_character"]),
    ("a note as a number", {**RON, "note": 7}, ["entry.wrong_type"]),
    ("draw without tenpai", {"kind": "draw"}, ["entry.missing_key"]),
    ("tenpai in words", {"kind": "draw", "tenpai": ["E"]}, ["entry.wrong_type"]),
    ("nagashi with han", {"kind": "nagashi", "winners": [{"seat": 1, "han": 5}]}, ["entry.unknown_key"]),
    ("nagashi with a loser", {"kind": "nagashi", "winners": [{"seat": 1}], "loser": 2}, ["entry.unknown_key"]),
    ("abort without reason", {"kind": "abort"}, ["entry.missing_key"]),
    ("abort with a long reason", {"kind": "abort", "reason": "x" * 41}, ["entry.text_too_long"]),
    ("chombo without offenders", {"kind": "chombo"}, ["entry.missing_key"]),
    ("correction without reason", {"kind": "correction", "deltas": [0, 0, 0]}, ["entry.missing_key"]),
    ("correction without deltas", {"kind": "correction", "reason": "x"}, ["entry.missing_key"]),
    ("correction of floats", {"kind": "correction", "deltas": [0.5, -0.5], "reason": "x"}, ["entry.wrong_type"] * 2),
    ("totals without scores", {"kind": "totals"}, ["entry.missing_key"]),
    ("totals with a leftover in words", {"kind": "totals", "scores": [1], "leftover": "0"}, ["entry.wrong_type"]),
]


@tabled("value, codes", [case[1:] for case in REFUSED])
def test_what_is_refused_and_how_it_is_called(value: Any, codes: list[str]) -> None:
    with pytest.raises(InvalidInput) as refused:
        from_json(value)
    assert [problem.code for problem in refused.value.problems] == codes


@pytest.mark.parametrize(
    "key", ["dealer", "honba", "sticks", "kyoku", "round_wind", "score", "places", "uma", "results"]
)
def test_what_is_derived_is_never_believed(key: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        from_json({**RON, key: 0})
    assert [(p.code, p.params) for p in refused.value.problems] == [("entry.derived_key", {"key": f"entry.{key}"})]


def test_all_that_is_wrong_is_said_at_once_and_where() -> None:
    value = {
        "kind": "ron",
        "loser": -1,
        "winners": [{"seat": True, "han": 3, "fu": 40, "why": 1}],
        "dealer": 0,
        "note": 5,
    }
    with pytest.raises(InvalidInput) as refused:
        from_json(value)
    assert [(p.code, p.params["key"]) for p in refused.value.problems] == [
        ("entry.wrong_type", "entry.note"),
        ("entry.negative", "entry.loser"),
        ("entry.wrong_type", "entry.winners.seat"),
        ("entry.unknown_key", "entry.winners.why"),
        ("entry.derived_key", "entry.dealer"),
    ]


def test_a_strange_key_is_shown_short_and_printable() -> None:
    with pytest.raises(InvalidInput) as refused:
        from_json({**RON, "\ud800\n" + "x" * 500: 1})
    assert refused.value.problems[0].params == {"key": "entry.??" + "x" * 38}


def test_null_is_as_good_as_missing_where_a_key_may_be_missing() -> None:
    value = {
        **RON,
        "riichi": None,
        "announced": None,
        "note": None,
        "winners": [{**ron_with()["winners"][0], "pao": None}],
    }
    assert from_json(value) == from_json(RON)


LIMITS = [
    {**RON, "note": "x" * 500},
    {**RON, "riichi": [0] * 200},
    {**RON, "announced": {"0": MAX_NUMBER, "1": -MAX_NUMBER}},
    {"kind": "abort", "reason": "x" * 40},
    {"kind": "correction", "deltas": [MAX_NUMBER, -MAX_NUMBER], "reason": "x" * 500},
    ron_with(yaku=["x" * 40], hand={"count": MAX_NUMBER}),
]


@pytest.mark.parametrize("plain", LIMITS, ids=range(len(LIMITS)))
def test_what_is_just_small_enough_is_read(plain: dict[str, Any]) -> None:
    assert to_json(from_json(plain)) == plain


def test_a_win_without_han_is_named_by_its_seat() -> None:
    with pytest.raises(InvalidInput) as refused:
        from_json(ron_with(seat=3, han=0))
    assert [(p.code, p.params) for p in refused.value.problems] == [("win.han_zero", {"seat": 3})]


@given(number=NUMBERS, players=st.sampled_from([3, 4]))
def test_every_entry_comes_back_from_json(number: int, players: int) -> None:
    for entry in (hand_of(number, players), totals_of(number, players, 30_000)):
        assert from_json(json.loads(json.dumps(to_json(entry)))) == entry


@given(value=json_values())
def test_no_json_breaks_the_reader(value: Any) -> None:
    assert_read_or_refused(value)


@given(
    value=json_values(),
    kind=st.sampled_from(sorted(KINDS)),
    key=st.sampled_from(["winners", "riichi", "announced", "tenpai"]),
)
def test_no_json_inside_an_entry_breaks_the_reader(value: Any, kind: str, key: str) -> None:
    assert_read_or_refused({**RON, "kind": kind, key: value})
    assert_read_or_refused(
        {"kind": kind, "winners": [value], "tenpai": [], "offenders": [0], "deltas": [], "scores": []}
    )


def assert_read_or_refused(value: Any) -> None:
    try:
        entry = from_json(value)
    except InvalidInput as refused:
        codes = {problem.code.split(".")[0] for problem in refused.problems}
        if not codes or codes - {"entry", "json", "win"}:
            raise
    else:
        assert from_json(json.loads(json.dumps(to_json(entry)))) == entry


def test_an_entry_of_no_kind_has_no_form() -> None:
    with pytest.raises(KeyError):
        to_json(Entry())
