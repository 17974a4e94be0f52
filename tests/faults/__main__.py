"""Kill the desk or its database in mid-write: `python -m tests.faults --kills 200`. What was answered must be there.

Prints one JSON object and exits with 1 where anything was lost, written twice or out of order. The data is its own and
removed afterwards; PostgreSQL is this machine's, with a cluster of its own.
"""

import argparse
import contextlib
import io
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bootstrap
from tests.faults.processes import DeskProcess, Postgresql, postgresql

if TYPE_CHECKING:
    from tests.faults.writers import Writer

NOT_HERE = 77
TABLES = 4
LONGEST = 0.4  # seconds of writing before a kill; a hand takes some hundredths
AT_LEAST = 2  # hands after each start before the next kill: it is to hit writing, not waiting


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is killed, where, and how often."""

    kills: int
    database: str
    what: str
    seed: int


def main() -> int:
    """Kill, count and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--what", choices=["server", "database"], default="server", help="what is killed")
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    parser.add_argument("--copy", type=Path, help="begin with a copy of this data directory, not with a new machine")
    asked = vars(parser.parse_args())
    copied = asked.pop("copy")
    wanted = Wanted(**asked)
    if wanted.what == "database" and wanted.database == "sqlite":
        parser.error("SQLite is no process: it dies with the server.")
    with tempfile.TemporaryDirectory(prefix="hanchan-faults-") as data:
        if copied:
            shutil.copytree(copied, data, dirs_exist_ok=True)
        os.environ |= {"HANCHAN_DATA": data, "DJANGO_SETTINGS_MODULE": "web.settings", "HANCHAN_NO_BOOTSTRAP": "1"}
        os.environ.pop("DATABASE_URL", None)
        if wanted.database == "sqlite":
            return report(run(wanted, Path(data), None))
        initdb = bootstrap.find(bootstrap.POSTGRESQL)
        if initdb is None:
            sys.stderr.write("There is no PostgreSQL on this machine.\n")
            return NOT_HERE
        with postgresql(Path(initdb).resolve().parent) as server:
            os.environ["DATABASE_URL"] = server.url
            return report(run(wanted, Path(data), server))


def report(found: dict[str, Any]) -> int:
    """Print what was found; return the exit status."""
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    return 0 if found["ok"] else 1


def run(wanted: Wanted, data: Path, server: Postgresql | None) -> dict[str, Any]:
    """Play, kill, start again, and compare; the desk is started first, on a new machine it sets up its data."""
    from web.server.gc_tuning import tune_gc

    tune_gc()
    import django

    django.setup()
    from tests.faults.writers import writing_at

    began = time.monotonic()
    with (data / "desk.log").open("ab") as log, contextlib.closing(DeskProcess(data, log)) as desk:
        desk.start()
        from tests.faults.hall import make_hall

        hall = make_hall(TABLES)
        with writing_at(hall, desk.port) as writers:
            for number in range(wanted.kills):
                kill(number, wanted, desk, server, writers)
            wait_for_hands(writers)  # it goes on after the last one, too
        found = compare(writers)
    return figures(wanted, writers, found, time.monotonic() - began)


def kill(number: int, wanted: Wanted, desk: DeskProcess, server: Postgresql | None, writers: "list[Writer]") -> None:
    """Wait for writing, kill at a random moment of it, start again."""
    moment = random.Random(wanted.seed * 1_000_003 + number)
    wait_for_hands(writers)
    time.sleep(moment.uniform(0, LONGEST))
    if wanted.what == "server":
        desk.kill()
        desk.start()
    elif server is not None and number % 2:
        server.kill_a_backend()
    elif server is not None:
        server.kill()
        server.start()
    if number % 20 == 19:
        sys.stderr.write(f"{number + 1} kills, {sum(len(writer.answered) for writer in writers)} hands answered\n")


def wait_for_hands(writers: "list[Writer]") -> None:
    """Return once some tables have been answered again."""
    before = sum(len(writer.answered) for writer in writers)
    deadline = time.monotonic() + 60
    while sum(len(writer.answered) for writer in writers) < before + AT_LEAST:
        if time.monotonic() > deadline:
            raise RuntimeError(f"no hand is taken any more: {[writer.wrong[-1:] for writer in writers]}")
        time.sleep(0.01)


def compare(writers: "list[Writer]") -> list[str]:
    """Hold what was answered against what is there."""
    from tests.faults.hall import kept

    answered = [row for writer in writers for row in list(writer.answered)]
    rows = kept()
    there = set(rows)
    found = [f"answered and not there: {row}" for row in answered if row not in there]
    found += [
        f"{client_id} is there {times} times" for client_id, times in Counter(r[2] for r in rows).items() if times > 1
    ]
    by_table = Counter(table for table, _seq, _client_id in rows)
    found += [
        f"table {t}: no unbroken row of numbers"
        for t in by_table
        if [r[1] for r in rows if r[0] == t] != list(range(1, by_table[t] + 1))
    ]
    return found


def figures(wanted: Wanted, writers: "list[Writer]", found: list[str], seconds: float) -> dict[str, Any]:
    """Return what is printed."""
    from tests.faults.hall import kept

    sound, said = verified()
    statuses: Counter[int] = sum((writer.statuses for writer in writers), Counter())
    answered = sum(len(writer.answered) for writer in writers)
    wrong = [each for writer in writers for each in writer.wrong]
    return {
        "ok": not found and not wrong and sound,
        "kills": wanted.kills,
        "database": wanted.database,
        "killed": wanted.what,
        "hands_answered": answered,
        "hands_there": len(kept()),
        "sent_again_and_known": statuses[200],
        "answers": {str(status): times for status, times in sorted(statuses.items())},
        "silences": sum(writer.silences for writer in writers),
        "lost_or_twice": found,
        "refused": wrong[:10],
        "verify_ledger": said,
        "seconds": round(seconds),
    }


def verified() -> tuple[bool, list[str]]:
    """Have the ledgers verified by the command; return whether they are sound, and the last line of what it said."""
    from django.core.management import call_command

    said, sound = io.StringIO(), True
    try:
        call_command("verify_ledger", stdout=said)
    except SystemExit:
        sound = False
    return sound, said.getvalue().splitlines()[-1:]


if __name__ == "__main__":
    sys.exit(main())
