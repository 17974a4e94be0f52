"""What is made once for all tests of a run, whichever of its workers comes first: a desk's data, a printed sheet.

Tests read it or take a copy. It keeps nothing beyond the run.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from bootstrap import REPO

PASSWORD = "long enough to be one"
# A desk as it is after a first start, with the event "cup": its first round is played, its second has begun. Passwords
# are hashed so badly that wrong ones cost nothing; the right one is hashed well as soon as somebody signs in.
FILL = f"""
from web.server.tuning import tune_gc
tune_gc()
import django
django.setup()
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.management import call_command
from tests.factories import make_account, make_event, play_round, round_of, writer_of
from tournament.rounds.actions import start_round
from web.management.commands.desk import collect_static
from django.db import connection
if not connection.introspection.table_names():
    call_command("migrate", verbosity=0)
call_command("createcachetable", verbosity=0)
collect_static()
hasher = Argon2PasswordHasher()
hasher.time_cost, hasher.memory_cost, hasher.parallelism = 1, 8, 1
account, *others = [make_account(name, superuser=True) for name in ("Elke", "Otto", "Uta")]
for each in (account, *others):
    each.password = hasher.encode({PASSWORD!r}, hasher.salt())
    each.username = each.display_name.lower()
    each.save()
event = make_event(slug="cup", tables=2, rounds=2, by=account)
play_round(event, 1, "2r3 340/2")
start_round(round_=round_of(event, 2), by=account)
"""


def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all workers of this run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def made_once(room: Path, key: str, make: Callable[[Path], None]) -> Path:
    """Return the folder of this key in `room`; where it is not there yet, `make` fills it.

    Two workers that come at once both make it, and one of the two is kept: nobody waits.
    """
    folder = room / f"ready-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
    if not folder.exists():
        fresh = Path(tempfile.mkdtemp(dir=room))
        make(fresh)
        with suppress(OSError):  # another worker was quicker
            fresh.rename(folder)
    return folder


def program_environment(data: Path, **more: str) -> dict[str, str]:
    """Return the environment in which a program of the desk has this data directory and no setting of ours.

    Python keeps what it compiled, as it does for people.
    """
    ours = ("HANCHAN_", "DATABASE_URL", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "HANCHAN_DATA": str(data), "HANCHAN_NO_BOOTSTRAP": "1", **more}


def copy_migrated(data: Path) -> None:
    """Copy the empty database that a whole run has migrated; outside of one there is none, and a desk makes its own."""
    if migrated := os.environ.get("HANCHAN_TEST_MIGRATED"):
        shutil.copy(migrated, data / "db.sqlite3")


def fill(data: Path, **more: str) -> None:
    """Set up the desk of `FILL`, out of the database that a whole run has migrated; `more` may name another one."""
    if "DATABASE_URL" not in more:
        copy_migrated(data)
    environment = program_environment(data, DJANGO_SETTINGS_MODULE="web.settings", **more)
    done = subprocess.run(
        [sys.executable, "-c", FILL], cwd=REPO, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def copy_of_desk(tmp_path_factory: pytest.TempPathFactory, to: Path) -> Path:
    """Copy the data of the desk of `FILL`, on SQLite and with static files collected, to where a test may change it."""
    shutil.copytree(made_once(run_folder(tmp_path_factory), FILL, fill), to, dirs_exist_ok=True)
    return to
