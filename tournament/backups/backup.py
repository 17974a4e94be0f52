"""Backups while an event runs: whether one is due, its folders, rotation, and faults.

A faulty folder stops neither the desk nor the other folders; its fault is in a state file beside the backups, so that
every process shows the same.
"""

import contextlib
import hashlib
import json
import os
import re
import secrets
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.db import DatabaseError
from django.db.models import Count, F, Max, Q

from scoring.problems import Problem, error
from tournament.backups.container import check_container, write_container
from tournament.backups.snapshot import take_snapshot
from tournament.hash_chain import moment
from tournament.models import AuditRow, Event
from tournament.refusal import Refused

NAME = re.compile(r"hanchan-(\d{8}-\d{6})Z(\.encrypted)?\.backup")
STAMP = "%Y%m%d-%H%M%S"
STATE = "state.json"
MAKING = ".making-"
WELL = frozenset({"", "backup.same_disk"})  # the backup was made; same_disk is only a note
ABANDONED = 3600  # seconds until files of a killed process are removed
NEWEST = 12  # kept in any case
HOURLY = timedelta(days=1)  # one an hour is kept for so long
DAILY = timedelta(days=31)


@dataclass(frozen=True, slots=True)
class BackupConfig:
    """The settings of backups: data directory, further folders, key, and the interval, 0 minutes for never."""

    data: Path
    further: tuple[Path, ...] = ()
    key: str = ""
    minutes: int = 5

    @property
    def own(self) -> Path:
        """The folder beside the database."""
        return self.data / "backups"

    @property
    def folders(self) -> tuple[Path, ...]:
        """All folders of backups, the own one first."""
        return (self.own, *self.further)


@dataclass(frozen=True, slots=True)
class FolderState:
    """The state of a folder: its last backup, the database's mark then, and the fault of the last attempt."""

    mark: str = ""
    at: str = ""
    file: str = ""
    size: int = 0
    fault: str = ""
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def problem(self) -> Problem | None:
        """The fault of the last attempt, None for none."""
        return error(self.fault, **self.params) if self.fault else None


@dataclass(frozen=True, slots=True)
class State:
    """The state of all folders, with the moment of the last check and whether an event ran then."""

    looked_at: str = ""
    running: bool = False
    folders: dict[str, FolderState] = field(default_factory=dict)

    def of(self, folder: Path) -> FolderState:
        """Return the state of one folder."""
        return self.folders.get(str(folder), FolderState())


def read_state(config: BackupConfig) -> State:
    """Return the stored state; an empty one where it is unreadable."""
    try:
        values = json.loads((config.own / STATE).read_text(encoding="utf-8"))
        return State(
            values["looked_at"], values["running"], {k: FolderState(**v) for k, v in values["folders"].items()}
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return State()


def back_up(config: BackupConfig, now: datetime, *, always: bool = False) -> State:
    """Make a backup in every folder for which one is due, or in all; return the new state.

    One is due while an event runs, and once after its end, if anything was written since that folder's last one.
    """
    before = read_state(config)
    mark, running = mark_of_database(), is_event_running()
    wanted = always or running or before.running
    due = [folder for folder in config.folders if wanted and (always or _is_due(before.of(folder), mark))]
    made = _make(config, due, mark, now) if due else {}
    known = {str(folder): made.get(str(folder), before.of(folder)) for folder in config.folders}
    state = State(moment(now), running, known)
    _write_state(config, state)
    return state


def _is_due(known: FolderState, mark: str) -> bool:
    return known.fault not in WELL or known.mark != mark


def mark_of_database() -> str:
    """Return a short hash that changes with every act at any event or at the desk."""
    versions = list(Event.objects.order_by("pk").values_list("pk", "version"))
    last = AuditRow.objects.aggregate(Max("pk"))["pk__max"]
    return hashlib.sha256(repr((versions, last)).encode()).hexdigest()[:16]


def is_event_running() -> bool:
    """Tell whether an event has a started round and a planned round that is not released."""
    counted = Event.objects.annotate(
        started=Count("rounds", filter=Q(rounds__started_at__isnull=False)),
        open=Count("rounds", filter=Q(rounds__released_at__isnull=True)),
        released=Count("rounds", filter=Q(rounds__released_at__isnull=False)),
    )
    return counted.filter(started__gt=0).filter(Q(open__gt=0) | Q(released__lt=F("rounds_planned"))).exists()


def list_backups(folder: Path) -> list[tuple[datetime, Path]]:
    """Return the backups of a folder by their names, newest first; raises OSError where it cannot be read."""
    found = [(match[1], path) for path in folder.iterdir() if (match := NAME.fullmatch(path.name))]
    moments = [(_read_stamp(stamp), path) for stamp, path in found]
    return sorted(((at, path) for at, path in moments if at is not None), key=lambda each: each[0], reverse=True)


def newest_backup_at(folder: Path) -> datetime | None:
    """Return when the newest backup of a folder was made; None where there is none, or no such folder."""
    found = list_backups(folder) if folder.is_dir() else []
    return found[0][0] if found else None


def _read_stamp(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(stamp, STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


def name_at(at: datetime, *, sealed: bool) -> str:
    """Return the name of a backup's file.

    >>> name_at(datetime(2026, 9, 12, 9, 30, tzinfo=UTC), sealed=True)
    'hanchan-20260912-093000Z.encrypted.backup'
    """
    return f"hanchan-{at.astimezone(UTC).strftime(STAMP)}Z{'.encrypted' if sealed else ''}.backup"


def _make(config: BackupConfig, due: Sequence[Path], mark: str, now: datetime) -> dict[str, FolderState]:
    """Put one snapshot into each folder; return their states."""
    before = read_state(config)
    try:
        config.own.mkdir(mode=0o700, parents=True, exist_ok=True)
        _clear_abandoned(config.own)
        with tempfile.TemporaryDirectory(prefix=MAKING, dir=config.own, ignore_cleanup_errors=True) as name:
            file = _sealed_snapshot(config, Path(name), now)
            return {str(folder): _put(folder, file, config, before.of(folder), mark, now) for folder in due}
    except (OSError, sqlite3.Error, DatabaseError, Refused) as wrong:
        fault = _fault(wrong, config.own)
        return {str(folder): _with_fault(before.of(folder), fault) for folder in due}


def _sealed_snapshot(config: BackupConfig, place: Path, now: datetime) -> Path:
    database, file = place / "database", place / name_at(now, sealed=bool(config.key))
    manifest = take_snapshot(database, now)
    if config.key:
        manifest["secret"] = _secret_of(config.data)
    write_container(file, manifest, database, config.key)
    database.unlink()
    check_container(file)
    return file


def _secret_of(data: Path) -> str:
    """Return the key that signs sessions and links, so that a second laptop accepts them; for sealed files only."""
    try:
        return (data / "secret.key").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _put(folder: Path, file: Path, config: BackupConfig, before: FolderState, mark: str, now: datetime) -> FolderState:
    """Copy a backup into a folder, check the copy, give it its name, and delete expired ones."""
    draft = folder / f".{file.name}.{secrets.token_hex(4)}.part"
    try:
        _refuse_missing(folder)
        _copy_durably(file, draft)
        check_container(draft)
        draft.replace(folder / file.name)
        _sync_folder(folder)
        _rotate(folder)
    except (OSError, Refused) as wrong:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        return _with_fault(before, _fault(wrong, folder))
    note = _same_disk(folder, config)
    made = FolderState(mark, moment(now), file.name, file.stat().st_size)
    return _with_fault(made, note) if note else made


def _refuse_missing(folder: Path) -> None:
    """Raise Refused for a missing folder: made here, it would be on this disk while the USB stick is out."""
    if not folder.is_dir():
        raise Refused(error("backup.folder_missing", folder=str(folder)))


def _copy_durably(file: Path, to: Path) -> None:
    with file.open("rb") as source, to.open("xb") as out:
        with contextlib.suppress(OSError):  # a stick's file system knows no owners
            to.chmod(0o600)
        shutil.copyfileobj(source, out, 1024 * 1024)
        out.flush()
        os.fsync(out.fileno())


def _sync_folder(folder: Path) -> None:
    """Flush the new name to the disk, where the system can do that for a folder."""
    with contextlib.suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _rotate(folder: Path) -> None:
    found = list_backups(folder)
    gone = set(expired(at for at, _path in found))
    for at, path in found:
        if at in gone:
            path.unlink(missing_ok=True)


def expired(made: Iterable[datetime]) -> list[datetime]:
    """Return the moments of the backups to delete, oldest first: all but the newest twelve and one an hour and a day.

    Ages count from the newest backup, so that a wrong clock alone deletes nothing.
    """
    newest_first = sorted(set(made), reverse=True)
    kept = set(newest_first[:NEWEST])
    seen: set[tuple[int, ...]] = set()
    for made_at in newest_first:
        age = newest_first[0] - made_at
        slots: list[tuple[int, ...]] = []
        if age <= HOURLY:
            slots.append((made_at.year, made_at.month, made_at.day, made_at.hour))
        if age <= DAILY:
            slots.append((made_at.year, made_at.month, made_at.day))
        for slot in slots:
            if slot not in seen:
                seen.add(slot)
                kept.add(made_at)
    return [made_at for made_at in reversed(newest_first) if made_at not in kept]


def _same_disk(folder: Path, config: BackupConfig) -> Problem | None:
    """Return a note on a further folder on the disk of the data, which fails together with it."""
    if folder == config.own or folder.stat().st_dev != config.data.stat().st_dev:
        return None
    return error("backup.same_disk", folder=str(folder))


def _fault(wrong: Exception, folder: Path) -> Problem:
    """Return an exception as a problem: no space, a missing folder, or the system's own words."""
    if isinstance(wrong, Refused):
        return wrong.problems[0]
    text = str(getattr(wrong, "strerror", None) or wrong)
    if "No space left" in text or "disk is full" in text:
        return error("backup.no_space", folder=str(folder))
    return error("backup.failed", folder=str(folder), why=" ".join(text.split())[:200])


def _with_fault(known: FolderState, fault: Problem) -> FolderState:
    params = {key: value for key, value in fault.params.items() if isinstance(value, (str, int))}
    return FolderState(known.mark, known.at, known.file, known.size, fault.code, params)


def _clear_abandoned(folder: Path) -> None:
    """Remove files of processes that were killed during a backup."""
    for path in folder.iterdir():
        with contextlib.suppress(OSError):
            old = path.name.startswith((MAKING, ".hanchan-")) and time.time() - path.stat().st_mtime > ABANDONED
            if old and path.is_dir():
                shutil.rmtree(path)
            elif old:
                path.unlink()


def _write_state(config: BackupConfig, state: State) -> None:
    """Store the state; where that fails, too, the console shows it."""
    draft = config.own / f".{STATE}.{secrets.token_hex(4)}"
    with contextlib.suppress(OSError):
        config.own.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            draft.write_text(json.dumps(asdict(state)), encoding="utf-8")
            draft.replace(config.own / STATE)
        finally:
            draft.unlink(missing_ok=True)


def next_at(config: BackupConfig, state: State) -> datetime | None:
    """Return the moment of the next check for a due backup; None without checks or without a running event."""
    if not (config.minutes and state.running and state.looked_at):
        return None
    return datetime.fromisoformat(state.looked_at) + timedelta(minutes=config.minutes)
