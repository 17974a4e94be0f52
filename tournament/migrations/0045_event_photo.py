"""An event has a picture on its page; events from before have none."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0044_typing_by_players"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="photo",
            field=models.CharField(blank=True, default="", max_length=16),
        ),
        migrations.CreateModel(
            name="Photo",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("webp", models.TextField()),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="photograph", to="tournament.event"
                    ),
                ),
            ],
        ),
    ]
