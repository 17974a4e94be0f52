"""Every field of every rule set has words: each value that its type allows, and each number that a book has."""

import re
import typing
from typing import Any, Literal

import pytest

from rules.books import book_keys, load
from rules.consistency import contradictions
from rules.ruleset import Ruleset, rule_fields
from tournament.text.rules import (
    CHOICES,
    RULE_NAMES,
    SECTIONS,
    fields_named,
    is_played,
    rule_gloss,
    rule_hint,
    rule_name,
    say_change,
    say_contradiction,
    say_value,
)

HINTS = typing.get_type_hints(Ruleset)
FIELDS = [field.name for field in rule_fields()]


def literals(hint: Any) -> tuple[str, ...]:
    """Return what a choice, or an item of a list of choices, may be."""
    if typing.get_origin(hint) is tuple:
        hint = typing.get_args(hint)[0]
    return typing.get_args(hint) if typing.get_origin(hint) is Literal else ()


def test_the_sections_are_those_of_the_fields_in_their_order():
    assert list(SECTIONS) == list(dict.fromkeys(field.metadata["section"] for field in rule_fields()))


def test_every_choice_has_words_and_there_are_no_others():
    wanted = {name: set(literals(HINTS[name])) for name in FIELDS if literals(HINTS[name])}
    assert {name: set(words) for name, words in CHOICES.items()} == wanted


def test_the_words_of_a_field_differ_from_one_another():
    assert {name for name, words in CHOICES.items() if len(set(words.values())) < len(words)} == set()


CODE = re.compile(r"[\[\]{}_\"]|True|False|None|(?<![a-z])-\d|\d{5}")


@pytest.mark.parametrize("key", book_keys())
def test_every_value_of_every_book_is_said_without_a_trace_of_code(key: str):
    rules = load(key)
    said = {name: say_value(name, getattr(rules, name)) for name in FIELDS}
    assert {name: words for name, words in said.items() if not words or words != words.strip()} == {}
    assert {name: words for name, words in said.items() if CODE.search(words)} == {}
    assert {name: say_value(name, value) for name, value in rules.as_json().items() if name in said} == said


def test_every_field_has_a_name_of_its_own():
    said = {name: rule_name(name) for name in FIELDS}
    assert {name: words for name, words in said.items() if "_" in words or "; 0:" in words} == {}
    assert {name: words for name, words in said.items() if list(RULE_NAMES.values()).count(words) != 1} == {}


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("tanyao", (1, 1), "1 han"),
        ("tanyao", (1, 0), "1 han, closed only"),
        ("chinitsu", (6, 5), "6 han closed, 5 han open"),
        ("daisuushii", (2, 2), "2 yakuman"),
        ("daisuushii", (2, 1), "2 yakuman closed, 1 yakuman open"),
        ("daisharin", (0, 0), "not played"),
        ("multiple_ron", "head_bump", "only the first after the discarder"),
        ("honba_ron", 300, "300 points"),
        ("riichi_tiles_left", 1, "1 tile"),
        ("riichi_tiles_left", 0, "none"),
        ("minutes", 1, "1 minute"),
        ("rounds", 1, "East"),
        ("rounds", 3, "East, South and West"),
        ("two_han_from_honba", 1, "from 1 honba on"),
        ("abortive_draws", (), "none"),
        ("pao", ("daisangen", "daisuushii"), "daisangen, daisuushii"),
        ("uma", (15_000, 5000, -5000, -15_000), "+15,000, +5,000, −5,000, −15,000"),
        ("limits", ((5, 2000), (13, 8000)), "5 han 2,000, 13 han 8,000"),
        ("equal_totals", ("best_result", "first_places"), "the better best round, then more first places"),
        ("equal_totals", (), "nothing: they share the place"),
        ("forgotten_rule", {"old": 1}, "{'old': 1}"),
        ("renhou", "of an older desk", "of an older desk"),
    ],
)
def test_values_are_said_as_people_say_them(name: str, value: Any, said: str):
    assert say_value(name, value) == said


def test_a_rule_that_is_gone_keeps_its_name():
    assert say_change("old_rule", 1, 2) == "old rule: 2 instead of 1"


def test_what_nought_means_is_said_apart_from_the_name():
    assert {name: rule_hint(name) for name in FIELDS if rule_hint(name)} == {
        "target_points": "0: none",
        "two_han_from_honba": "0: never",
        "minutes": "0: no limit",
        "chip_points": "0: no chips are played",
    }


def test_a_yaku_says_what_it_is_and_other_rules_are_their_own_gloss():
    assert rule_gloss("toitoi") == "four triplets"
    assert rule_gloss("minutes") == ""


def test_only_yaku_can_be_not_played():
    unplayed = [name for name in FIELDS if not is_played(name, getattr(load("tenhou-sanma"), name))]
    assert unplayed == ["sanrenkou", "renhou", "daisharin", "paarenchan"]


# ---------------------------------------------------------------- contradictions


def wrong(key: str, **values: Any) -> list[tuple[str, str]]:
    made = {**{name: getattr(load(key), name) for name in HINTS}, **values}
    return list(contradictions(Ruleset(**made)))


@pytest.mark.parametrize(
    ("values", "name", "said", "others"),
    [
        (
            {"start_points": 25_000},
            "oka",
            (
                "Must be 20000: what “points that are subtracted from the final score” (30000) takes beyond "
                "“points each player starts with”."
            ),
            ["return_points", "start_points"],
        ),
        (
            {"return_points": 25_000},
            "oka",
            (
                "Must be −20000: what “points that are subtracted from the final score” (25000) takes beyond "
                "“points each player starts with”."
            ),
            ["return_points", "start_points"],
        ),
        (
            {"north_share": "lost"},
            "north_share",
            "“nobody pays it” makes no sense with 4 players.",
            [],
        ),
        (
            {"pao": (), "pao_part": "liable_part"},
            "pao_part",
            "Says what is paid for the yakuman of “hands for which a player can be liable”, and there are none.",
            ["pao"],
        ),
    ],
)
def test_a_contradiction_is_said_with_the_names_that_people_read(
    values: dict[str, Any], name: str, said: str, others: list[str]
):
    ((field, why),) = wrong("ema-2025", **values)
    assert field == name
    assert say_contradiction(field, why) == said
    assert fields_named(why) == others
