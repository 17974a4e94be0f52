"""Players who are not ranked, and who was replaced at a table."""

import django.db.models.deletion
from django.db import migrations, models

WHEN = [("before", "Before"), ("during", "During")]


def pointer(to: str, related_name: str, *, null: bool = False) -> models.ForeignKey:  # type: ignore[type-arg]
    """Return a pointer that keeps what it points at."""
    return models.ForeignKey(
        null=null, on_delete=django.db.models.deletion.PROTECT, related_name=related_name, to=f"tournament.{to}"
    )


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0003_fouls_in_the_register"),
    ]

    operations = [
        migrations.AddField("player", "ranked", models.BooleanField(default=True)),
        migrations.CreateModel(
            name="Substitution",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(blank=True, max_length=60)),
                ("when", models.CharField(choices=WHEN, max_length=6)),
                ("seq", models.PositiveIntegerField(null=True)),
                ("reason", models.CharField(max_length=300)),
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
                        related_name="substitutions",
                        to="tournament.event",
                    ),
                ),
                ("player", pointer("player", "replacements")),
                ("substitute", pointer("player", "substitutions", null=True)),
                ("table", pointer("table", "substitutions")),
            ],
            options={
                "ordering": ["given_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("cancelled_at", None)),
                        fields=("table", "player"),
                        name="one_substitute_a_seat",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("substitute", None), ("name", ""), _connector="OR"),
                        name="substitute_has_one_name",
                    ),
                ],
            },
        ),
    ]
