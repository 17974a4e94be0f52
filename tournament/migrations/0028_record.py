"""What the acts seal, the signed heads of a trail, and the version of the judge of each row."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

TABLE = "tournament_recordhead"
VERBS = ("UPDATE", "DELETE")
REMADE = ("tournament_ledgerentry", "tournament_auditrow")
SQLITE_MAKE = """
CREATE TRIGGER IF NOT EXISTS {table}_refuses_{verb} BEFORE {verb} ON {table}
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END;
"""
# the function is that of 0002
POSTGRESQL_MAKE = """
CREATE TRIGGER {table}_refuses_{verb} BEFORE {verb} ON {table}
FOR EACH ROW EXECUTE FUNCTION hanchan_refuse_change();
"""
SQLITE_DROP = "DROP TRIGGER {table}_refuses_{verb}"
POSTGRESQL_DROP = "DROP TRIGGER {table}_refuses_{verb} ON {table}"


def run(schema_editor: Any, sqlite: str, postgresql: str) -> None:
    """Run a statement for each verb, in the language of the database."""
    template = postgresql if schema_editor.connection.vendor == "postgresql" else sqlite
    for verb in VERBS:
        schema_editor.execute(template.format(table=TABLE, verb=verb), params=None)


def make(_apps: Any, schema_editor: Any) -> None:
    """Let the database refuse to change or delete a head."""
    run(schema_editor, SQLITE_MAKE, POSTGRESQL_MAKE)


def drop(_apps: Any, schema_editor: Any) -> None:
    """Drop the triggers."""
    run(schema_editor, SQLITE_DROP, POSTGRESQL_DROP)


def make_again(_apps: Any, schema_editor: Any) -> None:
    """Put the triggers of tables back: SQLite makes a table anew for a new column, and they go with the old one."""
    if schema_editor.connection.vendor == "sqlite":
        for table in REMADE:
            for verb in VERBS:
                schema_editor.execute(SQLITE_MAKE.format(table=table, verb=verb), params=None)


def nothing(_apps: Any, _schema_editor: Any) -> None:
    """Leave everything as it is."""


def salt() -> models.CharField:  # type: ignore[type-arg]
    """Return a column of salt."""
    return models.CharField(blank=True, default="", max_length=32)


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0027_event_look"),
    ]

    operations = [
        migrations.RunPython(nothing, make_again),
        migrations.AddField("event", "record_salt", salt()),
        migrations.AddField("person", "salt", salt()),
        migrations.AddField("ledgerentry", "judge", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("auditrow", "state", models.TextField(blank=True, default="")),
        migrations.AddField("auditrow", "salt", salt()),
        migrations.CreateModel(
            name="RecordHead",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("size", models.PositiveIntegerField()),
                ("root", models.CharField(max_length=64)),
                ("round", models.PositiveSmallIntegerField(default=0)),
                ("at", models.DateTimeField()),
                ("public_key", models.CharField(max_length=64)),
                ("signature", models.CharField(max_length=128)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="heads", to="tournament.event"
                    ),
                ),
            ],
            options={
                "ordering": ["size"],
                "constraints": [models.UniqueConstraint(fields=("event", "size"), name="one_head_a_size")],
            },
        ),
        migrations.RunPython(make_again, nothing),
        migrations.RunPython(make, drop),
    ]
