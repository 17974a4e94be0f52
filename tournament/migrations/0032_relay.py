"""The relay: at the hall's desk where an event is sent to, at the relay what was sent, and codes for pairing."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0031_sign_up")]

    operations = [
        migrations.AddField("event", "other_address", models.CharField(blank=True, default="", max_length=200)),
        migrations.CreateModel(
            name="RelayCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Relay",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("pairing", models.UUIDField()),
                ("show_hall", models.BooleanField(default=True)),
                ("paired_at", models.DateTimeField()),
                ("paired_by", models.CharField(max_length=36)),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="relay", to="tournament.event"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RelayedEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("pairing", models.UUIDField(default=uuid.uuid4)),
                ("public_key", models.CharField(max_length=64)),
                ("paired_at", models.DateTimeField()),
                ("number", models.PositiveIntegerField(default=0)),
                ("state", models.BinaryField(default=bytes)),
                ("received_at", models.DateTimeField(null=True)),
                (
                    "event",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="relayed",
                        to="tournament.event",
                    ),
                ),
            ],
        ),
    ]
