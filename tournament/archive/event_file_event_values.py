"""The forms of single values in an event's file: what fits, in words, and as JSON Schema. No model, no database."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, date, datetime
from typing import Any
from uuid import UUID

from django.db import models

from tournament.core.limits import MOST_INTEGER

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
_HASH = re.compile(r"[0-9a-f]{64}")
_UID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a value: `words` for the refusal, `fits` as the test, `read` to make the model's value.

    `schema` says as JSON Schema what `fits` tests, as far as a schema can.
    """

    words: str
    fits: Callable[[Any], bool]
    schema: Mapping[str, Any]
    read: Callable[[Any], Any] = lambda value: value


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _is_number(value: Any) -> bool:
    return type(value) is int and abs(value) <= MOST_INTEGER


def _is_moment(value: Any) -> bool:
    return isinstance(value, str) and bool(_MOMENT.fullmatch(value)) and _reads(datetime.fromisoformat, value)


def _is_uuid(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 36 and _reads(UUID, value) and str(UUID(value)) == value


def _is_start(value: Any) -> bool:
    """Tell whether it is a start in a timetable: a moment with its zone, or "" for an unknown one."""
    if value == "":
        return True
    if not (isinstance(value, str) and len(value) <= 40 and _reads(datetime.fromisoformat, value)):
        return False
    start = datetime.fromisoformat(value)
    return start.tzinfo is not None and MINYEAR < start.year < MAXYEAR  # other zones show it, too


def _reads(read: Callable[[str], object], value: str) -> bool:
    try:
        read(value)
    except ValueError:
        return False
    return True


def _all(kind: type, fits: Callable[[Any], bool], parts: Callable[[Any], Any] = iter) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind) and all(map(fits, parts(value)))


def or_null(form: Form) -> Form:
    """Return the form of a value that may be missing."""
    return Form(
        f"{form.words} or null",
        lambda value: value is None or form.fits(value),
        {"anyOf": [form.schema, {"type": "null"}]},
        lambda value: None if value is None else form.read(value),
    )


TEXT = Form("a text", _is_text, {"type": "string"})
NUMBER = Form("a whole number", _is_number, {"type": "integer", "minimum": -MOST_INTEGER, "maximum": MOST_INTEGER})
FLAG = Form("true or false", lambda value: type(value) is bool, {"type": "boolean"})
MOMENT = Form(
    "a moment like 2026-09-12T09:30:00.000000Z",
    _is_moment,
    {"type": "string", "pattern": f"^{_MOMENT.pattern}$"},
    datetime.fromisoformat,
)
DATE = Form(
    "a date like 2026-09-12",
    lambda value: isinstance(value, str) and len(value) == 10 and _reads(date.fromisoformat, value),
    {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"},
    date.fromisoformat,
)
UID = Form("a UUID", _is_uuid, {"type": "string", "pattern": f"^{_UID}$"})
HASH = Form(
    "a SHA-256 in hexadecimal",
    lambda value: isinstance(value, str) and bool(_HASH.fullmatch(value)),
    {"type": "string", "pattern": f"^{_HASH.pattern}$"},
)
WRITER = Form(
    "an account's uid or empty",
    lambda value: value == "" or _is_uuid(value),
    {"type": "string", "pattern": f"^({_UID})?$"},
)
OBJECT = Form("an object", lambda value: isinstance(value, dict), {"type": "object"})
LISTED = Form("a list", lambda value: isinstance(value, list), {"type": "array"})
KNOWN_START = Form(
    "a moment with its zone",
    lambda value: value != "" and _is_start(value),
    {"type": "string", "format": "date-time"},
)
TIMES = Form(
    "a list of moments or empty texts",
    _all(list, _is_start),
    {"type": "array", "items": {"type": "string", "description": "a moment with its zone, or empty"}},
)
TEXTS = Form(
    "an object of texts",
    _all(dict, _is_text, dict.values),
    {"type": "object", "additionalProperties": TEXT.schema},
)
AMOUNTS = Form(
    "an object of points",
    _all(dict, _is_number, dict.values),
    {"type": "object", "additionalProperties": NUMBER.schema},
)

_OF_FIELD: tuple[tuple[type, Form], ...] = (
    (models.BooleanField, FLAG),
    (models.IntegerField, NUMBER),
    (models.DateTimeField, MOMENT),
    (models.DateField, DATE),
    (models.UUIDField, UID),
    (models.CharField, TEXT),
    (models.TextField, TEXT),
)


def form_of(field: Any) -> Form:
    """Return the form of a column; a JSONField has none, its record names one."""
    name = field.name
    if name == "by" or name.endswith("_by"):
        return WRITER
    if name.endswith("hash"):
        return HASH
    form = next(form for kind, form in _OF_FIELD if isinstance(field, kind))
    if field.choices and form is TEXT:
        form = replace(form, schema={"enum": [*dict(field.flatchoices), *([""] if field.blank else [])]})
    return or_null(form) if field.null else form
