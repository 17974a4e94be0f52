"""Strict JSON for foreign input: no floats, no NaN, bounded size, depth and numbers, no unknown or double key.

Every fault is a Problem, never an exception of the json library.
"""

import functools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NoReturn, TypeAlias

from scoring.problems import (
    CommandProblemType,
    InvalidInput,
    Problem,
    ProblemType,
    printable_excerpt,
    unprintable,
)

JSON_TOO_LONG = ProblemType("json.too_long", "The text is too long: at most {most} characters are read.")
JSON_TOO_DEEP = ProblemType("json.too_deep", "The text is nested too deep: at most {most} levels are read.")
JSON_NOT_JSON = ProblemType(
    "json.not_json", "This is not JSON: it cannot be read from line {line}, column {column} on."
)
JSON_FLOAT = ProblemType("json.float", "{value} is not a whole number; points, han and seats are whole numbers.")
JSON_NOT_A_NUMBER = ProblemType("json.not_a_number", "{value} is not a number.")
JSON_NUMBER_TOO_LARGE = ProblemType("json.number_too_large", "A number of {digits} digits is too large.", ("value",))
JSON_DUPLICATE_KEY = ProblemType("json.duplicate_key", "'{key}' appears twice.")
JSON_NOT_DECIMAL = CommandProblemType(
    "json.not_decimal", "{value} cannot be read: a number has at most {most} characters, an exponent two digits."
)
ENTRY_UNKNOWN_KEY = ProblemType("entry.unknown_key", "'{key}' is not part of this kind of entry.")
ENTRY_DERIVED_KEY = ProblemType("entry.derived_key", "'{key}' is not entered: the desk works it out from the hands.")
ENTRY_MISSING_KEY = ProblemType("entry.missing_key", "'{key}' is missing.")
ENTRY_WRONG_TYPE = ProblemType("entry.wrong_type", "'{key}' must be {wanted}.")
ENTRY_NEGATIVE = ProblemType("entry.negative", "'{key}' must not be negative.")
ENTRY_TEXT_TOO_LONG = ProblemType("entry.text_too_long", "'{key}' is too long: at most {most} characters.")
ENTRY_LIST_TOO_LONG = ProblemType("entry.list_too_long", "'{key}' is too long: at most {most} items.")
ENTRY_CONTROL_CHARACTER = ProblemType("entry.control_character", "'{key}' has a character that cannot be shown.")
JSON_NOT_TEXT = ProblemType("json.not_text", "This is not text in UTF-8.")

MAX_CHARACTERS = 200_000
MAX_DEPTH = 20
MAX_NUMBER = 10_000_000
MAX_DECIMAL = 24  # characters of a decimal number, as many as a program needs for a float
MAX_ITEMS = 200
MAX_TEXT = 100
# keys that the fold derives and nobody may send
DERIVED = frozenset((
    "dealer", "honba", "kyoku", "place", "places", "results", "round", "round_wind", "score", "seat_wind", "sticks",
    "uma",
))  # fmt: skip


class _Missing:
    """The default of a key that must be there."""


MISSING = _Missing()
# by key: the check of its value, a method of Reader, and whether it must be there
Shape: TypeAlias = "Mapping[str, tuple[Callable[[Reader, str, Any], Any], bool]]"


def parse(text: str, *, most: int = MAX_CHARACTERS, decimals: bool = False) -> Any:
    """Return the value of JSON text of at most `most` characters; `decimals` such as 12.5 or 1e-9 as exact fractions.

    Raises InvalidInput for text that is too long, too deep or no JSON, and for floats, NaN, huge numbers, double keys.
    """
    if len(text) > most:
        raise InvalidInput([JSON_TOO_LONG(most=most)])
    try:
        value = (_WITH_DECIMALS if decimals else _DECODER).decode(text)
    except RecursionError as failure:
        raise InvalidInput([JSON_TOO_DEEP(most=MAX_DEPTH)]) from failure
    except json.JSONDecodeError as failure:
        raise InvalidInput([JSON_NOT_JSON(line=failure.lineno, column=failure.colno)]) from failure
    if text.count("[") + text.count("{") >= MAX_DEPTH and _deeper_than(value, MAX_DEPTH):
        raise InvalidInput([JSON_TOO_DEEP(most=MAX_DEPTH)])
    return value


def _no_float(text: str) -> NoReturn:
    raise InvalidInput([JSON_FLOAT(value=text[:40])])


def _no_constant(text: str) -> NoReturn:
    raise InvalidInput([JSON_NOT_A_NUMBER(value=text[:40])])


def _bounded(text: str) -> int:
    if len(text) < 8:
        return int(text)
    if len(text) > 9 or abs(number := int(text)) > MAX_NUMBER:
        raise InvalidInput([JSON_NUMBER_TOO_LARGE(value=text[:12], digits=len(text.lstrip("-")))])
    return number


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise InvalidInput([JSON_DUPLICATE_KEY(key=printable_excerpt(_first_twice(key for key, _ in pairs)))])
    return made


def _first_twice(keys: Iterable[str]) -> str:
    """Return the first double key, in one pass: an object may have 30,000 keys."""
    return next(key for key, times in Counter(keys).items() if times > 1)


def _decimal(text: str) -> Fraction:
    exponent = text.lower().partition("e")[2]
    if len(text) > MAX_DECIMAL or len(exponent.lstrip("+-")) > 2:
        raise InvalidInput([JSON_NOT_DECIMAL(value=text[:40], most=MAX_DECIMAL)])
    return Fraction(text)


_decoder = functools.partial(
    json.JSONDecoder, parse_constant=_no_constant, parse_int=_bounded, object_pairs_hook=_no_twice
)
_DECODER = _decoder(parse_float=_no_float)
_WITH_DECIMALS = _decoder(parse_float=_decimal)


def _deeper_than(value: Any, depth: int) -> bool:
    layer = [value]
    for _ in range(depth):
        layer = [child for item in layer for child in _inside(item)]
    return bool(layer)


def _inside(value: Any) -> list[Any]:
    """Return the items of a list, or the keys and values of an object."""
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else []


def _strange(value: Any) -> Problem | None:
    """Return the problem of a value that is not plain JSON of bounded depth and numbers, if any."""
    layer = [value]
    for _ in range(MAX_DEPTH):
        inside: list[Any] = []
        for item in layer:
            if isinstance(item, str):
                if unprintable(item):
                    return ENTRY_CONTROL_CHARACTER(key=printable_excerpt(item))
            elif isinstance(item, int):
                if abs(item) > MAX_NUMBER:
                    return _too_large(item)
            elif isinstance(item, (dict, list)):
                inside += _inside(item)
            elif item is not None:
                return JSON_FLOAT(value=str(item)[:40])
        if not inside:
            return None
        layer = inside
    return JSON_TOO_DEEP(most=MAX_DEPTH)


def _too_large(number: int) -> Problem:
    """Return the problem of a huge number; never converts one of many digits to text (quadratic time)."""
    digits = len(str(abs(number))) if number.bit_length() < 200 else number.bit_length() * 3 // 10
    return JSON_NUMBER_TOO_LARGE(value=str(number)[:12] if digits < 60 else "", digits=digits)


class Reader:
    """Read one JSON object key by key, or by its shape, and collect all its problems.

    A key without a default must be there; null counts as missing. Values with a problem may be anything.
    """

    def __init__(self, value: object, where: str, problems: list[Problem] | None = None) -> None:
        self.problems: list[Problem] = [] if problems is None else problems
        self._where = where
        self._seen: set[str] = set()
        self._values: Mapping[str, Any] = {}
        if isinstance(value, dict):
            self._values = value
        else:
            self._wrong_type("", "an object")

    def add(self, problem: Problem) -> None:
        """Add a problem found by the caller."""
        self.problems.append(problem)

    def finish(self) -> None:
        """Add a problem for every key that was not read."""
        if self._values.keys() <= self._seen:
            return
        for key in self._values:
            if key not in self._seen:
                unknown = ENTRY_DERIVED_KEY if key in DERIVED else ENTRY_UNKNOWN_KEY
                self.add(unknown(key=self.path(printable_excerpt(str(key)))))

    def read(self, shape: Shape) -> dict[str, Any]:
        """Return the values of these keys by their checks, in this order; a key that is not there is left out."""
        self._seen.update(shape)
        values, given = {}, self._values.get
        for key, (check, needed) in shape.items():
            value = given(key)
            if value is not None:
                values[key] = check(self, key, value)
            elif needed:
                self._missing(key)
        return values

    def value(self, key: str, check: Callable[..., Any], *bounds: int, default: Any = MISSING) -> Any:
        """Return the value at the key by its check, a method of this class, within bounds; a default is not checked."""
        self._seen.add(key)
        value = self._values.get(key)
        if value is not None:
            return check(self, key, value, *bounds)
        return self._missing(key) if isinstance(default, _Missing) else default

    def _missing(self, key: str) -> None:
        self.add(ENTRY_MISSING_KEY(key=self.path(key)))

    def check_text(self, key: str, value: Any, most: int = MAX_TEXT) -> Any:
        """Return the value if it is a text of at most `most` characters without control characters."""
        if not isinstance(value, str):
            return self._wrong_type(key, "a text")
        if len(value) > most:
            self.add(ENTRY_TEXT_TOO_LONG(key=self.path(key), most=most))
        if not value.isprintable() and unprintable(value[:most]):
            self.add(ENTRY_CONTROL_CHARACTER(key=self.path(key)))
        return value

    def check_number(self, key: str, value: Any, negative: int = True) -> Any:
        """Return the value if it is a whole number, below zero only if `negative`."""
        if type(value) is not int:
            return self._wrong_type(key, "a whole number")
        if value < 0 and not negative:
            self.add(ENTRY_NEGATIVE(key=self.path(key)))
        if abs(value) > MAX_NUMBER:
            self.add(_too_large(value))
        return value

    def check_count(self, key: str, value: Any) -> Any:
        """Return the value if it is a whole number ≥ 0, as a seat is."""
        return self.check_number(key, value, negative=False)

    def check_flag(self, key: str, value: Any) -> Any:
        """Return the value if it is true or false."""
        return value if isinstance(value, bool) else self._wrong_type(key, "true or false")

    def check_object(self, key: str, value: Any) -> Any:
        """Return the value unread if it is an object of plain, bounded JSON."""
        if not isinstance(value, dict):
            return self._wrong_type(key, "an object")
        if strange := _strange(value):
            self.add(strange)
        return value

    def check_numbers(self, key: str, value: Any) -> tuple[Any, ...]:
        """Return the items of a list of whole numbers."""
        return tuple([self.check_number(key, item) for item in self._items(key, value)])

    def check_seats(self, key: str, value: Any) -> tuple[Any, ...]:
        """Return the items of a list of seats."""
        seats = self.check_numbers(key, value)
        if any(type(seat) is int and seat < 0 for seat in seats):
            self.add(ENTRY_NEGATIVE(key=self.path(key)))
        return seats

    def check_texts(self, key: str, value: Any) -> tuple[Any, ...]:
        """Return the items of a list of short texts."""
        return tuple([self.check_text(key, item, 40) for item in self._items(key, value)])

    def check_children(self, key: str, value: Any) -> list["Reader"]:
        """Return a reader for each object in a list."""
        return [Reader(item, self.path(key), self.problems) for item in self._items(key, value)]

    def check_points_by_seat(self, key: str, value: Any) -> dict[int, int] | None:
        """Return `{"0": points}` as points by seat."""
        if self.check_object(key, value) is None:
            return None
        if not all(len(seat) == 1 and seat.isascii() and seat.isdigit() for seat in value):
            self._wrong_type(key, "an object with seats as keys")
            return None
        return {int(seat): self.check_number(key, points) for seat, points in value.items()}

    def _items(self, key: str, value: Any) -> list[Any]:
        if not isinstance(value, list):
            self._wrong_type(key, "a list")
            return []
        if len(value) > MAX_ITEMS:
            self.add(ENTRY_LIST_TOO_LONG(key=self.path(key), most=MAX_ITEMS))
            return []
        return value

    def _wrong_type(self, key: str, wanted: str) -> None:
        self.add(ENTRY_WRONG_TYPE(key=self.path(key), wanted=wanted))

    def path(self, key: str) -> str:
        """Return a key as problems name it."""
        return f"{self._where}.{key}" if key else self._where
