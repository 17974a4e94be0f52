"""Rule sets of the site's own in versions, and which version an event has."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Two tables and two columns."""

    dependencies = [
        ("tournament", "0023_crew_drills"),
    ]

    operations = [
        migrations.CreateModel(
            name="RuleSet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uid", models.UUIDField(unique=True)),
                ("key", models.SlugField(max_length=60, unique=True)),
                ("created_at", models.DateTimeField()),
            ],
            options={"ordering": ["key"]},
        ),
        migrations.CreateModel(
            name="RuleSetVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("rules", models.JSONField()),
                ("source", models.TextField()),
                ("citations", models.JSONField()),
                ("note", models.CharField(blank=True, max_length=300)),
                ("client_id", models.UUIDField(unique=True)),
                ("by", models.CharField(max_length=36)),
                ("at", models.DateTimeField()),
                (
                    "rule_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="versions", to="tournament.ruleset"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [models.UniqueConstraint(fields=("rule_set", "number"), name="one_version_of_a_number")],
            },
        ),
        migrations.AddField(
            model_name="event",
            name="rule_set_uid",
            field=models.UUIDField(null=True),
        ),
        migrations.AddField(
            model_name="event",
            name="rule_set_version",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
