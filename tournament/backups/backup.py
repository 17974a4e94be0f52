"""Backups of a desk: make them, name them, delete old ones, and the state of their folders.

A name is `hanchan-DESK-NUMBER-STAMP.backup`: the desk's id, its running number, and the time in UTC. The number decides
the order, not the clock: a wrong clock deletes nothing. `.before-update` marks one that was made before a migration:
the backups of an event's day never push it out. Who was forgotten is listed beside the backups, because an older backup
would bring them back.
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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import Count, F, Max, Q

from scoring.problems import Problem, ProblemType
from tournament.archive.verify import verify_all
from tournament.backups.container import check_container, kept_until, take_snapshot, write_container
from tournament.core.errors import DomainError
from tournament.core.hash_chain import moment
from tournament.core.models import AuditRow
from tournament.events.models import Event, Play
from tournament.players.models import Player
from tournament.privacy.queries import get_backup_kept_until
from tournament.signup.models import SignUp

NAME = re.compile(r"hanchan-(?:([0-9a-f]{8})-(\d{6,})-)?(\d{8}-\d{6})Z(\.before-update)?(?:\.encrypted)?\.backup")
STAMP = "%Y%m%d-%H%M%S"
NEWEST = 12  # kept in any case
HOURLY = timedelta(days=1)  # one an hour is kept for so long
DAILY = timedelta(days=31)
UPDATES = 3  # of the newest backups from before updates are kept


@dataclass(frozen=True, slots=True)
class Kept:
    """A backup in a folder: its desk ("" and number 0 before the numbers), and its time by that desk's clock."""

    path: Path
    desk: str
    number: int
    at: datetime
    before_update: bool = False


def name_at(at: datetime, desk: str, number: int, *, sealed: bool, before_update: bool = False) -> str:
    """Return the name of a backup's file.

    >>> name_at(datetime(2026, 9, 12, 9, 30, tzinfo=UTC), "0d2f00aa", 7, sealed=True)
    'hanchan-0d2f00aa-000007-20260912-093000Z.encrypted.backup'
    """
    stamp = at.astimezone(UTC).strftime(STAMP)
    marks = (".before-update" if before_update else "") + (".encrypted" if sealed else "")
    return f"hanchan-{desk}-{number:06d}-{stamp}Z{marks}.backup"


def list_backups(folder: Path) -> list[Kept]:
    """Return the backups of a folder, newest first by number; raises OSError where it cannot be read.

    The number goes on where a backup is restored, so it orders the backups of both laptops.
    """
    return sorted(_found(folder), key=lambda kept: (kept.number, kept.at), reverse=True)


def _found(folder: Path) -> Iterator[Kept]:
    for path in folder.iterdir():
        match = NAME.fullmatch(path.name)
        at = _read_stamp(match[3]) if match else None
        if match and at:
            yield Kept(path, match[1] or "", int(match[2] or 0), at, bool(match[4]))


def newest_backup_at(folder: Path) -> datetime | None:
    """Return when the newest backup of a folder was made; None where there is none, or no such folder."""
    found = list_backups(folder) if folder.is_dir() else []
    return found[0].at if found else None


def _read_stamp(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(stamp, STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


def rotate(folder: Path, desk: str) -> None:
    """Delete the expired backups of this desk; those of another desk on the same stick are not ours to delete."""
    own = [kept for kept in list_backups(folder) if kept.desk in (desk, "")]
    regular = [kept for kept in own if not kept.before_update]
    outdated = [regular[position] for position in expired([kept.at for kept in regular])]
    for kept in [*outdated, *[kept for kept in own if kept.before_update][UPDATES:]]:
        kept.path.unlink(missing_ok=True)


def delete_outdated(folder: Path, desk: str, today: date) -> None:
    """Delete this desk's backups that may be kept no longer, for the people in them; never its newest."""
    with contextlib.suppress(OSError):  # a stick that is out
        own = [kept for kept in list_backups(folder) if kept.desk == desk]
        for kept in own[1:]:
            with contextlib.suppress(DomainError, ValueError):  # damaged: rotation takes it
                until = kept_until(kept.path)
                if until and until < today:
                    kept.path.unlink(missing_ok=True)


def expired(newest_first: Sequence[datetime]) -> list[int]:
    """Return the positions of the backups to delete: all but the newest twelve and one an hour and a day.

    Ages count from the newest backup, before or after it: a clock that was wrong makes some look old, and the newest
    by number are kept whatever their time.
    """
    kept = set(range(min(NEWEST, len(newest_first))))
    seen: set[tuple[int, ...]] = set()
    for position, made_at in enumerate(newest_first):
        age = abs(newest_first[0] - made_at)
        slots: list[tuple[int, ...]] = []
        if age <= HOURLY:
            slots.append((made_at.year, made_at.month, made_at.day, made_at.hour))
        if age <= DAILY:
            slots.append((made_at.year, made_at.month, made_at.day))
        for slot in slots:
            if slot not in seen:
                seen.add(slot)
                kept.add(position)
    return [position for position in range(len(newest_first)) if position not in kept]


FILE = "forgotten.json"
FILE_OF_SIGN_UPS = "forgotten-sign-ups.json"
Named = tuple[str, int]  # the event's address and the number of a player or a sign-up


def write_forgotten(folders: Iterable[Path]) -> None:
    """Add those of this database who are forgotten to the lists in each folder that is there."""
    columns = ("event__slug", "number")
    gone = {
        FILE: set(Player.objects.filter(person__forgotten_at__isnull=False).values_list(*columns)),
        FILE_OF_SIGN_UPS: set(SignUp.objects.filter(erased_at__isnull=False).values_list(*columns)),
    }
    for folder in folders:
        for file, named in gone.items():
            with contextlib.suppress(OSError):  # a stick that is out: the next backup writes it
                known = _read(folder / file)
                if folder.is_dir() and named - known:
                    _write(folder / file, sorted(known | named))


def list_to_forget_again(folders: Iterable[Path]) -> list[Player]:
    """Return the players of this database whom a list names and who are known by name."""
    named = _named(folders, FILE)
    known = Player.objects.filter(person__forgotten_at=None, event__slug__in={event for event, _ in named})
    return [each for each in known.select_related("person", "event") if (each.event.slug, each.number) in named]


def list_sign_ups_to_erase_again(folders: Iterable[Path]) -> list[SignUp]:
    """Return the sign-ups of this database that a list names and that are still known."""
    named = _named(folders, FILE_OF_SIGN_UPS)
    known = SignUp.objects.filter(erased_at=None, event__slug__in={event for event, _ in named})
    return [each for each in known.select_related("event") if (each.event.slug, each.number) in named]


def _named(folders: Iterable[Path], file: str) -> set[Named]:
    return set[Named]().union(*(_read(folder / file) for folder in folders))


def _read(file: Path) -> set[Named]:
    """Return a list; empty where there is none or it cannot be read."""
    try:
        return {(str(event), int(number)) for event, number in json.loads(file.read_text("utf-8"))}
    except (OSError, ValueError, TypeError):
        return set()


def _write(file: Path, content: Any) -> None:
    """Write plain values into a file, whole or not at all."""
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        draft.write_text(json.dumps(content), encoding="utf-8")
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


BACKUP_FOLDER_MISSING = ProblemType(
    "backup.folder_missing",
    "The folder {folder} is not there. If it is a USB stick: is it plugged in? The other backups go on.",
)
BACKUP_SAME_DISK = ProblemType(
    "backup.same_disk",
    "The folder {folder} is on the same disk as the desk's data: when that disk breaks both are gone. Is the USB "
    "stick plugged in?",
)
BACKUP_NO_SPACE = ProblemType(
    "backup.no_space", "There is no space left for a backup in {folder}. Make room; the desk tries again automatically."
)
BACKUP_FAILED = ProblemType("backup.failed", "{folder} cannot be used: {why}.")
BACKUP_CHAINS_BROKEN = ProblemType(
    "backup.chains_broken",
    "The backup is made, but the record in it is broken in {count} places: `manage.py verify_ledger` names them. "
    "Keep the older backups.",
)

STATE = "state.json"
MAKING = ".making-"
WELL = frozenset({"", "backup.same_disk"})  # the backup was made; same_disk is only a note
OLD_DATABASE_DAYS = 92  # a backup of a database that cannot say how long its people may be kept is kept so long
ABANDONED = 3600  # seconds until files of a killed process are removed


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
        return Problem(self.fault, self.params) if self.fault else None


@dataclass(frozen=True, slots=True)
class State:
    """The state of all folders, with the moment of the last check and whether an event ran then.

    `desk` is the id of this data folder, and `number` that of its last backup; a restore goes on counting from there.
    """

    looked_at: str = ""
    running: bool = False
    folders: dict[str, FolderState] = field(default_factory=dict)
    desk: str = ""
    number: int = 0

    def of(self, folder: Path) -> FolderState:
        """Return the state of one folder."""
        return self.folders.get(str(folder), FolderState())


def read_state(config: BackupConfig) -> State:
    """Return the stored state; an empty one where it is unreadable."""
    try:
        values = json.loads((config.own / STATE).read_text(encoding="utf-8"))
        folders = {k: FolderState(**v) for k, v in values["folders"].items()}
        return State(values["looked_at"], values["running"], folders, values.get("desk", ""), values.get("number", 0))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return State()


def back_up(config: BackupConfig, now: datetime, *, always: bool = False) -> State:
    """Make a backup in every folder for which one is due, or in all; return the new state.

    One is due while an event runs, and once after its end, if anything was written since that folder's last one.
    """
    before = read_state(config)
    mark, running = mark_of_database(), is_event_running()
    wanted = always or running or before.running
    known = {folder: before.of(folder) for folder in config.folders}
    due = [
        folder
        for folder, state in known.items()
        if wanted and (always or state.fault not in WELL or state.mark != mark)
    ]
    desk, number = before.desk or secrets.token_hex(4), before.number
    made = {}
    if due:
        number = _next_number(config, desk, number)
        made = _make(config, due, Made(mark, desk, number, now))
    if made:
        write_forgotten(config.folders)
    for folder in config.folders:
        delete_outdated(folder, desk, now.date())
    folders = {str(folder): made.get(str(folder), state) for folder, state in known.items()}
    state = State(moment(now), running, folders, desk, number)
    _write_state(config, state)
    return state


def back_up_before_update(config: BackupConfig, now: datetime, folders: Sequence[Path]) -> State:
    """Make a backup of a database that waits for migrations, in these folders; return their states.

    The models do not fit such a database, so its chains are not walked.
    """
    before = read_state(config)
    desk = before.desk or secrets.token_hex(4)
    number = _next_number(config, desk, before.number)
    made = _make(config, folders, Made("", desk, number, now, before_update=True))
    _write_state(config, replace(before, desk=desk, number=number))
    return replace(before, folders=made)


def _next_number(config: BackupConfig, desk: str, last: int) -> int:
    """Return the number of the next backup, also where the state file was lost."""
    with contextlib.suppress(OSError):
        last = max([last, *(kept.number for kept in list_backups(config.own) if kept.desk == desk)])
    return last + 1


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
    to_come = Q(released__lt=F("rounds_planned"), play=Play.ROUNDS)
    return counted.filter(started__gt=0).filter(Q(open__gt=0) | to_come).exists()


@dataclass(frozen=True, slots=True)
class Made:
    """A backup in the making: the database's mark, the desk and number of its name, and its time."""

    mark: str
    desk: str
    number: int
    at: datetime
    before_update: bool = False


def _make(config: BackupConfig, due: Sequence[Path], made: Made) -> dict[str, FolderState]:
    """Put one snapshot into each folder; return their states."""
    before = read_state(config)
    try:
        config.own.mkdir(mode=0o700, parents=True, exist_ok=True)
        _clear_abandoned(config.own)
        with tempfile.TemporaryDirectory(prefix=MAKING, dir=config.own, ignore_cleanup_errors=True) as name:
            file = _sealed_snapshot(config, Path(name), made)
            put = {str(folder): _put(folder, file, config, before.of(folder), made) for folder in due}
            return put if made.before_update else _with_broken_chains(put)
    except (OSError, sqlite3.Error, DatabaseError, DomainError) as wrong:
        fault = _fault(wrong, config.own)
        return {str(folder): _with_fault(before.of(folder), fault) for folder in due}


def _with_broken_chains(put: dict[str, FolderState]) -> dict[str, FolderState]:
    """Walk the chains of what was copied, and tell what is broken: an older backup may still be whole."""
    broken = len(verify_all().problems)
    fault = BACKUP_CHAINS_BROKEN(count=broken)
    return {
        folder: _with_fault(known, fault) if broken and known.fault in WELL else known for folder, known in put.items()
    }


def _sealed_snapshot(config: BackupConfig, place: Path, made: Made) -> Path:
    database = place / "database"
    sealed, before_update = bool(config.key), made.before_update
    file = place / name_at(made.at, made.desk, made.number, sealed=sealed, before_update=before_update)
    until = _kept_until_of_old(made.at.date()) if before_update else get_backup_kept_until(made.at.date())
    manifest = {**take_snapshot(database, made.at), "desk": made.desk, "number": made.number}
    manifest["keep_until"] = until.isoformat() if until else None
    if config.key:
        manifest["secret"] = _secret_of(config.data)
    write_container(file, manifest, database, config.key)
    database.unlink()
    check_container(file)
    return file


def _kept_until_of_old(today: date) -> date | None:
    """Return until when a backup of an older database may be kept, as far as that database can say it."""
    try:
        with transaction.atomic():
            return get_backup_kept_until(today)
    except DatabaseError:
        return today + timedelta(days=OLD_DATABASE_DAYS)


def _secret_of(data: Path) -> str:
    """Return the key that signs sessions and links, so that a second laptop accepts them; for sealed files only."""
    try:
        return (data / "secret.key").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _put(folder: Path, file: Path, config: BackupConfig, before: FolderState, made: Made) -> FolderState:
    """Copy a backup into a folder, check the copy, give it its name, and delete expired ones."""
    draft = folder / f".{file.name}.{secrets.token_hex(4)}.part"
    try:
        if not folder.is_dir():  # made here, it would be on this disk while the USB stick is out
            return _with_fault(before, BACKUP_FOLDER_MISSING(folder=str(folder)))
        with file.open("rb") as source, draft.open("xb") as out:
            with contextlib.suppress(OSError):  # a stick's file system knows no owners
                draft.chmod(0o600)
            shutil.copyfileobj(source, out, 1024 * 1024)
            out.flush()
            os.fsync(out.fileno())
        check_container(draft)
        draft.replace(folder / file.name)
        _sync_folder(folder)
        rotate(folder, made.desk)
    except (OSError, DomainError) as wrong:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        return _with_fault(before, _fault(wrong, folder))
    new = FolderState(made.mark, moment(made.at), file.name, file.stat().st_size)
    if folder != config.own and folder.stat().st_dev == config.data.stat().st_dev:  # it fails together with the data
        return _with_fault(new, BACKUP_SAME_DISK(folder=str(folder)))
    return new


def _sync_folder(folder: Path) -> None:
    """Flush the new name to the disk, where the system can do that for a folder."""
    with contextlib.suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _fault(wrong: Exception, folder: Path) -> Problem:
    """Return an exception as a problem: no space, a missing folder, or the system's own words."""
    if isinstance(wrong, DomainError):
        return wrong.problems[0]
    text = str(getattr(wrong, "strerror", None) or wrong)
    if "No space left" in text or "disk is full" in text:
        return BACKUP_NO_SPACE(folder=str(folder))
    return BACKUP_FAILED(folder=str(folder), why=" ".join(text.split())[:200])


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
    with contextlib.suppress(OSError):
        config.own.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(config.own / STATE, asdict(state))


def go_on_from(config: BackupConfig, number: int) -> None:
    """Set the number from which this desk goes on, so that numbers order the backups of both laptops."""
    state = read_state(config)
    _write_state(config, replace(state, desk=state.desk or secrets.token_hex(4), number=max(state.number, number)))


def next_at(config: BackupConfig, state: State) -> datetime | None:
    """Return the moment of the next check for a due backup; None without checks or without a running event."""
    if not (config.minutes and state.running and state.looked_at):
        return None
    return datetime.fromisoformat(state.looked_at) + timedelta(minutes=config.minutes)
