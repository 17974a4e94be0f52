"""Texts of append-only rows that name a person whose data was deleted, and what is shown in their place.

The rows stay as they were written, so every chain holds. `Event.redactions` has the text without the name by the digest
of the text; who shows a row, shows that.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from django.db import models

from tournament.core.hash_chain import canonical, digest_of
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.sheets.models import SheetCheck, SheetRow, TypedSheet
from tournament.tables.models import LedgerEntry

Columns = tuple[str, tuple[str, ...]]

FIXED: Final[dict[type[models.Model], Columns]] = {
    AuditRow: ("event", ("details",)),
    LedgerEntry: ("table__round__event", ("payload", "reason")),
    SheetCheck: ("sheet__table__round__event", ("reason",)),
    SheetRow: ("table__round__event", ("reason",)),
    TypedSheet: ("table__round__event", ("reason",)),
}
"""The columns of append-only rows that hold typed text, with the path to the event."""
AS_JSON: Final = frozenset({"details", "payload"})


def redact(event: Event, text: str) -> str:
    """Return a text of an append-only row as it may be shown."""
    return str(event.redactions.get(digest_of(text), text)) if event.redactions and text else text


def redact_value(event: Event, value: Any) -> Any:
    """Return a JSON value of an append-only row with its texts as they may be shown."""
    return map_texts(value, lambda text: redact(event, text)) if event.redactions else value


def redact_json(event: Event, text: str) -> str:
    """Return the JSON text of an append-only row with its texts as they may be shown."""
    return canonical(redact_value(event, json.loads(text))) if event.redactions and text else text


def map_texts(value: Any, change: Callable[[str], str]) -> Any:
    """Return a JSON value with each of its texts changed; the keys of objects stay.

    >>> map_texts({"a": ["b", 1, {"c": "d"}]}, str.upper)
    {'a': ['B', 1, {'c': 'D'}]}
    """
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [map_texts(each, change) for each in value]
    if isinstance(value, dict):
        return {key: map_texts(each, change) for key, each in value.items()}
    return value


def list_fixed_texts(event: Event) -> Iterator[list[str]]:
    """Yield the typed texts of each append-only row of an event; five queries."""
    for model, (way, columns) in FIXED.items():
        for row in model._default_manager.filter(**{way: event}).values_list(*columns):
            yield [text for column, text in zip(columns, row, strict=True) for text in _texts(column, text) if text]


def _texts(column: str, text: str) -> Iterator[str]:
    yield from _texts_in(json.loads(text)) if text and column in AS_JSON else [text]


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(each)
