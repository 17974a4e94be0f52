"""A backup put back: read to its end and proved first, then put in the place of what is there, which is kept aside.

Until everything is proved nothing is touched; what was there is renamed and never removed.
"""

import contextlib
import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.migrations.loader import MigrationLoader

from scoring.problems import error
from tournament.backups.backup import STAMP, list_backups
from tournament.backups.container import check_container, extract_database, read_manifest
from tournament.backups.snapshot import check_sqlite, run_postgresql
from tournament.models.event import VERSIONS_AHEAD
from tournament.refusal import Refused

BUMP = f"UPDATE tournament_event SET version = version + {VERSIONS_AHEAD}"  # noqa: S608 - our own number
DATABASE = "db.sqlite3"
SECRET = "secret.key"  # noqa: S105 - the name of its file
Prove = Callable[[Path], None]


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put back, and where what was there is now."""

    manifest: dict[str, Any]
    aside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A backup's file, and the key that opens it; "" for none."""

    file: Path
    key: str = ""


def check_backup(source: Source, *, database: str) -> dict[str, Any]:
    """Read a backup to its end and return its manifest; raises Refused with what is wrong with it.

    `database` is the kind that it is to be put into, "sqlite" or "postgresql".
    """
    check_container(source.file)
    manifest = read_manifest(source.file, source.key)
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    apps = {name.partition(".")[0] for name in known}
    unknown = [name for name in manifest["migrations"] if name.partition(".")[0] in apps and name not in known]
    if unknown:
        raise Refused(error("backup.newer", file=source.file.name))
    if manifest["database"] != database:
        raise Refused(error("backup.other_database", given=manifest["database"], here=database))
    return manifest


def newest_sound(folder: Path, key: str, *, database: str) -> tuple[Source, list[Refused]]:
    """Return the newest backup of a folder that is sound, and why newer ones were passed over; raises Refused."""
    try:
        found = [Source(path, key) for _at, path in list_backups(folder)]
    except OSError:
        raise Refused(error("backup.folder_missing", folder=str(folder))) from None
    passed: list[Refused] = []
    for source in found:
        try:
            check_backup(source, database=database)
        except Refused as refused:
            passed.append(refused)
        else:
            return source, passed
    raise Refused(
        *(problem for refused in passed for problem in refused.problems), error("backup.none_sound", folder=str(folder))
    )


# ---------------------------------------------------------------- SQLite


def restore_sqlite(source: Source, data: Path, now: datetime, prove: Prove) -> Restored:
    """Put a backup into a data directory in which no desk runs.

    `prove` is given a folder with the database in it, brings that up to date, walks its ledgers, and raises Refused
    where they are not sound. Raises Refused; nothing in `data` is changed then.
    """
    manifest = check_backup(source, database="sqlite")
    try:
        data.mkdir(parents=True, exist_ok=True)
        refuse_running(data / DATABASE)
        with tempfile.TemporaryDirectory(prefix=".restoring-", dir=data, ignore_cleanup_errors=True) as name:
            stage = Path(name)
            extract_database(source.file, source.key, stage / DATABASE)
            _check_file(stage / DATABASE)
            prove(stage)
            _finish(stage / DATABASE)
            refuse_running(data / DATABASE)
            return Restored(manifest, tuple(_swap(stage, data, manifest, now)))
    except OSError as wrong:
        raise Refused(error("backup.failed", folder=str(data), why=wrong.strerror or str(wrong))) from wrong


def _check_file(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database:
        check_sqlite(database)


def _finish(file: Path) -> None:
    """Raise every event's version, and leave one file without a second beside it."""
    with closing(sqlite3.connect(file)) as database:
        database.execute(BUMP)
        database.commit()
        database.execute("PRAGMA journal_mode=DELETE")


def refuse_running(file: Path) -> None:
    """Raise Refused where some process has the database open: it would go on writing into what is put aside.

    A database that is sound is left as one file, with what stood beside it written into it.
    """
    if not file.exists():
        return
    with closing(sqlite3.connect(file, timeout=0.5)) as database:
        try:
            database.execute("PRAGMA journal_mode=DELETE").fetchone()  # SQLite does this only for who is alone
        except sqlite3.OperationalError as wrong:
            if "locked" in str(wrong):
                raise Refused(error("backup.desk_running")) from None
        except sqlite3.DatabaseError:
            return  # it is damaged, which may be why somebody restores


def _swap(stage: Path, data: Path, manifest: dict[str, Any], now: datetime) -> Iterator[str]:
    """Rename what is there, then put in what was proved; yield the new names of the former."""
    stamp = now.strftime(STAMP)
    moved: list[tuple[Path, Path]] = []
    names = [DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm"]
    secret = str(manifest.get("secret") or "")
    if secret:
        _write_secret(stage / SECRET, secret)
        names.append(SECRET)
    try:
        for name in names:
            if (data / name).exists():
                aside = data / _aside(name, stamp)
                (data / name).rename(aside)
                moved.append((data / name, aside))
        (stage / DATABASE).rename(data / DATABASE)
        if secret:  # else the one that is here stays: in `stage` may lie another, made while the backup was proved
            (stage / SECRET).rename(data / SECRET)
    except OSError:
        for there, aside in reversed(moved):
            with contextlib.suppress(OSError):
                aside.replace(there)
        raise
    yield from (aside.name for _there, aside in moved)


def _aside(name: str, stamp: str) -> str:
    """Return the name of what is put aside: `db.sqlite3-wal` must keep its end, or SQLite would not find it.

    >>> _aside("db.sqlite3-wal", "20260912-093000")
    'before-20260912-093000-db.sqlite3-wal'
    """
    return f"before-{stamp}-{name}"


def _write_secret(file: Path, secret: str) -> None:
    file.touch(mode=0o600)
    file.write_text(secret, encoding="ascii")


# ---------------------------------------------------------------- PostgreSQL


def restore_postgresql(source: Source, stage: Path, now: datetime, prove: Prove) -> Restored:
    """Put a backup into the database at DATABASE_URL, to which nobody else is connected.

    The tables that are there are kept aside in a schema of their own. Where the backup does not prove itself everything
    is put back. `stage` is an empty folder for the dump.
    """
    manifest = check_backup(source, database="postgresql")
    dump = stage / "database.dump"
    extract_database(source.file, source.key, dump)
    aside = f"before_{now.strftime(STAMP).replace('-', '_')}"
    _refuse_connected()
    was_empty = not connection.introspection.table_names()
    _run(f'ALTER SCHEMA public RENAME TO "{aside}"', "CREATE SCHEMA public")
    connection.close()
    try:
        run_postgresql(
            "pg_restore", ["--schema=public", "--no-owner", "--single-transaction", "--exit-on-error", str(dump)]
        )
        prove(stage)
        _run(BUMP)
    except Exception:
        _run("DROP SCHEMA public CASCADE", f'ALTER SCHEMA "{aside}" RENAME TO public')
        raise
    if was_empty:
        _run(f'DROP SCHEMA "{aside}"')
    return Restored(manifest, () if was_empty else (f"schema {aside}",))


def _refuse_connected() -> None:
    question = (
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    with connection.cursor() as cursor:
        cursor.execute(question)
        if cursor.fetchone()[0]:
            raise Refused(error("backup.desk_running"))


def _run(*statements: str) -> None:
    from django.db import transaction

    with transaction.atomic(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def playing_of(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tables of rounds that were running, each with its hands and its last one as JSON."""
    return [{**table, "last": json.loads(table["last"]) if table["last"] else None} for table in manifest["playing"]]
