"""The time zone of an event: of those that are here, the zone in which the desk has shown them until now."""

import os

import django.core.validators
from django.db import migrations, models

import tournament.core.time_zones

UNTIL_NOW = "Europe/London"  # of a desk without HANCHAN_TZ, whatever zone its machine was in


def keep_shown_times(apps, _editor):
    if not os.environ.get("HANCHAN_TZ"):  # with it, it is the column's default
        apps.get_model("tournament", "Event").objects.update(time_zone=UNTIL_NOW)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0035_ema_and_phone_signing")]

    operations = [
        migrations.AddField(
            "event",
            "time_zone",
            models.CharField(
                default=tournament.core.time_zones.desk_time_zone,
                max_length=64,
                validators=[django.core.validators.RegexValidator("^[A-Za-z][A-Za-z0-9_+/-]*\\Z")],
            ),
        ),
        migrations.RunPython(keep_shown_times, migrations.RunPython.noop),
    ]
