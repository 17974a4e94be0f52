"""What penalties cost when they were given."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Two columns."""

    dependencies = [
        ("tournament", "0021_offenders_and_disqualified"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="kept_amounts",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="penalty",
            name="minutes",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
