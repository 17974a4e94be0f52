"""Questions of a table that a book answers with yes or no, from `rules/books/rulings/KEY.toml`, each with its clause.

A ruling is listed where the rules have the values of its `where`. A foul is no ruling: see `rules.fouls`.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from rules.foul_books import check_fields, is_listed
from rules.fouls import FoulError
from rules.ruleset import Ruleset, RulesetError, rule_fields

FILES: Final = Path(__file__).parent / "books" / "rulings"
_CELL: Final = {**dict.fromkeys(("question", "yes", "no", "clause", "words"), str), "where": dict}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A question, whether the answer is yes, and the sentence that says why; `words` are only searched."""

    key: str
    question: str
    yes: bool
    sentence: str
    clause: str
    words: str = ""
    where: Mapping[str, Any] = field(default_factory=dict)


def list_rulings(rules: Ruleset) -> list[Ruling]:
    """List the rulings of a rule set's book that hold under its values; none for a book without a file.

    >>> from rules.books import load
    >>> [each.yes for each in list_rulings(load('sanmatsuri-2026')) if each.key == "kita_after_pon"]
    [False]
    """
    path = FILES / f"{rules.key}.toml"
    return [each for each in read_rulings(path) if is_listed(each.where, rules)] if path in _paths() else []


@functools.cache
def _paths() -> tuple[Path, ...]:
    return tuple(sorted(FILES.glob("*.toml")))


@functools.cache
def read_rulings(path: Path) -> tuple[Ruling, ...]:
    """Read one file; raise RulesetError with file and key for anything unknown, missing or ill-typed."""
    import tomllib

    try:
        cells = tomllib.loads(path.read_text(encoding="utf-8"))["ruling"]
        return tuple(_ruling(key, cell, f"{path.name}: ruling '{key}'") for key, cell in cells.items())
    except (KeyError, tomllib.TOMLDecodeError, FoulError) as error:
        raise RulesetError(f"{path.name}: {error}") from error


def _ruling(key: str, cell: Any, where: str) -> Ruling:
    cell = check_fields(cell, _CELL, where, needed=("question", "clause"))
    if ("yes" in cell) == ("no" in cell):
        raise RulesetError(f"{where}: answers yes or no, one of the two")
    if unknown := set(cell.get("where", {})) - {rule.name for rule in rule_fields()}:
        raise RulesetError(f"{where}: there is no rule {', '.join(sorted(unknown))}")
    yes, no = cell.pop("yes", ""), cell.pop("no", "")
    return Ruling(key=key, yes=bool(yes), sentence=yes or no, **cell)
