"""Yakuman that count more by their wait, and what several yakuman are worth beside them."""

import dataclasses
from typing import Any

import pytest

from rules.books import load
from rules.ruleset import Ruleset
from scoring.entries import Win
from scoring.shorthand import parse
from scoring.state import opening
from scoring.value import base_points, most_of_one
from tests.scoring.hand_table import counted, paid
from tests.scoring.test_check_win import entry_of, said

DOUBLE: dict[str, Any] = {
    "kokushi_juusanmen": (2, 0),
    "junsei_chuuren": (2, 0),
    "suuankou_tanki": (2, 0),
    "daisuushii": (2, 2),
}
ADDED = dataclasses.replace(load("wrc-2025"), **DOUBLE)
SINGLE = dataclasses.replace(load("ema-2025"), **DOUBLE)

HANDS = [
    ("19m19p19s1234567z7z", "kokushi_juusanmen", 2),
    ("19m19p19s12345677z", "kokushi_juusanmen", 2),
    ("19m19p19s12345776z", "kokushi_musou", 1),
    ("11123456789995m", "junsei_chuuren", 2),
    ("11123456789991m", "junsei_chuuren", 2),
    ("11123456788999m", "chuuren_poutou", 1),
    ("11122345678999m", "chuuren_poutou", 1),
    ("111m333p555s222z7z7z", "suuankou_tanki", 2),
    ("111m333p555s22277z t", "suuankou_tanki", 2),
    ("111m333p555s77222z t", "suuankou", 1),
    ("1112223334445z5z t", "daisuushii suuankou_tanki tsuuiisou", 5),
]


@pytest.mark.parametrize(("line", "names", "number"), HANDS)
def test_a_yakuman_counts_by_its_wait(line: str, names: str, number: int) -> None:
    found = counted(f"{line} wES", ADDED)
    assert (sorted(name for name, _ in found.yaku), found.yakuman) == (sorted(names.split()), number)
    assert found.base == 8000 * number


@pytest.mark.parametrize(("line", "names", "number"), HANDS)
def test_where_the_wait_counts_nothing_the_name_is_the_plain_one(line: str, names: str, number: int) -> None:
    plain = {"kokushi_juusanmen": "kokushi_musou", "junsei_chuuren": "chuuren_poutou", "suuankou_tanki": "suuankou"}
    found = counted(f"{line} wES", load("wrc-2025"))
    assert {name for name, _ in found.yaku} == {plain.get(name, name) for name in names.split()}
    assert found.yakuman == len(names.split())


def test_where_yakuman_do_not_add_up_the_dearest_counts() -> None:
    assert counted("1112223334445z5z t wES", SINGLE).yakuman == 2
    assert paid("1112223334445z5z t wES", SINGLE).as_json() == {"tsumo": [16_000, 32_000]}
    assert [base_points(Win(seat=0, yakuman=number), SINGLE) for number in (1, 2, 3)] == [8000, 16_000, 16_000]
    assert (most_of_one(SINGLE), most_of_one(load("ema-2025"))) == (2, 1)


def codes(rules: Ruleset, value: str, names: str) -> list[str]:
    return [code for code, _ in said(rules, entry_of("ron", value, names))]


def test_an_entry_names_the_wait_where_it_counts() -> None:
    assert codes(ADDED, "y2", "suuankou_tanki") == []
    assert codes(ADDED, "y1", "suuankou_tanki") == ["yaku.yakuman_differ"]
    assert codes(ADDED, "y1", "suuankou") == []
    assert codes(load("wrc-2025"), "y1", "suuankou_tanki") == ["yaku.not_in_rules"]
    assert codes(ADDED, "y3", "kokushi_juusanmen tsuuiisou") == ["yaku.not_together"]


def test_two_yakuman_are_one_of_two_and_three_are_counted_as_two() -> None:
    state = opening(SINGLE)
    from scoring.check import problems

    assert problems(parse("2r3 y2"), state, SINGLE) == []
    assert [each.code for each in problems(parse("2r3 y3"), state, SINGLE)] == ["win.yakuman_counted_once"]
