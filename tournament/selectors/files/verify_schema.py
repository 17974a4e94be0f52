"""Hold the database's own rules and its identifiers against what the program makes: both can be changed beside it."""

from django.apps import apps
from django.db import connection
from django.db.models import UUIDField

from tournament.record.schema import read_schema, stored_schema
from tournament.selectors.files.verify_record import Verification


def check_schema(report: Verification) -> None:
    """Name each table, constraint, unique index or trigger that is not as the migrations make it, and odd ids."""
    now, made = read_schema(), stored_schema()
    for what in sorted(now.keys() | made.keys()):
        if now.get(what) != made.get(what):
            code = "schema_gone" if what not in now else "schema_added" if what not in made else "schema_changed"
            report.add(code, "database", what=what)
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
                    report.add("identifier", "database", what=f"{meta.db_table}.{column}", row=row)
