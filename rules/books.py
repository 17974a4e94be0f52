"""Load rule sets: from the book files `rules/books/KEY.toml`, each value with its clause, and from plain JSON.

Strict: every field must be stated, known, rightly typed and consistent with the others. A book may extend another one
and state only what differs. Only JSON that was frozen before a field existed is filled up.
"""

import dataclasses
import functools
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from rules.book_text import find_size_fault
from rules.consistency import contradictions
from rules.ruleset import Fault, Ruleset, RulesetError, rule_fields

BOOKS = Path(__file__).parent / "books"
FIELD_TYPES = typing.get_type_hints(Ruleset)
HEAD = ("title", "source", "extends", "inherited")  # keys of a book outside its sections
MAX_SHOWN = 80  # characters of a wrong value in a message

_LINE = re.compile(r"\s*(?:\[\s*(?P<table>[\w.-]+)\s*\]|(?P<key>[\w-]+)\s*=)")
_AT_LINE = re.compile(r"at line (\d+)")
_SECTIONS: Mapping[str, str] = {field.name: field.metadata["section"] for field in rule_fields()}
WRITTEN = "must be written { is = …, clause = … } or { is = …, ours = … }"


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
    """A rule set with its source text and the citation of each value, by field name.

    `extends` is the key of the book that it stands on, "" for none.
    """

    ruleset: Ruleset
    source: str
    citations: Mapping[str, Citation]
    extends: str = ""


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
    """Read one book file; see parse_book."""
    try:
        text = path.read_text(encoding="utf-8")
    except ValueError as error:  # no UTF-8
        raise RulesetError(f"{path.name}: not readable as TOML: {error}") from error
    return parse_book(text, key=path.stem, source=path.name)


def parse_book(text: str, *, key: str, source: str) -> Book:
    """Return the book that a TOML text states; `source` names it in messages.

    Raises RulesetError with every fault, by line and field: unknown, missing, ill-typed or contradictory; before
    anything is parsed, for a text that is too large.
    """
    if large := find_size_fault(text):
        raise RulesetError(f"{source}: {large.says}", [large])
    reading = _Reading(_toml(text, source), text)
    book = reading.book(key)
    if book is None:
        faults = sorted(reading.faults, key=lambda fault: fault.line or len(text))
        raise RulesetError(f"{source}: {faults[0].says}", faults)
    return book


def from_json(values: object, *, source: str = "rule set") -> Ruleset:
    """Return the rule set that `values` (a mapping of every field to plain JSON) states.

    A field that is younger than the rule set gets what was played before. Raises RulesetError with `source` and every
    fault: unknown, missing, ill-typed or contradictory.
    """
    if not isinstance(values, Mapping):
        raise RulesetError(f"{source}: must be an object with a key for each field, not {_shown(values)}")
    made, faults = _build_ruleset(_filled_up(values))
    if made is None:
        raise RulesetError(f"{source}: {faults[0].says}", faults)
    return made


def _filled_up(values: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Return frozen values with those of younger fields, which no older event or file states."""
    full = dict(values)
    for field in rule_fields():
        before = field.metadata["before"]
        value = before(full) if before and field.name not in full else None
        if value is not None:
            full[field.name] = value
    return full


def _build_ruleset(values: Mapping[Any, Any]) -> tuple[Ruleset | None, list[Fault]]:
    """Return the rule set of these values and no fault, or none with every fault."""
    faults = [Fault(f"unknown key {_shown(name)}") for name in values if name not in FIELD_TYPES]
    faults += [Fault(f"key '{name}' is missing", name) for name in FIELD_TYPES if name not in values]
    typed = {}
    for name, hint in FIELD_TYPES.items():
        try:
            typed[name] = _typed(values.get(name), hint)
        except ValueError as wrong:
            faults += [Fault(f"key '{name}' {wrong}", name)] if name in values else []
    if faults:
        return None, faults
    made = Ruleset(**typed)
    faults = [Fault(f"key '{name}': {wrong}", name) for name, wrong in contradictions(made)]
    return (None if faults else made), faults


def _toml(text: str, source: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also: a number of thousands of digits, too deep
        at = _AT_LINE.search(str(error))
        says = f"not readable as TOML: {error}"
        raise RulesetError(f"{source}: {says}", [Fault(says, line=int(at[1]) if at else 0)]) from error


class _Reading:
    """The reading of one book: its tables, and the faults found so far."""

    def __init__(self, data: dict[str, Any], text: str) -> None:
        self.data, self.faults, self.lines = data, list[Fault](), _lines_of(text)
        self.values: dict[str, Any] = {}
        self.citations: dict[str, Citation] = {}

    def book(self, key: str) -> Book | None:
        """Return the book; None if there are faults."""
        title, source = self._text("title"), self._text("source")
        parent = self._parent(key) if "extends" in self.data else None
        for section, cells in self.data.items():
            if isinstance(cells, dict) and section not in HEAD:
                self._section(section, cells)
            elif section not in HEAD:
                self._fault(f"unknown key '{section}'", at=("", section))
        made, faults = _build_ruleset({"key": key, "title": title, **self.values})
        whole = not self.faults  # else a field may be missing only because its line was not understood
        for fault in faults:
            if whole or fault.field in self.values:
                self._fault(fault.says, fault.field, at=(_SECTIONS[fault.field], fault.field))
        if self.faults or made is None:
            return None
        extends = parent.ruleset.key if parent else ""
        return Book(made, source, types.MappingProxyType({name: self.citations[name] for name in _SECTIONS}), extends)

    def _fault(self, says: str, field: str = "", *, at: tuple[str, str]) -> None:
        self.faults.append(Fault(says, field, self.lines.get(at) or self.lines.get((at[0], ""), 0)))

    def _text(self, name: str) -> str:
        if not isinstance(self.data.get(name), str):
            self._fault(f"key '{name}' is missing or not a text", at=("", name))
        return str(self.data.get(name))

    def _parent(self, key: str) -> Book | None:
        """Take over all values of the book that this one extends, each cited as `inherited` says."""
        name = self.data["extends"]
        if name not in book_keys() or name == key:
            self._fault(f"key 'extends' must name another rule set, not {_shown(name)}", at=("", "extends"))
            return None
        parent, own = load_book(name), None
        if "inherited" in self.data and (own := read_citation(self.data["inherited"])) is None:
            self._fault("key 'inherited' must be written { clause = … } or { ours = … }", at=("", "inherited"))
        self.values = {name: getattr(parent.ruleset, name) for name in _SECTIONS}
        self.citations = {name: _inherited(cited, parent, own) for name, cited in parent.citations.items()}
        return parent

    def _section(self, section: str, cells: dict[str, Any]) -> None:
        for name, cell in cells.items():
            at = (section, name)
            if name not in _SECTIONS:
                self._fault(f"unknown key '{section}.{name}'", at=at)
            elif _SECTIONS[name] != section:
                self._fault(f"key '{section}.{name}' belongs to section '{_SECTIONS[name]}'", name, at=at)
            elif wrong := self._cell(name, cell):
                self._fault(f"key '{name}' {wrong}", name, at=at)

    def _cell(self, name: str, cell: Any) -> str:
        """Read `{ is = VALUE, clause = "…" }` or `{ is = VALUE, ours = "why" }`; return what is wrong with it.

        With both, only a part of the value is `ours`. In a book that extends another one a cell without `is` says where
        its inherited value comes from.
        """
        value = {"is": cell["is"]} if isinstance(cell, dict) and "is" in cell else {}
        rest = {key: cell[key] for key in cell if key != "is"} if isinstance(cell, dict) else {}
        if not rest or set(rest) - {"clause", "ours"} or not (value or name in self.values):
            return WRITTEN
        both = isinstance(rest.get("clause"), str) and isinstance(rest.get("ours"), str) and rest["ours"].strip()
        cited = read_citation({"clause": rest["clause"]} if both else rest)
        if cited is not None and both:
            cited = dataclasses.replace(cited, reading=rest["ours"])
        if cited is None:
            return "does not say where its value comes from"
        self.values[name], self.citations[name] = value.get("is", self.values.get(name)), cited
        return ""


def read_citation(cell: object) -> Citation | None:
    """Return the citation of `{ clause = "…" }` or `{ ours = "…" }`; None for anything else."""
    match cell:
        case {"clause": str(text), **rest} | {"ours": str(text), **rest} if text.strip() and not rest:
            return Citation(text, ours="ours" in typing.cast("dict[str, str]", cell))
    return None


def _inherited(cited: Citation, parent: Book, own: Citation | None) -> Citation:
    """Return the citation of an inherited value: the parent's, or the child's own word followed by the parent's."""
    if own is None:
        return cited
    where = f"as in {parent.ruleset.title}" + ("" if cited.ours else f" ({cited.text})")
    return Citation(f"{own.text}; {where}", own.ours or cited.ours, cited.reading)


def _lines_of(text: str) -> dict[tuple[str, str], int]:
    r"""Return the line of each key by section and name, from 1; of a section with the name "".

    >>> _lines_of('title = "x"\n[game]\nbust = {}')
    {('', 'title'): 1, ('game', ''): 2, ('game', 'bust'): 3}
    """
    lines: dict[tuple[str, str], int] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), start=1):
        match = _LINE.match(line)
        if match and match["table"]:
            section, _, name = match["table"].partition(".")
            lines.setdefault((section, name), number)
        elif match:
            lines.setdefault((section, match["key"]), number)
    return lines


def _typed(value: Any, hint: Any) -> Any:
    """Return the value as its type hint wants it, lists as tuples; raise ValueError for another type."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        if value in args and isinstance(value, str):
            return value
        raise ValueError(f"must be one of {', '.join(args)}, not {_shown(value)}")
    if origin is tuple:
        if not isinstance(value, list | tuple) or (args[-1] is not Ellipsis and len(value) != len(args)):
            length = "" if args[-1] is Ellipsis else f" of {len(args)}"
            raise ValueError(f"must be a list{length}, not {_shown(value)}")
        inner = [args[0]] * len(value) if args[-1] is Ellipsis else list(args)
        return tuple(_typed(item, kind) for item, kind in zip(value, inner, strict=True))
    if type(value) is not hint:
        raise ValueError(f"must be of type {hint.__name__}, not {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    """Return a value for a message, cut short: an uploaded file may hold a very long one."""
    text = repr(value)
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"
