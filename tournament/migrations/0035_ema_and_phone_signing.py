"""What EMA's observer writes, and codes by which players sign on their phones; older events have neither."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0034_any_language")]

    operations = [
        migrations.AddField("event", "observer_report", models.JSONField(default=dict, blank=True)),
        migrations.AddField("event", "phone_signing", models.BooleanField(default=False)),
        migrations.CreateModel(
            name="SeatCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("batch", models.UUIDField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("code_hash", models.CharField(max_length=64, unique=True)),
                ("ledger_seq", models.PositiveIntegerField()),
                ("sheet", models.PositiveIntegerField()),
                ("made_by", models.CharField(max_length=36)),
                ("made_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                ("answer", models.CharField(blank=True, choices=[("yes", "Yes"), ("no", "No")], max_length=3)),
                ("answered_at", models.DateTimeField(null=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="codes", to="tournament.player"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="codes", to="tournament.table"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [models.UniqueConstraint(fields=("batch", "seat"), name="one_code_a_seat")],
            },
        ),
    ]
