"""An open event may have a second rule set, for tables with another number of players; events from before have none."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0045_event_photo"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="second_rules",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
