"""Sheets typed from paper alone: what each person typed, blind second entry, and what an event's sheets are written in."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

TABLE = "tournament_typedsheet"
VERBS = ("UPDATE", "DELETE")
SQLITE_MAKE = """
CREATE TRIGGER {table}_refuses_{verb} BEFORE {verb} ON {table}
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END;
"""
# the function is that of 0002
POSTGRESQL_MAKE = """
CREATE TRIGGER {table}_refuses_{verb} BEFORE {verb} ON {table}
FOR EACH ROW EXECUTE FUNCTION hanchan_refuse_change();
"""
SQLITE_DROP = "DROP TRIGGER {table}_refuses_{verb}"
POSTGRESQL_DROP = "DROP TRIGGER {table}_refuses_{verb} ON {table}"
NUMBERS = [("totals", "Totals"), ("differences", "Differences")]


def run(schema_editor: Any, sqlite: str, postgresql: str) -> None:
    """Run a statement for each verb, in the language of the database."""
    template = postgresql if schema_editor.connection.vendor == "postgresql" else sqlite
    for verb in VERBS:
        schema_editor.execute(template.format(table=TABLE, verb=verb), params=None)


def make(_apps: Any, schema_editor: Any) -> None:
    """Let the database refuse to change or delete what somebody typed."""
    run(schema_editor, SQLITE_MAKE, POSTGRESQL_MAKE)


def drop(_apps: Any, schema_editor: Any) -> None:
    """Drop the triggers."""
    run(schema_editor, SQLITE_DROP, POSTGRESQL_DROP)


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0009_clock"),
    ]

    operations = [
        migrations.AlterField(
            "event",
            "second_person",
            models.CharField(
                choices=[("off", "Off"), ("other_person", "Other Person"), ("blind", "Blind")],
                default="off",
                max_length=20,
            ),
        ),
        migrations.AddField(
            "event", "sheet_numbers", models.CharField(choices=NUMBERS, default="totals", max_length=12)
        ),
        migrations.CreateModel(
            name="TypedSheet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seq", models.PositiveIntegerField()),
                ("client_id", models.UUIDField(unique=True)),
                ("numbers", models.CharField(choices=NUMBERS, max_length=12)),
                ("counts", models.JSONField()),
                ("loans", models.JSONField()),
                ("leftover", models.IntegerField(default=0)),
                ("players", models.JSONField()),
                ("ledger_seq", models.PositiveIntegerField()),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("by", models.CharField(max_length=36)),
                ("at", models.DateTimeField()),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="typed_sheets",
                        to="tournament.table",
                    ),
                ),
            ],
            options={
                "ordering": ["seq"],
                "constraints": [
                    models.UniqueConstraint(fields=("table", "seq"), name="one_typed_sheet_a_seq"),
                ],
            },
        ),
        migrations.RunPython(make, drop),
    ]
