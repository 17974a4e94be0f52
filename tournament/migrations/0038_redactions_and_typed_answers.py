"""Events hold what is shown in place of fixed texts that name a forgotten person, answers of seats who typed them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0037_one_limiter_and_devices_without_passwords")]

    operations = [
        migrations.AddField("event", "redactions", models.JSONField(default=dict, blank=True)),
        migrations.AddField("seatcode", "typed_by", models.CharField(max_length=36, blank=True, default="")),
    ]
