"""The JSON Schema of a rule set's file: true of every book."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rules.books import BOOKS, load_book
from rules.writing import book_toml
from tests.table_test import tabled

REPO = Path(__file__).resolve().parents[2]
SCHEMA = REPO / "docs" / "schema" / "1" / "ruleset.schema.json"
SHORT: dict[str, Any] = {"title": "Club", "source": "club", "extends": "ema-2025"}


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    read = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(read)
    return Draft202012Validator(read)


@pytest.mark.parametrize("path", sorted(BOOKS.glob("*.toml")), ids=lambda path: path.stem)
def test_every_book_is_as_it_says(schema: Draft202012Validator, path: Path) -> None:
    assert [error.message for error in schema.iter_errors(tomllib.loads(path.read_text(encoding="utf-8")))] == []
    assert schema.is_valid(tomllib.loads(book_toml(load_book(path.stem))))


WRONG = [
    ({"title": "Club", "source": "club"}, "'game' is a required property"),
    ({**SHORT, "extends": "house"}, "'house' is not one of"),
    ({**SHORT, "time": {"hours": {"is": 1, "ours": "x"}}}, "'hours' was unexpected"),
    ({**SHORT, "time": {"minutes": {"is": "x", "ours": "x"}}}, "'x' is not of type 'integer'"),
    ({**SHORT, "time": {"minutes": {"is": 601, "ours": "x"}}}, "601 is greater than the maximum of 600"),
    ({**SHORT, "time": {"minutes": {"is": 60, "ours": " "}}}, "' ' does not match"),
    ({**SHORT, "time": {"minutes": {"is": 60}}}, "is not valid under any of the given schemas"),
    ({**SHORT, "yaku": {"riichi": {"is": [1], "ours": "x"}}}, "[1] is too short"),
]


@tabled("file, says", WRONG)
def test_a_wrong_file_is_refused(schema: Draft202012Validator, file: dict[str, Any], says: str) -> None:
    assert any(says in error.message for error in schema.iter_errors(file))
