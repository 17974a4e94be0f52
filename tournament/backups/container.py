"""The file of a backup: a consistent copy of the database with a manifest, encrypted if there is a key.

Both are of one moment, copied by SQLite's online backup or pg_dump, which block no writer. Sessions, one-time links and
counted attempts, which let somebody in, are never in it.
"""

import datetime as dt
import glob
import hashlib
import json
import os
import secrets
import shutil
import sqlite3
import struct
import subprocess
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from django.db import connection, transaction

from scoring.problems import ProblemType
from tournament.core.errors import DomainError
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
    """Write the database to a new file and return its manifest; raises DomainError where the copy is not sound."""
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
        raise DomainError(STORAGE_REPLACED())
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
    """Run SQLite's integrity check; raises DomainError for a damaged database."""
    try:
        found = database.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.DatabaseError:
        found = None
    if found != ("ok",):
        raise DomainError(BACKUP_DATABASE_DAMAGED())


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
    """Run a PostgreSQL program on the desk's database; raises DomainError with its error output."""
    place = connection.settings_dict
    found = shutil.which(program) or max(glob.glob(f"/usr/lib/postgresql/*/bin/{program}"), default="")  # noqa: PTH207
    if not found:
        raise DomainError(BACKUP_NO_PROGRAM(program=program))
    address = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    environment = {**os.environ, **{name: str(place[key]) for name, key in address.items() if place[key]}}
    if program == "pg_restore":
        options = [f"--dbname={place['NAME']}", *options]
    done = subprocess.run([found, *options], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise DomainError(BACKUP_PROGRAM_FAILED(program=program, why=" ".join(done.stderr.split())[:300]))


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


TABLES = (
    "tournament_desksession",
    "tournament_entrylink",
    "tournament_tries",
    "axes_accessattempt",  # of a desk that is not migrated yet
    "axes_accessattemptexpiration",
    "axes_accesslog",
    "axes_accessfailurelog",
)


def delete_sign_ins(execute: Callable[[str], Any], tables: set[str]) -> None:
    """Empty those of TABLES that a database has, by its `execute`."""
    for name in TABLES:
        if name in tables:
            execute(f"DELETE FROM {name}")  # noqa: S608 - our own names


BACKUP_UNREADABLE = ProblemType("backup.unreadable", "{file} cannot be read: {why}.")
BACKUP_NO_BACKUP = ProblemType("backup.no_backup", "{file} is not a backup of Hanchan Desk.")
BACKUP_CUT_SHORT = ProblemType(
    "backup.cut_short", "{file} is cut short: its end is missing. Nothing was changed; take another backup."
)
BACKUP_DAMAGED = ProblemType(
    "backup.damaged", "{file} is damaged: it is not as it was written. Nothing was changed; take another backup."
)
BACKUP_NEWER = ProblemType(
    "backup.newer", "{file} was made by a newer Hanchan Desk than this one. Nothing was changed; update this one first."
)
BACKUP_KEY_NEEDED = ProblemType(
    "backup.key_needed", "{file} is encrypted: give its key with --key or HANCHAN_BACKUP_KEY."
)
BACKUP_WRONG_KEY = ProblemType("backup.wrong_key", "{file} does not open with this key. Nothing was changed.")

MAGIC = b"HANCHAN BACKUP\n"
FORMAT = 1
CHUNK = 1024 * 1024  # bytes of the database in one frame
LARGEST_FRAME = CHUNK + 64 * 1024  # compressed badly and sealed
LARGEST_HEADER = 1000
LARGEST_MANIFEST = 16 * 1024 * 1024
END = 32  # bytes of the SHA-256 that closes the file
LENGTH = struct.Struct(">I")
PLAIN, SEALED = "none", "aes-256-gcm"


@dataclass(frozen=True, slots=True)
class Seal:
    """The encryption of frames: AES-256-GCM with a number for each frame, or none."""

    header: bytes
    key: AESGCM | None
    nonce: bytes  # 7 bytes; the frame's number and whether it is the last complete them

    def close(self, data: bytes, number: int, *, last: bool) -> bytes:
        """Compress and encrypt a frame."""
        packed = zlib.compress(data, 6)
        return self.key.encrypt(self._nonce(number, last=last), packed, self.header) if self.key else packed

    def open(self, frame: bytes, number: int, *, last: bool, most: int = CHUNK) -> bytes:
        """Decrypt and decompress a frame; raises InvalidTag, zlib.error or ValueError."""
        packed = self.key.decrypt(self._nonce(number, last=last), frame, self.header) if self.key else frame
        reader = zlib.decompressobj()
        data = reader.decompress(packed, most)
        if not reader.eof or reader.unused_data:
            raise ValueError("the frame is longer than it may be")
        return data

    def _nonce(self, number: int, *, last: bool) -> bytes:
        return self.nonce + LENGTH.pack(number) + bytes([last])


def write_container(file: Path, manifest: dict[str, Any], database: Path, key: str) -> None:
    """Write a backup durably, unencrypted with an empty `key`."""
    seal = _new_seal(key, manifest.get("keep_until"))
    digest = hashlib.sha256()
    with database.open("rb") as source, file.open("xb") as out:

        def write(data: bytes) -> None:
            digest.update(data)
            out.write(data)

        write(MAGIC + seal.header)
        for number, (data, last) in enumerate(_frames(manifest, source)):
            frame = seal.close(data, number, last=last)
            write(LENGTH.pack(len(frame)) + frame)
        write(LENGTH.pack(0))
        out.write(digest.digest())
        out.flush()
        os.fsync(out.fileno())


def check_container(file: Path) -> None:
    """Check the whole file by its checksum, without a key; raises DomainError."""
    with _reading(file) as source:
        digest = hashlib.sha256()
        header = _header(source, digest)
        _mode(header)
        while frame := _frame(source, digest):
            del frame
        end = source.read(END + 1)
        if len(end) < END:
            raise DomainError(BACKUP_CUT_SHORT(file=file.name))
        if end != digest.digest():
            raise DomainError(BACKUP_DAMAGED(file=file.name))


def read_manifest(file: Path, key: str) -> dict[str, Any]:
    """Return the manifest of a checked backup; raises DomainError for a wrong key and for what is no manifest."""
    with _reading(file) as source:
        seal = _seal_of(source, key, file)
        text = _opened(seal, _frame(source), 0, last=False, file=file, most=LARGEST_MANIFEST)
    try:
        manifest: Any = json.loads(text)
    except (ValueError, RecursionError):
        manifest = None
    if not isinstance(manifest, dict):
        raise DomainError(BACKUP_DAMAGED(file=file.name))
    if manifest.get("format") != FORMAT:
        raise DomainError(BACKUP_NEWER(file=file.name))
    return manifest


def extract_database(file: Path, key: str, into: Path) -> None:
    """Write the database of a backup to a new file; raises DomainError where its hash is not the manifest's."""
    manifest = read_manifest(file, key)
    digest = hashlib.sha256()
    with _reading(file) as source, into.open("xb") as out:
        seal = _seal_of(source, key, file)
        _frame(source)
        frame, number = _frame(source), 1
        while frame:
            following = _frame(source)
            data = _opened(seal, frame, number, last=not following, file=file)
            digest.update(data)
            out.write(data)
            frame, number = following, number + 1
        out.flush()
        os.fsync(out.fileno())
    if digest.hexdigest() != manifest.get("sha256"):
        raise DomainError(BACKUP_DAMAGED(file=file.name))


def is_sealed(file: Path) -> bool:
    """Tell whether a checked backup is encrypted: only who has the key can have made it."""
    with _reading(file) as source:
        return _mode(_header(source)) == SEALED


def kept_until(file: Path) -> dt.date | None:
    """Return the day after which a backup may be kept no longer, without a key; None for no end. Raises DomainError."""
    with _reading(file) as source:
        day = _header(source).get("keep_until")
    return dt.date.fromisoformat(day) if isinstance(day, str) else None


def _frames(manifest: dict[str, Any], source: IO[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield the manifest, then the database in chunks, each with whether it is the last."""
    yield json.dumps(manifest, ensure_ascii=False).encode(), False
    data = source.read(CHUNK)
    while True:
        following = source.read(CHUNK)
        yield data, not following
        if not following:
            return
        data = following


def _new_seal(key: str, keep_until: str | None) -> Seal:
    """Make the seal; its header repeats the manifest's last day, which a desk without the key must read, too."""
    until = {"keep_until": keep_until} if keep_until else {}
    if not key:
        return Seal(_header_line({"format": FORMAT, "cipher": PLAIN, **until}), None, b"")
    salt, nonce = secrets.token_bytes(16), secrets.token_bytes(7)
    header = {"format": FORMAT, "cipher": SEALED, "salt": salt.hex(), "nonce": nonce.hex(), **until}
    return Seal(_header_line(header), AESGCM(_derived(key, salt)), nonce)


def _seal_of(source: IO[bytes], key: str, file: Path) -> Seal:
    """Read the header and return the seal of the frames; raises DomainError for a missing key."""
    header = _header(source)
    if _mode(header) == PLAIN:
        return Seal(_header_line(header), None, b"")
    if not key:
        raise DomainError(BACKUP_KEY_NEEDED(file=file.name))
    salt, nonce = bytes.fromhex(header["salt"]), bytes.fromhex(header["nonce"])
    return Seal(_header_line(header), AESGCM(_derived(key, salt)), nonce)


@lru_cache(maxsize=1)  # one file is opened more than once: to check, prove and restore
def _derived(key: str, salt: bytes) -> bytes:
    """Derive 256 bits from a passphrase by scrypt: 32 MB and a tenth of a second make guessing slow."""
    return Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(key.encode())


def _header_line(header: dict[str, Any]) -> bytes:
    return json.dumps(header, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def _header(source: IO[bytes], digest: Any = None) -> dict[str, Any]:
    """Read the first two lines; raises DomainError unless they are those of a known backup version."""
    name = Path(source.name).name
    start = source.read(len(MAGIC))
    if start != MAGIC:
        raise DomainError((BACKUP_CUT_SHORT if MAGIC.startswith(start) else BACKUP_NO_BACKUP)(file=name))
    line = source.readline(LARGEST_HEADER)
    if not line.endswith(b"\n"):
        raise DomainError((BACKUP_CUT_SHORT if len(line) < LARGEST_HEADER else BACKUP_DAMAGED)(file=name))
    if digest is not None:
        digest.update(start + line)
    try:
        header = json.loads(line)
        number = int(header["format"])
    except (ValueError, KeyError, TypeError):
        raise DomainError(BACKUP_DAMAGED(file=name)) from None
    if number > FORMAT:
        raise DomainError(BACKUP_NEWER(file=name))
    if _header_line(header) != line or _mode(header) is None:
        raise DomainError(BACKUP_DAMAGED(file=name))
    return dict(header)


def _mode(header: dict[str, Any]) -> str | None:
    """Return the cipher of a header, None for an invalid one."""
    if header.get("cipher") == PLAIN:
        return PLAIN
    try:
        sizes = [len(bytes.fromhex(header[name])) for name in ("salt", "nonce")]
    except (KeyError, ValueError, TypeError):
        return None
    return SEALED if header.get("cipher") == SEALED and sizes == [16, 7] else None


def _frame(source: IO[bytes], digest: Any = None) -> bytes:
    """Read the next frame, b"" after the last; raises DomainError where the file ends before."""
    name = Path(source.name).name
    length = source.read(LENGTH.size)
    if len(length) < LENGTH.size:
        raise DomainError(BACKUP_CUT_SHORT(file=name))
    size = LENGTH.unpack(length)[0]
    if size > max(LARGEST_FRAME, LARGEST_MANIFEST):
        raise DomainError(BACKUP_DAMAGED(file=name))
    frame = source.read(size)
    if len(frame) < size:
        raise DomainError(BACKUP_CUT_SHORT(file=name))
    if digest is not None:
        digest.update(length + frame)
    return frame


def _opened(seal: Seal, frame: bytes, number: int, *, last: bool, file: Path, most: int = CHUNK) -> bytes:
    try:
        return seal.open(frame, number, last=last, most=most)
    except InvalidTag:
        raise DomainError(BACKUP_WRONG_KEY(file=file.name)) from None
    except (ValueError, zlib.error):
        raise DomainError(BACKUP_DAMAGED(file=file.name)) from None


def _reading(file: Path) -> IO[bytes]:
    """Open a file to read; raises DomainError with the system's own words."""
    try:
        return file.open("rb")
    except OSError as wrong:
        raise DomainError(BACKUP_UNREADABLE(file=str(file), why=wrong.strerror or "")) from wrong
