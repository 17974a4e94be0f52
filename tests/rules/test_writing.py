"""A book written as TOML reads back the same, and each changed value says where it comes from."""

import dataclasses
from pathlib import Path

import pytest

from rules.books import Book, Citation, book_keys, load_book, parse_book
from rules.ruleset import diff
from rules.writing import book_toml, recited

ODD = 'a "quote", a \\ and 東\n\x7f\t€'


@pytest.mark.parametrize("key", book_keys())
def test_a_written_book_reads_back_the_same(key: str) -> None:
    book = load_book(key)
    assert parse_book(book_toml(book), key=key, source="test") == book


def test_the_example_for_organisers_is_a_rule_set() -> None:
    page = (Path(__file__).parents[2] / "docs/organiser/rule-sets.md").read_text(encoding="utf-8")
    book = parse_book(page.partition("```toml\n")[2].partition("```")[0], key="club", source="example")
    assert [each.field for each in diff(load_book("ema-2025").ruleset, book.ruleset)] == ["bust", "minutes"]


def test_odd_characters_come_back() -> None:
    book = load_book("ema-2025")
    citations = {**book.citations, "uma": Citation(ODD, ours=True), "oka": Citation("1", ours=False, reading=ODD)}
    odd = Book(dataclasses.replace(book.ruleset, title=ODD), ODD, citations, "wrc-2025")
    assert parse_book(book_toml(odd), key="ema-2025", source="test") == odd


def test_a_changed_value_is_cited_as_its_author_says_and_a_restored_one_as_its_base() -> None:
    base = load_book("ema-2025")
    changed = recited(base, dataclasses.replace(base.ruleset, minutes=60, bust=True), base, "club")
    assert [changed.citations[name] for name in ("minutes", "bust")] == [Citation("club", ours=True)] * 2
    assert changed.citations["uma"] == base.citations["uma"]
    back = recited(changed, dataclasses.replace(changed.ruleset, minutes=75), base, "again")
    assert back.citations["minutes"] == base.citations["minutes"]
    assert back.citations["bust"] == Citation("club", ours=True)
