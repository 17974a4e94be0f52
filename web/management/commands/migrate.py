"""`manage.py migrate`: Bring the database up to date, and seal events that are older than the sealed record.

What was sealed is noted outside the database at each start; nothing is sealed a second time.
"""

from typing import Any

from django.core.management.commands import migrate
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tournament.models import Event
from tournament.record.sealed import SealedFileError
from tournament.services.access.access import get_command_line
from tournament.services.files.record import note_all, seal_older
from web.management.base import refuse_age

BRINGS_SEALS = ("tournament", "0028_record")
HELP = """Brings the database up to date, and seals events from before acts sealed what they change. Without an app all
apps are migrated; with an app and a migration, that app to that state. An event that has lost its seals since is not
sealed again: `verify_ledger` names it."""


class Command(migrate.Command):
    """Bring the database up to date."""

    help = HELP

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate; seal what nothing has sealed if the migration that brings seals ran just now."""
        refuse_age()
        had_seals = BRINGS_SEALS in MigrationRecorder(connection).applied_migrations()
        super().handle(*args, **options)
        if options["app_label"] or options["check_unapplied"] or options["plan"]:
            return
        try:
            if not had_seals and Event.objects.filter(record_salt="").exists():
                seal_older(by=get_command_line())
            note_all()
        except (SealedFileError, OSError) as wrong:
            self.stderr.write(f"record.sealed does not say how far the record goes: {wrong}. See verify_ledger.")
