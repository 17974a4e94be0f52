"""Restoring a backup: check it whole, prove its ledgers, then swap it in.

Nothing is touched before the proof; the former data is renamed, never deleted.
"""

import contextlib
import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader

from scoring.problems import ProblemType
from tournament.backups.backup import BACKUP_FAILED, BACKUP_FOLDER_MISSING, STAMP, list_backups
from tournament.backups.container import (
    BACKUP_DAMAGED,
    BACKUP_NEWER,
    TABLES,
    check_container,
    check_sqlite,
    delete_sign_ins,
    extract_database,
    is_sealed,
    read_manifest,
    run_postgresql,
)
from tournament.core.errors import DomainError
from tournament.events.models import VERSIONS_AHEAD

BACKUP_UNSEALED = ProblemType(
    "backup.unsealed",
    "{file} is not sealed, and this desk has a key for its backups. Anybody who can write to the folder can have "
    "made it, with results and accounts of their own. If you know where it comes from, add --unsealed.",
)
BACKUP_OTHER_DATABASE = ProblemType(
    "backup.other_database",
    "This is a backup of {given}, and this desk uses {here}. Nothing was changed; events move between them with "
    "export_event and import_event.",
)
BACKUP_DESK_RUNNING = ProblemType(
    "backup.desk_running",
    "The desk is running on this database. Stop it first (Ctrl-C in its window), then try again. Nothing was changed.",
)
BACKUP_NONE_SOUND = ProblemType("backup.none_sound", "There is no sound backup in {folder}.")

BUMP = f"UPDATE tournament_event SET version = version + {VERSIONS_AHEAD}"  # noqa: S608 - our own number
DATABASE = "db.sqlite3"
SECRET = "secret.key"  # noqa: S105 - the name of its file
Prove = Callable[[Path], None]


@dataclass(frozen=True, slots=True)
class Restored:
    """The manifest of the restored backup, and the new names of the former data."""

    manifest: dict[str, Any]
    aside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A backup's file and its key, "" for none; with a key it must be sealed, unless `unsealed` is allowed."""

    file: Path
    key: str = ""
    unsealed: bool = False


def check_backup(source: Source, *, database: str) -> dict[str, Any]:
    """Check a whole backup for a database of kind "sqlite" or "postgresql"; return its manifest.

    Raises DomainError.
    """
    check_container(source.file)
    if source.key and not source.unsealed and not is_sealed(source.file):
        raise DomainError(BACKUP_UNSEALED(file=source.file.name))
    manifest = read_manifest(source.file, source.key)
    _check_manifest(manifest, source.file)
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    apps = {name.partition(".")[0] for name in known}
    unknown = [name for name in manifest["migrations"] if name.partition(".")[0] in apps and name not in known]
    if unknown:
        raise DomainError(BACKUP_NEWER(file=source.file.name))
    if manifest["database"] != database:
        raise DomainError(BACKUP_OTHER_DATABASE(given=manifest["database"], here=database))
    return manifest


def _check_manifest(manifest: dict[str, Any], file: Path) -> None:
    """Raise DomainError where a manifest has another form than those that the desk writes: anybody can make a file."""
    try:
        moments = [manifest["made_at"], *(each["last_hand_at"] for each in [*manifest["events"], *manifest["playing"]])]
        texts = [each[name] for each in manifest["events"] for name in ("slug", "name")]
        texts += [each["event"] for each in manifest["playing"]] + manifest["migrations"] + [manifest["database"]]
        numbers = [each["hands"] for each in [*manifest["events"], *manifest["playing"]]] + [manifest.get("number", 0)]
        numbers += [each[name] for each in manifest["playing"] for name in ("round", "table")]
        until = manifest.get("keep_until") or "2026-01-01"
        date.fromisoformat(until)
        sound = all(datetime.fromisoformat(at).tzinfo for at in moments if at)
        sound = sound and all(isinstance(text, str) for text in texts) and all(type(each) is int for each in numbers)
        playing_of(manifest)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        sound = False
    if not sound:
        raise DomainError(BACKUP_DAMAGED(file=file.name))


def newest_sound(folder: Path, key: str, *, database: str, unsealed: bool = False) -> tuple[Source, list[DomainError]]:
    """Return the newest sound backup of a folder, and why newer ones were skipped; raises DomainError."""
    try:
        found = [Source(kept.path, key, unsealed) for kept in list_backups(folder)]
    except OSError:
        raise DomainError(BACKUP_FOLDER_MISSING(folder=str(folder))) from None
    passed: list[DomainError] = []
    for source in found:
        try:
            check_backup(source, database=database)
        except DomainError as refused:
            passed.append(refused)
        else:
            return source, passed
    raise DomainError(
        *(problem for refused in passed for problem in refused.problems), BACKUP_NONE_SOUND(folder=str(folder))
    )


# ---------------------------------------------------------------- SQLite


def restore_sqlite(source: Source, data: Path, now: datetime, prove: Prove) -> Restored:
    """Restore a backup into a data directory in which no desk runs; raises DomainError with `data` unchanged.

    `prove` is called with the folder of the extracted database: it migrates it, verifies its ledgers, or raises
    DomainError.
    """
    manifest = check_backup(source, database="sqlite")
    try:
        data.mkdir(parents=True, exist_ok=True)
        refuse_running(data / DATABASE)
        with tempfile.TemporaryDirectory(prefix=".restoring-", dir=data, ignore_cleanup_errors=True) as name:
            stage = Path(name)
            extract_database(source.file, source.key, stage / DATABASE)
            with closing(sqlite3.connect(stage / DATABASE)) as database:
                check_sqlite(database)
            prove(stage)
            _finish(stage / DATABASE)
            refuse_running(data / DATABASE)
            return Restored(manifest, tuple(_swap(stage, data, manifest, now)))
    except OSError as wrong:
        raise DomainError(BACKUP_FAILED(folder=str(data), why=wrong.strerror or str(wrong))) from wrong


def _finish(file: Path) -> None:
    """Raise every event's version, close every session and link, and leave a single file without a WAL."""
    with closing(sqlite3.connect(file)) as database:
        database.execute(BUMP)
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        delete_sign_ins(database.execute, tables)
        database.commit()
        database.execute("PRAGMA journal_mode=DELETE")


def refuse_running(file: Path) -> None:
    """Raise DomainError where a process has the database open: it would go on writing into the renamed file.

    The WAL of a sound database is written into it.
    """
    if not file.exists():
        return
    with closing(sqlite3.connect(file, timeout=0.5)) as database:
        try:
            database.execute("PRAGMA journal_mode=DELETE").fetchone()  # SQLite does this only for a sole user
        except sqlite3.OperationalError as wrong:
            if "locked" in str(wrong):
                raise DomainError(BACKUP_DESK_RUNNING()) from None
        except sqlite3.DatabaseError:
            return  # damaged: perhaps the reason for restoring


def _swap(stage: Path, data: Path, manifest: dict[str, Any], now: datetime) -> Iterator[str]:
    """Rename the former files, then move in the proved ones; yield the new names of the former."""
    stamp = now.strftime(STAMP)
    moved: list[tuple[Path, Path]] = []
    names = [DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm"]
    secret = str(manifest.get("secret") or "")
    if secret:
        (stage / SECRET).touch(mode=0o600)
        (stage / SECRET).write_text(secret, encoding="ascii")
        names.append(SECRET)
    try:
        for name in names:
            if (data / name).exists():
                aside = data / f"before-{stamp}-{name}"  # the ending stays, or SQLite would not find the WAL
                (data / name).rename(aside)
                moved.append((data / name, aside))
        (stage / DATABASE).rename(data / DATABASE)
        if secret:  # else keep the present one: `stage` may hold another, made during the proof
            (stage / SECRET).rename(data / SECRET)
    except OSError:
        for there, aside in reversed(moved):
            with contextlib.suppress(OSError):
                aside.replace(there)
        raise
    yield from (aside.name for _there, aside in moved)


# ---------------------------------------------------------------- PostgreSQL


def restore_postgresql(source: Source, stage: Path, now: datetime, prove: Prove) -> Restored:
    """Restore a backup into the database at DATABASE_URL, to which no one else may be connected.

    The former tables move to a schema of their own, and back where the proof fails. `stage` is an empty folder for the
    dump.
    """
    manifest = check_backup(source, database="postgresql")
    dump = stage / "dump"
    extract_database(source.file, source.key, dump)
    aside = f"before_{now.strftime(STAMP).replace('-', '_')}"
    question = (
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    with connection.cursor() as cursor:
        cursor.execute(question)
        if cursor.fetchone()[0]:
            raise DomainError(BACKUP_DESK_RUNNING())
    was_empty = not connection.introspection.table_names()
    _run(f'ALTER SCHEMA public RENAME TO "{aside}"', "CREATE SCHEMA public")
    connection.close()
    try:
        run_postgresql(
            "pg_restore", ["--schema=public", "--no-owner", "--single-transaction", "--exit-on-error", str(dump)]
        )
        prove(stage)
        _run(BUMP, *(f"DELETE FROM {name}" for name in TABLES))  # noqa: S608 - our own names
    except Exception:
        _run("DROP SCHEMA public CASCADE", f'ALTER SCHEMA "{aside}" RENAME TO public')
        raise
    if was_empty:
        _run(f'DROP SCHEMA "{aside}"')
    return Restored(manifest, () if was_empty else (f"schema {aside}",))


def _run(*statements: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def playing_of(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tables of rounds that were running, each with its hands and its last one as JSON."""
    return [{**table, "last": json.loads(table["last"]) if table["last"] else None} for table in manifest["playing"]]
