"""`manage.py standby FOLDER`: Start the second laptop from the newest sound backup of a stick or a share."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from tournament.backups.config import tables_to_check
from tournament.backups.restore import newest_sound
from web.management.base import DeskCommand, say
from web.management.commands.restore import database_kind, lines_of, put_back


class Command(DeskCommand):
    """A desk from a backup, in one command."""

    help = """Takes the newest sound backup of a folder (a USB stick, a network share), restores it as `restore` does,
    says how old it is and which tables' last hands to hold against their paper, and serves as `desk` does."""
    uses_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the folder, the key and what `desk` takes."""
        parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the backups are")
        parser.add_argument("--key", default="", help="their key (default: HANCHAN_BACKUP_KEY)")
        parser.add_argument("--unsealed", action="store_true", help="also one without a seal, though there is a key")
        parser.add_argument("--host", default="", help="as of desk")
        parser.add_argument("--port", default="", help="as of desk")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Restore, tell, and become the desk."""
        key = options["key"] or settings.BACKUP_KEY
        folder, unsealed = options["folder"].expanduser(), options["unsealed"]
        source, passed = newest_sound(folder, key, database=database_kind(), unsealed=unsealed)
        for refused in passed:
            self.stderr.write(" ".join(say(problem) for problem in refused.problems))
        restored, remarks = put_back(source, settings.DATA_DIR)
        self.stdout.write(self.style.SUCCESS(f"{source.file.name} is restored and proved by verify_ledger."))
        self.stdout.write("\n".join(lines_of(restored, remarks)))
        tables = tables_to_check(restored.manifest)
        if tables:
            self.stdout.write("\nHold the last hands of these tables against their paper, and type what came after:")
            self.stdout.write("\n".join(tables))
        self.stdout.flush()
        os.environ["HANCHAN_BACKUP_KEY"] = key  # its own backups are sealed as these are, and go on in the same place
        os.environ.setdefault("HANCHAN_BACKUP_TO", str(source.file.parent))
        serve(options["host"], options["port"])


def serve(host: str, port: str) -> None:
    """Become `manage.py desk`, which reads its settings and secret again; on Windows, which cannot, wait for it."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "desk"]
    command += (["--host", host] if host else []) + (["--port", port] if port else [])
    if os.name == "posix":
        os.execv(sys.executable, command)  # noqa: S606 - no shell is what is wanted
    sys.exit(subprocess.call(command))
