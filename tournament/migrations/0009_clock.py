"""The clock: pauses of a round, minutes for single tables, a start taken back, and what an event lets it say."""

import django.db.models.deletion
from django.db import migrations, models

import tournament.events.models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0008_day_line"),
    ]

    operations = [
        migrations.AddField("event", "clock_sound", models.BooleanField(default=True)),
        migrations.AddField("event", "clock_signals", models.JSONField(default=tournament.events.models.usual_signals)),
        migrations.AddField("round", "start_taken_back", models.DateTimeField(null=True)),
        migrations.CreateModel(
            name="ClockPause",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.CharField(max_length=300)),
                ("paused_by", models.CharField(max_length=36)),
                ("paused_at", models.DateTimeField()),
                ("resumed_by", models.CharField(blank=True, max_length=36)),
                ("resumed_at", models.DateTimeField(null=True)),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pauses", to="tournament.round"
                    ),
                ),
            ],
            options={
                "ordering": ["paused_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("resumed_at", None)), fields=("round",), name="one_pause_at_a_time"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TableTime",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("client_id", models.UUIDField(unique=True)),
                ("minutes", models.PositiveSmallIntegerField()),
                ("reason", models.CharField(max_length=300)),
                ("given_by", models.CharField(max_length=36)),
                ("given_at", models.DateTimeField()),
                ("cancelled_by", models.CharField(blank=True, max_length=36)),
                ("cancelled_at", models.DateTimeField(null=True)),
                ("cancel_reason", models.CharField(blank=True, max_length=300)),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="times", to="tournament.table"
                    ),
                ),
            ],
            options={"ordering": ["given_at", "pk"]},
        ),
    ]
