"""Who is shown by name, who was forgotten, and how long an event's people are kept."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Three columns."""

    dependencies = [
        ("tournament", "0018_sessions"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="shown_by_name",
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name="person",
            name="forgotten_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="event",
            name="keep_months",
            field=models.PositiveSmallIntegerField(null=True),
        ),
    ]
