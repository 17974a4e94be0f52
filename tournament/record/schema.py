"""The database's own rules on the tournament's tables, and its identifiers, against what the program makes.

Both can be changed beside the program. Columns, constraints, unique indexes, triggers and functions are compared.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.apps import apps
from django.db import connection
from django.db.models import UUIDField

from scoring.problems import CommandProblemType
from tournament.record.verify import Verification

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


STORED = Path(__file__).with_name("schema")
Schema = dict[str, str]  # by kind and name, such as "trigger tournament_auditrow_refuses_delete"

SQLITE = """
SELECT type, name, sql FROM sqlite_master
WHERE sql IS NOT NULL AND (tbl_name LIKE 'tournament%' OR type IN ('trigger', 'view'))
"""
POSTGRESQL = """
WITH ours AS (
    SELECT c.oid, c.relname, c.relkind FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relname LIKE 'tournament%'
)
SELECT CASE relkind WHEN 'r' THEN 'table' ELSE 'view' END, relname, (
    SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' NOT NULL'
        ELSE '' END, ', ' ORDER BY attname)
    FROM pg_attribute WHERE attrelid = ours.oid AND attnum > 0 AND NOT attisdropped)
FROM ours WHERE relkind IN ('r', 'v', 'm')
UNION ALL SELECT 'constraint', o.relname || ' ' || conname, pg_get_constraintdef(c.oid) ||
    CASE WHEN convalidated THEN '' ELSE ' NOT VALID' END
FROM pg_constraint c JOIN ours o ON o.oid = c.conrelid WHERE contype IN ('p', 'u', 'c', 'f', 'x')
UNION ALL SELECT 'index', i.relname, pg_get_indexdef(i.oid) ||
    CASE WHEN x.indisvalid THEN '' ELSE ' NOT VALID' END
FROM pg_index x JOIN ours o ON o.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
WHERE NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = x.indexrelid AND c.conrelid = o.oid)
UNION ALL SELECT 'trigger', t.tgname, pg_get_triggerdef(t.oid) || ' ' || t.tgenabled::text
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace
UNION ALL SELECT 'function', p.proname, p.prosrc FROM pg_proc p
WHERE p.pronamespace = current_schema()::regnamespace AND p.proname LIKE 'hanchan%'
UNION ALL SELECT 'rule', r.rulename, pg_get_ruledef(r.oid) FROM pg_rewrite r JOIN ours o ON o.oid = r.ev_class
WHERE r.rulename <> '_RETURN'
"""
ONLY_FASTER = re.compile("CREATE INDEX")
# PostgreSQL writes casts and brackets another way after a dump was restored
CAST = re.compile(r"::(?:character varying|[a-z_]+)(?:\(\d+\))?(?:\[\])?")
LONE = re.compile(r"(?<!\w)\((\w+|'[^']*'|ARRAY\[[^\]]*\])\)")


def read_schema() -> Schema:
    """Return the rules of the connected database in a normal form; one query."""
    with connection.cursor() as cursor:
        cursor.execute(SQLITE if connection.vendor == "sqlite" else POSTGRESQL)
        return dict(sorted(_normal(cursor.fetchall())))


def stored_schema() -> Schema:
    """Return the rules as the migrations make them."""
    return dict(_stored(connection.vendor))


def file_of(vendor: str) -> Path:
    """Return the file of the rules in a kind of database."""
    return STORED / f"{vendor}.json"


@cache
def _stored(vendor: str) -> Schema:
    found: Schema = json.loads(file_of(vendor).read_text(encoding="utf-8"))
    return found


def _normal(rows: list[tuple[str, str, str]]) -> Iterator[tuple[str, str]]:
    """Yield each rule but indexes that only make a query faster."""
    for kind, name, text in rows:
        plain = " ".join(text.split()).rstrip(";")
        if not (kind == "index" and ONLY_FASTER.match(plain)):
            yield f"{kind} {name}", _without_casts(plain) if connection.vendor == "postgresql" else plain


def _without_casts(text: str) -> str:
    plain, before = CAST.sub("", text.replace(" public.", " ")), ""
    while plain != before:
        plain, before = LONE.sub(r"\1", plain), plain
    return plain
