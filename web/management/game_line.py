"""One game as a line of JSON Lines → rules and entries, or all that is wrong in its form.

It judges no entry and folds nothing.
"""

import functools
from dataclasses import dataclass
from typing import Any

from rules.books import book_keys, load
from rules.ruleset import Ruleset, RulesetError
from scoring.entries import Entry, from_json
from scoring.problems import InvalidInput, Problem, error, shown
from scoring.strict_json import DERIVED, MOST_ITEMS
from web.management.json_lines import Found, LineRefused

KEYS = frozenset({"id", "rules", "start", "entries", "ended"})


@dataclass(frozen=True, slots=True)
class GameLine:
    """A line as read: the rules, starting points if given, the entries, and whether the game ended with them."""

    rules: Ruleset
    start: int | None
    entries: tuple[Entry, ...]
    ended: bool


def read_game(line: dict[str, Any], *, beside: frozenset[str] = frozenset()) -> GameLine:
    """Read a line's keys and entries; raises LineRefused with all that is wrong in their form.

    Keys `beside` a game's own are left to the caller.
    """
    found: list[Found] = [(None, _stranger(key)) for key in line if key not in KEYS | beside]
    rules = _rules(line.get("rules"), found)
    start, ended, listed = line.get("start"), line.get("ended", False), line.get("entries")
    if start is not None and (type(start) is not int or start < 0):
        found.append((None, error("entry.wrong_type", key="start", wanted="a whole number, 0 or more")))
    if type(ended) is not bool:
        found.append((None, error("entry.wrong_type", key="ended", wanted="true or false")))
    entries = _entries(listed, found)
    if found or rules is None:
        raise LineRefused(found)
    return GameLine(rules, start, entries, ended)


def _stranger(key: str) -> Problem:
    return error("entry.derived_key" if key in DERIVED else "entry.unknown_key", key=shown(key))


def _rules(key: Any, found: list[Found]) -> Ruleset | None:
    if not isinstance(key, str):
        found.append((None, error("entry.wrong_type" if key is not None else "entry.missing_key", **_rules_key(key))))
        return None
    rules = _loaded(shown(key, 100))
    if rules is None:
        found.append((None, error("event.rules_unknown", key=shown(key, 100), known=tuple(book_keys()))))
    return rules


def _rules_key(key: Any) -> dict[str, str]:
    return {"key": "rules"} if key is None else {"key": "rules", "wanted": "the key of a rule set"}


@functools.lru_cache(maxsize=64)
def _loaded(key: str) -> Ruleset | None:
    """Load a rule set once; `load` looks at the folder of books each time."""
    try:
        return load(key)
    except RulesetError:
        return None


def _entries(listed: Any, found: list[Found]) -> tuple[Entry, ...]:
    if not isinstance(listed, list):
        missing = error("entry.missing_key", key="entries")
        found.append((None, missing if listed is None else error("entry.wrong_type", key="entries", wanted="a list")))
        return ()
    if len(listed) > MOST_ITEMS:
        found.append((None, error("entry.list_too_long", key="entries", most=MOST_ITEMS)))
        return ()
    entries = []
    for index, value in enumerate(listed):
        try:
            entries.append(from_json(value))
        except InvalidInput as wrong:
            found.extend((index, problem) for problem in wrong.problems)
    return tuple(entries)
