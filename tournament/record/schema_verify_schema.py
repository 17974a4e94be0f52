"""Hold the database's own rules and its identifiers against what the program makes: both can be changed beside it."""

from django.apps import apps
from django.db import connection
from django.db.models import UUIDField

from scoring.problems import CommandProblemType
from tournament.record.schema import read_schema, stored_schema
from tournament.record.verify_verify_record import Verification

VERIFY_IDENTIFIER = CommandProblemType(
    "verify.identifier", "{what} row {row}: the identifier is written as the program does not write it.", ("where",)
)
VERIFY_SCHEMA_GONE = CommandProblemType(
    "verify.schema_gone", "The database lacks what the migrations make: {what}.", ("where",)
)
VERIFY_SCHEMA_ADDED = CommandProblemType(
    "verify.schema_added", "The database has this beside what the migrations make: {what}.", ("where",)
)
VERIFY_SCHEMA_CHANGED = CommandProblemType(
    "verify.schema_changed", "The database's {what} is not as the migrations make it.", ("where",)
)


def check_schema(report: Verification) -> None:
    """Name each table, constraint, unique index or trigger that is not as the migrations make it, and odd ids."""
    now, made = read_schema(), stored_schema()
    for what in sorted(now.keys() | made.keys()):
        if now.get(what) != made.get(what):
            kept = VERIFY_SCHEMA_ADDED if what not in made else VERIFY_SCHEMA_CHANGED
            report.add(VERIFY_SCHEMA_GONE if what not in now else kept, "database", what=what)
    if connection.vendor == "sqlite":
        check_ids(report)


def check_ids(report: Verification) -> None:
    """Name rows whose identifier SQLite has as another text than the program writes: it would be unique beside it."""
    for model in apps.get_app_config("tournament").get_models():
        meta = model._meta
        for column in [field.column for field in meta.concrete_fields if isinstance(field, UUIDField)]:
            odd = f'typeof("{column}") <> \'text\' OR length("{column}") <> 32 OR "{column}" GLOB \'*[^0-9a-f]*\''
            with connection.cursor() as cursor:
                cursor.execute(
                    f'SELECT id FROM "{meta.db_table}" WHERE "{column}" IS NOT NULL AND ({odd}) ORDER BY id LIMIT 5'  # noqa: S608
                )
                for (row,) in cursor.fetchall():
                    report.add(VERIFY_IDENTIFIER, "database", what=f"{meta.db_table}.{column}", row=row)
