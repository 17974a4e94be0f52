"""`manage.py backup`: Make one backup now, for service managers and for a desk of several workers.

It changes nothing in the database.
"""

from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from tournament.backups.backup import WELL, BackupConfig, State, back_up, back_up_before_update
from tournament.backups.config import backup_config, place_of_data, say_data
from tournament.backups.thread import faults_of, write_due_event_files
from tournament.core.hash_chain import moment
from tournament.events.models import Event
from web.management.base import DeskCommand, say
from web.server.database_age import older_problem

EMPTY = (
    "There is no event in this backup. Are these the desk's data? They are where HANCHAN_DATA or DATABASE_URL says; "
    "a command needs the same settings as the desk."
)


class Command(DeskCommand):
    """One backup."""

    help = """Copies the database, while the desk runs, into DATA/backups and every folder of HANCHAN_BACKUP_TO, checks
    the copy and lets old ones go; says of which data. With HANCHAN_BACKUP_KEY it is encrypted. The desk does this by
    itself while an event runs; a service manager calls `backup --if-due` every few minutes. A database that waits for
    migrations is copied as it is. Exits with 1 where a folder has not got its backup."""
    older_database = True

    def add_arguments(self, parser: CommandParser) -> None:
        """Take a further folder, and whether to look first if one is due."""
        parser.add_argument("--to", type=Path, metavar="FOLDER", help="this folder, too: a USB stick")
        parser.add_argument("--if-due", action="store_true", help="only while an event runs, and if anything changed")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Make it, and say where it is and of which data."""
        kept = backup_config()
        if options["to"]:
            kept = BackupConfig(
                kept.data, (*kept.further, options["to"].expanduser().resolve()), kept.key, kept.minutes
            )
        older = older_problem() is not None
        if older and options["if_due"]:
            return  # no desk of this program runs on it
        now = timezone.now()
        if older:
            state = back_up_before_update(kept, now, kept.folders)
        else:
            state = back_up(kept, now, always=not options["if_due"])
        self.say_made(state, kept, now)
        if not older:  # their files are written by the models
            self.write_event_files(kept.data)
        if any(fault.code not in WELL for fault in faults_of(state)):
            raise CommandError("Not every folder has its backup.")

    def say_made(self, state: State, kept: BackupConfig, now: datetime) -> None:
        """Say which files were written, of which data, and what is wrong."""
        made = [(folder, state.of(folder)) for folder in kept.folders if state.of(folder).at == moment(now)]
        files = [f"{folder / known.file} ({known.size:,} bytes)" for folder, known in made if known.fault in WELL]
        if files:
            events = Event.objects.count()
            self.stdout.write("\n".join(files))
            self.stderr.write(say_data(place_of_data(), events))  # a script reads the files
            if not events:
                self.stderr.write(EMPTY)
        for fault in faults_of(state):
            self.stderr.write(say(fault))

    def write_event_files(self, data: Path) -> None:
        """Write the files of events whose rounds were released, and say which."""
        try:
            for file in write_due_event_files(data):
                self.stdout.write(str(file))
        except OSError as wrong:
            raise CommandError(f"The event's file cannot be written: {wrong.strerror}.") from wrong
