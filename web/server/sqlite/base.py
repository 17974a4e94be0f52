"""Django's SQLite backend, which refuses to write where its files were moved or deleted while they were open.

SQLite goes on in the deleted WAL without a word, and what is answered then is lost with the process. How writers wait
for each other is SQLite's: `transaction_mode`, `timeout` and WAL of web.settings.
"""

import contextlib
import logging
import os
import sqlite3
import threading
import weakref
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

LOG = logging.getLogger("hanchan.query")
REPLACED = "the files of the database were moved or deleted while it was open"
Files = tuple[tuple[int, int], ...]  # device and number of the database and its WAL

_watched: "weakref.WeakSet[DatabaseWrapper]" = weakref.WeakSet()
_watching = threading.Lock()


def files_of(file: str) -> Files:
    """Return which files lie under a database's name now; a missing one is (0, 0)."""
    found = []
    for name in (file, f"{file}-wal"):
        try:
            stat = os.stat(name)  # noqa: PTH116 - before each write
        except OSError:
            found.append((0, 0))
        else:
            found.append((stat.st_dev, stat.st_ino))
    return tuple(found)


def are_replaced(file: str) -> bool:
    """Tell whether a connection of this process has other files open than those that lie there.

    While a connection is open nothing of SQLite's own replaces these files.
    """
    with _watching:
        now = files_of(file)
        return any(each.files not in (None, now) for each in _watched if each.settings_dict["NAME"] == file)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that refuses to write where its files were replaced."""

    files: Files | None = None

    def get_new_connection(self, conn_params: Any) -> Any:
        """Connect; raises OperationalError where a new connection would begin another WAL beside the open one."""
        if self.files_replaced():
            raise OperationalError(REPLACED)
        return super().get_new_connection(conn_params)

    def init_connection_state(self) -> None:
        """Note which files are open now."""
        super().init_connection_state()
        if not self.is_in_memory_db():
            with _watching:
                self.connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()  # opens the WAL
                self.files = files_of(self.settings_dict["NAME"])
                _watched.add(self)

    def files_replaced(self) -> bool:
        """Tell whether the files of this database were replaced under a connection of this process."""
        return not self.is_in_memory_db() and are_replaced(self.settings_dict["NAME"])

    def set_autocommit(self, autocommit: bool, force_begin_transaction_with_broken_autocommit: bool = False) -> None:
        """Begin a transaction or end one; raises OperationalError for one that writes to replaced files."""
        begins = not autocommit and force_begin_transaction_with_broken_autocommit
        if begins and getattr(self, "transaction_mode", None) == "IMMEDIATE":
            self.ensure_connection()
            if self.files_replaced():
                self._save_wal()
                LOG.critical(REPLACED)
                raise OperationalError(REPLACED)
        super().set_autocommit(autocommit, force_begin_transaction_with_broken_autocommit)

    def close(self) -> None:
        """Close the connection: SQLite deletes the WAL with the last one."""
        with _watching:  # nobody looks between a deleted WAL and a connection that no longer has it
            super().close()
            if not self.is_in_memory_db():
                self.files = None

    def _save_wal(self) -> None:
        """Write what a deleted WAL holds into the database, unless there is a new WAL: the two would be mixed."""
        file = str(self.settings_dict["NAME"])
        database, wal = self.files or ((0, 0), (0, 0))
        empty = not os.path.exists(f"{file}-wal") or not os.path.getsize(f"{file}-wal")  # noqa: PTH110, PTH202
        if empty and (database, wal) != files_of(file) and files_of(file)[0] == database:
            with contextlib.suppress(sqlite3.Error):
                self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
