"""The thread that makes backups and event files beside a serving desk, and forgets what may be kept no longer.

A fault is reported once and tried again.
An event's file is what `export_event` writes, after each round; never within a verb: a full disk stops no release.
"""

import contextlib
import os
import secrets
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path

from django.db import connection
from django.utils import timezone

from scoring.problems import Problem, ProblemType
from tournament.archive.queries import get_event_file
from tournament.backups.backup import BACKUP_FAILED, BackupConfig, State, back_up
from tournament.backups.container import STORAGE_REPLACED
from tournament.core.hooks import HOUSEKEEPING
from tournament.core.threads import LoopThread, note_failure
from tournament.events.models import Event
from tournament.events.queries import get_act_to_come
from tournament.signup.retention import tend_sign_ups
from tournament.tables.models import Round

BACKUP_EVENT_FILE = ProblemType(
    "backup.event_file", "The file of an event after its round cannot be written to {folder}: {why}."
)
CLOCK_SET_BACK = ProblemType(
    "clock.set_back",
    "The clock of this computer went back: the last entry is of {latest}, which is in the future. Nothing is "
    "lost and the order of the hands holds, but the round's clock shows too much time. Set the computer's clock "
    "right.",
)

TICK = 10.0  # seconds between two looks for a released round
NEAR = 2  # seconds: some file systems keep a file's time no finer
Report = Callable[[Sequence[Problem]], None]


class BackupThread(LoopThread):
    """Checks every few seconds for a released round, and every few minutes for a due backup."""

    def __init__(self, config: BackupConfig, report: Report, *, tick: float = TICK) -> None:
        """`report` is called with the faults whenever they change, with none once all is well again."""
        super().__init__("backups")
        self.config, self.report, self.tick, self.ticks = config, report, tick, 0
        self.reported: tuple[Problem, ...] = ()
        self.backup_faults: tuple[Problem, ...] = ()

    def run_once(self) -> None:
        """Wait, and check."""
        if self.stopping.wait(self.tick):
            return
        ticks = max(1, round(self.config.minutes * 60 / self.tick))
        self.ticks += 1
        self.look(backup=bool(self.config.minutes) and self.ticks % ticks == 1 % ticks)

    def look(self, *, backup: bool) -> None:
        """Check once, and report the faults if they changed; what one duty raises stops no other."""
        duties = [
            *(each.forget for each in HOUSEKEEPING),
            lambda: tend_sign_ups(timezone.localdate()),
            _only_read,
            _file_faults,
        ]
        try:
            faults = [fault for duty in duties for fault in self._do(duty)]
            if backup:
                self.backup_faults = tuple(self._do(self._back_up))
            faults += [*self.backup_faults, *self._do(self._event_files)]
        finally:
            connection.close()
        if tuple(faults) != self.reported:
            self.reported = tuple(faults)
            self.report(faults)

    def _do(self, duty: Callable[[], Iterable[Problem] | None]) -> list[Problem]:
        """Return the faults that a duty finds; what it raises is one."""
        try:
            return list(duty() or ())
        except Exception as wrong:  # noqa: BLE001 - a backup must not wait for a sign-up that cannot be read
            note_failure(self.name, wrong)
            why = " ".join(f"{type(wrong).__name__}: {wrong}".split())[:200]
            return [BACKUP_FAILED(folder=str(self.config.own), why=why)]

    def _back_up(self) -> list[Problem]:
        now = timezone.now()
        return [*faults_of(back_up(self.config, now)), *clock_faults(now)]

    def _event_files(self) -> list[Problem]:
        try:
            write_due_event_files(self.config.data)
        except OSError as wrong:
            return [BACKUP_EVENT_FILE(folder=str(self.config.data / "events"), why=wrong.strerror or "")]
        return []


def _only_read() -> None:
    """Let this connection block no writer from here on: on SQLite by a deferred transaction."""
    connection.ensure_connection()
    if connection.vendor == "sqlite":
        connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]


def _file_faults() -> list[Problem]:
    replaced = getattr(connection, "files_replaced", bool)  # SQLite's alone
    return [STORAGE_REPLACED()] if replaced() else []


def clock_faults(now: datetime) -> list[Problem]:
    """Return the fault that the computer's clock was set back, if an act is still to come."""
    to_come = get_act_to_come(now)
    return [CLOCK_SET_BACK(latest=f"{timezone.localtime(to_come):%Y-%m-%d %H:%M}")] if to_come else []


def faults_of(state: State) -> tuple[Problem, ...]:
    """Return the faults of all folders."""
    return tuple(known.problem for known in state.folders.values() if known.problem)


def write_due_event_files(data: Path) -> list[Path]:
    """Write the missing file of each event's newest released round; return the files written.

    A round that is released a second time is written again. Raises OSError.
    """
    folder = data / "events"
    written = []
    for event, number, released_at in _newest_released():
        file = folder / f"{event.slug}-round-{number}.json"
        if not _is_written(file, released_at):
            folder.mkdir(parents=True, exist_ok=True)
            _write_durably(file, get_event_file(event).encode(), released_at)
            written.append(file)
    return written


def _newest_released() -> list[tuple[Event, int, datetime]]:
    """Return each event with its highest round that is released; two queries at most."""
    newest: dict[int, tuple[int, datetime]] = {}
    released = Round.objects.filter(released_at__isnull=False).order_by("number")
    for event, number, released_at in released.values_list("event_id", "number", "released_at"):
        if released_at is not None:
            newest[event] = (number, released_at)
    events = Event.objects.in_bulk(list(newest)) if newest else {}
    return [(events[pk], *found) for pk, found in sorted(newest.items()) if pk in events]


def _is_written(file: Path, released_at: datetime) -> bool:
    """Tell whether a file is that of this release, by its time."""
    try:
        return abs(file.stat().st_mtime - released_at.timestamp()) <= NEAR
    except OSError:
        return False


def _write_durably(file: Path, content: bytes, released_at: datetime) -> None:
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("xb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        os.utime(draft, (released_at.timestamp(), released_at.timestamp()))
        draft.replace(file)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
