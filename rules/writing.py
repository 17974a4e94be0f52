"""Write a rule set as the text of a book file, and state where changed values come from."""

import json
import types
from collections.abc import Iterator

from rules.books import Book, Citation
from rules.ruleset import Ruleset, rule_fields


def book_toml(book: Book) -> str:
    """Return a book as TOML with every field stated; `parse_book` reads the same book from it.

    >>> from rules.books import load_book, parse_book
    >>> book = load_book("ema-2025")
    >>> parse_book(book_toml(book), key="ema-2025", source="test") == book
    True
    """
    return "\n".join(_lines(book)) + "\n"


def _lines(book: Book) -> Iterator[str]:
    yield f"title = {_text(book.ruleset.title)}"
    yield f"source = {_text(book.source)}"
    if book.extends:
        yield f"extends = {_text(book.extends)}"
    values, section = book.ruleset.as_json(), ""
    for field in rule_fields():
        if field.metadata["section"] != section:
            section = field.metadata["section"]
            yield f"\n[{section}]"
        cell = {"is": values[field.name], **citation_cell(book.citations[field.name])}
        yield f"{field.name} = {{ {', '.join(f'{key} = {_text(value)}' for key, value in cell.items())} }}"


def citation_cell(cited: Citation) -> dict[str, str]:
    """Return a citation as the cell of a book file has it.

    >>> citation_cell(Citation("4.1", ours=False, reading="for both players"))
    {'clause': '4.1', 'ours': 'for both players'}
    """
    if cited.ours:
        return {"ours": cited.text}
    return {"clause": cited.text} | ({"ours": cited.reading} if cited.reading else {})


def _text(value: object) -> str:
    """Return a value as TOML; texts, whole numbers, booleans and lists are written as in JSON."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def recited(book: Book, rules: Ruleset, base: Book | None, why: str) -> Book:
    """Return a book with other rules that extends `base`.

    A value back at that of the base is cited as there, any other new value as `why`.
    """
    citations = {field.name: _recited(field.name, book, rules, base, why) for field in rule_fields()}
    return Book(rules, book.source, types.MappingProxyType(citations), base.ruleset.key if base else "")


def _recited(name: str, book: Book, rules: Ruleset, base: Book | None, why: str) -> Citation:
    value = getattr(rules, name)
    if value == getattr(book.ruleset, name):
        return book.citations[name]
    if base is not None and value == getattr(base.ruleset, name):
        return base.citations[name]
    return Citation(why, ours=True)
