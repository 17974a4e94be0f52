"""Django's SQLite backend with a queue before its write lock, for the transactions of this process.

SQLite lets one write at a time, and those who find it writing sleep and try again, without an order: some for seconds.
In the queue each is woken in turn. Between processes SQLite's own lock decides. Only transactions that begin IMMEDIATE
wait; reads never do. Where ten threads send hands without a pause the slowest took 2.6 and 3.8 s without it, 2.2 and
1.3 s with it (docs/developer/load.md, "Own parts, taken away").
"""

import contextlib
import logging
import os
import sqlite3
import threading
import time
import weakref
from collections import deque
from typing import Any

from django.conf import settings
from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

LOOK_AGAIN = 1.0  # seconds after which one who waits looks whether the thread before is still alive


class Turn:
    """A place in the line, of the thread that made it; `come` is set when it is that thread's turn."""

    __slots__ = ("come", "thread")

    def __init__(self) -> None:
        """Belong to the thread that runs."""
        self.thread = threading.current_thread()
        self.come = threading.Event()


class Line:
    """One turn, and who waits for it."""

    def __init__(self) -> None:
        """Let nobody wait."""
        self._mutex = threading.Lock()
        self._holder: Turn | None = None
        self._waiting: deque[Turn] = deque()

    def take(self, seconds: float) -> Turn:
        """Wait so long for the turn, and return it; raises TimeoutError where it does not come.

        A thread that holds it already does not wait for itself: its second place is one outside of the line.
        """
        turn = Turn()
        with self._mutex:
            if self._holder is None:
                self._holder = turn
            if self._holder.thread is turn.thread:
                return turn
            self._waiting.append(turn)
        try:
            self._wait(turn, time.monotonic() + seconds)
        except BaseException:
            self.give_back(turn)
            raise
        return turn

    def give_back(self, turn: Turn) -> None:
        """Let the next one go; a place outside of the line, or one that was given back before, is nothing."""
        with self._mutex:
            if turn is self._holder:
                self._holder = None
                self._let_next()
            elif turn in self._waiting:
                self._waiting.remove(turn)

    def count_waiting(self) -> int:
        """Count who waits."""
        with self._mutex:
            return len(self._waiting)

    def _wait(self, turn: Turn, until: float) -> None:
        while not turn.come.wait(max(0.0, min(LOOK_AGAIN, until - time.monotonic()))):
            with self._mutex:
                if self._holder is not None and not self._holder.thread.is_alive():
                    self._holder = None
                    self._let_next()
            if not turn.come.is_set() and time.monotonic() >= until:
                raise TimeoutError

    def _let_next(self) -> None:
        if self._waiting:
            self._holder = self._waiting.popleft()
            self._holder.come.set()


LOG = logging.getLogger("hanchan.query")
DEFAULT_TIMEOUT = 5.0  # seconds, of Python's own sqlite3

_lines: dict[str, Line] = {}
_lines_made = threading.Lock()


def line_of(file: str) -> Line:
    """Return the line of this process before a database, by its file's name."""
    with _lines_made:
        return _lines.setdefault(file, Line())


def _start_afresh() -> None:
    """Forget the lines: in a forked process nobody is left of those who waited."""
    global _lines_made  # noqa: PLW0603  (it may have been held at that moment)
    _lines_made = threading.Lock()
    _lines.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_afresh)


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

    SQLite goes on in the deleted WAL without a word, and what is answered then is lost with the process. While a
    connection is open nothing of SQLite's own replaces these files.
    """
    now = files_of(file)
    with _watching:
        return any(each.files not in (None, now) for each in _watched if each.settings_dict["NAME"] == file)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that waits in line before it begins to write, and refuses to where its files were replaced."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._turn: tuple[Line, Turn] | None = None
        self.files: Files | None = None

    def get_new_connection(self, conn_params: Any) -> Any:
        """Connect; raises OperationalError where a new connection would begin another WAL beside the open one."""
        if self.files_replaced():
            raise OperationalError(REPLACED)
        return super().get_new_connection(conn_params)

    def init_connection_state(self) -> None:
        """Note which files are open now."""
        super().init_connection_state()
        if not self.is_in_memory_db():
            self.connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()  # opens the WAL
            self.files = files_of(self.settings_dict["NAME"])
            with _watching:
                _watched.add(self)

    def files_replaced(self) -> bool:
        """Tell whether the files of this database were replaced under a connection of this process."""
        return not self.is_in_memory_db() and are_replaced(self.settings_dict["NAME"])

    def set_autocommit(self, autocommit: bool, force_begin_transaction_with_broken_autocommit: bool = False) -> None:
        """Begin a transaction, after the wait, or end one."""
        self.validate_no_atomic_block()
        begins = not autocommit and force_begin_transaction_with_broken_autocommit
        if begins and getattr(self, "transaction_mode", None) == "IMMEDIATE" and not self.is_in_memory_db():
            self.ensure_connection()
            self._refuse_replaced()
            self._stand_in_line()
        try:
            super().set_autocommit(autocommit, force_begin_transaction_with_broken_autocommit)
        except BaseException:
            self._leave()
            raise
        if autocommit:
            self._leave()

    def commit(self) -> None:
        """Commit, and let the next one begin."""
        super().commit()  # where it fails Django rolls back, and closes where that fails
        self._leave()

    def rollback(self) -> None:
        """Roll back, and let the next one begin."""
        self.validate_thread_sharing()
        self.validate_no_atomic_block()
        try:
            super().rollback()
        finally:
            self._leave()

    def close(self) -> None:
        """Close the connection, and let the next one begin."""
        self.validate_thread_sharing()
        try:
            super().close()
        finally:
            if not self.is_in_memory_db():
                self.files = None
                self._leave()

    def _stand_in_line(self) -> None:
        """Wait for this connection's turn; raises OperationalError where it does not come in time."""
        self._leave()
        line, start = line_of(str(self.settings_dict["NAME"])), time.perf_counter()
        try:
            self._turn = line, line.take(float(self.settings_dict["OPTIONS"].get("timeout", DEFAULT_TIMEOUT)))
        except TimeoutError:
            raise OperationalError("database is locked: others of this process write all the time") from None
        finally:
            ms = (time.perf_counter() - start) * 1000
            if settings.SLOW_QUERY_MS and ms >= settings.SLOW_QUERY_MS:
                LOG.warning("waited in line", extra={"facts": {"ms": round(ms, 1), "sql": "BEGIN IMMEDIATE"}})

    def _refuse_replaced(self) -> None:
        """Raise OperationalError where the files were replaced; what a deleted WAL holds goes into the database first.

        Only where nobody else has begun a new WAL: the two would be mixed.
        """
        file = str(self.settings_dict["NAME"])
        if not are_replaced(file):
            return
        database, wal = self.files or ((0, 0), (0, 0))
        empty = not os.path.exists(f"{file}-wal") or not os.path.getsize(f"{file}-wal")  # noqa: PTH110, PTH202
        if empty and (database, wal) != files_of(file) and files_of(file)[0] == database:
            with contextlib.suppress(sqlite3.Error):
                self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        LOG.critical(REPLACED)
        raise OperationalError(REPLACED)

    def _leave(self) -> None:
        """Let the next one go, if it was this connection's turn."""
        held, self._turn = self._turn, None
        if held:
            line, turn = held
            line.give_back(turn)
