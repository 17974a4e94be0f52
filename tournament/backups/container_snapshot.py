"""A consistent copy of the database as a file: SQLite's online backup, or pg_dump. Blocks no writer.

The manifest is read from the same moment as the copy.
"""

import glob
import hashlib
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from scoring.problems import ProblemType
from tournament.backups.container import FORMAT
from tournament.backups.container_sign_ins import TABLES, delete_sign_ins
from tournament.core.errors import Refused
from tournament.core.hash_chain import moment

BACKUP_NO_PROGRAM = ProblemType(
    "backup.no_program", "{program} is not on this computer; it comes with PostgreSQL's client programs."
)
BACKUP_PROGRAM_FAILED = ProblemType("backup.program_failed", "{program} has failed: {why}")
BACKUP_DATABASE_DAMAGED = ProblemType(
    "backup.database_damaged", "The database itself is damaged: SQLite finds faults in it. Keep the older backups."
)
STORAGE_REPLACED = ProblemType(
    "storage.replaced",
    "The database's files were moved or deleted while the desk runs: nothing more is written. Stop the desk, "
    "keep the data folder as it is, then start it again; where hands are missing, restore the newest backup.",
)

PAGES = 1024  # copied at a time: 4 MB, some milliseconds
PAUSE = 0.005  # seconds between them, for other processes
Ask = Callable[[str], Iterable[tuple[Any, ...]]]

EVENTS = """
SELECT e.slug, e.name, e.version, COUNT(l.id), MAX(l.at) FROM tournament_event e
LEFT JOIN tournament_round r ON r.event_id = e.id LEFT JOIN tournament_table t ON t.round_id = r.id
LEFT JOIN tournament_ledgerentry l ON l.table_id = t.id AND l.supersedes IS NULL
GROUP BY e.id, e.slug, e.name, e.version ORDER BY e.slug
"""
PLAYING = """
SELECT e.slug, r.number, t.number, COUNT(l.id), MAX(l.at),
(SELECT payload FROM tournament_ledgerentry x WHERE x.table_id = t.id ORDER BY x.seq DESC LIMIT 1)
FROM tournament_table t JOIN tournament_round r ON r.id = t.round_id JOIN tournament_event e ON e.id = r.event_id
LEFT JOIN tournament_ledgerentry l ON l.table_id = t.id AND l.supersedes IS NULL
WHERE r.started_at IS NOT NULL AND r.released_at IS NULL
GROUP BY e.slug, r.number, t.id, t.number ORDER BY e.slug, r.number, t.number
"""


def take_snapshot(into: Path, made_at: datetime) -> dict[str, Any]:
    """Write the database to a new file and return its manifest; raises Refused where the copy is not sound."""
    content = _copy_sqlite(into) if connection.vendor == "sqlite" else _dump_postgresql(into)
    return {
        "format": FORMAT,
        "made_at": moment(made_at),
        "database": connection.vendor,
        **content,
        "size": into.stat().st_size,
        "sha256": _sha256(into),
    }


def _copy_sqlite(into: Path) -> dict[str, Any]:
    if getattr(connection, "files_replaced", bool)():
        raise Refused(STORAGE_REPLACED())
    source_name = str(connection.settings_dict["NAME"])
    with closing(sqlite3.connect(source_name, timeout=20)) as source, closing(sqlite3.connect(into)) as copy:
        # within a read transaction a hand written meanwhile does not restart the copy
        source.execute("BEGIN")
        source.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        source.backup(copy, pages=PAGES, sleep=PAUSE)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a WAL
        tables = {name for (name,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        copy.execute("PRAGMA secure_delete = ON")  # or what was deleted would lie in the free pages
        delete_sign_ins(copy.execute, tables)
        copy.commit()
        check_sqlite(copy)
        return _content(lambda question: copy.execute(question).fetchall())


def check_sqlite(database: sqlite3.Connection) -> None:
    """Run SQLite's integrity check; raises Refused for a damaged database."""
    try:
        found = database.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.DatabaseError:
        found = None
    if found != ("ok",):
        raise Refused(BACKUP_DATABASE_DAMAGED())


def _dump_postgresql(into: Path) -> dict[str, Any]:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = cursor.fetchone()[0]  # pg_dump sees what this transaction sees

        def ask(question: str) -> list[tuple[Any, ...]]:
            cursor.execute(question)
            return cursor.fetchall()

        content = _content(ask)
        options = ["--format=custom", "--schema=public", "--no-owner", f"--snapshot={snapshot}", f"--file={into}"]
        options += [f"--exclude-table-data=public.{name}" for name in TABLES]
        run_postgresql("pg_dump", options)
    return content


def run_postgresql(program: str, options: list[str]) -> None:
    """Run a PostgreSQL program on the desk's database; raises Refused with its error output."""
    place = connection.settings_dict
    found = shutil.which(program) or max(glob.glob(f"/usr/lib/postgresql/*/bin/{program}"), default="")  # noqa: PTH207
    if not found:
        raise Refused(BACKUP_NO_PROGRAM(program=program))
    address = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    environment = {**os.environ, **{name: str(place[key]) for name, key in address.items() if place[key]}}
    if program == "pg_restore":
        options = [f"--dbname={place['NAME']}", *options]
    done = subprocess.run([found, *options], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused(BACKUP_PROGRAM_FAILED(program=program, why=" ".join(done.stderr.split())[:300]))


def _content(ask: Ask) -> dict[str, Any]:
    """Return the manifest's facts on a database: migrations, events, tables in play, counts."""
    events = [
        {"slug": slug, "name": name, "version": version, "hands": hands, "last_hand_at": _moment(at)}
        for slug, name, version, hands, at in ask(EVENTS)
    ]
    playing = [
        {"event": slug, "round": round_, "table": table, "hands": hands, "last_hand_at": _moment(at), "last": last}
        for slug, round_, table, hands, at, last in ask(PLAYING)
    ]
    migrations = sorted(f"{app}.{name}" for app, name in ask("SELECT app, name FROM django_migrations"))
    return {
        "migrations": migrations,
        "events": events,
        "playing": playing,
        "hands": sum(event["hands"] for event in events),
        "ledger_rows": int(next(iter(ask("SELECT COUNT(*) FROM tournament_ledgerentry")))[0]),
        "audit_rows": int(next(iter(ask("SELECT COUNT(*) FROM tournament_auditrow")))[0]),
    }


def _moment(at: Any) -> str | None:
    """Return a moment as text: PostgreSQL gives a moment, SQLite its text in UTC."""
    if at is None:
        return None
    return moment(at if isinstance(at, datetime) else datetime.fromisoformat(at).replace(tzinfo=UTC))


def _sha256(file: Path) -> str:
    with file.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()
