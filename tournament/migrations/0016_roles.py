"""Seven roles an event: the first organiser of each event becomes its owner, and a table device has a table."""

from django.db import migrations, models

ROLES = [
    ("owner", "Owner"),
    ("organiser", "Organiser"),
    ("head_referee", "Head Referee"),
    ("referee", "Referee"),
    ("scorer", "Scorer"),
    ("table_device", "Table Device"),
    ("viewer", "Viewer"),
]
OLDER = {"owner": "organiser", "head_referee": "referee"}


def name_owners(apps, _schema_editor):
    """Make the first organiser of each event its owner: whoever made it."""
    Membership = apps.get_model("tournament", "Membership")
    organisers = Membership.objects.filter(role="organiser").order_by("event", "pk")
    first = {}
    for event, row in organisers.values_list("event", "pk"):
        first.setdefault(event, row)
    Membership.objects.filter(pk__in=first.values()).update(role="owner")


def go_back(apps, _schema_editor):
    """Give each the nearest of the two roles there were; who had none of what they allowed loses the way in."""
    for name in ("Membership", "EntryLink"):
        rows = apps.get_model("tournament", name).objects
        for role, older in OLDER.items():
            rows.filter(role=role).update(role=older)
        rows.exclude(role__in=("organiser", "referee")).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0015_timetable"),
    ]

    operations = [
        migrations.AlterField("membership", "role", models.CharField(choices=ROLES, max_length=20)),
        migrations.AlterField("entrylink", "role", models.CharField(choices=ROLES, max_length=20)),
        migrations.AddField("membership", "table_number", models.PositiveSmallIntegerField(blank=True, null=True)),
        migrations.RunPython(name_owners, go_back),
        migrations.AddConstraint(
            "membership",
            models.UniqueConstraint(
                condition=models.Q(("role", "owner")), fields=("event",), name="one_owner_an_event"
            ),
        ),
        migrations.AddConstraint(
            "membership",
            models.CheckConstraint(
                condition=models.Q(
                    models.Q(("role", "table_device"), ("table_number__isnull", False)),
                    models.Q(models.Q(("role", "table_device"), _negated=True), ("table_number__isnull", True)),
                    _connector="OR",
                ),
                name="a_table_for_devices_only",
            ),
        ),
    ]
