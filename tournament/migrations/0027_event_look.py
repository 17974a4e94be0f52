"""The look of an event: a colour and a logo; events from before have neither."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0026_session_hashes"),
    ]

    operations = [
        migrations.AddField("event", "colour", models.CharField(blank=True, default="", max_length=7)),
        migrations.AddField("event", "logo", models.CharField(blank=True, default="", max_length=16)),
        migrations.CreateModel(
            name="Logo",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("png", models.TextField()),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="picture", to="tournament.event"
                    ),
                ),
            ],
        ),
    ]
