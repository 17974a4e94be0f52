"""Who pays for a foul at a replaced seat, and disqualifications."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Five columns, and a table."""

    dependencies = [
        ("tournament", "0020_papers_and_complaints"),
    ]

    operations = [
        migrations.AddField(
            model_name="penalty",
            name="charge_reason",
            field=models.CharField(blank=True, max_length=300),
        ),
        migrations.AddField(
            model_name="penalty",
            name="charged_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="penalty",
            name="charged_by",
            field=models.CharField(blank=True, max_length=36),
        ),
        migrations.AddField(
            model_name="penalty",
            name="substitution",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="penalties",
                to="tournament.substitution",
            ),
        ),
        migrations.AddField(
            model_name="substitution",
            name="answers",
            field=models.BooleanField(default=False),
        ),
        migrations.CreateModel(
            name="Disqualification",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("after_round", models.PositiveSmallIntegerField()),
                ("reason", models.CharField(max_length=300)),
                ("clause", models.CharField(blank=True, max_length=60)),
                (
                    "shown",
                    models.CharField(
                        choices=[("nothing", "Nothing"), ("name", "Name"), ("reason", "Reason")],
                        default="nothing",
                        max_length=7,
                    ),
                ),
                ("was_ranked", models.BooleanField()),
                ("was_withdrawn", models.BooleanField()),
                ("client_id", models.UUIDField(unique=True)),
                ("given_by", models.CharField(max_length=36)),
                ("given_at", models.DateTimeField()),
                ("cancelled_by", models.CharField(blank=True, max_length=36)),
                ("cancelled_at", models.DateTimeField(null=True)),
                ("cancel_reason", models.CharField(blank=True, max_length=300)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="disqualifications",
                        to="tournament.event",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="disqualifications",
                        to="tournament.player",
                    ),
                ),
            ],
            options={
                "ordering": ["given_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("cancelled_at", None)),
                        fields=("player",),
                        name="one_disqualification_a_player",
                    )
                ],
            },
        ),
    ]
