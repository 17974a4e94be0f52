"""Let the database itself refuse to change or delete a row of the ledger, the sheets and the audit trail."""

from typing import Any

from django.db import migrations

TABLES = ("tournament_ledgerentry", "tournament_sheetrow", "tournament_auditrow")
VERBS = ("UPDATE", "DELETE")

SQLITE_MAKE = """
CREATE TRIGGER {table}_refuses_{verb} BEFORE {verb} ON {table}
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END;
"""
POSTGRESQL_FUNCTION = """
CREATE FUNCTION hanchan_refuse_change() RETURNS trigger AS $$
BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END;
$$ LANGUAGE plpgsql;
"""
POSTGRESQL_MAKE = """
CREATE TRIGGER {table}_refuses_{verb} BEFORE {verb} ON {table}
FOR EACH ROW EXECUTE FUNCTION hanchan_refuse_change();
"""
SQLITE_DROP = "DROP TRIGGER {table}_refuses_{verb}"
POSTGRESQL_DROP = "DROP TRIGGER {table}_refuses_{verb} ON {table}"


def _each(template: str) -> list[str]:
    return [template.format(table=table, verb=verb) for table in TABLES for verb in VERBS]


def make(_apps: Any, schema_editor: Any) -> None:
    """Create the triggers in the language of the database."""
    if schema_editor.connection.vendor == "postgresql":
        statements = [POSTGRESQL_FUNCTION, *_each(POSTGRESQL_MAKE)]
    else:
        statements = _each(SQLITE_MAKE)
    for statement in statements:
        schema_editor.execute(statement, params=None)


def drop(_apps: Any, schema_editor: Any) -> None:
    """Drop the triggers."""
    if schema_editor.connection.vendor == "postgresql":
        statements = [*_each(POSTGRESQL_DROP), "DROP FUNCTION hanchan_refuse_change()"]
    else:
        statements = _each(SQLITE_DROP)
    for statement in statements:
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):
    """Triggers, reversible."""

    dependencies = [("tournament", "0001_initial")]

    operations = [migrations.RunPython(make, drop)]
