"""JSON Lines in, JSON Lines out, by rules that a command names: a book, a rule set of the site, or a TOML file.

A bad line gets its answer and never stops the rest.
"""

import functools
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from django.core.validators import slug_re
from django.db import OperationalError, ProgrammingError

from rules.book_text import MAX_BYTES
from rules.books import Book, book_keys, load, load_book, parse_book
from rules.ruleset import Ruleset, RulesetError
from scoring.entries import Entry, from_json
from scoring.problems import CommandProblemType, InvalidInput, Problem, printable_excerpt
from scoring.state import TableState
from scoring.strict_json import (
    DERIVED,
    ENTRY_DERIVED_KEY,
    ENTRY_LIST_TOO_LONG,
    ENTRY_MISSING_KEY,
    ENTRY_UNKNOWN_KEY,
    ENTRY_WRONG_TYPE,
    JSON_NOT_TEXT,
    JSON_NUMBER_TOO_LARGE,
    MAX_CHARACTERS,
    MAX_ITEMS,
    parse,
)
from tournament.events.queries import EVENT_RULES_UNKNOWN
from tournament.rulesets.models import RuleSetVersion
from tournament.rulesets.queries import get_version
from tournament.text.problems import problem_json
from web.management.base import DeskCommand, say

NAMED = "the key of a book or of a rule set of the site"
NAMED_OR_FILE = f"{NAMED}, or a file ending in .toml"


def own_version(key: str) -> RuleSetVersion | None:
    """Return the newest version of a rule set of the site; None where there is none, or no database."""
    try:
        return get_version(key) if slug_re.fullmatch(key) and key not in book_keys() else None
    except (OperationalError, ProgrammingError):
        return None


def named_book(name: str) -> Book:
    """Return the rules that a name stands for; raises RulesetError with every fault, one a line."""
    if name.endswith(".toml"):
        return _from_file(Path(name))
    version = own_version(name)
    if version is None:
        return load_book(name)
    return replace(version.book, ruleset=replace(version.ruleset, key=name))


def _from_file(path: Path) -> Book:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise RulesetError(f"{path.name} is too large for a rule set")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as wrong:  # ValueError: no UTF-8
        raise RulesetError(f"{path.name} cannot be read: {getattr(wrong, 'strerror', None) or wrong}") from wrong
    try:
        return parse_book(text, key=path.name, source=path.name)
    except RulesetError as wrong:
        lines = [f"line {fault.line}: {fault.says}" if fault.line else fault.says for fault in wrong.faults]
        lines += [f"… and {wrong.more} more"] * bool(wrong.more)
        raise RulesetError("\n".join(f"{path.name}: {line}" for line in lines), wrong.faults) from wrong


LINE_WRONG_ID = CommandProblemType(
    "line.wrong_id", "'id' must be a text of at most {most} characters or a whole number."
)

BYTES_OF_A_CHARACTER = 4  # at most: a longer line cannot be short enough in characters
MAX_ID = 200
# an `id` in the beginning of a line that cannot be parsed as a whole
_ID_FIRST = re.compile(r'\s*\{\s*"id"\s*:\s*("(?:[^"\\\x00-\x1f]|\\.){0,200}"|-?\d{1,18}(?=\s*[,}]))')

Found = tuple[int | None, Problem]  # the index of the entry, None for the line itself, and what is wrong with it
Answer = Callable[[dict[str, Any]], dict[str, Any]]


class LineRefused(Exception):  # noqa: N818  (a refusal is an answer, not a fault)
    """A line that cannot be answered as asked; it carries what is wrong, warnings among it, each with its place."""

    def __init__(self, found: Iterable[Found]) -> None:
        self.found = list(found)
        super().__init__(", ".join(problem.code for _, problem in self.found))


def answer_lines(
    source: BinaryIO, answer: Answer, *, most: int = MAX_CHARACTERS, decimals: bool = False
) -> Iterator[dict[str, Any]]:
    """Answer each line that is not blank: `answer` gets the object and gives its answer without `id` and `ok`.

    `answer` raises LineRefused or InvalidInput for what it cannot do. Lines have at most `most` characters, and decimal
    numbers only with `decimals`.
    """
    read = functools.partial(parse, most=most, decimals=decimals)
    for raw, whole in _lines(source, BYTES_OF_A_CHARACTER * most):
        if raw.strip():
            yield _answer_line(raw, answer, read, whole=whole)


class LinesCommand(DeskCommand):
    """A command that answers each line of standard input by `answer`."""

    uses_database = False
    answer: Answer
    most = MAX_CHARACTERS
    decimals = False

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Answer every line."""
        for answer in answer_lines(sys.stdin.buffer, self.answer, most=self.most, decimals=self.decimals):
            self.write_json(answer)


def _lines(source: BinaryIO, most: int) -> Iterator[tuple[bytes, bool]]:
    """Yield each line and whether it is whole; of a line of more than `most` bytes only the beginning is kept."""
    first = True
    while raw := source.readline(most + 1):
        if first:
            raw, first = raw.removeprefix(b"\xef\xbb\xbf"), False
        whole = len(raw) <= most or raw.endswith(b"\n")
        yield raw, whole
        while not whole and (rest := source.readline(most)):
            whole = rest.endswith(b"\n")


def _answer_line(raw: bytes, answer: Answer, parse: Callable[[str], Any], *, whole: bool) -> dict[str, Any]:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as wrong:
        if whole or wrong.reason != "unexpected end of data":
            return refusal(None, [(None, JSON_NOT_TEXT())])
        text = raw[: wrong.start].decode("utf-8")  # the cut went through a character
    try:
        line = _checked(parse(text if whole else text + " " * len(raw)))
    except InvalidInput as wrong:
        return refusal(_id_of(text), [(None, problem) for problem in wrong.problems])
    except ValueError:  # a number of so many digits that Python itself refuses it
        return refusal(_id_of(text), [(None, JSON_NUMBER_TOO_LARGE(value="", digits=MAX_CHARACTERS))])
    try:
        return {"id": line.get("id"), "ok": True, **answer(line)}
    except LineRefused as refused:
        return refusal(line.get("id"), refused.found)
    except InvalidInput as wrong:
        return refusal(line.get("id"), [(None, problem) for problem in wrong.problems])


def refusal(identity: Any, found: Iterable[Found]) -> dict[str, Any]:
    """Return the answer to a line that is refused: errors as problems, warnings beside them."""
    found = list(found)
    out = {"id": identity, "ok": False, "problems": [_as_json(at, p) for at, p in found if p.severity == "error"]}
    return out | warnings(found)


def warnings(found: Iterable[Found]) -> dict[str, Any]:
    """Return the warnings as they stand beside an answer; nothing where there are none."""
    listed = [_as_json(at, problem) for at, problem in found if problem.severity == "warning"]
    return {"warnings": listed} if listed else {}


def _as_json(at: int | None, problem: Problem) -> dict[str, Any]:
    return {**problem_json(problem, at=at), "message": say(problem)}


def _checked(value: Any) -> dict[str, Any]:
    """Return the line if it is an object with an `id` that can be echoed."""
    if not isinstance(value, dict):
        raise InvalidInput([ENTRY_WRONG_TYPE(key="line", wanted="an object")])
    if not _is_id(value.get("id")):
        raise InvalidInput([LINE_WRONG_ID(most=MAX_ID)])
    return value


def _is_id(value: Any) -> bool:
    return value is None or type(value) is int or (isinstance(value, str) and len(value) <= MAX_ID)


def _id_of(text: str) -> Any:
    """Return the `id` of a line that strict parsing refused, where it can be made out all the same."""
    if len(text) <= MAX_CHARACTERS:
        try:
            value = json.loads(text, parse_int=_short_int, parse_float=float)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            identity = value.get("id")
            return identity if _is_id(identity) else None
    match = _ID_FIRST.match(text)
    try:
        return json.loads(match[1]) if match else None
    except ValueError:
        return None


def _short_int(text: str) -> int | float:
    return int(text) if len(text) < 19 else 0.0  # a float, which is no id


# ---------------------------------------------------------------- a game as a line

KEYS = frozenset({"id", "rules", "start", "entries", "ended"})


@dataclass(frozen=True, slots=True)
class GameLine:
    """A line as read: the rules, starting points if given, the entries, and whether the game ended with them."""

    rules: Ruleset
    start: int | None
    entries: tuple[Entry, ...]
    ended: bool


def state_json(state: TableState) -> dict[str, Any]:
    """Return the hand about to be played at a table."""
    return {name: getattr(state, name) for name in ("round_wind", "kyoku", "honba", "sticks", "dealer")}


def read_game(line: dict[str, Any], *, beside: frozenset[str] = frozenset()) -> GameLine:
    """Read a line's keys and entries; raises LineRefused with all that is wrong in their form.

    Keys `beside` a game's own are left to the caller.
    """
    found: list[Found] = [(None, _stranger(key)) for key in line if key not in KEYS | beside]
    rules = _rules(line.get("rules"), found)
    start, ended, listed = line.get("start"), line.get("ended", False), line.get("entries")
    if start is not None and (type(start) is not int or start < 0):
        found.append((None, ENTRY_WRONG_TYPE(key="start", wanted="a whole number, 0 or more")))
    if type(ended) is not bool:
        found.append((None, ENTRY_WRONG_TYPE(key="ended", wanted="true or false")))
    entries = _entries(listed, found)
    if found or rules is None:
        raise LineRefused(found)
    return GameLine(rules, start, entries, ended)


def _stranger(key: str) -> Problem:
    return (ENTRY_DERIVED_KEY if key in DERIVED else ENTRY_UNKNOWN_KEY)(key=printable_excerpt(key))


def _rules(key: Any, found: list[Found]) -> Ruleset | None:
    if not isinstance(key, str):
        wrong = ENTRY_WRONG_TYPE(key="rules", wanted="the key of a rule set")
        found.append((None, ENTRY_MISSING_KEY(key="rules") if key is None else wrong))
        return None
    rules = _loaded(printable_excerpt(key, 100)) or _own(printable_excerpt(key, 100))
    if rules is None:
        found.append((None, EVENT_RULES_UNKNOWN(key=printable_excerpt(key, 100), known=tuple(book_keys()))))
    return rules


@functools.lru_cache(maxsize=64)
def _loaded(key: str) -> Ruleset | None:
    """Load a rule set once; `load` looks at the folder of books each time."""
    try:
        return load(key)
    except RulesetError:
        return None


def _own(key: str) -> Ruleset | None:
    version = own_version(key)
    return version.ruleset if version else None


def _entries(listed: Any, found: list[Found]) -> tuple[Entry, ...]:
    if not isinstance(listed, list):
        missing = ENTRY_MISSING_KEY(key="entries")
        found.append((None, missing if listed is None else ENTRY_WRONG_TYPE(key="entries", wanted="a list")))
        return ()
    if len(listed) > MAX_ITEMS:
        found.append((None, ENTRY_LIST_TOO_LONG(key="entries", most=MAX_ITEMS)))
        return ()
    entries = []
    for index, value in enumerate(listed):
        try:
            entries.append(from_json(value))
        except InvalidInput as wrong:
            found.extend((index, problem) for problem in wrong.problems)
    return tuple(entries)
