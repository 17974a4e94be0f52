"""Consent of a player: pictures, and the guardian of a minor; players from before are adults who have refused nothing."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("tournament", "0029_second_factor")]

    operations = [
        migrations.AddField("player", "filmed", models.BooleanField(default=True)),
        migrations.AddField("player", "minor", models.BooleanField(default=False)),
        migrations.AddField("player", "guardian", models.CharField(blank=True, max_length=60)),
        migrations.AddField("player", "guardian_consent_on", models.DateField(blank=True, null=True)),
        migrations.AddConstraint(
            "player",
            models.CheckConstraint(
                condition=~(Q(minor=True) & (Q(guardian="") | Q(guardian_consent_on=None)))
                | Q(shown_by_name=False, filmed=False),
                name="minor_is_hidden",
            ),
        ),
    ]
