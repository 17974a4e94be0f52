"""Drop the tables of django-axes, whose limits are counted in Tries now; table devices lose passwords of their own."""

from django.apps.registry import Apps
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX, make_password
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

AXES = ("axes_accessattemptexpiration", "axes_accessattempt", "axes_accesslog", "axes_accessfailurelog")
FORGET_AXES = [f"DROP TABLE IF EXISTS {table}" for table in AXES] + ["DELETE FROM django_migrations WHERE app = 'axes'"]


def remove_passwords(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Make passwords of table devices unusable, which ends their sessions, and delete their second steps."""
    devices = apps.get_model("tournament", "Account").objects.filter(table_device__isnull=False)
    for account in devices.exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX):
        account.password = make_password(None)
        account.save(update_fields=["password"])
    apps.get_model("tournament", "SecondFactor").objects.filter(account__table_device__isnull=False).delete()


class Migration(migrations.Migration):
    dependencies = [("tournament", "0036_event_time_zone")]

    operations = [
        # An older program makes its empty tables again, as it finds none of its migrations applied
        migrations.RunSQL(FORGET_AXES, migrations.RunSQL.noop),
        migrations.RunPython(remove_passwords, migrations.RunPython.noop),
    ]
