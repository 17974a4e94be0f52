"""The register learns what kind of act a row is, which foul it answers and at which hand; the event its own amounts."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

KINDS = [
    ("warning", "Warning"), ("points", "Points"), ("dead_hand", "Dead Hand"), ("chombo", "Chombo"), ("other", "Other"),
]  # fmt: skip


def mark_warnings(apps: Any, _schema_editor: Any) -> None:
    """Call a warning what cost nothing so far."""
    apps.get_model("tournament", "Penalty").objects.filter(points=0).update(kind="warning")


def lift_negative(apps: Any, _schema_editor: Any) -> None:
    """Let the older column hold every amount: it knows none below 0, which only a chombo cheaper than usual has."""
    apps.get_model("tournament", "Penalty").objects.filter(points__lt=0).update(points=0)


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0002_append_only_triggers"),
    ]

    operations = [
        migrations.AddField("event", "foul_amounts", models.JSONField(default=dict)),
        migrations.AddField("penalty", "kind", models.CharField(choices=KINDS, default="points", max_length=12)),
        migrations.AddField("penalty", "foul", models.CharField(blank=True, max_length=60)),
        migrations.AddField("penalty", "case", models.CharField(blank=True, max_length=60)),
        migrations.AddField("penalty", "amount_reason", models.CharField(blank=True, max_length=300)),
        migrations.AddField("penalty", "seq", models.PositiveIntegerField(null=True)),
        migrations.AddField(
            "penalty",
            "table",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="penalties",
                to="tournament.table",
            ),
        ),
        migrations.AlterField("penalty", "points", models.IntegerField()),
        migrations.RunPython(mark_warnings, lift_negative),
    ]
