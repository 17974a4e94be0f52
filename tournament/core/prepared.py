"""SQL for the way of a hand: compiling a query of one row takes Django ten times as long as running it.

Each query is compiled once for all threads of a process, which have a connection each. Without it a preview takes 3.5
times the processor time and a hand 2.4 times: docs/decisions/0024-cheaper-hands.md. Compiled for each thread, the first
page after a release takes 120,000 calls more (docs/developer/load.md).
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import QuerySet
from django.db.models.query import get_related_populators

T = TypeVar("T")
Value = int | str | UUID
# Two marks of each type: compiling with either shows which SQL parameters are values of the caller.
_INTS = (23_011, 29_017)
_STRINGS = ("prepared-one-", "prepared-two-")

_ready: "dict[Any, _Ready]" = {}  # by query and types of the values


class Prepared(Generic[T]):
    """A query that `make` builds from values; call it with them to run it.

    For whole rows or `values_list` (not `flat`), without prefetching. Values are integers, strings and UUIDs, which
    Django passes to the database unchanged.
    """

    def __init__(self, make: Callable[..., "QuerySet[Any, T]"]) -> None:
        """Store `make`; nothing is queried yet."""
        self.make = make

    def __call__(self, *values: Value) -> list[T]:
        """Return the rows for these values; one query."""
        kind = (self, tuple(type(value) for value in values))
        ready = _ready.get(kind)
        if ready is None:
            ready = _ready[kind] = _Ready(connections[DEFAULT_DB_ALIAS], self.make, values)
        return ready.ask(values)

    def first(self, *values: Value) -> T | None:
        """Return the first of the rows, or None."""
        return next(iter(self(*values)), None)


class _Ready:
    """A compiled query: its SQL, the positions of the values, and how a row becomes an object."""

    def __init__(self, connection: Any, make: Callable[..., "QuerySet[Any, Any]"], values: tuple[Value, ...]) -> None:
        self.hex_uuids = not connection.features.has_native_uuid_field
        one, two = (make(*_marks(values, which)) for which in (0, 1))
        self.compiler = one.query.get_compiler(connection=connection)
        self.sql, self.params = self.compiler.as_sql()  # sets `select`, too
        _same, others = two.query.get_compiler(connection=connection).as_sql()
        marks = [mark.hex if isinstance(mark, UUID) and self.hex_uuids else mark for mark in _marks(values, 0)]
        position = {mark: at for at, mark in enumerate(marks)}
        pairs = enumerate(zip(self.params, others, strict=True))
        self.places = [(place, position[found]) for place, (found, other) in pairs if found != other]
        # what is compiled is kept: it must not hold the connection of a thread, which would stay open after it
        self.compiler.connection = connections.create_connection(DEFAULT_DB_ALIAS)
        columns = [each[0] for each in self.compiler.select[: self.compiler.col_count]]
        self.converters = self.compiler.get_converters(columns)
        self.read = _reader(self.compiler) if one.query.default_cols else tuple

    def ask(self, values: tuple[Value, ...]) -> list[Any]:
        """Run the query with these values."""
        params = list(self.params)
        for place, which in self.places:
            value = values[which]
            params[place] = value.hex if isinstance(value, UUID) and self.hex_uuids else value
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(self.sql, params)
            rows: Any = cursor.fetchall()
        if self.converters:
            rows = self.compiler.apply_converters(rows, self.converters)
        return [self.read(row) for row in rows]


def _reader(compiler: Any) -> Callable[[Any], Any]:
    """Return a function that makes an instance of a row, as Django's iterable of whole rows does."""
    model, places = compiler.klass_info["model"], compiler.klass_info["select_fields"]
    first, end = places[0], places[-1] + 1
    names = [column[0].target.attname for column in compiler.select[first:end]]
    related = get_related_populators(compiler.klass_info, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]
    more = list((compiler.annotation_col_map or {}).items())

    def read(row: Any) -> Any:
        found = model.from_db(DEFAULT_DB_ALIAS, names, row[first:end])
        for each in related:
            each.populate(row, found)
        for name, place in more:
            setattr(found, name, row[place])
        return found

    return read


def _marks(values: tuple[Value, ...], which: int) -> list[Value]:
    """Return a distinct mark of the same type for each value."""
    return [_mark(value, which, place) for place, value in enumerate(values)]


def _mark(value: Value, which: int, place: int) -> Value:
    match value:
        case str():
            return f"{_STRINGS[which]}{place}"
        case UUID():
            return UUID(int=_INTS[which] + place)
        case int():
            return _INTS[which] + place
