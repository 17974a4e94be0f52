"""`manage.py restore FILE`: Restore a backup. Nothing is changed before it is verified, and nothing is removed."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.utils import timezone

from scoring.problems import ProblemType
from tournament.accounts.actions import get_command_line
from tournament.backups.backup import BackupConfig, go_on_from
from tournament.backups.config import describe_backup, place_of_data, say_data
from tournament.backups.restore import Restored, Source, restore_postgresql, restore_sqlite
from tournament.core.errors import DomainError
from tournament.core.sealed_marks import facts_of, marks_of, write_marks
from tournament.core.signing_key import own_key_in, own_public_key, trust
from tournament.record.actions import compare_record
from tournament.record.verify import signed_until
from web.management.base import DeskCommand, say

BACKUP_NOT_SOUND = ProblemType("backup.not_sound", "The backup does not prove itself: {why} Nothing was changed.")
BACKUP_INTO_POSTGRESQL = ProblemType(
    "backup.into_postgresql", "--into is for SQLite; with PostgreSQL the database is the one of DATABASE_URL."
)

# in a process of its own, whose settings and connections are those of the restored data
PROOF = """
from web.server.tuning import tune_gc
tune_gc()
import django
from django.core.management import call_command
django.setup()
call_command("migrate", interactive=False, verbosity=0, no_backup=True)
call_command("verify_ledger", any_key=True)
import sys
from tournament.backups.config import forget_again
data, file, *lists = sys.argv[1:]
forget_again(lists)
from web.management.commands.restore import settle
settle(data, file)
"""


def database_kind() -> str:
    """Return what this desk keeps its data in."""
    return "postgresql" if settings.DATABASE_URL else "sqlite"


def put_back(source: Source, data: Path) -> tuple[Restored, list[str]]:
    """Put a backup back into a data directory, or into the database of DATABASE_URL; raises DomainError.

    Also return what `verify_ledger` remarked. Keys that signed the backup's heads are known here from then on.
    """
    lists = [source.file.parent, BackupConfig(data).own]
    said: list[dict[str, Any]] = []

    def proof(stage: Path) -> None:
        with own_key_in(stage, data):
            said.extend(prove(stage, data, source.file.name, forgotten=lists))

    if settings.DATABASE_URL:
        with tempfile.TemporaryDirectory(prefix="hanchan-restore-") as stage:
            restored = restore_postgresql(source, Path(stage), timezone.now(), proof)
    else:
        restored = restore_sqlite(source, data, timezone.now(), proof)
    go_on_from(BackupConfig(data), int(restored.manifest.get("number") or 0))
    (settled,) = (line for line in said if "marks" in line)
    trust(data, {(key, slug): acts for key, slug, acts in settled["signed"]})
    if own_public_key(data):
        write_marks(data, marks_of(settled["marks"]))
    return restored, [line["message"] for line in said if line.get("remark")]


def settle(data: str, file: str) -> None:
    """Hold a restored database against what the desk of `data` noted; print the differences, and what it is to note."""
    found, marks = compare_record(Path(data), reason=f"restored from {file}", by=get_command_line())
    for problem in found:
        sys.stdout.write(json.dumps({"remark": True, "message": say(problem)}) + "\n")
    signed = [[*place, acts] for place, acts in signed_until().items()]
    sys.stdout.write(json.dumps({"marks": facts_of(marks), "signed": signed}) + "\n")


def prove(stage: Path, data: Path, file: str, *, forgotten: Sequence[Path] = ()) -> list[dict[str, Any]]:
    """Bring a restored database up to date, walk its ledgers, and forget again the players listed in these folders.

    Return what `verify_ledger` said, how the record differs from what the desk of `data` noted, and what it is to note.
    Raises DomainError with the first thing wrong: damage and rows that nobody wrote,
    never what today's judge thinks of an old hand.
    """
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "web.settings", "PYTHONIOENCODING": "utf-8"}
    environment["HANCHAN_DATA"] = str(stage)  # with DATABASE_URL the tables are where every desk would look for them
    done = subprocess.run(
        [sys.executable, "-c", PROOF, str(data), file, *map(str, forgotten)],
        cwd=settings.BASE_DIR,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise DomainError(BACKUP_NOT_SOUND(why=_first_fault(done)))
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def _first_fault(done: subprocess.CompletedProcess[str]) -> str:
    for line in done.stdout.splitlines():
        try:
            return str(json.loads(line)["message"])
        except (ValueError, KeyError, TypeError):
            continue
    return " ".join(done.stderr.split())[-300:] or "verify_ledger has failed."


class Command(DeskCommand):
    """One backup, back in its place."""

    help = """Puts a backup back. The desk must be stopped. The file is read to its end first: one that is cut short,
    damaged, of a newer program, sealed with another key, or not sealed where there is a key, is refused and nothing is
    changed. Then it is restored beside the present data, brought up to date and proved by verify_ledger; only then it
    takes the place of the present database, which is renamed and kept. What this desk had sealed and the backup lacks
    is said, and written into the site's trail."""
    uses_database = False  # the one that is there may be what is broken

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the file, the folder and the key."""
        parser.add_argument("file", type=Path, metavar="FILE", help="a backup")
        parser.add_argument("--into", type=Path, metavar="FOLDER", help="the data directory (default: the desk's)")
        parser.add_argument("--key", default="", help="its key (default: HANCHAN_BACKUP_KEY)")
        parser.add_argument("--unsealed", action="store_true", help="also one without a seal, though there is a key")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Put it back and say what was."""
        if options["into"] and settings.DATABASE_URL:
            raise DomainError(BACKUP_INTO_POSTGRESQL())
        data = (options["into"] or settings.DATA_DIR).expanduser().resolve()
        source = Source(options["file"], options["key"] or settings.BACKUP_KEY, options["unsealed"])
        restored, remarks = put_back(source, data)
        place = str(data) if options["into"] else place_of_data()
        lines = [say_data(place, len(restored.manifest["events"])), *lines_of(restored, remarks)]
        self.stdout.write("\n".join([self.style.SUCCESS("Restored and proved by verify_ledger."), *lines]))


def lines_of(restored: Restored, remarks: list[str]) -> list[str]:
    """Say what was restored, what is to be known of it, and where what was there is."""
    kept = [f"What was there before is kept as {', '.join(restored.aside)}."] if restored.aside else []
    return [*describe_backup(restored.manifest), *remarks, *kept]
