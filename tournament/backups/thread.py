"""The thread that makes backups and event files beside a serving desk, and forgets what may be kept no longer.

A fault is reported once and tried again.
An event's file is what `export_event` writes, after each round; never within a verb: a full disk stops no release.
"""

import contextlib
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from django.db import DatabaseError, connection
from django.utils import timezone

from scoring.problems import Problem, error
from tournament.backups.backup import BackupConfig, State, back_up
from tournament.models import Event, Round
from tournament.refusal import Refused
from tournament.selectors.core.events import get_act_to_come
from tournament.selectors.files.archive import get_event_file
from tournament.services.people.drills import forget_old_drills
from tournament.services.signup.retention import tend_sign_ups

TICK = 10.0  # seconds between two looks for a released round
NEAR = 2  # seconds: some file systems keep a file's time no finer
Report = Callable[[Sequence[Problem]], None]


class BackupThread(threading.Thread):
    """Checks every few seconds for a released round, and every few minutes for a due backup."""

    def __init__(self, config: BackupConfig, report: Report, *, tick: float = TICK) -> None:
        """`report` is called with the faults whenever they change, with none once all is well again."""
        super().__init__(name="backups", daemon=True)
        self.config, self.report, self.tick = config, report, tick
        self.stopping = threading.Event()
        self.reported: tuple[Problem, ...] = ()
        self.backup_faults: tuple[Problem, ...] = ()

    def run(self) -> None:
        """Check until stopped."""
        ticks = max(1, round(self.config.minutes * 60 / self.tick))
        count = 0
        while not self.stopping.wait(self.tick):
            count += 1
            self.look(backup=bool(self.config.minutes) and count % ticks == 1 % ticks)

    def stop(self) -> None:
        """End the thread after its current check."""
        self.stopping.set()

    def look(self, *, backup: bool) -> None:
        """Check once, and report the faults if they changed."""
        try:
            connection.ensure_connection()
            forget_old_drills()
            tend_sign_ups(timezone.localdate())
            if connection.vendor == "sqlite":
                # from here on it only reads: a deferred transaction blocks no writer
                connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]
            if backup:
                now = timezone.now()
                self.backup_faults = (*faults_of(back_up(self.config, now)), *_clock_faults(now))
            faults = [*_file_faults(), *self.backup_faults, *self._event_files()]
        except (DatabaseError, sqlite3.Error, Refused) as wrong:
            faults = [error("backup.failed", folder=str(self.config.own), why=" ".join(str(wrong).split())[:200])]
        finally:
            connection.close()
        if tuple(faults) != self.reported:
            self.reported = tuple(faults)
            self.report(faults)

    def _event_files(self) -> list[Problem]:
        try:
            write_due_event_files(self.config.data)
        except OSError as wrong:
            return [error("backup.event_file", folder=str(self.config.data / "events"), why=wrong.strerror or "")]
        return []


def _file_faults() -> list[Problem]:
    replaced = getattr(connection, "files_replaced", bool)  # SQLite's alone
    return [error("storage.replaced")] if replaced() else []


def _clock_faults(now: datetime) -> list[Problem]:
    to_come = get_act_to_come(now)
    return [error("clock.set_back", latest=f"{timezone.localtime(to_come):%Y-%m-%d %H:%M}")] if to_come else []


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
