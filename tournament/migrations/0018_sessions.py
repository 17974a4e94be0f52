"""Sessions that say whose they are, and tries that are counted. Who was signed in before signs in once more."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0017_devices"),
    ]

    operations = [
        migrations.CreateModel(
            name="DeskSession",
            fields=[
                (
                    "session_key",
                    models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name="session key"),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                ("browser", models.CharField(blank=True, max_length=30)),
                ("made_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField()),
                (
                    "account",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="desk_sessions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"verbose_name": "session", "verbose_name_plural": "sessions", "abstract": False},
        ),
        migrations.CreateModel(
            name="Tries",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("scope", models.CharField(max_length=20)),
                ("key", models.CharField(max_length=64)),
                ("count", models.PositiveIntegerField(default=0)),
                ("began_at", models.DateTimeField()),
            ],
        ),
        migrations.AddConstraint(
            model_name="tries",
            constraint=models.UniqueConstraint(fields=("scope", "key"), name="one_count_a_key"),
        ),
    ]
