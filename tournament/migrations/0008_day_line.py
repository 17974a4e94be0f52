"""The day's line: who is here, which tables are ready, a second person's word on a sheet, and referee calls."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

TABLE = "tournament_sheetcheck"
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


def run(schema_editor: Any, sqlite: str, postgresql: str) -> None:
    """Run a statement for each verb, in the language of the database."""
    template = postgresql if schema_editor.connection.vendor == "postgresql" else sqlite
    for verb in VERBS:
        schema_editor.execute(template.format(table=TABLE, verb=verb), params=None)


def make(_apps: Any, schema_editor: Any) -> None:
    """Let the database refuse to change or delete what a second person said."""
    run(schema_editor, SQLITE_MAKE, POSTGRESQL_MAKE)


def drop(_apps: Any, schema_editor: Any) -> None:
    """Drop the triggers."""
    run(schema_editor, SQLITE_DROP, POSTGRESQL_DROP)


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0007_cuts_and_teams"),
    ]

    operations = [
        migrations.AddField(
            "event",
            "second_person",
            models.CharField(choices=[("off", "Off"), ("other_person", "Other Person")], default="off", max_length=20),
        ),
        migrations.AddField("player", "checked_in_at", models.DateTimeField(null=True)),
        migrations.AddField("table", "ready_at", models.DateTimeField(null=True)),
        migrations.CreateModel(
            name="SheetCheck",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("confirmed", models.BooleanField()),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("by", models.CharField(max_length=36)),
                ("at", models.DateTimeField()),
                (
                    "sheet",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="checked",
                        to="tournament.sheetrow",
                    ),
                ),
            ],
            options={"abstract": False},
        ),
        migrations.RunPython(make, drop),
        migrations.CreateModel(
            name="RefereeCall",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seq", models.PositiveIntegerField()),
                ("client_id", models.UUIDField(unique=True)),
                ("question", models.CharField(blank=True, max_length=300)),
                ("called_by", models.CharField(max_length=36)),
                ("called_at", models.DateTimeField()),
                ("answered_by", models.CharField(blank=True, max_length=36)),
                ("answered_at", models.DateTimeField(null=True)),
                ("ruling", models.CharField(blank=True, max_length=500)),
                ("clause", models.CharField(blank=True, max_length=60)),
                ("minutes", models.PositiveSmallIntegerField(default=0)),
                ("closed_by", models.CharField(blank=True, max_length=36)),
                ("closed_at", models.DateTimeField(null=True)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="calls", to="tournament.event"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="calls", to="tournament.table"
                    ),
                ),
            ],
            options={
                "ordering": ["called_at", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("closed_at", None), ("answered_at__isnull", False), _connector="OR"),
                        name="closed_call_is_answered",
                    )
                ],
            },
        ),
    ]
