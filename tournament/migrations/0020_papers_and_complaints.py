"""What organisers hand out (house rules, contact, the rule set to compare with), and complaints among the calls."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Columns with defaults: every call so far is a call to a table."""

    dependencies = [
        ("tournament", "0019_privacy"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="compared_with",
            field=models.CharField(blank=True, default="", max_length=60),
        ),
        migrations.AddField(
            model_name="event",
            name="contact",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="event",
            name="house_rules",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="refereecall",
            name="kind",
            field=models.CharField(
                choices=[("call", "Call"), ("complaint", "Complaint")], default="call", max_length=12
            ),
        ),
        migrations.AddField(
            model_name="refereecall",
            name="player",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="complaints",
                to="tournament.player",
            ),
        ),
        migrations.AlterField(
            model_name="refereecall",
            name="question",
            field=models.CharField(blank=True, max_length=1000),
        ),
        migrations.AlterField(
            model_name="refereecall",
            name="ruling",
            field=models.CharField(blank=True, max_length=1000),
        ),
        migrations.AlterField(
            model_name="refereecall",
            name="seq",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddConstraint(
            model_name="refereecall",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind", "complaint"), models.Q(("player", None), ("seq__isnull", False)), _connector="OR"
                ),
                name="call_has_its_hand",
            ),
        ),
    ]
