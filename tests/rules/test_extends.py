"""A book that extends another one, and the faults of a book by line and field."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from rules.books import BOOKS, Citation, from_json, load, load_book, parse_book, read_book
from rules.ruleset import Fault, RulesetError, diff, rule_fields

HEAD = 'title = "Spring rules"\nsource = "the club"\nextends = "ema-2025"\n'


def read(text: str) -> Any:
    return parse_book(text, key="spring", source="spring.toml")


def faults(text: str) -> tuple[Fault, ...]:
    with pytest.raises(RulesetError) as refused:
        read(text)
    return refused.value.faults


def test_a_book_may_state_only_what_differs_from_another() -> None:
    book = read(HEAD + '[game]\nbust = { is = true, ours = "short evenings" }\n')
    assert [(each.field, each.there) for each in diff(load("ema-2025"), book.ruleset)] == [("bust", True)]
    assert (book.ruleset.key, book.ruleset.title, book.extends) == ("spring", "Spring rules", "ema-2025")
    assert book.citations["bust"] == Citation("short evenings", ours=True)
    assert book.citations["uma"] == load_book("ema-2025").citations["uma"]
    assert list(book.citations) == list(load_book("ema-2025").citations)


def test_an_inherited_value_may_have_a_source_of_its_own() -> None:
    book = read(HEAD + '[game]\nbust = { clause = "Club 4" }\n')
    assert book.citations["bust"] == Citation("Club 4", ours=False)
    assert diff(load("ema-2025"), book.ruleset) == []


@pytest.mark.parametrize(
    ("inherited", "name", "citation"),
    [
        ('{ ours = "not printed" }', "uma", Citation("not printed; as in EMA 2025 (E25 3.7.1)", ours=True)),
        ('{ clause = "Club 1" }', "uma", Citation("Club 1; as in EMA 2025 (E25 3.7.1)", ours=False)),
        ('{ clause = "Club 1" }', "kita_furiten", Citation("Club 1; as in EMA 2025", ours=True)),
    ],
)
def test_a_book_says_once_where_its_inherited_values_come_from(inherited: str, name: str, citation: Citation) -> None:
    assert read(f"{HEAD}inherited = {inherited}\n").citations[name] == citation


def test_a_book_without_a_parent_extends_nothing() -> None:
    text = (BOOKS / "ema-2025.toml").read_text(encoding="utf-8")
    assert dataclasses.replace(read(text), citations={}).extends == ""


@pytest.mark.parametrize("parent", ['"ema-1990"', '"spring"', "3"])
def test_a_parent_that_is_no_other_rule_set_is_refused(parent: str) -> None:
    text = HEAD.replace('"ema-2025"', parent)
    assert faults(text)[0].line == 3
    assert faults(text)[0].says.startswith("key 'extends' must name another rule set, not ")


def test_inherited_is_a_citation_and_nothing_else() -> None:
    says = "key 'inherited' must be written { clause = … } or { ours = … }"
    for cell in ('"EMA"', "{ is = 3 }", '{ ours = "" }', '{ ours = "x", clause = "y" }'):
        assert faults(f"{HEAD}inherited = {cell}\n") == (Fault(says, line=4),)


def test_every_fault_is_named_with_its_line_and_field() -> None:
    text = (
        HEAD
        + "[game]\n"
        + 'bust = { is = 3, clause = "x" }\n'
        + "flowers = 1\n"
        + "oka = 1\n"
        + "[placement]\n"
        + 'uma = { is = 3, clause = "x" }\n'
        + 'ties = { is = "share" }\n'
    )
    assert faults(text) == (
        Fault("key 'bust' must be of type bool, not 3", "bust", 5),
        Fault("unknown key 'game.flowers'", "", 6),
        Fault("key 'game.oka' belongs to section 'placement'", "oka", 7),
        Fault("key 'uma' must be a list, not 3", "uma", 9),
        Fault("key 'ties' must be written { is = …, clause = … } or { is = …, ours = … }", "ties", 10),
    )
    text = text.replace("flowers = 1\noka = 1\n", "").replace('"share" }', '"share", clause = "x" }')
    assert faults(text) == (
        Fault("key 'bust' must be of type bool, not 3", "bust", 5),
        Fault("key 'uma' must be a list, not 3", "uma", 7),
    )


def test_every_contradiction_is_named_with_its_line() -> None:
    text = HEAD + '[game]\nreturn_points = { is = 40_000, clause = "x" }\n[placement.uma]\nis = [1, 0]\nclause = "x"\n'
    assert (
        faults(text)
        == (
            Fault("key 'oka': must be 40000: what 'return_points' (40000) takes beyond 'start_points'", "oka", 0),
            Fault("key 'uma': has 2 places for 4 players", "uma", 6),
        )[::-1]
    )


def test_a_file_that_is_no_toml_is_refused_with_the_line() -> None:
    assert [(fault.line, fault.field) for fault in faults(HEAD + "[game\n")] == [(4, "")]
    assert [fault.line for fault in faults("uma = " + "[" * 5000)] == [0]


def test_a_rule_set_that_is_older_than_a_field_plays_as_before() -> None:
    younger = [field.name for field in rule_fields() if field.metadata["before"]]
    for key in ("ema-2025", "tenhou-yonma", "sanmatsuri-2026"):
        whole = load(key).as_json()
        old = {name: value for name, value in whole.items() if name not in younger}
        assert from_json(old).as_json() == whole | {"repeat_before_target": False}
    tenpai = [from_json({**old, "agari_yame": ends}).tenpai_yame for ends in (True, False) if old]
    assert tenpai == [True, False]


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "spring.toml"
    path.write_bytes(HEAD.encode("utf-16"))
    with pytest.raises(RulesetError, match=r"^spring\.toml: not readable as TOML: "):
        read_book(path)
