"""`manage.py restore FILE`: a backup put back. Nothing is touched before all is proved, and nothing removed."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from scoring.problems import error
from tournament.backups.restore import Restored, Source
from tournament.refusal import Refused
from web.management.base import DeskCommand
from web.management.restoring import put_back
from web.server.backups import told

HELP = """Puts a backup back. The desk must be stopped. The file is read to its end first: one that is cut short,
damaged, of a newer program or sealed with another key is refused and nothing is changed. Then it is restored beside the
present data, brought up to date and proved by verify_ledger; only then it takes the place of the present database,
which is renamed and kept."""


class Command(DeskCommand):
    """One backup, back in its place."""

    help = HELP
    uses_database = False  # the one that is there may be what is broken

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the file, the folder and the key."""
        parser.add_argument("file", type=Path, metavar="FILE", help="a backup")
        parser.add_argument("--into", type=Path, metavar="FOLDER", help="the data directory (default: the desk's)")
        parser.add_argument("--key", default="", help="its key (default: HANCHAN_BACKUP_KEY)")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Put it back and say what was."""
        if options["into"] and settings.DATABASE_URL:
            raise Refused(error("backup.into_postgresql"))
        data = (options["into"] or settings.DATA_DIR).expanduser().resolve()
        restored = put_back(Source(options["file"], options["key"] or settings.BACKUP_KEY), data)
        self.stdout.write("\n".join([self.style.SUCCESS("Restored and proved by verify_ledger."), *lines_of(restored)]))


def lines_of(restored: Restored) -> list[str]:
    """Say what was restored, and where what was there is."""
    kept = [f"What was there before is kept as {', '.join(restored.aside)}."] if restored.aside else []
    return [*told(restored.manifest), *kept]
