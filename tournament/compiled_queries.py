"""Queries that every request asks: put together once for a connection, and from then on only their values change.

To put a query of one row together takes Django ten times as long as the database takes to answer it. It knows nothing
of what is asked, and what it returns is what the query itself would.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import QuerySet

T = TypeVar("T")
Value = int | str | UUID
# Two of each, put in the place of a value to find where it comes to stand: what differs in all else is no value.
_INTS = (23_011, 29_017)
_STRINGS = ("prepared-one-", "prepared-two-")

READY = "_prepared_queries"  # where a connection keeps them: they end with it


class Prepared(Generic[T]):
    """A query of some values, as `make` returns it for them; asked by calling it with them.

    For whole rows, or what `values_list` gives; without prefetching. Values are whole numbers, texts and UUIDs, which
    Django hands on as they are, and stand in the query as often as `make` puts them there.
    """

    def __init__(self, make: Callable[..., "QuerySet[Any, T]"]) -> None:
        """Remember how it is made; nothing is asked yet."""
        self.make = make

    def __call__(self, *values: Value) -> list[T]:
        """Ask for these values; one query."""
        connection: Any = connections[DEFAULT_DB_ALIAS]
        known: dict[Any, _Ready] = vars(connection).setdefault(READY, {})
        kind = (self, tuple(type(value) for value in values))
        ready = known.get(kind)
        if ready is None:
            ready = known[kind] = _Ready(connection, self.make, values)
        return ready.ask(values)

    def first(self, *values: Value) -> T | None:
        """Return the first row of those, None where there is none."""
        return next(iter(self(*values)), None)


class _Ready:
    """A query that is put together for a connection: its text, and where which value stands."""

    db = DEFAULT_DB_ALIAS

    def __init__(self, connection: Any, make: Callable[..., "QuerySet[Any, Any]"], values: tuple[Value, ...]) -> None:
        self.hex_uuids = not connection.features.has_native_uuid_field
        one, two = (make(*_marks(values, which)) for which in (0, 1))
        self.sql, self.params = one.query.get_compiler(connection=connection).as_sql()
        _same, others = two.query.get_compiler(connection=connection).as_sql()
        marks = [mark.hex if isinstance(mark, UUID) and self.hex_uuids else mark for mark in _marks(values, 0)]
        pairs = enumerate(zip(self.params, others, strict=True))
        self.places = [(place, marks.index(found)) for place, (found, other) in pairs if found != other]
        self.compiler = one.query.get_compiler(connection=connection)
        self.compiler.as_sql()  # it learns what it selects
        converters = self.compiler.get_converters([each[0] for each in self.compiler.select[: self.compiler.col_count]])
        self.compiler.get_converters = lambda _fields: converters
        self.rows: Any = one._iterable_class  # noqa: SLF001  (how Django itself makes rows of an answer)

    def ask(self, values: tuple[Value, ...]) -> list[Any]:
        """Ask for these values."""
        params = list(self.params)
        for place, which in self.places:
            value = values[which]
            params[place] = value.hex if isinstance(value, UUID) and self.hex_uuids else value
        compiler = object.__new__(type(self.compiler))  # what `copy` does, in a fifth of its time
        vars(compiler).update(vars(self.compiler))
        compiler.as_sql = lambda: (self.sql, tuple(params))
        return list(self.rows(_Asked(compiler)))


class _Asked:
    """What Django's rows look at of a query set: its query, and that hands out who puts it together."""

    db = DEFAULT_DB_ALIAS
    _known_related_objects: dict[Any, Any] = {}

    def __init__(self, compiler: Any) -> None:
        self.query, self._compiler = self, compiler

    def get_compiler(self, using: str | None = None) -> Any:
        """Return what is put together already."""
        assert using == self.db  # noqa: S101  (a wrong database would answer with wrong rows)
        return self._compiler


def _marks(values: tuple[Value, ...], which: int) -> list[Value]:
    """Return a value of the same kind for each, unlike all the others."""
    return [_mark(value, which, place) for place, value in enumerate(values)]


def _mark(value: Value, which: int, place: int) -> Value:
    match value:
        case str():
            return f"{_STRINGS[which]}{place}"
        case UUID():
            return UUID(int=_INTS[which] + place)
        case int():
            return _INTS[which] + place
