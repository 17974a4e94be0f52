"""Points as typed, and a typed hand as the cards hold it."""

import json
from typing import Any

import pytest

from rules.books import load
from scoring.problems import InvalidInput
from scoring.shorthand import parse
from tournament.hands.pad import write_cards
from tournament.hands.views import read_sheet
from tournament.pages.requests import read_amount, read_points

WIN = {"seat": "2", "value": "340", "pao": "", "chips": ""}


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("2r3 340/2", {"kind": "ron", "loser": "3", "winners": [WIN], "riichi": "2"}),
        ("2r3 5200 c2", {"winners": [WIN | {"value": "5200", "chips": "2"}]}),
        ("2r3 340+1 y2 p4", {"winners": [WIN, {"seat": "1", "value": "y2", "pao": "4", "chips": ""}]}),
        (
            "2t 1300-2600 e !5200",
            {"kind": "tsumo", "winners": [WIN | {"value": "1300-2600"}], "stops": True, "said": "5200"},
        ),
        ("2t 14.0 #loud", {"winners": [WIN | {"value": "14.0"}], "note": "loud"}),
        ("d13 x2/1", {"kind": "draw", "tenpai": "13", "dead": "2", "riichi": "1"}),
        ("n23 d1", {"kind": "nagashi", "nagashi": "23", "tenpai": "1"}),
        ("aw", {"kind": "abort", "abort": "w"}),
        ("c24", {"kind": "chombo", "offenders": "24"}),
    ],
)
def test_a_typed_hand_is_the_cards_own(line: str, parts: dict[str, Any]):
    cards = json.loads(write_cards(parse(line), line))
    assert {name: cards[name] for name in ("line", *parts)} == {"line": line, **parts}


def test_the_tiles_of_a_line_stay_its_value():
    line = "2r3 [340m567p2366s4s 777z^ d1m]"
    (win,) = json.loads(write_cards(parse(line), line))["winners"]
    assert parse(f"2r3 {win['value']}") == parse(line)


@pytest.mark.parametrize("line", ["=+1000,-1000,0,0 why", "*30000,30000,30000,30000,0"])
def test_what_is_no_hand_has_no_cards(line: str):
    assert write_cards(parse(line), line) == ""
    assert write_cards(None, "2r") == ""


# ---------------------------------------------------------------- points


@pytest.mark.parametrize(
    ("typed", "points"),
    [
        ("30000", 30_000), ("30,000", 30_000), ("30.000", 30_000), ("30 000", 30_000), ("30’000", 30_000),
        ("-1,200", -1200), ("−1200", -1200), ("+500", 500), (" 0 ", 0), ("1,234,500", 1_234_500),
    ],
)  # fmt: skip
def test_points_are_read_as_people_write_them(typed: str, points: int):
    assert read_points(typed) == points


@pytest.mark.parametrize(
    "typed", ["", "30.0", "3,00", "1,2345", "x", "12e3", "１０００", "--5", "12345678", "1 000 000 000"]
)
def test_what_could_be_meant_in_two_ways_is_not_read(typed: str):
    assert read_points(typed) is None


@pytest.mark.parametrize(
    ("typed", "points"), [("20P", 20_000), ("2.5p", 2500), ("0,333 P", 333), ("8000", 8000), ("-5P", None), ("P", None)]
)
def test_amounts_may_be_in_p(typed: str, points: int | None):
    assert read_amount(typed) == points


def test_every_wrong_number_of_a_sheet_is_named():
    with pytest.raises(InvalidInput) as caught:
        read_sheet({"total-0": "30,000", "total-1": "x", "leftover": "1.55"}, load("sanmatsuri-2026"), "totals")
    assert [(problem.code, problem.params.get("seat")) for problem in caught.value.problems] == [
        ("totals.not_a_number", 1), ("totals.number_missing", 2), ("totals.leftover_unreadable", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "leftover", "numbers"),
    [
        (("45.2", "30,000", "28.0", "15800"), "1", "totals"),
        (("+15.2", "0", "-2.0", "−14200"), "1000", "totals"),
        (("15.2", "0", "-2000", "-14.2"), "1.0", "differences"),
    ],
)
def test_a_sheet_is_signed_in_the_grammar_of_the_pile(typed: tuple[str, ...], leftover: str, numbers: str):
    fields = {f"total-{seat}": text for seat, text in enumerate(typed)}
    found = read_sheet({**fields, "leftover": leftover}, load("ema-2025"), numbers)
    assert found == ([45_200, 30_000, 28_000, 15_800], 1000)
