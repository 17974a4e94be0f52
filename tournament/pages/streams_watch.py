"""A thread that notices when the data has changed, in this process or another, and asks what open streams are told.

On SQLite the file tells (`PRAGMA data_version`), to all processes of a machine; PostgreSQL's workers notify each other.
What neither tells, such as an announcement whose time has come, is found when all is read again every few seconds.
"""

import threading
import time
from collections.abc import Callable
from typing import Any, Final

from django.db import close_old_connections, connection

from tournament.core.threads import LoopThread

LOOK: Final = 0.1  # seconds between two looks
GATHER: Final = 0.03  # seconds from a change until it is read: what several hands did meanwhile is read at once
READ_AGAIN: Final = 5.0  # seconds after which all is read although nothing seems to have changed
NAME: Final = "hanchan_changed"  # of PostgreSQL's notifications


class Watch(LoopThread):
    """Calls `changed` in this thread, at most once a look, when the data has changed."""

    def __init__(self, changed: Callable[[], None], *, name: str = "watch", read_again: float = READ_AGAIN) -> None:
        """Prepare to watch."""
        super().__init__(name)
        self.changed, self.read_again = changed, read_again
        self.nudged = threading.Event()
        self._due = 0.0
        self._seen: Any = None

    def nudge(self) -> None:
        """Say that this process may have changed something; any thread may."""
        self.nudged.set()

    def stop(self) -> None:
        """End soon."""
        super().stop()
        self.nudged.set()

    def run_once(self) -> None:
        """Wait a moment, and call `changed` where something has changed or the time has come."""
        if self._has_changed() or time.monotonic() > self._due:
            self._due = 0.0  # until it has been read
            self.changed()
            self._due = time.monotonic() + self.read_again
        close_old_connections()

    def _has_changed(self) -> bool:
        """Wait a moment, and tell whether something has changed."""
        connection.ensure_connection()
        if connection.vendor == "postgresql":
            return self._notified(connection.connection)
        if not self.nudged.wait(LOOK) and not self._has_moved():
            return False
        time.sleep(GATHER)
        self.nudged.clear()
        self._has_moved()
        return True

    def _has_moved(self) -> bool:
        """Tell whether SQLite's file has changed since it was looked at last."""
        with connection.cursor() as cursor:
            now = cursor.execute("PRAGMA data_version").fetchone()
        before, self._seen = self._seen, now
        return bool(before != now)

    def _notified(self, wire: Any) -> bool:
        if self._seen is not wire:
            wire.execute(f"LISTEN {NAME}")
            self._seen = wire
        nudged = self.nudged.is_set()
        if nudged:
            self.nudged.clear()
            wire.execute(f"NOTIFY {NAME}")
        if not any(True for _ in wire.notifies(timeout=LOOK, stop_after=1)) and not nudged:
            return False
        time.sleep(GATHER)
        for _ in wire.notifies(timeout=0):
            pass
        return True
