"""Kill the desk, organisers' processes or the database in mid-write; hold what was answered against what is there."""

import contextlib
import io
import random
import sys
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, connections

from tests.with_postgresql import Postgresql
from tools.faults.hall import kept, make_hall, trail_of
from tools.faults.history import Found, Sent, judge, sent_by
from tools.faults.processes import DeskProcess
from tools.faults.restored import restored
from tools.faults.worker import journal_of
from tools.faults.writers import Writer, writing_at

TABLES = 4
LONGEST = 0.4  # seconds of writing before a kill; a hand takes some hundredths
AT_LEAST = 2  # hands after each start before the next kill: it is to hit writing, not waiting
CUT = 0.1  # of the answers are lost on the way
WRONG_CLOCK = 6.0  # hours


def run(asked: Namespace, data: Path, server: Postgresql | None) -> dict[str, Any]:
    """Play, kill, start again, and compare; the desk is started first, on a new machine it sets up its data."""
    began = time.monotonic()
    workers = asked.workers if asked.what == "server" else 0
    with (data / "desk.log").open("ab") as log, contextlib.closing(DeskProcess(data, log)) as desk:
        desk.start()
        hall = make_hall(TABLES, workers)
        with writing_at(hall, desk.port, cut=CUT) as writers:
            for number in range(1, workers + 1):
                desk.work(number, asked.seed * 1000 + number)
            killed = Counter(kill(number, asked, desk, server, writers) for number in range(asked.kills))
            wait_for_hands(writers)  # it goes on after the last one, too
        for number in list(desk.workers):
            desk.kill_worker(number)
        lost = compare(writers)
    acts = [act for number in range(1, workers + 1) for act in sent_by(number)]
    found = judge(acts, trail_of(workers))
    found.lost += lost
    backups = restored(acts) if server is None and workers else {}
    return figures(asked, writers, acts, found, dict(killed), backups, time.monotonic() - began)


def kill(number: int, asked: Namespace, desk: DeskProcess, server: Postgresql | None, writers: list[Writer]) -> str:
    """Wait for writing, kill at a random moment of it, start again; return what was killed."""
    moment = random.Random(asked.seed * 1_000_003 + number)
    if number % 20 == 19:
        sys.stderr.write(f"{number} kills, {sum(len(writer.answered) for writer in writers)} hands answered\n")
    if asked.what == "database" and server is not None:
        wait_for_hands(writers)
        time.sleep(moment.uniform(0, LONGEST))
        return kill_database(number, server)
    workers = sorted(desk.workers)
    if workers and moment.random() < 0.6:
        who = moment.choice(workers)
        wait_for_lines(who)
        time.sleep(moment.uniform(0, LONGEST))
        desk.kill_worker(who)
        desk.work(who, moment.getrandbits(30))
        return "a worker"
    wait_for_hands(writers)
    time.sleep(moment.uniform(0, LONGEST))
    desk.kill()
    desk.start(moment.choice((0, moment.uniform(-WRONG_CLOCK, WRONG_CLOCK))))
    return "the desk"


def kill_database(number: int, server: Postgresql) -> str:
    """Kill a backend and the whole server in turn."""
    if number % 2:
        server.kill_a_backend()
        return "a backend"
    server.kill()
    server.start()
    return "the database"


def wait_for_hands(writers: list[Writer]) -> None:
    """Return once some tables have been answered again."""
    _wait_for(AT_LEAST, lambda: sum(len(writer.answered) for writer in writers), writers)


def wait_for_lines(worker: int) -> None:
    """Return once a worker was answered again."""
    journal = journal_of(worker)
    _wait_for(1, lambda: journal.stat().st_size if journal.exists() else 0, worker)


def _wait_for(more: int, count: Callable[[], int], who: object) -> None:
    before, deadline = count(), time.monotonic() + 90
    while count() < before + more:
        if time.monotonic() > deadline:
            raise RuntimeError(f"nothing is taken any more: {who}"[:600])
        time.sleep(0.01)


def compare(writers: list[Writer]) -> list[str]:
    """Hold the hands that were answered against those that are there."""
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


def verified() -> tuple[bool, list[str]]:
    """Have everything refolded by `verify_ledger` and SQLite's own check; return whether it is sound, and the words."""
    said, sound = io.StringIO(), True
    try:
        call_command("verify_ledger", stdout=said)
    except (SystemExit, CommandError) as ended:
        sound = False
        said.write(f"{ended}\n")
    words = said.getvalue().splitlines()[-1 if sound else -5 :]
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA integrity_check")
            checked = [line for (line,) in cursor.fetchall()]
        sound, words = sound and checked == ["ok"], [*words, f"integrity_check: {checked[0]}"]
    connections.close_all()
    return sound, words


def figures(
    asked: Namespace,
    writers: list[Writer],
    acts: list[Sent],
    found: Found,
    killed: dict[str, int],
    backups: dict[str, Any],
    seconds: float,
) -> dict[str, Any]:
    """Return what is printed."""
    sound, said = verified()
    statuses: Counter[int] = sum((writer.statuses for writer in writers), Counter())
    wrong = [each for writer in writers for each in writer.wrong]
    unexplained = found.unexplained + wrong + backups.get("wrong", [])
    return {
        "ok": not (found.lost or found.twice or unexplained) and sound,
        "kills": asked.kills,
        "killed": killed,
        "database": asked.database,
        "hands_answered": sum(len(writer.answered) for writer in writers),
        "hands_there": len(kept()),
        "sent_again_and_known": statuses[200],
        "answers": {str(status): times for status, times in sorted(statuses.items())},
        "silences": sum(writer.silences for writer in writers),
        "answers_cut_off": sum(writer.cuts for writer in writers),
        "acts": dict(Counter(act.outcome for act in acts)),
        "acts_that_wrote": dict(Counter(act.act["kind"] for act in acts if act.rows).most_common()),
        "sent_again_after_a_kill": sum(act.attempts > 1 for act in acts),
        "backups": backups,
        "lost": len(found.lost),
        "twice": len(found.twice),
        "unexplained": len(unexplained),
        "what": [*found.lost, *found.twice, *unexplained][:10],
        "verify_ledger": said,
        "seconds": round(seconds),
    }
