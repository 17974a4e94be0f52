"""The backups that a worker made meanwhile, put back by the real command: proved, and with all that was answered."""

import random
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from bootstrap import REPO
from tools.faults.hall import SLUG
from tools.faults.history import Sent
from tools.faults.worker import lines_of

NEWEST = 3
TRAIL = (
    "SELECT row.hash FROM tournament_auditrow AS row JOIN tournament_event AS event ON event.id = row.event_id"
    " WHERE event.slug = ?"
)


def restored(acts: list[Sent]) -> dict[str, Any]:
    """Put the newest backups back, each into a folder of its own; return how many, and what is wrong with them."""
    made = [line for line in lines_of(1) if "backup" in line and Path(line["backup"]).exists()]
    wrong: list[str] = []
    for line in made[-NEWEST:]:
        with tempfile.TemporaryDirectory(prefix="hanchan-restored-") as into:
            command = [sys.executable, "manage.py", "restore", line["backup"], "--into", into]
            wrong += killed_in_between(command, Path(into))
            done = subprocess.run(command, cwd=REPO, capture_output=True, text=True, check=False)
            if done.returncode:
                wrong.append(f"{line['backup']}: {done.stderr[-300:]}")
                continue
            wrong += [f"{line['backup']}: {row} is not in it" for row in missing(Path(into), line["at"], acts)]
    return {"made": sum("backup" in line for line in lines_of(1)), "restored": len(made[-NEWEST:]), "wrong": wrong}


def killed_in_between(command: list[str], into: Path) -> list[str]:
    """Kill the command at some moment; return what is wrong with what it leaves: no database, or a whole one."""
    restoring = subprocess.Popen(command, cwd=REPO, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with suppress(subprocess.TimeoutExpired):
        restoring.wait(random.uniform(0.5, 5))
    restoring.kill()
    restoring.wait()
    if not (into / "db.sqlite3").exists():
        return []
    with closing(sqlite3.connect(into / "db.sqlite3")) as read:
        (said,) = read.execute("PRAGMA integrity_check").fetchone()
    return [] if said == "ok" else [f"killed in the middle of {command[3]}: {said}"]


def missing(data: Path, at: float, acts: list[Sent]) -> list[str]:
    """Return what was answered before the backup began and is not in it."""
    with closing(sqlite3.connect(data / "db.sqlite3")) as read:
        there = {digest for (digest,) in read.execute(TRAIL, [SLUG])}
    answered = [row for act in acts if act.ended is not None and act.ended < at for row in act.rows]
    return [f"{seq} {verb}" for seq, verb, digest in answered if digest not in there]
