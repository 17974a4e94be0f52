"""The wall: its pages, the hall's network, how far the prize giving has come; and announcements."""

import django.db.models.deletion
from django.db import migrations, models

import tournament.wall.models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0013_publication"),
    ]

    operations = [
        migrations.CreateModel(
            name="Wall",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("pages", models.JSONField(default=tournament.wall.models.usual_pages)),
                ("network", models.CharField(blank=True, max_length=32)),
                ("network_password", models.CharField(blank=True, max_length=63)),
                ("prizes_open", models.BooleanField(default=False)),
                ("prizes_top", models.PositiveSmallIntegerField(default=0)),
                ("prizes_step", models.PositiveSmallIntegerField(default=0)),
                ("prizes_mark", models.CharField(blank=True, max_length=20)),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="wall", to="tournament.event"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Announcement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("client_id", models.UUIDField(unique=True)),
                ("position", models.PositiveSmallIntegerField()),
                ("title", models.CharField(max_length=80)),
                ("text", models.CharField(blank=True, max_length=300)),
                ("second_title", models.CharField(blank=True, max_length=80)),
                ("second_text", models.CharField(blank=True, max_length=300)),
                ("at_once", models.BooleanField(default=False)),
                ("shown_from", models.DateTimeField()),
                ("shown_until", models.DateTimeField(null=True)),
                ("written_by", models.CharField(max_length=36)),
                ("written_at", models.DateTimeField()),
                ("taken_back_by", models.CharField(blank=True, max_length=36)),
                ("taken_back_at", models.DateTimeField(null=True)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="announcements",
                        to="tournament.event",
                    ),
                ),
            ],
            options={"ordering": ["position", "pk"]},
        ),
    ]
