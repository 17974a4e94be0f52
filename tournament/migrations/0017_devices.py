"""Table devices: a card and a PIN for each."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0016_roles"),
    ]

    operations = [
        migrations.CreateModel(
            name="TableDevice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("table", models.PositiveSmallIntegerField(default=0)),
                ("card", models.CharField(max_length=32)),
                ("pin_hash", models.CharField(max_length=128)),
                ("made_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("signed_in_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="table_device",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="devices", to="tournament.event"
                    ),
                ),
            ],
            options={"ordering": ["table", "pk"]},
        ),
    ]
