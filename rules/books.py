"""Load rule sets: from the book files `rules/books/KEY.toml`, each value with its clause, and from plain JSON.

Strict: every field must be stated, known, rightly typed and consistent with the others. No defaults, but for rule sets
stored before a field was added.
"""

import functools
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from rules.consistency import contradictions
from rules.ruleset import Ruleset, RulesetError, rule_fields, values_before

BOOKS = Path(__file__).parent / "books"
FIELD_TYPES = typing.get_type_hints(Ruleset)
RULE_NAMES = tuple(field.name for field in rule_fields())
MOST_SHOWN = 80  # characters of a wrong value in a message


@dataclass(frozen=True, slots=True)
class Citation:
    """The source of a value: a clause of a book, or (`ours`) the reason for our own reading.

    `reading` says what of a value with a clause is our own reading; "" if nothing.
    """

    text: str
    ours: bool
    reading: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    """A rule set with its source text and the citation of each value, by field name."""

    ruleset: Ruleset
    source: str
    citations: Mapping[str, Citation]


def book_keys() -> list[str]:
    """List the keys of all books, sorted.

    >>> 'ema-2025' in book_keys()
    True
    """
    return sorted(path.stem for path in BOOKS.glob("*.toml"))


@functools.cache
def load_book(key: str) -> Book:
    """Return the book with this key, cached.

    Raises RulesetError if there is none, or if its file is invalid.
    """
    if key not in book_keys():
        raise RulesetError(f"there is no rule set '{key}'; there are: {', '.join(book_keys())}")
    return read_book(BOOKS / f"{key}.toml")


def load(key: str) -> Ruleset:
    """Return the rule set with this key; see load_book.

    >>> load('ema-2025').start_points
    30000
    """
    return load_book(key).ruleset


def read_book(path: Path) -> Book:
    """Read one book file.

    Raises RulesetError with file and key for anything unknown, missing, ill-typed or contradictory.
    """
    import tomllib

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # also: no UTF-8, a number of thousands of digits, too deep
        raise RulesetError(f"{path.name}: not readable as TOML: {error}") from error
    head = {name: _head_text(data, name, path.name) for name in ("title", "source")}
    values: dict[str, Any] = {}
    citations: dict[str, Citation] = {}
    for name, section, cell in _cells(data, path.name):
        _check_place(name, section, path.name)
        values[name], citations[name] = _read_cell(name, cell, path.name)
    _check_complete(values, path.name)
    ruleset = from_json({"key": path.stem, "title": head["title"], **values}, source=path.name)
    return Book(ruleset, head["source"], types.MappingProxyType(citations))


def from_json(values: object, *, source: str = "rule set") -> Ruleset:
    """Return the rule set that `values` (a mapping of every field to plain JSON) states.

    A field that was added later (`values_before`) may be missing.
    Raises RulesetError with `source` and key for anything unknown, missing, ill-typed or contradictory.
    """
    if not isinstance(values, Mapping):
        raise RulesetError(f"{source}: must be an object with a key for each field, not {_shown(values)}")
    for name in values:
        if name not in FIELD_TYPES:
            raise RulesetError(f"{source}: unknown key {_shown(name)}")
    values = values_before() | dict(values)
    _check_complete(values, source, FIELD_TYPES)
    made = Ruleset(**{name: _typed(values[name], hint, name, source) for name, hint in FIELD_TYPES.items()})
    for name, wrong in contradictions(made):
        raise RulesetError(f"{source}: key '{name}': {wrong}")
    return made


def _check_complete(values: Mapping[str, Any], source: str, names: Iterable[str] = RULE_NAMES) -> None:
    for name in names:
        if name not in values:
            raise RulesetError(f"{source}: key '{name}' is missing")


def _head_text(data: Mapping[str, Any], name: str, source: str) -> str:
    if not isinstance(data.get(name), str):
        raise RulesetError(f"{source}: key '{name}' is missing or not a text")
    return str(data[name])


def _cells(data: Mapping[str, Any], source: str) -> Iterator[tuple[str, str, Any]]:
    for section, cells in data.items():
        if section in ("title", "source"):
            continue
        if not isinstance(cells, dict):
            raise RulesetError(f"{source}: unknown key '{section}'")
        for name, cell in cells.items():
            yield name, section, cell


def _check_place(name: str, section: str, source: str) -> None:
    places = {f.name: f.metadata["section"] for f in rule_fields()}
    if name not in places:
        raise RulesetError(f"{source}: unknown key '{section}.{name}'")
    if places[name] != section:
        raise RulesetError(f"{source}: key '{section}.{name}' belongs to section '{places[name]}'")


def _read_cell(name: str, cell: Any, source: str) -> tuple[Any, Citation]:
    """Read `{ is = VALUE, clause = "…" }` or `{ is = VALUE, ours = "why" }`; with both, only a part is `ours`."""
    said = {kind: cell[kind] for kind in ("clause", "ours") if kind in cell} if isinstance(cell, dict) else {}
    if not isinstance(cell, dict) or "is" not in cell or not said or set(cell) - {"is"} - set(said):
        raise RulesetError(f"{source}: key '{name}' must be written {{ is = …, clause = … }} or {{ is = …, ours = … }}")
    if any(not isinstance(text, str) or not text.strip() for text in said.values()):
        raise RulesetError(f"{source}: key '{name}' does not say where its value comes from")
    if "clause" in said:
        return cell["is"], Citation(said["clause"], ours=False, reading=said.get("ours", ""))
    return cell["is"], Citation(said["ours"], ours=True)


def _typed(value: Any, hint: Any, name: str, source: str) -> Any:
    """Return the value as its type hint wants it, lists as tuples; raise RulesetError for another type."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        if value in args and isinstance(value, str):
            return value
        raise RulesetError(f"{source}: key '{name}' must be one of {', '.join(args)}, not {_shown(value)}")
    if origin is tuple:
        if not isinstance(value, list | tuple) or (args[-1] is not Ellipsis and len(value) != len(args)):
            length = "" if args[-1] is Ellipsis else f" of {len(args)}"
            raise RulesetError(f"{source}: key '{name}' must be a list{length}, not {_shown(value)}")
        inner = [args[0]] * len(value) if args[-1] is Ellipsis else list(args)
        return tuple(_typed(item, kind, name, source) for item, kind in zip(value, inner, strict=True))
    if type(value) is not hint:
        raise RulesetError(f"{source}: key '{name}' must be of type {hint.__name__}, not {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    """Return a value for a message, cut short: an uploaded file may hold a very long one."""
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…"
