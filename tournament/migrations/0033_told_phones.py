"""Phones that asked to be told of their player's next table."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0032_relay")]

    operations = [
        migrations.CreateModel(
            name="ToldPhone",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("endpoint", models.CharField(max_length=600, unique=True)),
                ("key", models.CharField(max_length=90)),
                ("secret", models.CharField(max_length=30)),
                ("language", models.CharField(max_length=8)),
                ("told", models.CharField(blank=True, default="", max_length=20)),
                ("asked_at", models.DateTimeField()),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="told_phones",
                        to="tournament.player",
                    ),
                ),
            ],
        ),
    ]
