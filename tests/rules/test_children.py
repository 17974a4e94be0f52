"""Books that extend another one: their differences as files, and no value that is stated twice."""

import json
import tomllib
from pathlib import Path

import pytest

from rules.books import BOOKS, book_keys, load, load_book
from rules.ruleset import diff, rule_fields

DIFFS = Path(__file__).parent / "diffs"
CHILDREN = [key for key in book_keys() if load_book(key).extends]
# clubs and leagues whose rules are known by what others tell of them
TOLD = ["jpml-a", "kansai-sanma", "m-league", "saikouisen-classic", "wrc-2022"]


def test_each_child_has_its_differences() -> None:
    assert [path.stem for path in sorted(DIFFS.glob("*.json"))] == CHILDREN


@pytest.mark.parametrize("key", CHILDREN)
def test_it_differs_from_its_parent_in_this_and_in_nothing_else(key: str) -> None:
    wanted = json.loads((DIFFS / f"{key}.json").read_text(encoding="utf-8"))
    book = load_book(key)
    found = [[each.field, each.here, each.there] for each in diff(load(book.extends), book.ruleset)]
    assert (book.extends, found) == (wanted["extends"], wanted["differences"])


@pytest.mark.parametrize("key", CHILDREN)
def test_no_value_of_its_parent_is_stated_again(key: str) -> None:
    tables = tomllib.loads((BOOKS / f"{key}.toml").read_text(encoding="utf-8"))
    parent = load(load_book(key).extends).as_json()
    cells = [(name, cell) for table in tables.values() if isinstance(table, dict) for name, cell in table.items()]
    assert [
        name for name, cell in cells if isinstance(cell, dict) and "is" in cell and cell["is"] == parent[name]
    ] == []


@pytest.mark.parametrize("key", TOLD)
def test_what_nobody_tells_of_a_league_is_marked_as_ours(key: str) -> None:
    book = load_book(key)
    marked = [name for name, citation in book.citations.items() if citation.ours]
    assert len(marked) > 40
    silent = book.citations["late_points"].text
    assert "as in" in silent
    assert book.citations["late_points"].ours
    assert {field.name for field in rule_fields()} == set(book.citations)
