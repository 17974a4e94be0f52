"""Helpers for tests at a table: a state, and a typed hand played at it."""

from typing import Any

from rules.books import load
from scoring.entries import Entry
from scoring.game import Hand, play
from scoring.payments import Transfer
from scoring.shorthand import parse
from scoring.state import TableState, opening


def state(key: str, **changes: Any) -> TableState:
    """Return a table of that rule set, in East 1 with the starting points unless changed."""
    first = opening(load(key))
    return TableState(**{"scores": first.scores, **changes})


def played(key: str, line: str | Entry, **changes: Any) -> Hand:
    """Play one hand, typed as a referee types it (or an entry), at that table."""
    entry = parse(line) if isinstance(line, str) else line
    return play(entry, state(key, **changes), load(key))


def deltas(key: str, line: str | Entry, **changes: Any) -> tuple[int, ...]:
    """Return what each seat gains by one hand."""
    return played(key, line, **changes).deltas


def paid(key: str, line: str | Entry, **changes: Any) -> list[Transfer]:
    """Return the transfers of one hand."""
    return list(played(key, line, **changes).transfers)
