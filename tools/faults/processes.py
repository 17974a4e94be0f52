"""The real process: `manage.py desk` on a data directory.

It is ended as a crash ends it, by SIGKILL, and started again on the same data and the same port.
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

from bootstrap import REPO
from tests.with_postgresql import free_port

PATIENCE = 90  # seconds


class DeskProcess:
    """`manage.py desk`, started again and again on one data directory by a spawner that has loaded it once."""

    def __init__(self, data: Path, log: IO[bytes]) -> None:
        """Choose a port and load the program; no desk runs yet."""
        self.port, self.pid = free_port(), 0
        self.workers: dict[int, int] = {}
        environment = {**os.environ, "HANCHAN_NO_BOOTSTRAP": "1", "HANCHAN_DATA": str(data)}
        self.spawner = subprocess.Popen(
            [sys.executable, "-m", "tools.faults.spawner"],
            cwd=REPO, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
        )  # fmt: skip

    def start(self, hours: float = 0) -> None:
        """Start it, its clock so many hours off, and return once it answers."""
        self.pid = self._ask(f"start {self.port} {hours}")
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self._answers():
                return
            time.sleep(0.05)
        raise RuntimeError("the desk did not start")

    def kill(self) -> None:
        """End it at once, as a crash does."""
        os.kill(self.pid, signal.SIGKILL)
        self._ask(f"end {self.pid}")

    def work(self, number: int, seed: int) -> None:
        """Start a worker, or start it again after a kill."""
        self.workers[number] = self._ask(f"work {number} {seed}")

    def kill_worker(self, number: int) -> None:
        """End a worker at once."""
        os.kill(self.workers[number], signal.SIGKILL)
        self._ask(f"end {self.workers[number]}")

    def close(self) -> None:
        """End it, its workers and its spawner."""
        with contextlib.suppress(OSError, ValueError):
            self.kill()
        for number in self.workers:
            with contextlib.suppress(OSError, ValueError):
                self.kill_worker(number)
        self.spawner.kill()
        self.spawner.wait()

    def _ask(self, line: str) -> int:
        assert self.spawner.stdin is not None
        assert self.spawner.stdout is not None
        self.spawner.stdin.write(line + "\n")
        self.spawner.stdin.flush()
        return int(self.spawner.stdout.readline())

    def _answers(self) -> bool:
        """Ask for a small page: the socket listens long before there is somebody to answer."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as asked:
                asked.sendall(b"GET /robots.txt HTTP/1.0\r\nHost: localhost\r\n\r\n")
                return asked.recv(1) != b""
        except OSError:
            return False
