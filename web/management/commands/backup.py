"""`manage.py backup`: Make one backup now, for service managers and for a desk of several workers.

It changes nothing in the database.
"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from tournament.backups.backup import WELL, BackupConfig, back_up
from tournament.backups.thread import faults_of, write_due_event_files
from tournament.hash_chain import moment
from web.management.base import DeskCommand
from web.management.words import say
from web.server.backups import backup_config

HELP = """Copies the database, while the desk runs, into DATA/backups and every folder of HANCHAN_BACKUP_TO, checks the
copy and lets old ones go. With HANCHAN_BACKUP_KEY it is encrypted. The desk does this by itself while an event runs; a
service manager calls `backup --if-due` every few minutes. Exits with 1 where a folder has not got its backup."""


class Command(DeskCommand):
    """One backup."""

    help = HELP

    def add_arguments(self, parser: CommandParser) -> None:
        """Take a further folder, and whether to look first if one is due."""
        parser.add_argument("--to", type=Path, metavar="FOLDER", help="this folder, too: a USB stick")
        parser.add_argument("--if-due", action="store_true", help="only while an event runs, and if anything changed")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Make it, and say where it is."""
        kept = backup_config()
        if options["to"]:
            kept = BackupConfig(
                kept.data, (*kept.further, options["to"].expanduser().resolve()), kept.key, kept.minutes
            )
        now = timezone.now()
        state = back_up(kept, now, always=not options["if_due"])
        for folder in kept.folders:
            known = state.of(folder)
            if known.at == moment(now) and known.fault in WELL:
                self.stdout.write(f"{folder / known.file} ({known.size:,} bytes)")
        faults = list(faults_of(state))
        for fault in faults:
            self.stderr.write(say(fault))
        try:
            for file in write_due_event_files(kept.data):
                self.stdout.write(str(file))
        except OSError as wrong:
            raise CommandError(f"The event's file cannot be written: {wrong.strerror}.") from wrong
        if any(fault.code not in WELL for fault in faults):
            raise CommandError("Not every folder has its backup.")
