"""Every field of a rule set acts: changed alone to another legal value, it changes something that can be seen.

Over all fields of all books; what is seen stands in tests/rule_probes.py.
"""

import dataclasses
import typing
from collections.abc import Iterator
from typing import Any, Literal

import pytest

from rules.books import FIELD_TYPES, book_keys, load
from rules.consistency import contradictions
from rules.ruleset import Ruleset, rule_fields
from tests.rule_probes import PROBES, Probe

FIELDS = [field.name for field in rule_fields()]
# The number of players settles them: no other value is legal. A book that makes another one legal takes it off.
NO_OTHER_VALUE: set[str] = set()


def test_every_rule_has_its_probe() -> None:
    missing, left = sorted(set(FIELDS) - set(PROBES)), sorted(set(PROBES) - set(FIELDS))
    assert not missing, (
        f"nothing shows what these rules change: {missing}. Add a Probe for each to PROBES in tests/rule_probes.py "
        "(what is computed or said by the rule, and the rules beside which it acts), or delete the rule."
    )
    assert not left, f"these rules are gone: {left}. Delete their probes in tests/rule_probes.py."


@pytest.mark.parametrize("name", FIELDS)
def test_a_rule_that_is_changed_changes_something(name: str) -> None:
    probe = PROBES[name]
    dumb: list[str] = []
    seen: list[str] = []
    for key in book_keys():
        for before, after in _pairs(load(key), name, probe):
            told = f"{key}: {getattr(before, name)!r} to {getattr(after, name)!r}"
            (dumb if probe.see(before) == probe.see(after) else seen).append(told)
    assert not dumb, f"the rule '{name}' changes nothing that its probe sees: {dumb}. Make it act, or delete it."
    assert bool(seen) is not (name in NO_OTHER_VALUE), (
        f"the rule '{name}' has {'another' if seen else 'no other'} legal value in any book: delete it, "
        "give its probe the rules `along` which it changes, or mend NO_OTHER_VALUE."
    )


def _pairs(rules: Ruleset, name: str, probe: Probe) -> Iterator[tuple[Ruleset, Ruleset]]:
    """Yield the rule set and the same with other legal values of one rule: each of a few, or the first of numbers."""
    before = dataclasses.replace(rules, **probe.beside)
    if any(contradictions(before)):
        return
    several = FIELD_TYPES[name] is bool or typing.get_origin(FIELD_TYPES[name]) is Literal
    legal = (after for value in _others(before, name, probe) for after in _changed(before, name, value, probe))
    for after in legal:
        yield before, after
        if not several:
            return


def _changed(before: Ruleset, name: str, value: Any, probe: Probe) -> list[Ruleset]:
    after = dataclasses.replace(before, **{**probe.along(before, value), name: value})
    return [] if any(contradictions(after)) else [after]


def _others(rules: Ruleset, name: str, probe: Probe) -> Iterator[Any]:
    value, hint = getattr(rules, name), FIELD_TYPES[name]
    return (other for other in probe.values or _usual(value, hint) if other != value)


def _usual(value: Any, hint: Any) -> tuple[Any, ...]:
    """Return values to try in place of one, by its type."""
    if hint is bool:
        return (True, False)
    if typing.get_origin(hint) is Literal:
        return typing.get_args(hint)
    if hint is int:
        return (value + 1, value - 1, value + 1000, value - 1000, value + 600, 0)
    return ((0, 0), (2, 0), (2, 2), (1, 0))  # a yaku's worth
