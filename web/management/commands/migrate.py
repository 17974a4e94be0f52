"""`manage.py migrate`: Bring the database up to date after a backup, and seal events older than the sealed record.

What was sealed is noted outside the database at each start; nothing is sealed a second time.
"""

from typing import Any

from django.apps import apps
from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.signals import pre_migrate
from django.utils import timezone

from tournament.accounts.actions import get_command_line
from tournament.backups.backup import WELL, back_up_before_update
from tournament.backups.config import backup_config
from tournament.core.sealed_marks import SealedFileError
from tournament.events.models import Event
from tournament.record.actions import note_all, seal_older
from web.management.base import refuse_age, say
from web.server.database_age import APP, applied_migrations

BRINGS_SEALS = ("tournament", "0028_record")


class Command(migrate.Command):
    """Bring the database up to date."""

    help = """Brings the database up to date, and seals events from before acts sealed what they change. Before it
    changes data that is there it makes a backup in DATA/backups and says where; without one nothing is migrated.
    Without an app all apps are migrated; with an app and a migration, that app to that state. An event that has lost
    its seals since is not sealed again: `verify_ledger` names it."""
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Take what Django takes, and whether to do without a backup."""
        super().add_arguments(parser)
        parser.add_argument("--no-backup", action="store_true", help="you have a backup, or need none")

    def handle(self, *args: Any, **options: Any) -> None:
        """Back up, migrate; seal what nothing has sealed if the migration that brings seals ran just now."""
        refuse_age()
        had_seals = BRINGS_SEALS in MigrationRecorder(connection).applied_migrations()
        if not options["no_backup"]:
            pre_migrate.connect(self.back_up, sender=apps.get_app_config(APP))  # knows what is going to be done
        try:
            super().handle(*args, **options)
        finally:
            pre_migrate.disconnect(self.back_up, sender=apps.get_app_config(APP))
        if options["app_label"] or options["check_unapplied"] or options["plan"]:
            return
        try:
            if not had_seals and Event.objects.filter(record_salt="").exists():
                seal_older(by=get_command_line())
            note_all()
        except (SealedFileError, OSError) as wrong:
            self.stderr.write(f"record.sealed does not say how far the record goes: {wrong}. See verify_ledger.")

    def back_up(self, plan: list[Any], **_signal: Any) -> None:
        """Make a backup where there are data and something is going to change; raises CommandError where it fails."""
        if not plan or not applied_migrations():
            return
        config = backup_config()
        made = back_up_before_update(config, timezone.now(), [config.own]).of(config.own)
        if made.problem and made.fault not in WELL:
            raise CommandError(
                f"{say(made.problem)} A newer program changes the data so that the older one cannot read it, so "
                "nothing was migrated without a backup. `manage.py migrate --no-backup` does it if you have one."
            )
        self.stdout.write(f"The data before the update: {config.own / made.file} ({made.size:,} bytes)")
