"""Letters tell of changed rules; events hold a rota of referees and a list of equipment."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0039_event_days_prizes_payments"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="equipment",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="event",
            name="rota",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AlterField(
            model_name="letter",
            name="kind",
            field=models.CharField(
                choices=[
                    ("link", "Link"),
                    ("own", "Own"),
                    ("received", "Received"),
                    ("place", "Place"),
                    ("waiting", "Waiting"),
                    ("offer", "Offer"),
                    ("lapsed", "Lapsed"),
                    ("cancelled", "Cancelled"),
                    ("reminder", "Reminder"),
                    ("rules", "Rules"),
                ],
                max_length=10,
            ),
        ),
    ]
