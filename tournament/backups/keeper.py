"""The thread that keeps backups beside a desk that serves. It answers nobody and stops nothing.

Whatever goes wrong in it is told once, until it changes, and tried again.
"""

import sqlite3
import threading
from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import DatabaseError, connection
from django.utils import timezone

from scoring.problems import Problem, error
from tournament.backups.event_files import write_due_event_files
from tournament.backups.keeping import Keeping, State, back_up
from tournament.refusal import Refused
from tournament.selectors.core.events import get_act_to_come

TICK = 10.0  # seconds between two looks for a released round
Tell = Callable[[Sequence[Problem]], None]


class Keeper(threading.Thread):
    """Looks every few seconds for a released round, and every few minutes whether a backup is due."""

    def __init__(self, keeping: Keeping, tell: Tell, *, tick: float = TICK) -> None:
        """`tell` is given the faults whenever they are others than before; none when all is well again."""
        super().__init__(name="backups", daemon=True)
        self.keeping, self.tell, self.tick = keeping, tell, tick
        self.stopping = threading.Event()
        self.told: tuple[Problem, ...] = ()
        self.backup_faults: tuple[Problem, ...] = ()

    def run(self) -> None:
        """Go on until told to stop."""
        ticks = max(1, round(self.keeping.minutes * 60 / self.tick))
        count = 0
        while not self.stopping.wait(self.tick):
            count += 1
            self.look(backup=bool(self.keeping.minutes) and count % ticks == 1 % ticks)

    def stop(self) -> None:
        """Let it end after what it is doing."""
        self.stopping.set()

    def look(self, *, backup: bool) -> None:
        """Do what is due once, and tell what is new about faults."""
        try:
            connection.ensure_connection()
            if connection.vendor == "sqlite":
                # it only reads, and reading holds up no writer
                connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]
            if backup:
                now = timezone.now()
                self.backup_faults = (*faults_of(back_up(self.keeping, now)), *_clock_faults(now))
            faults = [*self.backup_faults, *self._event_files()]
        except (DatabaseError, sqlite3.Error, Refused) as wrong:
            faults = [error("backup.failed", folder=str(self.keeping.own), why=" ".join(str(wrong).split())[:200])]
        finally:
            connection.close()
        if tuple(faults) != self.told:
            self.told = tuple(faults)
            self.tell(faults)

    def _event_files(self) -> list[Problem]:
        try:
            write_due_event_files(self.keeping.data)
        except OSError as wrong:
            return [error("backup.event_file", folder=str(self.keeping.data / "events"), why=wrong.strerror or "")]
        return []


def _clock_faults(now: datetime) -> list[Problem]:
    to_come = get_act_to_come(now)
    return [error("clock.set_back", latest=f"{timezone.localtime(to_come):%Y-%m-%d %H:%M}")] if to_come else []


def faults_of(state: State) -> tuple[Problem, ...]:
    """Return what is wrong with the folders."""
    return tuple(known.problem for known in state.folders.values() if known.problem)
