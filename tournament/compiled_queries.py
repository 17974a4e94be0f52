"""SQL for the way of a hand: compiling a query of one row takes Django ten times as long as running it.

What is asked is compiled once for each connection; what is written is short enough to be put together each time.
"""

from collections.abc import Callable
from operator import itemgetter
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.models import Model, QuerySet
from django.db.models.query import (
    FlatValuesListIterable,
    ModelIterable,
    ValuesListIterable,
    get_related_populators,
)

T = TypeVar("T")
Value = int | str | UUID
# Two marks of each type: compiling with either shows which SQL parameters are values of the caller.
_INTS = (23_011, 29_017)
_STRINGS = ("prepared-one-", "prepared-two-")

READY = "_prepared_queries"  # the attribute of a connection that holds them


class Prepared(Generic[T]):
    """A query that `make` builds from values; call it with them to run it.

    For whole rows or `values_list`, without prefetching. Values are integers, strings and UUIDs, which Django passes to
    the database unchanged.
    """

    def __init__(self, make: Callable[..., "QuerySet[Any, T]"]) -> None:
        """Store `make`; nothing is queried yet."""
        self.make = make

    def __call__(self, *values: Value) -> list[T]:
        """Return the rows for these values; one query."""
        connection: Any = connections[DEFAULT_DB_ALIAS]
        known: dict[Any, _Ready] = vars(connection).setdefault(READY, {})
        kind = (self, tuple(type(value) for value in values))
        ready = known.get(kind)
        if ready is None:
            ready = known[kind] = _Ready(connection, self.make, values)
        return ready.ask(values)

    def first(self, *values: Value) -> T | None:
        """Return the first of the rows, or None."""
        return next(iter(self(*values)), None)


class _Ready:
    """A query compiled for a connection: its SQL, the positions of the values, and how a row becomes an object."""

    def __init__(self, connection: Any, make: Callable[..., "QuerySet[Any, Any]"], values: tuple[Value, ...]) -> None:
        self.connection = connection
        self.hex_uuids = not connection.features.has_native_uuid_field
        one, two = (make(*_marks(values, which)) for which in (0, 1))
        self.compiler = one.query.get_compiler(connection=connection)
        self.sql, self.params = self.compiler.as_sql()  # sets `select`, too
        _same, others = two.query.get_compiler(connection=connection).as_sql()
        marks = [mark.hex if isinstance(mark, UUID) and self.hex_uuids else mark for mark in _marks(values, 0)]
        position = {mark: at for at, mark in enumerate(marks)}
        pairs = enumerate(zip(self.params, others, strict=True))
        self.places = [(place, position[found]) for place, (found, other) in pairs if found != other]
        columns = [each[0] for each in self.compiler.select[: self.compiler.col_count]]
        self.converters = self.compiler.get_converters(columns)
        self.read = _reader(self.compiler, one._iterable_class)  # noqa: SLF001  (how the query set makes its rows)

    def ask(self, values: tuple[Value, ...]) -> list[Any]:
        """Run the query with these values."""
        params = list(self.params)
        for place, which in self.places:
            value = values[which]
            params[place] = value.hex if isinstance(value, UUID) and self.hex_uuids else value
        with self.connection.cursor() as cursor:
            cursor.execute(self.sql, params)
            rows: Any = cursor.fetchall()
        if self.converters:
            rows = self.compiler.apply_converters(rows, self.converters)
        return [self.read(row) for row in rows]


def _reader(compiler: Any, kind: type[Any]) -> Callable[[Any], Any]:
    """Return what makes an object of a row, as Django's iterables of these kinds do."""
    if kind is ValuesListIterable:
        return tuple
    if kind is FlatValuesListIterable:
        return itemgetter(0)
    assert kind is ModelIterable  # noqa: S101  (the others are not needed)
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


def insert(row: Model) -> None:
    """Insert a new row with all its columns, as its `save` does."""
    connection: Any = connections[DEFAULT_DB_ALIAS]
    meta, quote = row._meta, connection.ops.quote_name  # noqa: SLF001  (Django's own name for it)
    fields = [field for field in meta.local_concrete_fields if not field.primary_key]
    values = [field.get_db_prep_save(field.pre_save(row, add=True), connection) for field in fields]
    columns, marks = ", ".join(quote(field.column) for field in fields), ", ".join(["%s"] * len(fields))
    sql = f"INSERT INTO {quote(meta.db_table)} ({columns}) VALUES ({marks})"  # noqa: S608
    returns = connection.features.can_return_columns_from_insert
    with transaction.mark_for_rollback_on_error(DEFAULT_DB_ALIAS), connection.cursor() as cursor:
        cursor.execute(f"{sql} RETURNING {quote(meta.pk.column)}" if returns else sql, values)
        row.pk = cursor.fetchone()[0] if returns else cursor.lastrowid
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS  # noqa: SLF001  (as above)


def set_column(row: Model, name: str) -> None:
    """Write one column of a row that is there, as `save(update_fields=[name])` does."""
    connection: Any = connections[DEFAULT_DB_ALIAS]
    meta, quote = row._meta, connection.ops.quote_name  # noqa: SLF001  (as above)
    field: Any = meta.get_field(name)
    sql = f"UPDATE {quote(meta.db_table)} SET {quote(field.column)} = %s WHERE {quote(meta.pk.column)} = %s"  # noqa: S608
    with transaction.mark_for_rollback_on_error(DEFAULT_DB_ALIAS), connection.cursor() as cursor:
        cursor.execute(sql, [field.get_db_prep_save(getattr(row, name), connection), row.pk])


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
