"""When the rounds of an event are to start."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """One column."""

    dependencies = [
        ("tournament", "0014_announcements"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="timetable",
            field=models.JSONField(default=list),
        ),
    ]
