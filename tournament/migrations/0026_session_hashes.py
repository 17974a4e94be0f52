import hashlib

from django.db import migrations


def hash_keys(apps, _schema_editor):
    """Keep everybody signed in: the browser's key stays, the row takes its hash."""
    sessions = apps.get_model("tournament", "DeskSession").objects
    for key in list(sessions.values_list("session_key", flat=True)):
        sessions.filter(session_key=key).update(session_key=hashlib.sha256(key.encode()).hexdigest()[:40])


class Migration(migrations.Migration):
    dependencies = [("tournament", "0025_visibility")]

    operations = [migrations.RunPython(hash_keys, migrations.RunPython.noop)]
