"""Drafts of a draw with their wishes; the event remembers the wishes, and what its seats were drawn from."""

import django.db.models.deletion
from django.db import migrations, models

STATES = [("searching", "Searching"), ("done", "Done"), ("stopped", "Stopped"), ("failed", "Failed")]


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0005_equal_totals_from_the_rules"),
    ]

    operations = [
        migrations.AddField("event", "wishes", models.JSONField(default=dict)),
        migrations.AddField("event", "drawn", models.JSONField(default=dict)),
        migrations.CreateModel(
            name="DrawDraft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seed", models.PositiveIntegerField()),
                ("asked", models.JSONField(default=dict)),
                ("way", models.CharField(max_length=20)),
                ("state", models.CharField(choices=STATES, default="searching", max_length=10)),
                ("attempt", models.PositiveSmallIntegerField(default=1)),
                ("share", models.PositiveSmallIntegerField(default=0)),
                ("best", models.JSONField(default=list)),
                ("stop_asked", models.BooleanField(default=False)),
                ("problem", models.JSONField(default=dict)),
                ("rounds", models.JSONField(default=list)),
                ("resting", models.JSONField(default=list)),
                ("substitutes", models.PositiveSmallIntegerField(default=0)),
                ("report", models.JSONField(default=dict)),
                ("fingerprint", models.CharField(max_length=64)),
                ("made_by", models.CharField(max_length=36)),
                ("made_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField()),
                ("taken_at", models.DateTimeField(null=True)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="drafts", to="tournament.event"
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
    ]
