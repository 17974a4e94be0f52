"""Who finds an event, and whether it is put away; every event from before stays public."""

from django.db import migrations, models

CHOICES = [("draft", "Draft"), ("unlisted", "Unlisted"), ("public", "Public")]


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0024_rule_sets"),
    ]

    operations = [
        migrations.AddField("event", "visibility", models.CharField(choices=CHOICES, default="public", max_length=8)),
        migrations.AddField("event", "archived_at", models.DateTimeField(null=True)),
    ]
