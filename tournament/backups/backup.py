"""Making backups while an event runs: whether one is due, where it goes, which old ones go, and what went wrong.

A folder that cannot be had never stops the desk nor the other folders; it is written down for the desk's page. What is
known stands in a file beside the backups, so that every process tells the same.
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
WELL = frozenset({"", "backup.same_disk"})  # the backup is there; what is said of it is a note
ABANDONED = 3600  # seconds after which what a killed process left is cleared away


@dataclass(frozen=True, slots=True)
class Keeping:
    """What the settings say: the data directory, further folders, the key, and how often; 0 minutes for never."""

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
        """Every folder that backups go to, the own one first."""
        return (self.own, *self.further)


@dataclass(frozen=True, slots=True)
class FolderState:
    """What is known of a folder: its last backup, what the database was then, and the fault of the last attempt."""

    mark: str = ""
    at: str = ""
    file: str = ""
    size: int = 0
    fault: str = ""
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def problem(self) -> Problem | None:
        """The fault of the last attempt, None where it went well."""
        return error(self.fault, **self.params) if self.fault else None


@dataclass(frozen=True, slots=True)
class State:
    """What is known of all folders, when somebody looked last, and whether an event ran then."""

    looked_at: str = ""
    running: bool = False
    folders: dict[str, FolderState] = field(default_factory=dict)

    def of(self, folder: Path) -> FolderState:
        """Return what is known of one folder."""
        return self.folders.get(str(folder), FolderState())


def read_state(keeping: Keeping) -> State:
    """Return what was written down; nothing where it cannot be read."""
    try:
        said = json.loads((keeping.own / STATE).read_text(encoding="utf-8"))
        return State(said["looked_at"], said["running"], {k: FolderState(**v) for k, v in said["folders"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return State()


def back_up(keeping: Keeping, now: datetime, *, always: bool = False) -> State:
    """Make a backup in every folder for which one is due, or in all; return what is now known.

    Due is one while an event runs, and once after its end, if anything was written since that folder's last one.
    """
    before = read_state(keeping)
    mark, running = mark_of_database(), is_event_running()
    wanted = always or running or before.running
    due = [folder for folder in keeping.folders if wanted and (always or _is_due(before.of(folder), mark))]
    made = _make(keeping, due, mark, now) if due else {}
    known = {str(folder): made.get(str(folder), before.of(folder)) for folder in keeping.folders}
    state = State(moment(now), running, known)
    _write_state(keeping, state)
    return state


def _is_due(known: FolderState, mark: str) -> bool:
    return known.fault not in WELL or known.mark != mark


def mark_of_database() -> str:
    """Return a short text that differs as soon as anything was done at any event or at the desk."""
    versions = list(Event.objects.order_by("pk").values_list("pk", "version"))
    last = AuditRow.objects.aggregate(Max("pk"))["pk__max"]
    return hashlib.sha256(repr((versions, last)).encode()).hexdigest()[:16]


def is_event_running() -> bool:
    """Tell whether a round has been started at an event of which not every planned round is released."""
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


def _make(keeping: Keeping, due: Sequence[Path], mark: str, now: datetime) -> dict[str, FolderState]:
    """Take one snapshot and put it into each folder; return what is now known of them."""
    before = read_state(keeping)
    try:
        keeping.own.mkdir(mode=0o700, parents=True, exist_ok=True)
        _clear_abandoned(keeping.own)
        with tempfile.TemporaryDirectory(prefix=MAKING, dir=keeping.own, ignore_cleanup_errors=True) as name:
            file = _sealed_snapshot(keeping, Path(name), now)
            return {str(folder): _put(folder, file, keeping, before.of(folder), mark, now) for folder in due}
    except (OSError, sqlite3.Error, DatabaseError, Refused) as wrong:
        fault = _fault(wrong, keeping.own)
        return {str(folder): _with_fault(before.of(folder), fault) for folder in due}


def _sealed_snapshot(keeping: Keeping, place: Path, now: datetime) -> Path:
    database, file = place / "database", place / name_at(now, sealed=bool(keeping.key))
    manifest = take_snapshot(database, now)
    if keeping.key:
        manifest["secret"] = _secret_of(keeping.data)
    write_container(file, manifest, database, keeping.key)
    database.unlink()
    check_container(file)
    return file


def _secret_of(data: Path) -> str:
    """Return what signs sessions and links, so that they hold on a second laptop; only a sealed file carries it."""
    try:
        return (data / "secret.key").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _put(folder: Path, file: Path, keeping: Keeping, before: FolderState, mark: str, now: datetime) -> FolderState:
    """Copy a backup into a folder, read it there, give it its name, and let old ones go."""
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
    note = _same_disk(folder, keeping)
    made = FolderState(mark, moment(now), file.name, file.stat().st_size)
    return _with_fault(made, note) if note else made


def _refuse_missing(folder: Path) -> None:
    """Refuse a folder that is not there; made here, it would be one on this disk while the stick is not in."""
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
    """Let the new name reach the disk, where a system can say so of a folder."""
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


def _same_disk(folder: Path, keeping: Keeping) -> Problem | None:
    """Return a note on a further folder that lies on the disk of the data, and so goes when that goes."""
    if folder == keeping.own or folder.stat().st_dev != keeping.data.stat().st_dev:
        return None
    return error("backup.same_disk", folder=str(folder))


def _fault(wrong: Exception, folder: Path) -> Problem:
    """Say what went wrong as a code: no place, a stick that is gone, or the system's own words."""
    if isinstance(wrong, Refused):
        return wrong.problems[0]
    said = str(getattr(wrong, "strerror", None) or wrong)
    if "No space left" in said or "disk is full" in said:
        return error("backup.no_space", folder=str(folder))
    return error("backup.failed", folder=str(folder), why=" ".join(said.split())[:200])


def _with_fault(known: FolderState, fault: Problem) -> FolderState:
    params = {key: value for key, value in fault.params.items() if isinstance(value, (str, int))}
    return FolderState(known.mark, known.at, known.file, known.size, fault.code, params)


def _clear_abandoned(folder: Path) -> None:
    """Remove what processes left that were killed while they made one."""
    for path in folder.iterdir():
        with contextlib.suppress(OSError):
            old = path.name.startswith((MAKING, ".hanchan-")) and time.time() - path.stat().st_mtime > ABANDONED
            if old and path.is_dir():
                shutil.rmtree(path)
            elif old:
                path.unlink()


def _write_state(keeping: Keeping, state: State) -> None:
    """Write down what is known; where even that cannot be done the console has it."""
    draft = keeping.own / f".{STATE}.{secrets.token_hex(4)}"
    with contextlib.suppress(OSError):
        keeping.own.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            draft.write_text(json.dumps(asdict(state)), encoding="utf-8")
            draft.replace(keeping.own / STATE)
        finally:
            draft.unlink(missing_ok=True)


def next_at(keeping: Keeping, state: State) -> datetime | None:
    """Return when somebody will look next whether a backup is due; None where nobody does, or no event runs."""
    if not (keeping.minutes and state.running and state.looked_at):
        return None
    return datetime.fromisoformat(state.looked_at) + timedelta(minutes=keeping.minutes)


NEWEST = 12
HOURLY = timedelta(days=1)
DAILY = timedelta(days=31)


def expired(made: Iterable[datetime]) -> list[datetime]:
    """Return the moments of the backups that may go, oldest first; never one of the newest twelve.

    Of an hour or a day the newest stays.
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
