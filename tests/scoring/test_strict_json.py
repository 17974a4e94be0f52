"""Strict JSON: what is refused, with which code, and that refusing is quick."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.problems import InvalidInput, printable_excerpt
from scoring.strict_json import MAX_CHARACTERS, MAX_DEPTH, MAX_NUMBER, parse
from tests.processor_time import count_loops
from tests.table_test import tabled


def refusal(text: str) -> list[tuple[str, dict[str, Any]]]:
    with pytest.raises(InvalidInput) as refused:
        parse(text)
    return [(problem.code, dict(problem.params)) for problem in refused.value.problems]


# wrong-hands.md, row 24
DAMAGE = [
    ("10,001 digits", "9" * 10_001, ("json.number_too_large", {"value": "9" * 12, "digits": 10_001})),
    (
        "10,001 digits below zero",
        "-" + "9" * 10_001,
        ("json.number_too_large", {"value": "-" + "9" * 11, "digits": 10_001}),
    ),
    ("just too large", str(MAX_NUMBER + 1), ("json.number_too_large", {"value": "10000001", "digits": 8})),
    ("NaN", '{"han": NaN}', ("json.not_a_number", {"value": "NaN"})),
    ("Infinity", '{"han": Infinity}', ("json.not_a_number", {"value": "Infinity"})),
    ("minus Infinity", '{"han": -Infinity}', ("json.not_a_number", {"value": "-Infinity"})),
    ("a float", '{"han": 3.0}', ("json.float", {"value": "3.0"})),
    ("a float with an exponent", '{"han": 1e400}', ("json.float", {"value": "1e400"})),
    ("a long float", "0." + "1" * 5000, ("json.float", {"value": "0." + "1" * 38})),
    ("10 MB", '"' + "x" * 10_000_000 + '"', ("json.too_long", {"most": MAX_CHARACTERS})),
    ("10,000 deep", "[" * 10_000 + "]" * 10_000, ("json.too_deep", {"most": MAX_DEPTH})),
    ("10,000 objects deep", '{"a":' * 10_000 + "1" + "}" * 10_000, ("json.too_deep", {"most": MAX_DEPTH})),
    ("100,000 deep and open", "[" * 100_000, ("json.too_deep", {"most": MAX_DEPTH})),
    ("one too deep", "[" * 21 + "]" * 21, ("json.too_deep", {"most": MAX_DEPTH})),
    ("a key twice", '{"loser": 1, "loser": 2}', ("json.duplicate_key", {"key": "loser"})),
    ("a later key twice", '{"kind": 1, "loser": 1, "note": 0, "loser": 2}', ("json.duplicate_key", {"key": "loser"})),
    ("a key twice inside", '[{"a": {"b": 1, "b": 1}}]', ("json.duplicate_key", {"key": "b"})),
    ("nothing", "", ("json.not_json", {"line": 1, "column": 1})),
    ("half", '{"kind":\n "ro', ("json.not_json", {"line": 2, "column": 2})),
    ("two values", "1 2", ("json.not_json", {"line": 1, "column": 3})),
    ("a byte order mark", "\ufeff{}", ("json.not_json", {"line": 1, "column": 1})),
    ("a comment", "{} // no", ("json.not_json", {"line": 1, "column": 4})),
    ("single quotes", "{'a': 1}", ("json.not_json", {"line": 1, "column": 2})),
    ("a raw line break in a text", '"a\nb"', ("json.not_json", {"line": 1, "column": 3})),
]


@tabled("text, problem", [case[1:] for case in DAMAGE])
def test_damage_is_named(text: str, problem: tuple[str, dict[str, Any]]) -> None:
    assert refusal(text) == [problem]


@pytest.mark.parametrize("text", [case[1] for case in DAMAGE], ids=[case[0] for case in DAMAGE])
def test_refusing_is_quick(text: str) -> None:
    assert count_loops(lambda: refusal(text))[1] < 5


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[]", []),
        ('{"a": [1, -2, 0, true, null, "\\u6771"]}', {"a": [1, -2, 0, True, None, "東"]}),
        (str(MAX_NUMBER), MAX_NUMBER),
        (str(-MAX_NUMBER), -MAX_NUMBER),
        ("[" * 20 + "]" * 20, json.loads("[" * 20 + "]" * 20)),
    ],
)
def test_what_is_right_is_read(text: str, value: Any) -> None:
    assert parse(text) == value


def test_the_longest_text_that_is_read() -> None:
    text = json.dumps("x" * (MAX_CHARACTERS - 2))
    assert parse(text) == "x" * (MAX_CHARACTERS - 2)
    assert refusal(text + " ") == [("json.too_long", {"most": MAX_CHARACTERS})]
    assert parse("[1]", most=3) == [1]


@given(text=st.text(max_size=60) | st.text(alphabet='[]{}",:0123456789.eE-+ntfNaI', max_size=40))
def test_no_text_breaks_the_parser(text: str) -> None:
    try:
        value = parse(text)
    except InvalidInput as refused:
        if not refused.problems or not all(problem.code.startswith("json.") for problem in refused.problems):
            raise
    else:
        assert parse(json.dumps(value)) == value


def test_what_is_shown_of_a_strangers_text_can_be_printed() -> None:
    assert printable_excerpt("a\x00b\udc80" + "c" * 100) == "a?b?" + "c" * 36
