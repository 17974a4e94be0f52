"""Cuts to the top n, teams of players, and how many members of a team count."""

import django.db.models.deletion
from django.db import migrations, models

CARRY = [("whole", "Whole"), ("halved", "Halved"), ("cleared", "Cleared")]
OTHERS = [("play_on", "Play On"), ("stop", "Stop")]


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0006_drafts_of_a_draw"),
    ]

    operations = [
        migrations.AddField("player", "team", models.CharField(blank=True, default="", max_length=80), False),
        migrations.AddField("event", "team_best", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("round", "drawn", models.JSONField(default=dict)),
        migrations.CreateModel(
            name="Cut",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("after_round", models.PositiveSmallIntegerField()),
                ("through", models.JSONField()),
                ("carry", models.CharField(choices=CARRY, max_length=7)),
                ("others", models.CharField(choices=OTHERS, max_length=7)),
                ("client_id", models.UUIDField(unique=True)),
                ("made_by", models.CharField(max_length=36)),
                ("made_at", models.DateTimeField()),
                ("cancelled_by", models.CharField(blank=True, max_length=36)),
                ("cancelled_at", models.DateTimeField(null=True)),
                ("cancel_reason", models.CharField(blank=True, max_length=300)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="cuts", to="tournament.event"
                    ),
                ),
            ],
            options={
                "ordering": ["after_round", "made_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("cancelled_at", None)),
                        fields=("event", "after_round"),
                        name="one_cut_after_a_round",
                    )
                ],
            },
        ),
    ]
