"""Every statement of the five sources is shown by a test or a page: tests/data/statements.toml, held against the code.

A row that names a test, a row of a table, a value, a page or a marked reading that is not there fails by its words.
"""

import functools
import io
import re
import tokenize
import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.urls import get_resolver

from rules.books import Citation, load_book
from rules.foul_books import catalogue
from rules.procedure import procedure_of
from tests.scoring.hand_table import rows_of
from tests.scoring.test_stated_hands import BOOKS
from tests.table_test import tabled

ROOT = Path(__file__).parent.parent
READINGS = ROOT / "docs/rules/README.md"
FILE = tomllib.loads((ROOT / "tests/data/statements.toml").read_text(encoding="utf-8"))
ROWS = [(source["book"], row) for source in FILE.values() for row in source["rows"]]
KEYS = {"at", "says", "is", "rule", "setup", "by", "page", "ours", "why"}
SENTENCES = tomllib.loads((ROOT / "tests/data/sentences.toml").read_text(encoding="utf-8"))
READ = {"S0": 81, "S1": 76, "RK": 157, "S3": 34, "S4": 607}  # sentences, as the sources were split
OF_NO_SENTENCE = {"edition", "whole"}  # the places of rows that stand for a source as a whole


@functools.cache
def text_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@functools.cache
def code_of(path: str) -> str:
    """Return the text of a file of tests without comments, with single blanks."""
    tokens = tokenize.generate_tokens(io.StringIO(text_of(path)).readline)
    lines = text_of(path).splitlines()
    for token in tokens:
        if token.type == tokenize.COMMENT:
            (row, column), line = token.start, lines[token.start[0] - 1]
            lines[row - 1] = line[:column]
    return " ".join(" ".join(lines).split())


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


def test_every_sentence_of_a_source_has_its_rows_or_says_why_not() -> None:
    assert {key: len(source["sentences"]) for key, source in SENTENCES.items()} == READ
    for key, source in SENTENCES.items():
        rows = {f"{row['at']}: {row['says']}" for row in FILE[key]["rows"]}
        named = {name for each in source["sentences"] for name in each.get("rows", ())}
        assert named == {name for name in rows if name.partition(":")[0] not in OF_NO_SENTENCE}
        for each in source["sentences"]:
            assert ("rows" in each) is not ("none" in each)
            assert each.get("none", "heading") in {"heading", "example", "remark", "reference"}


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
        assert " ".join(text.split()) in code_of(files_of_tests()[name])


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
def test_a_step_of_the_set_up_is_the_books_and_cites_its_source(book: str, row: dict[str, Any]) -> None:
    cited = procedure_of(load_book(book).ruleset)
    for step, value in row.get("setup", {}).items():
        assert getattr(cited.procedure, step) == value, step
        assert row["is"] == "reading" or not cited.citations[step].ours, step


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
