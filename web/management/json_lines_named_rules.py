"""The rules that a command names: a book by key, a rule set of the site by key, or a TOML file by path."""

from dataclasses import replace
from pathlib import Path

from django.core.validators import slug_re
from django.db import OperationalError, ProgrammingError

from rules.book_text import MOST_BYTES
from rules.books import Book, book_keys, load_book, parse_book
from rules.ruleset import RulesetError
from tournament.models.rule_sets import RuleSetVersion
from tournament.rulesets.queries_rule_sets import get_version

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
        if path.stat().st_size > MOST_BYTES:
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
