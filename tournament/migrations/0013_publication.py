"""What the public sees of an event, and when: live tables, held results, needs on phones; events under EMA's rules."""

from django.db import migrations, models

LIVE = [("nothing", "Nothing"), ("signed", "Signed"), ("hands", "Hands")]
OTHERS = [("own", "Own"), ("all", "All")]
HOLDS = [("nothing", "Nothing"), ("before_last", "Before Last"), ("last", "Last")]


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0012_event_language"),
    ]

    operations = [
        migrations.AddField("event", "live_tables", models.CharField(choices=LIVE, default="nothing", max_length=8)),
        migrations.AddField("event", "live_others", models.CharField(choices=OTHERS, default="own", max_length=4)),
        migrations.AddField("event", "hold", models.CharField(choices=HOLDS, default="nothing", max_length=12)),
        migrations.AddField("event", "shown_through", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("event", "show_needs", models.BooleanField(default=False)),
        migrations.AddField("event", "ema_certified", models.BooleanField(default=False)),
    ]
