"""Who is at the desk just now: one row for every open page that is looked at."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0010_blind_second_entry"),
    ]

    operations = [
        migrations.CreateModel(
            name="DeskPresence",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("tab", models.CharField(max_length=32)),
                ("place", models.CharField(max_length=20)),
                ("round", models.PositiveSmallIntegerField(default=0)),
                ("table", models.PositiveSmallIntegerField(default=0)),
                ("typing", models.BooleanField(default=False)),
                ("seen_at", models.DateTimeField()),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="presences",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="presences", to="tournament.event"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("event", "account", "tab"), name="one_presence_a_tab")],
            },
        ),
    ]
