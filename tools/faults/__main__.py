"""Break the disk, the desk and its database in mid-write: `python -m tools.faults --faults 1000 --kills 500 --seed 7`.

First faults of the disk in turn and power cuts (SQLite; tools/faults/interleavings.py), then kills of the desk and of
organisers' processes beside it, with wrong clocks and lost answers (tools/faults/kills.py). Writes the result of each
part to standard error as soon as it has it, at the end one JSON object, and exits with 1 where anything was lost, is
there twice or cannot be explained, or where a part broke off. The data is its own and removed afterwards; PostgreSQL is
this machine's, with a cluster of its own.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bootstrap import REPO
from tests.nightly_scale import own_data
from tests.with_postgresql import Postgresql


def main() -> int:
    """Break things, count and print."""
    asked = arguments()
    sys.stderr.write(f"seed {asked.seed}\n")
    found: dict[str, Any] = {"ok": True, "seed": asked.seed}
    if asked.faults and asked.kills:
        found["disk"] = disk_alone(asked)
    with own_data("faults", asked.database) as (data, server):
        if asked.copy:
            shutil.copytree(asked.copy, data, dirs_exist_ok=True)
        if asked.kills:
            found |= result_of(lambda: run_kills(asked, data, server))
        else:
            found["disk"] = result_of(lambda: fail_the_disk(asked))
    found["ok"] = found["ok"] and found.get("disk", {"ok": True})["ok"]
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    return 0 if found["ok"] else 1


def result_of(part: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what a part found, or how it broke off, and write it down at once: a later part may end all of it."""
    try:
        found = part()
    except Exception as wrong:  # noqa: BLE001 - the other part's result must not be lost
        traceback.print_exc()
        found = {"ok": False, "broke_off": f"{type(wrong).__name__}: {wrong}"[:300]}
    sys.stderr.write(json.dumps(found) + "\n")
    return found


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.faults", description=__doc__)
    parser.add_argument("--faults", type=int, default=0, help="of SQLite's disk")
    parser.add_argument("--kills", type=int, help="of the desk and of organisers' processes (default: 200)")
    parser.add_argument("--workers", type=int, default=3, help="organisers' processes beside the desk")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--what", choices=["server", "database"], default="server", help="what is killed")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="default: any")
    parser.add_argument(
        "--synchronous", choices=["OFF", "NORMAL"], default="", help="plant a lost sync, which the faults must find"
    )
    parser.add_argument("--copy", type=Path, help="begin with a copy of this data directory, not with a new machine")
    asked = parser.parse_args()
    if asked.kills is None:
        asked.kills = 0 if asked.faults else 200
    if asked.what == "database" and asked.database == "sqlite":
        parser.error("SQLite is no process: it dies with the server.")
    return asked


def load() -> None:
    """Load the program."""
    from web.server.tuning import tune_gc

    tune_gc()
    import django

    django.setup()


def disk_alone(asked: argparse.Namespace) -> dict[str, Any]:
    """Let a process of its own fail its disk, with data of its own; return what it printed, or how it ended."""
    command = [sys.executable, "-m", "tools.faults", "--faults", str(asked.faults), "--seed", str(asked.seed)]
    command += ["--copy", str(asked.copy)] if asked.copy else []
    command += ["--synchronous", asked.synchronous] if asked.synchronous else []
    done = subprocess.run(command, cwd=REPO, stdout=subprocess.PIPE, text=True, check=False)
    try:
        return dict(json.loads(done.stdout)["disk"])
    except (ValueError, KeyError):
        return {"ok": False, "broke_off": f"exit code {done.returncode}"}


def fail_the_disk(asked: argparse.Namespace) -> dict[str, Any]:
    """Inject the faults; return what came of them."""
    load()
    from django.core.management import call_command

    from tests.shared_fixtures import copy_migrated
    from tools.faults.disk import NotReachableError
    from tools.faults.interleavings import InTurn

    began = time.monotonic()
    if not asked.copy:
        copy_migrated(Path(os.environ["HANCHAN_DATA"]))
    call_command("migrate", verbosity=0)
    try:
        turns = InTurn(asked.seed, asked.synchronous)
    except NotReachableError:
        return {"ok": True, "left_out": "Python's SQLite is no library of its own here"}
    try:
        tally = turns.run(asked.faults).as_json()
    finally:
        turns.close()
    ok = not (tally["lost"] or tally["twice"] or tally["unexplained"])
    return {"ok": ok, **tally, "seconds": round(time.monotonic() - began)}


def run_kills(asked: argparse.Namespace, data: Path, server: Postgresql | None) -> dict[str, Any]:
    """Load the program with its settings as they now are, and kill."""
    load()
    from tools.faults.kills import run

    return run(asked, data, server)


if __name__ == "__main__":
    sys.exit(main())
