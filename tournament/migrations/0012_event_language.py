"""The language of an event, and the second one on its wall."""

from django.db import migrations, models

LANGUAGES = [("en-gb", "English"), ("ja", "Japanese"), ("de", "German"), ("fr", "French")]


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0011_presence"),
    ]

    operations = [
        migrations.AddField("event", "language", models.CharField(choices=LANGUAGES, default="en-gb", max_length=8)),
        migrations.AddField(
            "event", "second_language", models.CharField(blank=True, choices=LANGUAGES, default="", max_length=8)
        ),
    ]
