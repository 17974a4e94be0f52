"""What puts equal totals in order is a field of the event's rules; the event's own copy of it, never used, goes."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0004_substitutes"),
    ]

    operations = [
        migrations.RemoveField("event", "tie_breaks"),
    ]
