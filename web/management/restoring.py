"""What `restore` and `standby` share: a backup put back and proved by the desk's own commands.

It decides nothing of its own; what is refused is refused in tournament.backups.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from scoring.problems import error
from tournament.backups.restore import Restored, Source, restore_postgresql, restore_sqlite
from tournament.refusal import Refused

# in a process of its own, whose settings and connections are those of the restored data
PROOF = """
from web.server.gc_tuning import look_seldom
look_seldom()
import django
from django.core.management import call_command
django.setup()
call_command("migrate", interactive=False, verbosity=0)
call_command("verify_ledger")
"""


def database_kind() -> str:
    """Return what this desk keeps its data in."""
    return "postgresql" if settings.DATABASE_URL else "sqlite"


def put_back(source: Source, data: Path) -> Restored:
    """Put a backup back into a data directory, or into the database of DATABASE_URL; raises Refused."""
    if settings.DATABASE_URL:
        with tempfile.TemporaryDirectory(prefix="hanchan-restore-") as stage:
            return restore_postgresql(source, Path(stage), timezone.now(), prove)
    return restore_sqlite(source, data, timezone.now(), prove)


def prove(stage: Path) -> None:
    """Bring a restored database up to date and walk its ledgers; raises Refused with the first thing wrong."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "web.settings", "PYTHONIOENCODING": "utf-8"}
    if not settings.DATABASE_URL:  # with it the restored tables are where every desk would look for them
        environment["HANCHAN_DATA"] = str(stage)
    done = subprocess.run(
        [sys.executable, "-c", PROOF],
        cwd=settings.BASE_DIR,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise Refused(error("backup.not_sound", why=_first_fault(done)))


def _first_fault(done: subprocess.CompletedProcess[str]) -> str:
    for line in done.stdout.splitlines():
        try:
            return str(json.loads(line)["message"])
        except (ValueError, KeyError, TypeError):
            continue
    return " ".join(done.stderr.split())[-300:] or "verify_ledger has failed."
