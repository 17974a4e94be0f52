"""Every statement of the five sources is shown by a test or a page: tests/data/statements.toml, held against the code.

A row that names a test, a row of a table, a value, a page or a marked reading that is not there fails by its words.
"""

import functools
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.urls import get_resolver

from rules.books import Citation, load_book
from rules.foul_books import catalogue
from tests.scoring.hand_table import rows_of
from tests.scoring.test_stated_hands import BOOKS
from tests.tabled import tabled

ROOT = Path(__file__).parent.parent
READINGS = ROOT / "docs/rules/README.md"
FILE = tomllib.loads((ROOT / "tests/data/statements.toml").read_text(encoding="utf-8"))
COUNTED = {"S0": 58, "S1": 34, "RK": 112, "S3": 22, "S4": 98}  # as the sources were read, one by one
ROWS = [(source["book"], row) for source in FILE.values() for row in source["rows"]]
KEYS = {"at", "says", "is", "rule", "by", "page", "ours", "why"}


@functools.cache
def text_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@functools.cache
def files_of_tests() -> dict[str, str]:
    """Return the file with the rows of each test that is marked `states`, by the name that statements have for it."""
    marks = [
        (names, rows or path.relative_to(ROOT).as_posix())
        for path in (ROOT / "tests").rglob("test_*.py")
        for names, rows in re.findall(
            r'^ *@pytest\.mark\.states\(((?:"\w+"(?:, )?)+)(?:rows="(.+)")?\)', text_of(str(path)), re.MULTILINE
        )
    ]
    return {name: file for names, file in marks for name in re.findall(r"\w+", names)}


def named_by(row: dict[str, Any]) -> list[tuple[str, str]]:
    """Return name of the test and text of its row for each test that a statement names."""
    return [(name, text) for name, _, text in (each.partition(": ") for each in row.get("by", ()))]


def citation_of(book: str, mark: str) -> Citation | None:
    """Return where a reading is marked: at a rule, or at a foul."""
    cited = load_book(book)
    if not mark.startswith("foul: "):
        return cited.citations.get(mark)
    penalty = catalogue(cited.ruleset).penalties[mark.removeprefix("foul: ")]
    return Citation(text=penalty.clause, ours=bool(penalty.ours))


def test_no_statement_is_left_out() -> None:
    assert {key: len(source["rows"]) for key, source in FILE.items()} == COUNTED


@tabled("book, row", ROWS)
def test_a_statement_says_what_shows_it(book: str, row: dict[str, Any]) -> None:
    assert set(row) <= KEYS
    assert row["at"]
    assert row["says"]
    assert row["is"] in {"right", "reading", "outside"}
    assert bool(row.get("why")) is (row["is"] == "outside")
    assert row["is"] == "outside" or row.get("by")
    assert row["is"] != "reading" or row.get("ours")
    assert row["is"] != "right" or not row.get("ours")


def test_each_name_of_a_test_is_a_mark() -> None:
    assert {name for _, row in ROWS for name, _ in named_by(row)} == set(files_of_tests())


@tabled("book, row", ROWS)
def test_a_row_that_is_named_stands_in_its_table(book: str, row: dict[str, Any]) -> None:
    for name, text in named_by(row):
        assert text in text_of(files_of_tests()[name])


@tabled("book", BOOKS)
def test_every_hand_of_a_source_belongs_to_a_statement(book: str) -> None:
    named = {text for of, row in ROWS if of == book for name, text in named_by(row) if name == "hand"}
    assert named == {row[0] for row in rows_of(BOOKS[book])}


@tabled("book, row", ROWS)
def test_a_value_that_is_named_is_the_books_and_cites_its_source(book: str, row: dict[str, Any]) -> None:
    cited = load_book(book)
    for field, value in row.get("rule", {}).items():
        assert cited.ruleset.as_json()[field] == value, field
        assert row["is"] == "reading" or not cited.citations[field].ours, field


@tabled("book, row", ROWS)
def test_a_reading_is_marked_as_ours(book: str, row: dict[str, Any]) -> None:
    for mark in row.get("ours", ()):
        if mark.startswith("doc: "):
            assert mark.removeprefix("doc: ") in " ".join(READINGS.read_text(encoding="utf-8").split())
            continue
        citation = citation_of(book, mark)
        assert citation, mark
        assert citation.ours or citation.reading or "option" in citation.text, mark


@pytest.mark.parametrize("name", sorted({page for _, row in ROWS for page in row.get("page", ())}))
def test_a_page_that_is_named_has_an_address(name: str) -> None:
    namespace, _, page = name.partition(":")
    _, resolver = get_resolver().namespace_dict[namespace]
    assert resolver.reverse_dict.getlist(page)
